import { formatDuration } from '../../ground/text/amounts.ts';
import { codeSpan, escapeMarkdown } from '../../ground/text/escape.ts';

export interface WorkloadFacts {
  /** Such as `deployment/docs`. */
  readonly workload: string;
  /** False: its pod template named this export already. */
  readonly isRestarted: boolean;
  readonly isComplete: boolean;
  /** How many pods have the new template, how many are ready, and how many there should be. */
  readonly updated: number;
  readonly ready: number;
  readonly wanted: number;
}

/** How far the restart of the pods that read the link has come. */
export interface RolloutFacts {
  readonly namespace: string;
  readonly workloads: readonly WorkloadFacts[];
  readonly elapsedMs: number;
  /** The rollout failed, and the pods run with this earlier export again. */
  readonly undoneTo?: string | undefined;
}

/** The rollout as one line in the list of facts of a summary. */
export function rolloutText({ workloads, elapsedMs, undoneTo }: RolloutFacts): string {
  const parts = workloads.map(({ workload, isRestarted, isComplete, updated, ready, wanted }) => {
    let state = 'not complete';
    if (isComplete) state = isRestarted ? 'complete' : 'nothing to restart';
    return `${codeSpan(workload)} ${state} (${updated} of ${wanted} updated, ${ready} ready)`;
  });
  const text = `${parts.join(', ')} in ${escapeMarkdown(formatDuration(elapsedMs))}`;
  if (undoneTo === undefined) return text;
  return `${text}; undone: back to export job ${codeSpan(undoneTo)}`;
}
