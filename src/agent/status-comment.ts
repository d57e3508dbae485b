import { type CourierError, hasCode, hintText } from '../errors.ts';
import type { Comment, OwnAuthor, OwnComment, Reaction } from '../forges/port.ts';
import * as once from './once.ts';
import { stateOf } from './record-state.ts';
import { type Recorded, RecordedComments } from './recorded-comments.ts';
import { isStop, type Session, type Stop, tokensOf, tryTo } from './session.ts';
import { createNonce, isClaim, type RecordPlace, type RecordState, type StatusRecord } from './status-record.ts';
import { EMPTY_VIEW, renderStatusComment, type StatusPhase, type StatusView } from './status-view.ts';

type ViewFacts = Partial<Omit<StatusView, 'phase' | 'runUrl'>>;

// After a cancellation the run's own client sends nothing any more; a last update may take four seconds.
const LAST_UPDATE_MS = 4000;

/** The command that the hint of a pull request is recorded under. */
const HINT = 'hint';

/**
 * The status comment of one command: what it shows, and the record in it, which keeps the command from being sent twice.
 *
 * The order is: the record is written, then 👀 is set on the command, then the message is sent. So a message leaves at least
 * one of two marks, and the two are not removed by the same hand: a person with write permission can delete the comment,
 * but only the account that reacted can take its reaction back.
 */
export class StatusComment {
  readonly #session: Session;
  readonly #place: RecordPlace;
  readonly #author: OwnAuthor;
  readonly #comments: RecordedComments;
  readonly #command: string;
  readonly #invalid: readonly string[];
  readonly #nonce = createNonce();
  /** Every valid record of ours on the pull request, oldest first. */
  readonly records: readonly Recorded[];
  #own: OwnComment | undefined;
  #job: string | undefined;
  #madeThis = false;
  #creates = false;
  #isClaiming = false;
  /** Nothing showed that the command was sent before. An answer without a message then proves that it still was not. */
  #isAccepted = false;
  #needsReaction = false;
  #view: Omit<StatusView, 'phase'>;

  private constructor(session: Session, author: OwnAuthor, listed: readonly Comment[]) {
    const { inputs, deps, pullNumber, forge } = session;
    this.#session = session;
    this.#place = { secret: inputs.adminApiKey, repository: deps.forge.repository, pullNumber };
    this.#author = author;
    this.#comments = new RecordedComments(forge, this.#place, author);
    this.records = this.#comments.find(listed);
    this.#invalid = this.#comments.findInvalid(listed).map(({ command }) => command);
    this.#command = session.command.kind === 'near' ? HINT : once.commandId(session);
    this.#view = { ...EMPTY_VIEW, runUrl: deps.run.url, endsUnseen: deps.run.endsUnseen };
  }

  static async open(session: Session, listed: readonly Comment[]): Promise<StatusComment> {
    return new StatusComment(session, await session.forge.whoWeAre(), listed);
  }

  /** Records of our own author that are ignored because their signature is invalid. */
  get hasInvalidRecords(): boolean {
    return this.#invalid.length > 0;
  }

  /** What an earlier run has done about this command, where that keeps this one from sending. */
  async earlier(): Promise<Stop | undefined> {
    const claim = this.#about().find(({ record }) => isClaim(record));
    if (claim !== undefined) return once.closeClaim(this.#session, this.#comments, claim);
    if (this.#invalid.includes(this.#command)) return once.invalidRecord();
    return this.#session.deps.run.runAttempt === 1 ? undefined : this.#checkEarlierAttempts();
  }

  /**
   * Claims the command for this run; a Stop where another run has it. Throws where nothing can be recorded. Without a job it
   * claims the making of one.
   */
  async claim(jobId: string | undefined, madeThis: boolean): Promise<Stop | undefined> {
    this.#job = jobId;
    this.#creates = jobId === undefined;
    this.#madeThis ||= madeThis;
    const unwritable = await this.#claimByComment();
    if (isStop(unwritable)) return unwritable;
    const stop = await this.#claimByReaction(unwritable);
    this.#isAccepted = stop === undefined;
    return stop;
  }

  /** The new job that this command has made, once it may be bound. */
  bind(jobId: string): void {
    this.#job = jobId;
  }

  /** Keeps in the record that the job made this pull request: the platform does not say so while the job is active. */
  keepMade(): void {
    this.#madeThis = true;
  }

  /** Facts for every phase from now on. */
  know(facts: ViewFacts): void {
    this.#view = { ...this.#view, ...facts };
  }

  /** Shows a phase, best effort, with all facts known so far. */
  async show(phase: StatusPhase, facts: ViewFacts = {}): Promise<void> {
    this.know(facts);
    const { inputs, deps } = this.#session;
    if (!inputs.statusComment || inputs.dryRun) return;
    await tryTo(deps, 'Updating the status comment', async () => this.#write(phase));
  }

  /** Makes the comment of a claim final, also one whose making was interrupted; without a claim it writes nothing. */
  async end(phase: StatusPhase): Promise<void> {
    if (this.#own === undefined && this.#isClaiming) {
      this.#own = await tryTo(this.#session.deps, 'Finding the status comment', async () =>
        (await this.#reach(phase)).findMade(this.#nonce),
      );
    }
    if (this.#own !== undefined) await this.show(phase);
  }

  /** Writes a hint, once per pull request. */
  async hint(command: string, seen: string): Promise<void> {
    const { inputs, deps } = this.#session;
    const isKnown = this.#about().length > 0 || this.#invalid.includes(HINT);
    if (!inputs.statusComment || inputs.dryRun || isKnown) return;
    await tryTo(deps, 'Writing the hint', async () => {
      const claim = await this.#comments.claim(
        this.#record('done'),
        this.#render({ kind: 'hint', command, seen }),
        (comment) => this.#keep(comment),
      );
      if (claim.kind === 'taken') this.#own = undefined;
    });
  }

  /** Reacts to the command, best effort. */
  async react(content: Reaction): Promise<void> {
    const { trigger, inputs, deps, forge } = this.#session;
    if (trigger.kind !== 'comment' || inputs.dryRun) return;
    await tryTo(deps, 'Reacting to the comment', () => forge.react(trigger, content));
  }

  #about(): Recorded[] {
    return this.records.filter(({ record }) => record.command === this.#command);
  }

  #record(state: RecordState): StatusRecord {
    const { runId: run, runAttempt: attempt } = this.#session.deps.run;
    const made = this.#madeThis ? { made: true } : {};
    const common = { command: this.#command, run, attempt, nonce: this.#nonce, state, ...made };
    // An answer that names a job, or its making, says that the command was accepted and then provably not sent.
    if (state === 'answered' && !this.#isAccepted) return { version: 1, ...common };
    const job = this.#job === undefined ? {} : { job: this.#job };
    return this.#creates ? { version: 2, creates: true, ...common, ...job } : { version: 1, ...common, ...job };
  }

  #keep(comment: OwnComment): void {
    this.#own = comment;
    this.#session.deps.record({ commentUrl: comment.url });
  }

  #render(phase: StatusPhase): string {
    return this.#session.deps.log.redact(renderStatusComment({ ...this.#view, phase }));
  }

  async #write(phase: StatusPhase): Promise<void> {
    const state = stateOf(phase);
    const body = this.#render(phase);
    const comments = await this.#reach(phase);
    if (this.#own !== undefined) return comments.update(this.#own, this.#record(state), body);
    // An answer replaces an earlier one to the same command; it claims nothing.
    const stale = this.#about().findLast(({ record }) => !isClaim(record));
    if (stale !== undefined) {
      this.#keep(stale.comment);
      return comments.update(stale.comment, this.#record('answered'), body);
    }
    if (state === 'answered') this.#keep(await comments.answer(this.#record(state), body));
  }

  /** The comments, with a client that also works after the run was cancelled. */
  async #reach(phase: StatusPhase): Promise<RecordedComments> {
    const { deps, inputs } = this.#session;
    if (phase.kind !== 'cancelled' && !deps.signal.aborted) return this.#comments;
    const forge = await deps.forge.connect(tokensOf(inputs), AbortSignal.timeout(LAST_UPDATE_MS));
    return new RecordedComments(forge, this.#place, this.#author);
  }

  /** A Stop where another run was first; an error where the token may not comment; undefined where that is settled. */
  async #claimByComment(): Promise<Stop | CourierError | undefined> {
    const { inputs, deps } = this.#session;
    if (!inputs.statusComment) return once.noStatusComment(this.#session);
    try {
      const body = this.#render({ kind: 'sending' });
      this.#isClaiming = true;
      const claim = await this.#comments.claim(this.#record('sending'), body, (comment) => this.#keep(comment));
      if (claim.kind === 'taken') {
        this.#own = undefined;
        deps.record({ commentUrl: claim.by.comment.url });
        return claim.by.record.command === this.#command ? once.alreadyDone(claim.by) : once.jobIsMade(claim.by);
      }
      this.#keep(claim.comment);
    } catch (error) {
      if (this.#own !== undefined || !hasCode(error, 'forbidden')) throw error;
      this.#isClaiming = false;
      deps.log.warning(
        `The status comment cannot be written. ${error.message} ${error.hint === undefined ? '' : hintText(error.hint)}`,
      );
      return error;
    }
    for (const { comment, record } of this.#about()) {
      if (!isClaim(record)) await tryTo(deps, 'Removing an older answer', () => this.#comments.remove(comment.id));
    }
    return undefined;
  }

  /** 👀 on the command, before the message. `unwritable`: why there is no comment that records the claim. */
  async #claimByReaction(unwritable: CourierError | undefined): Promise<Stop | undefined> {
    const { trigger, inputs, subject } = this.#session;
    const reaction = await once.reactFirst(this.#session, unwritable === undefined && !this.#needsReaction);
    if (reaction === 'known' && !this.#wasProvablyNotSent()) {
      const stop = once.alreadyReacted();
      if (this.#own !== undefined) await this.show({ kind: 'withheld', reason: stop.reason });
      return stop;
    }
    if (unwritable === undefined || reaction === 'new' || reaction === 'known') return undefined;
    // Each run of a workflow has its own prompt; only a later attempt of the same run could send it again.
    if (trigger.kind === 'prompt' && subject === undefined && !inputs.statusComment) return undefined;
    throw unwritable.with({
      message: `Nothing was sent: nowhere can be recorded that the command was sent. ${unwritable.message}`,
    });
  }

  #wasProvablyNotSent(): boolean {
    return this.#about().some(({ record }) => !isClaim(record) && (record.job !== undefined || record.version === 2));
  }

  async #checkEarlierAttempts(): Promise<Stop | undefined> {
    const { runId } = this.#session.deps.run;
    const answered = this.#about().filter(({ record }) => !isClaim(record) && record.run === runId);
    const shown = await once.checkEarlierAttempts(
      this.#session,
      Math.max(0, ...answered.map(({ record }) => record.attempt)),
    );
    if (isStop(shown)) return shown;
    this.#needsReaction = shown.needsReaction;
    return undefined;
  }
}
