import type { Kubelet } from './kubelet.ts';

/** What happens to a pod after its creation; the states are those that a kubelet writes. */
export type PodFate =
  | { readonly kind: 'ready' }
  | { readonly kind: 'init'; readonly exitCode: number; readonly log: string }
  | {
      readonly kind: 'crash';
      readonly exitCode: number;
      readonly log: string;
      readonly reason?: string;
    }
  | { readonly kind: 'image'; readonly message: string }
  | { readonly kind: 'probe'; readonly message: string; readonly reason?: string }
  /** Its init container is still running. */
  | { readonly kind: 'fetching'; readonly log: string }
  | { readonly kind: 'unscheduled'; readonly message: string }
  /** The pod is never created: a quota, an admission webhook. */
  | { readonly kind: 'refused'; readonly message: string };

export interface PodObject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface PodReport {
  readonly status: unknown;
  /** A warning about the pod: its reason and message. */
  readonly event?: readonly [reason: string, message: string] | undefined;
}

/** What runs pods: a test's decision, or real processes. */
export interface PodRuntime {
  /** Called at each step for each pod. */
  report(pod: PodObject): Promise<PodReport>;
  /** The pod was removed. */
  end?(pod: PodObject): Promise<void>;
  /** Why a pod with these annotations cannot be created. */
  refusal?(annotations: Readonly<Record<string, string>>): string | undefined;
}

const time = '2026-01-01T00:00:00Z';
const image = 'registry.example.com/docs:1';

/** The status of a pod with an init container `fetch` and a container `serve`. */
export function statusOf(fate: PodFate): unknown {
  const done = {
    terminated: { exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time },
  };
  const running = { running: { startedAt: time } };
  const waiting = (reason: string, message?: string) => ({
    waiting: { reason, ...(message && { message }) },
  });
  const ended = (exitCode: number, reason = 'Error') => ({
    terminated: { exitCode, reason, startedAt: time, finishedAt: time },
  });
  const parts = (
    init: object,
    own: object,
    more: { isReady?: boolean; initLast?: object; ownLast?: object } = {},
  ) => ({
    phase: more.isReady ? 'Running' : 'Pending',
    conditions: [
      { type: 'PodScheduled', status: 'True' },
      { type: 'Ready', status: more.isReady ? 'True' : 'False' },
    ],
    initContainerStatuses: [container('fetch', init, more.initLast, false)],
    containerStatuses: [container('serve', own, more.ownLast, more.isReady === true)],
  });
  const initializing = waiting('PodInitializing');
  switch (fate.kind) {
    case 'ready':
      return parts(done, running, { isReady: true });
    case 'init':
      return parts(
        waiting('CrashLoopBackOff', 'back-off 10s restarting failed container'),
        initializing,
        {
          initLast: ended(fate.exitCode),
        },
      );
    case 'crash':
      return parts(done, waiting('CrashLoopBackOff', 'back-off 10s restarting failed container'), {
        ownLast: ended(fate.exitCode, fate.reason),
      });
    case 'image':
      return parts(waiting('ImagePullBackOff', fate.message), initializing);
    case 'fetching':
      return parts(running, initializing);
    case 'probe':
      return parts(done, running);
    case 'unscheduled':
      return {
        phase: 'Pending',
        conditions: [
          { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: fate.message },
        ],
      };
    case 'refused':
      throw new Error('a pod that was refused has no status');
  }
}

function container(name: string, state: object, lastState: object = {}, ready: boolean) {
  const imageID = 'sha256:0';
  return { name, image, imageID, ready, restartCount: 1, state, lastState };
}

/** Pods with a fate that a test decides. */
export function fatedPods(
  fateOf: (annotations: PodObject['annotations']) => PodFate,
  kubelet: Kubelet,
): PodRuntime {
  return {
    async report(pod) {
      const fate = fateOf(pod.annotations);
      if (fate.kind === 'init' || fate.kind === 'fetching') kubelet.setLog(pod, 'fetch', fate.log);
      if (fate.kind === 'crash') kubelet.setLog(pod, 'serve', fate.log);
      const event =
        fate.kind === 'probe' ? ([fate.reason ?? 'Unhealthy', fate.message] as const) : undefined;
      return { status: statusOf(fate), event };
    },
    refusal(annotations) {
      const fate = fateOf(annotations);
      return fate.kind === 'refused' ? fate.message : undefined;
    },
  };
}
