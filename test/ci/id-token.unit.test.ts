import { expect, test } from 'vitest';
import { requestIdToken } from '../../src/ci/github/runner.ts';
import { readIdToken } from '../../src/ci/rights.ts';
import { systemClock } from '../../src/ground/clock.ts';
import { Http } from '../../src/http/http.ts';
import { expectError } from '../support/failure.ts';
import { makeRun, makeRunContext } from '../support/make-run.ts';
import { recordingLog } from '../support/recording-log.ts';

const AUDIENCE = 'https://vault.example.com';
const http = new Http({
  clock: systemClock,
  log: recordingLog(),
  signal: new AbortController().signal,
});

function ask(env: Readonly<Record<string, string>>, more: { idToken?: undefined } = {}) {
  const run = { ...makeRun(makeRunContext(), env), ...more };
  return readIdToken(run, { service: 'vault', audience: AUDIENCE }, http);
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );
}

test('The id token of a run is read from its variable, one for each service', async () => {
  expect(await ask({ DOCS_COURIER_ID_TOKEN_VAULT: ' a.b.c\n' })).toBe('a.b.c');
  const other = await failure(ask({ DOCS_COURIER_ID_TOKEN_AWS: 'a.b.c' }));
  expect(other).toMatchObject({ code: 'config' });
});

test('A GitHub job without the permission is shown the lines to add', async () => {
  expectError(await failure(ask({})), {
    code: 'config',
    hint: 'permissions:\n  id-token: write\n  contents: read',
  });
});

test('A file: address for the id token is an error of the configuration', async () => {
  const env = {
    ACTIONS_ID_TOKEN_REQUEST_URL: 'file:///etc/passwd',
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'token-of-the-job',
  };
  expect(await failure(requestIdToken(env, AUDIENCE, http))).toMatchObject({
    code: 'config',
    message: expect.stringContaining(
      'ACTIONS_ID_TOKEN_REQUEST_URL is not an http or https address',
    ),
  });
});

test('A system without id tokens is shown the lines for GitLab, with the audience', async () => {
  expectError(await failure(ask({}, { idToken: undefined })), {
    code: 'config',
    hint: `DOCS_COURIER_ID_TOKEN_VAULT:\n    aud: "${AUDIENCE}"`,
  });
});
