import { randomBytes } from 'node:crypto';
import type { RecordPlace } from '../comment/signed-line.ts';
import { CourierError, unless } from '../errors.ts';
import type { Comment } from '../github/pull-request.ts';
import type { OwnComment, Reaction, Repository } from '../github/repository.ts';
import type { Redact } from '../text/redact.ts';
import { type Recorded, type StatusRecord, writeRecord } from './record.ts';
import { reachAnyway, runUrlOf, type Session, type Stop, tryTo } from './session.ts';
import { renderStatusComment, type StatusPhase, type StatusView } from './status-view.ts';

/** What a claim comes to whose run is gone. */
export function phaseOf({ state, creates, job }: StatusRecord): StatusPhase {
  if (state !== 'sending') return { kind: 'detached' };
  return creates === true && job === undefined ? { kind: 'maybe-created' } : { kind: 'unclear' };
}

/** The states that the record has while the comment shows a phase; `done` with every other. */
const STATES: { readonly [kind in StatusPhase['kind']]?: StatusRecord['state'] } = {
  sending: 'sending',
  creating: 'sending',
  sent: 'sent',
  working: 'sent',
  refused: 'answered',
  help: 'answered',
};

function stateOf(phase: StatusPhase): StatusRecord['state'] {
  if ('sent' in phase) return phase.sent ? 'done' : 'answered';
  return STATES[phase.kind] ?? 'done';
}

interface Body {
  readonly place: RecordPlace;
  readonly record: StatusRecord;
  readonly view: StatusView;
}

/** The text of a status comment, with its record. */
function bodyOf({ place, record, view }: Body, redact: Redact): string {
  return `${writeRecord(place, record)}\n${redact(renderStatusComment(view))}`;
}

interface EndedComment extends Recorded {
  readonly place: RecordPlace;
  readonly phase?: StatusPhase | undefined;
}

/**
 * Ends a comment whose run is gone: it shows what became of the command, and its record is done.
 */
export function endComment(
  { deps, repo }: Pick<Session, 'deps' | 'repo'>,
  { place, comment, record: known, phase = phaseOf(known) }: EndedComment,
): Promise<void> {
  const status =
    phase.kind === 'left' && phase.jobStatus !== undefined ? { status: phase.jobStatus } : {};
  const job = known.job === undefined ? undefined : { id: known.job, ...status };
  const record = { ...known, state: 'done', comment: comment.id } as const;
  const body = bodyOf(
    { place, record, view: { runUrl: runUrlOf(deps), job, phase } },
    deps.log.redact,
  );
  return repo.updateComment(comment.id, body);
}

type ViewFacts = Omit<StatusView, 'phase' | 'runUrl'>;

/** What a record says about the job of its command. */
type JobRecord = Pick<StatusRecord, 'job' | 'creates' | 'made'>;

/**
 * The comment of this run about one command: what it shows, and the record in it. Whether the
 * command may be sent is decided by `Claim`.
 */
export class StatusComment {
  readonly #session: Session;
  readonly #place: RecordPlace;
  readonly #command: string;
  readonly nonce = randomBytes(12).toString('base64url');
  /** Our answers to this command by earlier runs: the newest becomes the comment of this run. */
  #answers: readonly Comment[] = [];
  #own: OwnComment | undefined;
  #job: JobRecord = {};
  #isAccepted = false;
  #view: Omit<StatusView, 'phase'>;

  constructor(
    session: Session,
    { place, command }: { readonly place: RecordPlace; readonly command: string },
  ) {
    this.#session = session;
    this.#place = place;
    this.#command = command;
    this.#view = { runUrl: runUrlOf(session.deps) };
  }

  /** This run has a comment on the pull request. */
  get isShown(): boolean {
    return this.#own !== undefined;
  }

  /** The record of this run, in a state. */
  record(state: StatusRecord['state']): StatusRecord {
    const { runId: run, runAttempt: attempt } = this.#session.deps.github.run;
    const common = {
      version: 2,
      command: this.#command,
      run,
      attempt,
      nonce: this.nonce,
      state,
    } as const;
    const { made, ...job } = this.#job;
    // An answer that names a job, or its making, says that the command was accepted and then
    // certainly not sent.
    return {
      ...common,
      ...(made && { made }),
      ...((state !== 'answered' || this.#isAccepted) && job),
    };
  }

  /**
   * Facts for every record from now on: `job`, once it may be bound; `made`: it made this pull
   * request.
   */
  keep(job: JobRecord): void {
    this.#job = { ...this.#job, ...job };
  }

  /**
   * Nothing showed that the command was sent before. An answer without a message then shows that it
   * still was not.
   */
  accept(isAccepted: boolean): void {
    this.#isAccepted = isAccepted;
  }

  /** Facts for every phase from now on. */
  know(facts: ViewFacts): void {
    this.#view = { ...this.#view, ...facts };
  }

  replace(answers: readonly Comment[]): void {
    this.#answers = answers;
  }

  /** From now on, this is the comment of the run. */
  adopt({ id, url }: OwnComment): void {
    this.#own = { id, url };
    this.#session.deps.record({ commentUrl: url });
  }

  /** The comment of the run was removed, or another run's counts. */
  release(): void {
    this.#own = undefined;
  }

  /**
   * Writes a new comment. undefined: the reply was lost, and only the list shows whether the
   * comment exists.
   */
  async create(record: StatusRecord, phase: StatusPhase): Promise<OwnComment | undefined> {
    const repo = await this.#reach(phase);
    const made = await unless(['network', 'protocol'], () =>
      repo.createComment(this.#place.pullNumber, this.#body(record, phase)),
    );
    // Kept at once: whatever fails from here on, the comment is made final.
    if (made !== undefined) this.adopt(made);
    return made;
  }

  /** Shows a phase, best effort, with all facts known so far. */
  async show(phase: StatusPhase, facts: ViewFacts = {}): Promise<void> {
    this.know(facts);
    const { inputs, deps } = this.#session;
    if (!inputs.statusComment || inputs.dryRun) return;
    await tryTo(deps, 'Updating the status comment', async () => this.#write(phase));
  }

  /** Shows why the instruction was not sent, and what to write instead. */
  async showRefusal({ status, message, example }: Stop): Promise<void> {
    if (status !== 'refused') return;
    await this.react('confused');
    await this.show({ kind: 'refused', reason: message, example });
  }

  /** Reacts to the command, best effort. */
  async react(content: Reaction): Promise<void> {
    const { trigger, inputs, deps, repo } = this.#session;
    if (trigger.kind !== 'comment' || inputs.dryRun) return;
    await tryTo(deps, 'Reacting to the comment', () => repo.react(trigger, content));
  }

  async #write(phase: StatusPhase): Promise<void> {
    const repo = await this.#reach(phase);
    const state = stateOf(phase);
    if (this.#own !== undefined) return this.#update(repo, { comment: this.#own, state, phase });
    const stale = this.#answers.at(-1);
    if (stale !== undefined) {
      // An answer replaces an earlier one to the same command; it claims nothing.
      this.adopt(stale);
      return this.#update(repo, { comment: stale, state: 'answered', phase });
    }
    if (state !== 'answered') return;
    if ((await this.create(this.record(state), phase)) === undefined) throw commentLost();
  }

  #update(repo: Repository, { comment, state, phase }: StatusUpdate): Promise<void> {
    return repo.updateComment(
      comment.id,
      this.#body({ ...this.record(state), comment: comment.id }, phase),
    );
  }

  #reach({ kind }: StatusPhase): Promise<Repository> {
    return reachAnyway(this.#session, kind === 'cancelled');
  }

  #body(record: StatusRecord, phase: StatusPhase): string {
    return bodyOf(
      { place: this.#place, record, view: { ...this.#view, phase } },
      this.#session.deps.log.redact,
    );
  }
}

interface StatusUpdate {
  readonly comment: OwnComment;
  readonly state: StatusRecord['state'];
  readonly phase: StatusPhase;
}

export function commentLost(): CourierError {
  return new CourierError({
    code: 'network',
    message: 'Not sent: the status comment could not be written, or was not found again.',
    hint: 'Write the command again in a new comment.',
  });
}
