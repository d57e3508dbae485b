import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeStores } from '../../src/delivery/destinations.ts';
import { createGitHub } from '../../src/github/connection.ts';
import { systemClock } from '../../src/ground/clock.ts';
import { Http } from '../../src/http/http.ts';
import type { VaultInputs } from '../../src/stores/vault/inputs.ts';
import { expectError, failure } from '../support/failure.ts';
import { makeRun, makeRunContext } from '../support/make-run.ts';
import { recordingLog } from '../support/recording-log.ts';

const ADDRESS = { scheme: 'vault', mount: 'secret', path: 'docs', key: 'url' } as const;

async function makeVault(given: Partial<VaultInputs>, workspace = '/workspace') {
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
  const run = makeRun(makeRunContext({ workspace }));
  const http = new Http({ clock: systemClock, log, signal });
  const github = createGitHub({ run: run.github, http, signal });
  const credentials = { secretToken: undefined, workflowToken: undefined, vault };
  const deps = { run, github, http, log, clock: systemClock, signal };
  await makeStores({ addresses: [ADDRESS], credentials, takeOver: false }, deps);
  return log;
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
