import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { CourierError } from '../../src/ground/errors.ts';
import type { QueryDefaults } from '../../src/search/queries.ts';
import {
  invalidQueriesFile,
  queriesFileSchema,
  readQueriesFile,
} from '../../src/search/queries-file.ts';

const SCHEMA_FILE = new URL('../../schemas/queries-file.schema.json', import.meta.url);
const DEFAULTS: QueryDefaults = { filter: {}, minResults: undefined };

const parse = (text: string, defaults: Partial<QueryDefaults> = {}) =>
  readQueriesFile(text, { ...DEFAULTS, ...defaults }).then(({ queries, findings }) => {
    if (findings.length > 0) throw invalidQueriesFile('docs/q.yml', findings);
    return queries;
  });

async function refuse(text: string): Promise<CourierError> {
  const error = await parse(text).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CourierError)) throw new Error(`not refused: ${text.slice(0, 40)}`);
  return error;
}

// The file is what z.toJSONSchema returns for queriesFileSchema, formatted by biome.
test('The JSON schema for editors is the schema that the file is checked with', () => {
  expect(JSON.parse(readFileSync(SCHEMA_FILE, 'utf8'))).toEqual(z.toJSONSchema(queriesFileSchema));
});

test.each([
  ['', 1],
  [', expect: {paths: [/x]}', 1],
  [', expect: {snippets: [x]}', 1],
  [', expect: {absent: [/x], snippets: [x]}', 1],
  [', expect: {absent: [/x]}', 0],
  [', expect: {absent: [/x], min-results: 3}', 3],
])(
  'A query with "%s" must find at least %i results if the inputs say nothing',
  async (more, least) => {
    const text = `queries: [{query: a${more}}]`;
    expect((await parse(text))[0]?.expectation.minResults).toBe(least);
    expect((await parse(text, { minResults: 2 }))[0]?.expectation.minResults).toBe(
      least === 3 ? 3 : 2,
    );
  },
);

test('A query uses its own options first, then those of the file, then those of the inputs', async () => {
  const text = [
    'page-size: 5',
    'score-threshold: 0.4',
    'filter: { language: en }',
    'queries:',
    '  - query: "  rotate\tthe link "',
    '    page-size: 20',
    '    filter: { version: v2 }',
    '    expect:',
    '      paths: [/guides/rotate]',
    '      within: 3',
    '      absent: [/old]',
    '      min-results: 2',
    '      snippets: [bundle link]',
    '  - query: install',
  ].join('\n');
  const defaults = { filter: { version: 'v1', language: 'de' }, minResults: 1 };
  expect(await parse(text, defaults)).toEqual([
    {
      request: {
        query: 'rotate the link',
        pageSize: 20,
        scoreThreshold: 0.4,
        filter: { version: 'v2', language: 'en' },
      },
      expectation: {
        paths: ['/guides/rotate'],
        within: 3,
        absent: ['/old'],
        minResults: 2,
        snippets: ['bundle link'],
      },
      line: 5,
    },
    {
      request: {
        query: 'install',
        pageSize: 5,
        scoreThreshold: 0.4,
        filter: { version: 'v1', language: 'en' },
      },
      expectation: { paths: [], within: undefined, absent: [], minResults: 1, snippets: [] },
      line: 14,
    },
  ]);
});

test('JSON with tabs is read in the same way, with the line of each query', async () => {
  const queries = await parse(
    '{\n\t"$schema": "../x.json",\n\t"queries": [\n\t\t{ "query": "a" },\n\t\t{ "query": "b" }\n\t]\n}',
  );
  expect(queries.map(({ request, line }) => [request, line])).toEqual([
    [{ query: 'a' }, 4],
    [{ query: 'b' }, 5],
  ]);
});

test('A merge key is an unknown key and a text in quotes stays a text', async () => {
  expect((await refuse('queries:\n  - {query: "1", <<: {page-size: 3}}')).message).toContain(
    'q.yml:2:18: queries[0]: unknown key',
  );
  expect((await parse('queries: [{query: "12"}]'))[0]?.request).toEqual({ query: '12' });
});

describe('a malformed file', () => {
  const cases: [name: string, text: string, findings: string[]][] = [
    ['empty', '', ['1:1: the file: must begin with `queries:`, with the list of queries below it']],
    [
      'only a comment',
      '# nothing\n',
      ['1:1: the file: must begin with `queries:`, with the list of queries below it'],
    ],
    [
      'a plain text',
      'hello',
      ['1:1: the file: must begin with `queries:`, with the list of queries below it'],
    ],
    ['no queries', 'queries: []', ['1:1: queries: must have at least 1 entry']],
    ['null for queries', 'queries:', ['1:1: queries: must be a list']],
    [
      'unknown keys',
      'querys: []\nqueries: [{query: a, page-sise: 3}]',
      [
        '1:1: the file: unknown key querys: did you mean queries?',
        '2:22: queries[0]: unknown key page-sise: did you mean page-size?',
      ],
    ],
    [
      'wrong types',
      'queries:\n  - query: 12\n    page-size: 60\n    score-threshold: high\n    filter: {version: 2}\n    expect:\n      paths: /guide\n      within: 2.5\n  - expect: {}',
      [
        '2:5: queries[0].query: must be a text (in quotes if it looks like a number)',
        '3:5: queries[0].page-size: must be at most 50',
        '4:5: queries[0].score-threshold: must be a number',
        '5:14: queries[0].filter.version: must be a text (in quotes if it looks like a number)',
        '7:7: queries[0].expect.paths: must be a list',
        '8:7: queries[0].expect.within: must be a whole number',
        '9:5: queries[1].query: is required',
      ],
    ],
    ['a blank query', 'queries:\n  - query: "  "', ['2:5: queries[0].query: must not be empty']],
    [
      'duplicates, next to a wrong type',
      'queries:\n  - query: a b\n  - query: 3\n  - query: " a  b "\n  - {query: a b, filter: {tag: x}}',
      [
        '3:5: queries[1].query: must be a text (in quotes if it looks like a number)',
        '4:5: queries[2].query: the same query with the same filter is on line 2',
      ],
    ],
    [
      'expectations that can never be met',
      'queries:\n  - query: a\n    expect: {within: 3}\n  - query: b\n    page-size: 5\n    expect: {paths: [/x], within: 6, min-results: 7}',
      [
        '3:14: queries[0].expect.within: has no effect without `paths`',
        '6:27: queries[1].expect.within: only 5 results are requested: raise page-size',
        '6:38: queries[1].expect.min-results: only 5 results are requested: raise page-size',
      ],
    ],
    [
      'an invalid option of the file, next to an expectation that needs another option',
      'page-size: 50\nscore-threshold: 7\nqueries:\n  - query: a\n    expect: {paths: [/x], within: 20}',
      ['2:1: score-threshold: must be at most 1'],
    ],
    [
      'a key of another level',
      'queries:\n  - query: a\n    paths: [/x]\n    expects: {withn: 3}\n  - query: b\n    filter: {groups: [x], tags: y}',
      [
        '3:5: queries[0]: unknown key paths: it belongs under expect',
        '4:5: queries[0]: unknown key expects: did you mean expect?',
        '6:27: queries[1].filter: unknown key tags: did you mean tag?',
      ],
    ],
    [
      'too little indentation',
      'queries:\n  - query: a\n   expect:\n      paths: [/x]\n',
      [
        '3:1: a character is missing, such as a closing quote or a comma, or the indentation is wrong',
      ],
    ],
    [
      'a colon in a text',
      'queries:\n  - query: a: b\n',
      ['2:12: a colon in a text, which is written in quotes'],
    ],
    [
      'a text that begins with a sign',
      'queries:\n  - query: @x\n',
      ['2:12: a plain value cannot start with this character: quote it'],
    ],
    [
      'a colon without a space',
      'queries:\n  - query:a\n',
      ['2:5: queries[0]: must be a mapping, with each key as KEY: VALUE'],
    ],
    [
      'a key twice',
      'queries:\n  - query: a\n    query: b',
      ['3:5: a key that this mapping has in line 2 already'],
    ],
    [
      'an open bracket',
      'queries: [{query: a}',
      ['1:21: a bracket that is not closed, or closed by one of another kind'],
    ],
    ['an open quote', 'queries:\n  - query: "a\n', ['2:12: a quote that is not closed']],
    [
      'a tab as indentation',
      'queries:\n\t- query: a',
      ['2:1: a tab used as indentation: use spaces'],
    ],
    [
      'two documents',
      'queries: [{query: a}]\n---\nqueries: [{query: b}]',
      ['2:1: a second document: one file contains one'],
    ],
    ['an older YAML', '%YAML 1.1\n---\nqueries: [{query: a}]', ['1:1: directives are not allowed']],
    ['a tag', 'queries:\n  - query: !!str a', ['2:18: tags are not allowed']],
  ];
  test.each(cases)(
    'A malformed file gets each error with line, column and key: %s',
    async (_name, text, findings) => {
      const { code, message } = await refuse(text);
      expect(code).toBe('config');
      expect(message.split('\n').slice(1)).toEqual(
        findings.map((finding) => `docs/q.yml:${finding}`),
      );
    },
  );
});

test.each([
  ['an apostrophe in single quotes', "queries:\n  - query: 'it isn't there'\n", '2:20'],
  ['a text behind double quotes', 'queries:\n  - query: "x" or y\n', '2:16'],
  ['quotes in double quotes', 'queries:\n  - query: "the "full" text"\n', '2:18'],
  ['a bracket of another kind', 'queries:\n  - query: a\n    filter: { groups: [x} }\n', '3:25'],
  ['a bracket too many', 'queries:\n  - query: a\n    filter: { groups: [x]] }\n', '3:26'],
  ['a brace too many', 'queries:\n  - { query: a }}\n  - query: b\n', '2:17'],
  [
    'a text behind a list',
    'queries:\n  - query: a\n    expect:\n      absent: [/z] and more\n',
    '4:20',
  ],
])('A mistake inside of a line is not told as its indentation: %s', async (_, text, place) => {
  const { message } = await refuse(text);
  expect(message).toContain(`docs/q.yml:${place}: `);
  expect(message).not.toContain('indentation');
});

test('An alias bomb is refused without being expanded', async () => {
  const levels = Array.from(
    { length: 30 },
    (_, level) => `a${level}: &a${level} [${Array(9).fill(level === 0 ? 'x' : `*a${level - 1}`)}]`,
  );
  const before = process.cpuUsage();
  const { message } = await refuse(`${levels.join('\n')}\nqueries: [{query: a}]`);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
  expect(message).toContain('docs/q.yml:1:9: anchors and aliases are not allowed');
  expect(message).toContain('docs/q.yml:2:10: anchors and aliases are not allowed');
  expect(message).toMatch(/and \d+ more$/);
});

test('Very deep nesting is one finding and not a crash', async () => {
  const { message } = await refuse('['.repeat(50_000));
  expect(message.split('\n')).toHaveLength(2);
  expect(message).toContain('nested too deeply');
});

test('No message contains text of the file except short keys that look known', async () => {
  const secret = 'SECRET0123456789';
  const texts = [
    secret,
    `${secret}: 1`,
    `queries: ${secret}`,
    `queries: [${secret}]`,
    `queries: [{query: "\\${secret}"}]`,
    `queries: [{query: a, page-size: ${secret}, "${secret} ${secret}": 1}]`,
    `a: *${secret}`,
    `a: !${secret} b`,
    `%${secret}\n---\n${secret}`,
    `- ${secret}\n${secret}`,
    `queries:\n  - query: a\n    ${secret}: 1\n    ${secret}: 2`,
  ];
  for (const text of texts) {
    const error = await refuse(text);
    expect(`${error.message}${error.hint}${error.cause}`).not.toContain('SECRET');
  }
});
