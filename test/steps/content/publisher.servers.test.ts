import { describe, expect, it } from 'vitest';
import { expectError } from '../../support/failure.ts';
import { makeDestination } from '../../support/make-inputs.ts';
import { hintOf } from '../../support/make-run.ts';
import {
  deploymentEvent,
  FIRST,
  LATER,
  MERGED,
  startMerge,
  WORKFLOW_TOKEN,
} from '../../support/merge.ts';
import { REPOSITORY } from '../../support/world/names.ts';
import type { World } from '../../support/world.ts';

const APP = 'acme-docs';
const BOT = `${APP}[bot]`;
const OTHER_BOT = { login: 'github-actions[bot]', type: 'Bot' };
const repository = { default_branch: 'main' };
const content = { publish: undefined, publisher: APP, token: WORKFLOW_TOKEN } as const;
const inputs = { content, to: makeDestination() } as const;

function checkEvent(change: object = {}) {
  const run = {
    id: 7,
    app: { slug: APP },
    head_sha: MERGED,
    status: 'completed',
    conclusion: 'success',
  };
  const check_run = { ...run, check_suite: { head_branch: 'main' }, ...change };
  return {
    eventName: 'check_run',
    payload: { action: 'completed', repository, check_run },
    run: { sha: LATER },
  };
}

function deploy({ github }: World, isTransient = false): void {
  github.addDeployment({ repository: REPOSITORY, sha: MERGED, creator: BOT, isTransient });
}

/** A commit that the default branch does not have. */
function commitOfTopic({ github }: World): void {
  github.addCommit({ repository: REPOSITORY, sha: LATER, branch: 'topic' });
}

describe('a run on an event of the GitHub App of the platform', () => {
  it.each([
    ['deployment_status', deploymentEvent(), 'deployment 12'],
    ['check_run', checkEvent(), 'check run 7'],
  ])(
    'A success on %s writes the link, names the commit of the event, and warns of nothing',
    async (_, event, source) => {
      await using world = await startMerge();
      const { facts, log } = await world.export(inputs, event);
      expect(facts).toMatchObject({
        status: 'completed',
        contentCommit: MERGED,
        delivery: { updated: true },
      });
      expect(facts.content?.published).toEqual({ commit: MERGED, by: APP, source });
      expect(log.text('info')).toContain(`Published by acme-docs: commit 2222222 (${source}).`);
      expect(log.text('warning')).toBe('');
      expect(world.state()).toMatchObject({
        history: [{ contentCommit: MERGED, contentFrom: `acme-docs, ${source}` }],
      });
    },
  );

  it('It asks GitHub once whether the default branch has the commit, and reads nothing again after the export', async () => {
    await using world = await startMerge();
    await world.export(inputs, deploymentEvent());
    expect(world.github.requests.filter(({ path }) => path.includes('/compare/'))).toHaveLength(1);
    expect(world.github.requests.filter(({ path }) => path.includes('/deployments'))).toEqual([]);
  });

  it('A deployment of an earlier commit of the default branch writes the link, and names that commit', async () => {
    await using world = await startMerge();
    const { facts } = await world.export(inputs, deploymentEvent({ sha: FIRST, ref: FIRST }));
    expect(facts).toMatchObject({ status: 'completed', contentCommit: FIRST });
  });

  it.each([
    ['deployment that names the default branch', deploymentEvent({ sha: LATER, ref: 'main' })],
    ['check run of the default branch', checkEvent({ head_sha: LATER })],
  ])('A %s does not write the link if its commit is not on that branch', async (_, event) => {
    await using world = await startMerge();
    commitOfTopic(world);
    const { error } = await world.export(inputs, { ...event, run: { sha: LATER } });
    expectError(error, {
      code: 'refused',
      message: 'its commit is not on main, the default branch',
    });
    expect(world.writes()).toEqual([]);
    expect(world.platform.requests).toEqual([]);
  });

  it.each([
    ['a check run of github-actions', checkEvent({ app: { slug: 'github-actions' } })],
    ['a deployment of a workflow', deploymentEvent({ creator: OTHER_BOT })],
    ['a deployment of a person', deploymentEvent({ creator: { login: BOT, type: 'User' } })],
    ['a status of a workflow', deploymentEvent({}, { creator: OTHER_BOT })],
    ['a transient deployment', deploymentEvent({ transient_environment: true })],
    ['something that is not a commit', deploymentEvent({ sha: 'main' })],
  ])('A run on %s does not write the link', async (_, event) => {
    await using world = await startMerge();
    const { error } = await world.export(inputs, event);
    expectError(error, { code: 'refused', hint: 'if: github.event.' });
    expect(world.writes()).toEqual([]);
    expect(world.platform.requests).toEqual([]);
  });

  it('A check run does not write the link if the App makes deployments: a check may be about anything', async () => {
    await using world = await startMerge();
    deploy(world);
    const { error } = await world.export(inputs, checkEvent());
    expectError(error, { code: 'refused', hint: 'deployment_status' });
    expect(world.platform.requests).toEqual([]);
  });

  it('A check run does not write the link if 250 newer deployments of others hide that of the App', async () => {
    await using world = await startMerge();
    deploy(world);
    for (let at = 0; at < 250; at += 1)
      world.github.addDeployment({ repository: REPOSITORY, sha: MERGED, creator: 'previews[bot]' });
    const { error } = await world.export(inputs, checkEvent());
    expect(error).toMatchObject({ code: 'refused' });
    expect(world.platform.requests).toEqual([]);
  });

  it.each([
    ['is the newest one', [], undefined],
    ['is followed by one that failed', [{ state: 'failure' }], undefined],
    ['is followed by one that has not ended', [{ state: 'in_progress' }], undefined],
    ['is followed by one of another App', [{ creator: 'previews[bot]' }], undefined],
    ['is followed by a preview', [{ isTransient: true }], undefined],
    ['is followed by one of another environment', [{ environment: 'guides' }], undefined],
    ['has been replaced', [{}], /deployment \d+ has replaced deployment/],
    [
      'has been replaced, and another one has failed since',
      [{}, { state: 'error' }],
      /has replaced/,
    ],
  ] as const)('A re-run on a deployment that %s ends accordingly', async (_, later, why) => {
    await using world = await startMerge();
    const made = { repository: REPOSITORY, sha: MERGED, creator: BOT };
    const { id } = world.github.addDeployment(made);
    for (const one of later) world.github.addDeployment({ ...made, ...one });
    const event = deploymentEvent({ id });
    const first = await world.export(inputs, event);
    expect(first.facts).toMatchObject({ status: 'completed', contentCommit: MERGED });
    const { facts, error } = await world.export(inputs, {
      ...event,
      run: { ...event.run, runAttempt: 2, runId: '777' },
    });
    expect(facts.status).toBe(why === undefined ? 'completed' : undefined);
    if (why === undefined) return;
    expectError(error, { code: 'refused', message: why });
    expect(world.platform.exportJobs).toHaveLength(1);
  });

  it('A re-run on a deployment that was made inactive does not write the link', async () => {
    await using world = await startMerge();
    const made = { repository: REPOSITORY, sha: MERGED, creator: BOT, state: 'inactive' } as const;
    const event = deploymentEvent({ id: world.github.addDeployment(made).id });
    const { error } = await world.export(inputs, {
      ...event,
      run: { ...event.run, runAttempt: 2 },
    });
    expect(error?.message).toContain('is inactive now');
    expect(world.platform.requests).toEqual([]);
  });

  it('A re-run on a check run writes the link, and does not name its commit as the published one', async () => {
    await using world = await startMerge();
    const event = checkEvent();
    const { facts } = await world.export(inputs, {
      ...event,
      run: { ...event.run, runAttempt: 2 },
    });
    expect(facts).toMatchObject({ status: 'completed', contentCommit: undefined });
  });

  it('A check run writes the link if the deployments of the App are all transient', async () => {
    await using world = await startMerge();
    deploy(world, true);
    const { facts } = await world.export(inputs, checkEvent());
    expect(facts).toMatchObject({ status: 'completed', contentCommit: MERGED });
  });

  it('Only the environment that publisher names may write the link', async () => {
    await using world = await startMerge();
    const guides = { ...inputs, content: { ...content, publisher: `${APP}/Guides` } };
    expect((await world.export(guides, deploymentEvent())).error).toMatchObject({
      code: 'refused',
    });
    const { facts } = await world.export(guides, deploymentEvent({ environment: 'guides' }));
    expect(facts).toMatchObject({ status: 'completed', contentCommit: MERGED });
  });

  it.each([
    ['deployment_status', deploymentEvent({}, { state: 'in_progress' }), 'deployment 12'],
    ['check_run', checkEvent({ status: 'in_progress', conclusion: null }), 'check run 7'],
  ])('A %s that is pending skips the run, without a request', async (_, event, source) => {
    await using world = await startMerge();
    const { facts } = await world.export(inputs, event);
    expect(facts).toMatchObject({ status: 'skipped' });
    expect(facts.reason).toBe(
      `Not published yet: ${source} of acme-docs, for commit 2222222, is in_progress`,
    );
    expect([...world.github.requests, ...world.platform.requests]).toEqual([]);
  });

  it.each([
    ['deployment', deploymentEvent({}, { state: 'failure' })],
    ['check run', checkEvent({ conclusion: 'failure' })],
  ])('A %s that failed fails the run, and no export starts', async (_, event) => {
    await using world = await startMerge();
    const { error } = await world.export(inputs, event);
    expectError(error, { code: 'job-failed', message: 'ended as failure. No export was started.' });
    expect(world.platform.requests).toEqual([]);
  });

  it.each([
    [
      'github-token',
      { ...inputs, content: { ...content, token: undefined } },
      deploymentEvent(),
      'contents: read',
    ],
    ['contents: read', inputs, deploymentEvent(), 'contents: read'],
    ['deployments: read', inputs, checkEvent(), 'deployments: read'],
    [
      'deployments: read, in a re-run',
      inputs,
      { ...deploymentEvent(), run: { runAttempt: 2 } },
      'deployments: read',
    ],
  ])('Without %s the run ends with the lines to add', async (_, given, event, line) => {
    await using world = await startMerge();
    world.github.setToken(WORKFLOW_TOKEN, { kind: 'workflow', permissions: {} });
    const { error } = await world.export(given, event);
    expectError(error, { code: 'forbidden', hint: 'permissions:\n  contents: read' });
    expect(hintOf(error)).toContain(line);
    expect(world.platform.requests).toEqual([]);
  });

  it('Without publisher an event of an App does not write the link', async () => {
    await using world = await startMerge();
    const { error } = await world.export({ to: makeDestination() }, deploymentEvent());
    expect(error).toMatchObject({ code: 'refused' });
  });
});
