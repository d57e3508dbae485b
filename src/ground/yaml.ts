import type { Document, ErrorCode, LineCounter, Node } from 'yaml';

/** Line and column, both from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

export interface YamlFinding extends Place {
  /** In our words: the parser's messages quote the file, which may contain secrets. */
  readonly problem: string;
}

export type KeyPath = readonly (string | number)[];

/** A file as it was read. */
interface YamlDocument {
  /** Plain data; undefined if there are findings. */
  readonly value: unknown;
  readonly findings: readonly YamlFinding[];
  /**
   * Where the entry at a path begins, in a mapping with its key; for a path that is not in the
   * file, where the nearest mapping or list around it begins.
   */
  readonly place: (path: KeyPath) => Place;
}

const PROBLEMS: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'wrong indentation, or a bracket that is not closed',
  TAB_AS_INDENT: 'a tab used as indentation: use spaces',
  DUPLICATE_KEY: 'a key that this mapping has already',
  BAD_DQ_ESCAPE: 'an escape sequence that does not exist',
  MISSING_CHAR:
    'a character is missing, such as a closing quote or a comma, or the indentation is wrong',
  UNEXPECTED_TOKEN: 'a character that does not belong here, or a wrong indentation',
  BLOCK_AS_IMPLICIT_KEY: 'a colon in a text, which is written in quotes, or a wrong indentation',
  MULTILINE_IMPLICIT_KEY:
    'a line without a colon, or a wrong indentation: a key is written as KEY: VALUE, a comment begins with #',
  BAD_SCALAR_START: 'a plain value cannot start with this character: quote it',
  MULTIPLE_DOCS: 'a second document: one file contains one',
  NON_STRING_KEY: 'a key that is not a text',
  RESOURCE_EXHAUSTION: 'nested too deeply',
};

/** As `PROBLEMS`, for a mistake in the middle of a line, where indentation is not the reason. */
const IN_LINE: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'a bracket that is not closed, or closed by one of another kind',
  UNEXPECTED_TOKEN:
    'text after the end of a value: inside of single quotes, write an apostrophe twice, and inside of double quotes put a backslash before a quote; a closing bracket needs its opening one',
  MISSING_CHAR: 'a character is missing, such as a closing quote or a comma',
  BLOCK_AS_IMPLICIT_KEY: 'a colon in a text, which is written in quotes',
};

/**
 * Parses YAML 1.2 with the core schema. Anchors, aliases, tags and directives are findings: the
 * file may be hostile. `asWritten`: numbers and booleans are given as the texts in the file, so
 * that `1.10` does not become 1.1.
 */
export async function parseYaml(
  text: string,
  options: { readonly asWritten: boolean } = { asWritten: false },
): Promise<YamlDocument> {
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    stringKeys: true,
    // The parser would compare each key with all keys before it; `featureFindings` uses a map.
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
    // `silent` would leave out the error about a second document. Nothing is printed at any level.
    logLevel: 'error',
  });
  const parsed: Parsed = { yaml, document, lines };
  const findings = findingsIn(parsed, text);
  if (options.asWritten && findings.length === 0) keepAsWritten(parsed);
  return {
    value: findings.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 }),
    findings,
    place: (path) => placeOf(parsed, path),
  };
}

interface Parsed {
  readonly yaml: typeof import('yaml');
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

/** Replaces numbers and booleans by their texts in the file. */
function keepAsWritten(parsed: Parsed): void {
  parsed.yaml.visit(parsed.document, {
    Scalar(_key, node) {
      if (typeof node.value === 'number' || typeof node.value === 'boolean')
        node.value = node.source;
    },
  });
}

/**
 * What is wrong with the file. Of several errors of the parser one: that the file is nested too
 * deeply, so that its tree is not walked, or else the first, after which the parser guesses.
 */
function findingsIn(parsed: Parsed, text: string): YamlFinding[] {
  const { errors } = parsed.document;
  const error = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION') ?? errors[0];
  if (error === undefined) return featureFindings(parsed);
  const [start] = error.pos;
  // The code of this error is that of any missing character; its message is that of a quote alone.
  if (error.message.startsWith('Missing closing')) {
    const quoteAt = openQuote(parsed, start);
    if (quoteAt !== undefined) return [findingAt(parsed, quoteAt, 'a quote that is not closed')];
  }
  return [findingAt(parsed, start, problemOf(error.code, text, start))];
}

function findingAt(parsed: Parsed, offset: number, problem: string): YamlFinding {
  return { ...placeAt(parsed.lines, offset), problem };
}

/**
 * The offset of a quote that is not closed: the parser reports the end of the file, and the mistake
 * is at the quote. undefined: no text in quotes reaches `end`.
 */
function openQuote(parsed: Parsed, end: number): number | undefined {
  let start: number | undefined;
  parsed.yaml.visit(parsed.document, {
    Scalar(_key, node) {
      // The offset between the two is where the value ends, without spaces and comments after it.
      const [from = 0, , to = 0] = node.range ?? [];
      // The first one: what is parsed after it only follows from the mistake.
      if (node.type?.startsWith('QUOTE') && to >= end) start ??= from;
    },
  });
  return start;
}

/** The parser's error in our words. `start`: the offset of the mistake. */
function problemOf(code: ErrorCode, text: string, start: number): string {
  const lineUpToStart = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const inLine = lineUpToStart.trim() === '' ? undefined : IN_LINE[code];
  return inLine ?? PROBLEMS[code] ?? `not valid YAML (${code.toLowerCase().replaceAll('_', ' ')})`;
}

const NO_ANCHORS =
  'anchors and aliases are not allowed: put a text that begins with & or * in quotes';

/** In a file without errors of the parser: repeated keys, and what this program refuses. */
function featureFindings(parsed: Parsed): YamlFinding[] {
  const { yaml, document } = parsed;
  const findings: YamlFinding[] = [];
  const add = (node: Node, problem: string) =>
    findings.push(findingAt(parsed, startOf(node), problem));
  // A directive can switch to YAML 1.1, in which `<<` takes keys from elsewhere and `yes` is true.
  if (document.directives.yaml.explicit)
    findings.push(findingAt(parsed, 0, 'directives are not allowed'));
  yaml.visit(document, {
    Map(_key, map) {
      /** The first line of each key. */
      const lines = new Map<unknown, number>();
      for (const { key } of map.items) {
        // For the compiler: any other key is an error of the parser (`stringKeys`).
        if (!yaml.isScalar(key)) continue;
        const firstLine = lines.get(key.value);
        if (firstLine === undefined) lines.set(key.value, placeAt(parsed.lines, startOf(key)).line);
        else add(key, `a key that this mapping has in line ${firstLine} already`);
      }
    },
  });
  // A second walk: with a visitor for `Map`, the library does not call that for `Node` on mappings.
  yaml.visit(document, {
    Node(_key, node) {
      if (yaml.isAlias(node) || node.anchor !== undefined) add(node, NO_ANCHORS);
      else if (node.tag !== undefined) add(node, 'tags are not allowed');
    },
  });
  return findings;
}

function placeAt(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset);
  // In an empty file, the parser counts from 0.
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

/** As `YamlDocument.place` says. */
function placeOf(parsed: Parsed, path: KeyPath): Place {
  const { yaml } = parsed;
  let node: unknown = parsed.document.contents;
  let offset = 0;
  for (const key of path) {
    // The result if this mapping or list has no such entry.
    if (yaml.isNode(node)) offset = startOf(node);
    const child = childAt(yaml, node, key);
    if (child === undefined) break;
    // Else the result, unless a later key leads further.
    if (yaml.isNode(child.begin)) offset = startOf(child.begin);
    node = child.value;
  }
  return placeAt(parsed.lines, offset);
}

/** The offset at which a node begins. Each node of a file has one: 0 is for the compiler. */
function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** An entry of a mapping or sequence: the node that it begins with, and its value. */
function childAt(yaml: Parsed['yaml'], node: unknown, key: string | number) {
  if (yaml.isSeq(node) && typeof key === 'number') {
    const item: unknown = node.items[key];
    return item === undefined ? undefined : { begin: item, value: item };
  }
  if (!yaml.isMap(node)) return undefined;
  const pair = node.items.find((item) => yaml.isScalar(item.key) && item.key.value === key);
  return pair && { begin: pair.key, value: pair.value };
}
