import type { WorkloadObject } from './controller.ts';
import type { PodObject } from './pod-fate.ts';

/** A pod of a workload. */
export interface Owned extends PodObject {
  /** Of its template. */
  readonly hash: string;
  readonly isReady: boolean;
  /** Nothing has reported about it yet. */
  readonly isNew: boolean;
}

/** What a controller does in one step, and what its workload reports after it. */
export interface Plan {
  readonly make?: { readonly name: string; readonly hash: string } | undefined;
  readonly end: readonly Owned[];
  readonly status: (after: readonly Owned[]) => Readonly<Record<string, unknown>>;
}

let made = 0;

function nextName(prefix: string): string {
  made += 1;
  return `${prefix}-${made.toString(36).padStart(5, '0')}`;
}

/** At most one pod more than wanted, and none less: `maxSurge: 1`, `maxUnavailable: 0`. */
export function deploymentStep(
  { metadata, spec }: WorkloadObject,
  pods: readonly Owned[],
  hash: string,
): Plan {
  const wanted = spec.replicas ?? 1;
  const isOld = (pod: Owned) => pod.hash !== hash;
  const old = pods.filter(isOld);
  const own = pods.filter((pod) => !isOld(pod));
  const ready = pods.filter(({ isReady }) => isReady).length;
  const mayMake = spec.paused !== true && own.length < wanted && pods.length <= wanted;
  const spare = old.find(({ isReady }) => !isReady) ?? (ready > wanted ? old[0] : undefined);
  const extra = own.length > wanted ? own.slice(wanted) : [];
  return {
    make: mayMake ? { name: nextName(`${metadata.name}-${hash}`), hash } : undefined,
    end:
      spec.paused === true
        ? []
        : [...(wanted === 0 ? old : spare === undefined ? [] : [spare]), ...extra],
    status: (after) => ({
      replicas: after.length,
      updatedReplicas: after.filter((pod) => !isOld(pod)).length,
      readyReplicas: after.filter(({ isReady }) => isReady).length,
      availableReplicas: after.filter(({ isReady }) => isReady).length,
    }),
  };
}

/** In order, one after the other, from the highest number down to the partition. */
export function statefulSetStep(
  { metadata, spec, status }: WorkloadObject,
  pods: readonly Owned[],
  hash: string,
): Plan {
  const wanted = spec.replicas ?? 1;
  const { partition } = spec.updateStrategy?.rollingUpdate ?? {};
  const numbers = Array.from({ length: wanted }, (_, number) => number);
  const podOf = (number: number) => pods.find(({ name }) => name === `${metadata.name}-${number}`);
  const current = status?.currentRevision ?? `${metadata.name}-${hash}`;
  const missing = numbers.find((number) => podOf(number) === undefined);
  const allReady = pods.every(({ isReady }) => isReady);
  const isRolling = spec.updateStrategy?.type !== 'OnDelete' && missing === undefined && allReady;
  const next = isRolling
    ? numbers
        .filter((number) => number >= (partition ?? 0))
        .findLast((number) => podOf(number)?.hash !== hash)
    : undefined;
  const nextPod = next === undefined ? undefined : podOf(next);
  const isKept = missing !== undefined && missing < (partition ?? 0);
  const oldHash = current.slice(metadata.name.length + 1);
  return {
    make:
      missing !== undefined && allReady
        ? { name: `${metadata.name}-${missing}`, hash: isKept ? oldHash : hash }
        : undefined,
    end: nextPod === undefined ? [] : [nextPod],
    status: (after) => {
      const updated = after.filter((pod) => pod.hash === hash).length;
      const ready = after.filter(({ isReady }) => isReady).length;
      const isDone = updated === wanted && ready === wanted;
      const updateRevision = `${metadata.name}-${hash}`;
      return {
        replicas: after.length,
        readyReplicas: ready,
        availableReplicas: ready,
        updatedReplicas: updated,
        updateRevision,
        currentRevision: isDone ? updateRevision : current,
      };
    },
  };
}

const NODES = ['node-1', 'node-2'];

/** One pod per node, one node after the other. */
export function daemonSetStep(
  { metadata, spec }: WorkloadObject,
  pods: readonly Owned[],
  hash: string,
): Plan {
  const missing = NODES.find(
    (node) => !pods.some(({ name }) => name === `${metadata.name}-${node}`),
  );
  const isRolling =
    spec.updateStrategy?.type !== 'OnDelete' && pods.every(({ isReady }) => isReady);
  const old =
    isRolling && missing === undefined ? pods.find((pod) => pod.hash !== hash) : undefined;
  return {
    make: missing === undefined ? undefined : { name: `${metadata.name}-${missing}`, hash },
    end: old === undefined ? [] : [old],
    status: (after) => {
      const ready = after.filter(({ isReady }) => isReady).length;
      return {
        desiredNumberScheduled: NODES.length,
        currentNumberScheduled: after.length,
        numberMisscheduled: 0,
        updatedNumberScheduled: after.filter((pod) => pod.hash === hash).length,
        numberReady: ready,
        numberAvailable: ready,
      };
    },
  };
}
