import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type AppReading,
  type CheckReading,
  type DeploymentReading,
  type ExportReading,
  judgeApp,
  judgeExport,
  judgeUpdate,
} from '../../../src/publish/content/claim.ts';
import type { Relation } from '../../../src/publish/content/commits.ts';

const PAGE = readFileSync(new URL('../../../docs/how-to/export-what-you-merged.md', import.meta.url), 'utf8');
const COMMIT = 'c'.repeat(40);
const PUSHED_MS = 1_000_000;

function app(more: Partial<AppReading>) {
  return judgeApp({
    app: 'acme-docs',
    commit: COMMIT,
    deployments: [],
    checks: [],
    since: { event: 'push', ms: PUSHED_MS },
    ...more,
  });
}

function deployed(state: string, relation: Relation) {
  const deployment: DeploymentReading = { id: 12, environment: 'production', sha: COMMIT, state, relation };
  return app({ deployments: [deployment] });
}

function checked(...runs: readonly Partial<CheckReading>[]) {
  const checks = runs.map((run, id) => ({
    id,
    name: 'docs',
    status: 'completed',
    conclusion: 'success',
    startedAtMs: PUSHED_MS + 1,
    ...run,
  }));
  return app({ checks });
}

function updated(relation: Relation) {
  return judgeUpdate({ id: 'u-1', status: 'success', commit: COMMIT, relation });
}

function exported(more: Partial<ExportReading>) {
  return judgeExport({
    pages: ['/guide/install', '/guide/start'],
    changed: [],
    touched: ['docs/guide/install.md'],
    fingerprint: 'now',
    live: { job: 'job-2', fingerprint: 'live' },
    earlier: [{ job: 'job-1', fingerprint: 'former' }],
    ...more,
  });
}

/** The rows of the table, each with all cases that it covers. */
const ROWS: readonly (readonly [row: string, ...found: readonly { readonly kind: string }[]])[] = [
  [
    'the update of this run succeeded with this commit, or with one that contains it',
    updated('same'),
    updated('later'),
  ],
  ['that update succeeded with another commit', updated('earlier'), updated('other')],
  [
    'the newest production deployment is a success of this commit, or of one that contains it',
    deployed('success', 'same'),
    deployed('success', 'later'),
  ],
  [
    'the newest production deployment is of another commit',
    deployed('success', 'earlier'),
    deployed('success', 'other'),
    deployed('inactive', 'earlier'),
  ],
  ['that deployment is inactive', deployed('inactive', 'same'), deployed('inactive', 'later')],
  [
    'it has not ended, or has an unknown state',
    deployed('in_progress', 'same'),
    deployed('queued', 'later'),
    deployed('paused', 'same'),
  ],
  [
    'without deployments: its check run started after the push and succeeded, and no other is open',
    checked({}),
    checked({}, { conclusion: 'skipped' }),
  ],
  ['without deployments: another check run is open', checked({}, { status: 'in_progress', conclusion: undefined })],
  ['without deployments: its check run started before the push', checked({ startedAtMs: PUSHED_MS - 1 })],
  [
    'pages changed, one of them of a file that the merge touched',
    exported({ changed: ['/guide/install', '/guide/start'] }),
  ],
  [
    'pages changed, none of them of such a file',
    exported({ changed: ['/guide/start'] }),
    exported({ changed: ['/guide/start'], touched: ['src/index.ts'] }),
  ],
  [
    'the merge touched a `.md` or `.mdx` file whose page is exported, and no page changed',
    exported({}),
    exported({ touched: ['docs/guide/install.mdx'] }),
  ],
  [
    'the content is that of an earlier export, and not of the live one',
    exported({ fingerprint: 'former', changed: ['/guide/install'] }),
  ],
];

test('The table on what a run says of a commit has one row for each case, with what the rules say', () => {
  const [, table = ''] = PAGE.split('| What is known | Word |');
  const shown = [...table.matchAll(/^\| (?<known>[a-z].*?) \| (?<word>[a-z]+|-) \|$/gm)].map(([, known, word]) => [
    known,
    word,
  ]);
  const judged = ROWS.map(([row, ...found]) => {
    const words = [...new Set(found.map(({ kind }) => (kind === 'nothing' ? '-' : kind)))];
    return [row, words.join(', ')];
  });
  expect(shown).toEqual(judged);
});
