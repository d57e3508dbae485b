import type { Document, ErrorCode, LineCounter, Node, YAMLParseError } from 'yaml';

/** Line and column, both from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

export interface YamlFinding extends Place {
  /** In our words: the parser's messages quote the file. */
  readonly problem: string;
}

export type KeyPath = readonly (string | number)[];

interface YamlDocument {
  /** Plain data; undefined when there are findings. */
  readonly value: unknown;
  readonly findings: readonly YamlFinding[];
  /**
   * Where the value at a path is; for a key that is not there, where the nearest thing around it
   * begins.
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

/** The same, of what is in the middle of a line: it has no indentation. */
const IN_LINE: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'a bracket that is not closed, or closed by one of another kind',
  UNEXPECTED_TOKEN:
    'text after the end of a value: inside of single quotes, write an apostrophe twice, and inside of double quotes put a backslash before a quote; a closing bracket needs its opening one',
  MISSING_CHAR: 'a character is missing, such as a closing quote or a comma',
  BLOCK_AS_IMPLICIT_KEY: 'a colon in a text, which is written in quotes',
};

interface YamlOptions {
  /** Numbers and booleans are texts, as they are written: `1.10` is not 1.1. */
  readonly asWritten?: boolean;
}

/**
 * Parses YAML 1.2 with the core schema. Anchors, aliases, tags and directives are findings: the
 * file may be hostile.
 */
export async function parseYaml(
  text: string,
  { asWritten = false }: YamlOptions = {},
): Promise<YamlDocument> {
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    stringKeys: true,
    // The parser compares each key with all before it; `duplicateKeys` takes one look at each.
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
    // `silent` would hide that there is a second document; nothing is printed at any level by this
    // function.
    logLevel: 'error',
  });
  const parsed = { yaml, document, lines };
  const findings = [...syntaxFindings(parsed, text), ...featureFindings(parsed)];
  if (asWritten && findings.length === 0) keepAsWritten(yaml, document);
  return {
    value: findings.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 }),
    findings,
    place: (path) => placeOf({ ...parsed, path }),
  };
}

function keepAsWritten(yaml: typeof import('yaml'), document: Document.Parsed): void {
  yaml.visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'number' || typeof node.value === 'boolean')
        node.value = node.source;
    },
  });
}

interface Parsed {
  readonly yaml: typeof import('yaml');
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

function syntaxFindings({ yaml, document, lines }: Parsed, text: string): YamlFinding[] {
  // After the first error the parser guesses. Of a bottomless nesting, the first error may be
  // another one.
  const error =
    document.errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION') ?? document.errors[0];
  if (error === undefined) return [];
  return [openQuote(error, { yaml, document, lines }) ?? toFinding(error, text, lines)];
}

/**
 * A quote that is not closed: the parser notices that at the end of the file, and the mistake is at
 * its beginning.
 */
function openQuote(
  { message, pos }: YAMLParseError,
  { yaml, document, lines }: Parsed,
): YamlFinding | undefined {
  if (!message.startsWith('Missing closing')) return undefined;
  let start: number | undefined;
  yaml.visit(document, {
    Scalar(_key, { type, range }) {
      const isOpen =
        type?.startsWith('QUOTE') === true &&
        range !== undefined &&
        range !== null &&
        range[2] >= pos[0];
      if (isOpen) start ??= range[0];
    },
  });
  return start === undefined
    ? undefined
    : { ...placeAt(lines, start), problem: 'a quote that is not closed' };
}

function toFinding({ code, pos }: YAMLParseError, text: string, lines: LineCounter): YamlFinding {
  const [start] = pos;
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const known = before.trim() === '' ? PROBLEMS[code] : (IN_LINE[code] ?? PROBLEMS[code]);
  return {
    ...placeAt(lines, start),
    problem: known ?? `not valid YAML (${code.toLowerCase().replaceAll('_', ' ')})`,
  };
}

const NO_ANCHORS =
  'anchors and aliases are not allowed: put a text that begins with & or * in quotes';

function featureFindings({ yaml, document, lines }: Parsed): YamlFinding[] {
  const findings: YamlFinding[] = [];
  // After a syntax error the tree is a guess, and one nested without end is not walked.
  if (document.errors.length > 0) return findings;
  const add = (node: Node, problem: string) =>
    findings.push({ ...placeAt(lines, node.range?.[0] ?? 0), problem });
  // A directive can switch to YAML 1.1, with its merge keys and its `yes` for true.
  if (document.directives.yaml.explicit === true)
    findings.push({ line: 1, column: 1, problem: 'directives are not allowed' });
  yaml.visit(document, {
    Map(_key, { items }) {
      const seen = new Map<unknown, number>();
      for (const { key } of items) {
        if (!yaml.isScalar(key)) continue;
        const first = seen.get(key.value);
        if (first !== undefined) add(key, `a key that this mapping has in line ${first} already`);
        else seen.set(key.value, placeAt(lines, key.range?.[0] ?? 0).line);
      }
    },
  });
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
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

function placeOf({ yaml, document, lines, path }: Parsed & { path: KeyPath }): Place {
  let node: unknown = document.contents;
  let offset = 0;
  for (const key of path) {
    if (yaml.isNode(node)) offset = node.range?.[0] ?? offset;
    const child = childAt(yaml, node, key);
    if (yaml.isNode(child?.begin)) offset = child.begin.range?.[0] ?? offset;
    if (child === undefined) break;
    node = child.value;
  }
  return placeAt(lines, offset);
}

/** The entry of a mapping or sequence: what it begins with, and its value. */
function childAt(yaml: Parsed['yaml'], node: unknown, key: string | number) {
  if (yaml.isSeq(node) && typeof key === 'number') {
    const item: unknown = node.items[key];
    return item === undefined ? undefined : { begin: item, value: item };
  }
  if (!yaml.isMap(node)) return undefined;
  const pair = node.items.find((item) => yaml.isScalar(item.key) && item.key.value === key);
  return pair && { begin: pair.key, value: pair.value };
}
