import type { Document, ErrorCode, LineCounter, Node, YAMLParseError } from 'yaml';
import { countOf } from './text/amounts.ts';

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
  /** Where the value at a path is; for a key that is not there, where the nearest thing around it begins. */
  readonly place: (path: KeyPath) => Place;
}

const PROBLEMS: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'wrong indentation, or a bracket that is not closed',
  UNEXPECTED_TOKEN:
    'text after the end of a value: inside of single quotes, write an apostrophe twice, and inside of double quotes put a backslash before a quote; a closing bracket needs its opening one',
  TAB_AS_INDENT: 'a tab used as indentation: use spaces',
  DUPLICATE_KEY: 'a key that this mapping has already',
  BAD_DQ_ESCAPE: 'an escape sequence that does not exist',
  MISSING_CHAR: 'a character is missing, such as a closing quote or a comma',
  BLOCK_AS_IMPLICIT_KEY: 'a colon in a text: put the text in quotes',
  MULTILINE_IMPLICIT_KEY:
    'a line that continues in the next one: write KEY: VALUE, with a space after the colon; a comment begins with #; put a longer text in quotes',
  BAD_SCALAR_START: 'a plain value cannot start with this character: quote it',
  MULTIPLE_DOCS: 'a second document: one file contains one',
  NON_STRING_KEY: 'a key that is not a text',
  RESOURCE_EXHAUSTION: 'nested too deeply',
};

interface YamlOptions {
  /** Numbers and booleans are texts, as they are written: `1.10` is not 1.1. */
  readonly asWritten?: boolean;
}

/** Parses YAML 1.2 with the core schema. Anchors, aliases, tags and directives are findings: the file may be hostile. */
export async function parseYaml(text: string, { asWritten = false }: YamlOptions = {}): Promise<YamlDocument> {
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
    // `silent` would hide that there is a second document; nothing is printed at any level by this function.
    logLevel: 'error',
  });
  const parsed = { yaml, document, lines };
  const findings = [...syntaxFindings(text, parsed), ...featureFindings(parsed)];
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
      if (typeof node.value === 'number' || typeof node.value === 'boolean') node.value = node.source;
    },
  });
}

interface Parsed {
  readonly yaml: typeof import('yaml');
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

function syntaxFindings(text: string, { yaml, document, lines }: Parsed): YamlFinding[] {
  // Each open level of a bottomless nesting is a separate error; the first is enough.
  const bottomless = document.errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (bottomless !== undefined) return [toFinding(bottomless, lines)];
  // What follows a wrong indentation is read with it, so that the errors after it explain nothing.
  const wrong = findWrongIndentation(text, { yaml, document, lines });
  if (wrong !== undefined) return [wrong];
  return document.errors.map((error) => {
    return (
      openQuote(error, { yaml, document, lines }) ??
      openBracket(error, text, lines) ??
      otherFormat(error, text, lines) ??
      toFinding(error, lines)
    );
  });
}

/** A line that another format, or a missing space, explains better than the parser does. */
function otherFormat({ pos }: YAMLParseError, text: string, lines: LineCounter): YamlFinding | undefined {
  const { line } = placeAt(lines, pos[0]);
  const written = text.split('\n', line)[line - 1] ?? '';
  const finding = (problem: string) => ({ line, column: 1 + written.search(/\S|$/), problem });
  if (/^\s*[\w-]+:[^\s:/]/.test(written)) return finding('a space is missing after the colon: write KEY: VALUE');
  const before = text.split('\n', line - 1).findLast((one) => one.trim() !== '') ?? '';
  if (/^ *[\w-]+:/.test(written) && /^ *- /.test(before) && before.search(/\S/) === written.search(/\S/)) {
    return finding(
      'a key cannot follow an entry of a list in its column: begin it where the key above the list begins',
    );
  }
  if (/^\s*\/\//.test(written)) return finding('a comment begins with #');
  const isToml = /^\[[\w.-]+\]/m.test(text) || /^\s*[\w-]+ *= */.test(written);
  return isToml ? finding('this is TOML, and not YAML: write each key as KEY: VALUE') : undefined;
}

/** A quote that is not closed: the parser notices that at the end of the file, and the mistake is at its beginning. */
function openQuote({ message, pos }: YAMLParseError, { yaml, document, lines }: Parsed): YamlFinding | undefined {
  if (!message.startsWith('Missing closing')) return undefined;
  let start: number | undefined;
  yaml.visit(document, {
    Scalar(_key, { type, range }) {
      const isOpen = type?.startsWith('QUOTE') === true && range !== undefined && range !== null && range[2] >= pos[0];
      if (isOpen) start ??= range[0];
    },
  });
  return start === undefined ? undefined : { ...placeAt(lines, start), problem: 'a quote that is not closed' };
}

/** The parser calls a bracket of another kind an indentation, also in the middle of a line. */
function openBracket({ code, pos }: YAMLParseError, text: string, lines: LineCounter): YamlFinding | undefined {
  if (code !== 'BAD_INDENT' || isFirstInLine(text, pos[0])) return undefined;
  return { ...placeAt(lines, pos[0]), problem: 'a bracket that is not closed, or closed by one of another kind' };
}

function toFinding({ code, pos }: YAMLParseError, lines: LineCounter): YamlFinding {
  return {
    ...placeAt(lines, pos[0]),
    problem: PROBLEMS[code] ?? `not valid YAML (${code.toLowerCase().replaceAll('_', ' ')})`,
  };
}

const NO_ANCHORS =
  'anchors and aliases are not allowed: in docs-courier.yml, write what serves all sites at the top; put a text that begins with & or * in quotes';

function featureFindings({ yaml, document, lines }: Parsed): YamlFinding[] {
  const findings: YamlFinding[] = [];
  // After a syntax error the tree is a guess, and one nested without end is not walked.
  if (document.errors.length > 0) return findings;
  const add = (node: Node, problem: string) => findings.push({ ...placeAt(lines, node.range?.[0] ?? 0), problem });
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
  const anchors = new Set<string>();
  yaml.visit(document, {
    Node(_key, node) {
      if (yaml.isAlias(node)) {
        const isText = !anchors.has(node.source);
        add(node, isText ? 'put a text that begins with * in quotes: aliases are not allowed' : NO_ANCHORS);
      } else if (node.anchor !== undefined) {
        anchors.add(node.anchor);
        add(node, NO_ANCHORS);
      } else if (node.tag !== undefined) add(node, 'tags are not allowed');
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

/** The line at the first error, if it begins at a column where nothing around it begins: between two levels, or too deep. */
function findWrongIndentation(text: string, parsed: Parsed): YamlFinding | undefined {
  const found = findWrongLine(text, parsed);
  // What begins in the middle of a line has no indentation.
  if (found === undefined || !isFirstInLine(text, found.start)) return undefined;
  const { line, column } = placeAt(parsed.lines, found.start);
  const levels = levelsAround(parsed, found);
  const indent = column - 1;
  if (levels.length === 0 || levels.includes(indent)) return undefined;
  return {
    line,
    column,
    problem: `wrong indentation: ${countOf(indent, 'space')}, where the lines before have ${EITHER.format(levels.map(String))}`,
  };
}

const EITHER = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Offsets of a line whose indentation may be wrong. */
interface WrongLine {
  /** Its first character that is not a space. */
  readonly start: number;
  /** What ends before this one is over when the line begins. */
  readonly openFrom: number;
  /** What begins here or later contains a part of the line. */
  readonly openUntil: number;
}

/** The parser does not report the indentation itself, but what it makes of the line, such as a character that is missing. */
function findWrongLine(text: string, { yaml, document, lines }: Parsed): WrongLine | undefined {
  const at = document.errors[0]?.pos[0] ?? 0;
  const error = (...codes: ErrorCode[]) =>
    document.errors.find(({ code, pos }) => pos[0] === at && codes.includes(code));
  const key = error('MULTILINE_IMPLICIT_KEY');
  if (key !== undefined) {
    // The key ends in the line that was read as its continuation.
    const line = text.lastIndexOf('\n', key.pos[1]) + 1;
    return { start: line + text.slice(line).search(/\S/), openFrom: at, openUntil: at };
  }
  const openFrom = lines.lineStarts[placeAt(lines, at).line - 1] ?? 0;
  if (error('UNEXPECTED_TOKEN') !== undefined) return { start: at, openFrom, openUntil: at };
  if (error('BAD_INDENT', 'MISSING_CHAR', 'BLOCK_AS_IMPLICIT_KEY') === undefined) return undefined;
  const start = firstNodeFrom(at, { yaml, document });
  return start === undefined ? undefined : { start, openFrom, openUntil: start };
}

function isFirstInLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';
}

/** The offset of the first node that begins at this offset or later. */
function firstNodeFrom(offset: number, { yaml, document }: Omit<Parsed, 'lines'>): number | undefined {
  let first: number | undefined;
  yaml.visit(document, {
    Node(_key, { range }) {
      if (range && range[0] >= offset) first = Math.min(first ?? range[0], range[0]);
    },
  });
  return first;
}

/** The columns, from 0, at which the mappings, sequences and items begin that the line may continue. */
function levelsAround({ yaml, document, lines }: Parsed, { start, openFrom, openUntil }: WrongLine): number[] {
  const columns = new Set<number>();
  yaml.visit(document, {
    Node(_key, node, path) {
      const [begin, , end] = node.range ?? [0, 0, 0];
      const isItem = yaml.isSeq(path.at(-1)) && begin < start;
      const isBlock = yaml.isCollection(node) && node.flow !== true && begin < openUntil;
      if ((isItem || isBlock) && end >= openFrom) columns.add(placeAt(lines, begin).column - 1);
    },
  });
  return [...columns].sort((a, b) => a - b);
}
