import nock from 'nock';
import { describe, expect, it } from 'vitest';
import { Http } from '../../src/http/http.ts';
import { createPlatformClient } from '../../src/platform/client.ts';
import { expectError } from '../support/failure.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { recordingLog } from '../support/recording-log.ts';

const BASE = 'https://api.docs.test';
const keys = {
  admin: 'svc_canary-admin-0123456789',
  assistant: 'svc_dsc_canary-assistant-0123456789',
};
const JSON_TYPE = { 'content-type': 'application/json' };

function connect() {
  const clock = fakeClock();
  const { signal } = new AbortController();
  const http = new Http({ clock, log: recordingLog(), signal });
  return { client: createPlatformClient({ http, baseUrl: `${BASE}/tenants/a`, keys }), clock };
}

const job = { projectId: 'p-1', id: 'a-1' };
type Client = ReturnType<typeof createPlatformClient>;

describe('a request to the platform', () => {
  it.each<[string, (client: Client) => Promise<unknown>, unknown, unknown, keyof typeof keys]>([
    [
      'POST /v1/static-export/jobs',
      (c) => c.startExport({ domain: 'docs.acme.com' }),
      { domain: 'docs.acme.com' },
      { jobId: 'j' },
      'admin',
    ],
    [
      'GET /v1/static-export/jobs/j-1',
      (c) => c.getExportJob({ jobId: 'j-1' }),
      undefined,
      { status: 'queued' },
      'admin',
    ],
    [
      'POST /v1/static-export/jobs/j-1/bundle',
      (c) => c.createBundle('j-1'),
      undefined,
      { bundleUrl: 'u' },
      'admin',
    ],
    [
      'POST /v1/static-export/p-1/jobs',
      (c) => c.startExport({ projectId: 'p-1', basePath: '/docs' }),
      { basePath: '/docs' },
      { jobId: 'j' },
      'admin',
    ],
    [
      'POST /v2/agent/p-1/job/a-1/message',
      (c) => c.sendAgentMessage(job, 'hi'),
      { prompt: 'hi' },
      {},
      'admin',
    ],
    [
      'POST /discovery/v1/search/acme',
      (c) => c.search('acme', { query: 'x' }),
      { query: 'x' },
      [],
      'assistant',
    ],
  ])(
    'The request %s has exactly this path, body and key',
    async (route, call, body, answer, key) => {
      const [method = '', path = ''] = route.split(' ');
      const headers = {
        authorization: `Bearer ${keys[key]}`,
        accept: 'application/json',
        'user-agent': 'docs-courier',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      };
      const options = {
        reqheaders: headers,
        ...(body === undefined && { badheaders: ['content-type'] }),
      };
      const sent = nock(BASE, options)
        .intercept(`/tenants/a${path}`, method, (received: unknown) => {
          expect(received === '' ? undefined : received).toEqual(body);
          return true;
        })
        .reply(200, JSON.stringify(answer), JSON_TYPE);
      await call(connect().client);
      expect(sent.isDone()).toBe(true);
    },
  );

  it('An id is escaped, so one path segment cannot become two', async () => {
    const sent = nock(BASE)
      .get('/tenants/a/v1/static-export/jobs/..%2Fx%3Fy')
      .reply(200, { status: 'queued' }, JSON_TYPE);
    await connect().client.getExportJob({ jobId: '../x?y' });
    expect(sent.isDone()).toBe(true);
  });
});

describe('a refusal of the platform', () => {
  it.each([
    [402, 'forbidden', /plan/],
    [429, 'rate-limited', /10 export starts per organization per hour/],
  ])(
    'The status %i for a start is %s, with the reason, and the start is not repeated',
    async (status, code, hint) => {
      const { client, clock } = connect();
      nock(BASE)
        .post('/tenants/a/v1/static-export/p-1/jobs')
        .reply(status, { error: 'no' }, JSON_TYPE);
      expectError(
        await client.startExport({ projectId: 'p-1' }).catch((reason: unknown) => reason),
        { code, hint, httpStatus: status, mayHaveActed: false },
      );
      expect(clock.sleeps).toEqual([]);
    },
  );
});
