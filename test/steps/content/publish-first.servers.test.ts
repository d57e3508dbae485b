import { describe, expect, it } from 'vitest';
import { type PublishFacts, publishPresentation } from '../../../src/publish/summary.ts';
import type { RunFacts } from '../../../src/run/report.ts';
import { expectError } from '../../support/failure.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { bundleInputs, makeDestination } from '../../support/make-inputs.ts';
import { hintOf } from '../../support/make-run.ts';
import {
  AGAIN,
  FIRST,
  LATER,
  MERGED,
  PUSH,
  push,
  startMerge,
  WORKFLOW_TOKEN,
} from '../../support/merge.ts';
import { HOUR_MS, REPOSITORY, START } from '../../support/world/names.ts';
import type { World } from '../../support/world.ts';

const REQUEST = { method: 'POST', path: '/v1/project/update/' };
const STATUS = { method: 'GET', path: '/v1/project/update-status/' };
const content = { publish: true, projectId: 'project-1', token: WORKFLOW_TOKEN } as const;
const inputs = { content, timeoutMs: 0.75 * HOUR_MS } as const;

function updates(world: World): number {
  return world.calls(REQUEST).length;
}

/** The facts of a run whose export has the commit of the run. */
const COMPLETED = { status: 'completed', contentCommit: MERGED } as const;

function publish(world: World) {
  return world.export(inputs, PUSH);
}

async function pushLater(world: World): Promise<void> {
  world.github.addCommit({ repository: REPOSITORY, sha: LATER });
  await push(world, LATER, 'Later text.');
}

const NOT_SHOWN = 'Commit 2222222 of this run is not shown to be published.';

function summaryOf(facts: Partial<PublishFacts & RunFacts>): string {
  const common = { version: 1, mode: 'export', startedAt: '', elapsedMs: 1 } as const;
  return publishPresentation.summary({ status: 'completed', ...common, ...facts }, 0);
}

function expectNoExport(world: World): void {
  expect(world.platform.exportJobs).toEqual([]);
}

describe('publish: true', () => {
  it('A push whose content is published 20 s later is exported with that content, and the commit is named', async () => {
    await using world = await startMerge();
    const bundle = bundleInputs({ extractTo: `${world.root}/workspace/site` });
    const to = makeDestination();
    const { facts, log } = await world.export({ ...inputs, bundle, to }, PUSH);
    expect(facts).toMatchObject(COMPLETED);
    expect(facts.content).toMatchObject({
      publish: true,
      commit: MERGED,
      update: world.platform.updates[0]?.id,
    });
    expect(facts.content?.elapsedMs).toBeGreaterThanOrEqual(20_000);
    expect(world.files()).toContain('workspace/site/index.html');
    expect(world.platform.exportJobs).toHaveLength(1);
    expect(updates(world)).toBe(1);
    expect(world.state()).toMatchObject({ history: [{ commit: MERGED, contentCommit: MERGED }] });
    expect(log.text('info')).toContain('Published for this run: commit 2222222 (update ');
    expect(summaryOf(facts)).not.toContain('not shown');
    expect(log.text()).toContain('Publishing: following update');
  });

  it('An update that ends after 2.5 s is seen within a second and a half, and read once when it has ended', async () => {
    await using world = await startMerge({ platform: { publishLagMs: 2500 } });
    const { facts } = await publish(world);
    expect(facts).toMatchObject(COMPLETED);
    expect(facts.content?.elapsedMs).toBeLessThan(4000);
    expect(world.calls(STATUS).length).toBeLessThanOrEqual(3);
  });

  it('A later commit counts for the commit of the run, and is named as the one that is published', async () => {
    await using world = await startMerge();
    await pushLater(world);
    const { facts } = await publish(world);
    expect(facts).toMatchObject({ status: 'completed', contentCommit: LATER });
  });

  it('A platform that published an older commit is asked once more, and its second answer counts', async () => {
    await using world = await startMerge();
    world.platform.scriptNextUpdate({ commit: FIRST });
    const { facts } = await publish(world);
    expect(facts).toMatchObject(COMPLETED);
    expect(updates(world)).toBe(2);
  });

  it('A platform that publishes an older commit twice ends the run, and no export starts', async () => {
    await using world = await startMerge({ platform: { updateScript: { commit: FIRST } } });
    const { error } = await publish(world);
    expectError(error, {
      code: 'conflict',
      message: 'commit 1111111 in 2 updates, which does not include commit 2222222',
    });
    expect(updates(world)).toBe(2);
    expectNoExport(world);
  });

  it('A merge that changes no documentation is exported after the second update, and nothing is claimed', async () => {
    await using world = await startMerge();
    await publish(world);
    world.github.addCommit({ repository: REPOSITORY, sha: LATER });
    const env = { ...PUSH.env, GITHUB_SHA: LATER };
    const { facts, log } = await world.export(inputs, { ...PUSH, env, run: { sha: LATER } });
    expect(facts).toMatchObject({ status: 'completed', contentCommit: undefined });
    expect(log.text('warning')).toContain(
      'Commit 3333333 of this run is not shown to be published. The platform published commit 2222222, and says that no file changed.',
    );
    expect(updates(world)).toBe(3);
    expect(world.platform.exportJobs).toHaveLength(2);
  });

  it('A platform that stays at an older commit and does not say which files changed ends the run', async () => {
    await using world = await startMerge();
    const body = { status: 'success', commit: { sha: FIRST, filesChanged: {} } };
    world.platform.inject({ match: { ...STATUS, times: 9 }, status: 200, body });
    expect((await publish(world)).error).toMatchObject({ code: 'conflict' });
    expectNoExport(world);
  });

  it('After a force push, a commit on another line does not count as the commit of the run', async () => {
    await using world = await startMerge();
    world.github.addCommit({ repository: REPOSITORY, sha: LATER, parent: FIRST });
    await push(world, LATER, 'Forced text.');
    const { error } = await publish(world);
    expectError(error, { code: 'conflict', hint: 'force push' });
    expectNoExport(world);
  });

  it('A reply about another update does not count, and no export starts', async () => {
    await using world = await startMerge();
    const body = { _id: 'another', status: 'success', commit: { sha: MERGED } };
    world.platform.inject({
      match: { ...STATUS, times: Number.POSITIVE_INFINITY },
      status: 200,
      body,
    });
    const { error } = await publish(world);
    expectError(error, { message: 'and answered about another' });
    expectNoExport(world);
  });

  it.each([
    ['it names no commit', { silent: true }, 'info', 'names no commit'],
    [
      'its commit is of another repository',
      { commit: 'f'.repeat(40) },
      'warning',
      'could not be compared',
    ],
    ['its commit is not one', { commit: 'main' }, 'warning', 'cannot be compared'],
  ] as const)(
    'An update is exported and nothing is claimed if %s',
    async (_, updateScript, level, said) => {
      await using world = await startMerge({ platform: { updateScript } });
      const { facts, log } = await publish(world);
      expect(facts).toMatchObject({
        status: 'completed',
        contentCommit: undefined,
        content: { published: undefined },
      });
      expect(log.text(level)).toContain(said);
      expect(log.text('warning') !== '').toBe(level === 'warning');
      expect(log.text('warning') || NOT_SHOWN).toContain(NOT_SHOWN);
      expect(summaryOf(facts)).toContain(
        'commit `2222222` of this run is not shown to be published',
      );
      expect(log.text('info')).not.toContain('Published for this run');
      expect(updates(world)).toBe(1);
    },
  );

  it('Without the permission to read the repository a later commit does not count, and nothing fails', async () => {
    await using world = await startMerge();
    world.github.setToken(WORKFLOW_TOKEN, { kind: 'workflow', permissions: {} });
    await pushLater(world);
    const { facts, log } = await publish(world);
    expect(facts).toMatchObject({ status: 'completed', contentCommit: undefined });
    expect(log.text('warning')).toContain('contents: read');
  });

  it('A run that cannot ask GitHub warns of a published commit that is not its own', async () => {
    await using world = await startMerge();
    await pushLater(world);
    const withoutToken = { ...inputs, content: { ...content, token: undefined } };
    const { log } = await world.export(withoutToken, PUSH);
    expect(log.text('warning')).toContain(NOT_SHOWN);
    expect(log.text('warning')).toContain('cannot be compared with commit');
  });

  it('A failed update ends the run with the summary and the last lines of the platform, redacted', async () => {
    await using world = await startMerge();
    const four = 'four https://b.example.com/a?sig=abcdefghijklmnop\n- forged';
    const logs = [
      'one',
      'two',
      'three',
      four,
      'five',
      `key ${world.platform.keys.admin}`,
      '::error::forged',
    ];
    world.platform.scriptNextUpdate({
      outcome: 'failure',
      summary: 'A page does not build.',
      logs,
    });
    const { error, recorded } = await publish(world);
    expect(error).toMatchObject({ code: 'job-failed' });
    expect(recorded.contentCommit).toBeUndefined();
    expect(recorded.content).toMatchObject({ update: world.platform.updates[0]?.id });
    expect(error?.message).toContain('failed: A page does not build. No export was started.');
    expect(error?.message).not.toContain('two');
    expect(error?.message).toContain('- three');
    expect(error?.message).toContain('- four https://b.example.com/a?…');
    expect(error?.message).not.toContain('\n- forged');
    expect(error?.message).not.toContain(world.platform.keys.admin);
    expectNoExport(world);
  });

  it.each([404, 405])(
    'If an installation answers %i, the run claims nothing, and the error has both ways out',
    async (status) => {
      await using world = await startMerge();
      world.platform.inject({ match: REQUEST, status, body: { error: 'no' } });
      const { error, recorded } = await publish(world);
      expect(error).toMatchObject({ code: 'not-found' });
      expect(recorded.contentCommit).toBeUndefined();
      expect(hintOf(error)).toContain('input publisher');
      expect(hintOf(error)).toContain('publish: false');
      expectNoExport(world);
    },
  );

  it.each([
    ['cut', { reset: 'after' }],
    ['a 502', { status: 502, applied: true }],
    ['half a reply', { truncateAfterBytes: 4 }],
  ] as const)(
    'A request whose reply is lost (%s) is not repeated; the next attempt makes one more',
    async (_, fault) => {
      await using world = await startMerge();
      world.platform.inject({ match: REQUEST, ...fault });
      const first = await world.export({ ...inputs, to: makeDestination() }, PUSH);
      expectError(first.error, { message: 'it was not requested again', mayHaveActed: true });
      expect(updates(world)).toBe(1);
      const second = await world.export({ ...inputs, to: makeDestination() }, AGAIN);
      expect(second.facts).toMatchObject(COMPLETED);
      expect(updates(world)).toBe(2);
    },
  );

  it('timeout covers publishing and exporting together', async () => {
    await using world = await startMerge({ platform: { exportScript: { stalled: true } } });
    const startMs = world.clock.monotonicMs();
    const { error } = await world.export({ ...inputs, timeoutMs: 60_000 }, PUSH);
    expect(error).toMatchObject({ code: 'timed-out' });
    expect(world.clock.monotonicMs() - startMs).toBeLessThan(75_000);
    expect(world.platform.exportJobs).toHaveLength(1);
  });

  it('An update that does not end within timeout fails the run also with on-timeout: detach', async () => {
    await using world = await startMerge({ platform: { updateScript: { stalled: true } } });
    const { error } = await world.export(
      { ...inputs, timeoutMs: 60_000, onTimeout: 'detach' },
      PUSH,
    );
    expectError(error, {
      code: 'timed-out',
      message: /did not finish within 1m. No export was started/,
    });
    expectNoExport(world);
  });

  it('A re-run follows the update of the first attempt, and requests no other', async () => {
    await using world = await startMerge();
    const to = makeDestination();
    const short = await world.export({ ...inputs, to, timeoutMs: 10_000 }, PUSH);
    expect(short.error).toMatchObject({ code: 'timed-out' });
    const { facts, log } = await world.export({ ...inputs, to }, AGAIN);
    expect(facts).toMatchObject(COMPLETED);
    expect(log.text('info')).toContain('An earlier attempt of this run started update');
    expect(updates(world)).toBe(1);
    expect(log.text('warning')).toBe('');
  });

  it('A re-run after a refused export neither requests another update, nor forgets the commit', async () => {
    await using world = await startMerge();
    const to = makeDestination();
    world.platform.inject({ match: START, status: 403, body: { error: 'no' } });
    expect((await world.export({ ...inputs, to }, PUSH)).error).toMatchObject({
      code: 'forbidden',
    });
    const { facts } = await world.export({ ...inputs, to }, AGAIN);
    expect(facts).toMatchObject({ ...COMPLETED, origin: 'started' });
    expect(updates(world)).toBe(1);
  });

  it('A re-run that attaches to the export of the first attempt keeps the commit, and publishes nothing', async () => {
    await using world = await startMerge({
      platform: { exportJobs: { advance: 'time', durationMs: 120_000 } },
    });
    const to = makeDestination();
    const short = await world.export({ ...inputs, to, timeoutMs: 60_000 }, PUSH);
    expect(short.error).toMatchObject({ code: 'timed-out' });
    for (const runAttempt of [2, 3]) {
      const { facts } = await world.export(
        { ...inputs, to },
        { ...AGAIN, run: { ...AGAIN.run, runAttempt } },
      );
      expect(facts).toMatchObject({ ...COMPLETED, origin: 'resumed' });
    }
    expect(updates(world)).toBe(1);
  });

  it('A re-run that is given another job does not claim the commit of the first attempt', async () => {
    await using world = await startMerge({
      platform: { exportJobs: { advance: 'time', durationMs: 120_000 } },
    });
    const to = makeDestination();
    const short = await world.export({ ...inputs, to, timeoutMs: 60_000 }, PUSH);
    expect(short.error).toMatchObject({ code: 'timed-out' });
    const { jobId } = await world.platform.addExportJob({ jobId: 'job-1' });
    const { facts } = await world.export({ exportJobId: jobId, to }, AGAIN);
    expect(facts).toMatchObject({
      status: 'completed',
      jobId,
      contentCommit: undefined,
      origin: 'attached',
    });
    expect(JSON.stringify(world.state())).not.toContain('contentCommit');
  });

  it('A re-run requests another update if the first one failed', async () => {
    await using world = await startMerge();
    const to = makeDestination();
    world.platform.scriptNextUpdate({ outcome: 'failure' });
    expect((await world.export({ ...inputs, to }, PUSH)).error).toMatchObject({
      code: 'job-failed',
    });
    const { facts } = await world.export({ ...inputs, to }, AGAIN);
    expect(facts).toMatchObject(COMPLETED);
    expect(updates(world)).toBe(2);
  });

  it('A re-run without a destination publishes again, and says so', async () => {
    await using world = await startMerge();
    await publish(world);
    const { facts, log } = await world.export(inputs, AGAIN);
    expect(facts).toMatchObject(COMPLETED);
    expect(updates(world)).toBe(2);
    expect(log.text('info')).toContain('No destination stores a state');
  });

  it('A first attempt without a destination is not told of an earlier one', async () => {
    await using world = await startMerge();
    const { facts, log } = await world.export(inputs, PUSH);
    expect(facts).toMatchObject(COMPLETED);
    expect(log.text()).not.toContain('earlier attempt');
  });

  it('Two runs at once are served by one update, which counts for the commits of both', async () => {
    const clock = fakeClock({ now: Date.parse('2026-01-01T12:00:00Z') });
    await using world = await startMerge({ clock });
    await pushLater(world);
    const runs = await Promise.all(
      [MERGED, LATER].map((sha, index) =>
        world.export(inputs, { ...PUSH, run: { sha, runId: String(600 + index) } }),
      ),
    );
    expect(runs.map(({ facts }) => facts.contentCommit)).toEqual([LATER, LATER]);
    expect(world.platform.updates).toHaveLength(1);
  });

  it('A dry run lists the update, and does not request it', async () => {
    await using world = await startMerge();
    const { facts } = await world.export({ ...inputs, dryRun: true }, PUSH);
    expect(facts.planned?.[0]).toEqual({
      action: 'publish project project-1',
      target: `POST ${world.platform.url}/v1/project/update/project-1`,
    });
    expect(updates(world)).toBe(0);
  });

  it.each(['deployment', 'deployment_status', 'check_run', 'check_suite', 'status'])(
    'A run on %s does not publish, since publishing causes this event',
    async (eventName) => {
      await using world = await startMerge();
      const { error } = await world.export(inputs, { ...PUSH, eventName });
      expect(error).toMatchObject({ code: 'config' });
      expect(world.platform.requests).toEqual([]);
    },
  );

  it('A run that may not write a link does not publish either', async () => {
    await using world = await startMerge();
    const { error } = await world.export(inputs, { eventName: 'pull_request_target', payload: {} });
    expect(error).toMatchObject({ code: 'refused' });
    expect(world.platform.requests).toEqual([]);
  });

  it('An export by project publishes the same project', async () => {
    await using world = await startMerge();
    const { facts } = await world.export(
      { ...inputs, domain: undefined, projectId: 'project-1' },
      PUSH,
    );
    expect(facts).toMatchObject(COMPLETED);
  });

  it('A job that is given by its id is not said to have the commit of the run', async () => {
    await using world = await startMerge();
    const job = await world.platform.addExportJob({ jobId: 'job-1' });
    const { facts } = await world.export({ exportJobId: job.jobId }, PUSH);
    expect(facts).toMatchObject({ status: 'completed', contentCommit: undefined });
    expect(facts.content).toEqual({
      publish: false,
      commit: MERGED,
      update: undefined,
      published: undefined,
    });
  });
});
