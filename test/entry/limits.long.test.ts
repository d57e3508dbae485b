import { describe, expect, test } from 'vitest';
import { exportBundle, makeLargestBundle } from '../bench/limits.ts';
import { SECRET_INPUTS, startActionWorld } from '../support/world/built-action.ts';
import { POLL, TARGET } from '../support/world/names.ts';
import type { World } from '../support/world.ts';

function storedRun({ github }: World): unknown {
  return JSON.parse(github.variable(TARGET, 'DOCS_BUNDLE_URL_STATE')?.value ?? '{}').runs?.[0];
}

// A device that accepts no byte, like a full disk; other systems do not have it.
test
  .runIf(process.platform === 'linux')
  .concurrent(
    'If outputs cannot be written, the job id is still in the state and the log, and the run fails',
    async () => {
      await using world = await startActionWorld();
      const result = await world.step(SECRET_INPUTS, { env: { GITHUB_OUTPUT: '/dev/full' } });
      const id = world.platform.exportJobs[0]?.jobId;
      expect(result.exitCode, result.log).toBe(1);
      expect(result.log).toContain(`export-job-id: ${id}`);
      expect(storedRun(world)).toMatchObject({ state: 'done', jobId: id });
      expect(result.log).toContain('GITHUB_OUTPUT');
      // The id is in the log before anything that can fail.
      expect(result.log.indexOf(`Started export job ${id}`)).toBeLessThan(
        result.log.indexOf('GITHUB_OUTPUT'),
      );

      const again = await world.step(SECRET_INPUTS, { runAttempt: 2 });
      expect(again.exitCode, again.log).toBe(0);
      expect(again.outputs['job-id']).toBe(id);
      expect(world.platform.exportJobs).toHaveLength(1);
    },
  );

describe.concurrent('a poll that exceeds the timeout', () => {
  // Without a separate limit, a poll may take a minute and is repeated.
  test.each([
    ['a server that is silent', { delayMs: 120_000 }],
    ['a server that sends one byte a second', { drip: { bytes: 1, everyMs: 1000 } }],
    [
      'a server that sends the reply without an end',
      { closeDelimited: true, body: ' '.repeat(4096), drip: { bytes: 1, everyMs: 500 } },
    ],
  ])(
    'A poll that is under way ends at most 10 s after `timeout: 3s`, for %s',
    async (_, effect) => {
      await using world = await startActionWorld();
      world.platform.inject({ match: { ...POLL, times: Number.POSITIVE_INFINITY }, ...effect });
      const result = await world.step({ timeout: '3s' });
      expect(result.exitCode, result.log).toBe(1);
      expect(result.outputs).toMatchObject({
        status: 'timed-out',
        'error-code': 'timed-out',
        'job-id': world.platform.exportJobs[0]?.jobId,
      });
      expect(world.platform.exportJobs).toHaveLength(1);
      // Twice the promised time: the machine may be busy.
      expect(result.elapsedMs).toBeLessThan(26_000);
    },
  );
});

test('A bundle of 200,000 entries takes at most 256 MiB of memory', async () => {
  const result = await exportBundle(await makeLargestBundle(), { 'bundle-path': 'docs.tar.gz' });
  expect(result.exitCode, result.log).toBe(0);
  expect(result.log).toContain('200,000 pages');
  expect(result.peakMebibytes).toBeGreaterThan(60);
  expect(result.peakMebibytes).toBeLessThanOrEqual(256);
}, 120_000);
