import { describe, expect, test } from 'vitest';
import type { GuardInputs } from '../../../src/inputs/inputs.ts';
import {
  type GuardGround,
  guardChecks,
  guardSection,
  heldBack,
  judge,
} from '../../../src/steps/guard/guard.ts';
import { makeExportInputs } from '../../support/make-inputs.ts';

const NOTHING: GuardGround = {
  pages: 10,
  earlierPages: 10,
  unknownBecause: undefined,
  bundle: undefined,
  missing: undefined,
};

function verdict(inputs: Partial<GuardInputs>, ground: Partial<GuardGround> = {}) {
  return judge(makeExportInputs(inputs), { ...NOTHING, ...ground });
}

describe('max-page-drop', () => {
  const tenPercent = { maxPageDrop: { unit: '%', most: 10 } } as const;
  test.each([
    [{ pages: 9, earlierPages: 10 }, 'passed', '1 fewer (10.0%)'],
    [{ pages: 8, earlierPages: 10 }, 'failed', '2 fewer (20.0%)'],
    [{ pages: 899, earlierPages: 1000 }, 'failed', '101 fewer (10.1%)'],
    [{ pages: 12, earlierPages: 10 }, 'passed', 'no fewer than the 10'],
    [{ pages: 0, earlierPages: 0 }, 'passed', 'no fewer than the 0'],
    [{ pages: 1, earlierPages: 'none' }, 'passed', 'There is no earlier export'],
    [
      { pages: undefined, earlierPages: 10 },
      'failed',
      'The platform does not report the number of pages',
    ],
    [
      { pages: 9, earlierPages: undefined },
      'failed',
      'number of pages of the live export is not known',
    ],
    [
      { pages: 9, earlierPages: undefined, unknownBecause: 'The state is ignored.' },
      'failed',
      'The state is ignored',
    ],
  ] as const)('A max-page-drop of 10%% with %o has %s', (ground, outcome, text) => {
    expect(verdict(tenPercent, ground)[1]).toEqual({
      name: 'max-page-drop',
      outcome,
      detail: expect.stringContaining(text),
    });
  });

  test('A max-page-drop in percent is exact for every share of up to 1000 pages, also with decimals', () => {
    const shares = [
      ...Array.from({ length: 101 }, (_, whole) => BigInt(whole) * 100n),
      1n,
      57n,
      250n,
      707n,
      1405n,
    ];
    const wrong: string[] = [];
    for (const hundredths of shares) {
      const maxPageDrop = { unit: '%', most: Number(`${hundredths}e-2`) } as const;
      for (let before = 1n; before <= 1000n; before += 1n) {
        const most = (before * hundredths) / 10_000n;
        for (const fewer of [most, most + 1n].filter((count) => count <= before)) {
          const ground = { earlierPages: Number(before), pages: Number(before - fewer) };
          const outcome = verdict({ maxPageDrop }, ground)[1]?.outcome;
          if (outcome !== (fewer === most ? 'passed' : 'failed'))
            wrong.push(`${fewer} of ${before}, ${maxPageDrop.most}%`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test('A max-page-drop of 0 allows no page less, and 100% allows all to go', () => {
    const [, none] = verdict({ maxPageDrop: { unit: 'pages', most: 0 } }, { pages: 9 });
    const [, all] = verdict({ maxPageDrop: { unit: '%', most: 100 } }, { pages: 0 });
    expect([none?.outcome, all?.outcome]).toEqual(['failed', 'passed']);
  });
});

test('An unknown page count does not hold an export back, unless a rule needs it', () => {
  expect(heldBack(verdict({}, { pages: undefined }), undefined)).toBeUndefined();
  const error = heldBack(verdict({ minPages: 7 }, { pages: undefined }), undefined);
  expect(error?.message).toContain('min-pages could not be checked: The platform does not report');
});

test('A rule that needs the bundle is undecided in a dry run', () => {
  const rules = {
    requiredPages: { pages: ['/'] },
    forbidLostAddresses: 'fail',
    maxSizeBytes: 1,
  } as const;
  expect(verdict(rules, { isPreview: true }).map(({ outcome }) => outcome)).toEqual([
    'passed',
    'not-checked',
    'not-checked',
    'not-checked',
  ]);
});

describe('the section of the summary', () => {
  const failed = {
    name: 'max-size',
    outcome: 'failed',
    detail: 'The files <b> have 3 | 4',
  } as const;
  const passed = {
    name: 'min-pages',
    outcome: 'passed',
    detail: 'The export has 2 pages',
  } as const;

  test('The section of the summary says what happened to the export, with a row for each rule', () => {
    expect(guardSection({ verdict: 'failed', checks: [passed, failed] }, { isDryRun: false })).toBe(
      '### Checks before publishing\n\n**The export was held back.** What was live is still live.\n\n|  | Check | Result |\n| --- | --- | --- |\n| ✅ | `min-pages` | The export has 2 pages |\n| ❌ | `max-size` | The files &lt;b&gt; have 3 &#124; 4 |',
    );
    expect(guardSection({ verdict: 'forced', checks: [failed] }, { isDryRun: false })).toContain(
      '**Published although checks failed**',
    );
  });

  test('The section of the summary is missing if no rule was set or broken, except in a dry run', () => {
    expect(
      guardSection({ verdict: 'passed', checks: [passed] }, { isDryRun: false }),
    ).toBeUndefined();
    expect(guardSection({ verdict: 'passed', checks: [passed] }, { isDryRun: true })).toContain(
      'This export would pass.',
    );
    expect(guardSection({ verdict: 'failed', checks: [failed] }, { isDryRun: true })).toContain(
      'This export would be held back.',
    );
  });

  test('The rules become checks for test reports, without those that were not checked', () => {
    const open = { name: 'required-pages', outcome: 'not-checked', detail: 'x' } as const;
    expect(guardChecks({ verdict: 'failed', checks: [passed, failed, open] })).toEqual([
      { group: 'export', name: 'min-pages', outcome: 'passed', message: undefined },
      { group: 'export', name: 'max-size', outcome: 'failed', message: failed.detail },
    ]);
  });
});
