import { expect, test } from 'vitest';
import { CourierError } from '../../src/ground/errors.ts';
import { compareRuns, newMissesOf } from '../../src/search/baseline.ts';
import { searchCommentText } from '../../src/search/comment.ts';
import type { QueryOutcome } from '../../src/search/verdict.ts';
import injections from '../fixtures/injections/texts.json' with { type: 'json' };

const NOTHING = { shortfalls: [], expectedPaths: [], resultCount: 0, paths: [] };

const shown = { domain: 'acme', failure: undefined, showsPages: true, hadFailed: false };

test.each([
  ...injections.texts.map(({ text }) => text),
  '@everyone #1 https://evil.example ![x](y) | <b>',
  '`` ` |',
])('A query, a page and an error are shown as text: %j', (text) => {
  const outcomes: QueryOutcome[] = [
    { ...NOTHING, query: text, verdict: 'miss', paths: [text, text] },
    { ...NOTHING, query: `${text} 2`, filter: { tag: text }, verdict: 'pass', rank: 1 },
  ];
  const earlier = outcomes
    .slice(1)
    .map(({ query, filter }) => ({ query, filter: { tag: filter?.tag }, rank: 2 }));
  const before = earlier.map((one) => ({ ...one, verdict: 'pass' }) as const);
  const checked = {
    outcomes,
    comparison: compareRuns(before, outcomes),
    newMisses: newMissesOf(before, outcomes),
  };
  const failure = new CourierError({ code: 'checks-failed', message: text });
  const comment = searchCommentText({ ...shown, ...checked, failure });
  const rows = comment
    .split('\n')
    .filter((line) => /^\|.*\|$/.test(line) && !line.startsWith('| ---'));
  expect(rows).toHaveLength(4);
  // Four columns, then three: no text adds a column.
  expect(rows.map((row) => row.match(/(?<!\\)\|/g)?.length)).toEqual([5, 5, 4, 4]);
  const markup = comment
    .replace(/<\/?(details|summary)>|<br>/g, '')
    .replace(/(`+)[^`].*?[^`]?\1(?!`)/g, '');
  expect(markup).not.toMatch(/<[a-z!/]|!\[|@(?!\u200b)\w|https:\/\//i);
});

test('A query that is known with another filter is not a new miss', () => {
  const miss = { ...NOTHING, query: 'install', verdict: 'miss' } as const;
  const outcomes = [miss, { ...miss, filter: { tag: 'new' } }];
  const earlier = [{ query: 'install', verdict: 'miss' }] as const;
  const checked = {
    outcomes,
    comparison: compareRuns(earlier, outcomes),
    newMisses: newMissesOf(earlier, outcomes),
  };
  const comment = searchCommentText({ ...shown, ...checked });
  expect(comment).toContain(
    '0 worse, 1 new miss.\n\n⚠️ The check passes, but some queries are worse or new and missed.',
  );
  expect(comment.match(/\| new \| miss \| nothing \|/g)).toHaveLength(1);
  expect(comment).toContain('| install (tag new) | new |');
});
