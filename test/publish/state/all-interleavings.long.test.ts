import { afterAll, describe, expect, test, vi } from 'vitest';
import { explore, KINDS, startOf } from '../../support/explorer/explore.ts';
import { GUARDED, type Kind, PAIRS, specsOf, unacceptedIn } from '../../support/explorer/rules.ts';

// Up to 500,000 states for a pair, which a busy machine needs a minute for.
vi.setConfig({ testTimeout: 300_000 });

// `npm run explore`
const soak = process.env['SOAK'] === '1';

const states = { 'one fault': 0, 'two faults': 0 };
afterAll(() => {
  for (const [faults, count] of Object.entries(states))
    console.log(`states of two runs that were seen, with ${faults}: ${count}`);
});

describe.each(GUARDED)('two runs on a store with %s', (kind: Kind) => {
  test.each(PAIRS)('One fault in %s and %s leaves nothing that the next run does not repair', (one, other) => {
    for (const exports of [0, 3]) {
      const explored = explore({ start: startOf([KINDS[kind]], exports), specs: specsOf(one, other), faults: 1 });
      states['one fault'] += explored.states;
      expect(unacceptedIn(explored)).toEqual([]);
    }
  });
});

describe.each([
  ['versions', 'claims, date'],
  ['claims, value', 'claims, value'],
  ['claims, date', 'claims, nothing'],
] as const)('two destinations, with %s and with %s', (one: Kind, other: Kind) => {
  test.each(PAIRS)(
    'After %s and %s, they agree after a refresh, whatever the order of the requests',
    (first, second) => {
      const start = startOf([KINDS[one], KINDS[other]], 3);
      const explored = explore({ start, specs: specsOf(first, second), faults: 0 });
      expect([...explored.findings.values()]).toEqual([]);
    },
  );
});

const WITHOUT_EXPORT = PAIRS.filter((pair) => !pair.includes('export'));
// A state is looked at in about 40 microseconds: with all kinds of stores, this takes half an hour.
const TWO_FAULTS = soak
  ? GUARDED.flatMap((kind) => WITHOUT_EXPORT.map((pair) => [kind, ...pair] as const))
  : [
      ...WITHOUT_EXPORT.map((pair) => ['versions', ...pair] as const),
      ['claims, date', 'refresh', 'refresh'] as const,
      ['claims, date', 'rollback', 'named'] as const,
    ];

test.each(TWO_FAULTS)(
  'On a store with %s, two faults in %s and %s leave nothing that the next run does not repair',
  (kind, one, other) => {
    const explored = explore({ start: startOf([KINDS[kind]], 3), specs: specsOf(one, other), faults: 2 });
    states['two faults'] += explored.states;
    expect(unacceptedIn(explored)).toEqual([]);
  },
);

// All faults together would be more states than fit into memory.
const FAULTS = [
  ['late', 'killed'],
  ['late', 'slept'],
  ['late', 'refused'],
  ['lost', 'slept'],
  ['lost', 'killed after'],
  ['refused', 'killed'],
];
const EXPORTS = (['refresh', 'rollback'] as const).flatMap((other) =>
  FAULTS.map((faults) => ['export', other, faults.join(', ')] as const),
);

test.runIf(soak).each(EXPORTS)(
  'On a store with claims and dates, two faults in %s and %s leave nothing that the next run does not repair: %s',
  (one, other, faults) => {
    const start = startOf([KINDS['claims, date']], 3);
    const explored = explore({ start, specs: specsOf(one, other), faults: 2, only: faults.split(', ') });
    states['two faults'] += explored.states;
    expect(unacceptedIn(explored)).toEqual([]);
  },
);
