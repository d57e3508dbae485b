import { adviceOf } from '../comment/pull-comments.ts';
import type { Comment } from '../github/pull-request.ts';
import type { CommentPlace } from '../github/repository.ts';
import { type CourierError, configError, courierError, hasCode } from '../ground/errors.ts';
import type { FoundJob } from './find-job.ts';
import { isUnfinished } from './leftovers.ts';
import {
  commandId,
  isClaim,
  isRival,
  type OwnRecords,
  placeOf,
  type Recorded,
  type RecordScope,
  readRecords,
  type StatusRecord,
} from './record.ts';
import {
  refuse,
  repositoryEvenIfCancelled,
  type Session,
  type Stop,
  skip,
  tryTo,
} from './session.ts';
import {
  COMMENT_AGAIN,
  commentLost,
  endComment,
  phaseOfKilledRun,
  StatusComment,
} from './status-comment.ts';
import type { StatusPhase } from './status-view.ts';

/** The command that the hint of a pull request is recorded under: there is one for all comments. */
const HINT = 'hint';

/**
 * Decides whether this run may send a command, and keeps it from being sent twice. A claim is the
 * record, signed and invisible in a status comment, that a run sends or has sent a command.
 */
export class Claim {
  readonly status: StatusComment;
  /** What our comments said when the run began. */
  readonly records: OwnRecords;
  readonly #session: Session;
  readonly #scope: RecordScope;
  /** The comment that claims the command was asked for; the reply may have been lost. */
  #isClaiming = false;
  /** A failure to react ends the run: that nothing was sent follows from a missing reaction. */
  #needsReaction = false;

  private constructor(session: Session, scope: RecordScope, listed: readonly Comment[]) {
    this.#session = session;
    this.#scope = scope;
    this.records = readRecords(listed, scope);
    this.status = new StatusComment(session, scope);
    this.status.answers = this.records.answers;
  }

  static async open(session: Session, listed: readonly Comment[]): Promise<Claim> {
    const command = session.command.kind === 'near' ? HINT : commandId(session);
    const place = placeOf(session, session.pullNumber);
    return new Claim(session, { place, command, author: await session.repo.whoWeAre() }, listed);
  }

  /**
   * The reason not to send the command: an earlier run or attempt has sent it, or may have.
   * undefined: none has.
   */
  async reasonNotToSend(): Promise<Stop | undefined> {
    const earlierClaim = this.records.ofCommand.find((recorded) => isClaim(recorded.record));
    if (earlierClaim !== undefined) return this.#stopForClaim(earlierClaim);
    if (this.records.invalidCommands.includes(this.#scope.command)) {
      return skip(
        `A status comment records this command with an invalid signature, so the instruction may have been sent. The admin key was changed since then, or the comment was edited. It is not sent again. ${COMMENT_AGAIN}`,
      );
    }
    return this.#checkEarlierAttempts();
  }

  /**
   * Claims the command; without a job, also the creation of the only new job for the pull request.
   * Throws if another run has claimed either, and if nothing can record the claim.
   */
  async claimCommand(job: FoundJob | undefined): Promise<void> {
    if (job === undefined) this.status.addToRecord({ creates: true });
    // `made` is absent instead of false: later commands ask only whether it is true.
    else this.status.addToRecord({ job: job.id, made: job.madeThisPull || undefined });
    // A message comes after at least one of these two, and no single person can remove both: who
    // may write can delete the comment, but only the account that reacted can take its 👀 back.
    const unwritable = await this.#claimByComment(job);
    // A reaction says nothing about a job: the next command would create another one.
    if (job === undefined && unwritable !== undefined) throw notRecorded(unwritable);
    await this.#claimByReaction(unwritable);
    // Nothing shows that the command was sent before, so an answer of this run from here on can
    // record that it still was not.
    this.status.isAccepted = true;
  }

  /**
   * Shows the final phase in the comment of this run. If the reply to its creation was lost, the
   * comment is first looked up by its nonce. A run that has no comment writes nothing.
   */
  async showEnd(phase: StatusPhase): Promise<void> {
    if (!this.status.isShown && this.#isClaiming) {
      await tryTo(this.#session.deps, 'Finding the status comment', async () => {
        const repo = await repositoryEvenIfCancelled(this.#session);
        const listed = await repo.comments(this.#session.pullNumber);
        const listedRecords = readRecords(listed, this.#scope).all;
        const ours = listedRecords.find((recorded) => recorded.record.nonce === this.status.nonce);
        if (ours !== undefined) this.status.adopt(ours.comment);
      });
    }
    if (this.status.isShown) await this.status.show(phase);
  }

  /** Reacts with 😕, and writes a hint once per pull request. */
  async writeHint(command: string, seen: string): Promise<void> {
    const { inputs, deps } = this.#session;
    await this.status.react('confused');
    if (!inputs.statusComment || inputs.dryRun) return;
    // The pull request has its hint already.
    if (this.records.ofCommand.length > 0 || this.records.invalidCommands.includes(HINT)) return;
    // A claim (one that is done), so that of two runs at the same moment only one leaves its hint.
    await tryTo(deps, 'Writing the hint', () =>
      this.#writeClaim(this.status.record('done'), { kind: 'hint', command, seen }),
    );
  }

  /**
   * Creates the comment that claims the command and, if it creates one, the new job. Of all claims
   * to these, the oldest counts: gives it if it is another run's, and undefined if it is this
   * run's. Throws `forbidden` if the token may not comment.
   */
  async #writeClaim(claim: StatusRecord, phase: StatusPhase): Promise<Recorded | undefined> {
    const { repo, pullNumber } = this.#session;
    // If its reply is lost, the list that is read next shows whether the comment exists.
    await this.status.create(claim, phase);
    const recordsNow = readRecords(await repo.comments(pullNumber), this.#scope);
    // Another run may have answered since the first list was read.
    this.status.answers = recordsNow.answers;
    const claims = recordsNow.all.filter((recorded) => isRival(recorded.record, claim));
    // More than one if a request whose reply was lost was repeated.
    const ours = claims.filter((recorded) => recorded.record.nonce === claim.nonce);
    // Records are listed in the order of their comments.
    const oldest = claims[0];
    // If our new comment is not listed yet, other claims may be missing too: the list does not show
    // that no other run was earlier.
    if (oldest === undefined || ours.length === 0) throw commentLost();
    for (const ourClaim of ours)
      if (ourClaim !== oldest) await repo.removeComment(ourClaim.comment.id);
    // The comment that was created may be one of the removed ones.
    this.status.forgetComment();
    if (!ours.includes(oldest)) return oldest;
    this.status.adopt(oldest.comment);
    return undefined;
  }

  /**
   * Throws if another run was first. Gives why the comment cannot record the claim: the input
   * `status-comment` is false, or the token may not comment. undefined: the comment is written.
   */
  async #claimByComment(job: FoundJob | undefined): Promise<CourierError | undefined> {
    const { inputs, deps, repo, trigger } = this.#session;
    if (!inputs.statusComment) {
      // Shown only if no reaction records the claim either.
      let whyNoReaction = 'a merge or a label has no other record';
      if (trigger.kind === 'comment') whyNoReaction = 'this kind of comment cannot have reactions';
      if (job === undefined) whyNoReaction = 'a new agent job has no other record';
      return configError(`status-comment is false, and ${whyNoReaction}.`, {
        text: 'Use the default:',
        inputs: { 'status-comment': 'true' },
      });
    }
    this.#isClaiming = true;
    try {
      const earlier = await this.#writeClaim(this.status.record('sending'), { kind: 'sending' });
      if (earlier !== undefined) throw this.#lostTo(earlier);
    } catch (error) {
      // Once the comment is there, `forbidden` is about the list: there may be a rival in it.
      if (this.status.isShown || !hasCode(error, 'forbidden')) throw error;
      this.#isClaiming = false;
      deps.log.warning(`The status comment cannot be written. ${adviceOf(error)}`);
      return error;
    }
    // An answer says that the command was not sent, which is no longer true.
    for (const answer of this.status.answers)
      await tryTo(deps, 'Removing an older answer', () => repo.removeComment(answer.id));
    return undefined;
  }

  /**
   * The Stop for a run whose claim is later than another run's: for the same command or, if that is
   * another command, for the one new job.
   */
  #lostTo(earlier: Recorded): Stop {
    const commentUrl = earlier.comment.url;
    this.#session.deps.record({ commentUrl });
    if (earlier.record.command === this.#scope.command) return alreadyDone(earlier);
    return refuse(
      `Another command on this pull request creates a new agent job, and only one is created. Write the command again when that job is known: ${commentUrl}`,
    );
  }

  /**
   * Sets 👀 on the command, before the message. Throws if the command already has our reaction and
   * nothing shows that it was not sent, and if neither a comment nor a reaction records the claim.
   * `unwritable`: why no comment does.
   */
  async #claimByReaction(unwritable: CourierError | undefined): Promise<void> {
    const { trigger, inputs, subject } = this.#session;
    const reaction = await this.#reactToCommand(unwritable === undefined);
    // A reaction from before says that the command was sent, unless a record explains it.
    const isExplained = this.#wasProvablyNotSent() || this.#isOfOtherLabel();
    if (reaction === 'known' && !isExplained) {
      const stop = alreadyReacted();
      if (this.status.isShown) await this.status.show({ kind: 'withheld', reason: stop.message });
      throw stop;
    }
    // One of the two is enough: the comment, or else a reaction.
    if (unwritable === undefined) return;
    if (reaction === 'new' || reaction === 'known') return;
    // Only a later attempt of the same run could send such a prompt again, and each attempt checks
    // the earlier ones. So a workflow may switch comments off; one that wants them gets the error.
    const belongsToRun = trigger.kind === 'prompt' && subject === undefined;
    if (belongsToRun && !inputs.statusComment) return;
    throw notRecorded(unwritable);
  }

  /**
   * Reacts to the command. `new`: this run set the reaction; `known`: it was there before; `none`:
   * there is nothing to react to; undefined: the token may not react, and the comment is enough.
   * Any other failure ends the run before the message. `isRecorded`: a comment records the claim.
   */
  async #reactToCommand(isRecorded: boolean) {
    const { repo, deps, subject } = this.#session;
    const target = this.#reactionTarget(isRecorded);
    if (target === undefined) return 'none';
    // The reaction to a label must not look like one to the merge that follows it.
    const content = subject?.startsWith('merge:') === true ? 'rocket' : 'eyes';
    try {
      // Asked only by the run whose comment claims the command. Without comments, two runs could
      // both see no reaction: then the reply `new`, which one of them gets, decides.
      const hadNoReaction = this.#isClaiming && (await repo.hasReacted(target, content)) === false;
      // Without a reaction, no earlier run has sent the command: if reacting fails now, the answer
      // may record that it was not sent.
      this.status.isAccepted = hadNoReaction;
      const reaction = await repo.react(target, content);
      // No other run reacts while ours has the claim. So a reaction that is known now, and was not
      // there before, is ours: the reply to our first request was lost.
      if (hadNoReaction && reaction === 'known') return 'new';
      return reaction;
    } catch (error) {
      // For a pull request, GitHub may say "not found" to a token that may not react.
      const isHidden = target.place === 'pull' && hasCode(error, 'not-found');
      if (!hasCode(error, 'forbidden') && !isHidden) throw error;
      if (!isRecorded || this.#needsReaction) throw notRecorded(error);
      deps.log.warning(`The command gets no reaction. ${adviceOf(error)}`);
      return undefined;
    }
  }

  /**
   * The comment with the command; for a template, the pull request that it is about. undefined: for
   * an instruction that belongs to this run alone there is nothing to react to.
   */
  #reactionTarget(isRecorded: boolean): CommentPlace | undefined {
    const { trigger, subject, pullNumber } = this.#session;
    if (trigger.kind === 'comment') return trigger;
    // A reaction alone records no template: one to an earlier label looks the same.
    if (subject === undefined || !isRecorded) return undefined;
    return { place: 'pull', id: pullNumber, pull: { number: pullNumber } };
  }

  /**
   * True if a record shows that the pull request was labelled for an earlier head (the head is in
   * the id of the command): the reaction is from that command.
   */
  #isOfOtherLabel(): boolean {
    const command = this.#scope.command;
    if (!command.startsWith('label:')) return false;
    return this.records.all.some((recorded) => {
      const otherCommand = recorded.record.command;
      const isOtherLabel = otherCommand !== command && otherCommand.startsWith('label:');
      return isOtherLabel && isClaim(recorded.record);
    });
  }

  /**
   * True if an answer to this command names a job or its creation: such an answer is written only
   * for a command that was accepted and then certainly not sent.
   */
  #wasProvablyNotSent(): boolean {
    return this.records.ofCommand.some(({ record }) => {
      const namesJob = record.job !== undefined || record.creates === true;
      return !isClaim(record) && namesJob;
    });
  }

  /**
   * The Stop for a command that has a claim. If the claim is by an attempt of this run that was
   * killed, its comment is made final first: otherwise it would say "sending" for ever. Throws
   * `job-failed` if an attempt of this run failed: a re-run must not make that green.
   */
  async #stopForClaim(claim: Recorded): Promise<Stop> {
    const session = this.#session;
    const { deps, inputs } = session;
    const record = claim.record;
    const run = deps.github.run;
    deps.record({ commentUrl: claim.comment.url, agentJobId: record.job });
    const isOfEarlierAttempt = record.run === run.runId && record.attempt < run.runAttempt;
    if (isUnfinished(claim) && isOfEarlierAttempt && inputs.statusComment && !inputs.dryRun) {
      await tryTo(deps, 'Updating the status comment', () =>
        endComment(session, claim, phaseOfKilledRun(record)),
      );
    }
    const stop = alreadyDone(claim);
    const hasFailed = record.state === 'failed' || record.state === 'sending';
    if (!isOfEarlierAttempt || !hasFailed) return stop;
    throw courierError('job-failed', `The earlier attempt failed. ${stop.message}`, COMMENT_AGAIN);
  }

  /**
   * The Stop for a later attempt of this run; undefined if every earlier attempt certainly sent
   * nothing. A missing comment does not show that: it may have been deleted.
   */
  async #checkEarlierAttempts(): Promise<Stop | undefined> {
    const { deps, trigger, repo, inputs } = this.#session;
    const { runId, runAttempt } = deps.github.run;
    // The last attempt with a record, which had checked those before it. Each record here is an
    // answer that says "not sent": a claim would have ended this run before. 0 if there is none.
    let lastAnswered = 0;
    for (const { record } of this.records.ofCommand)
      if (record.run === runId) lastAnswered = Math.max(lastAnswered, record.attempt);
    // Every earlier attempt is covered; a first attempt has none.
    if (lastAnswered >= runAttempt - 1) return undefined;
    // undefined: this kind of instruction takes no reactions, so that a missing one shows nothing.
    const hasReacted =
      trigger.kind === 'comment' ? await repo.hasReacted(trigger, 'eyes') : undefined;
    if (hasReacted === true) return alreadyReacted();
    // The module is loaded only here: a first attempt does not need it.
    const { outcomeOfAttempt } = await import('../ci/github/earlier-attempts.ts');
    for (let attempt = lastAnswered + 1; attempt < runAttempt; attempt += 1) {
      const outcome = await outcomeOfAttempt(deps.github, attempt, inputs.githubToken);
      // An attempt that failed without our reaction failed in its checks: the reaction comes before
      // the message.
      const hasFailedInChecks = outcome === 'failed' && hasReacted === false;
      // `not-reached`: that attempt ended before this step. Any other outcome leaves open what the
      // attempt has sent.
      const hasSentNothing = outcome === 'not-reached' || hasFailedInChecks;
      if (!hasSentNothing) return maybeSent(attempt, outcome);
      // A missing reaction is a proof only with a token that may react: so this attempt must react.
      if (hasFailedInChecks) this.#needsReaction = true;
    }
    return undefined;
  }
}

/**
 * `outcome`: what GitHub says of that attempt; `unknown` if it could not be asked. Without a comment
 * no person would see that a skipped run sent nothing, so it is a refusal, which makes it red.
 */
function maybeSent(attempt: number, outcome: string): Stop {
  const why =
    outcome === 'unknown'
      ? ' What that attempt did could not be read: in a private repository it needs the permission actions: read.'
      : '';
  return refuse(
    `The instruction may have been sent by attempt ${attempt} of this run, whose record is missing; it is not sent again.${why} ${COMMENT_AGAIN}`,
  );
}

/** The Stop for a command that another claim is for. */
function alreadyDone(claim: Recorded): Stop {
  const { run, attempt, state } = claim.record;
  // `done` is the state of a lost reply too: the comment says which it was.
  const may = state === 'sent' ? 'was sent' : 'was sent, or may have been sent,';
  return skip(
    `The instruction ${may} by run ${run}, attempt ${attempt}; it is not sent again. See ${claim.comment.url}`,
  );
}

function alreadyReacted(): Stop {
  return skip(
    `The command (or the pull request that was merged or labelled) already has our reaction and no valid record, so the instruction may have been sent; it is not sent again. ${COMMENT_AGAIN}`,
  );
}

/** `error`: why neither a comment nor a reaction can be written. */
function notRecorded(error: CourierError): CourierError {
  return error.with({
    message: `Not sent: the run cannot record that it sent this command. ${error.message}`,
  });
}
