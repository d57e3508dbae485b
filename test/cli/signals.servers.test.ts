import { describe, expect, test } from 'vitest';
import { startLiveSite } from '../support/live-site.ts';
import { ASSISTANT_KEY, DOMAIN, openLaptop } from './harness.ts';
import { Courier } from './process.ts';

const START = { method: 'POST', path: /\/v1\/static-export\/jobs$/ };

test.concurrent.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)(
  'A second %s ends a run that still waits for the reply to its start, with exit code %i',
  async (signal, code) => {
    await using laptop = await openLaptop();
    laptop.platform.inject({ match: START, delayMs: 60_000 });
    const courier = new Courier(laptop, ['export', '--domain', DOMAIN, '--extract-to', 'site']);
    const isStarting = () => laptop.platform.requests.some(({ method }) => method === 'POST');
    await courier.until(isStarting);
    courier.kill(signal);
    await courier.until(() => courier.stderr.includes(`Received ${signal}`));
    courier.kill(signal);
    expect(await courier.ended(), courier.stderr).toBe(code);
  },
);

describe.concurrent('what a signal says', () => {
  const EXPORT = ['export', '--domain', DOMAIN, '--to', 'file:link.txt'];

  test('Before the start of an export, it says that no export was started', async () => {
    await using laptop = await openLaptop();
    await using live = await startLiveSite(() => new Promise(() => {}));
    const courier = new Courier(laptop, [...EXPORT, '--live-url', live.url]);
    await courier.until(() => live.requests.length > 0);
    expect(await endOf(courier)).toContain('No export was started, and no link was written.');
    expect(courier.stderr).not.toMatch(/keeps running|--export-job-id/);
  });

  test('While the reply to the start has not come, it says that an export may have been started, and exits without it', async () => {
    await using laptop = await openLaptop();
    laptop.platform.inject({ match: START, delayMs: 60_000 });
    const courier = new Courier(laptop, EXPORT);
    await courier.until(() => laptop.platform.requests.some(({ method }) => method === 'POST'));
    expect(await endOf(courier)).toContain('An export may have been started');
  });

  test('With --quiet it says how to attach to the export that keeps running', async () => {
    await using laptop = await openLaptop({ exportJobs: { advance: 'time', durationMs: 60_000 } });
    const courier = new Courier(laptop, [...EXPORT, '-q']);
    await courier.until(() => laptop.platform.requests.length > 1);
    await endOf(courier);
    expect(courier.stderr).toContain(`--export-job-id ${laptop.platform.exportJobs[0]?.jobId}`);
  });

  test.each([
    ['link', '--to=file:link.txt'],
    ['site', '--extract-to=site'],
  ])(
    'Once the %s is written, it says that only the steps after that end early',
    async (what, to) => {
      await using laptop = await openLaptop();
      await using live = await startLiveSite(() => ({ status: 404 }));
      const check = ['--live-url', live.url, '--live-timeout', '10m'];
      const courier = new Courier(laptop, ['export', '--domain', DOMAIN, to, ...check]);
      await courier.until(() => courier.stderr.includes('Waiting until'));
      const said = await endOf(courier);
      const [job] = laptop.platform.exportJobs;
      expect(said).toContain(
        `The ${what} of export job ${job?.jobId} is written. Only the steps after that end early.`,
      );
      expect(courier.stderr).not.toMatch(/keeps running|run the command again/);
    },
  );

  test.each([
    ['search', ['search', '--query', 'install', '--domain', 'docs']],
    ['doctor', ['doctor', '--domain', DOMAIN]],
  ])('A %s has no job, so it does not name one', async (_, args) => {
    await using laptop = await openLaptop();
    laptop.platform.inject({ match: { path: /./ }, delayMs: 60_000 });
    const courier = new Courier(laptop, args, {
      env: { DOCS_COURIER_ASSISTANT_API_KEY: ASSISTANT_KEY },
    });
    await courier.until(() => laptop.platform.requests.length > 0);
    expect(await endOf(courier)).not.toMatch(/keeps running|started|written/);
  });
});

/** What a SIGTERM shows at once, before the end of the run. */
async function endOf(courier: Courier): Promise<string> {
  courier.kill('SIGTERM');
  expect(await courier.ended(), courier.stderr).toBe(143);
  const lines = courier.stderr.split('\n');
  const at = lines.indexOf('Received SIGTERM, exiting.');
  return lines.slice(at, at + 2).join('\n');
}
