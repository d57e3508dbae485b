import * as z from 'zod/mini';
import { CourierError, hasCode } from '../../../errors.ts';
import { foreignText } from '../../../http/service.ts';
import type { KubernetesApi } from '../../../kubernetes/api.ts';
import { readTime } from '../../../text/instants.ts';
import type { Redact } from '../../../text/redact.ts';
import {
  carries,
  conditions,
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
  /** Half a sentence; from the cluster, not yet safe to print. */
  readonly text: string;
  /**
   * What says more: the events of the pod, such as how its probe failed, or the log of a container,
   * now or of its last run.
   */
  readonly more?:
    | 'events'
    | { readonly container: string; readonly isPrevious: boolean }
    | undefined;
}

/** undefined: the pod is ready, or about to end. */
function problemOf({ status, metadata }: Pod): Problem | undefined {
  const has = (type: string, value: string) =>
    status?.conditions?.find((one) => one.type === type && one.status === value);
  if (has('Ready', 'True') !== undefined || typeof metadata.deletionTimestamp === 'string')
    return undefined;
  // Such as Evicted.
  if (status?.reason) return { text: withMessage(status.reason, status.message) };
  const unscheduled = has('PodScheduled', 'False');
  if (unscheduled !== undefined)
    return { text: withMessage('it is not scheduled on any node', unscheduled.message) };
  const init = status?.initContainerStatuses?.map((one) => containerProblem(one, true)) ?? [];
  const own = status?.containerStatuses?.map((one) => containerProblem(one, false)) ?? [];
  const found = [...init, ...own].find((problem) => problem !== undefined);
  return found ?? { text: `its phase is ${status?.phase ?? 'unknown'}`, more: 'events' };
}

function containerProblem(
  { name, state, lastState, ready }: Container,
  isInit: boolean,
): Problem | undefined {
  const subject = `${isInit ? 'init ' : ''}container ${name}`;
  const ended = state?.terminated ?? lastState?.terminated ?? undefined;
  if (ready === true) return undefined;
  if (ended !== undefined && ended.exitCode !== 0) {
    const reason = ended.reason && ended.reason !== 'Error' ? ` (${ended.reason})` : '';
    const text = withMessage(
      `${subject} ended with exit code ${ended.exitCode}${reason}`,
      ended.message,
    );
    return { text, more: { container: name, isPrevious: !state?.terminated } };
  }
  const waiting = state?.waiting;
  if (waiting?.reason === 'ContainerCreating')
    return { text: `${subject} is being created`, more: 'events' };
  // The normal state of a pod that is being set up.
  if (waiting?.reason && waiting.reason !== 'PodInitializing') {
    return { text: withMessage(`${subject} is waiting: ${waiting.reason}`, waiting.message) };
  }
  if (isInit && state?.running) {
    return { text: `${subject} is still running`, more: { container: name, isPrevious: false } };
  }
  if (isInit || waiting || state?.terminated) return undefined;
  return { text: `${subject} runs, but is not ready`, more: 'events' };
}

function withMessage(reason: string, message: string | null | undefined): string {
  return message ? `${reason}: ${message}` : reason;
}

interface DiagnosisInit {
  readonly api: KubernetesApi;
  readonly namespace: string;
  /** Takes out of a line of a log what could be a credential. */
  readonly redact: Redact;
}

interface Failed {
  readonly state: WorkloadState;
  /** What the new pods carry. */
  readonly marks: Marks;
}

// Pods of one template usually fail for one reason.
const MAX_PROBLEMS = 3;
const MAX_PODS = '200';
const LOG_LINES = '20';
const LOG_BYTES = '16384';

/**
 * Why the new pods of a workload do not become ready, a line for each reason, in the cluster's own
 * words. Never throws but for a run that was cancelled: a right that is missing is a line as well.
 */
export class Diagnosis {
  readonly #init: DiagnosisInit;

  constructor(init: DiagnosisInit) {
    this.#init = init;
  }

  /** Which of the lists that `of` reads are forbidden. */
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

  of(failed: Failed): Promise<readonly string[]> {
    const { state } = failed;
    // The controller cannot even make pods: a quota, an admission webhook.
    const refused = state.status?.conditions?.find(
      (one) => one.type === 'ReplicaFailure' && one.status === 'True',
    );
    if (refused?.message != null)
      return Promise.resolve([`no pod could be created: ${this.#safe(refused.message)}`]);
    return this.#tried('list pods', async () => {
      const pods = await this.#newPods(failed);
      // One for each different reason.
      const found = new Map<string, { one: Pod; problem: Problem }>();
      for (const one of pods) {
        const problem = problemOf(one);
        if (problem !== undefined) found.set(problem.text, { one, problem });
      }
      if (found.size > 0)
        return Promise.all(
          [...found.values()].slice(0, MAX_PROBLEMS).map((one) => this.#line(one)),
        );
      const events = await this.#lastWarning(state.metadata.uid);
      return events.map((line) => `${workloadName(state)}: ${line}`);
    });
  }

  async #newPods({ state, marks }: Failed): Promise<readonly Pod[]> {
    const query = { labelSelector: selectorText(state), limit: MAX_PODS };
    const { items } = await this.#list('pods', query, podList);
    return items.filter((one) => carries(one, marks));
  }

  async #line({ one, problem }: { readonly one: Pod; readonly problem: Problem }): Promise<string> {
    const { name, uid } = one.metadata;
    const { text, more } = problem;
    const details =
      more === 'events' ? await this.#lastWarning(uid) : await this.#lastLine(name, more);
    return [`pod ${this.#safe(name)}: ${this.#safe(text)}`, ...details].join('; ');
  }

  async #lastLine(
    pod: string,
    log: Exclude<Problem['more'], 'events'>,
  ): Promise<readonly string[]> {
    if (log === undefined) return [];
    const { api, redact } = this.#init;
    const previous = log.isPrevious && { previous: 'true' };
    const query = {
      container: log.container,
      tailLines: LOG_LINES,
      limitBytes: LOG_BYTES,
      ...previous,
    };
    return this.#tried('get pods/log', async () => {
      const headers = { accept: '*/*' };
      const request = {
        method: 'GET',
        path: this.#path('pods', pod, 'log'),
        query,
        headers,
      } as const;
      const text = (await api.send(request)).body.toString('utf8');
      // Redacted whole: a credential may go over several lines.
      const lines = redact(text).split('\n');
      const last = lines.findLast((line) => line.trim() !== '');
      return [
        last === undefined ? 'its log is empty' : `the last line of its log: ${this.#safe(last)}`,
      ];
    });
  }

  /** The latest warning about an object. */
  #lastWarning(uid: string): Promise<readonly string[]> {
    return this.#tried('list events', async () => {
      const { items } = await this.#list(
        'events',
        { fieldSelector: `involvedObject.uid=${uid}` },
        eventList,
      );
      const warnings = items
        .filter(({ type }) => type === 'Warning')
        .sort((a, b) => timeOf(b) - timeOf(a));
      return warnings
        .slice(0, 1)
        .map(({ reason, message }) => this.#safe(`${reason ?? 'event'}: ${message ?? ''}`));
    });
  }

  #list<T>(
    resource: string,
    query: Readonly<Record<string, string>>,
    schema: z.ZodMiniType<T>,
  ): Promise<T> {
    return this.#init.api.read({ method: 'GET', path: this.#path(resource), query }, schema);
  }

  #path(...parts: readonly string[]): readonly string[] {
    return ['api', 'v1', 'namespaces', this.#init.namespace, ...parts];
  }

  /**
   * The lines of `body`; if it needs a right that is missing, or fails otherwise, a line that says
   * so.
   */
  async #tried(right: string, body: () => Promise<readonly string[]>): Promise<readonly string[]> {
    try {
      return await body();
    } catch (error) {
      if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
      const lacks = `the account lacks the right to ${right} in namespace ${this.#init.namespace}`;
      return [`why is not known: ${error.code === 'forbidden' ? lacks : error.message}`];
    }
  }

  /**
   * The one way of a text from the cluster to a person: without secrets, on one line, inert and
   * cut.
   */
  #safe(text: string): string {
    return foreignText(text, this.#init.redact);
  }
}

/** When an event was last seen. New ones have an eventTime, others a lastTimestamp. */
function timeOf({ metadata, eventTime, lastTimestamp }: z.infer<typeof event>): number {
  return readTime(lastTimestamp ?? eventTime ?? metadata.creationTimestamp) ?? 0;
}
