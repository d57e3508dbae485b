import assert from 'node:assert/strict';
import { LocalCluster } from '../../../test/support/cluster/local-cluster.ts';
import type { Stage } from '../stage.ts';
import { assertGreen, type ExampleCase, startsOf } from './case.ts';

const EXAMPLE = 'kubernetes.yml';

/**
 * The small API server with the manifests of the guide; its pods fetch the site by the link and
 * serve it.
 */
async function deploy(stage: Stage): Promise<string> {
  await using cluster = await LocalCluster.start();
  const secrets = { DOCS_KUBECONFIG: cluster.kubeconfig };
  assert.equal((await fetch(cluster.url)).status, 503);
  const exported = await stage.run({ example: EXAMPLE, eventName: 'push', secrets });
  assertGreen(exported);
  assert.deepEqual([...exported.jobs.keys()], ['export']);
  assert.match(exported.log, /deployment\/docs: 2 of 2 pods updated, 2 ready; complete/);
  const page = await fetch(new URL('/how-to/roll-back', cluster.url));
  assert.match(await page.text(), /<title>Roll back/);
  const refreshed = await stage.run({ example: EXAMPLE, eventName: 'schedule', secrets });
  assertGreen(refreshed);
  assert.deepEqual([...refreshed.jobs.keys()], ['refresh']);
  assert.match(refreshed.log, /Wrote the link to key url of Secret docs\/docs-link/);
  assert.ok(!refreshed.log.includes('Rolling out'), 'a refresh restarted the pods');
  assert.equal(startsOf(stage), 1);
  return 'the link in the Secret, the pods restarted, the site served at its addresses; the schedule made a fresh link';
}

export const clusterCases: readonly ExampleCase[] = [{ example: EXAMPLE, run: deploy }];
