import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { assertNoLeaks } from '../support/leaks.ts';
import { runJob, startStep } from '../support/runner.ts';
import {
  CANARIES,
  SECRET_INPUTS,
  startActionWorld,
  writtenBy,
} from '../support/world/built-action.ts';
import { POLL } from '../support/world/names.ts';
import type { World } from '../support/world.ts';

/** Attaching to a job that has ended needs no waiting. */
async function finishedJob({ platform }: World): Promise<Record<string, string>> {
  await platform.addExportJob({ jobId: 'job-1' });
  return { 'export-job-id': 'job-1' };
}

const RUN_FILES = /^docs-courier-[^/]+\/(report\.json)?$/;

describe.concurrent('a whole export', () => {
  test('An export fills outputs, secret, folder and summary; log, report and summary contain no secret', async () => {
    await using world = await startActionWorld();
    const result = await world.step({
      ...SECRET_INPUTS,
      'bundle-path': 'docs.tar.gz',
      'extract-to': 'site',
    });
    expect(result.exitCode, result.log).toBe(0);
    const { outputs } = result;
    const [job] = world.platform.exportJobs;
    expect(outputs).toMatchObject({
      status: 'completed',
      'error-code': '',
      'job-id': job?.jobId,
      'expires-at': expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(world.secret()).toBe(outputs['bundle-url']);
    const report = JSON.parse(outputs.report ?? '');
    expect(report).toMatchObject({
      ...{ version: 1, mode: 'export', status: 'completed', bundleBytes: expect.any(Number) },
      delivery: { updated: true },
      bundle: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    const isScalar = Object.values(report).map((value) => typeof value !== 'object');
    expect(isScalar.lastIndexOf(true)).toBe(isScalar.filter(Boolean).length - 1);
    expect(result.summary).toContain('Export of acme.example.com: completed');
    expect(result.violations).toEqual([]);
    expect(result.stdout).not.toContain('::set-output');
    const link = new URL(outputs['bundle-url'] ?? '');
    const secrets = {
      ...CANARIES,
      link: link.href,
      signature: link.searchParams.get('X-Signature') ?? '',
    };
    assertNoLeaks(secrets, writtenBy(result));
    expect(result.peakRssBytes).toBeLessThan(256 * 1024 * 1024);
  });

  test('An export masks its keys before it prints or sends anything, and the link before it is used', async () => {
    await using world = await startActionWorld();
    const result = await world.step(SECRET_INPUTS);
    const lines = result.stdout.split('\n');
    const said = lines.findIndex((line) => !line.startsWith('::add-mask::'));
    const masked = lines.slice(0, said).join('\n');
    for (const key of Object.values(CANARIES)) expect(masked).toContain(`::add-mask::${key}\n`);
    expect(result.masks).toContain(result.outputs['bundle-url']);
    const mask = result.commands.findIndex(
      ({ name, data }) => name === 'add-mask' && data === result.outputs['bundle-url'],
    );
    expect(mask).toBeGreaterThan(0);
  });

  test('An export writes the id of its job before the first poll', async () => {
    await using world = await startActionWorld();
    world.platform.inject({ match: POLL, delayMs: 600 });
    const step = await startStep(world.stepOf());
    await expect
      .poll(() => world.platform.requests.some(({ method }) => method === 'GET'), {
        timeout: 20_000,
      })
      .toBe(true);
    expect(step.outputsSoFar()['job-id']).toBe(world.platform.exportJobs[0]?.jobId);
    expect(step.outputsSoFar().status).toBeUndefined();
    await step.done;
  });

  // An open connection would keep the process for 2 s or more. One run of six is enough, since the
  // machine may be busy; the other tests of this file must not be what it is busy with.
  test('A step exits within 1.5 s after it wrote its outputs, and only its owner can read its report', {
    concurrent: false,
    retry: 5,
  }, async () => {
    await using world = await startActionWorld();
    const step = await startStep(world.stepOf({ ...SECRET_INPUTS, 'extract-to': 'site' }));
    let writtenAt = 0;
    let modes: string[] = [];
    while (writtenAt === 0) {
      await delay(2);
      const path = step.outputsSoFar()['report-path'];
      if (path === undefined) continue;
      writtenAt = performance.now();
      modes = await modesOf([join(path, '..'), path]);
    }
    const result = await step.done;
    expect(performance.now() - writtenAt).toBeLessThan(1500);
    expect(result.exitCode, result.log).toBe(0);
    expect(modes.length === 0 ? ['700', '600'] : modes).toEqual(['700', '600']);
    expect(
      result.tempFiles.filter((file) => !RUN_FILES.test(file) && !file.includes('verify')),
    ).toEqual([]);
  });

  test('Two steps in one job keep both reports, and the masked link reaches only a later step of that job', async () => {
    await using world = await startActionWorld();
    const attached = await finishedJob(world);
    const job = await runJob({
      steps: [world.stepOf(attached), world.stepOf(attached)],
      outputs: {
        link: { step: 0, output: 'bundle-url' },
        expiry: { step: 0, output: 'expires-at' },
        job: { step: 0, output: 'job-id' },
      },
    });
    const [first, second] = job.steps;
    expect(first?.outputs['report-path']).not.toBe(second?.outputs['report-path']);
    expect(second?.tempFiles.filter((file) => file.endsWith('report.json'))).toHaveLength(2);
    expect(first?.outputs['bundle-url']).toContain('X-Signature');
    expect(job.dropped).toEqual(['link']);
    expect(Object.keys(job.outputs).sort()).toEqual(['expiry', 'job']);
  });
});

async function modesOf(paths: readonly string[]): Promise<string[]> {
  try {
    return await Promise.all(
      paths.map(async (path) => ((await stat(path)).mode & 0o777).toString(8)),
    );
  } catch {
    // The step was faster, and its folders are gone.
    return [];
  }
}

describe.concurrent('a run without secrets', () => {
  const pull = (full_name: string) => ({ pull_request: { head: { repo: { full_name } } } });

  test.each([
    ['of a fork', { eventName: 'pull_request', event: pull('stranger/docs') }, 'fork'],
    [
      'of Dependabot',
      { eventName: 'pull_request', actor: 'dependabot[bot]', event: pull('acme/docs') },
      'Dependabot',
    ],
  ])(
    'A run without secrets on an event %s is skipped with the reason and passes',
    async (_, context, reason) => {
      await using world = await startActionWorld();
      const result = await world.step({ 'admin-api-key': '' }, context);
      expect(result.exitCode, result.log).toBe(0);
      expect(result.outputs.status).toBe('skipped');
      expect(result.log).toContain(reason);
      expect(result.log + result.stderr).not.toMatch(/\n\s+at /);
      expect(world.platform.requests).toEqual([]);
    },
  );
});

describe.concurrent('a wrong key', () => {
  test.each([
    ['of the other kind', 'svc_dsc_canaryAssistantKey0123456789'],
    ['with a line end inside', 'svc_canary\nSecondHalf0123456789'],
    ['with a zero-width character', 'svc_canary\u200bZeroWidth0123456789'],
    ['beyond Latin-1', 'svc_canaryКлюч0123456789'],
  ])('A wrong key is refused before any request and shown nowhere: one %s', async (_, key) => {
    await using world = await startActionWorld();
    const result = await world.step({ 'admin-api-key': key });
    expect(result.outputs, result.log).toMatchObject({ status: 'failed', 'error-code': 'config' });
    expect(result.log).toContain('an admin API key');
    expect(world.platform.requests).toEqual([]);
    assertNoLeaks({ key }, writtenBy(result));
  });
});

describe('unknown inputs', () => {
  test('Unknown inputs end the run before anything is sent, each with a suggestion; of five hundred the first are listed', async () => {
    await using world = await startActionWorld();
    const unknown = Object.fromEntries(
      Array.from({ length: 600 }, (_, at) => [`unknown-${'x'.repeat(40)}-${at}`, 'y']),
    );
    const inputs = {
      ...(await finishedJob(world)),
      'secret-tokn': 'x',
      'export-jobid': 'x',
      ...unknown,
    };
    const before = world.platform.requests.length;
    const result = await world.step(inputs);
    expect(result.exitCode, result.log).toBe(1);
    expect(result.outputs['error-code']).toBe('config');
    expect(result.log).toContain('unknown input secret-tokn; did you mean secret-token?');
    expect(result.log).toContain('unknown input export-jobid; did you mean export-job-id?');
    expect(result.log).toContain('and 582 more');
    expect(world.platform.requests).toHaveLength(before);
  });
});

describe.concurrent('an incomplete runner', () => {
  test.each([
    ['GITHUB_OUTPUT', ''],
    ['GITHUB_OUTPUT', '/nonexistent/folder/output'],
    ['GITHUB_REPOSITORY', ''],
    ['RUNNER_TEMP', ''],
  ])(
    'A runner whose %s is "%s" ends the run as a configuration error, in one line, and without deprecated commands',
    async (variable, value) => {
      await using world = await startActionWorld();
      const result = await world.step({}, { env: { [variable]: value } });
      expect(result.exitCode).toBe(1);
      expect(result.log).toContain(variable);
      expect(result.log).not.toContain('Docs Courier itself failed');
      expect(result.stdout + result.stderr).not.toMatch(/\n\s+at /);
      expect(result.stdout).not.toMatch(/::(set-output|save-state)/);
      expect(world.platform.requests).toEqual([]);
    },
  );

  test.each([
    ['is missing', null],
    ['is not JSON', 'not { json'],
    ['is empty', ''],
  ])('An event file that %s ends the run when the event is needed', async (_, event) => {
    await using world = await startActionWorld();
    const context = { eventName: 'workflow_run', event };
    const result = await world.step(SECRET_INPUTS, context);
    expect(result.exitCode, result.log).toBe(1);
    expect(['config', 'refused']).toContain(result.outputs['error-code']);
    expect(result.log).not.toContain('Docs Courier itself failed');
    expect(world.platform.requests).toEqual([]);
  });
});
