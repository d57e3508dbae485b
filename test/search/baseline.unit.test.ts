import { expect, test } from 'vitest';
import { compareRuns, parseBaseline } from '../../src/search/baseline.ts';
import type { QueryOutcome, Verdict } from '../../src/search/verdict.ts';

const outcome = (query: string, verdict: Verdict, rank?: number, tag?: string): QueryOutcome => ({
  query,
  verdict,
  rank,
  filter: tag === undefined ? undefined : { tag },
  shortfalls: [],
  expectedPaths: [],
  resultCount: 0,
  paths: [],
});

const report = (queries: readonly QueryOutcome[], changes: object = {}) =>
  JSON.stringify({ version: 1, mode: 'search', status: 'completed', queries, ...changes });

test('Queries are better or worse by verdict, then by rank, matched by text and filter', () => {
  const earlier = parseBaseline(
    report([
      outcome('up', 'pass', 3),
      outcome('down', 'pass', 1),
      outcome('fixed', 'miss'),
      outcome('broken', 'pass', 2),
      outcome('lost rank', 'miss', 9),
      outcome('same', 'pass', 1),
      outcome('same', 'pass', 5, 'guide'),
      outcome('down then', 'error'),
      outcome('gone', 'pass'),
    ]),
    'old.json',
  );
  const comparison = compareRuns(earlier, [
    outcome('up', 'pass', 2),
    outcome('down', 'pass', 4),
    outcome('fixed', 'pass', 3),
    outcome('broken', 'miss'),
    outcome('lost rank', 'miss'),
    outcome('same', 'pass', 1),
    outcome('same', 'pass', 4, 'guide'),
    outcome('down then', 'pass', 1),
    outcome('added', 'miss'),
  ]);
  expect(comparison.better.map(({ query }) => query)).toEqual(['up', 'fixed', 'same']);
  expect(comparison.worse.map(({ query }) => query)).toEqual(['down', 'broken', 'lost rank']);
  expect(comparison.worse[0]).toEqual({
    query: 'down',
    before: { verdict: 'pass', rank: 1 },
    now: { verdict: 'pass', rank: 4 },
  });
  expect(comparison).toMatchObject({ added: ['added'], gone: ['gone'], same: 1, notComparable: 1 });
});

test.each([
  ['not JSON', '{'],
  ['another version', report([], { version: 2 })],
  ['the report of another mode', report([], { mode: 'export' })],
  ['a report that was cut before its queries', JSON.stringify({ version: 1, mode: 'search' })],
  ['a verdict that does not exist', report([], { queries: [{ query: 'a', verdict: 'maybe' }] })],
])('The baseline is not usable if it is %s', (_name, text) => {
  expect(() => parseBaseline(text, 'old.json')).toThrow(
    expect.objectContaining({ code: 'config', message: expect.stringContaining('old.json') }),
  );
});
