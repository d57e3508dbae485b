import * as z from 'zod/mini';
import { CourierError, hasCode } from '../../../errors.ts';
import { foreignText } from '../../../http/service.ts';
import type { Workload } from '../../../inputs/inputs.ts';
import type { KubernetesApi } from '../../../kubernetes/api.ts';
import type { Redact } from '../../../text/redact.ts';
import { carries, type Marks, podSpec, replicaFailure, selectorText, type WorkloadState } from './cluster.ts';

// https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/
const text = z.nullish(z.string());
const terminated = z.object({ exitCode: z.number(), reason: text, message: text });
const containerState = z.nullish(
  z.object({
    waiting: z.nullish(z.object({ reason: text, message: text })),
    running: z.nullish(z.unknown()),
    terminated: z.nullish(terminated),
  }),
);
const container = z.object({
  name: z.string(),
  ready: z.nullish(z.boolean()),
  restartCount: z.nullish(z.number()),
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
      conditions: z.nullish(z.array(z.object({ type: z.string(), status: z.string(), reason: text, message: text }))),
      initContainerStatuses: z.nullish(z.array(container)),
      containerStatuses: z.nullish(z.array(container)),
    }),
  ),
});
const podList = z.object({
  metadata: z.nullish(z.object({ continue: text })),
  items: z.array(pod),
});
type Pod = z.infer<typeof pod>;
type Container = z.infer<typeof container>;

/** What keeps a pod from being ready. */
interface PodProblem {
  readonly pod: Pod;
  /** Half a sentence; from the cluster, not yet safe to print. */
  readonly text: string;
  /** Whose log may say more, and whether that of its last run is meant. */
  readonly log?: { readonly container: string; readonly isPrevious: boolean } | undefined;
  /** The events of the pod say more than its state, such as how its probe failed. */
  readonly isInEvents: boolean;
}

/** undefined: the pod is ready, or about to end. */
function problemOf(one: Pod): PodProblem | undefined {
  const { status, metadata } = one;
  const isReady = status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
  if (isReady || typeof metadata.deletionTimestamp === 'string') return undefined;
  if (status?.reason) {
    // Such as Evicted.
    return { pod: one, text: withMessage(status.reason, status.message), isInEvents: false };
  }
  const unscheduled = status?.conditions?.find(
    ({ type, status: value }) => type === 'PodScheduled' && value === 'False',
  );
  if (unscheduled !== undefined) {
    const text = withMessage('it is scheduled on no node', unscheduled.message);
    return { pod: one, text, isInEvents: false };
  }
  const init = (status?.initContainerStatuses ?? []).map((found) => containerProblem(one, found, 'init container'));
  const own = (status?.containerStatuses ?? []).map((found) => containerProblem(one, found, 'container'));
  const found = [...init, ...own].find((problem) => problem !== undefined);
  return found ?? { pod: one, text: `its phase is ${status?.phase ?? 'unknown'}`, isInEvents: true };
}

function containerProblem(one: Pod, found: Container, what: string): PodProblem | undefined {
  const { name, state, lastState, ready } = found;
  const ended = state?.terminated ?? lastState?.terminated ?? undefined;
  const isInit = what === 'init container';
  if (ready === true) return undefined;
  if (ended !== undefined && ended.exitCode !== 0) {
    const reason = ended.reason && ended.reason !== 'Error' ? ` (${ended.reason})` : '';
    const text = withMessage(`${what} ${name} ended with exit code ${ended.exitCode}${reason}`, ended.message);
    return { pod: one, text, log: { container: name, isPrevious: !state?.terminated }, isInEvents: false };
  }
  const waiting = state?.waiting;
  // The normal states of a pod that is being set up.
  if (waiting?.reason && waiting.reason !== 'PodInitializing' && waiting.reason !== 'ContainerCreating') {
    const text = withMessage(`${what} ${name} is waiting: ${waiting.reason}`, waiting.message);
    return { pod: one, text, isInEvents: false };
  }
  if (waiting?.reason === 'ContainerCreating') {
    return { pod: one, text: `${what} ${name} is being created`, isInEvents: true };
  }
  if (isInit && state?.running) {
    const text = `${what} ${name} is still running`;
    return { pod: one, text, log: { container: name, isPrevious: false }, isInEvents: false };
  }
  if (isInit || waiting || state?.terminated) return undefined;
  return { pod: one, text: `container ${name} runs, but is not ready`, isInEvents: true };
}

function withMessage(reason: string, message: string | null | undefined): string {
  return message ? `${reason}: ${message}` : reason;
}

const time = z.nullish(z.string());
const event = z.object({
  metadata: z.object({ creationTimestamp: time }),
  type: z.nullish(z.string()),
  reason: z.nullish(z.string()),
  message: z.nullish(z.string()),
  eventTime: time,
  lastTimestamp: time,
});
const eventList = z.object({ items: z.array(event) });

interface DiagnosisInit {
  readonly api: KubernetesApi;
  readonly namespace: string;
  /** Takes out of a line of a log what could be a credential. */
  readonly redact: Redact;
}

interface Failed {
  readonly workload: Workload;
  readonly state: WorkloadState;
  /** What the new pods carry. */
  readonly marks: Marks;
}

// Pods of one template usually fail for one reason.
const MAX_PROBLEMS = 3;
// A page of pods must fit a reply of 1 MiB.
const PODS_PER_PAGE = '50';
const MAX_PAGES = 4;
const LOG_LINES = '20';
const LOG_BYTES = '16384';

/**
 * Why the new pods of a workload do not become ready, a line for each reason, in the cluster's own words. Never throws but for
 * a run that was cancelled: a right that is missing is a line as well.
 */
export class Diagnosis {
  readonly #api: KubernetesApi;
  readonly #namespace: string;
  readonly #redact: Redact;

  constructor({ api, namespace, redact }: DiagnosisInit) {
    this.#api = api;
    this.#namespace = namespace;
    this.#redact = redact;
  }

  /** Which of the lists that `of` reads are forbidden. */
  async missingRights(): Promise<readonly string[]> {
    const missing: string[] = [];
    for (const resource of ['pods', 'events']) {
      const path = ['api', 'v1', 'namespaces', this.#namespace, resource];
      try {
        await this.#api.send({ method: 'GET', path, query: { limit: '1' }, repeat: 'always' }, z.unknown());
      } catch (error) {
        if (!hasCode(error, 'forbidden')) throw error;
        missing.push(`list ${resource}`);
      }
    }
    return missing;
  }

  async of(failed: Failed): Promise<readonly string[]> {
    const { workload, state } = failed;
    const refused = replicaFailure(state);
    if (refused !== undefined) return [`no pod could be made: ${this.#safe(refused)}`];
    const found = await this.#tried('list pods', () => this.#problems(failed));
    if (!found.ok) return [found.why];
    if (found.value.length === 0) return this.#eventsOf(state.metadata.uid, `${workload.kind}/${workload.name}`);
    return Promise.all(found.value.slice(0, MAX_PROBLEMS).map((problem) => this.#line(problem)));
  }

  /** One for each different reason. */
  async #problems({ state, marks }: Failed): Promise<readonly PodProblem[]> {
    const path = ['api', 'v1', 'namespaces', this.#namespace, 'pods'];
    const query = { labelSelector: selectorText(state), limit: PODS_PER_PAGE };
    const items: Pod[] = [];
    let next: string | undefined;
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const from = next === undefined ? query : { ...query, continue: next };
      const list = await this.#api.send({ method: 'GET', path, query: from, repeat: 'always' }, podList);
      items.push(...list.items);
      next = list.metadata?.continue || undefined;
      if (next === undefined) break;
    }
    const problems = items.filter((one) => carries(one, marks)).map(problemOf);
    const first = new Map(
      problems.flatMap((problem) => (problem === undefined ? [] : [[problem.text, problem] as const])),
    );
    return [...first.values()];
  }

  async #line(problem: PodProblem): Promise<string> {
    const { name, uid } = problem.pod.metadata;
    const lines = [`pod ${this.#safe(name)}: ${this.#safe(problem.text)}`];
    if (problem.log !== undefined) lines.push(await this.#lastLine(name, problem.log));
    if (problem.isInEvents) lines.push(...(await this.#eventsOf(uid)));
    return lines.filter((line) => line !== '').join('; ');
  }

  async #lastLine(pod: string, { container, isPrevious }: NonNullable<PodProblem['log']>): Promise<string> {
    const path = ['api', 'v1', 'namespaces', this.#namespace, 'pods', pod, 'log'];
    const query = { container, tailLines: LOG_LINES, limitBytes: LOG_BYTES, ...(isPrevious && { previous: 'true' }) };
    const found = await this.#tried('get pods/log', () => this.#api.text({ path, query }));
    if (!found.ok) return found.why;
    // Redacted whole: a credential may go over several lines.
    const last = this.#redact(found.value)
      .split('\n')
      .findLast((line) => line.trim() !== '');
    return last === undefined ? 'its log is empty' : `the last line of its log: ${this.#safe(last)}`;
  }

  /** The latest warning about an object. */
  async #eventsOf(uid: string, subject?: string): Promise<readonly string[]> {
    const path = ['api', 'v1', 'namespaces', this.#namespace, 'events'];
    const query = { fieldSelector: `involvedObject.uid=${uid}` };
    const found = await this.#tried('list events', () =>
      this.#api.send({ method: 'GET', path, query, repeat: 'always' }, eventList),
    );
    if (!found.ok) return [found.why];
    const warnings = found.value.items.filter(({ type }) => type === 'Warning');
    const [event] = warnings.sort((a, b) => timeOf(b) - timeOf(a));
    if (event === undefined) return [];
    const text = this.#safe(`${event.reason ?? 'event'}: ${event.message ?? ''}`);
    return [subject === undefined ? text : `${subject}: ${text}`];
  }

  async #tried<T>(
    right: string,
    body: () => Promise<T>,
  ): Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string }> {
    try {
      return { ok: true, value: await body() };
    } catch (error) {
      if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
      const why =
        error.code === 'forbidden'
          ? `why is not known: the account lacks the right to ${right} in namespace ${this.#namespace}`
          : `why is not known: ${error.message}`;
      return { ok: false, why };
    }
  }

  /** The one way of a text from the cluster to a person: without secrets, on one line, inert and cut. */
  #safe(text: string): string {
    return foreignText(text, this.#redact);
  }
}

/** When an event was last seen. New ones have an eventTime, others a lastTimestamp. */
function timeOf({ metadata, eventTime, lastTimestamp }: z.infer<typeof event>): number {
  const ms = Date.parse(lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '');
  return Number.isNaN(ms) ? 0 : ms;
}
