import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { ApiOptions, ApiReply } from '../real-servers/kubernetes.ts';
import {
  daemonSetStep,
  deploymentStep,
  type Owned,
  type Plan,
  statefulSetStep,
} from './controllers.ts';
import type { PodObject, PodRuntime } from './pod-fate.ts';

interface Api {
  api(method: string, path: string, body?: unknown, options?: ApiOptions): Promise<ApiReply>;
}

interface ControllerInit {
  readonly cluster: Api;
  readonly runtime: PodRuntime;
  /** Monotonic milliseconds, for progress deadlines. */
  readonly now: () => number;
  /** Default `default`. */
  readonly namespace?: string | undefined;
}

const texts = z._default(z.nullish(z.record(z.string(), z.string())), {});
const metadata = z.looseObject({
  name: z.string(),
  uid: z.string(),
  generation: z._default(z.number(), 1),
  labels: texts,
  annotations: texts,
});
const workloads = z.object({
  items: z.array(
    z.object({
      metadata,
      spec: z.looseObject({
        replicas: z.nullish(z.number()),
        selector: z.looseObject({ matchLabels: texts }),
        paused: z.nullish(z.boolean()),
        progressDeadlineSeconds: z.nullish(z.number()),
        template: z.looseObject({
          metadata: z.looseObject({ labels: texts, annotations: texts }),
          spec: z.looseObject({}),
        }),
        updateStrategy: z.nullish(
          z.looseObject({
            type: z.nullish(z.string()),
            rollingUpdate: z.nullish(z.looseObject({ partition: z.nullish(z.number()) })),
          }),
        ),
      }),
      status: z.nullish(z.looseObject({ currentRevision: z.nullish(z.string()) })),
    }),
  ),
});
export type WorkloadObject = z.infer<typeof workloads>['items'][number];
const pods = z.object({
  items: z.array(
    z.object({
      metadata,
      status: z.nullish(
        z.looseObject({
          conditions: z.nullish(z.array(z.looseObject({ type: z.string(), status: z.string() }))),
        }),
      ),
    }),
  ),
});

const MERGE = { type: 'application/merge-patch+json' };
const NODE = 'node-1';

const KINDS = [
  { resource: 'deployments', kind: 'Deployment', step: deploymentStep },
  { resource: 'statefulsets', kind: 'StatefulSet', step: statefulSetStep },
  { resource: 'daemonsets', kind: 'DaemonSet', step: daemonSetStep },
] as const;

/**
 * The part of the cluster that a kube-apiserver alone does not have: the controllers of the three
 * workloads, the scheduler and a kubelet. Each step creates or ends at most one pod of a workload,
 * and writes what pods and workloads report. Based on
 * https://kubernetes.io/docs/concepts/workloads/controllers/ and the reference of the API.
 */
export class ClusterController {
  readonly #init: ControllerInit;
  readonly #progressMs = new Map<string, { readonly seen: string; readonly atMs: number }>();
  readonly #namespace: string;
  readonly #core: string;
  readonly #apps: string;

  constructor(init: ControllerInit) {
    this.#init = init;
    this.#namespace = init.namespace ?? 'default';
    this.#core = `/api/v1/namespaces/${this.#namespace}`;
    this.#apps = `/apis/apps/v1/namespaces/${this.#namespace}`;
  }

  async step(): Promise<void> {
    for (const { resource, kind, step } of KINDS) {
      const { items } = workloads.parse(await this.#call('GET', `${this.#apps}/${resource}`));
      for (const workload of items) await this.#sync(workload, resource, kind, step);
    }
  }

  /** Until nothing changes any more, for example before a test begins. */
  async settle(steps = 4): Promise<void> {
    for (let count = 0; count < steps; count += 1) await this.step();
  }

  async #sync(
    workload: WorkloadObject,
    resource: string,
    kind: string,
    step: (workload: WorkloadObject, pods: readonly Owned[], hash: string) => Plan,
  ): Promise<void> {
    const { name } = workload.metadata;
    const hash = createHash('sha256')
      .update(JSON.stringify(workload.spec.template))
      .digest('hex')
      .slice(0, 10);
    const before = await this.#pods(workload);
    const plan = step(workload, before, hash);
    for (const pod of plan.end) await this.#end(workload, pod);
    let refused: string | undefined;
    if (plan.make !== undefined) {
      if (kind === 'Deployment') await this.#addReplicaSet(workload, plan.make.hash);
      const { annotations } = workload.spec.template.metadata;
      refused = this.#init.runtime.refusal?.(annotations ?? {});
      if (refused === undefined) await this.#make(workload, plan.make);
    }
    for (const pod of await this.#pods(workload)) await this.#report(pod);
    const after = await this.#pods(workload);
    const status = plan.status(after);
    const conditions =
      kind === 'Deployment' ? { conditions: this.#conditions(workload, status, refused) } : {};
    const body = {
      status: { ...status, ...conditions, observedGeneration: workload.metadata.generation },
    };
    await this.#call('PATCH', `${this.#apps}/${resource}/${name}/status`, body);
  }

  /**
   * Progressing and ReplicaFailure:
   * https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#deployment-status
   */
  #conditions(
    { metadata: { uid, generation }, spec }: WorkloadObject,
    status: object,
    refused: string | undefined,
  ) {
    const seen = JSON.stringify([generation, status]);
    const known = this.#progressMs.get(uid);
    const nowMs = this.#init.now();
    if (known?.seen !== seen) this.#progressMs.set(uid, { seen, atMs: nowMs });
    const silentMs = nowMs - (known?.seen === seen ? known.atMs : nowMs);
    const { replicas = 0, availableReplicas = 0, updatedReplicas = 0 } = { ...status };
    const isComplete =
      replicas === updatedReplicas && availableReplicas === replicas && replicas === spec.replicas;
    const isLate = !isComplete && silentMs > (spec.progressDeadlineSeconds ?? 600) * 1000;
    const progressing = isLate
      ? {
          type: 'Progressing',
          status: 'False',
          reason: 'ProgressDeadlineExceeded',
          message: 'has timed out progressing',
        }
      : {
          type: 'Progressing',
          status: 'True',
          reason: isComplete ? 'NewReplicaSetAvailable' : 'ReplicaSetUpdated',
        };
    const failure = {
      type: 'ReplicaFailure',
      status: 'True',
      reason: 'FailedCreate',
      message: refused,
    };
    return refused === undefined ? [progressing] : [progressing, failure];
  }

  async #pods({ metadata: { uid }, spec }: WorkloadObject): Promise<readonly Owned[]> {
    const labels = Object.entries(spec.selector.matchLabels ?? {});
    const selector = encodeURIComponent(labels.map((pair) => pair.join('=')).join(','));
    const { items } = pods.parse(
      await this.#call('GET', `${this.#core}/pods?labelSelector=${selector}`),
    );
    const own = items.filter(({ metadata }) => metadata.annotations?.['test/owner'] === uid);
    return own.map(({ metadata, status }) => ({
      namespace: this.#namespace,
      name: metadata.name,
      uid: metadata.uid,
      annotations: metadata.annotations ?? {},
      hash: metadata.labels?.['controller-revision-hash'] ?? '',
      isReady:
        status?.conditions?.some(
          ({ type, status: value }) => type === 'Ready' && value === 'True',
        ) ?? false,
      isNew: status?.conditions === undefined || status.conditions === null,
    }));
  }

  async #make(workload: WorkloadObject, { name, hash }: NonNullable<Plan['make']>): Promise<void> {
    const { labels, annotations } = workload.spec.template.metadata;
    await this.#call('POST', `${this.#core}/pods`, {
      metadata: {
        name,
        labels: { ...labels, 'controller-revision-hash': hash },
        annotations: { ...annotations, 'test/owner': workload.metadata.uid },
      },
      spec: { ...workload.spec.template.spec, nodeName: NODE },
    });
  }

  async #end(_: WorkloadObject, pod: Owned): Promise<void> {
    await this.#call('DELETE', `${this.#core}/pods/${pod.name}?gracePeriodSeconds=0`);
    await this.#init.runtime.end?.(pod);
  }

  async #report(pod: Owned): Promise<void> {
    const isReady = await this.#init.runtime.isReady(pod);
    const status = {
      phase: isReady ? 'Running' : 'Pending',
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
    };
    await this.#call('PATCH', `${this.#core}/pods/${pod.name}/status`, { status });
  }

  async #addReplicaSet(
    { metadata: { name, uid }, spec }: WorkloadObject,
    hash: string,
  ): Promise<void> {
    const labels = { app: name, 'pod-template-hash': hash };
    const template = { ...spec.template, metadata: { ...spec.template.metadata, labels } };
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name, uid, controller: true };
    await this.#init.cluster.api('POST', `${this.#apps}/replicasets`, {
      metadata: { name: `${name}-${hash}`, labels, ownerReferences: [owner] },
      spec: { replicas: spec.replicas, selector: { matchLabels: labels }, template },
    });
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const reply = await this.#init.cluster.api(method, path, body, method === 'PATCH' ? MERGE : {});
    if (reply.status >= 300)
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }
}

export type { PodObject };
