import { isOwn } from '../github/pull-request.ts';
import { CourierError, unless } from '../ground/errors.ts';
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
import { endComment, phaseOfKilledRun } from './status-comment.ts';
import type { StatusPhase } from './status-view.ts';

// A run that is killed leaves its status comment unfinished: "sending" or "working". To
// end a comment here means to make it final, so that it says what became of the command.

/**
 * One run ends at most this many comments, and the next run the others. Each costs up to four
 * requests.
 */
const MAX_ENDED = 5;
/**
 * One run looks at this many comments, more than it ends: comments of jobs that keep running must
 * not keep the others from being ended.
 */
const MAX_EXAMINED = 20;
/** Used if GitHub does not say whether a run is over: longer than jobs may take anywhere. */
const LONGEST_RUN_MS = 24 * 3_600_000;
/** Comments older than this are ended by the next command on their pull request. */
const SINCE_MS = 7 * 24 * 3_600_000;

/**
 * Ends status comments of killed runs on the pull request of a command. The record of an earlier
 * attempt of this run for the same command is left to `Claim`, which ends this attempt by it.
 */
export async function endLeftoversHere(
  session: Session,
  records: readonly Recorded[],
): Promise<void> {
  const command = commandId(session);
  const runId = session.deps.github.run.runId;
  const isLeftToClaim = (record: StatusRecord) =>
    record.command === command && record.run === runId;
  const others = records.filter((recorded) => !isLeftToClaim(recorded.record));
  await endLeftovers(session, others);
}

/**
 * Ends status comments of killed runs among the latest comments of the repository. A failure is
 * only logged.
 */
export async function endLeftoversOnSchedule(inputs: AgentInputs, deps: AgentDeps): Promise<void> {
  if (!inputs.statusComment || inputs.dryRun) return;
  try {
    const repo = await connectRepository(deps, inputs.githubToken);
    const workplace = { inputs, deps, repo };
    const recordedComments: Recorded[] = [];
    for (const comment of await repo.recentComments(new Date(deps.clock.now() - SINCE_MS))) {
      // A record is valid only on the pull request that it was written for.
      const marker = readMarker(placeOf(workplace, comment.pullNumber), comment);
      if (marker.kind === 'valid') recordedComments.push({ comment, record: marker.record });
    }
    // Most runs end here, without the request for our account.
    if (!recordedComments.some(isUnfinished)) return;
    const author = await repo.whoWeAre();
    const ours = recordedComments.filter((recorded) => isOwn(recorded.comment, author));
    await endLeftovers(workplace, ours);
  } catch (error) {
    // A bug still ends the run.
    if (!(error instanceof CourierError)) throw error;
    deps.log.debug(`Did not look for status comments of killed runs: ${error.message}`);
  }
}

/**
 * True if the comment says that a run still works on the command; whether that run exists is
 * checked later.
 */
export function isUnfinished(recorded: Recorded): boolean {
  return recorded.record.state === 'sending' || recorded.record.state === 'sent';
}

/** Ends status comments whose run was killed: a failure becomes a warning. */
async function endLeftovers(workplace: Workplace, all: readonly Recorded[]): Promise<void> {
  const { deps, inputs } = workplace;
  if (!inputs.statusComment || inputs.dryRun) return;
  const { runId, runAttempt } = deps.github.run;
  const unfinished = all.filter((recorded) => {
    const { run, attempt } = recorded.record;
    // Of this run, only the earlier attempts are over.
    const isUnderWay = run === runId && attempt >= runAttempt;
    return !isUnderWay && isUnfinished(recorded);
  });
  let ended = 0;
  for (const recorded of unfinished.slice(0, MAX_EXAMINED)) {
    if (ended === MAX_ENDED) return;
    const wasEnded = await tryTo(
      deps,
      `Ending the status comment of an earlier run, ${recorded.comment.url},`,
      () => endLeftover(workplace, recorded),
    );
    if (wasEnded === true) ended += 1;
  }
}

/**
 * Makes the comment final if its run is gone and the comment was not changed since it was read.
 * Gives whether it did.
 */
async function endLeftover(workplace: Workplace, recorded: Recorded): Promise<boolean> {
  const { comment, record } = recorded;
  const { pullNumber } = comment;
  if (!(await runHasEnded(workplace, recorded))) return false;
  const phase = await finalPhase(workplace, record);
  if (phase === undefined) return false;
  const target = { place: 'conversation', id: comment.id, pull: { number: pullNumber } } as const;
  const textNow = await workplace.repo.textNow(target);
  // A changed comment shows that its run is still running after all.
  if (textNow?.body !== comment.body) return false;
  await endComment(workplace, recorded, phase);
  workplace.deps.log.info(
    `Ended the status comment of run ${record.run}, which ended without a report: ${comment.url}`,
  );
  return true;
}

/** True if the run that wrote the comment will not change it any more. */
async function runHasEnded(workplace: Workplace, recorded: Recorded): Promise<boolean> {
  const { deps, inputs } = workplace;
  const run = recorded.record.run;
  // The record is by an earlier attempt of this run, which is over.
  if (run === deps.github.run.runId) return true;
  const { isRunOver } = await import('../ci/github/earlier-attempts.ts');
  const isOver = await isRunOver(deps.github, run, inputs.githubToken);
  if (isOver !== undefined) return isOver;
  return deps.clock.now() - recorded.comment.updatedAtMs > LONGEST_RUN_MS;
}

/** What the comment is to say; undefined while the agent works: then a later run ends it. */
async function finalPhase(
  workplace: Workplace,
  record: StatusRecord,
): Promise<StatusPhase | undefined> {
  // Whether the message was sent, or to which job, is not known: the platform cannot be asked.
  if (record.state === 'sending' || record.job === undefined) return phaseOfKilledRun(record);
  const id = { projectId: workplace.inputs.projectId, id: record.job };
  const reply = await unless(['not-found'], () =>
    workplace.deps.platform.getAgentJob(id, { repeat: 'always' }),
  );
  // undefined: the job was deleted, or the platform does not show jobs.
  const jobStatus = reply?.value.status;
  if (jobStatus !== undefined && !hasEnded(jobStatus)) return undefined;
  return { kind: 'abandoned', jobStatus };
}
