import { CourierError, hasCode } from '../errors.ts';
import type { PullRequest } from '../github/pull-request.ts';
import { AGENT_JOB_STATUSES, type AgentJob, type AgentMessageReply } from '../platform/contract.ts';
import { type FollowResult, follow, type JobView } from '../platform/follow.ts';
import type { Prompt } from '../prompt/compose.ts';
import { formatDuration, writeDuration } from '../text/amounts.ts';
import { plainLine } from '../text/escape.ts';
import type { Claim } from './claim.ts';
import { answerFailure, failurePhase } from './failure-answer.ts';
import {
  allowedPull,
  checkSource,
  type FoundJob,
  madePull,
  type NewJob,
  unknownAgentJob,
} from './find-job.ts';
import { type Session, Stop, tryTo } from './session.ts';
import type { StatusComment } from './status-comment.ts';
import { type AgentChanges, NO_PULL_REQUEST, type StatusPhase } from './status-view.ts';
import type { AgentFacts } from './summary.ts';
import { pushedSince } from './trust.ts';

type Stage = 'claiming' | 'creating' | 'sending' | 'sent';

/** Claims the command, sends the message, follows the job. */
export class MessageDelivery {
  readonly #session: Session;
  readonly #claim: Claim;
  readonly #status: StatusComment;
  readonly #pull: PullRequest;
  #stage: Stage = 'claiming';

  constructor(session: Session, claim: Claim, pull: PullRequest) {
    this.#session = session;
    this.#claim = claim;
    this.#status = claim.status;
    this.#pull = pull;
  }

  async run({ job, prompt, compose }: Message): Promise<AgentFacts> {
    await this.#claim.take(job.kind === 'job' ? job.id : undefined, job.madeThis);
    await this.#checkSameHead();
    return job.kind === 'job' ? this.#send(job, prompt, compose) : this.#create(prompt, compose);
  }

  /** Makes the status comment final: it shows why `run` failed. */
  async showFailure(error: unknown): Promise<void> {
    if (error instanceof Stop) return this.#status.showRefusal(error);
    // Shown where it was thrown.
    if (hasCode(error, 'job-failed', 'timed-out')) return;
    const phase = this.#phaseOf(error);
    await this.#claim.end(phase);
    if (!this.#status.isShown) await answerFailure(this.#session, phase);
    else if (phase.kind !== 'cancelled') await this.#status.react('confused');
  }

  /** Ends the run when the pull request was pushed to since it was read. */
  async #checkSameHead(): Promise<void> {
    const { head } = await this.#session.repo.pullRequest(this.#pull.number);
    if (head.sha === this.#pull.head.sha) return;
    throw pushedSince();
  }

  async #send(job: FoundJob, prompt: Prompt, compose: Compose): Promise<AgentFacts> {
    this.#stage = 'sending';
    this.#session.deps.record({ stage: 'sending' });
    const reply = await sendMessage(this.#session, job.id, prompt, compose).catch(
      (error: unknown) => {
        if (!hasCode(error, 'not-found')) throw error;
        throw error.with({
          message: `${unknownAgentJob(this.#session, job)} ${error.message}`,
          hint: 'Correct the id that is wrong. Nothing was sent to the agent.',
        });
      },
    );
    this.#stage = 'sent';
    const { deps } = this.#session;
    deps.record({ triggered: true, agentJobId: job.id, stage: 'sent' });
    const sent = jobAfter(reply, job);
    if (sent !== undefined) {
      deps.record(jobFacts(sent));
      const foreign = checkSource(this.#session, sent);
      if (foreign !== undefined && sent.status !== 'archived') {
        throw new CourierError({
          code: 'refused',
          message: `${foreign.message} The message was sent before the platform showed that.`,
          hint: 'Correct agent-job-id, or name the repository in agent-repositories.',
        });
      }
      if (job.before !== undefined) return this.#follow(sent, job.before);
    }
    await this.#status.show({ kind: 'detached' }, sent && { job: sent });
    return {
      status: 'detached',
      reason: `The platform does not show the job, so it cannot be followed; the job is ${job.id}.`,
    };
  }

  /**
   * The instruction makes the job; what is known about the pull request follows once the job may be
   * bound.
   */
  async #create({ instruction }: Prompt, compose: Compose): Promise<AgentFacts> {
    const { deps } = this.#session;
    this.#stage = 'creating';
    await this.#status.show({ kind: 'creating' });
    deps.record({ stage: 'sending' });
    const made = await createJob(this.#session, instruction);
    this.#stage = 'sent';
    deps.record({
      triggered: true,
      agentJobId: made.id,
      jobOrigin: 'created',
      stage: 'sent',
      ...jobFacts(made),
    });
    const foreign = checkSource(this.#session, made);
    if (foreign !== undefined) {
      throw new CourierError({
        code: 'refused',
        message: `${foreign.message} The new job ${made.id} is not linked to this pull request, and no other is created for it.`,
        hint: 'Check which repository the project works on. If that repository is meant, name it in agent-repositories and write the command with --job ID.',
      });
    }
    this.#status.keep({ job: made.id });
    deps.log.notice(`Agent job ${made.id} was created and is linked to this pull request.`);
    await this.#status.show({ kind: 'sent' }, { job: made });
    await tryTo(deps, `Sending what is known about the pull request to agent job ${made.id}`, () =>
      sendMessage(this.#session, made.id, compose(), compose),
    );
    return this.#follow(made, undefined);
  }

  async #follow(sent: AgentJob, before: AgentJob | undefined): Promise<AgentFacts> {
    if (this.#session.inputs.timeoutMs > 0)
      await this.#status.show({ kind: 'sent' }, { job: sent });
    const end = await followAgent(this.#session, { sent, before }, async (now) => {
      if (now.status === 'active') await this.#status.show({ kind: 'working' }, { job: now });
    });
    return end.kind === 'timed-out'
      ? this.#stopFollowing(end.job ?? sent, end.elapsedMs)
      : this.#conclude(end.job, end.elapsedMs);
  }

  async #conclude(job: AgentJob, elapsedMs: number): Promise<AgentFacts> {
    const { deps, pullNumber } = this.#session;
    deps.record({ stage: 'ended', ...jobFacts(job) });
    const facts = { job, elapsedMs };
    if (job.status === 'completed') {
      const pullRequestUrl = allowedPull(this.#session, job);
      const otherLink = pullRequestUrl === undefined ? job.prLink : undefined;
      const changes = await this.#readChanges(job);
      if (madePull(this.#session, job) === pullNumber) this.#status.keep({ made: true });
      await this.#status.show({ kind: 'completed', pullRequestUrl, otherLink, changes }, facts);
      await this.#status.react('rocket');
      const reason = job.prLink ? undefined : NO_PULL_REQUEST;
      return { status: 'completed', reason, pullRequestUrl, otherLink, changes };
    }
    const phase: StatusPhase =
      job.status === 'archived' ? { kind: 'archived' } : { kind: 'failed' };
    await this.#status.show(phase, facts);
    await this.#status.react('confused');
    const how = job.status === 'archived' ? 'was archived before it completed' : 'failed';
    throw new CourierError({
      code: 'job-failed',
      message: `Agent job ${job.id} ${how}.`,
      hint: 'Open the job on the dashboard of the platform.',
    });
  }

  /** What the agent's pull request changes; the token reads no other repository. */
  async #readChanges(job: AgentJob): Promise<AgentChanges | undefined> {
    const made = madePull(this.#session, job);
    if (made === undefined) return undefined;
    const { repo, deps } = this.#session;
    return tryTo(deps, "Reading the agent's pull request", async () => {
      const { title, changedFiles } = await repo.pullRequest(made);
      const files = changedFiles === 0 ? [] : await repo.files(made);
      return { title, files: files.slice(0, 50), fileCount: changedFiles };
    });
  }

  async #stopFollowing(job: AgentJob, elapsedMs: number): Promise<AgentFacts> {
    const { inputs } = this.#session;
    const facts = { job, elapsedMs };
    if (inputs.onTimeout === 'detach') {
      await this.#status.show({ kind: 'detached' }, facts);
      return { status: 'detached', reason: `The agent keeps running; the job is ${job.id}.` };
    }
    await this.#status.show({ kind: 'timed-out' }, facts);
    throw new CourierError({
      code: 'timed-out',
      message: `Agent job ${job.id} did not finish within ${writeDuration(inputs.timeoutMs)}. It may still be running.`,
      hint: {
        text: 'Give it more time, or do not wait for it:',
        inputs: { timeout: '1h', 'on-timeout': 'detach' },
      },
    });
  }

  #phaseOf(error: unknown): StatusPhase {
    // Only the call that sends can be unclear: what fails before it was not sent, what fails after
    // it was.
    if (!(error instanceof CourierError) || error.mayHaveStarted) {
      if (this.#stage === 'sending') return { kind: 'unclear' };
      if (this.#stage === 'creating') return { kind: 'maybe-created' };
    }
    return failurePhase(error, this.#stage === 'sent');
  }
}

/**
 * The job as the reply shows it, else as it was before the message; undefined if neither names the
 * repository.
 */
function jobAfter(reply: AgentMessageReply, { id, before }: FoundJob): AgentJob | undefined {
  const repository = reply.source?.repository ?? before?.source.repository;
  if (repository === undefined) return undefined;
  // A message makes a job active.
  const {
    status = 'active',
    model = before?.model,
    createdAt = before?.createdAt,
    prLink,
    archivedAt,
  } = reply;
  const source = { repository, ref: reply.source?.ref ?? before?.source.ref };
  return { id, status, source, model, prLink, createdAt, archivedAt };
}

function jobFacts({ status, source, model }: AgentJob): Partial<AgentFacts> {
  return {
    agentStatus: plainLine(status, 40),
    jobRepository: plainLine(source.repository, 300),
    ...(model && { model: plainLine(model, 100) }),
  };
}

/** Makes a prompt again, of at most so many bytes, for a platform that accepts less. */
type Compose = (limitBytes?: number) => Prompt;

/** What is sent, and to which job. */
export interface Message {
  readonly job: FoundJob | NewJob;
  readonly prompt: Prompt;
  /** For a new job it makes the message that follows the instruction. */
  readonly compose: Compose;
}

/**
 * Sends the message, once. A prompt that the platform refuses for its size or shape is halved and
 * sent a second time.
 */
async function sendMessage(
  session: Session,
  jobId: string,
  prompt: Prompt,
  compose: Compose,
): Promise<AgentMessageReply> {
  const { deps, inputs } = session;
  const post = async ({ text }: Prompt) => {
    return (await deps.platform.sendAgentMessage({ projectId: inputs.projectId, id: jobId }, text))
      .value;
  };
  try {
    return await post(prompt);
  } catch (error) {
    // 400 and 413 say that the message was not taken, so a second one cannot be a repetition.
    if (!wasTooLarge(error)) throw advise(error);
    const half = compose(prompt.halfBytes);
    // If the instruction is most of it, nothing is left to remove.
    if (half.bytes >= prompt.bytes) throw notAccepted(error, inputs);
    deps.log.info(`${error.message} Trying once more with half of the context.`);
    try {
      return await post(half);
    } catch (second) {
      throw wasTooLarge(second)
        ? notAccepted(second, inputs, ', nor a second one with half of its context')
        : advise(second);
    }
  }
}

function wasTooLarge(error: unknown): error is CourierError {
  return error instanceof CourierError && (error.httpStatus === 400 || error.httpStatus === 413);
}

function notAccepted(error: CourierError, { context }: Session['inputs'], more = ''): CourierError {
  const smaller = context.filter((part) => part !== 'diff');
  const hint =
    context.length === 0
      ? 'Write a shorter instruction, and compare project-id with the API keys page of the dashboard.'
      : {
          text: 'Send less of the pull request:',
          inputs: {
            context: smaller.length < context.length ? smaller.join(',') || 'none' : 'none',
          },
        };
  return error.with({
    code: 'config',
    message: `The platform did not accept the message${more}. ${error.message}`,
    hint,
  });
}

/**
 * Makes a new job, once, with the instruction alone: which repository it works on is known only
 * from the reply.
 */
async function createJob({ deps, inputs }: Session, instruction: string): Promise<AgentJob> {
  try {
    const { value } = await deps.platform.createAgentJob(inputs.projectId, instruction);
    return value;
  } catch (error) {
    if (!(error instanceof CourierError) || !error.mayHaveStarted) throw advise(error);
    throw error.with({
      message: `${error.message} A new agent job may have been created; no other is created for this pull request.`,
      hint: 'Open the dashboard of the platform. If the job is there, write the command again with --job ID; if it is not, create one there.',
    });
  }
}

function advise(error: unknown): unknown {
  if (hasCode(error, 'rate-limited')) {
    const when =
      error.retryAfterMs === undefined
        ? 'within the hour'
        : `in ${formatDuration(error.retryAfterMs)}`;
    return error.with({
      message: `The platform accepts no more messages for this project at the moment. ${error.message}`,
      hint: `Write the command again ${when}. The platform accepts 100 messages per project and hour.`,
    });
  }
  if (!(error instanceof CourierError) || !error.mayHaveStarted) return error;
  return error.with({
    message: `${error.message} The instruction may have been sent, and the agent may have started; it is not sent again.`,
    hint: 'Open the agent job on the dashboard of the platform. If the instruction is not there, write the command in a new comment.',
  });
}

// After a message, parts of the platform can still show the job as it was before it: for so long,
// by our assumption.
const STALE_MS = 30_000;
const QUIET_MS = 60_000;

/** A job that was sent a message. */
interface Instructed {
  readonly sent: AgentJob;
  /** As it was shown before the message; undefined for a job that the message made. */
  readonly before: AgentJob | undefined;
}

/** True for a job in a known state other than `active`. */
function hasEnded({ status }: AgentJob): boolean {
  return status !== 'active' && AGENT_JOB_STATUSES.some((known) => known === status);
}

/**
 * True for an end that cannot be the one before the message: the job had ended with another status
 * or another pull request. No field of a job says when it changed, and that it was `active` in
 * between shows nothing: the next reply can be an older one.
 */
function isOtherEnd(job: AgentJob, before: AgentJob | undefined): boolean {
  if (before === undefined || !hasEnded(before)) return false;
  return job.status !== before.status || (job.prLink ?? '') !== (before.prLink ?? '');
}

/** Follows the job to an end that comes after the message. */
async function followAgent(
  { deps, inputs }: Session,
  { sent, before }: Instructed,
  onChange: (job: AgentJob) => Promise<void>,
): Promise<FollowResult<AgentJob>> {
  const { clock, log, signal } = deps;
  const startMs = clock.monotonicMs();
  let logged = { status: '', atMs: Number.NEGATIVE_INFINITY };
  const changes: AgentJob[] = [];

  const view = (job: AgentJob): JobView => {
    const canBeStale = clock.monotonicMs() - startMs < STALE_MS;
    if (hasEnded(job) && (isOtherEnd(job, before) || !canBeStale))
      return { status: job.status, phase: 'done' };
    const isKnown = job.status === 'active' || hasEnded(job);
    return { status: job.status, phase: isKnown ? 'running' : 'unknown' };
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
