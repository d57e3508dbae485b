import { describe, expect, it } from 'vitest';
import {
  BOT,
  check,
  checkEvent,
  deploy,
  deploymentEvent,
  PUBLISHER,
  startMergeWith,
} from '../../support/app-reports.ts';
import { makeDestination } from '../../support/make-inputs.ts';
import { hintOf } from '../../support/make-run.ts';
import { FIRST, LATER, MERGED, PUSH as PUSHED, startMerge, WORKFLOW_TOKEN } from '../../support/merge.ts';
import { HOUR_MS, REPOSITORY } from '../../support/world/names.ts';
import type { World } from '../../support/world.ts';

/** The run on a push at noon; GitHub writes its time in seconds. */
const PUSH = {
  ...PUSHED,
  payload: { ...PUSHED.payload, repository: { default_branch: 'main', pushed_at: 1_767_268_800 } },
};
const AGAIN = { ...PUSH, run: { ...PUSH.run, runAttempt: 2 } } as const;
const content = { kind: 'wait', publisher: PUBLISHER, token: WORKFLOW_TOKEN } as const;
const inputs = { content, timeoutMs: 0.75 * HOUR_MS } as const;

/** GitHub gives no person such a login; a server that does must not be enough to publish. The text fits the list and the states. */
function deployAsPerson({ github }: World): void {
  const creator = { login: BOT, type: 'User' };
  const body = [{ id: 1, sha: MERGED, environment: 'production', creator, state: 'success' }];
  github.inject({ match: { path: '/deployments', times: Number.POSITIVE_INFINITY }, status: 200, body });
}

describe('publish: wait', () => {
  it('The export starts once the App has published the commit, and the commit is named', async () => {
    await using world = await startMergeWith([
      [5000, (one) => check(one, { status: 'in_progress' })],
      [20_000, (one) => one.github.checkRuns.splice(0)],
      [20_000, (one) => check(one)],
      [22_000, (one) => deploy(one)],
    ]);
    const { facts, log } = await world.export({ ...inputs, to: makeDestination() }, PUSH);
    expect(facts).toMatchObject({ status: 'completed', contentCommit: MERGED, content: { publish: 'wait' } });
    expect(facts.content?.elapsedMs).toBeGreaterThanOrEqual(20_000);
    expect(log.text('info')).toContain('nothing from acme-docs yet');
    expect(log.text('info')).toContain('build (in_progress)');
    expect(world.calls({ method: 'POST', path: '/v1/project/' })).toEqual([]);
  });

  it.each([
    ['a check run of github-actions', (world: World) => check(world, { app: 'github-actions', name: PUBLISHER })],
    ['a deployment by a workflow', (world: World) => deploy(world, { creator: 'github-actions[bot]' })],
    ['a deployment by a person of that name', (world: World) => deploy(world, { creator: PUBLISHER })],
    ['a deployment by a person with the login of the App', deployAsPerson],
    ['a transient deployment', (world: World) => deploy(world, { isTransient: true })],
    [
      'a deployment that is not for production',
      (world: World) => [deploy(world, { sha: FIRST }), deploy(world, { environment: 'preview' })],
    ],
    ['a deployment of an earlier commit', (world: World) => deploy(world, { sha: FIRST })],
  ])('It does not count %s; after 10 minutes the run ends and says why', async (_, act) => {
    await using world = await startMerge();
    act(world);
    const { error } = await world.export(inputs, PUSH);
    expect(error).toMatchObject({ code: 'timed-out' });
    expect(error?.message).toMatch(/acme-docs made no check run and no deployment for commit 2222222 within 10 min/);
    expect(hintOf(error)).toContain('paths:');
    expect(hintOf(error)).toContain('publish: trigger');
    expect(world.platform.requests).toEqual([]);
  });

  it('A status that a workflow adds to the deployment of the App does not count', async () => {
    await using world = await startMerge();
    deploy(world, { states: ['in_progress', { state: 'success', creator: 'github-actions[bot]' }] });
    const { error } = await world.export({ ...inputs, timeoutMs: 120_000 }, PUSH);
    expect(error).toMatchObject({ code: 'timed-out' });
    expect(error?.message).toMatch(/deployment \d+ to production, of commit 2222222, is in_progress/);
  });

  it('A deployment that became inactive without a success was never published', async () => {
    await using world = await startMerge();
    deploy(world, { states: ['in_progress', 'inactive'] });
    const { error } = await world.export({ ...inputs, timeoutMs: 120_000 }, PUSH);
    expect(error).toMatchObject({ code: 'timed-out' });
    expect(error?.message).toMatch(/deployment \d+ to production, of commit 2222222, which is inactive/);
  });

  it('A later commit that the App has published counts for the commit of the run', async () => {
    await using world = await startMerge();
    world.github.addCommit({ repository: REPOSITORY, sha: LATER });
    deploy(world, { sha: LATER });
    const { facts } = await world.export(inputs, PUSH);
    expect(facts).toMatchObject({ status: 'completed', contentCommit: LATER });
  });

  it('A later commit that the App is still publishing does not count yet', async () => {
    await using world = await startMerge();
    world.github.addCommit({ repository: REPOSITORY, sha: LATER });
    deploy(world, { sha: LATER, states: ['in_progress'] });
    const { error } = await world.export({ ...inputs, timeoutMs: 120_000 }, PUSH);
    expect(error).toMatchObject({
      code: 'timed-out',
      message: expect.stringContaining('of commit 3333333, is in_progress'),
    });
  });

  it('A later commit counts as published even if the App skipped a check run for it', async () => {
    await using world = await startMerge();
    world.github.addCommit({ repository: REPOSITORY, sha: LATER });
    deploy(world, { sha: LATER });
    check(world, { headSha: LATER, conclusion: 'skipped' });
    const { facts } = await world.export(inputs, PUSH);
    expect(facts).toMatchObject({ status: 'completed', contentCommit: LATER });
  });

  it('A comparison that fails is repeated at the next look', async () => {
    await using world = await startMerge();
    world.github.addCommit({ repository: REPOSITORY, sha: LATER });
    deploy(world, { sha: LATER });
    world.github.inject({ match: { path: '/compare/', times: 1 }, status: 404, body: { message: 'Not Found' } });
    const { facts } = await world.export(inputs, PUSH);
    expect(facts).toMatchObject({ status: 'completed', contentCommit: LATER });
  });

  it('The check run of the App is found behind 150 of other Apps', async () => {
    await using world = await startMerge();
    for (let count = 0; count < 150; count += 1) check(world, { app: 'github-actions' });
    check(world);
    const { facts } = await world.export(inputs, PUSH);
    expect(facts).toMatchObject({ status: 'completed', contentCommit: MERGED });
  });

  it('A commit on another line, as after a force push, does not', async () => {
    await using world = await startMerge();
    world.github.addCommit({ repository: REPOSITORY, sha: LATER, parent: FIRST });
    deploy(world, { sha: LATER });
    const { error } = await world.export(inputs, PUSH);
    expect(error).toMatchObject({ code: 'timed-out' });
  });

  it.each([
    ['a check run and a deployment', (world: World) => [check(world), deploy(world)]],
    [
      'a check run that skipped, and a deployment',
      (world: World) => [check(world, { conclusion: 'skipped' }), deploy(world)],
    ],
  ])('This counts as published: %s', async (_, act) => {
    await using world = await startMerge();
    act(world);
    expect((await world.export(inputs, PUSH)).facts).toMatchObject({ status: 'completed', contentCommit: MERGED });
  });

  it('If the App makes no deployments, all its check runs must be over: one that is under way is waited for', async () => {
    await using world = await startMerge();
    check(world);
    check(world, { name: 'publish', status: 'queued' });
    const { error } = await world.export({ ...inputs, timeoutMs: 60_000 }, PUSH);
    expect(error).toMatchObject({ code: 'timed-out' });
    expect(hintOf(error)).toContain('timeout: 2m');
  });

  it.each([
    [
      'a check run',
      (world: World) => [deploy(world, { sha: FIRST }), check(world, { conclusion: 'failure' })],
      'build ended as failure',
    ],
    [
      'a deployment',
      (world: World) => [check(world), deploy(world, { states: ['in_progress', 'error'] })],
      'ended as error',
    ],
  ])('One failure of the App ends the run: %s', async (_, act, said) => {
    await using world = await startMerge();
    act(world);
    const { error } = await world.export(inputs, PUSH);
    expect(error).toMatchObject({ code: 'job-failed' });
    expect(error?.message).toContain(said);
    expect(world.platform.requests).toEqual([]);
  });

  it.each(['neutral', 'skipped'])(
    'If all check runs are %s, the export continues and claims nothing',
    async (conclusion) => {
      await using world = await startMerge();
      check(world, { conclusion });
      const { facts, log } = await world.export(inputs, PUSH);
      expect(facts).toMatchObject({ status: 'completed', contentCommit: undefined });
      expect(log.text('info')).toContain('acme-docs built nothing for commit 2222222');
    },
  );

  it.each(['checks', 'deployments'])(
    'Without the permission %s the run ends with the lines to add',
    async (missing) => {
      await using world = await startMerge();
      const permissions = { checks: 'read', contents: 'read', deployments: 'read', [missing]: undefined } as const;
      world.github.setToken(WORKFLOW_TOKEN, { kind: 'workflow', permissions });
      const { error } = await world.export(inputs, PUSH);
      expect(error).toMatchObject({ code: 'forbidden' });
      expect(hintOf(error)).toContain('permissions:\n  checks: read\n  contents: read\n  deployments: read');
    },
  );

  it('Errors of GitHub on the way are waited out', async () => {
    await using world = await startMerge();
    deploy(world);
    world.github.inject({ match: { path: '/check-runs', times: 8 }, status: 502, body: { message: 'no' } });
    expect((await world.export(inputs, PUSH)).facts).toMatchObject({ status: 'completed', contentCommit: MERGED });
  });

  it('A re-run of a failed delivery waits for nothing that is published already', async () => {
    await using world = await startMerge();
    deploy(world);
    const to = makeDestination();
    world.github.inject({ match: { method: 'PUT', path: '/secrets/' }, status: 404, body: { message: 'no' } });
    expect((await world.export({ ...inputs, to }, PUSH)).error).toBeDefined();
    const { facts } = await world.export({ ...inputs, to }, AGAIN);
    expect(facts).toMatchObject({ status: 'completed', origin: 'resumed', contentCommit: MERGED });
  });
});

const report = { content: { kind: 'off', publisher: PUBLISHER, token: WORKFLOW_TOKEN } } as const;

describe('the event of the GitHub App of the platform', () => {
  it.each([
    ['deployment_status', deploymentEvent()],
    ['check_run', checkEvent()],
  ])('A run on its %s may write the link, and names the commit of its newest deployment', async (_, event) => {
    await using world = await startMerge();
    deploy(world);
    const { facts } = await world.export({ ...report, to: makeDestination() }, event);
    expect(facts).toMatchObject({ status: 'completed', contentCommit: MERGED, delivery: { updated: true } });
  });

  it.each([
    ['a check run of github-actions', checkEvent({ app: { slug: 'github-actions' } })],
    ['a check run of another branch', checkEvent({ check_suite: { head_branch: 'topic' } })],
    ['a check run of a fork', checkEvent({ check_suite: { head_branch: null } })],
    ['a deployment of a workflow', deploymentEvent({ creator: { login: 'github-actions[bot]', type: 'Bot' } })],
    ['a deployment of a person', deploymentEvent({ creator: { login: BOT, type: 'User' } })],
    ['a status of a workflow', deploymentEvent({}, { creator: { login: 'github-actions[bot]', type: 'Bot' } })],
    ['a preview', deploymentEvent({ transient_environment: true })],
    ['a deployment that is not for production', deploymentEvent({ production_environment: false })],
    ['a deployment of another branch', deploymentEvent({ ref: 'topic' })],
  ])('A run on %s may not', async (_, event) => {
    await using world = await startMerge();
    deploy(world);
    const { error } = await world.export({ ...report, to: makeDestination() }, event);
    expect(error).toMatchObject({ code: 'refused' });
    expect(hintOf(error)).toContain('if: github.event.');
    expect(world.writes()).toEqual([]);
    expect(world.platform.requests).toEqual([]);
  });

  it.each([
    ['the newest commit', MERGED],
    ['an earlier commit', FIRST],
  ])('A deployment that names %s of the default branch instead of a branch may write the link', async (_, sha) => {
    await using world = await startMerge();
    deploy(world, { sha });
    const event = deploymentEvent({ sha, ref: sha });
    const { facts } = await world.export({ ...report, to: makeDestination() }, { ...event, run: { sha } });
    expect(facts).toMatchObject({ status: 'completed', contentCommit: sha, delivery: { updated: true } });
  });

  it('A deployment that names a commit of another branch may not', async () => {
    await using world = await startMerge();
    world.github.addCommit({ repository: REPOSITORY, sha: LATER, parent: FIRST });
    const event = deploymentEvent({ ref: MERGED });
    const { error } = await world.export({ ...report, to: makeDestination() }, event);
    expect(error).toMatchObject({ code: 'refused' });
    expect(error?.message).toContain('its commit is not on main, the default branch');
    expect(world.writes()).toEqual([]);
  });

  it('A deployment that names a commit which is not merged yet may not', async () => {
    await using world = await startMerge();
    world.github.inject({ match: { path: '/compare/' }, status: 200, body: { status: 'ahead' } });
    const { error } = await world.export({ ...report, to: makeDestination() }, deploymentEvent({ ref: MERGED }));
    expect(error).toMatchObject({ code: 'refused' });
    expect(world.writes()).toEqual([]);
  });

  it('Without contents: read a deployment that names a commit ends the run, with the line to add', async () => {
    await using world = await startMerge();
    world.github.setToken(WORKFLOW_TOKEN, { kind: 'workflow', permissions: { checks: 'read', deployments: 'read' } });
    const { error } = await world.export({ ...report, to: makeDestination() }, deploymentEvent({ ref: MERGED }));
    expect(error).toMatchObject({ code: 'forbidden' });
    expect(error?.message).toContain('names commit 2222222 instead of a branch');
    expect(hintOf(error)).toContain('permissions:\n  contents: read');
    expect(world.platform.requests).toEqual([]);
  });

  it.each([
    ['a token', { ...report.content, token: undefined }, {}],
    ['deployments: read', report.content, { contents: 'read', checks: 'read' }],
  ] as const)('Without %s a run on an event of the App ends with the lines to add', async (_, own, permissions) => {
    await using world = await startMerge();
    world.github.setToken(WORKFLOW_TOKEN, { kind: 'workflow', permissions });
    const { error } = await world.export({ content: own, to: makeDestination() }, deploymentEvent());
    expect(error).toMatchObject({ code: 'forbidden' });
    expect(hintOf(error)).toContain('permissions:\n  checks: read\n  contents: read\n  deployments: read');
    expect(world.platform.requests).toEqual([]);
  });

  it('Without publisher the same events may not', async () => {
    await using world = await startMerge();
    const { error } = await world.export({ to: makeDestination() }, deploymentEvent());
    expect(error).toMatchObject({ code: 'refused' });
  });

  it.each([
    ['deployment_status', deploymentEvent({}, { state: 'in_progress' })],
    ['check_run', checkEvent({ status: 'in_progress', conclusion: null })],
  ])('A %s that is under way skips the run', async (_, event) => {
    await using world = await startMerge();
    const { facts } = await world.export({ ...report, to: makeDestination() }, event);
    expect(facts).toMatchObject({ status: 'skipped' });
    expect(facts.reason).toBe('acme-docs reports commit 2222222 as in_progress: it is not published yet');
  });

  it('A publication that failed fails the run, and no export starts', async () => {
    await using world = await startMerge();
    const { error } = await world.export(report, deploymentEvent({}, { state: 'failure' }));
    expect(error).toMatchObject({ code: 'job-failed' });
    expect(world.platform.requests).toEqual([]);
  });
});
