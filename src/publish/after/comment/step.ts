import type { Comparison } from '../../../bundle/compare/comparison.ts';
import {
  adviceOf,
  type ChangesNotice,
  keyOf,
  PullComments,
  runLink,
} from '../../../comment/pull-comments.ts';
import { hasCode, toCourierError } from '../../../errors.ts';
import type { Comment } from '../../../github/pull-request.ts';
import type { CommentInputs, PublishInputs } from '../../../inputs/inputs.ts';
import type { Context } from '../../../run/context.ts';
import { formatAddress } from '../../../stores/kinds.ts';
import { formatInstant } from '../../../text/amounts.ts';
import { codeSpan } from '../../../text/escape.ts';
import { fieldOf } from '../../../text/json.ts';
import { pageUrls } from '../../../text/names.ts';
import { countChanges } from '../../changes/changes-summary.ts';
import type { AfterStep, DeliveredExport } from '../step.ts';
import { changesText, countsText, withStatus } from './changes-text.ts';

interface CommentDeps extends Pick<Context, 'run' | 'github' | 'log' | 'clock'> {
  readonly inputs: PublishInputs;
}

/**
 * The comment about what an export changed: written by the export, brought up to date by each
 * refresh of its link and by a rollback.
 */
export function commentStep(
  inputs: PublishInputs,
  comment: CommentInputs,
  context: Context,
): AfterStep {
  const { log, github } = context;
  const deps = { ...context, inputs };
  return {
    plan: () => [
      {
        action: 'comment on what changed',
        target: `the merged pull request of ${github.run.repository}`,
      },
    ],
    /** Never fails the run: the export is in place. */
    async run(delivered) {
      try {
        const comments = await PullComments.open(comment, { secret: inputs.adminApiKey, deps });
        await (inputs.mode === 'export' ? commentOnMerge : update)(comments, delivered, deps);
      } catch (error) {
        if (hasCode(error, 'cancelled')) throw error;
        const warning = adviceOf(toCourierError(error));
        log.warning(
          `The comment about what changed could not be written; the export itself is in place. ${warning}`,
        );
      }
    },
  };
}

/** Writes the comment on the pull request that was merged, or updates it. */
async function commentOnMerge(
  comments: PullComments,
  delivered: DeliveredExport,
  deps: CommentDeps,
): Promise<void> {
  const { log, clock, github, inputs } = deps;
  const pull = await mergedNow(comments, deps);
  if (pull === undefined) return;
  const { jobId, api, comparison, isLive = false, contentCommit } = delivered;
  const { to, live } = inputs;
  // As the platform knows the site; what is exported to other destinations has another comment.
  const site = api.source.domain || api.source.projectId || 'of this repository';
  const step = keyOf({ site, destinations: (to?.addresses ?? []).map(formatAddress).join(', ') });
  const known = await comments.find(pull, 'changes', (notice) => notice.step === step);
  const status = `By ${runLink(github.run)}.`;
  if (known !== undefined && isRepeated(known.notice, delivered)) {
    const notice = { ...known.notice, job: jobId };
    const url = await comments.write(
      pull,
      known.comment,
      notice,
      withStatus(visible(known.comment), status),
    );
    return log.info(`Updated the comment on pull request ${pull}: ${url}`);
  }
  const since = new Date(clock.now()).toISOString();
  const counts = countsOf(comparison);
  const notice: ChangesNotice = {
    version: 2,
    kind: 'changes',
    step,
    job: jobId,
    counts,
    since,
    isLive,
  };
  const pages = (await comments.showsPages()) ? comparison : undefined;
  const text = changesText({ site, notice, pages, toUrl: pageUrls(live?.url), contentCommit });
  const url = await comments.write(pull, known?.comment, notice, withStatus(text, status));
  log.info(`Commented on pull request ${pull}: ${countsText(counts)}. ${url}`);
}

/**
 * Says in the comment of an export that its link was renewed. After a rollback: in that of the
 * export which it replaced that this one is not live, and in that of the earlier one that it is.
 */
async function update(
  comments: PullComments,
  delivered: DeliveredExport,
  { clock, github, log }: CommentDeps,
): Promise<void> {
  const { jobId, delivery, expiresAt, replacedJobId } = delivered;
  const now = formatInstant(new Date(clock.now()));
  const run = runLink(github.run);
  const until = expiresAt === undefined ? '' : ` works until ${formatInstant(new Date(expiresAt))}`;
  // Replaces the last line of the comment about an export. Leaves alone an export without one.
  const say = async (job: string, status: string): Promise<void> => {
    const commit = delivery?.exports?.find((one) => one.job === job)?.commit;
    const pull = commit === undefined ? undefined : await comments.repo.mergedPull(commit);
    const known =
      pull === undefined
        ? undefined
        : await comments.find(pull, 'changes', (notice) => notice.job === job);
    if (pull === undefined || known === undefined)
      return log.debug(`No comment is about export job ${job}.`);
    await comments.write(
      pull,
      known.comment,
      known.notice,
      withStatus(visible(known.comment), status),
    );
    log.info(`Updated the comment on pull request ${pull}: ${known.comment.url}`);
  };
  if (replacedJobId === undefined) {
    return say(jobId, `The link was renewed on ${now} by ${run}${until && `; it${until}`}.`);
  }
  const live = `export job ${codeSpan(jobId, 80)} is live again`;
  await say(replacedJobId, `**Rolled back on ${now}** by ${run}: ${live}.`);
  await say(
    jobId,
    `Live again since ${now}, by a rollback in ${run}${until && `; its link${until}`}.`,
  );
}

/**
 * Of a run by a push or a merge: what was exported manually or on a schedule was not changed by a
 * pull request.
 */
async function mergedNow(
  { repo }: PullComments,
  { run, github, log }: CommentDeps,
): Promise<number | undefined> {
  if (run.cause !== 'push' && run.cause !== 'merge') {
    log.info(`No comment: a run by ${run.eventName ?? 'this event'} follows no merge.`);
    return undefined;
  }
  const event = await github.event();
  const number = fieldOf(event, 'pull_request', 'number');
  if (run.cause === 'merge' && typeof number === 'number') return number;
  const head = fieldOf(event, 'workflow_run', 'head_sha');
  const commit = typeof head === 'string' ? head : github.run.sha;
  const pull = await repo.mergedPull(commit);
  if (pull === undefined)
    log.info(`No comment: commit ${commit.slice(0, 7)} belongs to no merged pull request.`);
  return pull;
}

/** The text below the signed line. */
function visible({ body }: Comment): string {
  return body.slice(body.indexOf('\n') + 1);
}

/**
 * A run that is run again compares with what its first attempt put in place, and finds no
 * difference: what the comment says is still what the pull request changed.
 */
function isRepeated(
  notice: ChangesNotice,
  { comparison, jobId, isLive = false }: DeliveredExport,
): boolean {
  if (notice.isLive !== isLive) return false;
  if (comparison === undefined) return notice.job === jobId;
  const { from, added, changed, moved, removed } = comparison;
  return (
    from.jobId === notice.job && added.length + changed.length + moved.length + removed.length === 0
  );
}

function countsOf(comparison: Comparison | undefined): ChangesNotice['counts'] {
  if (comparison === undefined) return undefined;
  const { added, changed, moved, removed, lost } = countChanges(comparison);
  return { added, changed, moved, removed, lost };
}
