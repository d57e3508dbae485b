import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decide, type Situation, type Wish } from '../../src/delivery/protocol/situation.ts';
import type { StateRecord } from '../../src/delivery/state.ts';

const PAGE = readFileSync(
  new URL('../../docs/explanation/what-is-live.md', import.meta.url),
  'utf8',
);
const KINDS = ['export', 'refresh', 'rollback', 'named'] as const;

/** Live is what a rollback replaces; the run itself has order 2. */
const record = (jobId: string, jobOrder: number): StateRecord => ({
  version: 2,
  baseUrl: 'https://api.docs.example.com',
  jobId,
  jobOrder,
  order: jobOrder,
});
const LIVE = record('job-live', 1);

/** The rows of the table: what is there, and what the run knows of a change. */
const ROWS: readonly (readonly [row: string, situation: Situation, more?: Partial<Wish>])[] = [
  ['nothing', { kind: 'nothing', record: { ...LIVE, jobId: undefined } }],
  ['the same export', { kind: 'known', record: record('job-own', 2) }],
  ['an older decision', { kind: 'known', record: LIVE }],
  ['a newer decision', { kind: 'known', record: record('job-newer', 3) }],
  [
    'a link that someone else changed before the run',
    { kind: 'changed', record: LIVE },
    { knowsChange: true },
  ],
  [
    'a link that someone else changed during the run',
    { kind: 'changed', record: LIVE },
    { knowsChange: false },
  ],
  ['a state whose signature fails', { kind: 'bad-signature', record: LIVE }],
  ['a link or a text that is not ours', { kind: 'foreign', record: LIVE }],
  ['a state that cannot be read', { kind: 'unreadable', record: LIVE }],
];

function wordOf(situation: Situation, kind: Wish['kind'], more: Partial<Wish> = {}): string {
  const isFirst = kind === 'rollback' || kind === 'named';
  const answer = decide(situation, {
    kind,
    job: 'job-own',
    order: 2,
    from: 'job-live',
    isFirst,
    run: 'own',
    ...more,
  });
  // A decision that needs a higher order gets one, and everything is decided again.
  if (answer === 'order') return wordOf(situation, kind, { ...more, order: 9 });
  return answer === undefined ? 'writes' : 'stops';
}

describe('the page on what is live', () => {
  test('The table has one row for each thing that can be there, with what the rules decide', () => {
    const table = [
      ...PAGE.matchAll(/^\| (?<there>[a-z].*?) \| (\w+) \| (\w+) \| (\w+) \| (\w+) \|$/gm),
    ];
    const shown = table.map(([, there, ...words]) => [there, ...words]);
    const decided = ROWS.map(([row, situation, more]) => [
      row,
      ...KINDS.map((kind) => wordOf(situation, kind, more)),
    ]);
    expect(shown).toEqual(decided);
  });

  test('With take-over, what is not ours or cannot be read is replaced', () => {
    for (const [, situation] of ROWS.filter(
      ([, { kind }]) => kind === 'foreign' || kind === 'unreadable',
    )) {
      for (const kind of KINDS) expect(wordOf(situation, kind, { takeOver: true })).toBe('writes');
    }
  });

  test('With several destinations, a refresh also writes to one that has nothing yet', () => {
    const [nothing] = ROWS;
    expect(nothing && wordOf(nothing[1], 'refresh', { hasOthers: true })).toBe('writes');
  });
});

describe('orders', () => {
  test.each([
    ['job-a', 'older'],
    ['job-z', undefined],
  ])('Of two decisions with one order, the one whose job sorts last is newer: %s', (job, why) => {
    const there: Situation = { kind: 'known', record: record('job-m', 3) };
    const wish: Wish = { kind: 'export', job, order: 3, isFirst: false, run: 'own' };
    expect(decide(there, wish)).toBe(why);
  });

  const own = {
    token: 't',
    by: 'rollback',
    job: 'job-own',
    order: 2,
    at: '2026-11-24T08:00:00Z',
    run: 'own',
  } as const;
  const wish: Wish = {
    kind: 'rollback',
    job: 'job-own',
    order: 2,
    from: 'job-live',
    isFirst: true,
    run: 'own',
  };

  test('A rollback needs a higher order if an export in progress has the same one', () => {
    const announced = { ...record('job-live', 1), order: 2, unanswered: [own] };
    expect(decide({ kind: 'known', record: announced }, wish)).toBeUndefined();
    const runs = [
      { id: 'other', job: 'docs', state: 'started', jobId: 'job-other', order: 2 },
    ] as const;
    expect(decide({ kind: 'known', record: { ...announced, runs } }, wish)).toBe('order');
  });

  test.each(['nothing', 'changed'] as const)(
    'If there is %s, a named job needs a higher order than an export in progress',
    (kind) => {
      const runs = [
        { id: 'other', job: 'docs', state: 'started', jobId: 'job-other', order: 2 },
      ] as const;
      const named: Wish = { kind: 'named', job: 'job-own', order: 2, isFirst: true, run: 'own' };
      const there = { ...record('job-live', 1), order: 2, runs };
      expect(decide({ kind, record: there }, named)).toBe('order');
      expect(decide({ kind, record: there }, { ...named, order: 3 })).toBeUndefined();
    },
  );

  test('A rollback that is in place needs no higher order if an export was started after it', () => {
    const runs = [
      { id: 'other', job: 'docs', state: 'started', jobId: 'job-other', order: 3 },
    ] as const;
    const later = { order: 3, runs };
    expect(
      decide({ kind: 'known', record: { ...record('job-own', 2), ...later } }, wish),
    ).toBeUndefined();
    const elsewhere = { ...record('job-live', 1), ...later };
    expect(decide({ kind: 'known', record: elsewhere }, wish)).toBe('order');
  });
});
