import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { type CourierError, configError } from '../../ground/errors.ts';
import { countOf } from '../../ground/text/amounts.ts';
import { plainLine } from '../../ground/text/escape.ts';
import type { Redact } from '../../ground/text/redact.ts';
import type { ApiRequest } from '../../http/api.ts';
import { foreignText } from '../../http/service.ts';
import type { RolloutInputs, Workload } from '../../inputs/inputs.ts';
import {
  annotationOf,
  type KubernetesApi,
  MERGE_PATCH,
  STRATEGIC_PATCH,
} from '../../kubernetes/api.ts';
import type { KubernetesAddress } from '../../stores/kubernetes/address.ts';
import type { ImageAddress } from '../../stores/registry/address.ts';

// https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/
// The API server leaves out a count that is 0.
const count = z.nullish(z.number());
const text = z.nullish(z.string());
const labels = z.nullish(z.record(z.string(), z.string()));
const container = z.object({ name: z.string(), image: text });
const volume = z.object({ name: z.string(), image: z.nullish(z.object({ reference: text })) });
/** The parts of a pod template that name images. */
const podSpec = z.nullish(
  z.object({
    volumes: z.nullish(z.array(volume)),
    containers: z.nullish(z.array(container)),
    initContainers: z.nullish(z.array(container)),
  }),
);
const condition = z.object({ type: z.string(), status: z.string(), reason: text, message: text });

/**
 * A Deployment, StatefulSet or DaemonSet as the API server gives it: what a rollout needs of each.
 */
const workloadReply = z.object({
  metadata: z.object({ generation: count }),
  spec: z.object({
    replicas: count,
    paused: z.nullish(z.boolean()),
    selector: z.object({ matchLabels: labels }),
    template: z.object({ metadata: z.nullish(z.object({ annotations: labels })), spec: podSpec }),
    updateStrategy: z.nullish(
      z.object({ type: text, rollingUpdate: z.nullish(z.object({ partition: count })) }),
    ),
  }),
  status: z.nullish(
    z.object({
      observedGeneration: count,
      replicas: count,
      updatedReplicas: count,
      readyReplicas: count,
      availableReplicas: count,
      currentRevision: text,
      updateRevision: text,
      desiredNumberScheduled: count,
      updatedNumberScheduled: count,
      numberReady: count,
      numberAvailable: count,
      conditions: z.nullish(z.array(condition)),
    }),
  ),
});
/** A workload of the inputs, with what the API server gave for it. */
export type WorkloadState = Workload & z.infer<typeof workloadReply>;

export function workloadName(workload: Workload): string {
  return `${workload.kind}/${workload.name}`;
}

/**
 * How far the rollout of the present template has come, by the rules of `kubectl rollout status`:
 * https://github.com/kubernetes/kubectl/blob/master/pkg/polymorphichelpers/rollout_status.go.
 * `updated`, `ready`, `wanted`: how many pods have the new template, how many of all are ready, and
 * how many there should be. `waitingFor`: what the rollout still waits for, as half a sentence;
 * undefined: it is complete. `isGivenUp`: the cluster itself has given the rollout up.
 */
export function progressOf(state: WorkloadState) {
  const { updated, ready, wanted } = numbersOf(state);
  // Each change of the workload raises its generation, which begins at 1.
  if ((state.status?.observedGeneration ?? 0) < (state.metadata.generation ?? 1)) {
    const waitingFor = 'its controller has not seen the change yet';
    return { updated, ready, wanted, waitingFor, isGivenUp: false };
  }
  const waitingFor = waitingOf(state);
  const isLate = (state.status?.conditions ?? []).some(
    (one) => one.type === 'Progressing' && one.reason === 'ProgressDeadlineExceeded',
  );
  // A late rollout may still become complete.
  const isGivenUp = isLate && waitingFor !== undefined;
  return { updated, ready, wanted, waitingFor, isGivenUp };
}

/** The numbers of pods, which a DaemonSet has under other names than the other kinds. */
function numbersOf({ kind, spec, status }: WorkloadState) {
  if (kind === 'daemonset') {
    return {
      updated: status?.updatedNumberScheduled ?? 0,
      ready: status?.numberReady ?? 0,
      wanted: status?.desiredNumberScheduled ?? 0,
      available: status?.numberAvailable ?? 0,
    };
  }
  return {
    updated: status?.updatedReplicas ?? 0,
    ready: status?.readyReplicas ?? 0,
    // Without a number of replicas, Kubernetes runs one.
    wanted: spec.replicas ?? 1,
    available: status?.availableReplicas ?? 0,
  };
}

/** What the rollout still waits for, as half a sentence; undefined: it is complete. */
function waitingOf(state: WorkloadState): string | undefined {
  if (state.kind === 'statefulset') return waitingOfSet(state);
  const { updated, wanted, available } = numbersOf(state);
  const paused = state.spec.paused ? '; the deployment is paused' : '';
  if (updated < wanted) return `${updated} of ${wanted} pods are new${paused}`;
  let newPods = wanted;
  if (state.kind === 'deployment') {
    // Only a Deployment runs its new pods beside the old ones, until these have ended.
    const old = (state.status?.replicas ?? 0) - updated;
    if (old > 0) return `${countOf(old, 'old pod has', 'old pods have')} not ended yet`;
    // All must be available, also those that end soon while the deployment is scaled down.
    newPods = updated;
  }
  return available < newPods ? `${available} of ${newPods} new pods are available` : undefined;
}

/**
 * The partition of a StatefulSet: pods with a lower number keep the former template. 0: all pods
 * get the new one.
 */
function partitionOf(state: WorkloadState): number {
  return state.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
}

/** The same as `waitingOf`, for a StatefulSet. */
function waitingOfSet(state: WorkloadState): string | undefined {
  const { updated, ready, wanted } = numbersOf(state);
  if (ready < wanted) return `${ready} of ${wanted} pods are ready`;
  const partition = partitionOf(state);
  const wantedNew = Math.max(0, wanted - partition);
  let areNew = updated >= wantedNew;
  // Without a partition, the revisions are compared: a StatefulSet that was never changed has 0
  // updated replicas.
  if (partition === 0) areNew = state.status?.updateRevision === state.status?.currentRevision;
  return areNew ? undefined : `${updated} of ${wantedNew} pods are new`;
}

/** Throws `config` for a workload whose pods are not restarted when its template changes. */
export function assertRestartable(state: WorkloadState): void {
  if (state.spec.paused)
    throw notRestarted(state, 'it is paused', `Run: kubectl rollout resume ${workloadName(state)}`);
  if (state.spec.updateStrategy?.type === 'OnDelete')
    throw notRestarted(
      state,
      'its update strategy is OnDelete',
      'Set spec.updateStrategy.type to RollingUpdate, or leave this workload out of rollout.',
    );
  const partition = partitionOf(state);
  const { wanted } = numbersOf(state);
  // With 0 pods the partition is not a problem: pods that are started later are new anyway.
  const keepsAllPods = wanted > 0 && partition >= wanted;
  if (keepsAllPods)
    throw notRestarted(
      state,
      `its partition is ${partition} with ${wanted} replicas`,
      'Lower spec.updateStrategy.rollingUpdate.partition, or leave this workload out of rollout.',
    );
}

function notRestarted(state: WorkloadState, why: string, hint: string): CourierError {
  return configError(
    `${workloadName(state)} of the input rollout cannot be rolled out: ${why}, so a change does not restart its pods.`,
    hint,
  );
}

/** Why not all pods are restarted, as a sentence for a warning; undefined: all are. */
export function whyNotAllRestart(state: WorkloadState): string | undefined {
  const partition = partitionOf(state);
  if (partition > 0)
    return `Its partition is ${partition}: pods with a lower number keep the earlier export.`;
  // A DaemonSet has no number of replicas.
  if (state.spec.replicas !== 0) return undefined;
  return 'It has 0 replicas: pods that are started later read the new link.';
}

/**
 * What names an export in a pod template: annotations, or the image of a volume or container. A
 * change of it makes the cluster replace the pods.
 */
export type Marks =
  | { readonly kind: 'annotations'; readonly annotations: Readonly<Record<string, string>> }
  | { readonly kind: 'image'; readonly name: string; readonly reference: string };

type Template = WorkloadState['spec']['template'];

/** True if the template names this export. */
export function hasMarks(template: Template, marks: Marks): boolean {
  if (marks.kind === 'image') return imageIn(template, marks.name)?.reference === marks.reference;
  const present = template.metadata?.annotations ?? {};
  return Object.entries(marks.annotations).every(([name, value]) => present[name] === value);
}

/** A volume or container of a template that has an image. */
interface ImageUser {
  readonly list: keyof NonNullable<Template['spec']>;
  readonly name: string;
  /** Empty: the image is set by a controller when the pod starts. */
  readonly reference: string;
}

/** The volumes with an image and the containers of a template. */
function imagesIn({ spec }: Template): readonly ImageUser[] {
  const found: ImageUser[] = [];
  for (const { name, image } of spec?.volumes ?? [])
    if (image) found.push({ list: 'volumes', name, reference: image.reference ?? '' });
  for (const list of ['containers', 'initContainers'] as const)
    for (const { name, image } of spec?.[list] ?? [])
      found.push({ list, name, reference: image ?? '' });
  return found;
}

/** The volume or container of this name that has an image; undefined: there is none. */
function imageIn(template: Template, name: string): ImageUser | undefined {
  return imagesIn(template).find((one) => one.name === name);
}

/** The volume or container that the input names. Throws `config` if there is none. */
export function namedImage(state: WorkloadState, name: string): ImageUser {
  const { template } = state.spec;
  const found = imageIn(template, name);
  if (found !== undefined) return found;
  const names = imagesIn(template).map((one) => one.name);
  throw configError(
    `${workloadName(state)} has no volume with an image and no container named ${name}. It has: ${names.join(', ') || 'none'}.`,
    'Correct the name after # in rollout. A volume must be one with image.reference.',
  );
}

/** The patch of a template that changes only this image. */
function imagePatch({ list, name }: ImageUser, reference: string) {
  const image = list === 'volumes' ? { reference } : reference;
  return { spec: { [list]: [{ name, image }] } };
}

/**
 * What the cluster itself says of a workload, a line for each condition, and the command that shows
 * more. A StatefulSet and a DaemonSet have no conditions. `redact`: hides what could be a secret.
 */
export function reportOf(state: WorkloadState, namespace: string, redact: Redact): string[] {
  const lines: string[] = [];
  for (const { type, status, reason, message } of state.status?.conditions ?? []) {
    const words = [`${type} is ${status}`, reason, message].filter(Boolean).join(': ');
    lines.push(`- ${foreignText(words, redact)}`);
  }
  const selector = Object.entries(state.spec.selector.matchLabels ?? {})
    .map((label) => label.join('='))
    .join(',');
  let command = `kubectl --namespace ${namespace} describe pods`;
  // A label has only these characters. Anything else does not belong into a line to paste.
  if (/^[\w./=,-]+$/.test(selector)) command += ` --selector ${selector}`;
  lines.push(`- For more, run: ${command}`);
  return lines;
}

const DOCKER_HUB = /^(?:index\.|registry-1\.)?docker\.io$/;

/**
 * `REGISTRY/REPOSITORY` of the reference in a pod; a reference without a registry means Docker Hub.
 */
export function repositoryOf(reference: string): string {
  const withoutDigest = reference.replace(/@.*/s, '');
  // A colon before a later slash begins a port, not a tag.
  const path = withoutDigest.replace(/:[^:/]*$/, '');
  const [first = '', ...rest] = path.split('/');
  if (rest.length === 0) return `docker.io/library/${path}`;
  // The first part is a registry only if it looks like a host: with a dot, a port, or `localhost`.
  if (!/[.:]/.test(first) && first !== 'localhost') return `docker.io/${path}`;
  return [DOCKER_HUB.test(first) ? 'docker.io' : first, ...rest].join('/');
}

const RESOURCES = {
  deployment: 'deployments',
  statefulset: 'statefulsets',
  daemonset: 'daemonsets',
} as const;

/** Reads the workloads of one namespace, and marks their pod templates. */
export class WorkloadClient {
  readonly #api: KubernetesApi;
  readonly #inputs: RolloutInputs;
  readonly #image: ImageAddress | undefined;

  /** `image`: the image that the run pushes; only references of its repository are replaced. */
  constructor(api: KubernetesApi, inputs: RolloutInputs, image: ImageAddress | undefined) {
    this.#api = api;
    this.#inputs = inputs;
    this.#image = image;
  }

  /** Reads a workload; only once if there is a limit, as the caller then polls again. */
  read(workload: Workload, timeLimitMs?: number): Promise<WorkloadState> {
    if (timeLimitMs === undefined) return this.#send(workload, { method: 'GET' });
    return this.#send(workload, { method: 'GET', repeat: 'never', timeLimitMs });
  }

  /**
   * Patches what names the export, and nothing else. Repeating it changes nothing. `dryRun`: the
   * API server checks the patch, and does not store it.
   */
  async mark(state: WorkloadState, marks: Marks, options?: { readonly dryRun: 'All' }) {
    // By this name, a GitOps controller recognizes that the field is not a manual change.
    const query = { fieldManager: 'docs-courier', ...options };
    if (marks.kind === 'annotations') {
      const template = { metadata: { annotations: marks.annotations } };
      const body = { spec: { template } };
      return this.#send(state, { method: 'PATCH', query, body, headers: MERGE_PATCH });
    }
    const imageUser = namedImage(state, marks.name);
    this.#refuseForeign(state, imageUser);
    const body = { spec: { template: imagePatch(imageUser, marks.reference) } };
    // A merge patch would replace the whole list of containers or volumes.
    return this.#send(state, { method: 'PATCH', query, body, headers: STRATEGIC_PATCH });
  }

  /** Throws if the named container or volume has another image, such as that of a web server. */
  #refuseForeign(state: WorkloadState, { name, reference }: ImageUser): void {
    // The first is for the compiler: the inputs name a container only with an image to push. An
    // empty reference is filled in later by a controller, so any image may replace it.
    if (this.#image === undefined || reference === '') return;
    const { registry, repository, tag } = this.#image;
    const pushed = `${registry}/${repository}`;
    if (repositoryOf(reference) === repositoryOf(pushed)) return;
    throw configError(
      `${name} of ${workloadName(state)} has ${plainLine(reference, 200)}, which is not an image of ${pushed}. It was not replaced.`,
      `Correct the name after # in rollout. If ${name} should have the site, write its first image into the manifest: ${pushed}:${tag}`,
    );
  }

  async #send(workload: Workload, request: Omit<ApiRequest, 'path'>): Promise<WorkloadState> {
    const { kind, name, image } = workload;
    const { namespace } = this.#inputs;
    const path = ['apis', 'apps', 'v1', 'namespaces', namespace, RESOURCES[kind], name];
    const object = {
      input: 'rollout',
      namespace,
      rules: roleRule(this.#inputs),
      missing: `There is no ${kind}/${name} in namespace ${namespace}.`,
      ifMissing: `Correct the input rollout. kubectl --namespace ${namespace} get ${RESOURCES[kind]} lists what is there.`,
    };
    const reply = await this.#api.about(object, { ...request, path }, workloadReply);
    return { kind, name, image, ...reply };
  }
}

/** The rule of the Role that a rollout needs. */
function roleRule(inputs: RolloutInputs): string {
  const kinds = [...new Set(inputs.workloads.map((workload) => RESOURCES[workload.kind]))];
  const names = [...new Set(inputs.workloads.map((workload) => workload.name))];
  return [
    '- apiGroups: [apps]',
    `  resources: [${kinds.join(', ')}]`,
    `  resourceNames: [${names.join(', ')}]`,
    '  verbs: [get, patch]',
  ].join('\n');
}

/**
 * The annotations of the pod template that name an export: one for each destination, since a
 * workload may read the links of several sites. The value is a digest of the job's id: a fresh link
 * for the same job changes nothing, and so restarts nothing.
 */
export function annotationsFor(
  destinations: readonly KubernetesAddress[],
  jobId: string,
): Readonly<Record<string, string>> {
  const digest = createHash('sha256').update(jobId).digest('hex');
  // No name of a Secret has an underscore: two destinations never have the same annotation.
  return Object.fromEntries(
    destinations.map((destination) => [
      annotationOf('export', `${destination.secret}_${destination.key}`),
      digest,
    ]),
  );
}
