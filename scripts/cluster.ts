/**
 * Starts the small Kubernetes API server of the tests on this machine, with what the guide to
 * Kubernetes creates: a Secret, an account with its Role, and a Deployment whose pods are
 * processes. For trials without a cluster.
 *
 *     npm run cluster
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalCluster } from '../test/support/cluster/local-cluster.ts';

const [word] = process.argv.slice(2);
if (word !== undefined) {
  console.log('npm run cluster starts a small Kubernetes API server. It takes no options.');
  process.exit(/^(--help|-h)$/.test(word) ? 0 : 2);
}
const folder = mkdtempSync(join(tmpdir(), 'docs-courier-cluster-'));
const cluster = await LocalCluster.start();
const path = join(folder, 'kubeconfig');
writeFileSync(path, cluster.kubeconfig, { mode: 0o600 });
console.log(`Small Kubernetes API server, with the Secret docs/docs-link and the Deployment docs/docs.

In another terminal:
  export KUBECONFIG=${path} SITE=${cluster.url}/

Stop it with Ctrl+C.`);
const stop = async () => {
  await cluster[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
