import * as z from 'zod/mini';
import { CourierError, hasCode } from '../../../errors.ts';
import { foreignText } from '../../../http/service.ts';
import type { Workload } from '../../../inputs/read-rollout.ts';
import type { KubernetesApi } from '../../../kubernetes/api.ts';
import type { Redact } from '../../../text/redact.ts';
import { type Pod, type PodProblem, podList, problemOf } from './pods.ts';
import { replicaFailure, selectorText, type WorkloadState } from './workload.ts';

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
  readonly annotations: Readonly<Record<string, string>>;
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
  async #problems({ state, annotations }: Failed): Promise<readonly PodProblem[]> {
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
    const isNew = (of: Readonly<Record<string, string>> | null | undefined) =>
      Object.entries(annotations).every(([name, value]) => of?.[name] === value);
    const problems = items.filter(({ metadata }) => isNew(metadata.annotations)).map(problemOf);
    const first = new Map(
      problems.flatMap((problem) => (problem === undefined ? [] : [[problem.text, problem] as const])),
    );
    return [...first.values()];
  }

  async #line(problem: PodProblem): Promise<string> {
    const { name, uid } = problem.pod.metadata;
    const lines = [`pod ${name}: ${this.#safe(problem.text)}`];
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
    const text = `${event.reason ?? 'event'}: ${this.#safe(event.message ?? '')}`;
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

  #safe(text: string): string {
    return foreignText(text, this.#redact);
  }
}

/** When an event was last seen. New ones have an eventTime, others a lastTimestamp. */
function timeOf({ metadata, eventTime, lastTimestamp }: z.infer<typeof event>): number {
  const ms = Date.parse(lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '');
  return Number.isNaN(ms) ? 0 : ms;
}
