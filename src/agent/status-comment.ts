import { randomBytes } from 'node:crypto';
import type { RecordPlace } from '../comment/signed-line.ts';
import type { Comment } from '../github/pull-request.ts';
import type { OwnComment, Reaction } from '../github/repository.ts';
import { type CourierError, courierError, unless } from '../ground/errors.ts';
import type { Redact } from '../ground/text/redact.ts';
import {
  placeOf,
  type Recorded,
  type RecordScope,
  type StatusRecord,
  writeRecord,
} from './record.ts';
import {
  repositoryEvenIfCancelled,
  runUrlOf,
  type Session,
  type Stop,
  tryTo,
  type Workplace,
} from './session.ts';
import {
  renderStatusComment,
  type StatusPhase,
  type StatusView,
  type ViewFacts,
} from './status-view.ts';

/** The phase to show for a claim whose run is gone: what its record says of the message. */
export function phaseOfKilledRun(record: StatusRecord): StatusPhase {
  // The message was sent, and the agent works without the run.
  if (record.state !== 'sending') return { kind: 'detached' };
  if (record.creates === true && record.job === undefined) return { kind: 'maybe-created' };
  return { kind: 'unclear' };
}

/**
 * The state that the record has while the comment shows a phase. `answered` lets a later run send
 * the command; every other state keeps it from that.
 */
function stateOf(phase: StatusPhase): StatusRecord['state'] {
  switch (phase.kind) {
    case 'sending':
    case 'creating':
      return 'sending';
    case 'sent':
    case 'working':
      return 'sent';
    case 'refused':
    case 'help':
      return 'answered';
    case 'cancelled':
    case 'error':
      if (!phase.sent) return 'answered';
      return 'failed';
    case 'completed':
    case 'detached':
    case 'abandoned':
      return 'done';
    // The job has failed or took too long, or the message may have been sent.
    default:
      return 'failed';
  }
}

/** The text of a status comment, with its record. */
function bodyOf(
  place: RecordPlace,
  record: StatusRecord,
  view: StatusView,
  redact: Redact,
): string {
  return `${writeRecord(place, record)}\n${redact(renderStatusComment(view))}`;
}

/**
 * Makes the comment of a run that is gone final: it shows what became of the command, and its
 * record says that no run works on it.
 */
export function endComment(
  workplace: Workplace,
  claim: Recorded,
  phase: StatusPhase,
): Promise<void> {
  const { deps, repo } = workplace;
  const { id, pullNumber } = claim.comment;
  const lastRecord = claim.record;
  // Without the status, the comment shows none: the platform was not asked about the job, or does
  // not show it.
  let status = '';
  if (phase.kind === 'abandoned' && phase.jobStatus !== undefined) status = phase.jobStatus;
  const job = lastRecord.job === undefined ? undefined : { id: lastRecord.job, status };
  const record = { ...lastRecord, state: stateOf(phase), comment: id };
  const view = { runUrl: runUrlOf(deps), job, phase };
  const place = placeOf(workplace, pullNumber);
  return repo.updateComment(id, bodyOf(place, record, view, deps.log.redact));
}

/** What a record says about the job of its command. */
type JobRecord = Pick<StatusRecord, 'job' | 'creates' | 'made'>;

/**
 * The comment of this run about one command: what it shows, and the record in it. Whether the
 * command may be sent is decided by `Claim`.
 */
export class StatusComment {
  readonly #session: Session;
  readonly #scope: RecordScope;
  /** In every record of this run, so that it finds its own comment if a reply was lost. */
  readonly nonce = randomBytes(12).toString('base64url');
  /** Our answers to this command by earlier runs: the newest becomes the comment of this run. */
  answers: readonly Comment[] = [];
  #comment: OwnComment | undefined;
  /** What every record from now on says about the job. */
  #job: JobRecord = {};
  /**
   * True once nothing shows that the command was sent before. From then on, an answer by this run
   * names the job, by which later runs know that the command certainly was not sent.
   */
  isAccepted = false;
  /** What every phase from now on shows. */
  #view: ViewFacts = {};

  constructor(session: Session, scope: RecordScope) {
    this.#session = session;
    this.#scope = scope;
  }

  /** This run has a comment on the pull request. */
  get isShown(): boolean {
    return this.#comment !== undefined;
  }

  /** The record of this run, in a state. */
  record(state: StatusRecord['state']): StatusRecord {
    const run = this.#session.deps.github.run;
    const record: StatusRecord = {
      version: 2,
      command: this.#scope.command,
      run: run.runId,
      attempt: run.runAttempt,
      nonce: this.nonce,
      state,
    };
    // An answer that names a job, or the creation of one, says that the command was accepted and
    // then certainly not sent.
    if (state !== 'answered' || this.isAccepted) return { ...record, ...this.#job };
    // Any other answer names neither, only `made`, which is about the pull request and not about
    // this command.
    return { ...record, made: this.#job.made };
  }

  /**
   * Facts for every record from now on: `job`, once it may be linked; `made`: the job made this
   * pull request; `creates`: the command creates a job.
   */
  addToRecord(job: JobRecord): void {
    this.#job = { ...this.#job, ...job };
  }

  /** Facts that the comment shows from now on. */
  addToView(facts: ViewFacts): void {
    this.#view = { ...this.#view, ...facts };
  }

  /** From now on, this is the comment of the run. */
  adopt(comment: OwnComment): void {
    this.#comment = comment;
    this.#session.deps.record({ commentUrl: comment.url });
  }

  /** The comment of the run was removed, or another run's counts. */
  forgetComment(): void {
    this.#comment = undefined;
  }

  /**
   * Writes a new comment. undefined: the reply was lost, and only the list of comments shows
   * whether the comment exists.
   */
  async create(record: StatusRecord, phase: StatusPhase): Promise<OwnComment | undefined> {
    const repo = await repositoryEvenIfCancelled(this.#session);
    const newComment = await unless(['network', 'protocol'], () =>
      repo.createComment(this.#scope.place.pullNumber, this.#body(record, phase)),
    );
    // Adopted at once: whatever fails from here on, the comment is made final.
    if (newComment !== undefined) this.adopt(newComment);
    return newComment;
  }

  /** Shows a phase with all facts known so far. A failure becomes a warning. */
  async show(phase: StatusPhase, facts: ViewFacts = {}): Promise<void> {
    this.addToView(facts);
    const { inputs, deps } = this.#session;
    if (!inputs.statusComment || inputs.dryRun) return;
    await tryTo(deps, 'Updating the status comment', () => this.#write(phase));
  }

  /** Shows why the instruction was not sent, and what to write instead. */
  async showRefusal(stop: Stop): Promise<void> {
    // Of a command that is skipped, the page shows nothing.
    if (stop.status !== 'refused') return;
    await this.react('confused');
    await this.show({ kind: 'refused', reason: stop.message, example: stop.example });
  }

  /** Reacts to the comment with the command, if one gave it. A failure becomes a warning. */
  async react(content: Reaction): Promise<void> {
    const { trigger, inputs, deps, repo } = this.#session;
    if (trigger.kind !== 'comment' || inputs.dryRun) return;
    await tryTo(deps, 'Reacting to the comment', () => repo.react(trigger, content));
  }

  /** Updates the comment of the run, or the answer of an earlier run; without both, creates one. */
  async #write(phase: StatusPhase): Promise<void> {
    const earlierAnswer = this.answers.at(-1);
    const replacesAnswer = this.#comment === undefined && earlierAnswer !== undefined;
    if (replacesAnswer) this.adopt(earlierAnswer);
    // The comment of an earlier answer stays an answer, which claims nothing.
    const record = this.record(replacesAnswer ? 'answered' : stateOf(phase));
    const comment = this.#comment;
    if (comment === undefined) {
      // A record that claims the command is created by `Claim` only.
      if (record.state !== 'answered') return;
      if ((await this.create(record, phase)) === undefined) throw commentLost();
      return;
    }
    const repo = await repositoryEvenIfCancelled(this.#session);
    await repo.updateComment(comment.id, this.#body({ ...record, comment: comment.id }, phase));
  }

  #body(record: StatusRecord, phase: StatusPhase): string {
    const deps = this.#session.deps;
    const view = { ...this.#view, runUrl: runUrlOf(deps), phase };
    return bodyOf(this.#scope.place, record, view, deps.log.redact);
  }
}

/** How to give an instruction again. */
export const COMMENT_AGAIN =
  'Write the command again in a new comment; a prompt or a template needs a new run, such as one by dispatch with pull-request.';

/** The error if nothing shows that the new comment is there: then it cannot record a claim. */
export function commentLost(): CourierError {
  return courierError(
    'network',
    'Not sent: the status comment could not be written, or was not found again.',
    COMMENT_AGAIN,
  );
}
