import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readKubeconfig } from '../../../src/kubernetes/kubeconfig.ts';
import { ClusterLogin } from '../../../src/kubernetes/login.ts';

function kubeconfig(command: string, args: readonly string[] = []): string {
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command, args };
  return JSON.stringify({
    'current-context': 'docs',
    clusters: [{ name: 'docs', cluster: { server: 'https://cluster.example.com' } }],
    users: [{ name: 'docs', user: { exec } }],
    contexts: [{ name: 'docs', context: { cluster: 'docs', user: 'docs' } }],
  });
}

const OPTIONS = { context: undefined, allowExec: true, readFile: async () => '' };

test.each(['./get-token', 'bin/get-token', '../get-token', 'bin\\get-token.exe'])(
  'The program %s of a kubeconfig is refused, because the checkout could contain it',
  async (command) => {
    await expect(readKubeconfig(kubeconfig(command), OPTIONS)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining('relative path'),
    });
  },
);

test.each(['aws', '/usr/local/bin/gke-gcloud-auth-plugin', 'C:\\tools\\kubelogin.exe'])(
  'The program %s of a kubeconfig is accepted',
  async (command) => {
    const { identity } = await readKubeconfig(kubeconfig(command), OPTIONS);
    expect(identity).toMatchObject({ kind: 'exec', plugin: { command } });
  },
);

test('The credential of a program is used for a while, and asked for again when it is about to expire', async () => {
  await using folder = await makeFolder();
  const calls = join(folder.path, 'calls');
  const loginWith = (seconds: number | undefined) => {
    const expiry = seconds === undefined ? '' : `expirationTimestamp: new Date(Date.now() + ${seconds}e3)`;
    const script = `
      require('node:fs').appendFileSync(${JSON.stringify(calls)}, 'x');
      const status = { token: 'token-0123456789', ${expiry} };
      console.log(JSON.stringify({ kind: 'ExecCredential', status }));`;
    const credentials = {
      kubeconfig: kubeconfig(process.execPath, ['-e', script]),
      context: undefined,
      allowExec: true,
    };
    return new ClusterLogin({ ...credentials, workspace: undefined, env: {} }, () => {});
  };
  const callsOf = async (seconds: number | undefined) => {
    await writeFile(calls, '');
    const login = loginWith(seconds);
    for (let count = 0; count < 3; count += 1) expect((await login.login()).token).toBe('token-0123456789');
    return (await readFile(calls, 'utf8')).length;
  };
  expect(await callsOf(undefined)).toBe(1);
  expect(await callsOf(300)).toBe(1);
  expect(await callsOf(5)).toBe(3);
});

async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'kube-exec-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
