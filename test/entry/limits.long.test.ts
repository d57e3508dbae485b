import { describe, expect, test } from 'vitest';
import { exportBundle, makeLargestBundle } from '../bench/limits.ts';
import { startActionWorld } from '../support/world/built-action.ts';
import { POLL } from '../support/world/names.ts';

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
