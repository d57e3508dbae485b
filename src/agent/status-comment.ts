import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { adviceOf } from '../comment/pull-comments.ts';
import { answersTo, type RecordPlace, readClaim, signedLines } from '../comment/signed-line.ts';
import { CourierError, hasCode, unless } from '../errors.ts';
import type { Comment, Forge, OwnAuthor, OwnComment, Reaction } from '../forges/port.ts';
import { isOwn } from '../forges/shared.ts';
import { commentCommand, reachAnyway, refuse, type Session, type Stop, skip, tryTo } from './session.ts';
import { renderStatusComment, type StatusPhase, type StatusView } from './status-view.ts';

// Strict: a field that the signature does not cover makes the record invalid.
const record = z.strictObject({
  version: z.literal(2),
  /** The command: the comment that gave it, or the run where there is none. */
  command: z.string(),
  run: z.string(),
  attempt: z.number(),
  /** Differs between two runs that claim the same command at the same moment. */
  nonce: z.string(),
  /** How far the command has come. `answered`: it was answered without a message; such a record claims nothing. */
  state: z.enum(['sending', 'sent', 'done', 'answered']),
  job: z.optional(z.string()),
  /** The command makes a new job. Without `job`, one may have been made that is not bound. */
  creates: z.optional(z.literal(true)),
  /** The platform said that the job made this pull request; it does not say so while the job is active. */
  made: z.optional(z.boolean()),
  /** Id of the comment that holds the record; absent while the comment is being made. */
  comment: z.optional(z.number()),
});
export type StatusRecord = z.infer<typeof record>;

const claimed = z.object({ record: z.object({ command: z.string(), state: z.optional(z.string()) }) });

const lines = signedLines({
  purpose: 'docs-courier/record/v2',
  schema: record,
  commentOf: ({ comment }) => comment,
});
/** The record as an invisible line of Markdown. */
export const writeRecord = lines.write;

/** One status comment of ours, with its record. */
export interface Recorded {
  readonly comment: Comment;
  readonly record: StatusRecord;
}

/** What a comment holds. `command`: what an invalid record claims to be about. */
export function readMarker(place: RecordPlace, comment: Pick<Comment, 'id' | 'body'>) {
  const read = lines.read(place, comment);
  if (read.kind !== 'invalid') return read;
  const { data } = claimed.safeParse(read.json);
  return data === undefined
    ? ({ kind: 'none' } as const)
    : ({ kind: 'invalid', command: data.record.command } as const);
}

/** True for a record that keeps other runs from sending the same instruction. */
export function isClaim({ state }: StatusRecord): boolean {
  return state !== 'answered';
}

/** True where a comment of ours shows what became of a command. Its signature is not checked: nothing but an answer depends on it. */
export function isShownBy({ body }: Comment, command: string): boolean {
  const { record: known } = claimed.safeParse(readClaim(body)).data ?? {};
  return known?.command === command && known.state !== 'answered';
}

/** True for a claim that makes a new job. */
export function isCreation(found: StatusRecord): boolean {
  return found.creates === true && isClaim(found);
}

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

/** What makes a command the same one in every delivery and every attempt. */
export function commandId({ trigger, deps, inputs, subject }: Session): string {
  if (trigger.kind === 'comment') return commentCommand(trigger);
  const { agentJobId = '', prompt, promptFile = '' } = inputs;
  const text = `${agentJobId}\n${prompt ?? promptFile}`;
  const what = createHash('sha256').update(text).digest('hex').slice(0, 16);
  // Push, closing and queue report the same merge, each in a separate run.
  return subject === undefined ? `run:${deps.run.runId}:${deps.run.job}:${what}` : `${subject}:${what}`;
}

/** The text of a status comment, with its record. */
function bodyOf({ deps }: Pick<Session, 'deps'>, place: RecordPlace, known: StatusRecord, view: StatusView): string {
  return `${lines.write(place, known)}\n${deps.log.redact(renderStatusComment(view))}`;
}

/** Ends a comment whose run is gone: it shows what became of the command, and its record is done. */
export function endComment(
  { deps, forge }: Pick<Session, 'deps' | 'forge'>,
  place: RecordPlace,
  { comment, record: known, phase = phaseOf(known) }: Recorded & { readonly phase?: StatusPhase },
): Promise<void> {
  const status = phase.kind === 'left' ? phase.jobStatus : undefined;
  const job = known.job === undefined ? undefined : { id: known.job, status };
  const done = { ...known, state: 'done', comment: comment.id } as const;
  return forge.updateComment(comment.id, bodyOf({ deps }, place, done, { runUrl: deps.run.url, job, phase }));
}

export function placeOf({ deps, inputs }: Pick<Session, 'deps' | 'inputs'>, pullNumber: number): RecordPlace {
  return { secret: inputs.adminApiKey, repository: deps.forge.repository, pullNumber };
}

type ViewFacts = Omit<StatusView, 'phase' | 'runUrl'>;

/** The command that the hint of a pull request is recorded under. */
const HINT = 'hint';

/**
 * The status comment of one command: what it shows, and the record in it, which keeps the command from being sent twice.
 *
 * The order is: the record is written, then 👀 is set on the command, then the message is sent. So a message leaves at least
 * one of two marks, and no single person can remove both: anyone with write permission can delete the comment, but only the
 * account that reacted can take its reaction back.
 */
export class StatusComment {
  readonly #session: Session;
  readonly #place: RecordPlace;
  readonly #author: OwnAuthor;
  readonly #command: string;
  readonly #nonce = randomBytes(12).toString('base64url');
  /** Every valid record of ours on the pull request, oldest first. */
  readonly records: readonly Recorded[];
  /** The records of this command. */
  readonly #same: readonly Recorded[];
  /** Our answers to this command, which claim nothing: oldest first. */
  #answers: readonly Comment[];
  /** The commands of records by our own author that are ignored because their signature is invalid. */
  readonly invalid: readonly string[];
  #own: OwnComment | undefined;
  /** What the command is about, in the record. */
  #about: Pick<StatusRecord, 'job' | 'creates' | 'made'> = {};
  #isClaiming = false;
  /** Nothing showed that the command was sent before. An answer without a message then proves that it still was not. */
  #isAccepted = false;
  #needsReaction = false;
  #view: Omit<StatusView, 'phase'>;

  private constructor(session: Session, author: OwnAuthor, listed: readonly Comment[]) {
    const { deps, pullNumber } = session;
    this.#session = session;
    this.#place = placeOf(session, pullNumber);
    this.#author = author;
    this.#command = session.command.kind === 'near' ? HINT : commandId(session);
    this.#view = { runUrl: deps.run.url, endsUnseen: deps.run.endsUnseen };
    this.records = this.#recordsIn(listed);
    this.#same = this.records.filter(({ record: known }) => known.command === this.#command);
    this.#answers = this.#answersIn(listed);
    this.invalid = this.#markersIn(listed).flatMap(({ marker }) => (marker.kind === 'invalid' ? marker.command : []));
  }

  static async open(session: Session, listed: readonly Comment[]): Promise<StatusComment> {
    return new StatusComment(session, await session.forge.whoWeAre(), listed);
  }

  /** This run has a comment on the pull request. */
  get isShown(): boolean {
    return this.#own !== undefined;
  }

  /** What an earlier run has done about this command, where that keeps this one from sending. */
  async earlier(): Promise<Stop | undefined> {
    const claim = this.#same.find(({ record: known }) => isClaim(known));
    if (claim !== undefined) return this.#closeClaim(claim);
    if (!this.invalid.includes(this.#command)) return this.#checkEarlierAttempts();
    return skip(
      `A status comment records this command with an invalid signature, so the instruction may have been sent. The admin key was changed since then, or the comment was edited. It is not sent again. ${COMMENT_AGAIN}`,
    );
  }

  /** Claims the command, or the making of a job. Throws where another run has it, and where no record can be written. */
  async claim(jobId: string | undefined, madeThis: boolean): Promise<void> {
    this.keep({ job: jobId, ...(jobId === undefined && { creates: true }), ...(madeThis && { made: true }) });
    const unwritable = await this.#claimByComment();
    await this.#claimByReaction(unwritable);
    this.#isAccepted = true;
  }

  /** Facts for every record from now on: `job`, once it may be bound; `made`: it made this pull request. */
  keep(about: Pick<StatusRecord, 'job' | 'creates' | 'made'>): void {
    this.#about = { ...this.#about, ...about };
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

  /** Shows why the instruction was not sent, and what to write instead. */
  async showRefusal({ status, message, example }: Stop): Promise<void> {
    if (status !== 'refused') return;
    await this.react('confused');
    await this.show({ kind: 'refused', reason: message, example });
  }

  /** Makes the comment of a claim final, also one whose making was interrupted; without a claim it writes nothing. */
  async end(phase: StatusPhase): Promise<void> {
    if (this.#own === undefined && this.#isClaiming) {
      this.#own = await tryTo(this.#session.deps, 'Finding the status comment', async () => {
        const forge = await this.#reach(phase);
        const records = this.#recordsIn(await forge.comments(this.#place.pullNumber));
        return records.find(({ record: known }) => known.nonce === this.#nonce)?.comment;
      });
    }
    if (this.#own !== undefined) await this.show(phase);
  }

  /** Writes a hint, once per pull request. */
  async hint(command: string, seen: string): Promise<void> {
    const { inputs, deps } = this.#session;
    const isKnown = this.#same.length > 0 || this.invalid.includes(HINT);
    if (!inputs.statusComment || inputs.dryRun || isKnown) return;
    await tryTo(deps, 'Writing the hint', () => this.#create(this.#record('done'), { kind: 'hint', command, seen }));
  }

  /** Reacts to the command, best effort. */
  async react(content: Reaction): Promise<void> {
    const { trigger, inputs, deps, forge } = this.#session;
    if (trigger.kind !== 'comment' || inputs.dryRun) return;
    await tryTo(deps, 'Reacting to the comment', () => forge.react(trigger, content));
  }

  #markersIn(listed: readonly Comment[]) {
    const ours = listed.filter((comment) => isOwn(comment, this.#author)).sort((a, b) => a.id - b.id);
    return ours.map((comment) => ({ comment, marker: readMarker(this.#place, comment) }));
  }

  #recordsIn(listed: readonly Comment[]): Recorded[] {
    return this.#markersIn(listed).flatMap(({ comment, marker }) =>
      marker.kind === 'valid' ? { comment, record: marker.record } : [],
    );
  }

  #answersIn(listed: readonly Comment[]): Comment[] {
    const same = this.#recordsIn(listed).filter(({ record: known }) => known.command === this.#command);
    const signed = same.filter(({ record: known }) => !isClaim(known)).map(({ comment }) => comment);
    return [...signed, ...answersTo(this.#command, listed, this.#author)].sort((a, b) => a.id - b.id);
  }

  #record(state: StatusRecord['state']): StatusRecord {
    const { runId: run, runAttempt: attempt } = this.#session.deps.run;
    const common = { version: 2, command: this.#command, run, attempt, nonce: this.#nonce, state } as const;
    const { made, ...about } = this.#about;
    // An answer that names a job, or its making, says that the command was accepted and then provably not sent.
    return { ...common, ...(made && { made }), ...((state !== 'answered' || this.#isAccepted) && about) };
  }

  #hold({ id, url }: OwnComment): void {
    this.#own = { id, url };
    this.#session.deps.record({ commentUrl: url });
  }

  #body(known: StatusRecord, phase: StatusPhase): string {
    return bodyOf(this.#session, this.#place, known, { ...this.#view, phase });
  }

  async #write(phase: StatusPhase): Promise<void> {
    const state = stateOf(phase);
    const forge = await this.#reach(phase);
    // An answer replaces an earlier one to the same command; it claims nothing.
    const stale = this.#answers.at(-1);
    const isStale = this.#own === undefined && stale !== undefined;
    if (isStale) this.#hold(stale);
    if (this.#own !== undefined) {
      const known = { ...this.#record(isStale ? 'answered' : state), comment: this.#own.id };
      return forge.updateComment(this.#own.id, this.#body(known, phase));
    }
    if (state !== 'answered') return;
    const made = await this.#createComment(forge, this.#record(state), phase);
    if (made === undefined) throw claimLost();
    this.#hold(made);
  }

  #reach({ kind }: StatusPhase): Promise<Forge> {
    return reachAnyway(this.#session, kind === 'cancelled');
  }

  /** undefined: the reply was lost, and only the list shows whether the comment exists. */
  #createComment(forge: Forge, known: StatusRecord, phase: StatusPhase): Promise<OwnComment | undefined> {
    const { pullNumber } = this.#place;
    return unless(['network', 'protocol'], () => forge.createComment(pullNumber, this.#body(known, phase)));
  }

  /**
   * Claims a command by creating its comment. Of several claims for one command, and of several that make a new job, the
   * oldest counts; each run removes its own later ones. Gives the claim of another run that was earlier. Throws `forbidden`
   * when the token may not comment.
   */
  async #create(claim: StatusRecord, phase: StatusPhase): Promise<Recorded | undefined> {
    const { forge } = this.#session;
    const made = await this.#createComment(forge, claim, phase);
    // Kept at once: whatever fails from here on, the comment is made final.
    if (made !== undefined) this.#hold(made);
    const listed = await forge.comments(this.#place.pullNumber);
    // Another run may have answered since the first list was read.
    this.#answers = this.#answersIn(listed);
    const records = this.#recordsIn(listed);
    const claims = records.filter((one) => isRival(one.record, claim));
    const ours = claims.filter((one) => one.record.nonce === claim.nonce);
    const [first] = claims;
    // A comment that was made and is not listed yet does not show that no other run was earlier.
    if (first === undefined || ours[0] === undefined) throw claimLost();
    const won = first === ours[0];
    for (const { comment } of won ? ours.slice(1) : ours) await forge.removeComment(comment.id);
    this.#own = undefined;
    if (won) this.#hold(first.comment);
    return won ? undefined : first;
  }

  /** Throws where another run was first. Gives the error where the token may not comment; undefined: the record is written. */
  async #claimByComment(): Promise<CourierError | undefined> {
    const { inputs, deps, forge, trigger } = this.#session;
    if (!inputs.statusComment) {
      const what =
        trigger.kind === 'comment'
          ? 'this kind of comment cannot have reactions'
          : 'a merge or a label has no other record';
      return new CourierError({
        code: 'config',
        message: `status-comment is false, and ${what}.`,
        hint: { text: 'Use the default:', inputs: { 'status-comment': 'true' } },
      });
    }
    this.#isClaiming = true;
    try {
      const earlier = await this.#create(this.#record('sending'), { kind: 'sending' });
      if (earlier !== undefined) {
        deps.record({ commentUrl: earlier.comment.url });
        if (earlier.record.command === this.#command) throw alreadyDone(earlier);
        throw refuse(
          `Another command on this pull request makes a new agent job; only one is made. Write the command again when that job is known: ${earlier.comment.url}`,
        );
      }
    } catch (error) {
      if (this.#own !== undefined || !hasCode(error, 'forbidden')) throw error;
      this.#isClaiming = false;
      deps.log.warning(`The status comment cannot be written. ${adviceOf(error)}`);
      return error;
    }
    for (const { id } of this.#answers) await tryTo(deps, 'Removing an older answer', () => forge.removeComment(id));
    return undefined;
  }

  /** 👀 on the command, before the message. `unwritable`: why no comment records the claim. */
  async #claimByReaction(unwritable: CourierError | undefined): Promise<void> {
    const { trigger, inputs, subject } = this.#session;
    const isRecorded = unwritable === undefined;
    const reaction = await this.#reactFirst(isRecorded && !this.#needsReaction, isRecorded);
    if (reaction === 'known' && !this.#wasProvablyNotSent() && !this.#isOfOtherLabel()) {
      const stop = alreadyReacted();
      if (this.#own !== undefined) await this.show({ kind: 'withheld', reason: stop.message });
      throw stop;
    }
    if (unwritable === undefined || reaction === 'new' || reaction === 'known') return;
    // Each run of a workflow has its own prompt; only a later attempt of the same run could send it again.
    if (trigger.kind === 'prompt' && subject === undefined && !inputs.statusComment) return;
    throw notRecorded(unwritable);
  }

  /**
   * undefined: the token may not react, and `mayFail` says that another record is enough. Any other failure ends the run
   * before the message. With the claim, this run is the only one that reacts: where the command had no reaction before, one
   * that is known now is ours, and the reply to it was lost.
   */
  async #reactFirst(mayFail: boolean, isRecorded: boolean): Promise<'new' | 'known' | 'none' | undefined> {
    const { trigger, forge, deps, subject, pullNumber } = this.#session;
    if (trigger.kind !== 'comment' && (subject === undefined || !isRecorded)) return 'none';
    const target =
      trigger.kind === 'comment' ? trigger : ({ place: 'pull', id: pullNumber, pull: { number: pullNumber } } as const);
    // A pull request is merged once, and can be labelled before.
    const content = subject?.startsWith('merge:') === true ? 'rocket' : 'eyes';
    try {
      const isFirst = this.#isClaiming && (await forge.hasReacted(target, content)) === false;
      this.#isAccepted = isFirst;
      const reaction = await forge.react(target, content);
      return isFirst && reaction === 'known' ? 'new' : reaction;
    } catch (error) {
      if (!hasCode(error, 'forbidden') && !(target.place === 'pull' && hasCode(error, 'not-found'))) throw error;
      if (!mayFail) throw notRecorded(error);
      deps.log.warning(`The command gets no reaction. ${adviceOf(error)}`);
      return undefined;
    }
  }

  /** The pull request was labelled for an earlier head, whose record explains the reaction. */
  #isOfOtherLabel(): boolean {
    const isLabel = (command: string) => command.startsWith('label:');
    const others = this.records.filter(({ record: known }) => known.command !== this.#command && isClaim(known));
    return isLabel(this.#command) && others.some(({ record: known }) => isLabel(known.command));
  }

  #wasProvablyNotSent(): boolean {
    return this.#same.some(({ record: known }) => !isClaim(known) && (known.job ?? known.creates) !== undefined);
  }

  /** The Stop for a command that has a claim. The comment of an attempt that was killed is ended: it would say "sending". */
  async #closeClaim(claim: Recorded): Promise<Stop> {
    const { deps, inputs } = this.#session;
    const { record: known, comment } = claim;
    const { runId, runAttempt } = deps.run;
    deps.record({ commentUrl: comment.url, ...(known.job !== undefined && { agentJobId: known.job }) });
    const isDead = known.state !== 'done' && known.run === runId && known.attempt < runAttempt;
    if (isDead && inputs.statusComment && !inputs.dryRun) {
      await tryTo(deps, 'Updating the status comment', () => endComment(this.#session, this.#place, claim));
    }
    return alreadyDone(claim);
  }

  /** A later attempt sends only where it is shown that no earlier one can have sent: a missing comment may have been deleted. */
  async #checkEarlierAttempts(): Promise<Stop | undefined> {
    const { deps, trigger, forge, inputs } = this.#session;
    const { runId, runAttempt } = deps.run;
    const answered = this.#same.filter(({ record: known }) => known.run === runId);
    const answeredUpTo = Math.max(0, ...answered.map(({ record: known }) => known.attempt));
    if (answeredUpTo >= runAttempt - 1) return undefined;
    const hasReacted = trigger.kind === 'comment' ? await forge.hasReacted(trigger, 'eyes') : undefined;
    if (hasReacted === true) return alreadyReacted();
    for (let attempt = answeredUpTo + 1; attempt < runAttempt; attempt += 1) {
      const outcome = await deps.run.outcomeOf(attempt, inputs.githubToken);
      // An attempt that failed without our reaction failed in its checks: the reaction comes before the message.
      const isShown = outcome === 'not-reached' || (outcome === 'failed' && hasReacted === false);
      if (!isShown) {
        const why =
          outcome === 'unknown'
            ? ' What that attempt did could not be read: in a private repository it needs the permission actions: read.'
            : '';
        return skip(
          `The instruction may have been sent by attempt ${attempt} of this run, whose record is missing; it is not sent again.${why} ${COMMENT_AGAIN}`,
        );
      }
      // That holds only where the token can react.
      if (outcome === 'failed') this.#needsReaction = true;
    }
    return undefined;
  }
}

function isRival(other: StatusRecord, ours: StatusRecord): boolean {
  return isClaim(other) && (other.command === ours.command || (isCreation(ours) && isCreation(other)));
}

const COMMENT_AGAIN = 'Write the command again in a new comment; an instruction from the input prompt needs a new run.';

function alreadyDone({ record: known, comment }: Recorded): Stop {
  const may = known.state === 'sending' ? 'may have been sent' : 'was sent';
  return skip(
    `The instruction ${may} by run ${known.run}, attempt ${known.attempt}; it is not sent again. See ${comment.url}`,
  );
}

function alreadyReacted(): Stop {
  return skip(
    `The command (or the pull request that was merged or labelled) already has our reaction and no valid record, so the instruction may have been sent; it is not sent again. ${COMMENT_AGAIN}`,
  );
}

function notRecorded(error: CourierError): CourierError {
  return error.with({ message: `Not sent: the run cannot record that it sent this command. ${error.message}` });
}

function claimLost(): CourierError {
  return new CourierError({
    code: 'network',
    message: 'Not sent: the status comment could not be written, or was not found again.',
    hint: 'Write the command again in a new comment.',
  });
}
