import type { AgentJob } from '../../platform/contract.ts';
import { AGENT_JOB_STATUSES } from '../../platform/contract.ts';
import { type FollowResult, follow, type JobView } from '../../platform/follow.ts';
import { plainLine } from '../../text/escape.ts';
import { formatDuration } from '../../text/markdown.ts';
import type { Session } from './session.ts';

// The status before the message can still be told for a while after it.
const STALE_MS = 30_000;
const QUIET_MS = 60_000;

export interface FollowAgent {
  readonly session: Session;
  readonly jobId: string;
  /** The reply to the message. */
  readonly sent: AgentJob;
  /** Called when the job changes. */
  readonly onChange: (job: AgentJob) => Promise<void>;
}

/** Follows the job to an end that comes after the message: only once it was active, or after 30 s, is an end one. */
export async function followAgent({ session, jobId, sent, onChange }: FollowAgent): Promise<FollowResult<AgentJob>> {
  const { deps, inputs } = session;
  const { clock, log, signal } = deps;
  const startMs = clock.monotonicMs();
  let active = sent.status === 'active';
  let told = { status: '', atMs: Number.NEGATIVE_INFINITY };
  const changes: AgentJob[] = [];

  const view = (job: AgentJob): JobView => {
    if (job.status === 'active') active = true;
    const isKnown = AGENT_JOB_STATUSES.some((status) => status === job.status);
    const isOver = isKnown && job.status !== 'active' && (active || clock.monotonicMs() - startMs >= STALE_MS);
    return { status: job.status, phase: isOver ? 'done' : isKnown ? 'running' : 'unknown' };
  };
  const onPoll = (job: AgentJob): void => {
    const elapsedMs = clock.monotonicMs() - startMs;
    deps.tell({ agentStatus: plainLine(job.status, 40), jobElapsedMs: Math.round(elapsedMs) });
    if (job.status === told.status && elapsedMs - told.atMs < QUIET_MS) return;
    if (job.status !== told.status) changes.push(job);
    told = { status: job.status, atMs: elapsedMs };
    log.info(`${plainLine(job.status, 40)}: ${formatDuration(elapsedMs)} elapsed`);
  };
  const poll = async (timeLimitMs: number) => {
    const change = changes.shift();
    if (change !== undefined) await onChange(change);
    return deps.platform.getAgentJob({ projectId: inputs.projectId, id: jobId }, { timeLimitMs });
  };
  return log.group(`Following agent job ${jobId}`, () =>
    follow({ poll, view, timeoutMs: inputs.timeoutMs, fresh: true, clock, log, signal, onPoll }),
  );
}
