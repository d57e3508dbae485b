import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createOctokit, getJson } from '../../src/github/client.ts';
import { listAll } from '../../src/github/lists.ts';
import { Http } from '../../src/http/http.ts';
import { failureOf } from '../support/failure.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import {
  drip,
  json,
  type RawReply,
  raw,
  reply,
  reset,
  silence,
  startRawServer,
} from '../support/raw-server.ts';
import { recordingLog } from '../support/recording-log.ts';

const repository = { owner: 'acme', repo: 'app' };
const ROUTE = 'GET /repos/{owner}/{repo}';
const schema = z.object({ id: z.number() });
const head = (length: number) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

async function connect(apiUrl: string, timeoutMs = 5000) {
  const clock = fakeClock();
  const { signal } = new AbortController();
  const octokit = await createOctokit({
    token: 'ghs_x',
    apiUrl,
    signal,
    timeoutMs,
    http: new Http({ clock, log: recordingLog(), signal }),
  });
  return { octokit, clock };
}

const CUTS: readonly (readonly [string, RawReply])[] = [
  ['A reply cut in the middle of its body', raw(`${head(500)}{"id": 7, "na`)],
  ['A reply cut right before its body', raw(head(500))],
  [
    'A chunked reply that is cut',
    raw(
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"id"',
    ),
  ],
  [
    'A cut reply with neither length nor chunks',
    raw('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{"id": 7, '),
  ],
  ['A connection reset', reset],
];

describe('a reply of GitHub', () => {
  it.each([
    [
      'a message',
      [{ resource: 'Issue', code: 'custom', message: 'body is too long' }],
      ': body is too long',
    ],
    [
      'a field and a code',
      [{ resource: 'Label', field: 'name', code: 'missing_field' }],
      ': Label name missing_field',
    ],
    ['texts', ['sha is stale', 'ref is locked'], ': sha is stale; ref is locked'],
    ['nothing', [], ''],
    ['no list', { a: 1 }, ''],
  ])(
    'The reason of a refused request is shown if its errors have %s',
    async (_, errors, reason) => {
      await using server = await startRawServer(
        json(422, { message: 'Validation Failed', errors }),
      );
      const { octokit } = await connect(server.url);
      const error = await failureOf(getJson(octokit, ROUTE, repository, schema));
      expect(error.message).toContain(`answered 422: Validation Failed${reason}.`);
    },
  );

  it.each(CUTS)('%s is not an empty success: the read is repeated', async (_, fault) => {
    await using server = await startRawServer(fault, json(200, { id: 7 }));
    const { octokit } = await connect(server.url);
    expect(await getJson(octokit, ROUTE, repository, schema)).toEqual({ id: 7 });
    expect(server.requests).toHaveLength(2);
  });

  it.each(CUTS)('%s five times is an error, and never an empty list', async (_, fault) => {
    await using server = await startRawServer(fault);
    const { octokit } = await connect(server.url);
    const call = listAll(
      octokit,
      'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
      { ...repository, issue_number: 1 },
      schema,
    );
    expect(['network', 'protocol']).toContain((await failureOf(call)).code);
    expect(server.requests).toHaveLength(5);
  });

  it.each(CUTS)(
    '%s after a request that creates something is not repeated: it may have been created',
    async (_, fault) => {
      await using server = await startRawServer(fault, json(201, { id: 7 }));
      const { octokit } = await connect(server.url);
      const call = octokit.rest.issues.createComment({
        ...repository,
        issue_number: 1,
        body: 'hello',
      });
      expect(await failureOf(call)).toMatchObject({ mayHaveActed: true });
      expect(server.requests).toHaveLength(1);
    },
  );

  it.each<[string, RawReply]>([
    ['says nothing', silence],
    ['drips its body', drip(5)],
    [
      'stops in its body',
      (socket) => {
        socket.write(`${head(500)}{`);
      },
    ],
  ])(
    'The time limit covers the body: a request with a reply that %s is repeated',
    async (_, fault) => {
      using timers = fakeTimers();
      await using server = await startRawServer(fault, json(200, { id: 7 }));
      const { octokit, clock } = await connect(server.url, 20_000);
      const call = getJson(octokit, ROUTE, repository, schema);
      await expect.poll(() => server.requests.length).toBe(1);
      await timers.passUntil(() => clock.sleeps.length > 0);
      expect(await call).toEqual({ id: 7 });
      expect(server.requests).toHaveLength(2);
    },
  );

  it('The reply to a write may be empty if its length says so, and a 204 has no body', async () => {
    await using server = await startRawServer(
      reply(201, ''),
      raw('HTTP/1.1 204 No Content\r\n\r\n'),
    );
    const { octokit } = await connect(server.url);
    const sealed = { ...repository, secret_name: 'LINK', encrypted_value: 'x', key_id: '1' };
    const put = () =>
      octokit.request('PUT /repos/{owner}/{repo}/actions/secrets/{secret_name}', sealed);
    expect([(await put()).status, (await put()).status]).toEqual([201, 204]);
  });

  it('The error of a write says what an earlier attempt may have done', async () => {
    await using server = await startRawServer(reset, json(403, { message: 'no' }));
    const { octokit } = await connect(server.url);
    const sealed = { ...repository, secret_name: 'LINK', encrypted_value: 'x', key_id: '1' };
    const call = octokit.request('PUT /repos/{owner}/{repo}/actions/secrets/{secret_name}', sealed);
    expect(await failureOf(call)).toMatchObject({ code: 'forbidden', mayHaveActed: true });
  });

  it('A reply is read completely, however long it is', async () => {
    const comment = 'x'.repeat(3 * 1024 * 1024);
    await using server = await startRawServer(json(200, { id: 7, comment }));
    const { octokit } = await connect(server.url, 20_000);
    const { data } = await octokit.request(ROUTE, repository);
    expect(data).toMatchObject({ id: 7, comment });
  });
});

describe('a refusal that is not about a permission', () => {
  it('Single sign-on names the address to authorize the token at, without its query, if it is on the server of the run', async () => {
    const url = 'https://127.0.0.1/orgs/acme/sso?authorization_request=SECRET';
    await using server = await startRawServer((socket, request) =>
      json(403, { message: 'Resource protected by organization SAML enforcement.' }, [
        `x-github-sso: required; url=${url.replace('127.0.0.1', request.head.match(/host: (\S+)/i)?.[1] ?? '')}`,
      ])(socket, request),
    );
    const { octokit } = await connect(server.url);
    const error = await failureOf(getJson(octokit, ROUTE, repository, schema));
    expect(error.hint).toMatchObject({
      text: expect.stringContaining('/orgs/acme/sso, and run again'),
    });
    expect(JSON.stringify(error.hint)).not.toContain('SECRET');
  });

  it('Single sign-on at another host than the server of the run shows no address', async () => {
    const sso = 'x-github-sso: required; url=https://evil.example.com/orgs/acme/sso?x=1';
    await using server = await startRawServer(json(403, { message: 'no' }, [sso]));
    const { octokit } = await connect(server.url);
    const error = await failureOf(getJson(octokit, ROUTE, repository, schema));
    expect(error.hint).toMatchObject({ text: expect.stringContaining('requires single sign-on') });
    expect(JSON.stringify(error.hint)).not.toContain('evil');
  });

  it('An IP allow list asks for the address of the runner, and for no permission', async () => {
    const message =
      'Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled';
    await using server = await startRawServer(json(403, { message }));
    const { octokit } = await connect(server.url);
    const error = await failureOf(getJson(octokit, ROUTE, repository, schema));
    expect(error.hint).toMatchObject({ text: expect.stringContaining("runner's address") });
  });
});
