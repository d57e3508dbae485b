import type { PullRequest } from '../github/pull-request.ts';
import { amended, CourierError, configError, courierError, hasCode } from '../ground/errors.ts';
import { formatDuration, writeDuration } from '../ground/text/amounts.ts';
import { plainLine } from '../ground/text/escape.ts';
import type { AgentJob, AgentMessageReply } from '../platform/contract.ts';
import { follow, type JobView } from '../platform/follow.ts';
import type { Prompt } from '../prompt/compose.ts';
import type { Claim } from './claim.ts';
import { answerFailure, failurePhase } from './failure-answer.ts';
import {
  allowedPullUrl,
  type FoundJob,
  hasEnded,
  jobRefusal,
  madePullNumber,
  unknownAgentJob,
} from './find-job.ts';
import { type Session, Stop, tryTo } from './session.ts';
import { COMMENT_AGAIN, type StatusComment } from './status-comment.ts';
import { type AgentChanges, NO_PULL_REQUEST, type StatusPhase } from './status-view.ts';
import type { AgentFacts } from './summary.ts';
import { pushedSince } from './trust.ts';

/** How far the delivery has come. If it fails, the comment says what that means for the message. */
type Stage = 'claiming' | 'creating' | 'sending' | 'sent';

/** Claims the command, sends the message, follows the job. */
export class MessageDelivery {
  readonly #session: Session;
  readonly #claim: Claim;
  readonly #status: StatusComment;
  readonly #pull: PullRequest;
  readonly #message: Message;
  #stage: Stage = 'claiming';
  /** The status that the log has last, and when it was written there. */
  #loggedStatus = '';
  #loggedAtMs = 0;

  constructor(session: Session, claim: Claim, pull: PullRequest, message: Message) {
    this.#session = session;
    this.#claim = claim;
    this.#status = claim.status;
    this.#pull = pull;
    this.#message = message;
  }

  async run(): Promise<AgentFacts> {
    const job = this.#message.job;
    await this.#claim.claimCommand(job);
    // A commit may have been pushed while the prompt was made and the command claimed: then the
    // prompt is about another head.
    const pullNow = await this.#session.repo.pullRequest(this.#pull.number);
    if (pullNow.head.sha !== this.#pull.head.sha) throw pushedSince();
    if (job === undefined) return this.#create();
    return this.#send(job);
  }

  /** Makes the status comment final: it shows why `run` failed. */
  async showFailure(error: unknown): Promise<void> {
    if (error instanceof Stop) return this.#status.showRefusal(error);
    // `#fail` and `#stopFollowing` have written the comment before they threw these.
    if (hasCode(error, 'job-failed', 'timed-out')) return;
    const phase = this.#phaseOfFailure(error);
    await this.#claim.showEnd(phase);
    // Without a comment of this run, `answerFailure` writes an answer, and reacts itself.
    if (!this.#status.isShown) {
      await answerFailure(this.#session, phase);
      return;
    }
    // The person who cancels needs no 😕.
    if (phase.kind !== 'cancelled') await this.#status.react('confused');
  }

  /** Sends the message to the job that was found, and follows the job if the platform shows it. */
  async #send(job: FoundJob): Promise<AgentFacts> {
    const session = this.#session;
    this.#stage = 'sending';
    session.deps.record({ stage: 'sending' });
    const { prompt, compose } = this.#message;
    const sent = sendMessage(session, job.id, prompt, compose);
    // The error for an unknown job says where the id of the job was read.
    const reply = await amended(['not-found'], sent, (error) => ({
      message: `${unknownAgentJob(session, job)} ${error.message}`,
      hint: 'Correct the id that is wrong. Nothing was sent to the agent.',
    }));
    this.#stage = 'sent';
    session.deps.record({ triggered: true, agentJobId: job.id, stage: 'sent' });
    const jobNow = jobAfter(reply, job);
    if (jobNow !== undefined) {
      session.deps.record(jobFacts(jobNow));
      // If the platform does not show jobs, this reply is the first to name the job's repository.
      const refusal = jobRefusal(session, jobNow);
      // A job that was archived in the meantime ends like any other: `#follow` reports it.
      if (refusal !== undefined && jobNow.status !== 'archived') {
        throw configError(
          `${refusal.message} The message was sent before the platform showed that.`,
          'Correct agent-job-id, or name the repository in agent-repositories.',
        );
      }
      const { jobBeforeMessage } = job;
      // Undefined if the platform does not show jobs: then there is nothing to poll.
      if (jobBeforeMessage !== undefined) return this.#follow(jobNow, jobBeforeMessage);
    }
    // If the reply shows no job, the comment keeps the facts that it has.
    await this.#status.show({ kind: 'detached' }, jobNow && { job: jobNow });
    return {
      status: 'detached',
      reason: `The platform does not show the job, so it cannot be followed; the job is ${job.id}.`,
    };
  }

  /**
   * Creates the job with the instruction. What is known about the pull request follows in a second
   * message, once the reply has shown that the job works on an allowed repository.
   */
  async #create(): Promise<AgentFacts> {
    const session = this.#session;
    const { deps } = session;
    this.#stage = 'creating';
    await this.#status.show({ kind: 'creating' });
    deps.record({ stage: 'sending' });
    const newJob = await createJob(session, this.#message.prompt.instruction);
    this.#stage = 'sent';
    deps.record({ triggered: true, agentJobId: newJob.id, jobOrigin: 'created', stage: 'sent' });
    deps.record(jobFacts(newJob));
    const refusal = jobRefusal(session, newJob);
    if (refusal !== undefined) {
      throw configError(
        `${refusal.message} The new job ${newJob.id} is not linked to this pull request, and no other is created for it.`,
        'Check which repository the project works on. If that repository is meant, name it in agent-repositories and write the command with --job ID, or start a run by dispatch with agent-job-id.',
      );
    }
    // The record links the job: later commands on this pull request go to it.
    this.#status.addToRecord({ job: newJob.id });
    deps.log.notice(`Agent job ${newJob.id} was created and is linked to this pull request.`);
    await this.#status.show({ kind: 'sent' }, { job: newJob });
    // The agent works without the second message too, so its failure is only a warning, and the
    // comment and the report say what the agent did not get.
    const compose = this.#message.compose;
    const purpose = `Sending what is known about the pull request to agent job ${newJob.id}`;
    const reply = await tryTo(deps, purpose, () =>
      sendMessage(session, newJob.id, compose(), compose),
    );
    if (reply === undefined) {
      const withheld = ['All that is known about the pull request: sending it failed.'];
      deps.record({ withheld });
      this.#status.addToView({ withheld });
    }
    return this.#follow(newJob, undefined);
  }

  /**
   * Follows the job to an end that comes after the message. `before`: the job as it was shown
   * before the message; undefined for a job that the message created.
   */
  async #follow(sent: AgentJob, before: AgentJob | undefined): Promise<AgentFacts> {
    const { deps, inputs } = this.#session;
    const { timeoutMs } = inputs;
    // With 0 the job is not followed, and the comment says that in a moment.
    if (timeoutMs > 0) await this.#status.show({ kind: 'sent' }, { job: sent });
    const startMs = deps.clock.monotonicMs();
    const elapsedMs = () => deps.clock.monotonicMs() - startMs;
    const address = { projectId: inputs.projectId, id: sent.id };
    const poll = async (timeLimitMs: number) => {
      const reply = await deps.platform.getAgentJob(address, { timeLimitMs });
      await this.#showPoll(reply.value, elapsedMs());
      return reply;
    };
    // Shortly after the message, a reply can still show the end of the job's earlier work.
    const view = (job: AgentJob) => {
      const canBeStale = elapsedMs() < STALE_MS;
      return viewOf(job, before, canBeStale);
    };
    // `fresh`: the message has just made the job active, so the first poll waits.
    const end = await deps.log.group(`Following agent job ${sent.id}`, () =>
      follow({ ...deps, poll, view, timeoutMs, fresh: true }),
    );
    // If no poll was answered, the job is known from the reply to the message.
    if (end.kind === 'timed-out') return this.#stopFollowing(end.job ?? sent, end.elapsedMs);
    deps.record({ stage: 'ended', ...jobFacts(end.job) });
    if (end.job.status === 'completed') return this.#complete(end.job, end.elapsedMs);
    return this.#fail(end.job, end.elapsedMs);
  }

  /** Logs what a poll shows, and shows on the page that the agent has begun to work. */
  async #showPoll(job: AgentJob, elapsedMs: number): Promise<void> {
    const { deps } = this.#session;
    const agentStatus = plainLine(job.status, 40);
    deps.record({ agentStatus, jobElapsedMs: Math.round(elapsedMs) });
    const isNewStatus = job.status !== this.#loggedStatus;
    if (!isNewStatus && elapsedMs - this.#loggedAtMs < QUIET_MS) return;
    this.#loggedStatus = job.status;
    this.#loggedAtMs = elapsedMs;
    deps.log.info(`${agentStatus}: ${formatDuration(elapsedMs)} elapsed`);
    if (isNewStatus && job.status === 'active')
      await this.#status.show({ kind: 'working' }, { job });
  }

  /** Shows what the agent made. */
  async #complete(job: AgentJob, elapsedMs: number): Promise<AgentFacts> {
    const pullRequestUrl = allowedPullUrl(this.#session, job);
    // Any other address is shown as code, and is not an output.
    const otherLink = pullRequestUrl === undefined ? job.prLink : undefined;
    // undefined: the agent made none, or one of another repository, which the token cannot read.
    const madeNumber = madePullNumber(this.#session, job);
    const changes = madeNumber === undefined ? undefined : await this.#readChanges(madeNumber);
    // Later commands here need to know that this pull request is the agent's own: the comment that
    // is shown next records it.
    if (madeNumber === this.#session.pullNumber) this.#status.addToRecord({ made: true });
    const result = { pullRequestUrl, otherLink, changes };
    await this.#status.show({ kind: 'completed', ...result }, { job, elapsedMs });
    await this.#status.react('rocket');
    return { status: 'completed', reason: job.prLink ? undefined : NO_PULL_REQUEST, ...result };
  }

  /** Shows that the job ended without completing its work, and ends the run as failed. */
  async #fail(job: AgentJob, elapsedMs: number): Promise<never> {
    const kind = job.status === 'archived' ? 'archived' : 'failed';
    await this.#status.show({ kind }, { job, elapsedMs });
    await this.#status.react('confused');
    const how = kind === 'archived' ? 'was archived before it completed' : 'failed';
    throw courierError(
      'job-failed',
      `Agent job ${job.id} ${how}.`,
      'Open the job on the dashboard of the platform.',
    );
  }

  /** What the agent's pull request changes, for the comment and the report. */
  #readChanges(number: number): Promise<AgentChanges | undefined> {
    const { repo, deps } = this.#session;
    return tryTo(deps, "Reading the agent's pull request", async () => {
      const pull = await repo.pullRequest(number);
      const files = pull.changedFiles === 0 ? [] : await repo.files(number);
      const reported = files.slice(0, MOST_REPORTED_FILES);
      return { title: pull.title, files: reported, fileCount: pull.changedFiles };
    });
  }

  /** Ends after `timeout`, while the agent works: by `on-timeout`, a success or an error. */
  async #stopFollowing(job: AgentJob, elapsedMs: number): Promise<AgentFacts> {
    const { inputs } = this.#session;
    if (inputs.onTimeout === 'detach') {
      await this.#status.show({ kind: 'detached' }, { job, elapsedMs });
      return { status: 'detached', reason: `The agent keeps running; the job is ${job.id}.` };
    }
    await this.#status.show({ kind: 'timed-out' }, { job, elapsedMs });
    throw courierError(
      'timed-out',
      `Agent job ${job.id} did not finish within ${writeDuration(inputs.timeoutMs)}. It may still be running.`,
      {
        text: 'Give it more time, or do not wait for it:',
        inputs: { timeout: writeDuration(2 * inputs.timeoutMs), 'on-timeout': 'detach' },
      },
    );
  }

  /** The phase that the comment ends with if `run` fails. */
  #phaseOfFailure(error: unknown): StatusPhase {
    // During a request to the platform, a bug or an error that says so leaves open whether the
    // message was sent. Before the request it was certainly not sent, and after it it was.
    if (!(error instanceof CourierError) || error.mayHaveActed) {
      if (this.#stage === 'sending') return { kind: 'unclear' };
      if (this.#stage === 'creating') return { kind: 'maybe-created' };
    }
    return failurePhase(error, this.#stage === 'sent');
  }
}

/** The report is an output too, and has little room. */
const MOST_REPORTED_FILES = 50;

/**
 * The job as the reply to the message shows it, completed by what was known before. undefined if
 * neither names the job's repository.
 */
function jobAfter(reply: AgentMessageReply, job: FoundJob): AgentJob | undefined {
  const before = job.jobBeforeMessage;
  const repository = reply.source?.repository ?? before?.source.repository;
  if (repository === undefined) return undefined;
  return {
    id: job.id,
    // A message makes a job active.
    status: reply.status ?? 'active',
    source: { repository, ref: reply.source?.ref ?? before?.source.ref },
    model: reply.model ?? before?.model,
    // An earlier pull request or archiving says nothing about a job that is active again.
    prLink: reply.prLink,
    createdAt: reply.createdAt ?? before?.createdAt,
    archivedAt: reply.archivedAt,
  };
}

/** What the report says about a job. */
function jobFacts(job: AgentJob): Partial<AgentFacts> {
  const facts = {
    agentStatus: plainLine(job.status, 40),
    jobRepository: plainLine(job.source.repository, 300),
  };
  // A reply without a model must not overwrite the model that the report has.
  if (job.model) return { ...facts, model: plainLine(job.model, 100) };
  return facts;
}

/** Composes a prompt again, with at most `limitBytes`, for a platform that accepts fewer bytes. */
type Compose = (limitBytes?: number) => Prompt;

/** What is sent, and to which job. */
export interface Message {
  /** undefined: the message creates a new job. */
  readonly job: FoundJob | undefined;
  readonly prompt: Prompt;
  /** Composes the prompt again; for a new job, the message that follows the instruction. */
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
  try {
    return await post(session, jobId, prompt);
  } catch (error) {
    // 400 and 413 say that the message was not taken, so a second one cannot be a repetition.
    if (!wasTooLarge(error)) throw advise(error);
    const half = compose(prompt.halfBytes);
    // If the prompt is little more than the instruction, no context is left to remove.
    if (half.bytes >= prompt.bytes) throw notAccepted(error, 'the message', inputs.context);
    deps.log.info(`${error.message} Trying once more with half of the context.`);
    try {
      return await post(session, jobId, half);
    } catch (secondError) {
      if (!wasTooLarge(secondError)) throw advise(secondError);
      const both = 'the message, nor a second one with half of its context';
      throw notAccepted(secondError, both, inputs.context);
    }
  }
}

async function post(session: Session, id: string, prompt: Prompt): Promise<AgentMessageReply> {
  const projectId = session.inputs.projectId;
  const reply = await session.deps.platform.sendAgentMessage({ projectId, id }, prompt.text);
  return reply.value;
}

/** True if the platform did not take the message because of its size or shape. */
function wasTooLarge(error: unknown): error is CourierError {
  return error instanceof CourierError && (error.httpStatus === 400 || error.httpStatus === 413);
}

/**
 * The error for a message of a size that was not taken: it advises to give the input `context`
 * fewer parts, the diff first.
 */
function notAccepted(error: CourierError, what: string, context: readonly string[]): CourierError {
  const message = `The platform did not accept ${what}. ${error.message}`;
  if (context.length === 0) {
    // The instruction is all that was sent; or project-id is wrong, which is a 400 too.
    const hint =
      'Write a shorter instruction, and compare project-id with the API keys page of the dashboard.';
    return error.with({ code: 'config', message, hint });
  }
  // The diff is the largest part: without it, only `none` makes the message much smaller.
  const withoutDiff = context.includes('diff') && context.filter((part) => part !== 'diff');
  const fewer = (withoutDiff || []).join(',') || 'none';
  const hint = { text: 'Send less of the pull request:', inputs: { context: fewer } };
  return error.with({ code: 'config', message, hint });
}

/**
 * Makes a new job, once, with the instruction alone: which repository it works on is known only
 * from the reply.
 */
async function createJob(session: Session, instruction: string): Promise<AgentJob> {
  const { deps, inputs } = session;
  try {
    return (await deps.platform.createAgentJob(inputs.projectId, instruction)).value;
  } catch (error) {
    // The job was certainly not created, or this is a bug: `advise` has the words for both.
    if (!(error instanceof CourierError) || !error.mayHaveActed) throw advise(error);
    throw error.with({
      message: `${error.message} A new agent job may have been created; no other is created for this pull request.`,
      hint: 'Open the dashboard of the platform. If the job is there, write the command again with --job ID, or start a run by dispatch with agent-job-id; if it is not, create one there.',
    });
  }
}

/** Adds to a failed request what the person who commands can do. Other errors stay as they are. */
function advise(error: unknown): unknown {
  if (hasCode(error, 'rate-limited')) {
    const waitMs = error.retryAfterMs;
    const when = waitMs === undefined ? 'within the hour' : `in ${formatDuration(waitMs)}`;
    return error.with({
      message: `The platform accepts no more messages for this project at the moment. ${error.message}`,
      hint: `Write the command again ${when}; without a command, re-run the workflow then. The platform accepts 100 messages per project and hour.`,
    });
  }
  if (!(error instanceof CourierError) || !error.mayHaveActed) return error;
  return error.with({
    message: `${error.message} The instruction may have been sent, and the agent may have started; it is not sent again.`,
    hint: `Open the agent job on the dashboard of the platform. If the instruction is not there: ${COMMENT_AGAIN}`,
  });
}

// For this long after a message, by our assumption, the platform can still show the job as it was
// before the message.
const STALE_MS = 30_000;
/** The log repeats an unchanged status at this interval. */
const QUIET_MS = 60_000;

/**
 * True if the end that `job` shows cannot be the one before the message: the job had ended with
 * another status or another pull request. Nothing else distinguishes the two: no field says when a
 * job changed, and an `active` in between can be followed by an older reply.
 */
function isOtherEnd(job: AgentJob, before: AgentJob | undefined): boolean {
  if (before === undefined || !hasEnded(before.status)) return false;
  return job.status !== before.status || (job.prLink ?? '') !== (before.prLink ?? '');
}

/**
 * The phase of the job for `follow`, which continues for an unknown status. While replies can be
 * stale, an end that may be the one before the message counts as running.
 */
function viewOf(job: AgentJob, before: AgentJob | undefined, canBeStale: boolean): JobView {
  const status = job.status;
  const isOver = hasEnded(status);
  if (isOver && (!canBeStale || isOtherEnd(job, before))) return { status, phase: 'done' };
  return { status, phase: isOver || status === 'active' ? 'running' : 'unknown' };
}
