import { describe, expect, test } from 'vitest';
import { Http } from '../../src/http/http.ts';
import { createPlatformClient } from '../../src/platform/client.ts';
import { openExport } from '../../src/platform/export-api.ts';
import { ask, JOBS, SITE } from '../../test/support/emulator-requests.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { recordingLog } from '../../test/support/recording-log.ts';
import { FaultScript } from '../src/faults.ts';
import { type Emulator, type EmulatorOptions, startEmulator } from '../src/platform/emulator.ts';
import { startServer } from '../src/server.ts';
import { type Exchange, PlatformApi } from './platform-api.ts';

const api = new PlatformApi();

/** An emulator, and a client whose requests pass a proxy that records each exchange. */
async function startRecorded(options: Partial<EmulatorOptions> = {}) {
  const clock = fakeClock({ now: Date.now() });
  const emulator = await startEmulator({
    sites: { acme: SITE },
    clock: { now: () => Math.floor(clock.now()) },
    ...options,
  });
  const exchanges: Exchange[] = [];
  const front = await startServer({
    port: 0,
    service: {
      faults: new FaultScript(),
      record: ({ url }) => ({ path: url.pathname, status: undefined }),
      async fetch(request) {
        const { pathname: path } = new URL(request.url);
        const body = await request.text();
        const headers = { ...Object.fromEntries(request.headers) };
        for (const name of ['host', 'connection', 'content-length']) delete headers[name];
        const reply = await fetch(emulator.url + path, {
          method: request.method,
          headers,
          ...(body !== '' && { body }),
        });
        const text = await reply.text();
        exchanges.push({
          method: request.method,
          path,
          key: headers['authorization']?.replace('Bearer ', ''),
          request: body,
          contentType: headers['content-type'],
          status: reply.status,
          response: JSON.parse(text),
        });
        return new Response(text, { status: reply.status, headers: reply.headers });
      },
    },
  });
  const http = new Http({ clock, log: recordingLog(), signal: new AbortController().signal });
  return {
    emulator,
    exchanges,
    clock,
    client: createPlatformClient({ http, baseUrl: front.url, keys: emulator.keys }),
    [Symbol.asyncDispose]: async () => {
      await front.close();
      await emulator.close();
    },
  };
}

/** Sends a request that our client would not send, and judges only the reply. */
async function judgeRaw(
  emulator: Emulator,
  method: string,
  path: string,
  given: { key?: string; body?: unknown },
) {
  const { status, json } = await ask(emulator, path, { method, key: given.key, body: given.body });
  return {
    status,
    ...api.judgeReply({ method, path, key: given.key, request: '', status, response: json }),
  };
}

const shape = (exchange: Exchange) => ({ status: exchange.status, ...api.judge(exchange) });

describe('requests and replies according to the API description', () => {
  test('An export by domain follows the API description in every state of its job', async () => {
    await using world = await startRecorded({
      exportJobs: { advance: 'time', durationMs: 10_000 },
    });
    const { client, clock, exchanges, emulator } = world;
    const selection = { version: '2', paths: ['how-to/refresh'] };
    const exported = openExport({
      platform: client,
      source: { domain: 'acme.docs.example', projectId: undefined },
      selection,
    });
    const started = await exported.start();
    const jobId = started.kind === 'started' ? started.jobId : '';
    const states = [(await exported.poll(jobId)).value.status];
    clock.advance(5000);
    states.push((await exported.poll(jobId)).value.status);
    clock.advance(5000);
    await expect.poll(async () => (await exported.poll(jobId)).value.status).toBe('completed');
    await exported.link(jobId);
    emulator.scriptNextExport({ outcome: 'failed', error: 'No.' });
    const second = await exported.start();
    clock.advance(10_000);
    if (second.kind === 'started')
      await expect
        .poll(async () => (await exported.poll(second.jobId)).value.status)
        .toBe('failed');
    expect(states).toEqual(['queued', 'running']);
    expect(exchanges.flatMap((one) => shape(one).problems)).toEqual([]);
    expect(new Set(exchanges.map((one) => shape(one).operationId))).toEqual(
      new Set(['startExport', 'getExportJob', 'createBundle']),
    );
    expect(emulator.exportJobs[0]).toMatchObject({
      domain: 'acme.docs.example',
      ...selection,
      pageCount: 2,
    });
  });

  test('An export by project follows the API description in every state of its job, with a new link each time', async () => {
    await using world = await startRecorded({
      exportJobs: { advance: 'time', durationMs: 10_000 },
    });
    const { client, clock, exchanges, emulator } = world;
    const source = { domain: undefined, projectId: emulator.projectId };
    const exported = openExport({ platform: client, source, basePath: '/docs' });
    const started = await exported.start();
    const jobId = started.kind === 'started' ? started.jobId : '';
    expect(await exported.start()).toMatchObject({ kind: 'busy', error: { code: 'conflict' } });
    const states = [(await exported.poll(jobId)).value.status];
    clock.advance(5000);
    states.push((await exported.poll(jobId)).value.status);
    await expect(exported.link(jobId)).rejects.toMatchObject({ code: 'conflict' });
    clock.advance(5000);
    await expect.poll(async () => (await exported.poll(jobId)).value.status).toBe('completed');
    const links = [(await exported.link(jobId)).value, (await exported.link(jobId)).value];
    expect(links[0]?.bundleUrl).not.toBe(links[1]?.bundleUrl);
    expect(links[0]).toMatchObject({ sizeBytes: expect.any(Number), expiresAt: expect.any(Date) });
    emulator.scriptNextExport({ outcome: 'failed', error: 'No.' });
    const second = await openExport({ platform: client, source }).start();
    clock.advance(10_000);
    if (second.kind === 'started')
      await expect
        .poll(async () => (await exported.poll(second.jobId)).value.status)
        .toBe('failed');
    expect(states).toEqual(['queued', 'running']);
    expect(exchanges.flatMap((one) => shape(one).problems)).toEqual([]);
    expect(exchanges.map(({ request }) => request).filter((body) => body !== '')).toEqual([
      '{"basePath":"/docs"}',
      '{"basePath":"/docs"}',
    ]);
    expect(new Set(exchanges.map(({ status }) => status))).toEqual(new Set([202, 409, 200]));
  });

  test('An agent job follows the API description from its creation to each possible end', async () => {
    await using world = await startRecorded();
    const { client, exchanges, emulator } = world;
    const { projectId } = emulator;
    const { value: made } = await client.createAgentJob(projectId, 'Write a page.');
    expect(made).toMatchObject({ status: 'active', prLink: undefined });
    const job = { projectId, id: made.id };
    await client.getAgentJob(job);
    expect((await client.getAgentJob(job)).value).toMatchObject({
      status: 'completed',
      prLink: expect.any(String),
    });
    await client.sendAgentMessage(job, 'Shorten it.');
    for (const outcome of ['failed', 'archived'] as const) {
      const { id } = emulator.addAgentJob({ status: 'active', script: { outcome } });
      await client.getAgentJob({ projectId, id });
      expect((await client.getAgentJob({ projectId, id })).value.status).toBe(outcome);
    }
    expect(emulator.messages.map(({ prompt }) => prompt)).toEqual(['Write a page.', 'Shorten it.']);
    expect(exchanges.flatMap((one) => shape(one).problems)).toEqual([]);
    expect(exchanges[0]?.status).toBe(201);
  });

  test('Updates and previews follow the API description from the request to each end', async () => {
    await using world = await startRecorded({ publishLagMs: 8000 });
    const { client, clock, exchanges, emulator } = world;
    const { projectId } = emulator;
    await emulator.push({
      branch: 'new/page',
      sha: 'b'.repeat(40),
      content: { 'index.md': '# New' },
    });
    const { statusId: update } = (await client.startUpdate({ projectId })).value;
    emulator.scriptNextUpdate({ outcome: 'failure' });
    const { statusId: preview } = (await client.startUpdate({ projectId, branch: 'new/page' }))
      .value;
    const seen: (string | undefined)[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (const id of [update, preview])
        seen.push((await client.getUpdateStatus(id)).value.status);
      clock.advance(4000);
    }
    expect(seen).toEqual(['queued', 'queued', 'in_progress', 'in_progress', 'success', 'failure']);
    expect(exchanges.flatMap((one) => shape(one).problems)).toEqual([]);
    expect(exchanges.slice(0, 2).map(({ status }) => status)).toEqual([202, 202]);
  });

  test('A search with every option follows the API description', async () => {
    await using world = await startRecorded();
    const filter = { version: '2', language: 'en', tag: 'links', groups: ['staff'] };
    const { value } = await world.client.search('acme', {
      query: 'link',
      pageSize: 5,
      scoreThreshold: 0.1,
      filter,
    });
    expect(value.map(({ path }) => path)).toEqual(['/how-to/refresh']);
    expect(world.exchanges.flatMap((one) => shape(one).problems)).toEqual([]);
  });
});

describe('refusals according to the API description', () => {
  test.each<[string, string, unknown]>([
    ['POST', JOBS, { domain: 'acme/docs' }],
    ['POST', JOBS, { domain: 'nobody.example' }],
    ['POST', JOBS, { domain: 'acme', version: '99' }],
    ['POST', JOBS, { domain: 'acme', paths: ['/how-to'] }],
    ['POST', JOBS, { domain: 'acme', paths: ['gone'] }],
    ['POST', '/v1/static-export/proj_1/jobs', { basePath: '/elsewhere' }],
    ['POST', '/v1/static-export/proj_1/jobs', '{'],
    ['POST', '/v1/project/preview/proj_1', { branch: '' }],
    ['POST', '/v1/project/preview/proj_1', {}],
    ['POST', '/v2/agent/proj_1/job', { prompt: '' }],
    ['POST', '/v2/agent/other/job', { prompt: 'x' }],
    ['POST', '/v2/agent/proj_1/job/job-1/message', {}],
  ])('The emulator returns 400 for %s %s %j', async (method, path, body) => {
    await using emulator = await startEmulator({ sites: { acme: SITE }, projectId: 'proj_1' });
    emulator.addAgentJob({ id: 'job-1' });
    expect(
      await judgeRaw(emulator, method, path, { key: emulator.keys.admin, body }),
    ).toMatchObject({
      status: 400,
      problems: [],
    });
  });

  const calls: readonly [string, string, unknown][] = [
    ['POST', JOBS, { domain: 'acme' }],
    ['GET', `${JOBS}/x`, undefined],
    ['POST', `${JOBS}/x/bundle`, undefined],
    ['POST', '/v1/static-export/proj_1/jobs', {}],
    ['GET', '/v1/static-export/proj_1/jobs/x', undefined],
    ['POST', '/v1/project/update/proj_1', undefined],
    ['POST', '/v1/project/preview/proj_1', { branch: 'x' }],
    ['GET', '/v1/project/update-status/x', undefined],
    ['POST', '/v2/agent/proj_1/job', { prompt: 'x' }],
    ['GET', '/v2/agent/proj_1/job/x', undefined],
    ['POST', '/v2/agent/proj_1/job/x/message', { prompt: 'x' }],
    ['POST', '/discovery/v1/search/acme', { query: 'x' }],
  ];

  test('Every endpoint of the description returns 401 and 403 for wrong keys', async () => {
    await using emulator = await startEmulator({ sites: { acme: SITE }, projectId: 'proj_1' });
    const { admin, assistant } = emulator.keys;
    const seen: (string | undefined)[] = [];
    for (const [method, path, body] of calls) {
      const other = path.startsWith('/discovery') ? admin : assistant;
      const unknown = await judgeRaw(emulator, method, path, { body });
      const wrong = await judgeRaw(emulator, method, path, { key: other, body });
      expect([unknown, wrong], path).toMatchObject([
        { status: 401, problems: [] },
        { status: 403, problems: [] },
      ]);
      seen.push(unknown.operationId);
    }
    expect(seen.toSorted()).toEqual(api.operationIds.toSorted());
  });

  test('A missing object is a 404, also in the other revision of the API', async () => {
    await using emulator = await startEmulator({ sites: { acme: SITE }, projectId: 'proj_1' });
    await emulator.addExportJob({ jobId: 'd', domain: 'acme' });
    await emulator.addExportJob({ jobId: 'p', domain: 'acme', projectId: 'proj_1' });
    for (const path of [
      `${JOBS}/p`,
      '/v1/static-export/proj_1/jobs/d',
      '/v1/static-export/other/jobs/p',
      `${JOBS}/x`,
    ]) {
      const found = await judgeRaw(emulator, 'GET', path, { key: emulator.keys.admin });
      expect(found, path).toMatchObject({ status: 404, problems: [] });
    }
    const bundle = await judgeRaw(emulator, 'POST', `${JOBS}/p/bundle`, {
      key: emulator.keys.admin,
    });
    expect(bundle).toMatchObject({ status: 404, problems: [] });
  });

  test('Plan, login, an early bundle and limits return 402, 403, 409 and 429', async () => {
    await using emulator = await startEmulator({
      sites: { acme: SITE },
      projectId: 'proj_1',
      plan: 'free',
      rateLimits: { messages: 0, searches: 0, exportStarts: 0, previews: 0 },
    });
    const { admin, assistant } = emulator.keys;
    const project = '/v1/static-export/proj_1/jobs';
    const start = (path: string) =>
      judgeRaw(emulator, 'POST', path, {
        key: admin,
        body: path === JOBS ? { domain: 'acme' } : {},
      });
    expect([await start(JOBS), await start(project)]).toMatchObject([
      { status: 402, problems: [] },
      { status: 402, problems: [] },
    ]);
    Object.assign(emulator.behaviour, { plan: 'enterprise', privateSites: ['acme'] });
    expect([await start(JOBS), await start(project)]).toMatchObject([
      { status: 403, problems: [] },
      { status: 403, problems: [] },
    ]);
    emulator.behaviour.privateSites = [];
    const { json } = await ask(emulator, JOBS, { key: admin, body: { domain: 'acme' } });
    const jobId = /"jobId":"([^"]+)"/.exec(JSON.stringify(json))?.[1];
    expect([
      await judgeRaw(emulator, 'POST', `${JOBS}/${jobId}/bundle`, { key: admin }),
      await start(project),
      await judgeRaw(emulator, 'POST', '/v2/agent/proj_1/job', {
        key: admin,
        body: { prompt: 'x' },
      }),
      await judgeRaw(emulator, 'POST', '/discovery/v1/search/acme', {
        key: assistant,
        body: { query: 'x' },
      }),
    ]).toMatchObject([409, 429, 429, 429].map((status) => ({ status, problems: [] })));
  });
});

describe('the judge of exchanges', () => {
  const queued = {
    jobId: 'x',
    status: 'queued',
    progress: 0,
    pageCount: 0,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
  };
  const good: Exchange = {
    method: 'POST',
    path: JOBS,
    key: 'svc_a',
    request: '{"domain":"acme"}',
    contentType: 'application/json',
    status: 202,
    response: queued,
  };

  test.each<[string, Partial<Exchange>, string]>([
    ['an unknown path', { path: '/v1/other' }, 'is not described'],
    ['the other key', { key: 'svc_dsc_a' }, 'the assistant key was sent'],
    ['no body', { request: '' }, 'no body was sent'],
    ['an unknown field', { request: '{"domain":"a","x":1}' }, 'additional properties'],
    ['a wrong type', { request: '{"domain":1}' }, 'must be string'],
    ['an undescribed status', { status: 418 }, 'the status 418 is not described'],
    [
      'a field that is missing',
      { response: { jobId: 'x' } },
      "must have required property 'status'",
    ],
    ['an unknown state', { response: { ...queued, status: 'packing' } }, 'allowed values'],
    ['an invalid time', { response: { ...queued, updatedAt: 'now' } }, 'date-time'],
    [
      'an error body in another format',
      { status: 400, response: { message: 'x' } },
      "property 'error'",
    ],
  ])('The judge finds %s', (_, change, problem) => {
    expect(api.judge(good).problems).toEqual([]);
    expect(api.judge({ ...good, ...change }).problems.join('\n')).toContain(problem);
  });
});
