import type { KubernetesAddress } from '../stores/address.ts';

export const WORKLOAD_KINDS = ['deployment', 'statefulset', 'daemonset'] as const;

/** What runs pods that read the link when they start. */
export interface Workload {
  readonly kind: (typeof WORKLOAD_KINDS)[number];
  readonly name: string;
}

export interface RolloutInputs {
  /** At least one, no two the same; all in `namespace`. */
  readonly workloads: readonly Workload[];
  readonly namespace: string;
  /** The destinations of the link in this cluster, all in `namespace`. */
  readonly destinations: readonly KubernetesAddress[];
  readonly timeoutMs: number;
  readonly onFailure: 'fail' | 'undo';
}
