import { describe, expect, it } from 'vitest';
import {
  type AppReading,
  type CheckReading,
  type DeploymentReading,
  type ExportReading,
  judgeApp,
  judgeExport,
  judgeUpdate,
} from '../../../src/publish/content/claim.ts';

const COMMIT = '2'.repeat(40);
const PUSHED_MS = Date.parse('2026-11-23T07:00:00Z');

function deployment(change: Partial<DeploymentReading> = {}): DeploymentReading {
  const at = '2026-11-23T07:12:00.000Z';
  return { id: 12, environment: 'production', sha: COMMIT, state: 'success', at, relation: 'same', ...change };
}

function check(change: Partial<CheckReading> = {}): CheckReading {
  const run = { id: 123, name: 'build', status: 'completed', conclusion: 'success', startedAtMs: PUSHED_MS };
  return { ...run, ...(change.status !== undefined && { conclusion: undefined }), ...change };
}

function read(change: Partial<AppReading>): AppReading {
  const since = { event: 'push', ms: PUSHED_MS } as const;
  return { app: 'acme-docs', commit: COMMIT, deployments: [], checks: [], since, ...change };
}

const OLDER = { sha: '1'.repeat(40), relation: 'earlier' } as const;
const LATER = { sha: '3'.repeat(40), relation: 'later' } as const;
const PREVIEW = { startedAtMs: PUSHED_MS - 1 } as const;
const NO_PUSH = { event: 'none', ms: PUSHED_MS } as const;

describe('what the App reports', () => {
  it.each<[string, Partial<AppReading>, object]>([
    // The newest deployment decides.
    ['a success of the commit', { deployments: [deployment()] }, { kind: 'reported', reported: { commit: COMMIT } }],
    ['a success of one that contains it', { deployments: [deployment(LATER)] }, { reported: { commit: LATER.sha } }],
    ['a success of an older commit', { deployments: [deployment(OLDER)] }, { kind: 'contradicted' }],
    ['a success of another line', { deployments: [deployment({ relation: 'other' })] }, { kind: 'contradicted' }],
    ['an inactive one', { deployments: [deployment({ state: 'inactive' })] }, { kind: 'contradicted' }],
    [
      'an older commit that was published again',
      { deployments: [deployment({ ...OLDER, id: 13 }), deployment()] },
      { kind: 'contradicted' },
    ],
    [
      'something that is not a commit',
      { deployments: [deployment({ sha: 'main', relation: { unknown: 'It is no commit.' } })] },
      { kind: 'nothing', state: 'open' },
    ],
    [
      'one that is under way',
      { deployments: [deployment({ state: 'in_progress' })] },
      { kind: 'nothing', state: 'open' },
    ],
    ['a state of the future', { deployments: [deployment({ state: 'paused' })] }, { kind: 'nothing', state: 'open' }],
    ['one that failed', { deployments: [deployment({ state: 'failure' })] }, { kind: 'nothing', state: 'failed' }],
    [
      'one that was tried again after a failure',
      { deployments: [deployment({ id: 13 }), deployment({ state: 'error' })] },
      { kind: 'reported', reported: { source: 'deployment 13 to production' } },
    ],
    [
      'a failure of a later commit, after a success',
      { deployments: [deployment({ ...LATER, id: 13, state: 'failure' }), deployment()] },
      { kind: 'nothing', state: 'over' },
    ],
    [
      'a failure, after a success of an older commit',
      { deployments: [deployment({ id: 13, state: 'failure' }), deployment(OLDER)] },
      { kind: 'nothing', state: 'failed' },
    ],
    // Checks of an App that makes deployments only show failures.
    [
      'another check that succeeded before the deployment begins',
      { deployments: [deployment(OLDER)], checks: [check()] },
      { kind: 'contradicted', isSilent: false },
    ],
    ['nothing for this commit', { deployments: [deployment(OLDER)] }, { kind: 'contradicted', isSilent: true }],
    [
      'a check that failed, and no deployment of the commit',
      { deployments: [deployment(OLDER)], checks: [check({ conclusion: 'failure' })] },
      { kind: 'nothing', state: 'failed' },
    ],
    [
      'a check of a preview that failed before the push',
      { deployments: [deployment(OLDER)], checks: [check({ ...PREVIEW, conclusion: 'failure' })] },
      { kind: 'contradicted' },
    ],
    [
      'a check that failed beside a deployment that succeeded',
      { deployments: [deployment()], checks: [check({ conclusion: 'failure' })] },
      { kind: 'reported' },
    ],
    [
      'a skipped check after an older commit',
      { deployments: [deployment(OLDER)], checks: [check({ conclusion: 'skipped' })] },
      { kind: 'nothing', state: 'over' },
    ],
    [
      'a skipped check after an inactive deployment',
      { deployments: [deployment({ ...OLDER, state: 'inactive' })], checks: [check({ conclusion: 'skipped' })] },
      { kind: 'contradicted' },
    ],
    // Without deployments, checks decide.
    ['no deployment and no check', {}, { kind: 'nothing', state: 'silent' }],
    ['a check that began at the push', { checks: [check()] }, { reported: { source: 'check run 123' } }],
    ['a check of a preview', { checks: [check(PREVIEW)] }, { kind: 'nothing', state: 'silent' }],
    ['a check without a start', { checks: [check({ startedAtMs: undefined })] }, { kind: 'nothing', state: 'silent' }],
    [
      'one check that succeeded and one that is open',
      { checks: [check(), check({ id: 124, name: 'deploy', status: 'queued' })] },
      { kind: 'nothing', state: 'open', why: 'deploy (queued)' },
    ],
    [
      'one check that succeeded and one of a preview that is open',
      { checks: [check(), check({ ...PREVIEW, id: 124, status: 'queued' })] },
      { kind: 'reported' },
    ],
    [
      'a check that failed',
      { checks: [check(), check({ conclusion: 'timed_out' })] },
      { kind: 'nothing', state: 'failed' },
    ],
    ['neutral checks alone', { checks: [check({ conclusion: 'neutral' })] }, { kind: 'nothing', state: 'over' }],
    ['a skipped check beside a success', { checks: [check({ conclusion: 'skipped' }), check()] }, { kind: 'reported' }],
    // Without a push in the event.
    ['a check after the start of the run', { since: NO_PUSH, checks: [check()] }, { kind: 'reported' }],
    ['a check before the run', { since: NO_PUSH, checks: [check(PREVIEW)] }, { kind: 'nothing', state: 'over' }],
    [
      'a check before the run that failed',
      { since: NO_PUSH, checks: [check({ ...PREVIEW, conclusion: 'failure' })] },
      { kind: 'nothing', state: 'failed' },
    ],
  ])('%s', (_, change, expected) => {
    expect(judgeApp(read(change))).toMatchObject(expected);
  });
});

describe('what an update says', () => {
  it.each([
    [
      'success of the commit',
      { status: 'success', relation: 'same' },
      { kind: 'reported', reported: { source: 'update u1' } },
    ],
    ['success of one that contains it', { status: 'success', relation: 'later' }, { kind: 'reported' }],
    ['success of an older one', { status: 'success', relation: 'earlier' }, { kind: 'contradicted' }],
    ['success of another line', { status: 'success', relation: 'other' }, { kind: 'contradicted' }],
    [
      'success of what cannot be compared',
      { status: 'success', relation: { unknown: 'It cannot be compared.' } },
      { kind: 'nothing', state: 'over', why: 'It cannot be compared' },
    ],
    ['failure', { status: 'failure', relation: 'same' }, { kind: 'nothing', state: 'failed' }],
    ['in_progress', { status: 'in_progress', relation: 'same' }, { kind: 'nothing', state: 'open' }],
    ['no status', { status: undefined, relation: 'same' }, { kind: 'nothing', state: 'open' }],
  ] as const)('%s', (_, reading, expected) => {
    expect(judgeUpdate({ id: 'u1', commit: COMMIT, ...reading })).toMatchObject(expected);
  });
});

describe('what the export shows', () => {
  const pages = ['/', '/install', '/guide/start', '/api'];

  it.each<[string, Partial<ExportReading>, object]>([
    [
      'a changed page of a touched file',
      { touched: ['docs/install.mdx'], changed: ['/install', '/api'] },
      { kind: 'seen', pages: 2 },
    ],
    ['a changed page of another file', { touched: ['docs/install.mdx'], changed: ['/api'] }, { kind: 'nothing' }],
    ['a removed page of a touched file', { touched: ['old.md'], changed: ['/old'] }, { kind: 'seen', pages: 1 }],
    ['the start page', { touched: ['docs/index.md'], changed: ['/'] }, { kind: 'seen', pages: 1 }],
    [
      'the start page of another folder',
      { touched: ['guide/index.md'], pages: ['/', '/guide'], changed: ['/'] },
      { kind: 'nothing' },
    ],
    [
      'a page below a base path',
      { touched: ['start.md'], pages: ['/docs/start'], changed: ['/docs/start'] },
      { kind: 'seen' },
    ],
    [
      'a touched file without a page',
      { touched: ['CONTRIBUTING.md', 'src/main.ts'], changed: [] },
      { kind: 'nothing' },
    ],
    ['a touched page, and no page changed', { touched: ['guide/Start.MDX'], changed: [] }, { kind: 'contradicted' }],
    ['a touched source that is not Markdown', { touched: ['install.ts'], changed: [] }, { kind: 'nothing' }],
    ['a touched page, and nothing was compared', { touched: ['install.md'], changed: undefined }, { kind: 'nothing' }],
    [
      'the content of an earlier export',
      { fingerprint: 'a', live: { job: 'j2', fingerprint: 'b' }, earlier: [{ job: 'j1', fingerprint: 'a' }] },
      { kind: 'contradicted', why: 'its content is that of the earlier export j1' },
    ],
    [
      'the content of the live export, which an earlier one had too',
      { fingerprint: 'a', live: { job: 'j2', fingerprint: 'a' }, earlier: [{ job: 'j1', fingerprint: 'a' }] },
      { kind: 'nothing' },
    ],
    ['content without a fingerprint', { live: { job: 'j2' }, earlier: [{ job: 'j1' }] }, { kind: 'nothing' }],
    [
      'a changed page of a touched file, with the content of an earlier export',
      { touched: ['install.md'], changed: ['/install'], fingerprint: 'a', earlier: [{ job: 'j1', fingerprint: 'a' }] },
      { kind: 'contradicted' },
    ],
  ])('%s', (_, change, expected) => {
    const reading = { pages, changed: undefined, touched: [], fingerprint: undefined, live: undefined, earlier: [] };
    expect(judgeExport({ ...reading, ...change })).toMatchObject(expected);
  });
});
