import { afterAll, describe, expect, test, vi } from 'vitest';
import { explore, KINDS, startOf } from '../../support/explorer/explore.ts';
import { GUARDED, type Kind, PAIRS, specsOf, unacceptedIn } from '../../support/explorer/rules.ts';

// Up to 500,000 states for a pair, which a busy machine needs a minute for.
vi.setConfig({ testTimeout: 300_000 });

let states = 0;
afterAll(() => console.log(`states of two runs that were seen, with one fault: ${states}`));

describe.each(GUARDED)('two runs on a store with %s', (kind: Kind) => {
  test.each(PAIRS)('One fault in %s and %s leaves nothing that the next run does not repair', (one, other) => {
    for (const exports of [0, 3]) {
      const explored = explore({ start: startOf([KINDS[kind]], exports), specs: specsOf(one, other), faults: 1 });
      states += explored.states;
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
