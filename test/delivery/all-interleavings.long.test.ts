import { afterAll, describe, expect, test, vi } from 'vitest';
import { beginningOf, startOf } from '../support/explorer/ends.ts';
import {
  explore,
  type Fault,
  KINDS,
  OTHERS,
  type Scenario,
  USUAL,
} from '../support/explorer/explore.ts';
import {
  findingsOf,
  GUARDED,
  type Kind,
  PAIRS,
  specsOf,
  unacceptedIn,
} from '../support/explorer/rules.ts';
import type { Spec } from '../support/explorer/run.ts';

// Millions of states for some pairs, which a busy machine needs an hour for.
vi.setConfig({ testTimeout: 7_200_000 });

// `npm run explore`: what has two faults takes minutes for each pair. `interleavings.servers.test.ts`
// tries one fault in three pairs.
const soak = process.env['SOAK'] === '1';

const NOTHING_SEEN = { states: 0, older: 0, olderEnds: 0 };
const seen = {
  'no fault': { ...NOTHING_SEEN },
  'one fault': { ...NOTHING_SEEN },
  'two faults': { ...NOTHING_SEEN },
};
const tried = new Set<Fault>();
afterAll(() => {
  for (const [faults, { states, older, olderEnds }] of Object.entries(seen))
    console.log(
      `states that were seen, with ${faults}: ${states}; with an older link live after a newer green: ${older}, and at the end: ${olderEnds}`,
    );
  console.log(`faults: ${[...tried].join(', ')}`);
});

function explored(scenario: Scenario) {
  const found = explore(scenario);
  const what =
    scenario.faults === 0 ? 'no fault' : scenario.faults === 1 ? 'one fault' : 'two faults';
  seen[what].states += found.states;
  seen[what].older += found.olderStates;
  seen[what].olderEnds += found.olderEnds;
  if (scenario.faults > 0) for (const fault of scenario.only ?? USUAL) tried.add(fault);
  return found;
}

describe.runIf(soak).each(GUARDED)('two runs on a store with %s', (kind: Kind) => {
  test.each(PAIRS)(
    'One fault in %s and %s leaves nothing that the next run does not repair',
    (one, other) => {
      for (const exports of [0, 2])
        expect(
          findingsOf(
            explored({
              start: startOf([KINDS[kind]], exports),
              specs: specsOf(one, other),
              faults: 1,
            }),
          ),
        ).toEqual([]);
    },
  );

  test.each(OTHERS)('Every pair of runs keeps the promises after one more fault: %s', (fault) => {
    const { world: start, formers } = beginningOf([KINDS[kind]], 3, true);
    for (const [one, other] of PAIRS) {
      const found = explored({
        start,
        formers,
        specs: specsOf(one, other),
        faults: 1,
        only: [fault],
      });
      expect(unacceptedIn(found, kind, [fault])).toEqual([]);
    }
  });

  test.each([-600_000, 600_000])(
    'A clock that is off by %d ms changes nothing, nor after a late write',
    (clockMs) => {
      for (const [one, other] of PAIRS) {
        for (const who of [0, 1]) {
          const specs = specsOf(one, other).map((spec, index) =>
            index === who ? { ...spec, clockMs } : spec,
          );
          const found = explored({
            start: startOf([KINDS[kind]], 2),
            specs,
            faults: 1,
            only: ['late'],
          });
          expect(findingsOf(found).filter((finding) => !isUnseen(kind, finding))).toEqual([]);
        }
      }
    },
  );
});

/**
 * A late write and a wrong clock are two faults. If the store shows no date, the run in between may
 * not warn. A refresh repairs a link that shows; one that does not show, when the state calls it
 * due.
 */
function isUnseen(kind: Kind, finding: string): boolean {
  if (kind === 'claims, nothing')
    return /^(an older export is live|the state says that the link works longer)/.test(finding);
  return kind === 'claims, value' && finding.startsWith('an older export is live, and every run');
}

const THREE: readonly (readonly Spec[])[] = [
  [
    { name: 'A', kind: 'export', to: [0, 1] },
    { name: 'B', kind: 'export', to: [1] },
    { name: 'C', kind: 'export', to: [0] },
  ],
  [
    { name: 'A', kind: 'export', to: [0, 1] },
    { name: 'B', kind: 'export', to: [1, 0] },
  ],
  [
    { name: 'A', kind: 'export', to: [0, 1] },
    { name: 'B', kind: 'rollback', to: [1, 0] },
  ],
];

describe.each([
  ['versions', 'claims, date'],
  ['versions', 'versions'],
  ['claims, date', 'claims, date'],
] as const)('two destinations, with %s and with %s', (one: Kind, other: Kind) => {
  test.each(PAIRS)(
    'After %s and %s, they agree after a refresh, whatever the order of the requests',
    (first, second) => {
      const start = startOf([KINDS[one], KINDS[other]], 3);
      expect(findingsOf(explored({ start, specs: specsOf(first, second), faults: 0 }))).toEqual([]);
    },
  );

  test.runIf(soak).each(THREE)(
    'Runs with some of the destinations, in any order, leave the newest one live',
    (...specs) => {
      const start = startOf([KINDS[one], KINDS[other]], 2);
      expect(findingsOf(explored({ start, specs, faults: 0 }))).toEqual([]);
    },
  );
});

/**
 * Where the content of a link shows, link and state of one run that both arrive after another run
 * look like the newest ones. The run in between has warned.
 */
function areBothLate(kind: Kind, finding: string): boolean {
  const late = finding.match(/late: (?:\w+ )write-(?:link|state)/g) ?? [];
  const isKept = finding.startsWith('an older export is live, and so it stays after a refresh');
  return kind === 'claims, value' && isKept && late.length === 2;
}

const WITHOUT_EXPORT = PAIRS.filter((pair) => !pair.includes('export'));
// A state is looked at in about 10 microseconds.
const TWO_FAULTS = GUARDED.flatMap((kind) =>
  WITHOUT_EXPORT.map((pair) => [kind, ...pair] as const),
);

test.runIf(soak).each(TWO_FAULTS)(
  'On a store with %s, two faults in %s and %s leave nothing unnoticed that a refresh does not repair',
  (kind, one, other) => {
    const found = explored({
      start: startOf([KINDS[kind]], 2),
      specs: specsOf(one, other),
      faults: 2,
    });
    const findings = unacceptedIn(found, kind, USUAL);
    expect(findings.filter((finding) => !areBothLate(kind, finding))).toEqual([]);
  },
);

// Of one machine, which wakes up among late writes.
test.runIf(soak).each(TWO_FAULTS)(
  'On a store with %s, a refresh needs nobody after a machine was suspended, with another fault, in %s and %s',
  (kind, one, other) => {
    const only = ['late', 'killed', 'suspended'] as const;
    const found = explored({
      start: startOf([KINDS[kind]], 2),
      specs: specsOf(one, other),
      faults: 2,
      only,
    });
    const findings = unacceptedIn(found, kind, only);
    expect(findings.filter((finding) => !areBothLate(kind, finding))).toEqual([]);
  },
);

// What a cancelled run leaves, and what comes twice, after a run that hung.
const CANCELLED: readonly (readonly Fault[])[] = [
  ['cancelled', 'slept'],
  ['cancelled', 'late'],
  ['cancelled', 'suspended'],
  ['doubled', 'slept'],
  ['doubled', 'killed'],
];
const WITH_CANCELLED = TWO_FAULTS.flatMap((pair) =>
  CANCELLED.map((faults) => [...pair, faults] as const),
);

test.runIf(soak).each(WITH_CANCELLED)(
  'On a store with %s, a cancelled or doubled request with another fault in %s and %s leaves nothing that a refresh does not repair: %s',
  (kind, one, other, only) => {
    const start = startOf([KINDS[kind]], 2);
    const found = explored({ start, specs: specsOf(one, other), faults: 2, only });
    const findings = unacceptedIn(found, kind, only);
    expect(findings.filter((finding) => !areBothLate(kind, finding))).toEqual([]);
  },
);

test.runIf(soak).each(GUARDED)(
  'On a store with %s, a rollback stops if the live job is named while it runs, with one fault and with two',
  (kind) => {
    const specs: readonly Spec[] = [
      { name: 'A', kind: 'rollback' },
      { name: 'B', kind: 'named', job: 'job-old1' },
    ];
    for (const faults of [1, 2]) {
      const start = startOf([KINDS[kind]], 2);
      const findings = unacceptedIn(explored({ start, specs, faults }), kind, USUAL);
      expect(findings.filter((finding) => !areBothLate(kind, finding))).toEqual([]);
    }
  },
);

// All faults together would be more states than fit into memory: two take up to 17 million.
const FAULTS: readonly (readonly Fault[])[] = [
  ['late', 'killed'],
  ['lost', 'slept'],
  ['lost', 'killed after'],
  ['refused', 'killed'],
];
// What takes millions of states even in one order.
const IN_ORDER: readonly (readonly Fault[])[] = [
  ['late', 'late'],
  ['late', 'slept'],
  ['slept', 'late'],
  ['slept', 'slept'],
  ['late', 'suspended'],
  ['suspended', 'late'],
  ['suspended', 'suspended'],
];
const EXPORTS = (['refresh', 'rollback'] as const).flatMap((other) => [
  ...FAULTS.map((faults) => [other, faults, 'in any order'] as const),
  ...IN_ORDER.map((faults) => [other, faults, 'in this order'] as const),
]);

/**
 * The link of a rollback that hung arrives over that of an export, which has warned of it: the
 * rollback, which is the newer decision, finds its own link in place.
 */
function isWarnedOf(finding: string): boolean {
  return finding.startsWith(
    'a rollback is green over a decision made since it began, which has warned',
  );
}

test.runIf(soak).each(EXPORTS)(
  'On a store with claims and dates, two faults in export and %s leave nothing unnoticed that a refresh does not repair: %s, %s',
  (other, only, order) => {
    const found = explored({
      start: startOf([KINDS['claims, date']], 2),
      specs: specsOf('export', other),
      faults: 2,
      only,
      isOrdered: order === 'in this order',
    });
    const findings = unacceptedIn(found, 'claims, date', only);
    expect(findings.filter((finding) => !isWarnedOf(finding))).toEqual([]);
  },
);
