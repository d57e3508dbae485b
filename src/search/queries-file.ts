import * as z from 'zod/mini';
import { CourierError } from '../errors.ts';
import { PAGE_SIZE, SCORE_THRESHOLD } from '../platform/contract.ts';
import { guess } from '../text/names.ts';
import { type KeyPath, parseYaml, type YamlFinding } from '../yaml.ts';
import {
  createRequest,
  DEFAULT_PAGE_SIZE,
  type Query,
  type QueryDefaults,
  queryIdentity,
} from './queries.ts';

export const MAX_FILE_BYTES = 1024 * 1024;
const MAX_FINDINGS = 50;
/**
 * Most queries in one file: far above what one run may request, and low enough to check in an
 * instant.
 */
const MAX_QUERIES = 5000;
const MAX_TEXT = 1000;
const MAX_LIST = 50;

function text(description: string) {
  return z.string().check(z.maxLength(MAX_TEXT), z.regex(/\S/), z.meta({ description }));
}

function list(description: string) {
  return z.optional(
    z
      .array(text('Text, taken literally.'))
      .check(z.minLength(1), z.maxLength(MAX_LIST), z.meta({ description })),
  );
}

function whole(min: number, description: string) {
  return z.optional(
    z.int().check(z.minimum(min), z.maximum(PAGE_SIZE.max), z.meta({ description })),
  );
}

const expectationSchema = z
  .strictObject({
    paths: list(
      'Pages that must be among the results. Scheme, host, a trailing slash, `.html`, query and fragment do not matter.',
    ),
    within: whole(
      1,
      'Each of `paths` must be among the first this many results. All results when left out.',
    ),
    absent: list('Pages that must not be among the results.'),
    'min-results': whole(
      0,
      'Minimum number of results. When left out: the input `min-results`, or else 1, or 0 if `expect` has only `absent`.',
    ),
    snippets: list(
      'Texts, each of which must be in the snippet of some result, letter for letter; only runs of white space count as one space.',
    ),
  })
  .check(z.meta({ description: 'What the results must be like for the query to pass.' }));

const filterSchema = z
  .strictObject({
    version: z.optional(text('Only results of this documentation version.')),
    language: z.optional(text('Only results in this language.')),
    tag: z.optional(text('Only results with this tag.')),
    groups: list('Only results of pages that one of these groups may read.'),
  })
  .check(
    z.meta({
      description:
        'Narrows the results. A key that is left out comes from `filter` of the file, or else from the input `filter`.',
    }),
  );

const { min: LEAST_SCORE, max: MOST_SCORE } = SCORE_THRESHOLD;

/** Of one query, or of the file for all queries that do not give them. */
const options = {
  'page-size': whole(PAGE_SIZE.min, "Number of results to ask for. The platform's default is 10."),
  'score-threshold': z.optional(
    z
      .number()
      .check(
        z.minimum(LEAST_SCORE),
        z.maximum(MOST_SCORE),
        z.meta({ description: 'Minimum relevance of a result.' }),
      ),
  ),
  filter: z.optional(filterSchema),
};
const commonSchema = z.object(options);

/** One query of the file. */
const queryEntrySchema = z.strictObject({
  query: text('What a reader would type.'),
  ...options,
  expect: z.optional(expectationSchema),
});

export const queriesFileSchema = z
  .strictObject({
    $schema: z.optional(
      z.string().check(z.meta({ description: 'Address of this schema, for editors.' })),
    ),
    ...options,
    queries: z
      .array(queryEntrySchema)
      .check(
        z.minLength(1),
        z.maxLength(MAX_QUERIES),
        z.meta({ description: 'The queries to run.' }),
      ),
  })
  .check(
    z.meta({
      title: 'Docs Courier queries file',
      description:
        'Queries for the search of published documentation, each with what its results must be like.',
    }),
  );

type QueryEntry = z.infer<typeof queryEntrySchema>;

/**
 * What a queries file contains. With findings it gives no queries: an invalid file is not run at
 * all.
 */
interface QueriesFile {
  readonly queries: readonly Query[];
  /** In the order of the file. */
  readonly findings: readonly YamlFinding[];
}

/**
 * The queries of a file in YAML or JSON, or all that is wrong with it, each with its line and
 * column.
 */
export async function readQueriesFile(source: {
  text: string;
  defaults: QueryDefaults;
}): Promise<QueriesFile> {
  const { value, findings: broken, place } = await parseYaml(source.text);
  if (broken.length > 0) return { queries: [], findings: inOrder(broken) };
  const find: Find = (path, problem, subject = path) => ({
    ...place(path),
    problem: `${showPath(subject) || 'the file'}: ${problem}`,
  });
  const { error } = queriesFileSchema.safeParse(value, { reportInput: true });
  const common = commonSchema.safeParse(value).data ?? {};
  const placed = readEntries(value).map(({ entry, path }) => {
    const { line } = place([...path, 'query']);
    return { path, query: { ...createQuery(entry, common, source.defaults), line } };
  });
  const findings = inOrder([
    ...(error?.issues ?? []).flatMap((issue) => findingsOf(issue, find)),
    ...placed.flatMap((one) => disagreements(one, find)),
    ...duplicates(placed, find),
  ]);
  return { queries: findings.length > 0 ? [] : placed.map(({ query }) => query), findings };
}

/** Makes the finding about the value at a path. `subject`: what its text names instead. */
type Find = (path: KeyPath, problem: string, subject?: KeyPath) => YamlFinding;

interface Placed {
  /** Such as `queries`, 3. */
  readonly path: KeyPath;
  readonly query: Query;
}

function inOrder(findings: readonly YamlFinding[]): YamlFinding[] {
  return findings.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/**
 * The entries that are valid alone: what is wrong between them is reported together with what is
 * wrong in others.
 */
function readEntries(value: unknown): { readonly entry: QueryEntry; readonly path: KeyPath }[] {
  const list = z.object({ queries: z.array(z.unknown()) }).safeParse(value).data?.queries ?? [];
  return list.slice(0, MAX_QUERIES).flatMap((item, index) => {
    const entry = queryEntrySchema.safeParse(item).data;
    return entry === undefined ? [] : [{ entry, path: ['queries', index] }];
  });
}

/**
 * Options of the query come first, then those of the file, then the inputs; those of a filter key
 * by key.
 */
function createQuery(
  entry: QueryEntry,
  common: z.infer<typeof commonSchema>,
  defaults: QueryDefaults,
): Omit<Query, 'line'> {
  const { query, expect } = entry;
  return {
    request: createRequest({
      query,
      pageSize: entry['page-size'] ?? common['page-size'],
      scoreThreshold: entry['score-threshold'] ?? common['score-threshold'],
      filter: { ...defaults.filter, ...common.filter, ...entry.filter },
    }),
    expectation: {
      paths: expect?.paths ?? [],
      within: expect?.within,
      absent: expect?.absent ?? [],
      minResults: expect?.['min-results'] ?? defaults.minResults ?? leastResults(expect),
      snippets: expect?.snippets ?? [],
    },
  };
}

function leastResults(expect: QueryEntry['expect']): number {
  return expect?.absent !== undefined && expect.paths === undefined && expect.snippets === undefined
    ? 0
    : 1;
}

/** Keys that are right alone and can never be met together. */
function disagreements({ path, query }: Placed, find: Find): YamlFinding[] {
  const { within = 0, paths, minResults } = query.expectation;
  const { pageSize = DEFAULT_PAGE_SIZE } = query.request;
  const tooFew = `only ${pageSize} results are requested: raise page-size`;
  const rules = [
    [within > 0 && paths.length === 0, 'within', 'has no effect without `paths`'],
    [within > pageSize, 'within', tooFew],
    [minResults > pageSize, 'min-results', tooFew],
  ] as const;
  return rules.flatMap(([isBroken, key, problem]) =>
    isBroken ? [find([...path, 'expect', key], problem)] : [],
  );
}

function duplicates(placed: readonly Placed[], find: Find): YamlFinding[] {
  const first = new Map<string, Query>();
  return placed.flatMap(({ path, query }) => {
    const identity = queryIdentity(query.request);
    const known = first.get(identity);
    if (known !== undefined) {
      return [
        find([...path, 'query'], `the same query with the same filter is on line ${known.line}`),
      ];
    }
    first.set(identity, query);
    return [];
  });
}

/** `queries[3].expect.within`. */
function showPath(path: KeyPath): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '');
}

function findingsOf(issue: z.core.$ZodIssue, find: Find): YamlFinding[] {
  const path = issue.path.filter((key) => typeof key !== 'symbol');
  if (issue.code !== 'unrecognized_keys') return [find(path, describeIssue(issue))];
  const level = path.findLast((key) => typeof key === 'string') ?? '';
  return issue.keys.map((key) => find([...path, key], unknownKey(key, level), path));
}

// The keys of each level, by the last name of its path.
const KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(queriesFileSchema.shape),
  queries: Object.keys(queryEntrySchema.shape),
  expect: Object.keys(expectationSchema.shape),
  filter: Object.keys(filterSchema.shape),
};

// A key of a file that was never meant to be a queries file may be anything; only what looks like a
// word is shown.
function unknownKey(key: string, level: string): string {
  const nearest = guess(key, KEYS[level] ?? []);
  const shown =
    /^[a-z]+([-_][a-z]+)*$/i.test(key) && key.length <= 24 ? `unknown key ${key}` : 'unknown key';
  if (nearest !== undefined) return `${shown}: did you mean ${nearest}?`;
  const home = Object.keys(KEYS).find((name) => name !== '' && KEYS[name]?.includes(key));
  return home === undefined ? shown : `${shown}: it belongs under ${home}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text (in quotes if it looks like a number)',
  int: 'a whole number',
  number: 'a number',
  array: 'a list',
};

function mappingAt(path: KeyPath): string {
  if (path.length === 0) return 'must begin with `queries:`, with the list of queries below it';
  return 'must be a mapping, with each key as KEY: VALUE';
}

function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'object')
        return mappingAt(issue.path.filter((key) => typeof key !== 'symbol'));
      if (issue.input === undefined) return 'is required';
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return boundText(`at least ${issue.minimum}`, issue.origin);
    case 'too_big':
      return boundText(`at most ${issue.maximum}`, issue.origin);
    case 'invalid_format':
      return 'must not be empty';
    default:
      return 'is not valid';
  }
}

function boundText(bound: string, origin: string): string {
  if (origin === 'array') return `must have ${bound} ${bound.endsWith(' 1') ? 'entry' : 'entries'}`;
  return `must be ${bound}${origin === 'string' ? ' characters long' : ''}`;
}

/**
 * The findings as one `config` error, a line each, with nothing else of the content: a pull request
 * may name any file.
 */
export function invalidQueriesFile(name: string, findings: readonly YamlFinding[]): CourierError {
  // The parser reports each level of a broken nesting at the same place.
  const all = [
    ...new Set(
      findings.map(({ line, column, problem }) => `${name}:${line}:${column}: ${problem}`),
    ),
  ];
  const lines = all.slice(0, MAX_FINDINGS);
  const more = all.length > MAX_FINDINGS ? [`and ${all.length - MAX_FINDINGS} more`] : [];
  return new CourierError({
    code: 'config',
    message: ['The queries file is not valid.', ...lines, ...more].join('\n'),
    hint: 'A queries file looks like this:\nqueries:\n  - query: how do I rotate the link\n    expect:\n      paths: [/guides/rotate]\n      within: 3',
  });
}
