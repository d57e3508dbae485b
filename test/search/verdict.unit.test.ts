import { expect, test } from 'vitest';
import type { SearchResult } from '../../src/platform/contract.ts';
import type { Expectation } from '../../src/search/queries.ts';
import { judgeAnswer, totalOutcomes } from '../../src/search/verdict.ts';

const NOTHING: Expectation = {
  paths: [],
  within: undefined,
  absent: [],
  minResults: 0,
  snippets: [],
};
const result = (path: string, content = 'text'): SearchResult => ({ path, content, metadata: {} });
const RESULTS = [
  result('https://d.example/a.html', 'Rotate\n  the (link)*.'),
  result('/b/'),
  result('/c'),
];

function judge(expectation: Partial<Expectation>) {
  const query = {
    request: { query: 'link' },
    expectation: { ...NOTHING, ...expectation },
    line: 1,
  };
  const { shortfalls, rank, hit } = judgeAnswer(query, { results: RESULTS });
  return { shortfalls, rank, hit };
}

test('An expected page passes within its maximum rank and misses beyond it, with its rank shown', () => {
  expect(judge({ paths: ['/b'], within: 2 })).toEqual({ shortfalls: [], rank: 2, hit: true });
  expect(judge({ paths: ['/c'], within: 2 })).toEqual({
    shortfalls: [{ kind: 'path-missing', path: '/c', within: 2, rank: 3 }],
    rank: 3,
    hit: false,
  });
  expect(judge({ paths: ['/c'] }).shortfalls).toEqual([]);
  expect(judge({ paths: ['/nowhere', '/a'] })).toEqual({
    shortfalls: [{ kind: 'path-missing', path: '/nowhere' }],
    rank: 1,
    hit: true,
  });
});

test('A page that must not appear, too few results and a missing text are each reported', () => {
  expect(
    judge({
      absent: ['/a', '/z'],
      minResults: 4,
      snippets: ['the (link)*', 'The (link)*', 'the .link..'],
    }),
  ).toEqual({
    shortfalls: [
      { kind: 'path-present', path: '/a', rank: 1 },
      { kind: 'too-few', found: 3, wanted: 4 },
      { kind: 'snippet-missing', text: 'The (link)*' },
      { kind: 'snippet-missing', text: 'the .link..' },
    ],
    rank: undefined,
    hit: undefined,
  });
});

test('A page and a text are found whether their letters are composed or decomposed', () => {
  const [composed, decomposed] = ['/tarifs/été', '/tarifs/été'.normalize('NFD')] as const;
  const verdict = (expectation: Partial<Expectation>, found: SearchResult) => {
    const query = {
      request: { query: 'été' },
      expectation: { ...NOTHING, ...expectation },
      line: 1,
    };
    return judgeAnswer(query, { results: [found] }).shortfalls;
  };
  expect(verdict({ paths: [decomposed] }, result(composed))).toEqual([]);
  expect(
    verdict({ snippets: ['Été indien'] }, result('/a', 'Été indien'.normalize('NFD'))),
  ).toEqual([]);
  expect(verdict({ absent: [composed] }, result(decomposed))).toEqual([
    { kind: 'path-present', path: composed, rank: 1 },
  ]);
  expect(verdict({ absent: ['/tarifs/ete'] }, result(decomposed))).toEqual([]);
});

test('Hit rate and mean reciprocal rank count only answered queries that expect a page', () => {
  const query = (paths: string[], within?: number) => ({
    request: { query: paths.join() },
    expectation: { ...NOTHING, paths, within },
    line: 1,
  });
  const ok = { results: RESULTS };
  const broken = { error: { code: 'network', message: 'down' } } as const;
  const totals = totalOutcomes([
    judgeAnswer(query(['/a']), ok),
    judgeAnswer(query(['/c'], 2), ok),
    judgeAnswer(query(['/none']), ok),
    judgeAnswer(query([]), ok),
    judgeAnswer(query(['/a']), broken),
  ]);
  expect(totals).toEqual({
    queries: 5,
    passed: 2,
    missed: 2,
    errors: 1,
    hitRate: 1 / 3,
    meanReciprocalRank: (1 + 1 / 3 + 0) / 3,
  });
  expect(totalOutcomes([judgeAnswer(query([]), ok)]).meanReciprocalRank).toBeUndefined();
});
