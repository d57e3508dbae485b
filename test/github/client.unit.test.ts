import nock from 'nock';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { commandLineStep } from '../../src/ci/github/command-line.ts';
import { createOctokit, getJson } from '../../src/github/client.ts';
import { listAll } from '../../src/github/lists.ts';
import { createLog } from '../../src/ground/log.ts';
import { Http } from '../../src/http/http.ts';
import { expectError, failureOf } from '../support/failure.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { recordingLog } from '../support/recording-log.ts';

const API = 'https://api.github.test';
const TOKEN = 'ghs_canaryToken0123456789abcdef';
const repository = { owner: 'acme', repo: 'app' };
const SECRET = '/repos/{owner}/{repo}/actions/secrets/{secret_name}';
const sealed = { ...repository, secret_name: 'LINK', encrypted_value: 'x', key_id: '1' };
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

async function connect(apiUrl = API) {
  const clock = fakeClock({ now: Date.parse('2026-03-01T12:00:00Z') });
  const log = recordingLog();
  log.mask(TOKEN);
  const { signal } = new AbortController();
  const octokit = await createOctokit({
    token: TOKEN,
    apiUrl,
    signal,
    http: new Http({ clock, log, random: () => 0, signal }),
  });
  return { octokit, clock, log };
}

describe('a request to GitHub', () => {
  it('A request to GitHub has method, path, body, version and token, also below the path of an Enterprise Server', async () => {
    const { octokit } = await connect(`${API}/api/v3`);
    const call = nock(API, {
      reqheaders: {
        authorization: `token ${TOKEN}`,
        accept: 'application/vnd.github.v3+json',
        'user-agent': /docs-courier/,
        'content-type': /application\/json/,
        'content-length': '36',
      },
    })
      .put('/api/v3/repos/acme/app/actions/secrets/LINK', { encrypted_value: 'x', key_id: '1' })
      .reply(204);
    await octokit.request(`PUT ${SECRET}`, sealed);
    expect(call.isDone()).toBe(true);
  });

  it('A request to GitHub is the same on the third try as on the first, with body and token', async () => {
    const { octokit, clock } = await connect();
    const body = { value: 'new' };
    nock(API)
      .patch('/repos/acme/app/actions/variables/STATE', body)
      .twice()
      .reply(502, 'bad gateway');
    const third = nock(API, { reqheaders: { authorization: `token ${TOKEN}` } })
      .patch('/repos/acme/app/actions/variables/STATE', body)
      .reply(204);
    await octokit.request('PATCH /repos/{owner}/{repo}/actions/variables/{name}', {
      ...repository,
      name: 'STATE',
      ...body,
    });
    expect(third.isDone()).toBe(true);
    expect(clock.sleeps).toHaveLength(2);
  });

  it('A refused request is reported with the log of a run, which redacts', async () => {
    const { signal } = new AbortController();
    const log = createLog(commandLineStep({ env: {}, write: () => {} }).toolkit);
    log.mask(TOKEN);
    const octokit = await createOctokit({
      token: TOKEN,
      apiUrl: API,
      signal,
      http: new Http({ clock: fakeClock(), log, signal }),
    });
    nock(API)
      .get('/repos/acme/app')
      .reply(404, { message: `no ${TOKEN}` }, JSON_TYPE);
    const error = await failureOf(octokit.request('GET /repos/{owner}/{repo}', repository));
    expect(error.message).toBe('GitHub GET /repos/acme/app answered 404: no ***.');
  });

  it('A request to GitHub never leaves the process in a unit test', async () => {
    const { octokit } = await connect('https://api.github.com');
    expect(await failureOf(octokit.request('GET /meta'))).toMatchObject({ code: 'network' });
  });
});

describe('a rate limit', () => {
  const limited = {
    message:
      'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
  };

  it.each([
    [403, limited],
    [429, {}],
    [403, { message: 'You have triggered an abuse detection mechanism.' }],
  ])(
    'A rate limit without a retry time (%i) makes the run wait a minute, then two',
    async (status, body) => {
      const { octokit, clock } = await connect();
      const headers = { ...JSON_TYPE, 'x-ratelimit-remaining': '4321' };
      nock(API).get('/repos/acme/app').twice().reply(status, body, headers);
      nock(API).get('/repos/acme/app').reply(200, { id: 7 }, JSON_TYPE);
      const found = await getJson(
        octokit,
        'GET /repos/{owner}/{repo}',
        repository,
        z.object({ id: z.number() }),
      );
      expect(found).toEqual({ id: 7 });
      expect(clock.sleeps).toEqual([60_000, 120_000]);
    },
  );

  it('A rate limit that does not end is rate-limited, and never a missing permission', async () => {
    const { octokit, clock } = await connect();
    nock(API).get('/repos/acme/app').times(3).reply(403, limited, JSON_TYPE);
    const error = await failureOf(octokit.request('GET /repos/{owner}/{repo}', repository));
    expect(error).toMatchObject({ code: 'rate-limited', httpStatus: 403, lacksPermission: false });
    expect(clock.sleeps).toEqual([60_000, 120_000]);
  });

  it('The run waits for a rate limit until its reset time, and a reset too far away ends the call', async () => {
    const { octokit, clock } = await connect();
    const reset = (seconds: number) => ({
      ...JSON_TYPE,
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Date.parse('2026-03-01T12:00:00Z') / 1000 + seconds),
    });
    nock(API).get('/repos/acme/app').reply(403, { message: 'API rate limit exceeded' }, reset(30));
    nock(API)
      .get('/repos/acme/app')
      .reply(403, { message: 'API rate limit exceeded' }, reset(3000));
    const error = await failureOf(octokit.request('GET /repos/{owner}/{repo}', repository));
    expect(clock.sleeps).toEqual([30_000]);
    expect(error).toMatchObject({ code: 'rate-limited', retryAfterMs: 2_970_000 });
  });
});

describe('a refusal', () => {
  it.each([
    ['Resource not accessible by integration', true],
    ['Resource not accessible by personal access token', true],
    ['Must have admin rights to Repository.', true],
    ['Repository access blocked', false],
    ['Resource protected by organization SAML enforcement.', false],
    ['', false],
  ])('The refusal "%s" means a missing permission: %s', async (message, lacksPermission) => {
    const { octokit, clock } = await connect();
    nock(API).get('/repos/acme/app').reply(403, { message }, JSON_TYPE);
    const error = await failureOf(octokit.request('GET /repos/{owner}/{repo}', repository));
    expect(error).toMatchObject({ code: 'forbidden', lacksPermission });
    expect(clock.sleeps).toEqual([]);
  });

  it('A missing permission is recognized even if it was the last request of the hour', async () => {
    const { octokit } = await connect();
    const headers = {
      ...JSON_TYPE,
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1772366460',
    };
    nock(API)
      .get('/repos/acme/app')
      .reply(403, { message: 'Resource not accessible by integration' }, headers);
    const call = octokit.request('GET /repos/{owner}/{repo}', repository);
    expect(await failureOf(call)).toMatchObject({ code: 'forbidden', lacksPermission: true });
  });

  it('A refusal names the permission that GitHub names', async () => {
    const { octokit } = await connect();
    const headers = {
      ...JSON_TYPE,
      'x-accepted-github-permissions': 'pull_requests=write,contents=read; issues=write',
    };
    nock(API)
      .get('/repos/acme/app')
      .reply(403, { message: 'Resource not accessible by integration' }, headers);
    const error = await failureOf(octokit.request('GET /repos/{owner}/{repo}', repository));
    expect(error.hint).toMatchObject({
      permissions: { 'pull-requests': 'write', contents: 'read' },
    });
  });

  it('A refusal contains no secret, not even the part that a cut would leave', async () => {
    for (const before of [0, 270, 480, 490, 499]) {
      const { octokit } = await connect();
      const message = `${'x'.repeat(before)}${TOKEN} was refused`;
      nock(API).put('/repos/acme/app/actions/secrets/LINK').reply(422, { message }, JSON_TYPE);
      const error = await failureOf(octokit.request(`PUT ${SECRET}`, sealed));
      expect(error.message).not.toContain('ghs_canary');
    }
  });

  it('A refusal names the call with its path, as one inert line', async () => {
    const { octokit } = await connect();
    const message = '##[add-mask]x\n::error::y';
    nock(API).put('/repos/acme/app/actions/secrets/LINK').reply(403, { message }, JSON_TYPE);
    const error = await failureOf(octokit.request(`PUT ${SECRET}`, sealed));
    expect(error.message).toBe(
      'GitHub PUT /repos/acme/app/actions/secrets/LINK answered 403: ##\\[add-mask]x ::error::y.',
    );
  });
});

describe('a reply', () => {
  it('A reply without a field is a protocol error that names route and field, never a TypeError', async () => {
    const { octokit } = await connect();
    nock(API)
      .get('/repos/acme/app')
      .reply(200, { owner: { login: 5 } }, JSON_TYPE);
    const schema = z.object({ id: z.number(), owner: z.object({ login: z.string() }) });
    const error = await failureOf(
      getJson(octokit, 'GET /repos/{owner}/{repo}', repository, schema),
    );
    expectError(error, { code: 'protocol', message: 'GET /repos/{owner}/{repo}' });
    expect(error.message).toContain('id: must be');
    expect(error.message).toContain('owner.login: must be a text');
  });
});

describe('a list', () => {
  const comments = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
  const parameters = { ...repository, issue_number: 1 };
  const path = '/repos/acme/app/issues/1/comments';
  const schema = z.object({ id: z.number() });
  const next = (url: string) => ({ ...JSON_TYPE, link: `<${url}>; rel="next"` });

  it('A list is read page by page, following the links', async () => {
    const { octokit } = await connect();
    nock(API)
      .get(path)
      .query({ per_page: 100 })
      .reply(200, [{ id: 1 }], next(`${API}${path}?page=2`));
    nock(API)
      .get(path)
      .query({ page: 2 })
      .reply(200, [{ id: 2 }], JSON_TYPE);
    const found = await listAll(octokit, comments, parameters, schema);
    expect(found).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('A list whose next page is on another host is refused, and the token is not sent there', async () => {
    const { octokit } = await connect();
    nock(API)
      .get(path)
      .query(true)
      .reply(200, [{ id: 1 }], next(`https://evil.example${path}?page=2`));
    const evil = nock('https://evil.example').get(path).query(true).reply(200, [], JSON_TYPE);
    expectError(await failureOf(listAll(octokit, comments, parameters, schema)), {
      code: 'protocol',
      message: 'https://evil.example',
    });
    expect(evil.isDone()).toBe(false);
  });

  it('A list with an item that does not fit is a protocol error', async () => {
    const { octokit } = await connect();
    nock(API)
      .get(path)
      .query(true)
      .reply(200, [{ id: 1 }, { name: 'x' }], JSON_TYPE);
    const error = await failureOf(listAll(octokit, comments, parameters, schema));
    expect(error.message).toContain('1.id');
  });
});

describe('a redirect', () => {
  it('A redirect to the new address of a renamed repository is followed, with the token', async () => {
    const { octokit } = await connect();
    nock(API)
      .get('/repos/acme/app')
      .reply(301, {}, { ...JSON_TYPE, location: `${API}/repositories/7` });
    nock(API, { reqheaders: { authorization: `token ${TOKEN}` } })
      .get('/repositories/7')
      .reply(200, { id: 7 }, JSON_TYPE);
    const { data } = await octokit.request('GET /repos/{owner}/{repo}', repository);
    expect(data.id).toBe(7);
  });

  it.each([
    ['to another host', 307, 'https://evil.example/repositories/7'],
    ['that goes in a circle', 307, `${API}/repos/acme/app`],
    ['without an address', 307, ''],
  ])('A redirect %s is refused', async (_, status, location) => {
    const { octokit } = await connect();
    nock(API)
      .get('/repos/acme/app')
      .times(10)
      .reply(status, {}, { ...JSON_TYPE, location });
    const evil = nock('https://evil.example').get('/repositories/7').reply(200, {}, JSON_TYPE);
    expect(await failureOf(octokit.request('GET /repos/{owner}/{repo}', repository))).toMatchObject(
      {
        code: 'protocol',
      },
    );
    expect(evil.isDone()).toBe(false);
  });

  it('A redirect that would turn a write into a read is refused', async () => {
    const { octokit } = await connect();
    nock(API)
      .put('/repos/acme/app/actions/secrets/LINK')
      .reply(302, {}, { location: `${API}/elsewhere` });
    const call = octokit.request(`PUT ${SECRET}`, sealed);
    expect(await failureOf(call)).toMatchObject({ code: 'protocol', httpStatus: 302 });
  });
});
