import { describe, expect, test, vi } from 'vitest';
import type { Reply } from '../../src/delivery/protocol/steps.ts';
import { beginningOf, startOf } from '../support/explorer/ends.ts';
import { explore, KINDS, OTHERS } from '../support/explorer/explore.ts';
import { Rows } from '../support/explorer/rows.ts';
import {
  findingsOf,
  GUARDED,
  type Kind,
  PAIRS,
  specsOf,
  unacceptedIn,
} from '../support/explorer/rules.ts';
import { play, type Spec } from '../support/explorer/run.ts';
import {
  BEGIN_MS,
  cancelledBefore,
  carryOut,
  type Sent,
  unknown,
} from '../support/explorer/world.ts';

// A busy machine needs longer.
vi.setConfig({ testTimeout: 120_000 });

// `all-interleavings.long.test.ts` takes all of them.
const QUICK = [
  ['refresh', 'refresh'],
  ['refresh', 'rollback'],
  ['rollback', 'named'],
] as const;

test('Two states are the same one only if all their numbers are equal, however many there are', () => {
  const rows = new Rows(3);
  const all = Array.from({ length: 5000 }, (_, index) => [index % 50, 7, Math.floor(index / 50)]);
  const numbers = all.map((row) => rows.add(row));
  expect(numbers).toEqual([...all.keys()]);
  expect(all.map((row) => rows.add(row))).toEqual(numbers);
  expect(rows.at(51, 0)).toBe(1);
  expect(() => rows.add([2 ** 31, 7, 0])).toThrow('2147483648 does not fit into 4 bytes.');
});

// The repair of the other run's link is cancelled, and a copy of it may still arrive.
test.each([
  ['late', 'cancelled'],
  ['suspended', 'cancelled'],
] as const)(
  'A cancelled run whose link was put over a newer one does not decide again (faults: %s, %s)',
  (...only) => {
    const start = startOf([KINDS['claims, nothing']], 2);
    const specs = specsOf('rollback', 'named');
    const explored = explore({ start, specs, faults: 2, only, isOrdered: true });
    expect(explored.states).toBeGreaterThan(50_000);
    expect(unacceptedIn(explored, 'claims, nothing', only)).toEqual([]);
  },
);

test('A run that is cancelled before it makes the link of a newer job sends nothing more', () => {
  let world = startOf([KINDS['claims, nothing']], 2);
  const follow = (spec: Spec, replyTo: (sent: Sent) => Reply) => {
    const steps = play(spec, world.destinations);
    let next = steps.next();
    while (!next.done) next = steps.next(replyTo(next.value));
    return next.value;
  };
  const send = (sent: Sent) => {
    const done = carryOut(world, sent, BEGIN_MS);
    world = done.world;
    return done.reply;
  };
  const sent: string[] = [];
  const outcome = follow({ name: 'B', kind: 'named', job: 'job-old0' }, (one) => {
    const isFirstState = one.request.kind === 'write-state' && !sent.includes('write-state');
    sent.push(one.request.kind);
    if (one.request.kind === 'make-link') return cancelledBefore(BEGIN_MS);
    const reply = send(one);
    if (!isFirstState) return reply;
    // Its reply is lost, and another run decides.
    expect(follow({ name: 'A', kind: 'rollback' }, send)).toMatchObject({ kind: 'completed' });
    return unknown(BEGIN_MS);
  });
  expect(outcome).toEqual({ kind: 'failed', why: 'make-link: cancelled' });
  expect(sent.at(-1)).toBe('make-link');
});

describe.each(GUARDED)('two runs on a store with %s', (kind: Kind) => {
  test.each(PAIRS)('No order of the requests of %s and %s breaks a rule', (one, other) => {
    for (const start of [startOf([KINDS[kind]], 3), startOf([KINDS[kind]], 0)]) {
      const explored = explore({ start, specs: specsOf(one, other), faults: 0 });
      expect(explored.states).toBeGreaterThanOrEqual(3);
      expect(findingsOf(explored)).toEqual([]);
      // Not even for a moment.
      expect([explored.olderStates, explored.olderEnds]).toEqual([0, 0]);
    }
  });

  test.each([[], ['lost'], ['cancelled'], ['late']] as const)(
    'A rollback stops if the live job is named while it runs (faults: %s)',
    (...only) => {
      const specs: readonly Spec[] = [
        { name: 'A', kind: 'rollback' },
        { name: 'B', kind: 'named', job: 'job-old1' },
      ];
      const start = startOf([KINDS[kind]], 2);
      expect(findingsOf(explore({ start, specs, faults: only.length, only }))).toEqual([]);
    },
  );

  test.each(QUICK)(
    'One fault in %s and %s leaves nothing that the next run does not repair',
    (one, other) => {
      const start = startOf([KINDS[kind]], 2);
      const explored = explore({ start, specs: specsOf(one, other), faults: 1 });
      expect(explored.states).toBeGreaterThan(400);
      expect(findingsOf(explored)).toEqual([]);
    },
  );

  test.each(OTHERS)(
    'A refresh and a rollback keep the promises after one more fault: %s',
    (fault) => {
      const { world: start, formers } = beginningOf([KINDS[kind]], 3, true);
      const specs = specsOf('refresh', 'rollback');
      const explored = explore({ start, formers, specs, faults: 1, only: [fault] });
      expect(unacceptedIn(explored, kind, [fault])).toEqual([]);
    },
  );

  test('An export that is started once more while it runs is one export, or two, and the newer one is live', () => {
    const specs: readonly Spec[] = [
      { name: 'A', kind: 'export' },
      { name: 'A', kind: 'export', attempt: 2 },
    ];
    expect(findingsOf(explore({ start: startOf([KINDS[kind]], 2), specs, faults: 0 }))).toEqual([]);
  });
});

test('If a machine sleeps and neither clock shows it, the run that wrote over a newer decision repairs that', () => {
  const start = startOf([KINDS['claims, date']], 2);
  const specs = specsOf('refresh', 'rollback');
  const explored = explore({ start, specs, faults: 1, only: ['unnoticed'] });
  // Two runs that read the state again before either writes it.
  expect([...explored.wrong]).toEqual([
    ['an older export is live, and so it stays after a refresh', 2],
  ]);
  expect(explored.olderEnds).toBe(4);
});

test('A rollback whose end is refused takes its own claim, under which it sent no link, for no newer export', () => {
  const start = startOf([KINDS['claims, nothing']], 2);
  const specs = specsOf('export', 'rollback');
  const explored = explore({ start, specs, faults: 1, only: ['refused'] });
  expect(findingsOf(explored)).toEqual([]);
});

describe.each(GUARDED)('a third run on a store with %s', (kind: Kind) => {
  test.each(QUICK)(
    'No order of the requests of %s, %s and a third run breaks a rule',
    (one, other) => {
      const thirds: readonly Spec[] = [
        { name: 'A', kind: one, attempt: 2, job: 'job-old0' },
        { name: 'C', kind: 'refresh' },
        { name: 'C', kind: 'rollback' },
      ];
      for (const third of thirds) {
        const start = startOf([KINDS[kind]], 3);
        const explored = explore({
          start,
          specs: specsOf(one, other, third),
          afterwards: 2,
          faults: 0,
        });
        expect(findingsOf(explored)).toEqual([]);
      }
    },
  );
});

describe('several destinations', () => {
  test('Two destinations of different kinds agree after a refresh, whatever the order of the requests', () => {
    for (const [first, second] of QUICK) {
      const start = startOf([KINDS['versions'], KINDS['claims, date']], 3);
      expect(findingsOf(explore({ start, specs: specsOf(first, second), faults: 0 }))).toEqual([]);
    }
  });

  test.each([
    ['versions', 'versions'],
    ['versions', 'claims, nothing'],
  ] as const)(
    'With %s and %s, an export that is started while a rollback runs has another order',
    (one, other) => {
      const start = startOf([KINDS[one], KINDS[other]], 2);
      // The id of its job sorts before that of the rollback, or after it.
      for (const name of ['A', 'x']) {
        const specs: readonly Spec[] = [
          { name, kind: 'export' },
          { name: 'B', kind: 'rollback' },
        ];
        expect(findingsOf(explore({ start, specs, faults: 0 }))).toEqual([]);
      }
    },
  );

  test('Two rollbacks that name their destinations in opposite order agree', () => {
    const start = startOf([KINDS['claims, date'], KINDS['claims, date']], 3);
    const specs: readonly Spec[] = [
      { name: 'A', kind: 'rollback', to: [0, 1] },
      { name: 'B', kind: 'named', job: 'job-old0', to: [1, 0] },
    ];
    expect(findingsOf(explore({ start, specs, faults: 0 }))).toEqual([]);
  });
});

test('A store with neither versions nor claims lets an older export stay live behind green runs', () => {
  const isFound = (what: string) =>
    what.startsWith('an older export is live, and every run is green');
  const start = startOf([KINDS['none, value']], 3);
  const { findings } = explore({ start, specs: specsOf('export', 'refresh'), faults: 0, isFound });
  expect([...findings.keys()].some(isFound)).toBe(true);
});
