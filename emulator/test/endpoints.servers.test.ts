import { describe, expect, test } from 'vitest';
import { agentJob, exportJobReply, searchResults } from '../../src/platform/contract.ts';
import {
  admin,
  ask,
  JOBS,
  makeBundle,
  SEARCH,
  startAcme,
  startExport,
} from '../../test/support/emulator-requests.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';

describe('keys', () => {
  test('Every endpoint returns 401 for a missing or unknown key, and 403 for the other kind of key', async () => {
    await using emulator = await startAcme();
    const { keys, projectId } = emulator;
    const calls = [
      { path: JOBS, body: { domain: 'acme' }, other: keys.assistant },
      { path: `${JOBS}/x`, body: undefined, other: keys.assistant },
      { path: `${JOBS}/x/bundle`, body: '', other: keys.assistant },
      { path: `/v2/agent/${projectId}/job/x`, body: undefined, other: keys.assistant },
      {
        path: `/v2/agent/${projectId}/job/x/message`,
        body: { prompt: 'x' },
        other: keys.assistant,
      },
      { path: SEARCH, body: { query: 'x' }, other: keys.admin },
    ];
    for (const { path, body, other } of calls) {
      const answers = await Promise.all(
        [undefined, 'svc_unknown', other].map((key) => ask(emulator, path, { key, body })),
      );
      expect(
        answers.map(({ status }) => status),
        path,
      ).toEqual([401, 401, 403]);
      for (const { json } of answers) expect(json).toEqual({ error: expect.any(String) });
    }
  });

  test('Keys are random for each start and have the prefix of their kind', async () => {
    await using one = await startAcme();
    await using two = await startAcme();
    expect(one.keys.admin).toMatch(/^svc_(?!dsc_)/);
    expect(one.keys.assistant).toMatch(/^svc_dsc_/);
    expect(one.keys.admin).not.toBe(two.keys.admin);
  });
});

describe('export jobs', () => {
  test('A job shows progress and page count, completes at its last poll, and only then has a bundle', async () => {
    await using emulator = await startAcme({ exportJobs: { advance: 'poll', polls: 2 } });
    const jobId = await startExport(emulator);
    expect((await admin(emulator, `${JOBS}/${jobId}`)).json).toMatchObject({
      jobId,
      status: 'running',
      progress: 50,
      pageCount: 2,
      error: null,
    });
    expect((await admin(emulator, `${JOBS}/${jobId}/bundle`, '')).status).toBe(409);
    expect(exportJobReply.parse((await admin(emulator, `${JOBS}/${jobId}`)).json)).toMatchObject({
      jobId,
      status: 'completed',
      progress: 100,
      pageCount: 4,
    });
    expect((await makeBundle(emulator, jobId)).bundleUrl).toContain(
      `/storage/${jobId}/acme.tar.gz?`,
    );
    expect(emulator.exportJobs).toMatchObject([
      { jobId, domain: 'acme.docs.example', site: 'acme', pageCount: 4, polls: 2, links: 1 },
    ]);
  });

  test('A job that advances by time follows the clock', async () => {
    const clock = fakeClock();
    await using emulator = await startAcme({
      clock,
      exportJobs: { advance: 'time', durationMs: 10_000 },
    });
    const jobId = await startExport(emulator);
    clock.advance(5000);
    expect((await admin(emulator, `${JOBS}/${jobId}`)).json).toMatchObject({
      status: 'running',
      progress: 50,
    });
    clock.advance(5000);
    // Rendering is real work: the job ends only after it.
    await expect
      .poll(async () => (await admin(emulator, `${JOBS}/${jobId}`)).json)
      .toMatchObject({ jobId, status: 'completed' });
  });

  test('An unknown job is a 404, an invalid domain or body is a 400', async () => {
    await using emulator = await startAcme();
    const wrong = [
      { domain: 'other.docs.example' },
      { domain: 'acme.example/docs' },
      { domain: 'https://acme.example' },
    ];
    for (const body of ['{', {}, { domain: 1 }, { domain: '' }, [], ...wrong])
      expect((await admin(emulator, JOBS, body)).status).toBe(400);
    const replyTo = async (body: unknown) => (await admin(emulator, JOBS, body)).json;
    expect(await replyTo('{')).toEqual({ error: 'Invalid request: the body must be JSON' });
    expect(await replyTo({})).toEqual({ error: 'Invalid request: domain: must be a text' });
    expect((await admin(emulator, `${JOBS}/none`)).status).toBe(404);
    expect((await admin(emulator, `${JOBS}/none/bundle`, '')).status).toBe(404);
  });

  test('A script makes a job fail, hide its progress, or show another state', async () => {
    await using emulator = await startAcme({ exportJobs: { advance: 'poll', polls: 2 } });
    emulator.scriptNextExport({
      outcome: 'failed',
      error: 'No plan.',
      silent: true,
      runningStatus: 'pondering',
    });
    const jobId = await startExport(emulator);
    expect((await admin(emulator, `${JOBS}/${jobId}`)).json).toEqual({
      jobId,
      status: 'pondering',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await admin(emulator, `${JOBS}/${jobId}`)).json).toMatchObject({
      jobId,
      status: 'failed',
      error: 'No plan.',
    });
    expect(await startExport(emulator)).not.toBe(jobId);
    expect(emulator.exportJobs[1]?.script).toEqual({});
  });

  test('Invalid front matter makes the export fail with the name of the file', async () => {
    const site = { 'index.md': '# A\n' };
    await using emulator = await startAcme({ sites: { acme: site } });
    Object.assign(site, { 'bad.md': '---\ntitle: [\n---\n' });
    const jobId = await startExport(emulator);
    await admin(emulator, `${JOBS}/${jobId}`);
    expect((await admin(emulator, `${JOBS}/${jobId}`)).json).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('bad.md'),
    });
  });
});

describe('agent jobs', () => {
  test('A message makes a job active, and it ends as its script says, with a pull request', async () => {
    await using emulator = await startAcme({ agentJobs: { advance: 'poll', polls: 2 } });
    const prLink = 'https://github.com/acme/docs/pull/7';
    const { id } = emulator.addAgentJob({ script: { prLink } });
    const path = `/v2/agent/${emulator.projectId}/job/${id}`;
    expect(
      agentJob.parse((await admin(emulator, `${path}/message`, { prompt: 'Shorten it.' })).json)
        .status,
    ).toBe('active');
    const seen = [await admin(emulator, path), await admin(emulator, path)].map(({ json }) =>
      agentJob.parse(json),
    );
    expect(seen.map(({ status, prLink: link }) => [status, link])).toEqual([
      ['active', undefined],
      ['completed', prLink],
    ]);
    expect(emulator.messages).toMatchObject([{ jobId: id, prompt: 'Shorten it.' }]);
  });

  test('A lagging job first shows its state from before the message', async () => {
    await using emulator = await startAcme({ agentJobs: { advance: 'poll', polls: 3 } });
    const { id } = emulator.addAgentJob({
      status: 'failed',
      script: { staleFetches: 1, outcome: 'archived' },
    });
    const path = `/v2/agent/${emulator.projectId}/job/${id}`;
    await admin(emulator, `${path}/message`, { prompt: 'x' });
    const seen = [
      await admin(emulator, path),
      await admin(emulator, path),
      await admin(emulator, path),
    ];
    expect(seen.map(({ json }) => agentJob.parse(json).status)).toEqual([
      'failed',
      'active',
      'archived',
    ]);
  });

  test('A message to an unknown job or project gets 404; without a prompt, or to an archived job, it gets 400', async () => {
    await using emulator = await startAcme();
    const { id } = emulator.addAgentJob({ status: 'archived' });
    const open = emulator.addAgentJob({});
    const send = async (project: string, job: string, body: unknown) =>
      (await admin(emulator, `/v2/agent/${project}/job/${job}/message`, body)).status;
    expect(await send(emulator.projectId, 'none', { prompt: 'x' })).toBe(404);
    expect(await send('other', open.id, { prompt: 'x' })).toBe(404);
    expect(await send(emulator.projectId, open.id, { prompt: '' })).toBe(400);
    expect(await send(emulator.projectId, open.id, {})).toBe(400);
    expect(await send(emulator.projectId, id, { prompt: 'x' })).toBe(400);
    expect(emulator.messages).toEqual([]);
  });

  test('The 101st message within an hour gets 429 with the seconds to wait, and succeeds after them', async () => {
    const clock = fakeClock();
    await using emulator = await startAcme({ clock });
    const { id } = emulator.addAgentJob({});
    const send = () =>
      admin(emulator, `/v2/agent/${emulator.projectId}/job/${id}/message`, { prompt: 'x' });
    for (let sent = 0; sent < 100; sent += 1) {
      expect((await send()).status).toBe(200);
      clock.advance(1000);
    }
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('3500');
    clock.advance(3_499_000);
    expect((await send()).status).toBe(429);
    clock.advance(1000);
    expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(429);
  });
});

describe('search', () => {
  const find = async (emulator: Awaited<ReturnType<typeof startAcme>>, body: unknown) =>
    ask(emulator, SEARCH, { key: emulator.keys.assistant, body });

  test('Search results contain the page without .md, best first, and the score threshold limits them', async () => {
    await using emulator = await startAcme();
    const results = searchResults.parse((await find(emulator, { query: 'presigned link' })).json);
    expect(results[0]).toMatchObject({
      path: '/how-to/refresh',
      metadata: {
        title: 'Refresh the link',
        version: '2',
        language: 'en',
        tags: ['links', 'secrets'],
        score: 1,
      },
    });
    const all = searchResults.parse((await find(emulator, { query: 'bundle link guides' })).json);
    const scores = all.map(({ metadata }) => Number(metadata?.['score']));
    expect(scores.length).toBeGreaterThan(1);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    const cut = scores[0] ?? 0;
    expect(
      searchResults.parse(
        (await find(emulator, { query: 'bundle link guides', scoreThreshold: cut })).json,
      ),
    ).toHaveLength(scores.filter((score) => score >= cut).length);
  });

  test('Filters by version, language and tag, and the page size, limit the results', async () => {
    await using emulator = await startAcme();
    const paths = async (body: object) =>
      searchResults
        .parse((await find(emulator, { query: 'bundle container link home', ...body })).json)
        .map(({ path }) => path);
    expect(await paths({ filter: { version: '1' } })).toEqual(['/how-to/deploy']);
    expect(await paths({ filter: { language: 'en' } })).toEqual(['/how-to/refresh']);
    expect(await paths({ filter: { tag: 'hosting' } })).toEqual(['/how-to/deploy']);
    expect(await paths({ filter: { tag: 'none' } })).toEqual([]);
    expect(await paths({ pageSize: 1 })).toHaveLength(1);
  });

  test('A value out of bounds is a 400 with the name of the field, an unknown site is a 404', async () => {
    await using emulator = await startAcme();
    const wrong = [
      ['query', {}],
      ['query', { query: ' ' }],
      ['pageSize', { query: 'x', pageSize: 0 }],
      ['pageSize', { query: 'x', pageSize: 51 }],
      ['pageSize', { query: 'x', pageSize: 1.5 }],
      ['scoreThreshold', { query: 'x', scoreThreshold: 1.1 }],
      ['scoreThreshold', { query: 'x', scoreThreshold: '1' }],
      ['filter.tag', { query: 'x', filter: { tag: 1 } }],
    ] as const;
    for (const [field, body] of wrong) {
      expect(await find(emulator, body)).toMatchObject({
        status: 400,
        json: { error: expect.stringContaining(field) },
      });
    }
    const { status } = await ask(emulator, '/discovery/v1/search/other', {
      key: emulator.keys.assistant,
      body: { query: 'x' },
    });
    expect(status).toBe(404);
  });

  test('Search has an hourly limit, which a test can lower', async () => {
    await using emulator = await startAcme({ rateLimits: { messages: 1, searches: 2 } });
    const statuses = [
      await find(emulator, { query: 'a' }),
      await find(emulator, { query: 'a' }),
      await find(emulator, { query: 'a' }),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429]);
  });

  test('Search finds newly published content once the lag is over', async () => {
    const clock = fakeClock();
    const site: Record<string, string> = { 'index.md': '# Home\n' };
    await using emulator = await startAcme({ sites: { acme: site }, clock });
    site['zebra.md'] = '# Zebra\n\nStripes.\n';
    emulator.behaviour.searchLag = { ms: 5000, searches: 1 };
    const paths = async () =>
      searchResults.parse((await find(emulator, { query: 'zebra' })).json).map(({ path }) => path);
    await emulator.addExportJob({ domain: 'acme' });
    expect(await paths()).toEqual([]);
    clock.advance(4999);
    expect(await paths()).toEqual([]);
    clock.advance(1);
    expect(await paths()).toEqual(['/zebra']);
  });
});

describe('the control path', () => {
  test('Another process can read requests and state and reset the emulator, with only the admin key', async () => {
    await using emulator = await startAcme();
    await startExport(emulator);
    emulator.inject({ match: { times: Infinity }, status: 500 });
    expect((await ask(emulator, '/__emulator/requests')).status).toBe(401);
    expect((await admin(emulator, '/__emulator/requests')).json).toMatchObject([
      { method: 'POST', path: JOBS, status: 202 },
    ]);
    expect((await admin(emulator, '/__emulator/state')).json).toMatchObject({
      sites: ['acme'],
      exportJobs: [{ site: 'acme' }],
    });
    expect((await admin(emulator, '/__emulator/reset', '')).status).toBe(200);
    expect([emulator.requests.length, emulator.exportJobs.length]).toEqual([0, 0]);
    expect((await admin(emulator, JOBS, { domain: 'acme' })).status).toBe(202);
  });
});
