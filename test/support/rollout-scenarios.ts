import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hintText } from '../../src/ground/errors.ts';
import { fieldOf } from '../../src/ground/text/json.ts';
import { Http } from '../../src/http/http.ts';
import type { RolloutInputs, Workload } from '../../src/inputs/inputs.ts';
import { createPlatformClient } from '../../src/platform/client.ts';
import { openExport } from '../../src/platform/export-api.ts';
import { reportOf } from '../../src/steps/rollout/cluster.ts';
import { Rollout } from '../../src/steps/rollout/step.ts';
import type { RolloutFacts } from '../../src/steps/rollout/summary.ts';
import { ClusterController } from './cluster/controller.ts';
import { fatedPods, type PodFate } from './cluster/pod-fate.ts';
import {
  COURIER,
  createWorkload,
  grantRollout,
  patchWorkload,
  pathOf,
  type Rights,
} from './cluster/workloads.ts';
import { expectError, failureOf } from './failure.ts';
import { fakeClock } from './fake-clock.ts';
import { FaultFront } from './fault-front.ts';
import { type Cluster, kubeconfigOf } from './kubernetes-scenarios.ts';
import { ADMIN_KEY, makeDestination, makeExportInputs } from './make-inputs.ts';
import { makeRun, makeRunContext } from './make-run.ts';
import { recordingLog } from './recording-log.ts';
import { makeCertificate } from './tls.ts';

const ANNOTATION = 'docs-courier/export.docs-link_url';
const IMAGE = {
  scheme: 'image',
  registry: 'registry.example.com',
  repository: 'acme/docs',
  tag: 'latest',
} as const;
const PLACE = { scheme: 'k8s', namespace: 'default', secret: 'docs-link', key: 'url' } as const;
const MINUTE_MS = 60_000;
const TIMEOUT_MS = 20_000;

interface Setting {
  readonly workloads?: readonly Workload[];
  readonly spec?: object;
  readonly rights?: Rights;
  readonly inputs?: Partial<RolloutInputs>;
  /** What happens to pods of the new template. */
  readonly fate?: PodFate;
  readonly fateOf?: () => PodFate;
  /** Called before each step of the cluster, counted from 1. */
  readonly onStep?: (step: number) => Promise<void> | void;
}

/**
 * What a rollout does, on any API server: the small server of the tests is right if the real one
 * agrees.
 */
export function describeRollouts(name: string, start: () => Promise<Cluster>): void {
  let cluster: Cluster;
  let front: FaultFront;
  let certificate: Awaited<ReturnType<typeof makeCertificate>>;
  let count = 0;
  beforeAll(async () => {
    certificate = await makeCertificate();
    cluster = await start();
    front = await FaultFront.start({
      upstream: cluster.url,
      ca: cluster.authority.cert,
      tls: certificate,
    });
  });
  afterAll(async () => {
    await front[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  });

  const read = async (workload: Workload) => (await cluster.api('GET', pathOf(workload))).body;
  const podsOf = async ({ name: app }: Workload) => {
    const { body } = await cluster.api(
      'GET',
      `/api/v1/namespaces/default/pods?labelSelector=app=${app}`,
    );
    const items = fieldOf(body, 'items');
    return Array.isArray(items) ? items : [];
  };
  const exportOf = (object: unknown) => fieldOf(object, 'metadata', 'annotations', ANNOTATION);

  /**
   * A namespace with running workloads, and a rollout of them. Its sleeps are the steps of the
   * cluster.
   */
  async function prepare({
    workloads: given,
    spec,
    rights = 'all',
    inputs,
    fate,
    fateOf,
    onStep,
  }: Setting = {}) {
    front.reset();
    count += 1;
    const workloads = given ?? [{ kind: 'deployment' as const, name: `docs-${count}` }];
    for (const workload of workloads) await createWorkload(cluster, workload, spec);
    await grantRollout(cluster, workloads, rights);
    const now = fakeClock({ now: Date.now() });
    const runtime = fatedPods(
      (annotations) =>
        (annotations[ANNOTATION] !== undefined && (fateOf?.() ?? fate)) || { kind: 'ready' },
    );
    const own = { api: ownedBy(cluster, workloads) };
    const init = { cluster: own, runtime, now: () => now.monotonicMs() };
    const controller = new ClusterController(init);
    await controller.settle();
    let steps = 0;
    const clock = {
      ...now,
      async sleep(ms: number, signal?: AbortSignal) {
        steps += 1;
        await onStep?.(steps);
        await controller.step();
        await now.sleep(ms, signal);
      },
    };
    const log = recordingLog();
    const cancel = new AbortController();
    const recorded: { rollout?: RolloutFacts } = {};
    const kubeconfig = kubeconfigOf({ url: front.url, ca: certificate.cert }, COURIER);
    const { addresses, credentials } = makeDestination();
    const kubernetes = { kubeconfig, context: undefined, allowExec: false };
    const to = { addresses: [...addresses, IMAGE], credentials: { ...credentials, kubernetes } };
    const usual = {
      namespace: 'default',
      destinations: [PLACE],
      timeoutMs: TIMEOUT_MS,
      onFailure: 'fail',
    } as const;
    const { signal } = cancel;
    const http = new Http({ clock, log, signal, random: () => 0 });
    const rollout = new Rollout(
      makeExportInputs({ to }),
      { workloads, ...usual, ...inputs },
      {
        run: makeRun(makeRunContext()),
        http,
        clock,
        log,
        signal,
        record: (facts) => void Object.assign(recorded, facts),
      },
    );
    const [workload = { kind: 'deployment', name: '' }] = workloads;
    // No scenario of this file asks the platform.
    const platform = createPlatformClient({ http, baseUrl: front.url, keys: { admin: ADMIN_KEY } });
    const api = openExport({
      platform,
      source: { domain: 'acme.example.com', projectId: undefined },
    });
    return { rollout, workload, workloads, log, recorded, cancel, controller, api };
  }

  const writes = () =>
    front.requests.filter((one) => one.method === 'PATCH' && !one.path.includes('dryRun'));

  describe(`a rollout in ${name}`, () => {
    test.each(['deployment', 'statefulset', 'daemonset'] as const)(
      'A rollout replaces every pod of a %s, and changes only an annotation of its pod template',
      async (kind) => {
        const { rollout, workload, recorded, log } = await prepare({
          workloads: [{ kind, name: `${kind}-one` }],
        });
        const before = await read(workload);
        const pods = await podsOf(workload);
        await rollout.check();
        expect(writes()).toEqual([]);
        await rollout.rollOut('job-1');
        const after = await read(workload);
        const digest = fieldOf(after, 'spec', 'template', 'metadata', 'annotations', ANNOTATION);
        expect(digest).toMatch(/^[0-9a-f]{64}$/);
        expect(
          fieldOf(after, 'spec', 'template', 'metadata', 'annotations', 'example.com/owner'),
        ).toBe('docs-team');
        expect(fieldOf(after, 'spec', 'template', 'spec')).toEqual(
          fieldOf(before, 'spec', 'template', 'spec'),
        );
        expect(fieldOf(after, 'metadata', 'labels')).toEqual(fieldOf(before, 'metadata', 'labels'));
        const now = await podsOf(workload);
        expect(now.map(exportOf)).toEqual([digest, digest]);
        expect(now.map((pod) => fieldOf(pod, 'metadata', 'uid'))).not.toEqual(
          pods.map((pod) => fieldOf(pod, 'metadata', 'uid')),
        );
        const complete = {
          workload: `${kind}/${kind}-one`,
          isRestarted: true,
          isComplete: true,
          updated: 2,
          ready: 2,
          wanted: 2,
        };
        expect(recorded.rollout).toMatchObject({ namespace: 'default', workloads: [complete] });
        expect(log.text('info')).toContain(
          `${kind}/${kind}-one: 2 of 2 pods updated, 2 ready; complete`,
        );
        expect(log.text('info')).toMatch(/[01] of 2 pods updated/);
      },
    );

    test('A new link of the same export restarts nothing, the next export restarts the pods', async () => {
      const { rollout, workload, recorded, log } = await prepare();
      await rollout.rollOut('job-1');
      const generation = fieldOf(await read(workload), 'metadata', 'generation');
      const pods = (await podsOf(workload)).map((pod) => fieldOf(pod, 'metadata', 'uid'));
      await rollout.rollOut('job-1');
      expect(fieldOf(await read(workload), 'metadata', 'generation')).toBe(generation);
      expect((await podsOf(workload)).map((pod) => fieldOf(pod, 'metadata', 'uid'))).toEqual(pods);
      expect(recorded.rollout?.workloads).toMatchObject([{ isRestarted: false, isComplete: true }]);
      expect(log.text('info')).toContain('already names export job job-1; no pod is restarted');
      await rollout.rollOut('job-2');
      expect(recorded.rollout?.workloads).toMatchObject([{ isRestarted: true, isComplete: true }]);
    });

    test('A rollout follows several workloads, and its error contains the one that fails', async () => {
      const workloads = [
        { kind: 'deployment', name: 'first' },
        { kind: 'statefulset', name: 'second' },
      ] as const;
      const { rollout } = await prepare({
        workloads,
        fate: { kind: 'broken' },
      });
      const error = await failureOf(rollout.rollOut('job-1'));
      expect(error.message).toContain(
        'The rollout of deployment/first in namespace default failed',
      );
      expect(error.message).toContain(
        'The rollout of statefulset/second in namespace default failed',
      );
    });

    test('A rollout keeps the pods below the partition of a StatefulSet, and says so', async () => {
      const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1 } };
      const workloads = [{ kind: 'statefulset', name: 'parted' }] as const;
      const { rollout, workload, log } = await prepare({ workloads, spec: { updateStrategy } });
      await rollout.check();
      await rollout.rollOut('job-1');
      const pods = await podsOf(workload);
      const restarted = pods
        .filter((pod) => exportOf(pod) !== undefined)
        .map((pod) => fieldOf(pod, 'metadata', 'name'));
      expect(restarted).toEqual(['parted-1']);
      expect(log.text('warning')).toContain('statefulset/parted: Its partition is 1');
    });

    test('A rollout of a workload without replicas is complete immediately, with a warning', async () => {
      const { rollout, log, recorded } = await prepare({ spec: { replicas: 0 } });
      await rollout.check();
      await rollout.rollOut('job-1');
      expect(recorded.rollout?.workloads).toMatchObject([{ isComplete: true, wanted: 0 }]);
      expect(log.text('warning')).toContain(
        'It has 0 replicas: pods that are started later read the new link.',
      );
    });

    test('A missing workload is refused before anything starts', async () => {
      const gone = await prepare({ workloads: [{ kind: 'deployment', name: 'gone' }] });
      await cluster.api('DELETE', pathOf(gone.workload));
      const error = await failureOf(gone.rollout.check());
      expectError(error, {
        code: 'not-found',
        message: /^There is no deployment\/gone in namespace default\. GET .* answered 404/,
      });
      expect(hintText(error.hint ?? '')).toContain('kubectl --namespace default get deployments');
    });

    test.each([
      [
        'a pause',
        'deployment',
        { paused: true },
        'it is paused, so a change does not restart its pods',
      ],
      [
        'OnDelete',
        'statefulset',
        { updateStrategy: { type: 'OnDelete' } },
        'its update strategy is OnDelete',
      ],
      [
        'OnDelete',
        'daemonset',
        { updateStrategy: { type: 'OnDelete' } },
        'its update strategy is OnDelete',
      ],
      [
        'a partition above all pods',
        'statefulset',
        { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 5 } } },
        'its partition is 5 with 2 replicas',
      ],
    ] as const)(
      'A workload with %s (%s) is refused before anything starts',
      async (_, kind, spec, why) => {
        count += 1;
        const { rollout } = await prepare({ workloads: [{ kind, name: `never-${count}` }], spec });
        expectError(await failureOf(rollout.check()), { code: 'config', message: why });
        expect(writes()).toEqual([]);
      },
    );

    test('An account that may not patch is refused before anything starts, with the rules to paste', async () => {
      const { rollout, workload } = await prepare({ rights: 'no-patch' });
      expectError(await failureOf(rollout.check()), {
        code: 'forbidden',
        message: 'cannot patch resource "deployments" in API group "apps"',
        hint: `resourceNames: [${workload.name}]\n  verbs: [get, patch]`,
      });
    });

    test.each(['deployment', 'statefulset', 'daemonset'] as const)(
      'The error of a failed rollout of a %s has the command that shows more',
      async (kind) => {
        const workloads = [{ kind, name: `broken-${kind}` }];
        const { rollout, recorded } = await prepare({ workloads, fate: { kind: 'broken' } });
        const error = await failureOf(rollout.rollOut('job-1'));
        expect(error.code).toBe('checks-failed');
        const lines = error.message.split('\n');
        expect(lines[0]).toMatch(
          `The rollout of ${kind}/broken-${kind} in namespace default failed: it did not finish within 20s (`,
        );
        expect(lines.at(-1)).toBe(
          `- For more, run: kubectl --namespace default describe pods --selector app=broken-${kind}`,
        );
        expect(error.hint).toMatchObject({ inputs: { 'export-job-id': 'job-1' } });
        expect(recorded.rollout?.workloads).toMatchObject([{ isComplete: false }]);
      },
    );

    test('The error for a deployment that may not create pods contains the refusal', async () => {
      const message = 'pods "docs" is forbidden: exceeded quota: small';
      const { rollout } = await prepare({ fate: { kind: 'refused', message } });
      expect((await failureOf(rollout.rollOut('job-1'))).message).toContain(
        `- ReplicaFailure is True: FailedCreate: ${message}`,
      );
    });

    test('A rollout ends as soon as the cluster has given it up', async () => {
      const fate = { kind: 'broken' } as const;
      const setting = { spec: { progressDeadlineSeconds: 30, minReadySeconds: 0 }, fate };
      const { rollout, recorded } = await prepare({
        ...setting,
        inputs: { timeoutMs: 60 * MINUTE_MS },
      });
      const error = await failureOf(rollout.rollOut('job-1'));
      expect(error.message).toContain('failed: it exceeded its progress deadline');
      expect(error.message).toContain(
        '- Progressing is False: ProgressDeadlineExceeded: has timed out progressing',
      );
      expect(recorded.rollout?.elapsedMs).toBeLessThan(2 * MINUTE_MS);
    });

    test('A later run of the same export follows a rollout again that the cluster had given up', async () => {
      const fate: { now: PodFate } = { now: { kind: 'broken' } };
      const spec = { progressDeadlineSeconds: 10 };
      const { rollout, recorded } = await prepare({
        spec,
        fateOf: () => fate.now,
        inputs: { timeoutMs: MINUTE_MS },
      });
      await failureOf(rollout.rollOut('job-1'));
      const again = rollout.rollOut('job-1');
      fate.now = { kind: 'ready' };
      await again;
      expect(recorded.rollout?.workloads).toMatchObject([{ isRestarted: false, isComplete: true }]);
    });

    test('What a condition says is one redacted line of limited length', async () => {
      const message = `x\n- pod other: fine\n::error::${ADMIN_KEY} https://b.example.com/a?sig=abcdefghijklmnop ${'y'.repeat(900)}`;
      const { rollout, log } = await prepare({ fate: { kind: 'refused', message } });
      log.mask(ADMIN_KEY);
      const error = await failureOf(rollout.rollOut('job-1'));
      // The failure, the conditions Progressing and ReplicaFailure, and the command.
      expect(error.message.split('\n')).toHaveLength(4);
      expect(error.message).toContain('https://b.example.com/a?…');
      expect(error.message).not.toContain(ADMIN_KEY);
      expect(error.message.length).toBeLessThan(1700);
    });

    test('A selector that no label can be is not in the command to paste', async () => {
      const state = {
        kind: 'daemonset',
        name: 'docs',
        image: undefined,
        metadata: { generation: 1 },
        spec: { selector: { matchLabels: { app: 'x; rm -rf ~' } }, template: {} },
      } as const;
      expect(reportOf(state, 'default', (text) => text)).toEqual([
        '- For more, run: kubectl --namespace default describe pods',
      ]);
    });

    test('A rollout that is paused meanwhile says so', async () => {
      const workload = { kind: 'deployment', name: 'paused-later' } as const;
      const onStep = (step: number) =>
        step === 1 ? patchWorkload(cluster, workload, { paused: true }) : undefined;
      const { rollout } = await prepare({ workloads: [workload], onStep });
      expect((await failureOf(rollout.rollOut('job-1'))).message).toContain(
        'the deployment is paused',
      );
    });

    test('A rollout ends if the workload is deleted meanwhile', async () => {
      const workload = { kind: 'deployment', name: 'deleted-later' } as const;
      const onStep = async (step: number) => {
        if (step === 1) await cluster.api('DELETE', pathOf(workload));
      };
      const { rollout } = await prepare({
        workloads: [workload],
        fate: { kind: 'broken' },
        onStep,
      });
      expect(await failureOf(rollout.rollOut('job-1'))).toMatchObject({ code: 'not-found' });
    });

    test('A restart that another writer was faster than is repeated once, and then says what was not restarted', async () => {
      const isRestart = ({ method, path }: { method: string; path: string }) =>
        method === 'PATCH' && !path.includes('dryRun');
      const busy = {
        kind: 'reply',
        status: 409,
        body: { kind: 'Status', message: 'the object has been modified' },
      } as const;
      const { rollout, recorded, workload } = await prepare();
      front.inject(isRestart, busy, 1);
      await rollout.rollOut('job-1');
      expect(recorded.rollout?.workloads).toMatchObject([{ isComplete: true, isRestarted: true }]);
      front.inject(isRestart, busy, 2);
      expectError(await failureOf(rollout.rollOut('job-2')), {
        code: 'conflict',
        message: `The export is delivered; the pods of deployment/${workload.name} were not restarted.`,
        hint: 'with a concurrency group',
      });
    });

    test('A cancelled rollout says what continues without it', async () => {
      const cancelled = { now: () => {} };
      const { rollout, cancel, workload, api } = await prepare({ onStep: () => cancelled.now() });
      cancelled.now = () => cancel.abort();
      const error = await failureOf(
        rollout.after({ jobId: 'job-1', api, delivery: undefined, deliveredMs: 0 }),
      );
      expect(error.code).toBe('cancelled');
      expect(error.message).toBe(
        `The run was cancelled. The export is delivered, and the rollout of deployment/${workload.name} continues in the cluster.`,
      );
      expect(error.hint).toContain(
        `kubectl --namespace default rollout status deployment/${workload.name}`,
      );
    });

    const REFERENCE = `registry.example.com/acme/docs@sha256:${'a'.repeat(64)}`;
    const templateOf = (name: string) => ({
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          {
            name: 'serve',
            image: 'registry.example.com/docs:1',
            volumeMounts: [{ name: 'site', mountPath: '/site' }],
          },
          { name: 'other', image: 'registry.example.com/acme/docs:1' },
          { name: 'web', image: 'nginx:1.29' },
        ],
        volumes: [
          { name: 'cache', emptyDir: {} },
          {
            name: 'site',
            image: { reference: 'registry.example.com/acme/docs:latest', pullPolicy: 'Always' },
          },
        ],
      },
    });
    const prepareImage = async (name: string, image: string) => {
      const workloads = [{ kind: 'deployment', name, image } as const];
      const spec = { template: templateOf(name) };
      return prepare({ workloads, spec, inputs: { destinations: [] } });
    };
    const specOf = async (workload: Workload) =>
      fieldOf(await read(workload), 'spec', 'template', 'spec');

    test('An image is set in the volume that rollout names, and every other field of the pod template stays', async () => {
      const { rollout, workload, recorded, log } = await prepareImage('image-volume', 'site');
      const before = await specOf(workload);
      await rollout.check();
      expect(await specOf(workload)).toEqual(before);
      await rollout.rollOut('job-1', REFERENCE);
      const after = await specOf(workload);
      const named = (list: unknown) =>
        (Array.isArray(list) ? list : []).map((one) => [fieldOf(one, 'name'), one]);
      const volumes = Object.fromEntries(named(fieldOf(after, 'volumes')));
      expect(volumes).toEqual({
        cache: { name: 'cache', emptyDir: {} },
        site: { name: 'site', image: { reference: REFERENCE, pullPolicy: 'Always' } },
      });
      expect(fieldOf(after, 'containers')).toEqual(fieldOf(before, 'containers'));
      expect(recorded.rollout?.workloads).toMatchObject([{ isRestarted: true, isComplete: true }]);
      const pods = await podsOf(workload);
      expect(pods.map((pod) => JSON.stringify(pod).includes(REFERENCE))).toEqual([true, true]);
      await rollout.rollOut('job-2', REFERENCE);
      expect(recorded.rollout?.workloads).toMatchObject([{ isRestarted: false, isComplete: true }]);
      expect(log.text()).toContain('no pod is restarted');
    });

    test('A workload with an image stays as it is if no image of the export is known', async () => {
      const { rollout, workload } = await prepareImage('image-unknown', 'site');
      const before = await specOf(workload);
      expect(await rollout.rollOut('job-1', undefined)).toBeUndefined();
      expect(await specOf(workload)).toEqual(before);
    });

    test('An image is set in the container that rollout names', async () => {
      const { rollout, workload } = await prepareImage('image-container', 'other');
      await rollout.check();
      await rollout.rollOut('job-1', REFERENCE);
      const containers = fieldOf(await specOf(workload), 'containers');
      const images = (Array.isArray(containers) ? containers : []).map((one) =>
        fieldOf(one, 'image'),
      );
      expect(images).toEqual(['registry.example.com/docs:1', REFERENCE, 'nginx:1.29']);
    });

    test.each([
      ['serve', 'registry.example.com/docs:1'],
      ['web', 'nginx:1.29'],
    ])(
      'A container with an image of another repository (%s: %s) is never given the site',
      async (container, image) => {
        const { rollout, workload } = await prepareImage(`image-foreign-${container}`, container);
        const before = await specOf(workload);
        for (const attempt of [() => rollout.check(), () => rollout.rollOut('job-1', REFERENCE)]) {
          expectError(await failureOf(attempt()), {
            code: 'config',
            message: `has ${image}, which is not an image of registry.example.com/acme/docs.`,
            hint: 'registry.example.com/acme/docs:latest',
          });
        }
        expect(await specOf(workload)).toEqual(before);
      },
    );

    test('A name that is neither a volume with an image nor a container is config before anything is written', async () => {
      for (const name of ['cache', 'siet']) {
        const { rollout } = await prepareImage(`image-none-${name}`, name);
        expectError(await failureOf(rollout.check()), {
          code: 'config',
          message: `no container named ${name}. It has: site, serve, other, web.`,
        });
      }
      expect(writes()).toEqual([]);
    });
  });
}

/** The controllers of one test see only its own workloads. */
function ownedBy(cluster: Cluster, workloads: readonly Workload[]): Cluster['api'] {
  return async (method, path, body, options) => {
    const reply = await cluster.api(method, path, body, options);
    const items = fieldOf(reply.body, 'items');
    if (method !== 'GET' || !Array.isArray(items) || !/sets$|deployments$/.test(path)) return reply;
    const names = workloads.map(({ name }) => name);
    const own = items.filter((item) =>
      names.some((name) => name === fieldOf(item, 'metadata', 'name')),
    );
    return { ...reply, body: { items: own } };
  };
}
