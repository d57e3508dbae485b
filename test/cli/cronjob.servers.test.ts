import { expect, test } from 'vitest';
import { IMAGE } from '../../src/ground/published.ts';
import { fieldOf } from '../../src/ground/text/json.ts';
import { manifestsOf } from '../support/cluster/guide.ts';
import { createSecret, grantSecret, kubeconfigOf } from '../support/kubernetes-scenarios.ts';
import { TOKENS } from '../support/real-servers/kubernetes.ts';
import { SmallCluster } from '../support/small-servers/kubernetes.ts';
import { DOMAIN, openLaptop } from './harness.ts';

const SECRET = '/api/v1/namespaces/default/secrets/docs-link';

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** The words that the container of the guide's CronJob gives to the image. */
function commandOfGuide(): readonly string[] {
  const [job] = manifestsOf('refresh-on-a-schedule.md', 'CronJob');
  const container = fieldOf(
    job,
    'spec',
    'jobTemplate',
    'spec',
    'template',
    'spec',
    'containers',
    '0',
  );
  expect(fieldOf(container, 'image')).toBe(IMAGE);
  expect(textsOf(fieldOf(container, 'command')), 'the image has its own').toEqual([]);
  return textsOf(fieldOf(container, 'args'));
}

test('The CronJob of the guide renews the link in the Secret without an export, in a container without a CI system', async () => {
  await using cluster = await SmallCluster.start();
  await using laptop = await openLaptop({ linkLifetimeMs: 3_600_000 });
  await createSecret(cluster, 'docs-link', { url: '' });
  await grantSecret(cluster, 'docs-link');
  // In a pod the service account replaces the kubeconfig; the test server has one namespace.
  const kubeconfig = kubeconfigOf(
    { url: cluster.url, ca: cluster.authority.cert },
    { token: TOKENS.courier },
  );
  const env = { DOCS_COURIER_KUBECONFIG: kubeconfig };
  const inTestNamespace = (word: string) => word.replace('k8s:docs/', 'k8s:default/');
  const to = 'k8s:default/docs-link#url';
  const link = async () => fieldOf((await cluster.api('GET', SECRET)).body, 'data', 'url');

  const first = await laptop.run(['export', '--domain', DOMAIN, '--to', to], { env });
  expect(first.exitCode, first.stderr).toBe(0);
  const before = await link();
  const renewed = await laptop.run(commandOfGuide().map(inTestNamespace), { env });
  expect(renewed.exitCode, renewed.stderr).toBe(0);
  expect(await link()).not.toBe(before);
  expect(laptop.platform.exportJobs).toHaveLength(1);
});
