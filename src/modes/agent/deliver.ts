import { CourierError, hintText } from '../../errors.ts';
import type { PullRequest } from '../../forge/github/pull-request.ts';
import type { AgentJob, AgentMessageReply } from '../../platform/contract.ts';
import type { Prompt } from '../../prompt/compose.ts';
import { plainLine } from '../../text/escape.ts';
import { allowedPull, checkSource, type FoundJob, madePull } from './find-job.ts';
import { followAgent } from './follow-agent.ts';
import { checkHead, sendMessage } from './send.ts';
import type { Session, Stop } from './session.ts';
import type { Board } from './status-comment.ts';
import type { StatusJob, StatusPhase } from './status-view.ts';
import type { AgentFacts } from './summary.ts';

export interface Delivery {
  readonly session: Session;
  readonly board: Board;
  readonly pull: PullRequest;
  readonly job: FoundJob;
  readonly prompt: Prompt;
  readonly compose: (limitBytes: number) => Prompt;
}

type Stage = 'claiming' | 'sending' | 'sent';

/** Claims the command, sends the message, follows the job. The status comment is final however it ends. */
export async function deliver(delivery: Delivery): Promise<AgentFacts | Stop> {
  const { session, board, job, pull } = delivery;
  let stage: Stage = 'claiming';
  try {
    const taken = await board.claim(job);
    if (taken !== undefined) return taken;
    await board.react('eyes');
    const moved = await checkHead(session, pull);
    if (moved !== undefined) {
      await board.show({ kind: 'refused', reason: moved.reason });
      return moved;
    }
    stage = 'sending';
    const sent = await sendMessage({ ...delivery, jobId: job.id });
    stage = 'sent';
    return await afterSending(delivery, sent);
  } catch (error) {
    await showFailure(board, error, stage);
    throw error;
  }
}

async function showFailure(board: Board, error: unknown, stage: Stage): Promise<void> {
  const known = error instanceof CourierError ? error : undefined;
  // Shown where it was thrown.
  if (known?.code === 'job-failed' || known?.code === 'timed-out') return;
  const sent = stage === 'sent';
  // Only the message itself can be unclear: what fails before it was not sent, what fails after it was.
  const unclear = stage === 'sending' && (known === undefined || known.mayHaveStarted);
  if (known?.code === 'cancelled') return board.end(unclear ? { kind: 'unclear' } : { kind: 'cancelled', sent });
  const { message: reason, hint } = known ?? {
    message: 'The run met a fault of its own; see its log.',
    hint: undefined,
  };
  await board.end(unclear ? { kind: 'unclear' } : { kind: 'error', reason, hint: hint && hintText(hint), sent });
  if (stage !== 'claiming') await board.react('confused');
}

async function afterSending({ session, board, job }: Delivery, reply: AgentMessageReply): Promise<AgentFacts> {
  const { inputs, deps } = session;
  deps.tell({ triggered: true, agentJobId: job.id });
  const sent = jobAfter(reply, job);
  if (sent === undefined) {
    await board.show({ kind: 'detached' });
    return { status: 'detached', reason: `The platform did not show the job after the message; the job is ${job.id}.` };
  }
  deps.tell(jobFacts(sent));
  const foreign = checkSource(session, sent);
  if (foreign !== undefined && sent.status !== 'archived') throw wrongSource(foreign);
  if (!inputs.wait || job.before === undefined) {
    await board.show({ kind: 'detached' }, { job: statusJob(sent) });
    const why = inputs.wait
      ? 'The platform does not show the job, so it cannot be followed'
      : 'The agent has the instruction';
    return { status: 'detached', reason: `${why}; the job is ${job.id}.` };
  }
  await board.show({ kind: 'sent' }, { job: statusJob(sent) });
  const end = await followAgent({
    session,
    jobId: job.id,
    sent,
    onChange: (now) =>
      now.status === 'active' ? board.show({ kind: 'working' }, { job: statusJob(now) }) : Promise.resolve(),
  });
  if (end.kind === 'timed-out') return detach(session, board, { job: end.job ?? sent, elapsedMs: end.elapsedMs });
  return conclude(session, board, end);
}

interface End {
  readonly job: AgentJob;
  readonly elapsedMs: number;
}

async function conclude(session: Session, board: Board, { job, elapsedMs }: End): Promise<AgentFacts> {
  const { deps } = session;
  deps.tell(jobFacts(job));
  const facts = { job: statusJob(job), elapsedMs };
  if (job.status === 'completed') {
    const pullRequestUrl = allowedPull(session, job);
    const otherLink = pullRequestUrl === undefined ? job.prLink : undefined;
    if (madePull(session, job)?.number === session.pullNumber) board.keepMade();
    await board.show({ kind: 'completed', pullRequestUrl, otherLink }, facts);
    await board.react('rocket');
    return { status: 'completed', pullRequestUrl, otherLink };
  }
  const phase: StatusPhase = job.status === 'archived' ? { kind: 'archived' } : { kind: 'failed' };
  await board.show(phase, facts);
  await board.react('confused');
  const how = job.status === 'archived' ? 'was archived before it was done' : 'failed';
  throw new CourierError({
    code: 'job-failed',
    message: `Agent job ${job.id} ${how}.`,
    hint: 'Look at the job on the dashboard of the platform.',
  });
}

async function detach({ inputs }: Session, board: Board, { job, elapsedMs }: End): Promise<AgentFacts> {
  const facts = { job: statusJob(job), elapsedMs };
  if (inputs.onTimeout === 'detach') {
    await board.show({ kind: 'detached' }, facts);
    return { status: 'detached', reason: `The agent works on; the job is ${job.id}.` };
  }
  await board.show({ kind: 'timed-out' }, facts);
  throw new CourierError({
    code: 'timed-out',
    message: `Agent job ${job.id} was not done after ${inputs.timeoutMs / 1000} s. The agent works on.`,
    hint: { text: 'Give it more time, or do not wait for it:', inputs: { timeout: '1h', 'on-timeout': 'detach' } },
  });
}

/**
 * The job as the reply shows it; what the reply leaves out is as it was before the message. undefined where neither names
 * the repository: the message was accepted, and nothing more is known.
 */
function jobAfter(reply: AgentMessageReply, { id, before }: FoundJob): AgentJob | undefined {
  const repository = reply.source?.repository ?? before?.source.repository;
  if (repository === undefined) return undefined;
  return {
    id,
    // A message makes a job active.
    status: reply.status ?? 'active',
    source: { repository, ref: reply.source?.ref ?? before?.source.ref },
    model: reply.model ?? before?.model,
    prLink: reply.prLink,
    createdAt: reply.createdAt ?? before?.createdAt,
    archivedAt: reply.archivedAt,
  };
}

function wrongSource({ reason }: Stop): CourierError {
  return new CourierError({
    code: 'refused',
    message: `${reason} The message was sent before the platform told so.`,
    hint: 'Correct agent-job-id, or name the repository in agent-repositories.',
  });
}

function jobFacts(job: AgentJob): Partial<AgentFacts> {
  return {
    agentStatus: plainLine(job.status, 40),
    jobRepository: plainLine(job.source.repository, 300),
    model: job.model === undefined ? undefined : plainLine(job.model, 100),
  };
}

export function statusJob(job: AgentJob): StatusJob {
  return {
    id: job.id,
    status: job.status,
    repository: job.source.repository,
    ref: job.source.ref,
    model: job.model,
    createdAt: job.createdAt,
    archivedAt: job.archivedAt,
  };
}
