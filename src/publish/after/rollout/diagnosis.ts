import * as z from 'zod/mini';
import { CourierError, hasCode } from '../../../errors.ts';
import { foreignText } from '../../../http/service.ts';
import type { KubernetesApi } from '../../../kubernetes/api.ts';
import { readTime } from '../../../text/instants.ts';
import type { Redact } from '../../../text/redact.ts';
import {
  conditions,
  hasMarks,
  type Marks,
  podSpec,
  selectorText,
  type WorkloadState,
  workloadName,
} from './cluster.ts';

// https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/
const text = z.nullish(z.string());
const containerState = z.nullish(
  z.object({
    waiting: z.nullish(z.object({ reason: text, message: text })),
    running: z.nullish(z.unknown()),
    terminated: z.nullish(z.object({ exitCode: z.number(), reason: text, message: text })),
  }),
);
const container = z.object({
  name: z.string(),
  ready: z.nullish(z.boolean()),
  state: containerState,
  lastState: containerState,
});
const pod = z.object({
  metadata: z.object({
    name: z.string(),
    uid: z.string(),
    deletionTimestamp: text,
    annotations: z.nullish(z.record(z.string(), z.string())),
  }),
  spec: podSpec,
  status: z.nullish(
    z.object({
      phase: text,
      reason: text,
      message: text,
      conditions,
      initContainerStatuses: z.nullish(z.array(container)),
      containerStatuses: z.nullish(z.array(container)),
    }),
  ),
});
const podList = z.object({ items: z.array(pod) });
type Pod = z.infer<typeof pod>;
type Container = z.infer<typeof container>;

const event = z.object({
  metadata: z.object({ creationTimestamp: text }),
  type: text,
  reason: text,
  message: text,
  eventTime: text,
  lastTimestamp: text,
});
const eventList = z.object({ items: z.array(event) });

/** What keeps a pod from being ready. */
interface Problem {
  /** Half a sentence from the cluster, which is not yet safe to print. */
  readonly text: string;
  /**
   * Where to read more: in the events of the pod, such as how its probe failed, or in the log of a
   * container, of its present or its previous run.
   */
  readonly more?:
    | 'events'
    | { readonly container: string; readonly isPrevious: boolean }
    | undefined;
}

/** What keeps a pod from being ready; undefined: it is ready, or about to end. */
function problemOf({ status, metadata }: Pod): Problem | undefined {
  const find = (type: string, value: string) =>
    status?.conditions?.find((one) => one.type === type && one.status === value);
  const isReady = find('Ready', 'True') !== undefined;
  const isEnding = Boolean(metadata.deletionTimestamp);
  if (isReady || isEnding) return undefined;
  // The whole pod has failed, such as with `Evicted`.
  if (status?.reason) return { text: withMessage(status.reason, status.message) };
  const unscheduled = find('PodScheduled', 'False');
  if (unscheduled !== undefined)
    return { text: withMessage('it is not scheduled on any node', unscheduled.message) };
  // The other containers wait for the init containers, so the problem is found here first.
  for (const one of status?.initContainerStatuses ?? []) {
    const problem = containerProblem(one, `init container ${one.name}`) ?? stillRunning(one);
    if (problem !== undefined) return problem;
  }
  for (const one of status?.containerStatuses ?? []) {
    const problem = containerProblem(one, `container ${one.name}`) ?? notReady(one);
    if (problem !== undefined) return problem;
  }
  // Such as a pod that has just been created, for which nothing is known of its containers.
  return { text: `its phase is ${status?.phase ?? 'unknown'}`, more: 'events' };
}

/** Why a container failed or waits; undefined: neither, or it waits only for init containers. */
function containerProblem(
  { name, state, lastState, ready }: Container,
  subject: string,
): Problem | undefined {
  if (ready === true) return undefined;
  // A container that is about to be started again failed in its previous run.
  const ended = state?.terminated ?? lastState?.terminated;
  if (ended && ended.exitCode !== 0) {
    let text = `${subject} ended with exit code ${ended.exitCode}`;
    // `Error` says no more than the exit code; others do, such as `OOMKilled`.
    if (ended.reason && ended.reason !== 'Error') text += ` (${ended.reason})`;
    const isPrevious = !state?.terminated;
    return { text: withMessage(text, ended.message), more: { container: name, isPrevious } };
  }
  const { reason, message } = state?.waiting ?? {};
  // `PodInitializing` is normal: the container waits for the init containers.
  if (!reason || reason === 'PodInitializing') return undefined;
  if (reason === 'ContainerCreating')
    return { text: `${subject} is being created`, more: 'events' };
  return { text: withMessage(`${subject} is waiting: ${reason}`, message) };
}

/** The problem of an init container that has not ended. */
function stillRunning({ name, state, ready }: Container): Problem | undefined {
  if (ready === true || !state?.running) return undefined;
  const more = { container: name, isPrevious: false };
  return { text: `init container ${name} is still running`, more };
}

/** The problem of a container that runs and is not ready; undefined: it is, waits or has ended. */
function notReady({ name, state, ready }: Container): Problem | undefined {
  if (ready === true || state?.waiting || state?.terminated) return undefined;
  return { text: `container ${name} runs, but is not ready`, more: 'events' };
}

function withMessage(reason: string, message: string | null | undefined): string {
  return message ? `${reason}: ${message}` : reason;
}

// Pods of one template usually fail for one reason.
const MAX_PROBLEMS = 3;
const MAX_PODS = '200';
// One line is shown, but the last ones may be blank.
const LOG_LINES = '20';
const LOG_BYTES = '16384';

/**
 * Why the new pods of a workload do not become ready: a line for each reason, in the cluster's own
 * words. A missing right is a line as well. Throws only `cancelled`.
 */
export class Diagnosis {
  readonly #api: KubernetesApi;
  readonly #namespace: string;
  readonly #redact: Redact;

  /** `redact`: hides in a text what could be a credential. */
  constructor(api: KubernetesApi, namespace: string, redact: Redact) {
    this.#api = api;
    this.#namespace = namespace;
    this.#redact = redact;
  }

  /**
   * The rights to lists that `explain` needs and the account lacks, such as `list events`. That to
   * logs is not tried: it takes a pod.
   */
  async missingRights(): Promise<readonly string[]> {
    const missing: string[] = [];
    for (const resource of ['pods', 'events']) {
      try {
        await this.#list(resource, { limit: '1' }, z.unknown());
      } catch (error) {
        if (!hasCode(error, 'forbidden')) throw error;
        missing.push(`list ${resource}`);
      }
    }
    return missing;
  }

  /** The lines about one workload. `marks`: what the new pods have, and the former ones do not. */
  async explain(state: WorkloadState, marks: Marks): Promise<readonly string[]> {
    // The controller cannot create any pod, such as because of a quota or an admission webhook.
    const refused = state.status?.conditions?.find(
      (one) => one.type === 'ReplicaFailure' && one.status === 'True',
    );
    if (refused?.message) return [`no pod could be created: ${this.#safe(refused.message)}`];
    return this.#linesOrWhyNot('list pods', async () => {
      const query = { labelSelector: selectorText(state), limit: MAX_PODS };
      const { items } = await this.#list('pods', query, podList);
      // One pod for each different reason.
      const problems = new Map<string, { readonly failing: Pod; readonly problem: Problem }>();
      for (const pod of items.filter((one) => hasMarks(one, marks))) {
        const problem = problemOf(pod);
        if (problem !== undefined) problems.set(problem.text, { failing: pod, problem });
      }
      const shown = [...problems.values()].slice(0, MAX_PROBLEMS);
      if (shown.length > 0)
        return Promise.all(shown.map(({ failing, problem }) => this.#podLine(failing, problem)));
      // No new pod has a problem, or there is none yet: the workload itself may say why.
      const events = await this.#lastWarning(state.metadata.uid);
      return events.map((line) => `${workloadName(state)}: ${line}`);
    });
  }

  /** The line about one pod. */
  async #podLine({ metadata }: Pod, { text, more }: Problem): Promise<string> {
    const parts = [`pod ${this.#safe(metadata.name)}: ${this.#safe(text)}`];
    if (more === 'events') parts.push(...(await this.#lastWarning(metadata.uid)));
    else if (more !== undefined) parts.push(...(await this.#lastLogLine(metadata.name, more)));
    return parts.join('; ');
  }

  /** The last line of the log of a container. */
  #lastLogLine(
    pod: string,
    { container: name, isPrevious }: Exclude<Problem['more'], 'events' | undefined>,
  ): Promise<readonly string[]> {
    const query = { container: name, tailLines: LOG_LINES, limitBytes: LOG_BYTES };
    return this.#linesOrWhyNot('get pods/log', async () => {
      const reply = await this.#api.send({
        method: 'GET',
        path: this.#path('pods', pod, 'log'),
        query: isPrevious ? { ...query, previous: 'true' } : query,
        // A log is text, whatever the container writes: without this, JSON would be asked for.
        headers: { accept: '*/*' },
      });
      // The whole log is redacted: a credential may have several lines.
      const lines = this.#redact(reply.body.toString('utf8')).split('\n');
      const last = lines.findLast((line) => line.trim() !== '');
      if (last === undefined) return ['its log is empty'];
      return [`the last line of its log: ${this.#safe(last)}`];
    });
  }

  /** The latest warning about an object, if there is one. */
  #lastWarning(uid: string): Promise<readonly string[]> {
    return this.#linesOrWhyNot('list events', async () => {
      const query = { fieldSelector: `involvedObject.uid=${uid}` };
      const { items } = await this.#list('events', query, eventList);
      const warnings = items.filter((item) => item.type === 'Warning');
      const [last] = warnings.sort((a, b) => timeOf(b) - timeOf(a));
      if (last === undefined) return [];
      return [this.#safe(`${last.reason ?? 'event'}: ${last.message ?? ''}`)];
    });
  }

  /** Reads the objects of a kind, such as `pods`, in the namespace of the workloads. */
  #list<T>(
    resource: string,
    query: Readonly<Record<string, string>>,
    schema: z.ZodMiniType<T>,
  ): Promise<T> {
    return this.#api.read({ method: 'GET', path: this.#path(resource), query }, schema);
  }

  #path(...parts: readonly string[]): readonly string[] {
    return ['api', 'v1', 'namespaces', this.#namespace, ...parts];
  }

  /**
   * The lines that `read` gives; if it fails, a line that says why, so that the failure of the pods
   * is reported in any case. `right`: what `read` needs, such as `list pods`.
   */
  async #linesOrWhyNot(
    right: string,
    read: () => Promise<readonly string[]>,
  ): Promise<readonly string[]> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
      const lacks = `the account lacks the right to ${right} in namespace ${this.#namespace}`;
      return [`why is not known: ${error.code === 'forbidden' ? lacks : error.message}`];
    }
  }

  /**
   * A text from the cluster, safe to show: without secrets, on one line, inert and shortened. Every
   * such text goes through here.
   */
  #safe(text: string): string {
    return foreignText(text, this.#redact);
  }
}

/**
 * When an event was last seen. New ones have an eventTime, others a lastTimestamp. A time that
 * cannot be read counts as the oldest.
 */
function timeOf({ metadata, eventTime, lastTimestamp }: z.infer<typeof event>): number {
  return readTime(lastTimestamp ?? eventTime ?? metadata.creationTimestamp) ?? 0;
}
