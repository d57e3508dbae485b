import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { CourierError } from '../../../errors.ts';
import type { RolloutInputs, Workload } from '../../../inputs/inputs.ts';
import type { KubernetesApi } from '../../../kubernetes/api.ts';
import type { KubernetesAddress } from '../../../stores/address.ts';

// https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/
const count = z.nullish(z.number());
const container = z.object({ name: z.string(), image: z.nullish(z.string()) });
const volume = z.object({ name: z.string(), image: z.nullish(z.object({ reference: z.nullish(z.string()) })) });
/** Of a pod, or of the template that pods are made of: where images are. */
export const podSpec = z.nullish(
  z.object({
    volumes: z.nullish(z.array(volume)),
    containers: z.nullish(z.array(container)),
    initContainers: z.nullish(z.array(container)),
  }),
);
const labels = z.nullish(z.record(z.string(), z.string()));
const requirement = z.object({ key: z.string(), operator: z.string(), values: z.nullish(z.array(z.string())) });
const condition = z.object({
  type: z.string(),
  status: z.string(),
  reason: z.nullish(z.string()),
  message: z.nullish(z.string()),
});

/** A Deployment, StatefulSet or DaemonSet as the API server gives it: what a rollout needs of each. */
const workloadReply = z.object({
  metadata: z.object({ uid: z.string(), generation: count }),
  spec: z.object({
    replicas: count,
    paused: z.nullish(z.boolean()),
    selector: z.object({ matchLabels: labels, matchExpressions: z.nullish(z.array(requirement)) }),
    template: z.object({ metadata: z.nullish(z.object({ annotations: labels })), spec: podSpec }),
    updateStrategy: z.nullish(
      z.object({ type: z.nullish(z.string()), rollingUpdate: z.nullish(z.object({ partition: count })) }),
    ),
  }),
  status: z.nullish(
    z.object({
      observedGeneration: count,
      replicas: count,
      updatedReplicas: count,
      readyReplicas: count,
      availableReplicas: count,
      currentRevision: z.nullish(z.string()),
      updateRevision: z.nullish(z.string()),
      desiredNumberScheduled: count,
      updatedNumberScheduled: count,
      numberReady: count,
      numberAvailable: count,
      conditions: z.nullish(z.array(condition)),
    }),
  ),
});
export type WorkloadState = z.infer<typeof workloadReply>;

/** How far a rollout has come. */
export interface Progress {
  /** Pods of the new template, ready ones of any, and how many there should be. */
  readonly updated: number;
  readonly ready: number;
  readonly wanted: number;
  readonly isComplete: boolean;
  /** What is still waited for; half a sentence. */
  readonly waitingFor?: string | undefined;
  /** The cluster itself has given the rollout up, and why; half a sentence. */
  readonly givenUp?: string | undefined;
}

/**
 * How far the rollout of the present template has come, by the rules of `kubectl rollout status`:
 * https://github.com/kubernetes/kubectl/blob/master/pkg/polymorphichelpers/rollout_status.go
 */
export function progressOf({ kind }: Workload, state: WorkloadState): Progress {
  const numbers = numbersOf(kind, state);
  if ((state.status?.observedGeneration ?? 0) < (state.metadata.generation ?? 1)) {
    return { ...numbers, isComplete: false, waitingFor: 'its controller has not seen the change yet' };
  }
  switch (kind) {
    case 'deployment':
      return deploymentProgress(state, numbers);
    case 'statefulset':
      return statefulSetProgress(state, numbers);
    case 'daemonset':
      return daemonSetProgress(state, numbers);
  }
}

type Numbers = Pick<Progress, 'updated' | 'ready' | 'wanted'>;

function numbersOf(kind: Workload['kind'], { spec, status }: WorkloadState): Numbers {
  if (kind === 'daemonset') {
    const { updatedNumberScheduled: updated, numberReady: ready, desiredNumberScheduled: wanted } = status ?? {};
    return { updated: updated ?? 0, ready: ready ?? 0, wanted: wanted ?? 0 };
  }
  return { updated: status?.updatedReplicas ?? 0, ready: status?.readyReplicas ?? 0, wanted: spec.replicas ?? 1 };
}

function deploymentProgress({ spec, status }: WorkloadState, numbers: Numbers): Progress {
  const { updated, wanted } = numbers;
  const failed = status?.conditions?.find(({ type, reason }) => {
    return type === 'Progressing' && reason === 'ProgressDeadlineExceeded';
  });
  const old = (status?.replicas ?? 0) - updated;
  const unavailable = updated - (status?.availableReplicas ?? 0);
  const waitingFor =
    updated < wanted
      ? `${updated} of ${wanted} pods are new${spec.paused === true ? '; the deployment is paused' : ''}`
      : old > 0
        ? `${old} old ${old === 1 ? 'pod has' : 'pods have'} not ended yet`
        : unavailable > 0
          ? `${updated - unavailable} of ${updated} new pods are available`
          : undefined;
  const isComplete = waitingFor === undefined;
  const givenUp = failed === undefined || isComplete ? undefined : 'it exceeded its progress deadline';
  return { ...numbers, isComplete, waitingFor, givenUp };
}

function statefulSetProgress(state: WorkloadState, numbers: Numbers): Progress {
  const { status } = state;
  const { updated, ready, wanted } = numbers;
  const partition = partitionOf(state);
  const restarted = Math.max(0, wanted - partition);
  // Without a partition the revision says it; a StatefulSet that was never changed has 0 updated replicas.
  const isNew = partition > 0 ? updated >= restarted : status?.updateRevision === status?.currentRevision;
  const waitingFor =
    ready < wanted
      ? `${ready} of ${wanted} pods are ready`
      : isNew
        ? undefined
        : `${updated} of ${restarted} pods are new`;
  return { ...numbers, isComplete: waitingFor === undefined, waitingFor };
}

function daemonSetProgress({ status }: WorkloadState, numbers: Numbers): Progress {
  const { updated, wanted } = numbers;
  const available = status?.numberAvailable ?? 0;
  const waitingFor =
    updated < wanted
      ? `${updated} of ${wanted} pods are new`
      : available < wanted
        ? `${available} of ${wanted} new pods are available`
        : undefined;
  return { ...numbers, isComplete: waitingFor === undefined, waitingFor };
}

/** Why no change of the template would ever restart a pod, with what to do; undefined: it does. */
export function whyNeverRestarted(
  { kind, name }: Workload,
  state: WorkloadState,
): readonly [string, string] | undefined {
  const { spec } = state;
  if (spec.paused === true) {
    return ['it is paused, so that a change restarts no pod', `Run: kubectl rollout resume ${kind}/${name}`];
  }
  if (spec.updateStrategy?.type === 'OnDelete') {
    const fix = 'Set spec.updateStrategy.type to RollingUpdate, or leave this workload out of rollout.';
    return ['its update strategy is OnDelete, so that a change restarts no pod', fix];
  }
  const partition = partitionOf(state);
  const replicas = spec.replicas ?? 1;
  if (partition > 0 && partition >= replicas && replicas > 0) {
    const fix = 'Lower spec.updateStrategy.rollingUpdate.partition, or leave this workload out of rollout.';
    return [`its partition is ${partition} with ${replicas} replicas, so that a change restarts no pod`, fix];
  }
  return undefined;
}

/** What restarts fewer pods than one might expect, as a sentence. */
export function limitOf(workload: Workload, state: WorkloadState): string | undefined {
  const partition = partitionOf(state);
  if (partition > 0) return `Its partition is ${partition}: pods with a lower number keep the earlier export.`;
  const isEmpty = workload.kind !== 'daemonset' && state.spec.replicas === 0;
  return isEmpty ? 'It has 0 replicas: pods that are started later read the new link.' : undefined;
}

function partitionOf({ spec }: WorkloadState): number {
  return spec.updateStrategy?.rollingUpdate?.partition ?? 0;
}

/** Why the controller cannot even make pods, in its own words: a quota, an admission webhook. */
export function replicaFailure({ status }: WorkloadState): string | undefined {
  const failure = status?.conditions?.find((one) => one.type === 'ReplicaFailure' && one.status === 'True');
  return failure?.message ?? undefined;
}

/** What names an export in a pod template: annotations, or the image of a volume or container. */
export type Marks =
  | { readonly kind: 'annotations'; readonly annotations: Readonly<Record<string, string>> }
  | { readonly kind: 'image'; readonly name: string; readonly reference: string };

/** A pod, or the template of pods. */
interface Template {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> | null | undefined } | null | undefined;
  readonly spec?: z.infer<typeof podSpec>;
}

/** True where a pod or a template names this export. */
export function carries(template: Template, marks: Marks): boolean {
  if (marks.kind === 'image') return imageIn(template, marks.name)?.reference === marks.reference;
  const present = template.metadata?.annotations ?? {};
  return Object.entries(marks.annotations).every(([name, value]) => present[name] === value);
}

/** The volume or container of this name that has an image. */
export function imageIn({ spec }: Template, name: string) {
  const { volumes, containers, initContainers } = spec ?? {};
  const found = volumes?.find((one) => one.name === name && one.image != null);
  if (found !== undefined) return { list: 'volumes', reference: found.image?.reference ?? '' } as const;
  for (const [list, all] of [['containers', containers] as const, ['initContainers', initContainers] as const]) {
    const own = all?.find((one) => one.name === name);
    if (own !== undefined) return { list, reference: own.image ?? '' };
  }
  return undefined;
}

/** Only what names the export: everything else in the template stays. */
function templatePatch(template: Template, marks: Marks) {
  if (marks.kind === 'annotations') return { metadata: { annotations: marks.annotations } };
  const { name, reference } = marks;
  const list = imageIn(template, name)?.list ?? 'volumes';
  return { spec: { [list]: [{ name, image: list === 'volumes' ? { reference } : reference }] } };
}

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors */
export function selectorText({ spec: { selector } }: WorkloadState): string {
  const equal = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const sets = (selector.matchExpressions ?? []).map(({ key, operator, values }) => {
    const list = `(${(values ?? []).join(',')})`;
    switch (operator) {
      case 'In':
        return `${key} in ${list}`;
      case 'NotIn':
        return `${key} notin ${list}`;
      case 'DoesNotExist':
        return `!${key}`;
      default:
        return key;
    }
  });
  return [...equal, ...sets].join(',');
}

const RESOURCES = { deployment: 'deployments', statefulset: 'statefulsets', daemonset: 'daemonsets' } as const;

/** The workloads of one namespace: read, and their pod template annotated. */
export class WorkloadClient {
  readonly #api: KubernetesApi;
  readonly #inputs: RolloutInputs;

  constructor(api: KubernetesApi, inputs: RolloutInputs) {
    this.#api = api;
    this.#inputs = inputs;
  }

  async read(workload: Workload, poll: { readonly timeLimitMs?: number } = {}): Promise<WorkloadState> {
    // Whoever polls counts failures and polls again.
    const repeat = poll.timeLimitMs === undefined ? 'always' : 'never';
    const request = { method: 'GET', path: this.#path(workload), repeat, ...poll } as const;
    try {
      return await this.#api.send(request, workloadReply);
    } catch (error) {
      throw this.#explained(error, workload);
    }
  }

  /** A patch of what names the export and of nothing else. Repeating it changes nothing. */
  async mark(
    workload: Workload,
    { state, marks }: { readonly state: WorkloadState; readonly marks: Marks },
    { isTrial }: { readonly isTrial: boolean },
  ): Promise<WorkloadState> {
    // The manager's name is what keeps a GitOps controller from taking the field for a change by hand.
    const query = { fieldManager: 'docs-courier', ...(isTrial && { dryRun: 'All' }) };
    const patch = { spec: { template: templatePatch(state.spec.template, marks) } };
    const isStrategic = marks.kind === 'image';
    const request = {
      method: 'PATCH',
      path: this.#path(workload),
      query,
      patch,
      isStrategic,
      repeat: 'always',
    } as const;
    try {
      return await this.#api.send(request, workloadReply);
    } catch (error) {
      throw this.#explained(error, workload);
    }
  }

  #path({ kind, name }: Workload): readonly string[] {
    return ['apis', 'apps', 'v1', 'namespaces', this.#inputs.namespace, RESOURCES[kind], name];
  }

  #explained(error: unknown, { kind, name }: Workload): unknown {
    if (!(error instanceof CourierError)) return error;
    const { namespace } = this.#inputs;
    switch (error.code) {
      case 'not-found':
        return error.with({
          message: `There is no ${kind}/${name} in namespace ${namespace}. ${error.message}`,
          hint: `Correct the input rollout. kubectl --namespace ${namespace} get ${RESOURCES[kind]} lists what is there.`,
        });
      case 'forbidden':
        return error.with({
          hint: / cannot \w+ resource /.test(error.message)
            ? `The account lacks a right, or the name in rollout is wrong: rights that are given by name do not show which. These rules belong to its Role:\n${rolloutRules(this.#inputs)}`
            : `A rule of the cluster, which the message names, refuses the change. Ask the owners of the namespace ${namespace}.`,
        });
      default:
        return error;
    }
  }
}

/** The least rights: the workloads by their names, and reading what says why pods fail. */
function rolloutRules({ workloads }: RolloutInputs): string {
  const kinds = [...new Set(workloads.map(({ kind }) => RESOURCES[kind]))];
  const names = [...new Set(workloads.map(({ name }) => name))];
  return [
    '- apiGroups: [apps]',
    `  resources: [${kinds.join(', ')}]`,
    `  resourceNames: [${names.join(', ')}]`,
    '  verbs: [get, patch]',
    '- apiGroups: [""]',
    '  resources: [pods, events]',
    '  verbs: [list]',
    '- apiGroups: [""]',
    '  resources: [pods/log]',
    '  verbs: [get]',
  ].join('\n');
}

// The name of an annotation has at most 63 characters after its prefix.
const MAX_NAME = 63;

/**
 * The annotations of the pod template that name an export: one for each destination, since a workload may read the links of several
 * sites. The value is a digest of the job's id: a fresh link for the same job changes nothing, and so restarts nothing.
 */
export function annotationsFor(
  destinations: readonly KubernetesAddress[],
  jobId: string,
): Readonly<Record<string, string>> {
  const digest = createHash('sha256').update(jobId).digest('hex');
  return Object.fromEntries(destinations.map((destination) => [annotationOf(destination), digest]));
}

function annotationOf({ secret, key }: KubernetesAddress): string {
  // No name of a Secret has an underscore: two destinations never have the same annotation.
  const name = `export.${secret}_${key}`;
  const isName = name.length <= MAX_NAME && /[a-zA-Z0-9]$/.test(name);
  const short = createHash('sha256').update(`${secret}/${key}`).digest('hex').slice(0, 40);
  return `docs-courier/${isName ? name : `export.${short}`}`;
}
