import { AGENT_JOB_STATUSES, type AgentJob } from '../platform/contract.ts';
import { type FollowResult, follow, type JobView } from '../platform/follow.ts';
import { plainLine } from '../text/escape.ts';
import { formatDuration } from '../text/markdown.ts';
import type { Session } from './session.ts';

// The status before the message can still be shown for a while after it.
const STALE_MS = 30_000;
const QUIET_MS = 60_000;

/**
 * Follows the job to an end that comes after the message: only once it was active, or after 30 s, is an end one. `sent` is
 * the reply to the message; `onChange` is called when the job changes.
 */
export async function followAgent(
  { deps, inputs }: Session,
  sent: AgentJob,
  onChange: (job: AgentJob) => Promise<void>,
): Promise<FollowResult<AgentJob>> {
  const { clock, log, signal } = deps;
  const startMs = clock.monotonicMs();
  let active = sent.status === 'active';
  let logged = { status: '', atMs: Number.NEGATIVE_INFINITY };
  const changes: AgentJob[] = [];

  const view = (job: AgentJob): JobView => {
    if (job.status === 'active') active = true;
    const isKnown = AGENT_JOB_STATUSES.some((status) => status === job.status);
    const hasEnded = isKnown && job.status !== 'active' && (active || clock.monotonicMs() - startMs >= STALE_MS);
    return { status: job.status, phase: hasEnded ? 'done' : isKnown ? 'running' : 'unknown' };
  };
  const onPoll = (job: AgentJob): void => {
    const elapsedMs = clock.monotonicMs() - startMs;
    deps.record({ agentStatus: plainLine(job.status, 40), jobElapsedMs: Math.round(elapsedMs) });
    if (job.status === logged.status && elapsedMs - logged.atMs < QUIET_MS) return;
    if (job.status !== logged.status) changes.push(job);
    logged = { status: job.status, atMs: elapsedMs };
    log.info(`${plainLine(job.status, 40)}: ${formatDuration(elapsedMs)} elapsed`);
  };
  const poll = async (timeLimitMs: number) => {
    const change = changes.shift();
    if (change !== undefined) await onChange(change);
    return deps.platform.getAgentJob({ projectId: inputs.projectId, id: sent.id }, { timeLimitMs });
  };
  return log.group(`Following agent job ${sent.id}`, () =>
    follow({ poll, view, timeoutMs: inputs.timeoutMs, fresh: true, clock, log, signal, onPoll }),
  );
}
