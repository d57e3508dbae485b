import { describe, expect, test } from 'vitest';
import { explore, KINDS, startOf } from '../../support/explorer/explore.ts';
import { GUARDED, type Kind, PAIRS, specsOf, unacceptedIn } from '../../support/explorer/rules.ts';
import type { Spec } from '../../support/explorer/run.ts';

// `all-interleavings.long.test.ts` takes all of them.
const QUICK = [
  ['refresh', 'refresh'],
  ['refresh', 'rollback'],
  ['rollback', 'named'],
] as const;

describe.each(GUARDED)('two runs on a store with %s', (kind: Kind) => {
  test.each(PAIRS)('No order of the requests of %s and %s breaks a rule', (one, other) => {
    for (const start of [startOf([KINDS[kind]], 3), startOf([KINDS[kind]], 0)]) {
      const explored = explore({ start, specs: specsOf(one, other), faults: 0 });
      expect(explored.states).toBeGreaterThanOrEqual(3);
      expect([...explored.findings.values()]).toEqual([]);
    }
  });

  test.each(QUICK)('One fault in %s and %s leaves nothing that the next run does not repair', (one, other) => {
    const explored = explore({ start: startOf([KINDS[kind]], 3), specs: specsOf(one, other), faults: 1 });
    expect(explored.states).toBeGreaterThan(900);
    expect(unacceptedIn(explored)).toEqual([]);
  });
});

describe.each(['versions', 'claims, date'] as const)('a third run on a store with %s', (kind: Kind) => {
  test.each(QUICK)('No order of the requests of %s, %s and a third run breaks a rule', (one, other) => {
    const thirds: readonly Spec[] = [
      { name: 'A', kind: one, attempt: 2, job: 'job-old0' },
      { name: 'C', kind: 'refresh' },
      { name: 'C', kind: 'rollback' },
    ];
    for (const third of thirds) {
      const explored = explore({ start: startOf([KINDS[kind]], 3), specs: specsOf(one, other, third), faults: 0 });
      expect([...explored.findings.values()]).toEqual([]);
    }
  });
});

test('Two destinations of different kinds agree after a refresh, whatever the order of the requests', () => {
  for (const [first, second] of QUICK) {
    const start = startOf([KINDS['versions'], KINDS['claims, date']], 3);
    const explored = explore({ start, specs: specsOf(first, second), faults: 0 });
    expect([...explored.findings.values()]).toEqual([]);
  }
});

test('A store with neither versions nor claims lets an older link replace a newer one', () => {
  const isFound = (what: string) => what.startsWith('an older link');
  const start = startOf([KINDS['none, value']], 3);
  const { findings } = explore({ start, specs: specsOf('export', 'refresh'), faults: 0, isFound });
  expect([...findings.keys()].some(isFound)).toBe(true);
});
