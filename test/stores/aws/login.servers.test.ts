import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CourierError } from '../../../src/ground/errors.ts';
import { Http } from '../../../src/http/http.ts';
import { AwsLogin } from '../../../src/stores/aws/login.ts';
import { expectError, failure } from '../../support/failure.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { textOf } from '../../support/fault-front.ts';
import { listen, stopServer } from '../../support/listening.ts';
import { recordingLog } from '../../support/recording-log.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** Answers every request by one function, and records the requests. */
async function startServer(answer: (asked: Asked) => string | undefined) {
  const requests: Asked[] = [];
  const server = http.createServer(async (incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const asked = { method, path: url, headers, body: await textOf(incoming) };
    requests.push(asked);
    const text = answer(asked);
    outgoing.writeHead(text === undefined ? 404 : 200).end(text ?? '');
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    requests,
    [Symbol.asyncDispose]: () => stopServer(server),
  };
}

const clock = fakeClock({ now: Date.parse('2026-01-01T00:00:00Z') });
const ROLE = {
  arn: 'arn:aws:iam::123456789012:role/docs',
  idToken: async () => 'id-token-of-the-run',
};

function loginWith(
  env: Readonly<Record<string, string>>,
  role?: { readonly arn: string; readonly idToken: () => Promise<string> },
) {
  const log = recordingLog();
  const own = fakeClock({ now: clock.now() });
  const http = new Http({ clock: own, log, signal: new AbortController().signal, random: () => 0 });
  return {
    log,
    clock: own,
    login: new AwsLogin({
      role: role && { arn: role.arn, audience: 'aws' },
      idToken: role?.idToken ?? (() => Promise.reject(new Error('not asked for'))),
      region: 'eu-central-1',
      env,
      http,
      log,
      clock: own,
    }),
  };
}

test('Keys of the environment are used unchanged, and masked', async () => {
  const env = {
    AWS_ACCESS_KEY_ID: 'AKIA1',
    AWS_SECRET_ACCESS_KEY: 'secret-of-the-job',
    AWS_SESSION_TOKEN: 'session-of-the-job',
  };
  const { login, log } = loginWith(env);
  expect(await login.keys()).toMatchObject({
    accessKeyId: 'AKIA1',
    sessionToken: 'session-of-the-job',
  });
  expect(log.masks).toEqual(expect.arrayContaining(['secret-of-the-job', 'session-of-the-job']));
  expect(login.canRenew).toBe(false);
});

test('Keys that were copied with a line end work, and other invalid keys are refused before anything is sent', async () => {
  const env = { AWS_ACCESS_KEY_ID: 'AKIA1\n', AWS_SECRET_ACCESS_KEY: ' secret-of-the-job\n' };
  expect(await loginWith(env).login.keys()).toMatchObject({
    accessKeyId: 'AKIA1',
    secretAccessKey: 'secret-of-the-job',
  });
  const two = loginWith({ ...env, AWS_SECRET_ACCESS_KEY: 'secret-of-the-job\nAWS_REGION=x' });
  const error = await failure(two.login.keys());
  expectError(error, { code: 'config', message: 'AWS_SECRET_ACCESS_KEY is not one line' });
  expect(String(error)).not.toContain('secret-of-the-job');
});

function assumed(number: number, expires: string): string {
  return `<R><Credentials><AccessKeyId>ASIA${number}</AccessKeyId><SecretAccessKey>secret-number-${number}</SecretAccessKey><SessionToken>session-number-${number}</SessionToken><Expiration>${expires}</Expiration></Credentials></R>`;
}

test('A token file with a role logs in by web identity, as the service account of a pod', async () => {
  await using server = await startServer(() => assumed(1, '2026-01-01T01:00:00Z'));
  const folder = await mkdtemp(join(tmpdir(), 'aws-'));
  await writeFile(join(folder, 'token'), 'token-of-the-pod');
  const { login } = loginWith({
    AWS_ENDPOINT_URL_STS: server.url,
    AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, 'token'),
    AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/pod',
    AWS_ROLE_SESSION_NAME: 'pod',
  });
  expect(await login.keys()).toMatchObject({ accessKeyId: 'ASIA1' });
  expect(Object.fromEntries(new URLSearchParams(server.requests[0]?.body))).toEqual({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: 'arn:aws:iam::123456789012:role/pod',
    RoleSessionName: 'pod',
    WebIdentityToken: 'token-of-the-pod',
  });
  expect(server.requests[0]?.path).toBe('/');
  await rm(folder, { recursive: true });
});

test('A reply without keys is an error that quotes no secret of the reply', async () => {
  await using server = await startServer(({ body }) =>
    assumed(1, '').replace(
      /<AccessKeyId>.*<\/AccessKeyId>/,
      new URLSearchParams(body).get('WebIdentityToken') ?? '',
    ),
  );
  const error = await failure(loginWith({ AWS_ENDPOINT_URL_STS: server.url }, ROLE).login.keys());
  expectError(error, { code: 'protocol', message: 'it contains no credentials' });
  const text = `${String(error)} ${JSON.stringify(error)}`;
  expect(text).not.toMatch(/secret-number-1|session-number-1|id-token-of-the-run/);
});

test.each([
  [
    'CDATA',
    (xml: string) =>
      xml.replaceAll(/(<S\w+>)([^<]+)/g, '$1<![CDATA[$2]]>').replaceAll('AccessKeyId', 'Id'),
  ],
  ['prefixes', (xml: string) => xml.replaceAll(/<(\/?)/g, '<$1sts:')],
  ['HTML', (xml: string) => `<html><body>${xml.replaceAll(/<[^>]*>/g, ' ')}</body></html>`],
])('A reply of AWS STS with %s is an error that does not quote it', async (_, change) => {
  await using server = await startServer(() => change(assumed(1, '')));
  const error = await failure(loginWith({ AWS_ENDPOINT_URL_STS: server.url }, ROLE).login.keys());
  expect(error).toMatchObject({ code: 'protocol' });
  expect(`${String(error)} ${JSON.stringify(error)}`).not.toMatch(/number-1|ASIA1/);
});

test.each([
  ['AccessKeyId', 'ASIA1'],
  ['SecretAccessKey', 'secret-number-1'],
  ['SessionToken', 'session-number-1'],
])('A %s that cannot be in a header is an error of the configuration', async (_, value) => {
  await using server = await startServer(() => assumed(1, '').replace(value, 'odd\u2014key\n'));
  const error = await failure(loginWith({ AWS_ENDPOINT_URL_STS: server.url }, ROLE).login.keys());
  expectError(error, { code: 'config', message: 'printable ASCII' });
  expect(String(error)).not.toContain('odd');
});

test('A file: address in AWS_ENDPOINT_URL_STS is an error of the configuration', async () => {
  const { login } = loginWith({ AWS_ENDPOINT_URL_STS: 'file:///etc/passwd' }, ROLE);
  expect(await failure(login.keys())).toMatchObject({
    code: 'config',
    message: expect.stringContaining('AWS_ENDPOINT_URL_STS'),
  });
});

test('A role is assumed once, and again before its keys expire', async () => {
  let count = 0;
  await using server = await startServer(() => {
    count += 1;
    return assumed(count, '2026-01-01T01:00:00Z');
  });
  const { login, clock: own } = loginWith(
    { AWS_ENDPOINT_URL_STS: server.url, AWS_ACCESS_KEY_ID: 'ignored' },
    ROLE,
  );
  expect([await login.keys(), await login.keys()]).toMatchObject([
    { accessKeyId: 'ASIA1' },
    { accessKeyId: 'ASIA1' },
  ]);
  own.advance(54 * 60_000);
  expect(await login.keys()).toMatchObject({ accessKeyId: 'ASIA1' });
  own.advance(60_000);
  expect(await login.keys()).toMatchObject({ accessKeyId: 'ASIA2' });
});

test('Keys that are still valid are used after the id token has expired, unless AWS refused them', async () => {
  await using server = await startServer(() => assumed(1, '2026-01-01T01:00:00Z'));
  let isUsedUp = false;
  const idToken = async () => {
    if (isUsedUp)
      throw new CourierError({ code: 'unauthorized', message: 'The id token has expired.' });
    return 'id-token-of-the-run';
  };
  const { login, clock: own } = loginWith(
    { AWS_ENDPOINT_URL_STS: server.url },
    { arn: 'arn:aws:iam::123456789012:role/docs', idToken },
  );
  await login.keys();
  isUsedUp = true;
  own.advance(56 * 60_000);
  expect(await login.keys()).toMatchObject({ accessKeyId: 'ASIA1' });
  expect(await failure(login.replace())).toMatchObject({ code: 'unauthorized' });
});

test('Without any keys the error says what was looked for, and how to log in without a stored secret', async () => {
  expect(await failure(loginWith({}).login.keys())).toMatchObject({
    code: 'config',
    message: expect.stringContaining('AWS_ACCESS_KEY_ID'),
    hint: {
      text: expect.stringContaining('eval "$(aws configure export-credentials --format env)"'),
      inputs: { 'aws-role': expect.any(String) },
      permissions: { 'id-token': 'write' },
    },
  });
});
