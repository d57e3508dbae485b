import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fieldOf } from '../../../src/ground/text/json.ts';
import { COURIER } from '../../support/cluster/workloads.ts';
import { expectError } from '../../support/failure.ts';
import { FaultFront, type FrontFault, type FrontRequest } from '../../support/fault-front.ts';
import { kubeconfigOf } from '../../support/kubernetes-scenarios.ts';
import { SmallRegistry } from '../../support/small-servers/registry.ts';
import { sharedCertificate } from '../../support/tls.ts';
import { RolloutWorld } from './rollout-world.ts';

const digestOf = (jobId: string | undefined) =>
  createHash('sha256')
    .update(jobId ?? '')
    .digest('hex');
const DAY_MS = 86_400_000;
const UNDO = { 'on-rollout-failure': 'undo' };

let rolling: RolloutWorld;
beforeEach(async () => {
  rolling = await RolloutWorld.start();
});
afterEach(() => rolling[Symbol.asyncDispose]());

/** All pods have the content of this export. */
async function expectPodsWith(facts: { readonly jobId?: string | undefined } | undefined) {
  expect(await rolling.running()).toEqual([digestOf(facts?.jobId)]);
}

/** The job of the state that is stored in the cluster. */
async function storedJob(): Promise<unknown> {
  return fieldOf((await rolling.stored()).state, 'jobId');
}

describe('an export with a rollout', () => {
  it('An export with a rollout ends when the pods run with the new export, and its report says so', async () => {
    const { facts, error } = await rolling.export();
    expect(error).toBeUndefined();
    await expectPodsWith(facts);
    expect(facts).toMatchObject({
      status: 'completed',
      delivery: { updated: true },
      rollout: {
        workloads: [{ workload: 'deployment/docs', isComplete: true, isRestarted: true }],
      },
    });
  });

  it('An export whose rollout could not work is refused before it starts', async () => {
    const { error } = await rolling.export({ rollout: 'deployment/doc' });
    expect(error).toMatchObject({ code: 'forbidden' });
    expect(rolling.world.calls({ method: 'POST', path: /export/ })).toEqual([]);
  });

  it('A dry run with a rollout shows what would be restarted, and restarts nothing', async () => {
    const { facts } = await rolling.export({ 'dry-run': 'true' });
    expect(facts.planned?.at(-1)).toEqual({
      action: 'restart the pods with the new export, and follow the rollout',
      target: 'deployment/docs in namespace default',
    });
    expect(await rolling.running()).toEqual([undefined]);
  });

  it('A rollout that fails shows what the cluster says, and leaves the new link unless a rollback is requested', async () => {
    await rolling.export();
    rolling.isBroken = true;
    const { facts, error } = await rolling.export();
    expectError(error, {
      code: 'checks-failed',
      message: '- Progressing is True: ReplicaSetUpdated',
    });
    expect(await storedJob()).toBe(facts.jobId);
    expect(facts.delivery).toMatchObject({ updated: true });
  });

  it('A rollout that fails restores the previous export if requested: link, state and pods', async () => {
    const good = await rolling.export();
    rolling.isBroken = true;
    const { facts, error, log } = await rolling.export(UNDO);
    expectError(error, {
      code: 'checks-failed',
      message: `Export job ${good.facts.jobId} was restored, and the pods run with it.`,
    });
    expect(error?.hint).toMatchObject({ inputs: { 'export-job-id': facts.jobId } });
    await expectPodsWith(good.facts);
    const { link, state } = await rolling.stored();
    expect(link).toContain(String(good.facts.jobId));
    expect(link).not.toBe(good.facts.bundleUrl);
    expect(state).toMatchObject({
      jobId: good.facts.jobId,
      runs: [{ jobId: facts.jobId }],
    });
    expect(facts.changed).toBe(false);
    expect(facts.delivery).toMatchObject({ updated: false, destinations: [{ written: false }] });
    expect(facts.exports).toMatchObject([
      { job: facts.jobId, withdrawn: expect.any(String) },
      { job: good.facts.jobId, live: true },
    ]);
    expect(log.text('warning')).not.toContain('Another run');
    expect(facts.rollout).toMatchObject({
      undoneTo: good.facts.jobId,
      workloads: [{ isComplete: true }],
    });

    // A later refresh renews the previous export, and restarts nothing.
    rolling.world.clock.advance(30 * DAY_MS);
    const refreshed = await rolling.refresh();
    expect(refreshed.facts).toMatchObject({
      jobId: good.facts.jobId,
      changed: true,
      rollout: { workloads: [{ isRestarted: false, isComplete: true }] },
    });
    await expectPodsWith(good.facts);
  });

  it('An image that the pods do not start with is taken back: tag, volume and link are those of the export before', async () => {
    await using registry = await SmallRegistry.start();
    const deployment = '/apis/apps/v1/namespaces/default/deployments/docs';
    const volumes = [{ name: 'site', image: { reference: `${registry.host}/acme/docs:latest` } }];
    const patch = { spec: { template: { spec: { volumes } } } };
    const type = 'application/strategic-merge-patch+json';
    expect((await rolling.cluster.api('PATCH', deployment, patch, { type })).status).toBe(200);
    const reference = async () => {
      const { body } = await rolling.cluster.api('GET', deployment);
      return fieldOf(body, 'spec', 'template', 'spec', 'volumes', '0', 'image', 'reference');
    };
    const tag = async () =>
      (await fetch(`http://${registry.host}/v2/acme/docs/manifests/latest`)).text();
    const more = {
      image: `${registry.host}/acme/docs:latest`,
      rollout: 'deployment/docs\ndeployment/docs#site',
      ...UNDO,
    };
    const good = await rolling.export(more);
    expect(good.error).toBeUndefined();
    expect(await reference()).toBe(good.facts.image?.reference);
    const before = await tag();
    rolling.isBroken = true;
    rolling.world.clock.advance(60_000);
    // With other content: going back to the same would change nothing.
    const bad = await rolling.export({ ...more, add: 'search' }, { runId: '777' });
    expect(bad.error).toMatchObject({ code: 'checks-failed' });
    expect(bad.facts.rollout).toMatchObject({ undoneTo: good.facts.jobId });
    expect(await reference()).toBe(good.facts.image?.reference);
    expect(await tag()).toBe(before);
  });

  it('A later attempt of the run tries the failed export again', async () => {
    await rolling.export({}, { runId: '1' });
    rolling.isBroken = true;
    const failed = await rolling.export(UNDO, { runId: '2' });
    rolling.isBroken = false;
    const { facts, error } = await rolling.export(UNDO, { runId: '2', runAttempt: 2 });
    expect(error).toBeUndefined();
    expect(facts).toMatchObject({
      jobId: failed.facts.jobId,
      origin: 'resumed',
      status: 'completed',
    });
    await expectPodsWith(failed.facts);
  });

  it('The previous export is also restored if an earlier attempt has left the broken export in place', async () => {
    const good = await rolling.export({}, { runId: '1' });
    rolling.isBroken = true;
    await rolling.export({}, { runId: '2' });
    const { error } = await rolling.export(UNDO, { runId: '2', runAttempt: 2 });
    expect(error?.message).toContain(`Export job ${good.facts.jobId} was restored`);
    await expectPodsWith(good.facts);
  });

  it('A rollout that fails without a previous export to restore says so', async () => {
    rolling.isBroken = true;
    const { facts, error } = await rolling.export(UNDO);
    expect(error?.message).toContain(
      'There is no previous export with other content to restore, so the new export stays in place.',
    );
    expect(await storedJob()).toBe(facts.jobId);
  });

  it('If restoring the previous export fails as well, both errors are shown', async () => {
    const good = await rolling.export();
    rolling.isBroken = true;
    rolling.world.platform.inject({
      match: { path: String(good.facts.jobId), times: Number.POSITIVE_INFINITY },
      status: 404,
    });
    const { facts, error } = await rolling.export(UNDO);
    expectError(error, {
      code: 'checks-failed',
      message: '- Progressing is True: ReplicaSetUpdated',
    });
    expect(error?.message).toContain(
      `Going back to export job ${good.facts.jobId} failed as well: POST`,
    );
    expect(error?.message).toContain(
      `The delivery of export job ${facts.jobId} was not taken back.`,
    );
  });

  it('If the pods do not start with the previous export either, the hint names the job of this export', async () => {
    const good = await rolling.export();
    rolling.isBroken = true;
    rolling.forget(digestOf(good.facts.jobId));
    const { facts, error } = await rolling.export(UNDO);
    expect(error?.message).toContain(
      `Export job ${good.facts.jobId} was restored in k8s:default/docs-link#url.`,
    );
    expect(error?.hint).toMatchObject({
      text: expect.not.stringContaining('rollback'),
      inputs: { 'export-job-id': facts.jobId },
    });
  });
});

describe('an API server that is restarted during a rollout', () => {
  const CHANGES = /apps\/v1\/.*deployments/;
  const refusal = (status: number) => ({
    kind: 'reply' as const,
    status,
    body: {
      kind: 'Status',
      message:
        'deployments.apps "docs" is forbidden: User "courier" cannot get resource "deployments" in API group "apps"',
    },
  });

  const isPoll = ({ method, path }: FrontRequest) => method === 'GET' && CHANGES.test(path);

  let front: FaultFront;
  let more: Readonly<Record<string, string>>;
  let good: Awaited<ReturnType<typeof rolling.export>>;
  beforeEach(async () => {
    const tls = await sharedCertificate();
    const { url, authority } = rolling.cluster;
    front = await FaultFront.start({ upstream: url, ca: authority.cert, tls });
    more = { kubeconfig: kubeconfigOf({ url: front.url, ca: tls.cert }, COURIER), ...UNDO };
    good = await rolling.export(more);
  });
  afterEach(() => front[Symbol.asyncDispose]());

  /** Fails the next requests of the rollout once the link is written. */
  function failAfterDelivery(fault: FrontFault, times: number, isMet = isPoll): void {
    rolling.onStep = async () => {
      if ((await storedJob()) === good.facts.jobId) return;
      rolling.onStep = undefined;
      front.inject(isMet, fault, times);
    };
  }

  it.each([
    ['403', refusal(403), 1],
    ['401', refusal(401), 4],
    ['403 without a Status', { kind: 'reply', status: 403 } as const, 9],
  ])('A rollout continues if some polls are answered with %s', async (_, fault, times) => {
    failAfterDelivery(fault, times);
    const { facts, error } = await rolling.export(more);
    expect(error).toBeUndefined();
    await expectPodsWith(facts);
  });

  it.each([
    ['403', refusal(403), 'forbidden', /resources: \[deployments\]/],
    ['401', refusal(401), 'unauthorized', /may have expired/],
    ['503', { kind: 'reply', status: 503 } as const, 'protocol', /./],
  ])(
    'A rollout whose polls are all answered with %s is red, and is not undone',
    async (_, fault, code, hint) => {
      failAfterDelivery(fault, 1000);
      const { facts, error } = await rolling.export(more);
      expect(error?.message).toContain('Polling the rollout failed 10 times in a row.');
      expect(error?.message).toContain('Nothing was taken back');
      expect([
        error?.code === code || error?.code === 'network',
        JSON.stringify(error?.hint),
      ]).toEqual([true, expect.stringMatching(hint)]);
      expect(await storedJob()).toBe(facts.jobId);
    },
  );

  it('A rollout whose time is over while its polls fail is not undone', async () => {
    failAfterDelivery({ kind: 'reply', status: 503 }, 1000);
    rolling.isBroken = true;
    const { facts, error } = await rolling.export({ ...more, 'rollout-timeout': '4s' });
    expect(error?.message).toContain('Nothing was taken back');
    expect(await storedJob()).toBe(facts.jobId);
  });

  it('A restart that is refused once is repeated', async () => {
    const isRestart = ({ method, path }: FrontRequest) =>
      method === 'PATCH' && CHANGES.test(path) && !path.includes('dryRun');
    front.inject(isRestart, refusal(403), 1);
    const { facts, error } = await rolling.export(more);
    expect(error).toBeUndefined();
    await expectPodsWith(facts);
  });

  it('If the former link cannot be written either, the report names the link of this export', async () => {
    const isWrite = ({ method, path }: FrontRequest) =>
      method === 'PATCH' && path.includes('/secrets/');
    failAfterDelivery({ kind: 'reply', status: 422 }, 1000, isWrite);
    rolling.isBroken = true;
    const { facts, error } = await rolling.export(more);
    expect(error?.message).toContain(
      `The delivery of export job ${facts.jobId} was not taken back.`,
    );
    expect(facts.delivery).toMatchObject({ updated: true, destinations: [{ written: true }] });
    expect(facts.delivery?.reason).toBeUndefined();
  });

  it('A rollout that the cluster reports as failed is undone, also after polls that failed', async () => {
    failAfterDelivery(refusal(403), 3);
    rolling.isBroken = true;
    const { error } = await rolling.export(more);
    expect(error?.message).toContain(`Export job ${good.facts.jobId} was restored`);
    await expectPodsWith(good.facts);
  });
});

describe('restoring several destinations', () => {
  it('If one of several destinations cannot be restored, the others are, and the pods are restarted', async () => {
    const to = `file:link\nk8s:default/docs-link#url`;
    const good = await rolling.export({ to });
    rolling.isBroken = true;
    const file = join(rolling.world.workspace, 'link');
    // While the pods are watched, a folder replaces the file.
    rolling.onStep = () => {
      if (
        rolling.world.platform.exportJobs.at(-1)?.status !== 'completed' ||
        !statSync(file).isFile()
      )
        return;
      if (readFileSync(file, 'utf8').includes(String(good.facts.jobId))) return;
      rmSync(file);
      mkdirSync(join(file, 'in'), { recursive: true });
    };
    const { facts, error } = await rolling.export({ to, ...UNDO });
    expect(error?.message).toContain('- Progressing is True: ReplicaSetUpdated');
    expect(error?.message).toContain(
      `Going back to export job ${good.facts.jobId} failed as well: `,
    );
    expect(error?.message).toContain(file);
    expect(await storedJob()).toBe(good.facts.jobId);
    await expectPodsWith(good.facts);
    expect(facts.rollout).toMatchObject({ undoneTo: good.facts.jobId });
  });
});

describe('another run', () => {
  it('The export of another run that changes the pods meanwhile is not taken back', async () => {
    await rolling.export({}, { runId: '1' });
    rolling.isBroken = true;
    const { link } = await rolling.stored();
    const started: { other?: Awaited<ReturnType<typeof rolling.export>> } = {};
    // The other run takes place while this one watches its pods.
    rolling.onStep = async () => {
      if ((await rolling.stored()).link === link) return;
      rolling.onStep = undefined;
      rolling.isBroken = false;
      started.other = await rolling.export({}, { runId: '3' });
    };
    const { error } = await rolling.export(UNDO, { runId: '2' });
    const { other } = started;
    expectError(error, { code: 'conflict', message: 'it no longer names the export of this run' });
    expect(error?.message).not.toContain('Going back');
    expect(other?.error).toBeUndefined();
    expect(await storedJob()).toBe(other?.facts.jobId);
    await expectPodsWith(other?.facts);
  });

  it('The link of another run is not said to be that of this one when it cannot be taken back', async () => {
    await rolling.export({}, { runId: '1' });
    rolling.isBroken = true;
    const { link } = await rolling.stored();
    rolling.onStep = async () => {
      if ((await rolling.stored()).link === link) return;
      rolling.onStep = undefined;
      await rolling.export({ rollout: '', 'rollout-timeout': '' }, { runId: '3' });
    };
    const { error, facts } = await rolling.export(UNDO, { runId: '2' });
    expect(error?.message).toContain('belongs to a newer export');
    expect(error?.message).toContain(
      `The delivery of export job ${facts.jobId} was not taken back.`,
    );
  });
});

describe('a Secret that cannot be restored', () => {
  it('The pods name the export whose link their Secret has, and a later rollback restarts them', async () => {
    const good = await rolling.export();
    rolling.isBroken = true;
    const rights =
      '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings/docs-courier-docs-link';
    // The right to the Secret is lost while the pods are watched.
    const loseRight = async () => {
      if ((await storedJob()) === good.facts.jobId) return;
      rolling.onStep = undefined;
      await rolling.cluster.api('DELETE', rights);
    };
    rolling.onStep = loseRight;
    const failed = await rolling.export(UNDO);
    expect(failed.error?.message).toContain(
      `Going back to export job ${good.facts.jobId} failed as well: `,
    );
    expect(failed.error?.message).not.toContain('Nothing was written');
    expectError(failed.error, {
      message: `The delivery of export job ${failed.facts.jobId} was not taken back.`,
      hint: 'resourceNames: [docs-link]',
    });
    expect(await storedJob()).toBe(failed.facts.jobId);
    expect(await rolling.named()).toBe(digestOf(failed.facts.jobId));
    await rolling.grantRights();
    const { facts, error } = await rolling.rollback();
    expect(error).toBeUndefined();
    expect(facts.rollout).toMatchObject({ workloads: [{ isRestarted: true }] });
    await expectPodsWith(good.facts);
  });
});

describe('a rollback with a rollout', () => {
  it('A rollback whose rollout fails restores the export that was live before it', async () => {
    const first = await rolling.export();
    const second = await rolling.export();
    rolling.isBroken = true;
    rolling.forget(digestOf(first.facts.jobId));
    const { error } = await rolling.rollback(UNDO);
    expect(error?.message).toContain(`Export job ${second.facts.jobId} was restored`);
    expect(await storedJob()).toBe(second.facts.jobId);
    await expectPodsWith(second.facts);
  });
});

describe('doctor', () => {
  it('Doctor checks the workloads', async () => {
    await rolling.export();
    const { facts } = await rolling.doctor();
    expect(facts.findings).toContainEqual(
      expect.objectContaining({
        what: 'Rollout',
        outcome: 'ok',
        detail: 'deployment/docs in namespace default: can be restarted.',
      }),
    );
  });
});
