import * as z from 'zod/mini';
import { type CourierError, configError } from '../ground/errors.ts';
import { firstLines } from '../ground/text/amounts.ts';
import { guess } from '../ground/text/names.ts';
import { type KeyPath, parseYaml, type YamlFinding } from '../ground/yaml.ts';
import { PAGE_SIZE, SCORE_THRESHOLD } from '../platform/contract.ts';
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

/** What the JSON schema of the file, and so an editor, says of a key. */
function about(description: string) {
  return z.meta({ description });
}

function text(description: string) {
  return z.string().check(z.maxLength(MAX_TEXT), z.regex(/\S/), about(description));
}

function textList(description: string) {
  return z.optional(
    z
      .array(text('Text, taken literally.'))
      .check(z.minLength(1), z.maxLength(MAX_LIST), about(description)),
  );
}

/** A number or rank of results: a reply has at most `PAGE_SIZE.max` of them. */
function resultCount(min: number, description: string) {
  return z.optional(z.int().check(z.minimum(min), z.maximum(PAGE_SIZE.max), about(description)));
}

const expectationSchema = z
  .strictObject({
    paths: textList(
      'Pages that must be among the results. Scheme, host, a trailing slash, `.html`, query and fragment do not matter.',
    ),
    within: resultCount(
      1,
      'Each of `paths` must be among the first this many results. All results when left out.',
    ),
    absent: textList('Pages that must not be among the results.'),
    'min-results': resultCount(
      0,
      'Minimum number of results. When left out: the input `min-results`, or else 1, or 0 if `expect` has only `absent`.',
    ),
    snippets: textList(
      'Texts, each of which must be in the snippet of some result, letter for letter; only runs of white space count as one space.',
    ),
  })
  .check(about('What the results must be like for the query to pass.'));

const filterSchema = z
  .strictObject({
    version: z.optional(text('Only results of this documentation version.')),
    language: z.optional(text('Only results in this language.')),
    tag: z.optional(text('Only results with this tag.')),
    groups: textList('Only results of pages that one of these groups may read.'),
  })
  .check(
    about(
      'Narrows the results. A key that is left out comes from `filter` of the file, or else from the input `filter`.',
    ),
  );

const { min: LEAST_SCORE, max: MOST_SCORE } = SCORE_THRESHOLD;

/** Options of one query, or of the file for all queries without them. */
const options = {
  'page-size': resultCount(
    PAGE_SIZE.min,
    "Number of results to ask for. The platform's default is 10.",
  ),
  'score-threshold': z.optional(
    z
      .number()
      .check(
        z.minimum(LEAST_SCORE),
        z.maximum(MOST_SCORE),
        about('Minimum relevance of a result.'),
      ),
  ),
  filter: z.optional(filterSchema),
};
/** The options at the top of a file. It ignores other keys: `queriesFileSchema` checks them. */
const commonSchema = z.object(options);

const queryEntrySchema = z.strictObject({
  query: text('What a reader would type.'),
  ...options,
  expect: z.optional(expectationSchema),
});

export const queriesFileSchema = z
  .strictObject({
    $schema: z.optional(z.string().check(about('Address of this schema, for editors.'))),
    ...options,
    queries: z
      .array(queryEntrySchema)
      .check(z.minLength(1), z.maxLength(MAX_QUERIES), about('The queries to run.')),
  })
  .check(
    // Shown by editors that load the schema.
    z.meta({
      title: 'Docs Courier queries file',
      description:
        'Queries for the search of published documentation, each with what its results must be like.',
    }),
  );

type QueryEntry = z.infer<typeof queryEntrySchema>;

/**
 * The queries of a file in YAML or JSON, or all that is wrong with it in the order of the file.
 * With findings it gives no queries: an invalid file is not run at all.
 */
export async function readQueriesFile(
  text: string,
  defaults: QueryDefaults,
): Promise<{ readonly queries: readonly Query[]; readonly findings: readonly YamlFinding[] }> {
  const yaml = await parseYaml(text);
  if (yaml.findings.length > 0) return { queries: [], findings: inOrder(yaml.findings) };
  const findings: YamlFinding[] = [];
  const addFinding: AddFinding = (path, problem, subject = path) => {
    // The path of the top level is empty.
    const name = showPath(subject) || 'the file';
    findings.push({ ...yaml.place(path), problem: `${name}: ${problem}` });
  };
  // With the input, by which a missing key is told from one of a wrong type.
  const checked = queriesFileSchema.safeParse(yaml.value, { reportInput: true });
  for (const issue of checked.error?.issues ?? []) reportIssue(issue, addFinding);
  // undefined if the options of the file are not valid, which is reported already.
  const common = commonSchema.safeParse(yaml.value).data;
  const queries: Query[] = [];
  /** The line of each query, by its identity. */
  const lines = new Map<string, number>();
  // What is valid is checked further even if the rest is not: all findings are reported together.
  for (const [index, item] of entriesOf(yaml.value).entries()) {
    const entry = queryEntrySchema.safeParse(item).data;
    if (entry === undefined) continue;
    const path = ['queries', index];
    const { line } = yaml.place([...path, 'query']);
    const query = createQuery(entry, common ?? {}, defaults, line);
    // Without the options of the file, it is not known how many results are requested.
    if (common !== undefined) reportDisagreements([...path, 'expect'], query, addFinding);
    const identity = queryIdentity(query.request);
    const earlierLine = lines.get(identity);
    if (earlierLine === undefined) {
      lines.set(identity, line);
    } else {
      // A later run that compares itself with this one would not know which of them is meant.
      const problem = `the same query with the same filter is on line ${earlierLine}`;
      addFinding([...path, 'query'], problem);
    }
    queries.push(query);
  }
  return { queries: findings.length > 0 ? [] : queries, findings: inOrder(findings) };
}

/**
 * Reports what is wrong with the value at a path. `subject`: the path that the message names, if it
 * is another one: for an unknown key, the mapping that has it.
 */
type AddFinding = (path: KeyPath, problem: string, subject?: KeyPath) => void;

function inOrder(findings: readonly YamlFinding[]): YamlFinding[] {
  return findings.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

const entryList = z.object({ queries: z.array(z.unknown()) });

/**
 * The queries as they are written, valid or not; none if there is no list of them. The schema
 * reports a longer list, which is not read to its end.
 */
function entriesOf(value: unknown): unknown[] {
  return entryList.safeParse(value).data?.queries.slice(0, MAX_QUERIES) ?? [];
}

/**
 * A query with its options. Each option comes from the query, else from the file, else from the
 * inputs; so does each key of a filter.
 */
function createQuery(
  entry: QueryEntry,
  common: z.infer<typeof commonSchema>,
  defaults: QueryDefaults,
  line: number,
): Query {
  const expect = entry.expect ?? {};
  // A query that only wants pages to be absent passes without any result.
  const wantsOnlyAbsence =
    expect.absent !== undefined && expect.paths === undefined && expect.snippets === undefined;
  return {
    request: createRequest({
      query: entry.query,
      pageSize: entry['page-size'] ?? common['page-size'],
      scoreThreshold: entry['score-threshold'] ?? common['score-threshold'],
      filter: { ...defaults.filter, ...common.filter, ...entry.filter },
    }),
    expectation: {
      paths: expect.paths ?? [],
      within: expect.within,
      absent: expect.absent ?? [],
      minResults: expect['min-results'] ?? defaults.minResults ?? (wantsOnlyAbsence ? 0 : 1),
      snippets: expect.snippets ?? [],
    },
    line,
  };
}

/**
 * Reports keys that are valid alone, and can never be met together. `path`: that of `expect`.
 */
function reportDisagreements(path: KeyPath, query: Query, addFinding: AddFinding): void {
  // 0 stands for no `within`: no rule below applies to it.
  const { within = 0, paths, minResults } = query.expectation;
  const pageSize = query.request.pageSize ?? DEFAULT_PAGE_SIZE;
  const tooFew = `only ${pageSize} results are requested: raise page-size`;
  if (within > 0 && paths.length === 0)
    addFinding([...path, 'within'], 'has no effect without `paths`');
  if (within > pageSize) addFinding([...path, 'within'], tooFew);
  if (minResults > pageSize) addFinding([...path, 'min-results'], tooFew);
}

/** `queries[3].expect.within`. */
function showPath(path: KeyPath): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '');
}

/** Reports what the schema finds wrong; of unknown keys, each at its own line. */
function reportIssue(issue: z.core.$ZodIssue, addFinding: AddFinding): void {
  // YAML has no symbols as keys.
  const path = issue.path.filter((key) => typeof key !== 'symbol');
  if (issue.code !== 'unrecognized_keys') {
    addFinding(path, describeIssue(issue));
    return;
  }
  // Of `queries[3].expect`, `expect`: the level says which keys there are.
  const level = path.findLast((key) => typeof key === 'string') ?? '';
  for (const key of issue.keys) addFinding([...path, key], unknownKey(key, level), path);
}

/** The keys of each level, by the last name of its path. That of the top level is empty. */
const KEYS = new Map([
  ['', Object.keys(queriesFileSchema.shape)],
  ['queries', Object.keys(queryEntrySchema.shape)],
  ['expect', Object.keys(expectationSchema.shape)],
  ['filter', Object.keys(filterSchema.shape)],
]);

/** The problem with a key, and where it belongs. `level`: the last name of the path above it. */
function unknownKey(key: string, level: string): string {
  // The file may be another one, whose keys are secret: only a key that looks like a word is shown.
  const isWord = /^[a-z]+([-_][a-z]+)*$/i.test(key) && key.length <= 24;
  const shown = isWord ? `unknown key ${key}` : 'unknown key';
  const nearest = guess(key, KEYS.get(level) ?? []);
  if (nearest !== undefined) return `${shown}: did you mean ${nearest}?`;
  // A key of the top level is not reported as such: the message has no name for that level.
  for (const [home, keys] of KEYS)
    if (home !== '' && keys.includes(key)) return `${shown}: it belongs under ${home}`;
  return shown;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text (in quotes if it looks like a number)',
  int: 'a whole number',
  number: 'a number',
  array: 'a list',
};

function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'object' && issue.path.length === 0)
        return 'must begin with `queries:`, with the list of queries below it';
      if (issue.expected === 'object') return 'must be a mapping, with each key as KEY: VALUE';
      if (issue.input === undefined) return 'is required';
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return boundText(`at least ${issue.minimum}`, issue.origin);
    case 'too_big':
      return boundText(`at most ${issue.maximum}`, issue.origin);
    // The only format is that of a text with a visible character.
    case 'invalid_format':
      return 'must not be empty';
    default:
      return 'is not valid';
  }
}

/** `bound`: such as `at least 1`. `origin`: the type of the value, as the library names it. */
function boundText(bound: string, origin: string): string {
  if (origin === 'string') return `must be ${bound} characters long`;
  if (origin !== 'array') return `must be ${bound}`;
  return `must have ${bound} ${bound.endsWith(' 1') ? 'entry' : 'entries'}`;
}

/**
 * The findings as one `config` error, a line each, with nothing else of the content: a pull request
 * may name any file of the workspace, also one with secrets.
 */
export function invalidQueriesFile(name: string, findings: readonly YamlFinding[]): CourierError {
  const lines = findings.map(
    ({ line, column, problem }) => `${name}:${line}:${column}: ${problem}`,
  );
  return configError(
    ['The queries file is not valid.', ...firstLines(lines, MAX_FINDINGS, '')].join('\n'),
    'A queries file looks like this:\nqueries:\n  - query: how do I rotate the link\n    expect:\n      paths: [/guides/rotate]\n      within: 3',
  );
}
