import { CourierError, hasCode, hintText } from '../errors.ts';
import type { PullRequest } from '../forges/port.ts';
import type { AgentJob, AgentMessageReply } from '../platform/contract.ts';
import type { Prompt } from '../prompt/compose.ts';
import { plainLine } from '../text/escape.ts';
import { writeDuration } from '../text/markdown.ts';
import { allowedPull, checkSource, type FoundJob, madePull, type NewJob, unknownJob } from './find-job.ts';
import { followAgent } from './follow-agent.ts';
import { checkSameHead } from './head.ts';
import { type Compose, createJob, sendMessage } from './send.ts';
import { type Session, type Stop, tryTo } from './session.ts';
import type { StatusComment } from './status-comment.ts';
import type { AgentChanges, StatusJob, StatusPhase } from './status-view.ts';
import type { AgentFacts } from './summary.ts';

type Stage = 'claiming' | 'creating' | 'sending' | 'sent';

/** Claims the command, sends the message, follows the job. The status comment is final however it ends. */
export class Delivery {
  readonly #session: Session;
  readonly #status: StatusComment;
  readonly #pull: PullRequest;
  #stage: Stage = 'claiming';

  constructor(session: Session, status: StatusComment, pull: PullRequest) {
    this.#session = session;
    this.#status = status;
    this.#pull = pull;
  }

  /** `compose` makes the prompt again within a limit; for a new job it makes the message that follows the instruction. */
  async run(job: FoundJob | NewJob, prompt: Prompt, compose: Compose): Promise<AgentFacts | Stop> {
    try {
      const stop = await this.#status.claim(job.kind === 'job' ? job.id : undefined, job.madeThis);
      if (stop !== undefined) return stop;
      const moved = await checkSameHead(this.#session, this.#pull);
      if (moved !== undefined) {
        await this.#status.show({ kind: 'refused', reason: moved.reason });
        return moved;
      }
      return await (job.kind === 'job' ? this.#send(job, prompt, compose) : this.#create(prompt, compose));
    } catch (error) {
      await this.#showFailure(error);
      throw error;
    }
  }

  async #send(job: FoundJob, prompt: Prompt, compose: Compose): Promise<AgentFacts> {
    this.#stage = 'sending';
    const reply = await this.#sendTo(job, prompt, compose);
    this.#stage = 'sent';
    const { deps, inputs } = this.#session;
    deps.record({ triggered: true, agentJobId: job.id });
    const sent = jobAfter(reply, job);
    if (sent === undefined) {
      await this.#status.show({ kind: 'detached' });
      return {
        status: 'detached',
        reason: `The platform does not show the job after the message; the job is ${job.id}.`,
      };
    }
    deps.record(jobFacts(sent));
    const foreign = checkSource(this.#session, sent);
    if (foreign !== undefined && sent.status !== 'archived') throw wrongSource(foreign);
    if (!inputs.wait || job.before === undefined) {
      const why = inputs.wait
        ? 'The platform does not show the job, so it cannot be followed'
        : 'The agent has received the instruction';
      return this.#leave(sent, `${why}; the job is ${job.id}.`);
    }
    return this.#follow(sent);
  }

  async #sendTo(job: FoundJob, prompt: Prompt, compose: Compose): Promise<AgentMessageReply> {
    try {
      return await sendMessage(this.#session, job.id, prompt, compose);
    } catch (error) {
      if (!hasCode(error, 'not-found')) throw error;
      throw error.with({
        message: `${unknownJob(this.#session, job)} ${error.message}`,
        hint: 'Correct the id that is wrong. Nothing was sent to the agent.',
      });
    }
  }

  /** The instruction makes the job; what is known about the pull request follows once the job may be bound. */
  async #create({ instruction }: Prompt, compose: Compose): Promise<AgentFacts> {
    const { deps, inputs } = this.#session;
    this.#stage = 'creating';
    await this.#status.show({ kind: 'creating' });
    const made = await createJob(this.#session, instruction);
    this.#stage = 'sent';
    deps.record({ triggered: true, agentJobId: made.id, jobOrigin: 'created', ...jobFacts(made) });
    const foreign = checkSource(this.#session, made);
    if (foreign !== undefined) throw notBound(foreign, made.id);
    this.#status.bind(made.id);
    deps.log.notice(`Agent job ${made.id} was made and is bound to this pull request.`);
    await this.#status.show({ kind: 'sent' }, { job: statusJob(made) });
    await tryTo(deps, `Sending what is known about the pull request to agent job ${made.id}`, () =>
      sendMessage(this.#session, made.id, compose(inputs.contextLimitBytes), compose),
    );
    if (!inputs.wait) return this.#leave(made, `The agent has received the instruction; the new job is ${made.id}.`);
    return this.#follow(made);
  }

  async #leave(job: AgentJob, reason: string): Promise<AgentFacts> {
    await this.#status.show({ kind: 'detached' }, { job: statusJob(job) });
    return { status: 'detached', reason };
  }

  async #follow(sent: AgentJob): Promise<AgentFacts> {
    await this.#status.show({ kind: 'sent' }, { job: statusJob(sent) });
    const end = await followAgent(this.#session, sent, async (now) => {
      if (now.status === 'active') await this.#status.show({ kind: 'working' }, { job: statusJob(now) });
    });
    return end.kind === 'timed-out'
      ? this.#stopFollowing(end.job ?? sent, end.elapsedMs)
      : this.#conclude(end.job, end.elapsedMs);
  }

  async #conclude(job: AgentJob, elapsedMs: number): Promise<AgentFacts> {
    const { deps, pullNumber } = this.#session;
    deps.record(jobFacts(job));
    const facts = { job: statusJob(job), elapsedMs };
    if (job.status === 'completed') {
      const pullRequestUrl = allowedPull(this.#session, job);
      const otherLink = pullRequestUrl === undefined ? job.prLink : undefined;
      const changes = await this.#readChanges(job);
      if (madePull(this.#session, job)?.number === pullNumber) this.#status.keepMade();
      await this.#status.show({ kind: 'completed', pullRequestUrl, otherLink, changes }, facts);
      await this.#status.react('rocket');
      return { status: 'completed', pullRequestUrl, otherLink, changes };
    }
    const phase: StatusPhase = job.status === 'archived' ? { kind: 'archived' } : { kind: 'failed' };
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
    const { forge, deps } = this.#session;
    return tryTo(deps, "Reading the agent's pull request", async () => {
      const { title, changedFiles } = await forge.pullRequest(made.number);
      const files = changedFiles === 0 ? [] : await forge.files(made.number);
      return { title, files: files.slice(0, 50), fileCount: changedFiles };
    });
  }

  async #stopFollowing(job: AgentJob, elapsedMs: number): Promise<AgentFacts> {
    const { inputs } = this.#session;
    const facts = { job: statusJob(job), elapsedMs };
    if (inputs.onTimeout === 'detach') {
      await this.#status.show({ kind: 'detached' }, facts);
      return { status: 'detached', reason: `The agent is still running; the job is ${job.id}.` };
    }
    await this.#status.show({ kind: 'timed-out' }, facts);
    throw new CourierError({
      code: 'timed-out',
      message: `Agent job ${job.id} did not finish within ${writeDuration(inputs.timeoutMs)}. It is still running.`,
      hint: { text: 'Give it more time, or do not wait for it:', inputs: { timeout: '1h', 'on-timeout': 'detach' } },
    });
  }

  async #showFailure(error: unknown): Promise<void> {
    const known = error instanceof CourierError ? error : undefined;
    // Shown where it was thrown.
    if (known?.code === 'job-failed' || known?.code === 'timed-out') return;
    await this.#status.end(this.#phaseOf(known));
    if (this.#stage !== 'claiming' && known?.code !== 'cancelled') await this.#status.react('confused');
  }

  #phaseOf(known: CourierError | undefined): StatusPhase {
    const sent = this.#stage === 'sent';
    // Only the call that sends can be unclear: what fails before it was not sent, what fails after it was.
    if (known === undefined || known.mayHaveStarted) {
      if (this.#stage === 'sending') return { kind: 'unclear' };
      if (this.#stage === 'creating') return { kind: 'maybe-created' };
    }
    if (known?.code === 'cancelled') return { kind: 'cancelled', sent };
    const { message: reason, hint } = known ?? {
      message: 'The run failed with an internal error; see its log.',
      hint: undefined,
    };
    return { kind: 'error', reason, hint: hint && hintText(hint), sent };
  }
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
    message: `${reason} The message was sent before the platform showed that.`,
    hint: 'Correct agent-job-id, or name the repository in agent-repositories.',
  });
}

function notBound({ reason }: Stop, jobId: string): CourierError {
  return new CourierError({
    code: 'refused',
    message: `${reason} The new job ${jobId} is not bound to this pull request, and no second one is made for it.`,
    hint: 'Check which repository the project works on. If that repository is meant, name it in agent-repositories and write the command with --job ID.',
  });
}

function jobFacts({ status, source, model }: AgentJob): Partial<AgentFacts> {
  return {
    agentStatus: plainLine(status, 40),
    jobRepository: plainLine(source.repository, 300),
    ...(model && { model: plainLine(model, 100) }),
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
