import { CourierError, unless } from '../errors.ts';
import { isOwn } from '../github/pull-request.ts';
import type { AgentInputs } from '../inputs/inputs.ts';
import { AGENT_JOB_STATUSES } from '../platform/contract.ts';
import { commandId, placeOf, type Recorded, readMarker, type StatusRecord } from './record.ts';
import { type AgentDeps, connectRepository, type Session, tryTo } from './session.ts';
import { endComment, phaseOf } from './status-comment.ts';
import type { StatusPhase } from './status-view.ts';

/**
 * So many comments are ended by one run; the others by the next. Each costs up to four requests.
 */
const MAX_ENDED = 5;
/** So many are looked at: those that keep running must not keep others from being ended. */
const MAX_EXAMINED = 20;
/** Used if GitHub does not say whether a run is over: longer than jobs may take anywhere. */
const LONGEST_RUN_MS = 24 * 3_600_000;
/** Older ones are ended by the next command on their pull request. */
const SINCE_MS = 7 * 24 * 3_600_000;

type LeftoverInit = Pick<Session, 'deps' | 'repo' | 'inputs'>;

/** A comment of ours that says that a run follows the job. */
interface Leftover extends Recorded {
  readonly pullNumber: number;
}

/**
 * On the pull request of a command. What an earlier attempt of this run did about this command is
 * handled by its comment.
 */
export async function endLeftoversHere(
  session: Session,
  records: readonly Recorded[],
): Promise<void> {
  const { deps, pullNumber } = session;
  const own = commandId(session);
  const others = records.filter(
    ({ record: { command, run } }) => command !== own || run !== deps.github.run.runId,
  );
  await endLeftovers(
    session,
    others.map((one) => ({ ...one, pullNumber })),
  );
}

/** On a schedule: among the repository's latest comments. Never fails. */
export async function endLeftoversOnSchedule(inputs: AgentInputs, deps: AgentDeps): Promise<void> {
  if (!inputs.statusComment || inputs.dryRun) return;
  try {
    const repo = await connectRepository(deps, inputs.githubToken);
    const recent = await repo.recentComments(new Date(deps.clock.now() - SINCE_MS));
    const found = recent.flatMap((comment) => {
      const { pullNumber } = comment;
      const marker = readMarker(placeOf({ deps, inputs }, pullNumber), comment);
      return marker.kind === 'valid' ? [{ comment, record: marker.record, pullNumber }] : [];
    });
    if (!found.some(isUnfinished)) return;
    const own = await repo.whoWeAre();
    await endLeftovers(
      { deps, repo, inputs },
      found.filter(({ comment }) => isOwn(comment, own)),
    );
  } catch (error) {
    if (!(error instanceof CourierError)) throw error;
    deps.log.debug(`Did not look for status comments of killed runs: ${error.message}`);
  }
}

/** The comment says that a run follows the job; whether that is true shows later. */
function isUnfinished({ record: { state } }: Recorded): boolean {
  return state === 'sending' || state === 'sent';
}

/**
 * Ends status comments whose run was killed: with a valid record of ours, and only as they were
 * read. Best effort.
 */
async function endLeftovers(init: LeftoverInit, all: readonly Leftover[]): Promise<void> {
  const { github, log } = init.deps;
  const { runId, runAttempt } = github.run;
  if (!init.inputs.statusComment || init.inputs.dryRun) return;
  const others = all
    .filter(isUnfinished)
    .filter(({ record }) => record.run !== runId || record.attempt < runAttempt);
  let ended = 0;
  for (const one of others.slice(0, MAX_EXAMINED)) {
    if (ended === MAX_ENDED) return;
    await tryTo(
      init.deps,
      `Ending the status comment of an earlier run, ${one.comment.url},`,
      async () => {
        const phase = (await runHasEnded(init, one)) ? await phaseNow(init, one.record) : undefined;
        if (phase === undefined) return;
        // The run may still be running after all.
        const place = {
          place: 'conversation',
          id: one.comment.id,
          pull: { number: one.pullNumber },
        } as const;
        if ((await init.repo.textNow(place)) !== one.comment.body) return;
        await endComment(init, { ...one, place: placeOf(init, one.pullNumber), phase });
        ended += 1;
        log.info(
          `Ended the status comment of run ${one.record.run}, which ended without a report: ${one.comment.url}`,
        );
      },
    );
  }
}

async function runHasEnded(
  { deps, inputs }: LeftoverInit,
  { record, comment }: Leftover,
): Promise<boolean> {
  // An earlier attempt of this run.
  if (record.run === deps.github.run.runId) return true;
  const { isRunOver } = await import('../ci/github/earlier-attempts.ts');
  const isOver = await isRunOver(deps.github, record.run, inputs.githubToken);
  return isOver ?? deps.clock.now() - comment.updatedAtMs > LONGEST_RUN_MS;
}

/** What the comment is to say; undefined while the agent keeps running. */
async function phaseNow(
  { deps, inputs }: LeftoverInit,
  record: StatusRecord,
): Promise<StatusPhase | undefined> {
  if (record.state === 'sending' || record.job === undefined) return phaseOf(record);
  const id = { projectId: inputs.projectId, id: record.job };
  const reply = await unless(['not-found'], () =>
    deps.platform.getAgentJob(id, { repeat: 'always' }),
  );
  const status = reply?.value.status;
  const isOver =
    status === undefined ||
    (status !== 'active' && AGENT_JOB_STATUSES.some((known) => known === status));
  return isOver ? { kind: 'left', jobStatus: status } : undefined;
}
