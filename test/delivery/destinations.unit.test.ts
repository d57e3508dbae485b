import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CiRun } from '../../src/ci/port.ts';
import { makeStores } from '../../src/delivery/destinations.ts';
import { createGitHub } from '../../src/github/connection.ts';
import { systemClock } from '../../src/ground/clock.ts';
import { CourierError } from '../../src/ground/errors.ts';
import { Http } from '../../src/http/http.ts';
import type { AwsInputs } from '../../src/stores/aws/inputs.ts';
import type { VaultInputs } from '../../src/stores/vault/inputs.ts';
import { expectError, failure } from '../support/failure.ts';
import { makeRun, makeRunContext } from '../support/make-run.ts';
import { recordingLog } from '../support/recording-log.ts';

const SECRET = { scheme: 'aws-sm', name: 'docs/link' } as const;
const ADDRESS = { scheme: 'vault', mount: 'secret', path: 'docs', key: 'url' } as const;

interface Setting {
  readonly given: Partial<VaultInputs>;
  readonly workspace?: string;
  readonly run?: Partial<CiRun>;
  /** With a second destination, in AWS. */
  readonly aws?: AwsInputs;
}

async function makeStoresOf({ given, workspace = '/workspace', run: changed, aws }: Setting) {
  const log = recordingLog();
  const { signal } = new AbortController();
  const auth = { kind: 'token', token: 'root', source: 'VAULT_TOKEN' } as const;
  const vault = {
    address: 'https://vault.example.com',
    auth,
    namespace: undefined,
    ca: undefined,
    ...given,
  };
  const run = { ...makeRun(makeRunContext({ workspace })), ...changed };
  const http = new Http({ clock: systemClock, log, signal });
  const github = createGitHub({ run: run.github, http, signal });
  const credentials = { secretToken: undefined, workflowToken: undefined, vault, aws };
  const deps = { run, github, http, log, clock: systemClock, signal };
  const addresses = aws === undefined ? [ADDRESS] : [ADDRESS, SECRET];
  return { stores: await makeStores({ addresses, credentials, takeOver: false }, deps), log };
}

async function makeVault(given: Partial<VaultInputs>, workspace?: string) {
  return (await makeStoresOf({ given, ...(workspace && { workspace }) })).log;
}

test.each<[VaultInputs['auth'], string, readonly string[]]>([
  [{ kind: 'token', token: 'root', source: 'VAULT_TOKEN' }, 'the token in VAULT_TOKEN', ['root']],
  [
    { kind: 'approle', path: 'ci', roleId: 'role-1', secretId: 'secret-1' },
    'AppRole at auth/ci, with VAULT_ROLE_ID and VAULT_SECRET_ID',
    ['secret-1'],
  ],
  [
    { kind: 'jwt', path: 'jwt', role: 'docs', audience: 'vault' },
    'its id token, with the role docs of auth/jwt',
    [],
  ],
])(
  'A store in Vault masks its credentials, and the log names the method: %j',
  async (auth, method, masks) => {
    const log = await makeVault({ auth });
    expect(log.text('info')).toContain(
      `vault:secret/docs#url: the run logs in to Vault by ${method}.`,
    );
    expect(log.masks).toEqual(masks);
  },
);

test('A store that logs in by the id token of the run asks for it by its service and its audience', async () => {
  const asked: object[] = [];
  const idToken: CiRun['idToken'] = async (request) => {
    asked.push(request);
    throw new CourierError({ code: 'unauthorized', message: 'No token.' });
  };
  const role = { arn: 'arn:aws:iam::123456789012:role/docs', audience: 'sts.amazonaws.com' };
  const auth = { kind: 'jwt', path: 'jwt', role: 'docs', audience: 'vault' } as const;
  const { stores } = await makeStoresOf({
    given: { auth },
    run: { idToken, env: { AWS_REGION: 'eu-central-1' } },
    aws: { role },
  });
  for (const store of stores) await failure(store.preflight());
  expect(asked).toMatchObject([
    { service: 'vault', audience: 'vault' },
    { service: 'aws', audience: 'sts.amazonaws.com' },
  ]);
});

test('The authority of Vault is read from a file outside the workspace, also through a symbolic link', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'authority-'));
  const path = join(folder, 'ca.pem');
  await writeFile(path, '-----BEGIN CERTIFICATE-----');
  await makeVault({ ca: { path } });
  const link = `${folder}.link.pem`;
  await symlink(path, link);
  for (const given of [path, link]) {
    expectError(await failure(makeVault({ ca: { path: given } }, folder)), {
      code: 'config',
      message: 'it is in the workspace',
    });
  }
  await rm(link);
  await rm(folder, { recursive: true });
});
