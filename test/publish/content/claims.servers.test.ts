import { describe, expect, it } from 'vitest';
import {
  BEFORE_PUSH,
  check,
  checkEvent,
  deploy,
  deploymentEvent,
  PUBLISHER,
  startMergeWith,
} from '../../support/app-reports.ts';
import { bundleInputs, makeDestination } from '../../support/make-inputs.ts';
import { hintOf } from '../../support/make-run.ts';
import { AGAIN, FIRST, LATER, MERGED, PUSH, push, WORKFLOW_TOKEN } from '../../support/merge.ts';
import { HOUR_MS, REPOSITORY, STATE, TARGET } from '../../support/world/names.ts';
import type { World } from '../../support/world.ts';

const content = { kind: 'wait', publisher: PUBLISHER, token: WORKFLOW_TOKEN } as const;
const wait = { content, timeoutMs: 0.75 * HOUR_MS } as const;
const trigger = {
  content: { kind: 'trigger', projectId: 'project-1', token: WORKFLOW_TOKEN },
  timeoutMs: 0.75 * HOUR_MS,
} as const;
const event = { content: { kind: 'off', publisher: PUBLISHER, token: WORKFLOW_TOKEN } } as const;
const compareWith = { kind: 'previous' } as const;
const slow = { platform: { exportJobs: { advance: 'time', durationMs: 120_000 } } } as const;

/** The run on the push of noon: GitHub writes its time in seconds. */
const AT_NOON = {
  ...PUSH,
  payload: { ...PUSH.payload, before: FIRST, repository: { default_branch: 'main', pushed_at: 1_767_268_800 } },
};

function stateText(world: World): string {
  return world.github.variable(TARGET, STATE)?.value ?? '';
}

describe('what publish: wait counts', () => {
  it('A check of a preview from before the push does not count for the commit that became the head of the branch', async () => {
    await using world = await startMergeWith([[60_000, (one) => check(one, { suite: 7 })]]);
    check(world, BEFORE_PUSH);
    const { facts } = await world.export(wait, AT_NOON);
    expect(facts).toMatchObject({ status: 'completed', contentCommit: MERGED });
    expect(facts.content?.elapsedMs).toBeGreaterThanOrEqual(60_000);
  });

  it('Another check of the App does not count if the App makes deployments: the deployment is waited for', async () => {
    await using world = await startMergeWith([
      [20_000, (one) => deploy(one, { states: ['in_progress'] })],
      [60_000, (one) => deploy(one)],
    ]);
    deploy(world, { sha: FIRST });
    check(world, { name: 'Links' });
    const { facts } = await world.export(wait, AT_NOON);
    expect(facts).toMatchObject({ status: 'completed', contentCommit: MERGED });
    expect(facts.content?.elapsedMs).toBeGreaterThanOrEqual(60_000);
  });

  it('A deployment that failed, was tried again and succeeded counts as published', async () => {
    await using world = await startMergeWith([]);
    deploy(world, { states: ['in_progress', 'error'] });
    deploy(world);
    const { facts } = await world.export(wait, AT_NOON);
    expect(facts).toMatchObject({ status: 'completed', contentCommit: MERGED });
  });

  it.each([
    ['still says success', ['success']],
    ['is inactive', ['success', 'inactive']],
  ] as const)(
    'An older commit that was published again is waited out, even if the deployment of the commit %s',
    async (_, states) => {
      await using world = await startMergeWith([[60_000, (one) => deploy(one)]]);
      deploy(world, { states });
      deploy(world, { sha: FIRST });
      const { facts } = await world.export(wait, AT_NOON);
      expect(facts).toMatchObject({ status: 'completed', contentCommit: MERGED });
      expect(facts.content?.elapsedMs).toBeGreaterThanOrEqual(60_000);
    },
  );

  it('It fails when its time is up, and names the deployment that contradicts', async () => {
    await using world = await startMergeWith([]);
    deploy(world);
    deploy(world, { sha: FIRST });
    const { error } = await world.export({ ...wait, timeoutMs: 120_000 }, AT_NOON);
    expect(error).toMatchObject({ code: 'timed-out' });
    expect(error?.message).toContain('of commit 1111111, which does not contain commit 2222222');
    expect(world.platform.requests).toEqual([]);
  });

  it('On an event without a push, a check from before the run says nothing, and the export starts', async () => {
    await using world = await startMergeWith([]);
    check(world, BEFORE_PUSH);
    const { facts, log } = await world.export(wait, { ...PUSH, eventName: 'workflow_dispatch' });
    expect(facts).toMatchObject({ status: 'completed', contentCommit: undefined });
    expect(log.text('info')).toContain('started before this run');
  });
});

describe('what the event of the App says', () => {
  it.each([
    ['still says success', ['success']],
    ['is inactive', ['success', 'inactive']],
  ] as const)(
    'A re-run on an old event warns if an older commit was published since, and its deployment %s',
    async (_, states) => {
      await using world = await startMergeWith([]);
      deploy(world, { states });
      deploy(world, { sha: FIRST });
      const old = deploymentEvent();
      const { facts, log } = await world.export(
        { ...event, to: makeDestination() },
        { ...old, run: { ...old.run, runAttempt: 2 } },
      );
      expect(facts).toMatchObject({ status: 'completed', contentCommit: undefined, delivery: { updated: true } });
      expect(log.text('warning')).toContain(
        'The export may not include commit 2222222: the newest deployment of acme-docs',
      );
      expect(stateText(world)).not.toContain('contentCommit');
    },
  );

  it('A re-run on an old event names the later commit that is published now', async () => {
    await using world = await startMergeWith([]);
    deploy(world, { sha: FIRST });
    deploy(world);
    const { facts } = await world.export(event, deploymentEvent({ sha: FIRST }));
    expect(facts).toMatchObject({ status: 'completed', contentCommit: MERGED, content: { commit: FIRST } });
  });

  it('Nothing is claimed of a deployment that names something that is not a commit', async () => {
    await using world = await startMergeWith([]);
    deploy(world, { sha: 'main' });
    const { facts, log } = await world.export({ ...event, to: makeDestination() }, deploymentEvent({ sha: 'main' }));
    expect(facts).toMatchObject({ status: 'completed', contentCommit: undefined });
    expect(log.text('info')).toContain('something that is not a commit');
    expect(stateText(world)).not.toContain('contentCommit');
  });

  it.each([
    ['check run', checkEvent({ check_suite: { head_branch: 'refs/heads/main' } })],
    ['deployment', deploymentEvent({ ref: 'refs/heads/main' })],
  ])('A %s of a branch that is called refs/heads/main is not one of main', async (_, given) => {
    await using world = await startMergeWith([]);
    deploy(world);
    world.github.inject({ match: { path: '/compare/', times: 9 }, status: 200, body: { status: 'diverged' } });
    const { error } = await world.export({ ...event, to: makeDestination() }, given);
    expect(error).toMatchObject({ code: 'refused' });
    expect(world.writes()).toEqual([]);
  });

  it('A check run writes the link, and claims nothing: it started before the run', async () => {
    await using world = await startMergeWith([]);
    check(world, BEFORE_PUSH);
    const { facts } = await world.export({ ...event, to: makeDestination() }, checkEvent());
    expect(facts).toMatchObject({ status: 'completed', contentCommit: undefined, delivery: { updated: true } });
  });
});

describe('several sites in one repository', () => {
  const api = { environment: 'API - production', isProduction: true } as const;
  const guides = { environment: 'Guides - production', isProduction: true } as const;

  function named(environment: string) {
    return { ...wait, content: { ...content, publisher: `${PUBLISHER}/${environment}` } };
  }

  it.each([
    ['publish: wait', wait, AT_NOON],
    ['an event of the App', event, deploymentEvent({ environment: api.environment })],
  ])(
    'Without the environment in publisher, %s ends as config with both, before anything starts',
    async (_, inputs, run) => {
      await using world = await startMergeWith([]);
      deploy(world, { ...guides, sha: FIRST });
      deploy(world, { ...guides, states: ['in_progress'] });
      deploy(world, api);
      const { error } = await world.export({ ...inputs, to: makeDestination() }, run);
      expect(error).toMatchObject({ code: 'config' });
      expect(error?.message).toContain('2 environments of this repository: API - production, Guides - production');
      expect(hintOf(error)).toContain('publisher: acme-docs/');
      expect(world.platform.requests).toEqual([]);
      expect(world.writes()).toEqual([]);
    },
  );

  it('The deployment of the other site does not count', async () => {
    await using world = await startMergeWith([[60_000, (one) => deploy(one, guides)]]);
    deploy(world, { ...guides, sha: FIRST });
    deploy(world, api);
    const { facts } = await world.export(named('guides - Production'), AT_NOON);
    expect(facts).toMatchObject({ status: 'completed', contentCommit: MERGED });
    expect(facts.content?.elapsedMs).toBeGreaterThanOrEqual(60_000);
  });

  it('An environment that the App does not have ends as config, with those that it has', async () => {
    await using world = await startMergeWith([]);
    deploy(world, guides);
    const { error } = await world.export(named('staging'), AT_NOON);
    expect(error).toMatchObject({ code: 'config' });
    expect(error?.message).toContain('Its environments are: Guides - production.');
    expect(world.platform.requests).toEqual([]);
  });

  it('A site that was not published for 90 days needs no name', async () => {
    await using world = await startMergeWith([]);
    deploy(world, { ...api, createdAt: world.clock.now() - 91 * 24 * HOUR_MS });
    deploy(world, guides);
    expect((await world.export(wait, AT_NOON)).facts).toMatchObject({ contentCommit: MERGED });
  });

  it('An event about the other site may not write the link', async () => {
    await using world = await startMergeWith([]);
    deploy(world, guides);
    deploy(world, api);
    const given = { ...event, content: { ...event.content, publisher: `${PUBLISHER}/${guides.environment}` } };
    const { error } = await world.export(
      { ...given, to: makeDestination() },
      deploymentEvent({ environment: api.environment }),
    );
    expect(error).toMatchObject({ code: 'refused' });
    expect(hintOf(error)).toContain("github.event.deployment.environment == 'Guides - production'");
    expect(world.platform.requests).toEqual([]);
  });

  it('If the App marks none of its deployments as production, one that is not transient counts', async () => {
    await using world = await startMergeWith([]);
    deploy(world, { environment: 'docs', isProduction: false });
    deploy(world, { environment: 'preview', isProduction: false, isTransient: true, states: ['error'] });
    const own = deploymentEvent({ environment: 'docs', production_environment: false });
    const { facts } = await world.export({ ...event, to: makeDestination() }, own);
    expect(facts).toMatchObject({ status: 'completed', contentCommit: MERGED });
  });
});

describe('when the export job has ended', () => {
  it('A commit is not claimed if an older one was published again while the export ran', async () => {
    await using world = await startMergeWith([[60_000, (one) => deploy(one, { sha: FIRST })]], slow);
    deploy(world);
    const { facts, log } = await world.export({ ...wait, to: makeDestination() }, AT_NOON);
    expect(facts).toMatchObject({ status: 'completed', contentCommit: undefined, delivery: { updated: true } });
    expect(log.text('warning')).toContain('of commit 1111111, which does not contain commit 2222222');
    expect(stateText(world)).not.toContain(`"contentCommit"`);
    expect(stateText(world)).not.toContain(`"reported"`);
  });

  it('A commit is not claimed if GitHub cannot be read again', async () => {
    await using world = await startMergeWith([], slow);
    deploy(world);
    const forbid = () => world.github.setToken(WORKFLOW_TOKEN, { kind: 'workflow', permissions: {} });
    const { facts, log } = await world.export(wait, {
      ...AT_NOON,
      onRecord: ({ jobId }) => jobId !== undefined && forbid(),
    });
    expect(facts).toMatchObject({ status: 'completed', contentCommit: undefined });
    expect(log.text('info')).toContain('could not be read again');
  });

  it('A commit stays claimed if a later one was published meanwhile, and says how it is known', async () => {
    await using world = await startMergeWith([[60_000, (one) => deploy(one, { sha: LATER })]], slow);
    world.github.addCommit({ repository: REPOSITORY, sha: LATER });
    deploy(world);
    const { facts } = await world.export({ ...wait, to: makeDestination() }, AT_NOON);
    expect(facts).toMatchObject({ contentCommit: MERGED, content: { reported: { by: PUBLISHER } } });
    expect(JSON.parse(stateText(world))).toMatchObject({
      history: [
        { contentCommit: MERGED, contentFrom: expect.stringMatching(/^acme-docs, deployment \d+ to production$/) },
      ],
    });
  });

  it('An attempt that attaches keeps what the first one recorded, and drops it if an older commit was published since', async () => {
    await using world = await startMergeWith([], slow);
    deploy(world);
    const to = makeDestination();
    const short = await world.export({ ...wait, to, timeoutMs: 60_000 }, AT_NOON);
    expect(short.error).toMatchObject({ code: 'timed-out' });
    const again = { ...AT_NOON, run: AGAIN.run };
    const kept = await world.export({ ...wait, to }, again);
    expect(kept.facts).toMatchObject({
      origin: 'resumed',
      contentCommit: MERGED,
      content: { reported: { by: PUBLISHER } },
    });
    deploy(world, { sha: FIRST });
    const dropped = await world.export({ ...wait, to }, { ...again, run: { ...again.run, runAttempt: 3 } });
    expect(dropped.facts).toMatchObject({ origin: 'resumed', contentCommit: undefined });
  });
});

describe('what the export itself shows', () => {
  async function startExported(files: readonly string[]): Promise<World> {
    const world = await startMergeWith([]);
    await world.export(
      { to: makeDestination() },
      { eventName: 'workflow_dispatch', run: { sha: FIRST, runId: '400' } },
    );
    world.github.addCommit({ repository: REPOSITORY, sha: LATER, files: files.map((filename) => ({ filename })) });
    return world;
  }

  const onPush = (sha: string, runId: string) => ({
    ...AT_NOON,
    payload: { ...AT_NOON.payload, before: MERGED },
    env: { ...AT_NOON.env, GITHUB_SHA: sha },
    run: { sha, runId },
  });
  const later = onPush(LATER, '401');
  const inputs = { ...trigger, compareWith, to: makeDestination() } as const;

  it('After a rollback on the platform, an update succeeds and the commit is not claimed: no page changed', async () => {
    await using world = await startExported(['docs/install.md', 'src/main.ts']);
    await world.platform.rollBack();
    await push(world, LATER, 'Later text.');
    const { facts, log } = await world.export(inputs, later);
    expect(facts).toMatchObject({ status: 'completed', contentCommit: undefined, delivery: { updated: true } });
    expect(log.text('warning')).toContain(
      'The export may not include commit 3333333: the change touched docs/install.md, the source of the page /install',
    );
    expect(stateText(world)).not.toContain('contentCommit');
  });

  it('A change that touches no page may leave the export as it is', async () => {
    await using world = await startExported(['src/main.ts', 'docs/internal.md']);
    await push(world, LATER, 'Hello.');
    await world.platform.rollBack();
    const { facts, log } = await world.export(inputs, later);
    expect(facts).toMatchObject({ status: 'completed', contentCommit: LATER });
    expect(log.text('warning')).toBe('');
  });

  it('The pages that changed are named beside the commit if one of them belongs to a file of the change', async () => {
    await using world = await startExported(['docs/index.md']);
    await push(world, LATER, 'Later text.');
    const { facts } = await world.export(inputs, later);
    expect(facts).toMatchObject({ contentCommit: LATER, content: { seenPages: 1 } });
  });

  it('Pages that changed for another reason are not named beside the commit', async () => {
    await using world = await startExported(['docs/install.md']);
    await push(world, LATER, 'Later text.');
    const { facts } = await world.export(inputs, later);
    expect(facts).toMatchObject({ contentCommit: LATER, changes: { changed: 1 } });
    expect(facts.content?.seenPages).toBeUndefined();
  });

  it('The content of an export before the live one is not the content of a new commit', async () => {
    await using world = await startMergeWith([]);
    await world.export(
      { ...inputs, compareWith: { kind: 'none' } },
      { ...AT_NOON, run: { sha: MERGED, runId: '400' } },
    );
    const site = { extractTo: `${world.root}/workspace/site` };
    const bundle = bundleInputs(site);
    for (const [sha, text, runId] of [
      [LATER, 'Later text.', '401'],
      ['4'.repeat(40), 'Fourth text.', '402'],
    ] as const) {
      world.github.addCommit({ repository: REPOSITORY, sha, files: [{ filename: 'index.md' }] });
      await push(world, sha, text);
      const { facts } = await world.export({ ...inputs, bundle: { ...bundle, clean: true } }, onPush(sha, runId));
      expect(facts).toMatchObject({ contentCommit: sha });
    }
    const sha = '5'.repeat(40);
    world.github.addCommit({ repository: REPOSITORY, sha, files: [{ filename: 'index.md' }] });
    await push(world, sha, 'Later text.');
    const { facts, log } = await world.export({ ...inputs, bundle: { ...bundle, clean: true } }, onPush(sha, '403'));
    expect(facts).toMatchObject({ status: 'completed', contentCommit: undefined });
    expect(log.text('warning')).toContain('its content is that of the earlier export');
  });
});

describe('a merged pull request', () => {
  const merged = (ref: string) => ({
    eventName: 'pull_request',
    payload: {
      action: 'closed',
      repository: { default_branch: 'main' },
      pull_request: {
        merged: true,
        merged_at: '2026-01-01T12:00:00Z',
        merge_commit_sha: MERGED,
        base: { ref, sha: FIRST },
      },
    },
    env: { GITHUB_REF_NAME: ref, GITHUB_SHA: MERGED, GITHUB_REF_PROTECTED: 'false' },
    run: { sha: MERGED },
  });

  it('The link is written if it was merged into the default branch', async () => {
    await using world = await startMergeWith([]);
    const { facts } = await world.export({ to: makeDestination() }, merged('main'));
    expect(facts).toMatchObject({ status: 'completed', delivery: { updated: true } });
  });

  it('The link is not written if it was merged into another branch, as after a push to that branch', async () => {
    await using world = await startMergeWith([]);
    const { error } = await world.export({ to: makeDestination() }, merged('topic'));
    expect(error).toMatchObject({ code: 'refused' });
    expect(world.platform.requests).toEqual([]);
    expect(world.writes()).toEqual([]);
  });

  it('The link is written if it was merged into a protected branch', async () => {
    await using world = await startMergeWith([]);
    const given = merged('release');
    const env = { ...given.env, GITHUB_REF_PROTECTED: 'true' };
    const { facts } = await world.export({ to: makeDestination() }, { ...given, env });
    expect(facts).toMatchObject({ status: 'completed', delivery: { updated: true } });
  });
});
