import { hasCode } from '../errors.ts';
import type { Comment, Forge, ForgeHost, OwnAuthor } from '../forges/port.ts';
import { AGENT_JOB_STATUSES, type AgentJob } from '../platform/contract.ts';
import { commandId } from './once.ts';
import { phaseOf } from './record-state.ts';
import { type Recorded, RecordedComments } from './recorded-comments.ts';
import { type AgentDeps, type Session, tryTo } from './session.ts';
import { type RecordPlace, readRecord, type StatusRecord } from './status-record.ts';
import { EMPTY_VIEW, renderStatusComment, type StatusPhase } from './status-view.ts';

/** So many comments are ended by one run; the others by the next. Each costs up to four requests. */
const MAX_ENDED = 5;
/** So many are looked at: those that go on must not keep others from being ended. */
const MAX_EXAMINED = 20;
/** Where nobody says whether a run is over: longer than jobs may take anywhere. */
const LONGEST_RUN_MS = 24 * 3_600_000;

interface LeftoverInit {
  readonly deps: Pick<AgentDeps, 'platform' | 'log' | 'clock' | 'run'> & {
    readonly forge: Pick<ForgeHost, 'repository'>;
  };
  readonly forge: Forge;
  readonly own: OwnAuthor;
  readonly adminApiKey: string;
  readonly projectId: string;
  /** Asks which runs are over. */
  readonly token: string;
}

/** A comment of ours that says that somebody goes on with it. */
interface Leftover extends Recorded {
  readonly pullNumber: number;
}

/** On the pull request of a command. What an earlier attempt of this run did about this command is looked after elsewhere. */
export async function endLeftoversHere(session: Session, records: readonly Recorded[]): Promise<void> {
  const { inputs, deps, forge, pullNumber } = session;
  const own = commandId(session);
  const isOurs = ({ command, run }: StatusRecord) => command === own && run === deps.run.runId;
  const found = unfinished(records, pullNumber).filter(({ record }) => !isOurs(record));
  if (!inputs.statusComment || inputs.dryRun || found.length === 0) return;
  const { adminApiKey, projectId, githubToken: token } = inputs;
  await endLeftovers({ deps, forge, own: await forge.whoWeAre(), adminApiKey, projectId, token }, found);
}

/** Those of a pull request's comments that say so; whether it is true shows later. */
export function unfinished(found: readonly Recorded[], pullNumber: number): Leftover[] {
  return found
    .filter(({ record }) => record.state === 'sending' || record.state === 'sent')
    .map((one) => ({ ...one, pullNumber }));
}

/**
 * Ends status comments whose run was killed: no signal reached that run, so its comment says for ever that it is followed.
 * Only comments of our own account with a valid record, only where the run is over, and only as they were read: best effort.
 */
export async function endLeftovers(init: LeftoverInit, all: readonly Leftover[]): Promise<void> {
  const { run, log } = init.deps;
  const others = all.filter(({ record }) => record.run !== run.runId || record.attempt < run.runAttempt);
  let ended = 0;
  for (const one of others.slice(0, MAX_EXAMINED)) {
    if (ended === MAX_ENDED) return;
    await tryTo(init.deps, `Ending the status comment of an earlier run, ${one.comment.url},`, async () => {
      const phase = (await isRunOver(init, one)) ? await phaseNow(init, one.record) : undefined;
      if (phase === undefined || !(await isAsRead(init, one))) return;
      await write(init, one, phase);
      ended += 1;
      log.info(`Ended the status comment of run ${one.record.run}, which ended without a report: ${one.comment.url}`);
    });
  }
}

async function isRunOver({ deps, token }: LeftoverInit, { record, comment }: Leftover): Promise<boolean> {
  // An earlier attempt of this run.
  if (record.run === deps.run.runId) return true;
  const isOver = await deps.run.isOver(record.run, token);
  return isOver ?? deps.clock.now() - comment.updatedAtMs > LONGEST_RUN_MS;
}

/** What the comment is to say; undefined while the agent works on. */
async function phaseNow({ deps, projectId }: LeftoverInit, record: StatusRecord): Promise<StatusPhase | undefined> {
  if (record.state === 'sending' || record.job === undefined) return phaseOf(record);
  try {
    const { value: job } = await deps.platform.getAgentJob({ projectId, id: record.job }, { repeat: 'always' });
    return isOver(job) ? { kind: 'left', jobStatus: job.status } : undefined;
  } catch (error) {
    if (!hasCode(error, 'not-found')) throw error;
    return { kind: 'left', jobStatus: undefined };
  }
}

function isOver({ status }: AgentJob): boolean {
  return status !== 'active' && AGENT_JOB_STATUSES.some((known) => known === status);
}

/** The run may have gone on meanwhile after all. */
async function isAsRead({ forge }: LeftoverInit, { comment, pullNumber }: Leftover): Promise<boolean> {
  const now = await forge.comment(pullNumber, comment.id);
  return now?.body === comment.body;
}

async function write(init: LeftoverInit, { record, comment, pullNumber }: Leftover, phase: StatusPhase): Promise<void> {
  const { deps, forge, own } = init;
  const jobStatus = phase.kind === 'left' ? phase.jobStatus : undefined;
  const job = record.job === undefined ? undefined : { id: record.job, status: jobStatus };
  const body = deps.log.redact(renderStatusComment({ ...EMPTY_VIEW, runUrl: deps.run.url, job, phase }));
  const comments = new RecordedComments(forge, placeOf(init, pullNumber), own);
  await comments.update(comment, { ...record, state: 'done' }, body);
}

export function placeOf(
  { adminApiKey, deps }: Pick<LeftoverInit, 'adminApiKey' | 'deps'>,
  pullNumber: number,
): RecordPlace {
  return { secret: adminApiKey, repository: deps.forge.repository, pullNumber };
}

/** The record of a comment that is valid below this pull request. */
export function recordedIn(place: RecordPlace, comment: Comment): Recorded[] {
  const record = readRecord(place, comment);
  return record === undefined ? [] : [{ comment, record }];
}
