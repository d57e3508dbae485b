import { createHash } from 'node:crypto';
import type { CourierError } from '../../errors.ts';
import type { Comment } from '../../forge/github/pull-request.ts';
import { type Reaction, react } from '../../forge/github/reaction.ts';
import {
  createStatusComments,
  type OwnComment,
  type Recorded,
  type StatusComments,
} from '../../forge/github/status-comments.ts';
import { createNonce, isClaim, type RecordState, type StatusRecord } from '../../forge/github/status-record.ts';
import type { FoundJob } from './find-job.ts';
import { isCode, runUrl, type Session, type Stop, skip, tryTo } from './session.ts';
import { renderStatusComment, type StatusPhase, type StatusView } from './status-view.ts';

export type ViewFacts = Partial<Omit<StatusView, 'phase' | 'runUrl'>>;

/** The status comment of one command: its claim, and what it shows. */
export interface Board {
  /** Every record of ours on the pull request, oldest first. */
  readonly records: readonly Recorded[];
  /** What an earlier run has done about this command, where that keeps this one from sending. */
  earlier(): Promise<Stop | undefined>;
  /** Claims the command for this run; a Stop where another run has it, or where nothing may be sent without a record. */
  claim(job: Pick<FoundJob, 'id' | 'madeThis'>): Promise<Stop | undefined>;
  /** Keeps in the record that the job made this pull request: the platform does not tell while the job is active. */
  keepMade(): void;
  /** Facts for every phase from now on. */
  know(facts: ViewFacts): void;
  /** Shows a phase, best effort, with all facts known so far. */
  show(phase: StatusPhase, facts?: ViewFacts): Promise<void>;
  /** Makes the comment of a claim final, also one whose making was interrupted; without a claim it writes nothing. */
  end(phase: StatusPhase): Promise<void>;
  react(content: Reaction): Promise<'new' | 'known' | 'none' | undefined>;
}

export function createBoard(session: Session, listed: readonly Comment[]): Board {
  const { deps, inputs, octokit, repository, pullNumber, author } = session;
  const place = { secret: inputs.adminApiKey, repository: deps.github.run.repository, pullNumber };
  const comments = createStatusComments({ octokit, repository, place, author });
  const records = comments.find(listed);
  const command = commandId(session);
  const about = records.filter(({ record }) => record.command === command);
  const nonce = createNonce();
  let own: OwnComment | undefined;
  let job: string | undefined;
  let made = false;
  let claiming = false;
  let view: Omit<StatusView, 'phase'> = emptyView(session);

  const recordOf = (state: RecordState): StatusRecord => {
    const { runId: run, runAttempt: attempt } = deps.github.run;
    return {
      version: 1,
      command,
      run,
      attempt,
      nonce,
      state,
      ...(job !== undefined && { job }),
      ...(made && { made }),
    };
  };
  const tell = (comment: OwnComment) => {
    own = comment;
    deps.tell({ commentUrl: comment.url });
  };

  async function show(phase: StatusPhase, facts: ViewFacts = {}): Promise<void> {
    view = { ...view, ...facts };
    if (!inputs.statusComment || inputs.dryRun) return;
    const body = deps.log.redact(renderStatusComment({ ...view, phase }));
    const state = stateOf(phase);
    const reach = await reachFor(session, phase);
    const board = createStatusComments({ octokit: reach, repository, place, author });
    await tryTo(deps, 'Updating the status comment', async () => {
      if (own !== undefined) return board.update(own, { record: recordOf(state), body });
      // An answer replaces an earlier one to the same command; it claims nothing.
      const stale = about.findLast(({ record }) => !isClaim(record));
      if (stale !== undefined) {
        tell(stale.comment);
        return board.update(stale.comment, { record: recordOf('answered'), body });
      }
      if (state === 'answered') tell(await board.answer(recordOf(state), body));
    });
  }

  async function end(phase: StatusPhase): Promise<void> {
    if (own === undefined && claiming) {
      const reach = await reachFor(session, phase);
      own = await tryTo(deps, 'Finding the status comment', () =>
        createStatusComments({ octokit: reach, repository, place, author }).findMade(nonce),
      );
    }
    if (own !== undefined) await show(phase);
  }

  return {
    records,
    show,
    end,
    keepMade() {
      made = true;
    },
    know(facts) {
      view = { ...view, ...facts };
    },
    async earlier() {
      const claim = about.find(({ record }) => isClaim(record));
      if (claim !== undefined) return stopFor(session, comments, claim);
      if (inputs.statusComment || deps.github.run.runAttempt === 1) return undefined;
      return withoutRecord();
    },
    async claim(found) {
      job = found.id;
      made ||= found.madeThis;
      if (!inputs.statusComment) return claimByReaction(session);
      try {
        const body = deps.log.redact(renderStatusComment({ ...view, phase: { kind: 'sending' } }));
        claiming = true;
        const claim = await comments.claim({ record: recordOf('sending'), body, onMade: tell });
        if (claim.kind === 'taken') {
          own = undefined;
          deps.tell({ commentUrl: claim.by.comment.url });
          return alreadyDone(claim.by);
        }
        tell(claim.comment);
      } catch (error) {
        if (own !== undefined || !isCode(error, 'forbidden')) throw error;
        claiming = false;
        return withoutComment(session, error);
      }
      for (const { comment, record } of about) {
        if (!isClaim(record)) await tryTo(deps, 'Removing an older answer', () => comments.remove(comment));
      }
      return undefined;
    },
    async react(content) {
      const { trigger } = session;
      if (trigger.kind !== 'comment' || inputs.dryRun) return undefined;
      return tryTo(deps, 'Reacting to the comment', () => react({ octokit, repository, comment: trigger, content }));
    },
  };
}

/** What makes a command the same one in every delivery and every attempt. */
export function commandId({ trigger, deps, inputs }: Session): string {
  if (trigger.kind === 'comment') return `${trigger.place}:${trigger.id}`;
  const { runId, job } = deps.github.run;
  const what = createHash('sha256')
    .update(`${inputs.agentJobId ?? ''}\n${inputs.prompt ?? ''}`)
    .digest('hex');
  return `run:${runId}:${job}:${what.slice(0, 16)}`;
}

function emptyView(session: Session): Omit<StatusView, 'phase'> {
  return {
    asker: undefined,
    instruction: undefined,
    commit: undefined,
    job: undefined,
    elapsedMs: undefined,
    runUrl: runUrl(session),
  };
}

// After a cancellation the run's own client sends nothing any more; a last word may take four seconds.
const LAST_WORD_MS = 4000;

async function reachFor({ deps, inputs, octokit }: Session, phase: StatusPhase) {
  if (phase.kind !== 'cancelled' && !deps.signal.aborted) return octokit;
  return deps.github.connect(inputs.githubToken, AbortSignal.timeout(LAST_WORD_MS));
}

function stateOf(phase: StatusPhase): RecordState {
  switch (phase.kind) {
    case 'sending':
      return 'sending';
    case 'sent':
    case 'working':
      return 'sent';
    case 'refused':
    case 'help':
      return 'answered';
    case 'error':
    case 'cancelled':
      return phase.sent ? 'done' : 'answered';
    default:
      return 'done';
  }
}

function alreadyDone({ record, comment }: Recorded): Stop {
  const may = record.state === 'sending' ? 'may have been sent' : 'was sent';
  return skip(
    `The instruction ${may} by run ${record.run}, attempt ${record.attempt}; it is not sent again: ${comment.url}`,
  );
}

// A claim whose run was killed says "sending" for ever; an attempt of the same run knows that nobody goes on with it.
async function stopFor(session: Session, comments: StatusComments, claim: Recorded): Promise<Stop> {
  const { deps, inputs } = session;
  const { record, comment } = claim;
  const { runId, runAttempt } = deps.github.run;
  deps.tell({ commentUrl: comment.url, ...(record.job !== undefined && { agentJobId: record.job }) });
  const dead = record.state !== 'done' && record.run === runId && record.attempt < runAttempt;
  if (dead && inputs.statusComment && !inputs.dryRun) {
    const job = record.job === undefined ? undefined : { id: record.job };
    const phase: StatusPhase = record.state === 'sending' ? { kind: 'unclear' } : { kind: 'detached' };
    const body = deps.log.redact(renderStatusComment({ ...emptyView(session), job, phase }));
    await tryTo(deps, 'Updating the status comment', () =>
      comments.update(comment, { record: { ...record, state: 'done' }, body }),
    );
  }
  return alreadyDone(claim);
}

function withoutRecord(): Stop {
  return skip(
    'The instruction may have been sent by an earlier attempt, which could write no record; it is not sent again. Write the command in a new comment.',
  );
}

function withoutComment(session: Session, error: CourierError): Promise<Stop | undefined> | Stop {
  session.deps.log.warning(
    `The status comment cannot be written: ${error.message} Give the job: permissions: pull-requests: write`,
  );
  return session.deps.github.run.runAttempt > 1 ? withoutRecord() : claimByReaction(session);
}

/** Where there is no record, our own reaction to the comment is the next best sign of an earlier delivery. */
async function claimByReaction({ trigger, octokit, repository, deps }: Session): Promise<Stop | undefined> {
  if (trigger.kind !== 'comment') return undefined;
  const made = await tryTo(deps, 'Reacting to the comment', () =>
    react({ octokit, repository, comment: trigger, content: 'eyes' }),
  );
  return made === 'known' ? withoutRecord() : undefined;
}
