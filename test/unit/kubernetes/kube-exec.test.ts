import { expect, test } from 'vitest';
import { readKubeconfig } from '../../../src/kubernetes/kubeconfig.ts';

function kubeconfig(command: string): string {
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command };
  return JSON.stringify({
    'current-context': 'docs',
    clusters: [{ name: 'docs', cluster: { server: 'https://cluster.example.com' } }],
    users: [{ name: 'docs', user: { exec } }],
    contexts: [{ name: 'docs', context: { cluster: 'docs', user: 'docs' } }],
  });
}

const OPTIONS = { context: undefined, allowExec: true, readFile: async () => '' };

test.each(['./get-token', 'bin/get-token', '../get-token', 'bin\\get-token.exe'])(
  'the program %s of a kubeconfig is refused: a step runs in the checkout, which could bring one along',
  async (command) => {
    await expect(readKubeconfig(kubeconfig(command), OPTIONS)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining('relative path'),
    });
  },
);

test.each(['aws', '/usr/local/bin/gke-gcloud-auth-plugin', 'C:\\tools\\kubelogin.exe'])(
  'the program %s of a kubeconfig is taken',
  async (command) => {
    const { identity } = await readKubeconfig(kubeconfig(command), OPTIONS);
    expect(identity).toMatchObject({ kind: 'exec', plugin: { command } });
  },
);
