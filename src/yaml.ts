import type { Document, ErrorCode, LineCounter, Node, YAMLParseError } from 'yaml';
import { countOf } from './text/markdown.ts';

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
  TAB_AS_INDENT: 'a tab used as indentation: use spaces',
  DUPLICATE_KEY: 'a key that this mapping has already',
  BAD_DQ_ESCAPE: 'an escape sequence that does not exist',
  MISSING_CHAR: 'a character is missing, such as a closing quote or a comma',
  BLOCK_AS_IMPLICIT_KEY: 'a colon in a text: put the text in quotes',
  MULTILINE_IMPLICIT_KEY:
    'a line that continues in the next one: write KEY: VALUE, with a blank behind the colon; a comment begins with #; put a longer text in quotes',
  BAD_SCALAR_START: 'a character that no text may begin with: put the text in quotes',
  MULTIPLE_DOCS: 'a second document: one file holds one',
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
  const findings = [...syntaxFindings(text, document, lines), ...featureFindings({ yaml, document, lines })];
  if (asWritten && findings.length === 0) keepAsWritten(yaml, document);
  return {
    value: findings.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 }),
    findings,
    place: (path) => placeOf({ yaml, document, lines, path }),
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

function syntaxFindings(text: string, document: Document.Parsed, lines: LineCounter): YamlFinding[] {
  // Each open level of a bottomless nesting is a separate error; the first is enough.
  const bottomless = document.errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (bottomless !== undefined) return [toFinding(bottomless, lines)];
  const first = document.errors[0];
  // What follows a wrong indentation is read with it, so that the errors behind it explain nothing.
  const wrong = first && findWrongIndentation(text, toFinding(first, lines).line);
  return wrong === undefined ? document.errors.map((error) => toFinding(error, lines)) : [wrong];
}

function toFinding({ code, pos }: YAMLParseError, lines: LineCounter): YamlFinding {
  return {
    ...placeAt(lines, pos[0]),
    problem: PROBLEMS[code] ?? `not valid YAML (${code.toLowerCase().replaceAll('_', ' ')})`,
  };
}

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
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!yaml.isScalar(key)) continue;
        if (seen.has(key.value)) add(key, PROBLEMS.DUPLICATE_KEY ?? '');
        seen.add(key.value);
      }
    },
    Node(_key, node) {
      if (yaml.isAlias(node)) add(node, 'aliases are not allowed; put a text that begins with * in quotes');
      else if (node.anchor !== undefined)
        add(
          node,
          'anchors are not allowed; put a text that begins with & in quotes, and in docs-courier.yml write what serves all sites at the top',
        );
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
    const pair = yaml.isMap(node)
      ? node.items.find((item) => yaml.isScalar(item.key) && item.key.value === key)
      : undefined;
    const found = yaml.isSeq(node) && typeof key === 'number' ? node.items[key] : pair?.key;
    if (yaml.isNode(found)) offset = found.range?.[0] ?? offset;
    if (found === undefined) break;
    node = pair === undefined ? found : pair.value;
  }
  return placeAt(lines, offset);
}

/**
 * The line whose indentation fits none of the lines before it, if a syntax error at `line` comes from that: the parser reports
 * what it makes of it, such as a character that is missing, and sometimes at the line before. Lines are counted from 1.
 */
function findWrongIndentation(text: string, line: number): YamlFinding | undefined {
  const lines = text.split('\n');
  for (const number of [line, line + 1]) {
    const levels = levelsBefore(lines, number - 1);
    const found = lines[number - 1];
    if (found === undefined || isEmpty(found) || levels.length === 0) continue;
    const indent = indentOf(found);
    const deepest = levels.at(-1) ?? 0;
    const isBetween = indent < deepest && !levels.includes(indent);
    // Deeper than a key that has its value already.
    const isTooDeep = indent > deepest && /[^:\s|>-]\s*$/.test(lines[number - 2] ?? '');
    if (isBetween || isTooDeep) {
      return {
        line: number,
        column: indent + 1,
        problem: `wrong indentation: ${countOf(indent, 'space')}, where the lines before have ${EITHER.format(levels.map(String))}`,
      };
    }
  }
  return undefined;
}

const EITHER = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Columns, from 0, at which something begins that a line may continue: of keys, of dashes, and of what follows a dash. */
function levelsBefore(lines: readonly string[], end: number): number[] {
  const levels: number[] = [];
  for (const line of lines.slice(0, end)) {
    if (isEmpty(line)) continue;
    const indent = indentOf(line);
    while ((levels.at(-1) ?? -1) >= indent) levels.pop();
    levels.push(indent);
    for (let dash = /^- +/.exec(line.slice(indent)), at = indent; dash !== null; dash = /^- +/.exec(line.slice(at))) {
      at += dash[0].length;
      levels.push(at);
    }
  }
  return levels;
}

function isEmpty(line: string): boolean {
  return /^\s*(#|$)/.test(line);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
