import { CourierError, unless } from '../errors.ts';
import { isOwn } from '../github/pull-request.ts';
import type { AgentInputs } from '../inputs/inputs.ts';
import { hasEnded } from './find-job.ts';
import { commandId, placeOf, type Recorded, readMarker, type StatusRecord } from './record.ts';
import {
  type AgentDeps,
  connectRepository,
  type Session,
  tryTo,
  type Workplace,
} from './session.ts';
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

/**
 * On the pull request of a command. What an earlier attempt of this run did about this command is
 * handled by its comment.
 */
export async function endLeftoversHere(
  session: Session,
  records: readonly Recorded[],
): Promise<void> {
  const own = commandId(session);
  const ownRun = session.deps.github.run.runId;
  const isOwnCommand = (found: StatusRecord) => found.command === own && found.run === ownRun;
  const others = records.filter((one) => !isOwnCommand(one.record));
  await endLeftovers(session, others);
}

/** On a schedule: among the repository's latest comments. Never fails. */
export async function endLeftoversOnSchedule(inputs: AgentInputs, deps: AgentDeps): Promise<void> {
  if (!inputs.statusComment || inputs.dryRun) return;
  try {
    const repo = await connectRepository(deps, inputs.githubToken);
    const workplace = { inputs, deps, repo };
    const found: Recorded[] = [];
    for (const comment of await repo.recentComments(new Date(deps.clock.now() - SINCE_MS))) {
      const marker = readMarker(placeOf(workplace, comment.pullNumber), comment);
      if (marker.kind === 'valid') found.push({ comment, record: marker.record });
    }
    if (!found.some(isUnfinished)) return;
    const own = await repo.whoWeAre();
    const ours = found.filter((one) => isOwn(one.comment, own));
    await endLeftovers(workplace, ours);
  } catch (error) {
    if (!(error instanceof CourierError)) throw error;
    deps.log.debug(`Did not look for status comments of killed runs: ${error.message}`);
  }
}

/** The comment says that a run follows the job; whether that is true shows later. */
function isUnfinished(one: Recorded): boolean {
  return one.record.state === 'sending' || one.record.state === 'sent';
}

/** Ends status comments whose run was killed. Best effort. */
async function endLeftovers(workplace: Workplace, all: readonly Recorded[]): Promise<void> {
  const { deps, inputs } = workplace;
  if (!inputs.statusComment || inputs.dryRun) return;
  const { runId, runAttempt } = deps.github.run;
  const others = all.filter((one) => {
    const isOfOther = one.record.run !== runId || one.record.attempt < runAttempt;
    return isOfOther && isUnfinished(one);
  });
  let ended = 0;
  for (const one of others.slice(0, MAX_EXAMINED)) {
    if (ended === MAX_ENDED) return;
    const hasEnded = await tryTo(
      deps,
      `Ending the status comment of an earlier run, ${one.comment.url},`,
      () => endLeftover(workplace, one),
    );
    if (hasEnded === true) ended += 1;
  }
}

/** Ends the comment if its run is gone, and only as it was read. Says whether it did. */
async function endLeftover(workplace: Workplace, one: Recorded): Promise<boolean> {
  const { comment, record } = one;
  const { pullNumber } = comment;
  if (!(await runHasEnded(workplace, one))) return false;
  const phase = await phaseNow(workplace, record);
  if (phase === undefined) return false;
  // The run may still be running after all.
  const place = { place: 'conversation', id: comment.id, pull: { number: pullNumber } } as const;
  if ((await workplace.repo.textNow(place)) !== comment.body) return false;
  await endComment(workplace, one, phase);
  workplace.deps.log.info(
    `Ended the status comment of run ${record.run}, which ended without a report: ${comment.url}`,
  );
  return true;
}

async function runHasEnded(workplace: Workplace, one: Recorded): Promise<boolean> {
  const { deps, inputs } = workplace;
  const run = one.record.run;
  // An earlier attempt of this run.
  if (run === deps.github.run.runId) return true;
  const { isRunOver } = await import('../ci/github/earlier-attempts.ts');
  const isOver = await isRunOver(deps.github, run, inputs.githubToken);
  return isOver ?? deps.clock.now() - one.comment.updatedAtMs > LONGEST_RUN_MS;
}

/** What the comment is to say; undefined while the agent keeps running. */
async function phaseNow(
  workplace: Workplace,
  record: StatusRecord,
): Promise<StatusPhase | undefined> {
  if (record.state === 'sending' || record.job === undefined) return phaseOf(record);
  const id = { projectId: workplace.inputs.projectId, id: record.job };
  const reply = await unless(['not-found'], () =>
    workplace.deps.platform.getAgentJob(id, { repeat: 'always' }),
  );
  const jobStatus = reply?.value.status;
  if (jobStatus !== undefined && !hasEnded(jobStatus)) return undefined;
  return { kind: 'left', jobStatus };
}
