import * as z from 'zod/mini';
import { CourierError } from '../errors.ts';
import { countOf } from '../text/markdown.ts';
import { createRequest, DEFAULT_PAGE_SIZE, type Query, type QueryDefaults, queryIdentity } from './queries.ts';
import { MAX_QUERIES, type QueryEntry, queriesFileSchema, queryEntrySchema } from './queries-schema.ts';
import { type KeyPath, type Place, parseYaml, type YamlFinding } from './yaml.ts';

export const MAX_FILE_BYTES = 1024 * 1024;
const MAX_FINDINGS = 50;

export interface QueriesSource {
  readonly text: string;
  /** How messages name the file. */
  readonly name: string;
  readonly defaults: QueryDefaults;
}

/**
 * The queries of a file in YAML or JSON. Throws one `config` error with every finding, a line each: file, line, column, key
 * and what is allowed; nothing else of the content, since the file may be any file of a stranger's choice.
 */
export async function parseQueries({ text, name, defaults }: QueriesSource): Promise<Query[]> {
  const document = await parseYaml(text);
  if (document.findings.length > 0) throw invalid(name, document.findings);
  const parsed = queriesFileSchema.safeParse(document.value, { reportInput: true });
  const entries = readEntries(document.value);
  const queries = entries.map(({ entry, index }) => ({
    ...createQuery(entry, defaults),
    index,
    line: document.place(['queries', index, 'query']).line,
  }));
  const findings = [
    ...(parsed.success ? [] : parsed.error.issues.flatMap((issue) => findingsOf(issue, document.place))),
    ...entries.flatMap(({ entry, index }) => disagreements({ entry, index, defaults, place: document.place })),
    ...duplicates(queries, document.place),
  ];
  if (findings.length > 0) throw invalid(name, findings);
  return queries.map(({ request, expectation, line }) => ({ request, expectation, line }));
}

/** The entries that are right by themselves: what is wrong between them is told together with what is wrong in others. */
function readEntries(value: unknown): { readonly entry: QueryEntry; readonly index: number }[] {
  const list = z.object({ queries: z.array(z.unknown()) }).safeParse(value).data?.queries ?? [];
  return list.slice(0, MAX_QUERIES).flatMap((item, index) => {
    const parsed = queryEntrySchema.safeParse(item);
    return parsed.success ? [{ entry: parsed.data, index }] : [];
  });
}

function createQuery(entry: QueryEntry, defaults: QueryDefaults): Omit<Query, 'line'> {
  const { expect } = entry;
  return {
    request: createRequest({
      query: entry.query,
      pageSize: entry['page-size'] ?? defaults.pageSize,
      scoreThreshold: entry['score-threshold'] ?? defaults.scoreThreshold,
      filter: {
        version: entry.filter?.version ?? defaults.filter.version,
        language: entry.filter?.language ?? defaults.filter.language,
        tag: entry.filter?.tag ?? defaults.filter.tag,
        groups: entry.filter?.groups ?? defaults.filter.groups,
      },
    }),
    expectation: {
      paths: expect?.paths ?? [],
      within: expect?.within,
      absent: expect?.absent ?? [],
      minResults: expect?.['min-results'] ?? defaults.minResults,
      snippets: expect?.snippets ?? [],
    },
  };
}

interface EntryPlace {
  readonly entry: QueryEntry;
  readonly index: number;
  readonly defaults: QueryDefaults;
  readonly place: (path: KeyPath) => Place;
}

/** Keys that are right alone and can never be met together. */
function disagreements({ entry, index, defaults, place }: EntryPlace): YamlFinding[] {
  const { within, paths } = entry.expect ?? {};
  const minResults = entry.expect?.['min-results'] ?? defaults.minResults;
  const pageSize = entry['page-size'] ?? defaults.pageSize ?? DEFAULT_PAGE_SIZE;
  const findings: YamlFinding[] = [];
  const add = (key: 'within' | 'min-results', problem: string) => {
    const path = ['queries', index, 'expect', key];
    findings.push({ ...place(path), problem: `${showPath(path)}: ${problem}` });
  };
  if (within !== undefined && paths === undefined) add('within', 'says nothing without `paths`');
  if (within !== undefined && within > pageSize)
    add('within', `only ${pageSize} results are asked for: raise page-size`);
  if (minResults > pageSize) {
    add('min-results', `only ${pageSize} results are asked for: raise page-size`);
  }
  return findings;
}

interface IndexedQuery extends Query {
  readonly index: number;
}

function duplicates(queries: readonly IndexedQuery[], place: (path: KeyPath) => Place): YamlFinding[] {
  const firstLines = new Map<string, number | undefined>();
  return queries.flatMap(({ request, line, index }) => {
    const identity = queryIdentity(request);
    if (!firstLines.has(identity)) {
      firstLines.set(identity, line);
      return [];
    }
    const path = ['queries', index, 'query'];
    const first = firstLines.get(identity);
    return [
      { ...place(path), problem: `${showPath(path)}: the same query with the same filter stands on line ${first}` },
    ];
  });
}

/** `queries[3].expect.within`. */
function showPath(path: KeyPath): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '');
}

function findingsOf(issue: z.core.$ZodIssue, place: (path: KeyPath) => Place): YamlFinding[] {
  const path = issue.path.filter((key) => typeof key !== 'symbol');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      ...place([...path, key]),
      problem: `${showPath(path) || 'the file'}: ${unknownKey(key)}`,
    }));
  }
  return [{ ...place(path), problem: `${showPath(path) || 'the file'}: ${describeIssue(issue)}` }];
}

// A key of a file that was never meant to be a queries file may be anything; only what looks like a word is told.
function unknownKey(key: string): string {
  return /^[a-z]+(-[a-z]+)*$/i.test(key) && key.length <= 24 ? `unknown key ${key}` : 'unknown key';
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text (in quotes where it looks like a number)',
  int: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'a mapping of keys',
};

function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return bound('at least', issue.minimum, issue.origin);
    case 'too_big':
      return bound('at most', issue.maximum, issue.origin);
    case 'invalid_format':
      return 'must not be empty';
    default:
      return 'is not valid';
  }
}

function bound(relation: string, limit: number | bigint, origin: string): string {
  if (origin === 'array') return `must have ${relation} ${countOf(Number(limit), 'entry', 'entries')}`;
  return `must be ${relation} ${limit}${origin === 'string' ? ' characters long' : ''}`;
}

function invalid(name: string, findings: readonly YamlFinding[]): CourierError {
  const sorted = findings.toSorted((a, b) => a.line - b.line || a.column - b.column);
  // The parser tells each level of a broken nesting at the same place.
  const all = [...new Set(sorted.map(({ line, column, problem }) => `${name}:${line}:${column}: ${problem}`))];
  const lines = all.slice(0, MAX_FINDINGS);
  const more = all.length > MAX_FINDINGS ? [`and ${all.length - MAX_FINDINGS} more`] : [];
  return new CourierError({
    code: 'config',
    message: ['The queries file is not valid.', ...lines, ...more].join('\n'),
    hint: 'A queries file looks like this:\nqueries:\n  - query: how do I rotate the link\n    expect:\n      paths: [/guides/rotate]\n      within: 3',
  });
}
