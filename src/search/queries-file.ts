import * as z from 'zod/mini';
import { CourierError } from '../errors.ts';
import { countOf } from '../text/markdown.ts';
import { guess } from '../text/names.ts';
import { type KeyPath, type Place, parseYaml, type YamlFinding } from '../yaml.ts';
import { createRequest, DEFAULT_PAGE_SIZE, type Query, type QueryDefaults, queryIdentity } from './queries.ts';
import {
  expectationSchema,
  filterSchema,
  MAX_QUERIES,
  type QueryEntry,
  queriesFileSchema,
  queryEntrySchema,
} from './queries-schema.ts';

export const MAX_FILE_BYTES = 1024 * 1024;
const MAX_FINDINGS = 50;

interface QueriesSource {
  readonly text: string;
  readonly defaults: QueryDefaults;
}

/** What a queries file holds. With findings there are no queries: nothing is run of a file that is not right. */
interface QueriesFile {
  readonly queries: readonly Query[];
  /** In the order of the file. */
  readonly findings: readonly YamlFinding[];
}

/** The queries of a file in YAML or JSON, or all that is wrong with it, each with its line and column. */
export async function readQueriesFile({ text, defaults }: QueriesSource): Promise<QueriesFile> {
  const document = await parseYaml(text);
  if (document.findings.length > 0) return { queries: [], findings: inOrder(document.findings) };
  const parsed = queriesFileSchema.safeParse(document.value, { reportInput: true });
  const entries = readEntries(document.value);
  const queries = entries.map(({ entry, index }) => ({
    ...createQuery(entry, defaults),
    index,
    line: document.place(['queries', index, 'query']).line,
  }));
  const findings = inOrder([
    ...(parsed.success ? [] : parsed.error.issues.flatMap((issue) => findingsOf(issue, document.place))),
    ...entries.flatMap(({ entry, index }) => disagreements({ entry, index, defaults, place: document.place })),
    ...duplicates(queries, document.place),
  ]);
  if (findings.length > 0) return { queries: [], findings };
  return { queries: queries.map(({ request, expectation, line }) => ({ request, expectation, line })), findings };
}

function inOrder(findings: readonly YamlFinding[]): YamlFinding[] {
  return findings.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** The entries that are right by themselves: what is wrong between them is reported together with what is wrong in others. */
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
    add('within', `only ${pageSize} results are requested: raise page-size`);
  if (minResults > pageSize) {
    add('min-results', `only ${pageSize} results are requested: raise page-size`);
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
    return [{ ...place(path), problem: `${showPath(path)}: the same query with the same filter is on line ${first}` }];
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
      problem: `${showPath(path) || 'the file'}: ${unknownKey(key, keysAt(path))}`,
    }));
  }
  return [{ ...place(path), problem: `${showPath(path) || 'the file'}: ${describeIssue(issue)}` }];
}

// The keys of each level, by the last name of its path.
const KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(queriesFileSchema.shape),
  queries: Object.keys(queryEntrySchema.shape),
  expect: Object.keys(expectationSchema.shape),
  filter: Object.keys(filterSchema.shape),
};

function keysAt(path: KeyPath): string {
  return path.findLast((key) => typeof key === 'string') ?? '';
}

// A key of a file that was never meant to be a queries file may be anything; only what looks like a word is shown.
function unknownKey(key: string, level: string): string {
  const meant = guess(key, KEYS[level] ?? []);
  const shown = /^[a-z]+([-_][a-z]+)*$/i.test(key) && key.length <= 24 ? `unknown key ${key}` : 'unknown key';
  if (meant !== undefined) return `${shown}: did you mean ${meant}?`;
  const home = Object.keys(KEYS).find((name) => KEYS[name]?.includes(key));
  return home === undefined || home === '' ? shown : `${shown}: it belongs under ${home}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text (in quotes where it looks like a number)',
  int: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'a mapping of keys, such as `query: text` with a blank after the colon',
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

/**
 * The findings of a file as one `config` error, a line each: file, line, column, key and what is allowed; nothing else of the
 * content, since the file may be any file of a stranger's choice.
 */
export function invalidQueriesFile(name: string, findings: readonly YamlFinding[]): CourierError {
  // The parser reports each level of a broken nesting at the same place.
  const all = [...new Set(findings.map(({ line, column, problem }) => `${name}:${line}:${column}: ${problem}`))];
  const lines = all.slice(0, MAX_FINDINGS);
  const more = all.length > MAX_FINDINGS ? [`and ${all.length - MAX_FINDINGS} more`] : [];
  return new CourierError({
    code: 'config',
    message: ['The queries file is not valid.', ...lines, ...more].join('\n'),
    hint: 'A queries file looks like this:\nqueries:\n  - query: how do I rotate the link\n    expect:\n      paths: [/guides/rotate]\n      within: 3',
  });
}
