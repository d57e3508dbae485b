import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { warnOfOtherSite } from '../../src/publish/bundle.ts';
import type { ComparedSite } from '../../src/site/compare/compared-site.ts';
import { expectError } from '../support/failure.ts';
import { bundleInputs } from '../support/make-inputs.ts';
import { recordingLog } from '../support/recording-log.ts';
import { BUNDLE, JOBS, POLL, START } from '../support/world/names.ts';
import { NO_SERVERS, startWorld } from '../support/world.ts';

describe('an export job that a person names', () => {
  const OTHER = 'beta.example.com';
  const sites = { acme: { 'index.md': '# Acme' }, beta: { 'index.md': '# Beta' } };

  it('A job of another site is noticed by the sitemap of its bundle', async () => {
    await using world = await startWorld({ platform: { sites } });
    const { recorded } = await world.export({ domain: OTHER });
    const bundle = bundleInputs({ bundlePath: join(world.workspace, 'docs.tar.gz') });
    const { log, facts } = await world.export({ exportJobId: recorded.jobId, bundle });
    expect(facts.status).toBe('completed');
    expect(log.text()).toContain(
      `The sitemap of export job ${recorded.jobId} names ${OTHER}, and domain is acme.example.com.`,
    );
    const own = await world.export({ domain: OTHER, exportJobId: recorded.jobId, bundle });
    expect(own.log.text()).not.toContain('The sitemap of export job');
  });

  it.each([
    ['<urlset><url><loc><![CDATA[https://beta.example.com/a]]></loc></url></urlset>', OTHER],
    [
      '<sm:urlset><sm:url><sm:loc>\n https://beta.example.com/a</sm:loc></sm:url></sm:urlset>',
      OTHER,
    ],
    [
      '<s:sitemapindex><s:sitemap><s:loc> <![CDATA[ http://beta.example.com ]]></s:loc></s:sitemap>',
      OTHER,
    ],
    [
      '<urlset><url><image:loc>https://cdn.example.net/a.png</image:loc><loc>https://acme.example.com/</loc>',
      undefined,
    ],
  ])('The sitemap %j names the site %s', async (sitemap, host) => {
    await using world = await startWorld(NO_SERVERS);
    const root = dirname(world.write('site/sitemap.xml', sitemap));
    const log = recordingLog();
    warnOfOtherSite(
      'job-1',
      'acme.example.com',
      { root, paths: ['sitemap.xml'] } as unknown as ComparedSite,
      log,
    );
    expect(log.entries).toHaveLength(host === undefined ? 0 : 1);
    expect(log.text()).toContain(host ?? '');
  });

  it('Without its bundle, a run says that it takes the job for one of its site', async () => {
    await using world = await startWorld({ platform: { sites } });
    const { recorded } = await world.export({ domain: OTHER });
    const { log } = await world.export({ exportJobId: recorded.jobId });
    expect(log.text()).toContain(
      `does not say which site export job ${recorded.jobId} exports. This run takes it for acme.example.com`,
    );
  });
});

describe('the start of an export', () => {
  it.each([{}, { jobId: 7 }, { jobId: null }, { jobId: '' }, [], null])(
    'A start whose reply has no usable id is a protocol error, and is not repeated: %j',
    async (body) => {
      await using world = await startWorld();
      world.platform.inject({ match: START, status: 202, body });
      const { error, recorded } = await world.export();
      expect(error).toMatchObject({ code: 'protocol', mayHaveActed: true });
      expect(recorded.jobId).toBeUndefined();
      expect(world.platform.requests).toHaveLength(1);
    },
  );

  it('No address is built from an id that is a path, a line or too long', async () => {
    await using world = await startWorld();
    const strange = fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '../jobs',
        'a/b',
        'a%2fb',
        'a\nb',
        'a?b',
        'a#b',
        'a b',
        'ä',
        '',
        'x'.repeat(129),
      ),
      fc
        .string({ minLength: 1, maxLength: 200 })
        .filter((id) => !/^[A-Za-z0-9._~-]{1,128}$/.test(id)),
    );
    await fc.assert(
      fc.asyncProperty(strange, async (jobId) => {
        world.platform.reset();
        world.platform.inject({ match: START, status: 202, body: { jobId } });
        const { error, recorded, log } = await world.export();
        expect(error?.code).toBe('protocol');
        expect(recorded.jobId).toBeUndefined();
        expect(log.text()).not.toContain('export-job-id');
        expect(world.platform.requests.map(({ path }) => path)).toEqual([JOBS]);
      }),
      { numRuns: process.env.SOAK ? 1000 : 60 },
    );
  });

  it.each([
    ['cut', { reset: 'after' }],
    ['a 502', { status: 502, applied: true }],
    ['a 500', { status: 500, applied: true }],
    ['half a reply', { truncateAfterBytes: 4 }],
  ] as const)(
    'A start whose reply is lost (%s) is never repeated; the error says how to attach',
    async (_, fault) => {
      await using world = await startWorld();
      world.platform.inject({ match: START, ...fault });
      const { error } = await world.export();
      expectError(error, {
        message: 'may have started; it was not requested again',
        hint: 'export-job-id',
        mayHaveActed: true,
      });
      expect(world.platform.exportJobs).toHaveLength(1);
      expect(world.platform.requests).toHaveLength(1);
    },
  );

  it('Waiting for a rate limit before the start counts towards timeout', async () => {
    await using world = await startWorld();
    world.platform.inject({ match: { ...START, times: 9 }, status: 429, body: { error: 'no' } });
    const startMs = world.clock.monotonicMs();
    const { error } = await world.export({ timeoutMs: 15_000 });
    expect(error).toMatchObject({ code: 'rate-limited' });
    expect(world.clock.monotonicMs() - startMs).toBeLessThanOrEqual(15_000);
    expect(world.platform.exportJobs).toEqual([]);
  });

  it.each([false, true])(
    'A folder for temporary files that cannot be written to ends the run before an export is started, with dry-run: %s',
    async (dryRun) => {
      await using world = await startWorld();
      const runnerTemp = join(world.workspace, 'file', 'temp');
      writeFileSync(join(world.workspace, 'file'), '');
      const bundle = bundleInputs({ extractTo: join(world.workspace, 'site') });
      const { error } = await world.export({ bundle, dryRun }, { run: { runnerTemp } });
      expect(error).toMatchObject({
        code: 'config',
        message: `The folder for temporary files, ${runnerTemp}, cannot be written to (ENOTDIR). Nothing was started.`,
        hint: expect.stringContaining('RUNNER_TEMP'),
      });
      expect(world.platform.requests).toEqual([]);
    },
  );

  it('A run that needs no folder for temporary files does not ask for one', async () => {
    await using world = await startWorld();
    const runnerTemp = join(world.workspace, 'file', 'temp');
    writeFileSync(join(world.workspace, 'file'), '');
    const { facts } = await world.export({}, { run: { runnerTemp } });
    expect(facts.status).toBe('completed');
  });
});

describe('the status of a job', () => {
  it.each(['verifying', 'Completed', 'completed ', 'COMPLETED', 'FAILED', ''])(
    'A job with the status "%s" is polled further, with one warning',
    async (runningStatus) => {
      await using world = await startWorld({
        platform: { exportJobs: { advance: 'poll', polls: 5 } },
      });
      world.platform.scriptNextExport({ runningStatus });
      const { facts, log } = await world.export();
      expect(facts.status).toBe('completed');
      expect(world.calls(POLL)).toHaveLength(5);
      expect(log.entries.filter(({ level }) => level === 'warning')).toHaveLength(1);
    },
  );

  it("A failed job ends the run as job-failed with the platform's text, made harmless", async () => {
    await using world = await startWorld();
    world.platform.scriptNextExport({
      outcome: 'failed',
      error: 'page\n::error::broke ##[x] \u001b[31m',
    });
    const { error, recorded, log } = await world.export();
    expectError(error, { code: 'job-failed', message: 'page ::error::broke ##\\[x]' });
    expect(recorded.jobId).toBe(world.platform.exportJobs[0]?.jobId);
    expect(world.calls(BUNDLE)).toHaveLength(0);
    expect(log.text()).not.toContain('\u001b');
  });

  it.each([undefined, 7, { text: 'no' }])(
    'A failed job without text ends the run as job-failed: %j',
    async (error) => {
      await using world = await startWorld();
      world.platform.inject({ match: POLL, body: { status: 'failed', error } });
      const outcome = await world.export();
      expectError(outcome.error, { code: 'job-failed', message: 'gave no reason' });
    },
  );

  it("The platform's progress values never change how a job is polled", async () => {
    await using world = await startWorld({
      platform: { exportJobs: { advance: 'poll', polls: 9 } },
    });
    const values = [Number.NaN, -1, 500, '1e999', 60, 20, { a: 1 }, [], '77%'];
    values.forEach((progress, index) => {
      world.platform.inject({
        match: { ...POLL },
        body: { status: 'running', progress, pageCount: index % 2 === 0 ? -3 : '12' },
      });
    });
    const { facts, recorded } = await world.export();
    expect(facts.status).toBe('completed');
    expect(recorded.pageCount).not.toBe(-3);
    const { countedAt = 0 } = recorded;
    expect(countedAt).toBeGreaterThanOrEqual(0);
    expect(countedAt).toBeLessThanOrEqual(1);
    expect(world.clock.sleeps.every((ms) => ms >= 900 && ms <= 16_500)).toBe(true);
  });

  it('A job that was seen as completed stays completed', async () => {
    await using world = await startWorld({
      platform: { exportJobs: { advance: 'poll', polls: 3 } },
    });
    world.platform.inject({ match: POLL, body: { status: 'completed' } });
    const { facts, log } = await world.export();
    expect(facts.status).toBe('completed');
    // After the first poll "running" comes again twice and is ignored: there is one poll between
    // two requests for the link.
    const after = world.platform.requests
      .slice(2)
      .map(({ method, status }) => `${method} ${status}`);
    expect(after).toEqual([
      'POST 409',
      'GET 200',
      'POST 409',
      'GET 200',
      'POST 409',
      'GET 200',
      'POST 200',
    ]);
    expect(log.text('info')).not.toContain('running');
  });

  it.each([1, 2, 3])('A completed job may refuse the bundle %i times', async (times) => {
    await using world = await startWorld();
    world.platform.inject({
      match: { ...BUNDLE, times },
      status: 409,
      body: { error: 'not ready' },
    });
    const { facts } = await world.export();
    expect(facts.status).toBe('completed');
    expect(world.calls(BUNDLE)).toHaveLength(times + 1);
  });

  it('A completed job may not refuse the bundle forever', async () => {
    await using world = await startWorld();
    world.platform.inject({
      match: { ...BUNDLE, times: 99 },
      status: 409,
      body: { error: 'not ready' },
    });
    const { error } = await world.export();
    expect(error?.code).toBe('conflict');
    expect(world.calls(BUNDLE)).toHaveLength(4);
  });

  it('A failed poll while the bundle is not ready does not end a completed job', async () => {
    await using world = await startWorld({
      platform: { exportJobs: { advance: 'poll', polls: 1 } },
    });
    world.platform.inject({
      match: { ...BUNDLE, times: 2 },
      status: 409,
      body: { error: 'not ready' },
    });
    world.platform.inject({ match: { ...POLL, nth: 2, times: 2 }, reset: 'before' });
    expect((await world.export()).facts.status).toBe('completed');
  });

  it('A reply about another job is a protocol error', async () => {
    await using world = await startWorld();
    world.platform.inject({
      match: { ...POLL, times: 99 },
      body: { jobId: 'another-one', status: 'completed' },
    });
    const { error } = await world.export();
    expectError(error, { code: 'protocol', message: 'another-one' });
    expect(world.calls(BUNDLE)).toHaveLength(0);
  });
});

describe('polling a job', () => {
  it('Nothing is said about the state of an export that the platform never showed', async () => {
    await using world = await startWorld({
      platform: { exportJobs: { advance: 'poll', polls: 1e9 } },
    });
    const { jobId } = await world.platform.addExportJob({ jobId: 'job-1' });
    world.platform.inject({ match: { ...POLL, times: 99 }, status: 503 });
    const timeoutMs = 5000;
    const attached = await world.export({ exportJobId: jobId, timeoutMs });
    expectError(attached.error, {
      code: 'timed-out',
      hint: 'The platform did not say whether the export is still running.',
    });
    const detached = await world.export({ exportJobId: jobId, timeoutMs, onTimeout: 'detach' });
    expect(detached.facts.reason).toBe(
      'The platform did not say whether the export is still running. To attach to it, give export-job-id: job-1',
    );
    const started = await world.export({ timeoutMs: 0, onTimeout: 'detach' });
    expect(started.facts.reason).toMatch(
      /^The export was started\. To attach to it, give export-job-id: /,
    );
  });

  it('Polling does not use up the retries of other calls', async () => {
    await using world = await startWorld({
      platform: { exportJobs: { advance: 'poll', polls: 9 } },
    });
    for (let nth = 1; nth <= 40; nth += 5)
      world.platform.inject({ match: { ...POLL, nth, times: 4 }, status: 503 });
    world.platform.inject({ match: { ...BUNDLE, times: 4 }, status: 503 });
    expect((await world.export()).facts.status).toBe('completed');
    expect(world.calls(BUNDLE)).toHaveLength(5);
  });
});
