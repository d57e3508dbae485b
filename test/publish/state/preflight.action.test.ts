import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RUN_DEFAULTS, runStep, type StepOptions, startStep } from '../../support/runner.ts';
import {
  linkStatus,
  startActionWorld,
  stepWithSecret,
  writes,
} from '../../support/world/built-action.ts';
import { NAME, STATE, TARGET } from '../../support/world/names.ts';

interface Refusal {
  readonly what: string;
  readonly inputs: Record<string, string>;
  readonly more?: Omit<Partial<StepOptions>, 'inputs'>;
  readonly code: string;
  readonly tells: string;
  /** Requests to GitHub; the platform gets none. */
  readonly requests: 'none' | 'some';
}

const REFUSALS: readonly Refusal[] = [
  {
    what: "the workflow's own token",
    inputs: { 'secret-token': RUN_DEFAULTS.githubToken },
    code: 'forbidden',
    tells: 'permission-secrets: write',
    requests: 'none',
  },
  {
    what: 'the event of a stranger',
    inputs: {},
    more: { eventName: 'issue_comment', event: { action: 'created' } },
    code: 'refused',
    tells: 'This is done on a push',
    requests: 'none',
  },
  {
    what: 'a new organization secret without visibility',
    inputs: { to: `github:org/acme/${NAME}` },
    code: 'config',
    tells: '?visibility=selected',
    requests: 'some',
  },
  {
    what: 'a token that reaches no secret of that environment',
    inputs: { to: `github:env/prod%2Feu/${NAME}` },
    code: 'forbidden',
    tells: 'permission-environments: write',
    requests: 'some',
  },
];

test.concurrent.each(REFUSALS)(
  'A run with $what ends before any request to the platform',
  async (refusal) => {
    await using world = await startActionWorld();
    const result = await runStep(stepWithSecret(world, refusal.inputs, refusal.more));
    expect(result.exitCode, result.log).toBe(1);
    expect(result.outputs['error-code'], result.log).toBe(refusal.code);
    for (const text of [result.log, result.summary]) expect(text).toContain(refusal.tells);
    expect(world.platform.requests).toEqual([]);
    expect(world.github.requests.length > 0).toBe(refusal.requests === 'some');
    expect(writes(world)).toEqual([]);
  },
);

test.concurrent('A dry run of export or refresh sends no write to either server, and leaves no file', async () => {
  await using world = await startActionWorld({ linkLifetimeMs: 3_600_000 });
  const workspace = await mkdtemp(join(tmpdir(), 'dry-run-'));
  try {
    const dry = { 'dry-run': 'true', 'bundle-path': 'docs.tar.gz', 'extract-to': 'site' };
    const exported = await runStep(stepWithSecret(world, dry, { workspace }));
    expect(exported.exitCode, exported.log).toBe(0);
    expect(exported.summary).toContain(`variable ${STATE} of repository acme/docs`);
    expect(writes(world)).toEqual([]);

    const real = await runStep(stepWithSecret(world));
    expect(real.exitCode, real.log).toBe(0);
    const [before, secret] = [writes(world).length, world.github.secret(TARGET, NAME)?.value];
    const refreshed = await runStep(
      stepWithSecret(world, { mode: 'refresh', ...dry }, { workspace }),
    );
    expect(refreshed.outputs, refreshed.log).toMatchObject({
      status: 'completed',
      changed: 'false',
      'bundle-url': '',
    });
    expect(refreshed.summary).toContain(`secret ${NAME} of repository acme/docs`);
    expect(writes(world)).toHaveLength(before);
    expect(world.github.secret(TARGET, NAME)?.value).toBe(secret);
    expect(await readdir(workspace)).toEqual([]);
  } finally {
    await rm(workspace, { recursive: true });
  }
});

test.concurrent('Of two runs at the same time, the older export does not replace the newer one, fails and says so', async () => {
  await using world = await startActionWorld();
  const { platform, github } = world;
  platform.behaviour.exportJobs = { advance: 'poll', polls: 1000 };
  const first = await startStep(stepWithSecret(world, {}, { runId: '1' }));
  while ((platform.exportJobs[0]?.polls ?? 0) === 0)
    await new Promise((resolve) => setTimeout(resolve, 10));
  const { jobId } = await platform.addExportJob({ domain: 'acme.example.com' });
  const second = await runStep(stepWithSecret(world, { 'export-job-id': jobId }, { runId: '2' }));
  expect(second.exitCode, second.log).toBe(0);
  // The job of the first ends only now.
  platform.behaviour.exportJobs = { advance: 'poll', polls: 1 };
  const result = await first.done;
  expect(result.exitCode, result.log).toBe(1);
  expect(result.outputs['error-code'], result.log).toBe('conflict');
  expect(result.log).toContain(`belongs to a newer export: job ${jobId}`);
  expect(result.log).toContain('concurrency group');
  expect(result.log).toContain(`export-job-id: ${result.outputs['job-id']}`);
  expect(github.secret(TARGET, NAME)?.value).toBe(second.outputs['bundle-url']);
  expect(JSON.parse(github.variable(TARGET, STATE)?.value ?? '{}').jobId).toBe(jobId);
  expect(await linkStatus(world)).toBe(200);
});
