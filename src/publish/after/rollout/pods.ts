import * as z from 'zod/mini';

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
export const podList = z.object({
  metadata: z.nullish(z.object({ continue: text })),
  items: z.array(pod),
});
export type Pod = z.infer<typeof pod>;
type Container = z.infer<typeof container>;

/** What keeps a pod from being ready. */
export interface PodProblem {
  readonly pod: Pod;
  /** Half a sentence; from the cluster, not yet safe to print. */
  readonly text: string;
  /** Whose log may say more, and whether that of its last run is meant. */
  readonly log?: { readonly container: string; readonly isPrevious: boolean } | undefined;
  /** The events of the pod say more than its state, such as how its probe failed. */
  readonly isInEvents: boolean;
}

/** undefined: the pod is ready, or about to end. */
export function problemOf(one: Pod): PodProblem | undefined {
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
