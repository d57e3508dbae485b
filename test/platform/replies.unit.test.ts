import nock from 'nock';
import { describe, expect, it } from 'vitest';
import { Http } from '../../src/http/http.ts';
import { createPlatformClient } from '../../src/platform/client.ts';
import { expectError, failureOf } from '../support/failure.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { recordingLog } from '../support/recording-log.ts';

const BASE = 'https://api.docs.test';
const ADMIN_KEY = 'svc_canary-admin-0123456789';
const BUNDLE = '/v1/static-export/jobs/job-1/bundle';
const bundle = {
  bundleUrl: 'https://storage.example.com/b?s=1',
  expiresAt: '2026-01-02T00:00:00Z',
};

function connect() {
  const clock = fakeClock();
  const { signal } = new AbortController();
  const http = new Http({ clock, log: recordingLog(), signal });
  const keys = { admin: ADMIN_KEY, assistant: 'svc_dsc_canary-assistant-0123456789' };
  return { client: createPlatformClient({ http, baseUrl: BASE, keys }), clock };
}

/** The platform gives this reply to every request for a bundle; the requests are counted. */
function answerBundles(status: number, reply: string | object) {
  const requests = { count: 0 };
  nock(BASE)
    .persist()
    .post(BUNDLE)
    .reply(status, () => {
      requests.count += 1;
      return reply;
    });
  return requests;
}

describe('a status of the platform', () => {
  it.each([408, 425, 429, 500, 502, 503, 504, 520, 524])(
    'A call that may be repeated is repeated after %i',
    async (status) => {
      const scope = nock(BASE).post(BUNDLE).reply(status, {}).post(BUNDLE).reply(200, bundle);
      const { value } = await connect().client.createBundle('job-1');
      expect(value.bundleUrl).toBe(bundle.bundleUrl);
      expect(scope.isDone()).toBe(true);
    },
  );

  it.each([
    [400, 'config'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [409, 'conflict'],
    [410, 'not-found'],
    [413, 'config'],
    [422, 'config'],
  ])('A call is not repeated after %i, which is %s', async (status, code) => {
    const requests = answerBundles(status, { error: 'because' });
    const error = await failureOf(connect().client.createBundle('job-1'));
    expectError(error, {
      code,
      message: `POST ${BASE}${BUNDLE} answered ${status}: because`,
      httpStatus: status,
    });
    expect(error.hint).toBeTruthy();
    expect(requests.count).toBe(1);
  });

  it('All calls of a run share twenty retries', async () => {
    const requests = answerBundles(500, {});
    const { client } = connect();
    for (let call = 0; call < 8; call += 1) await failureOf(client.createBundle('job-1'));
    expect(requests.count).toBe(8 + 20);
  });

  it('A call accepts any 2xx with a valid body, and ignores unknown fields', async () => {
    nock(BASE).post('/v1/static-export/jobs').reply(203, { jobId: 'job-1', extra: 1 });
    expect((await connect().client.startExport({ domain: 'd' })).value).toEqual({ jobId: 'job-1' });
  });
});

describe('what an error shows of a reply', () => {
  it('The error of an invalid reply contains the wrong field', async () => {
    nock(BASE)
      .get('/v2/agent/p/job/a')
      .reply(200, {
        id: 'a',
        status: 7,
        source: { repository: 5, ref: null },
        model: 'm',
        prLink: null,
        createdAt: 'yesterday',
        archivedAt: null,
      });
    const error = await failureOf(connect().client.getAgentJob({ projectId: 'p', id: 'a' }));
    expect(error.message).toContain('status: must be a text');
    expect(error.message).toContain('source.repository: must be a text');
  });

  it.each([0, 150, 170, 180, 190, 199, 760, 780, 790, 799])(
    'An invalid reply with the key after %i characters is shown without it, even if it is cut within the key',
    async (before) => {
      answerBundles(200, `<p>${'x'.repeat(before)}${ADMIN_KEY}</p>`);
      const error = await failureOf(connect().client.createBundle('job-1'));
      expect(`${error.message} ${error.hint}`).not.toContain(ADMIN_KEY.slice(0, 8));
    },
  );

  it('The error never quotes JSON, which may contain a link', async () => {
    answerBundles(200, { bundleURL: 'https://x.example/?sig=canary-signature' });
    const error = await failureOf(connect().client.createBundle('job-1'));
    expect(`${error.message} ${error.hint}`).not.toContain('canary-signature');
  });

  it('The error text of the platform is redacted, inert and cut', async () => {
    answerBundles(400, {
      error: `key ${ADMIN_KEY} \u001b[31m\n::error::x\r##[error]y ${'z'.repeat(100_000)}`,
    });
    const { message } = await failureOf(connect().client.createBundle('job-1'));
    expect(message).not.toContain(ADMIN_KEY);
    expect(message).not.toContain('\u001b');
    expect(message).not.toContain('##[error]');
    expect(message.split('\n')).toHaveLength(1);
    expect(message.length).toBeLessThan(700);
  });

  it('A key that a reply echoes does not leave the transport', async () => {
    nock(BASE).post('/v1/static-export/jobs').reply(202, { jobId: ADMIN_KEY });
    const failure = await failureOf(connect().client.startExport({ domain: 'docs.example.com' }));
    expect(failure).toMatchObject({ code: 'protocol' });
    expect(JSON.stringify({ ...failure, message: failure.message })).not.toContain(ADMIN_KEY);
  });

  it('A presigned link in an error text loses its query', async () => {
    const link = 'https://bucket.example.com/a.tar.gz?X-Amz-Signature=0123456789abcdef0123';
    answerBundles(400, { error: `cannot sign ${link}, sorry` });
    const { message } = await failureOf(connect().client.createBundle('job-1'));
    expect(message).toMatch(
      /answered 400: cannot sign https:\/\/bucket\.example\.com\/a\.tar\.gz\?… sorry\.$/,
    );
  });
});
