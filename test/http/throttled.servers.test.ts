import { expect, test } from 'vitest';
import { FirstHour } from '../support/first-step.ts';

test.each([
  ['2m', 120],
  ['1s', 60],
])(
  'With timeout %s, a server that asks for a wait again and again is waited for %i s',
  async (timeout, seconds) => {
    await using hour = await FirstHour.start();
    hour.platform.inject({
      match: { path: '/bundle', times: 10_000 },
      status: 429,
      headers: { 'retry-after': '1' },
    });
    const startMs = hour.clock.monotonicMs();
    const { jobId } = await hour.platform.addExportJob({ status: 'completed' });
    const inputs = {
      mode: 'export',
      ...hour.inputs,
      domain: 'acme.example.com',
      'export-job-id': jobId,
      timeout,
    };
    const { exitCode, error } = await hour.run({ inputs });
    expect(exitCode).toBe(1);
    expect(error).toContain('answered 429');
    const elapsed = (hour.clock.monotonicMs() - startMs) / 1000;
    expect(elapsed).toBeGreaterThan(seconds - 5);
    expect(elapsed).toBeLessThan(seconds * 1.1 + 10);
  },
);
