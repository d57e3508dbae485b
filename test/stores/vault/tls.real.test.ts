import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Http } from '../../../src/http/http.ts';
import { VaultStore } from '../../../src/stores/vault/store.ts';
import { failure } from '../../support/failure.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { openStore } from '../../support/open-store.ts';
import { VaultServer } from '../../support/real-servers/vault.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { makeCertificate } from '../../support/tls.ts';

function storeAt({ url, rootToken }: VaultServer, ca: string | undefined): VaultStore {
  const [log, clock] = [recordingLog(), fakeClock({ now: Date.now() })];
  return new VaultStore({
    address: { scheme: 'vault', mount: 'secret', path: 'docs', key: 'url' },
    server: { address: url, namespace: undefined, ca },
    auth: { kind: 'token', token: rootToken, source: 'VAULT_TOKEN' },
    idToken: () => Promise.reject(new Error('not asked for')),
    http: new Http({ clock, log, signal: new AbortController().signal, random: () => 0 }),
    log,
  });
}

test('A Vault with TLS is reached only with its certificate authority, and reports when it is sealed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vault-'));
  await using vault = await VaultServer.start({ tlsFolder: folder });
  const ca = await readFile(join(folder, 'vault-ca.pem'), 'utf8');
  const store = storeAt(vault, ca);
  expect(
    await store.write({ link: 'https://example.com/a' }, await openStore(store)),
  ).toMatchObject({ version: '1' });
  for (const other of [(await makeCertificate()).cert, undefined]) {
    const error = await failure(openStore(storeAt(vault, other)));
    expect(error).toMatchObject({ code: 'network', hint: expect.stringContaining('VAULT_CACERT') });
  }
  const http = new Http({
    clock: fakeClock(),
    log: recordingLog(),
    signal: new AbortController().signal,
  });
  await http.request({
    service: { name: 'Vault', addressSetting: 'vault-address' },
    method: 'PUT',
    url: new URL(`${vault.url}/v1/sys/seal`),
    headers: { 'x-vault-token': vault.rootToken },
    repeat: 'never',
    tls: { ca },
  });
  expect(await failure(openStore(store))).toMatchObject({
    code: 'network',
    httpStatus: 503,
    message: expect.stringContaining('Vault is sealed'),
    hint: expect.stringContaining('Unseal it'),
  });
  await rm(folder, { recursive: true });
});
