import {
  adviceOf,
  type ChangesNotice,
  keyOf,
  PullComments,
  runLink,
} from '../../comment/pull-comments.ts';
import type { Comment } from '../../github/pull-request.ts';
import { shownPath } from '../../ground/confined-files.ts';
import { assertFailure } from '../../ground/errors.ts';
import { formatInstant } from '../../ground/text/amounts.ts';
import { codeSpan } from '../../ground/text/escape.ts';
import { fieldOf } from '../../ground/text/json.ts';
import { pageUrls } from '../../ground/text/names.ts';
import type { CommentInputs, ExportInputs, PublishInputs } from '../../inputs/inputs.ts';
import type { Context } from '../../run/context.ts';
import type { Comparison } from '../../site/compare/comparison.ts';
import { formatAddress } from '../../stores/kinds.ts';
import { countChanges, countsText } from '../changes/changes-summary.ts';
import type { DeliveredExport, Step } from '../step.ts';
import { changesText, whenText, withStatus } from './changes-text.ts';

/**
 * Signs the comments about a given site, as such a run needs no key. It is public, so the signature
 * proves nothing: a comment of another account is never ours, and nothing is decided by one.
 */
const KEYLESS = 'docs-courier/given';

/**
 * The step that comments on what an export changed. The export writes the comment; each refresh of
 * its link and each rollback updates it.
 */
export function commentStep(inputs: PublishInputs, comment: CommentInputs, deps: Context): Step {
  const isGiven = inputs.mode === 'export' && inputs.from !== undefined;
  let target = `the merged pull request of ${deps.github.run.repository}`;
  let secret = inputs.adminApiKey;
  if (isGiven) {
    target = `the pull request of this run in ${deps.github.run.repository}`;
    secret = KEYLESS;
  }
  /** A failure is only a warning. Throws only `cancelled`. */
  const attempt = async (subject: string, write: (comments: PullComments) => Promise<void>) => {
    try {
      await write(await PullComments.open(comment, { secret, deps }));
    } catch (error) {
      assertFailure(error);
      const advice = adviceOf(error);
      deps.log.warning(
        `The comment about what changed could not be written; ${subject}. ${advice}`,
      );
    }
  };
  let isWritten = false;
  return {
    plan: () => [{ action: 'comment on what changed', target }],
    /** On an open pull request also if a check fails after this: its author sees why. */
    async compared(comparison) {
      if (inputs.mode !== 'export' || !isGiven || openPull(deps) === undefined) return;
      isWritten = true;
      const { jobId } = comparison.to;
      await attempt('the summary says the same', (comments) =>
        commentOnMerge(inputs, comments, { jobId, comparison }, deps),
      );
    },
    async after(delivered) {
      if (isWritten) return {};
      await attempt('the export itself is in place', (comments) => {
        if (inputs.mode === 'export') return commentOnMerge(inputs, comments, delivered, deps);
        return updateComments(comments, delivered, deps);
      });
      return {};
    },
  };
}

/** What a comment is about. `api`: undefined for a site that was there already. */
type Commented = Pick<DeliveredExport, 'jobId' | 'comparison' | 'isLive' | 'contentCommit'> &
  Partial<Pick<DeliveredExport, 'api'>>;

/** Writes the comment on the pull request that was merged, or updates it. */
async function commentOnMerge(
  inputs: ExportInputs,
  comments: PullComments,
  delivered: Commented,
  deps: Context,
): Promise<void> {
  const { from } = inputs;
  // An export of the platform has what was merged; a given site may be that of a pull request.
  const proposed = from && openPull(deps);
  const pull = proposed || (await findMergedPull(comments, deps));
  if (pull === undefined) return;
  const { jobId: job, comparison, isLive = false, contentCommit } = delivered;
  const { domain, projectId } = delivered.api?.source ?? {};
  // A run that follows a job by its id may know neither domain nor project.
  const site =
    domain ?? projectId ?? (from && shownPath(from, deps.run.workspace)) ?? 'of this repository';
  // Each site with its destinations has one comment, found by this key in its notice: the signed
  // line at its beginning.
  const destinations = (inputs.to?.addresses ?? []).map(formatAddress).join(', ');
  const step = keyOf({ site, destinations });
  const earlier = await comments.find(pull, 'changes', (notice) => notice.step === step);
  const status = `By ${runLink(deps.github.run)}.`;
  const since = new Date(deps.clock.now()).toISOString();
  // A re-run changes the last line, since when it is live, and the job, by which a later refresh
  // finds the comment.
  const isProposed = proposed === pull;
  if (earlier !== undefined && !isProposed && isRepeated(earlier.notice, delivered)) {
    const former = earlier.notice;
    const notice = { ...former, job, isLive };
    if (former.isLive !== isLive) notice.since = since;
    const body = textBelowNotice(earlier.comment).replace(whenText(former), whenText(notice));
    const url = await comments.write(pull, earlier.comment, notice, withStatus(body, status));
    return deps.log.info(`Updated the comment on pull request ${pull}: ${url}`);
  }
  const counts = countsOf(comparison);
  const notice: ChangesNotice = { version: 2, kind: 'changes', step, job, counts, since, isLive };
  // On a public repository, titles are shown only if the input says so.
  const pages = (await comments.showsPages()) ? comparison : undefined;
  const toUrl = pageUrls(inputs.live?.url);
  const newlyBroken = comparison?.newlyBroken?.length;
  const text = changesText({ site, notice, isProposed, newlyBroken, pages, toUrl, contentCommit });
  const url = await comments.write(pull, earlier?.comment, notice, withStatus(text, status));
  deps.log.info(`Commented on pull request ${pull}: ${countsText(counts)}. ${url}`);
}

/** The open pull request that this run is for. */
function openPull({ run }: Context): number | undefined {
  if (!run.changeRequest?.isOpen) return undefined;
  return run.changeRequest.number;
}

/**
 * The merged pull request that this run follows. undefined, with a line in the log: there is none,
 * as for a run that was started manually or on a schedule.
 */
async function findMergedPull(
  comments: PullComments,
  { run, github, log }: Context,
): Promise<number | undefined> {
  if (run.cause !== 'push' && run.cause !== 'merge') {
    log.info(`No comment: a run by ${run.eventName ?? 'this event'} follows no merge.`);
    return undefined;
  }
  const event = await github.event();
  const number = fieldOf(event, 'pull_request', 'number');
  if (typeof number === 'number') return number;
  // The event of a push names none: GitHub is asked which pull request brought the commit. A run
  // that another workflow started is for the commit of that workflow's run.
  const followed = fieldOf(event, 'workflow_run', 'head_sha');
  const commit = typeof followed === 'string' ? followed : github.run.sha;
  const pull = await comments.repo.mergedPull(commit);
  if (pull === undefined)
    log.info(`No comment: commit ${commit.slice(0, 7)} belongs to no merged pull request.`);
  return pull;
}

/**
 * Updates the comment about an export after a refresh of its link. After a rollback, updates two:
 * that of the replaced export says that it was rolled back, that of the earlier one that it is live
 * again.
 */
async function updateComments(
  comments: PullComments,
  delivered: DeliveredExport,
  deps: Context,
): Promise<void> {
  const { jobId, expiresAt, replacedJobId } = delivered;
  const now = formatInstant(new Date(deps.clock.now()));
  const run = runLink(deps.github.run);
  // Replaces the last line of the comment about an export, if there is such a comment.
  const replaceStatus = async (job: string, status: string) => {
    // The export was made for this commit, which was merged by the pull request with the comment.
    const commit = delivered.delivery?.exports?.find((one) => one.job === job)?.commit;
    const pull = commit && (await comments.repo.mergedPull(commit));
    const earlier = pull && (await comments.find(pull, 'changes', (notice) => notice.job === job));
    // Such as for an export that was started by hand.
    if (!pull || !earlier) return deps.log.info(`No comment is about export job ${job}.`);
    const text = withStatus(textBelowNotice(earlier.comment), status);
    await comments.write(pull, earlier.comment, earlier.notice, text);
    deps.log.info(`Updated the comment on pull request ${pull}: ${earlier.comment.url}`);
  };
  const untilWhen = (subject: string) => {
    // The platform need not say it.
    if (expiresAt === undefined) return '';
    return `; ${subject} works until ${formatInstant(new Date(expiresAt))}`;
  };
  const isRefresh = replacedJobId === undefined;
  if (isRefresh) {
    const status = `The link was renewed on ${now} by ${run}${untilWhen('it')}.`;
    return replaceStatus(jobId, status);
  }
  const live = `export job ${codeSpan(jobId, 80)} is live again`;
  await replaceStatus(replacedJobId, `**Rolled back on ${now}** by ${run}: ${live}.`);
  const status = `Live again since ${now}, by a rollback in ${run}${untilWhen('its link')}.`;
  await replaceStatus(jobId, status);
}

/** The visible text of a comment: its first line is the notice, which GitHub does not show. */
function textBelowNotice(comment: Comment): string {
  return comment.body.slice(comment.body.indexOf('\n') + 1);
}

/**
 * True if this is a re-run, which compares with the export of its first attempt and finds no
 * difference: then the comment still says what the pull request changed.
 */
function isRepeated(notice: ChangesNotice, { comparison, jobId }: Commented): boolean {
  // Without a job to compare with, only the same job is known to have changed the same.
  if (comparison?.from.jobId === undefined) return notice.job === jobId;
  const { added, changed, moved, removed } = countChanges(comparison);
  return comparison.from.jobId === notice.job && added + changed + moved + removed === 0;
}

function countsOf(comparison: Comparison | undefined): ChangesNotice['counts'] {
  // A re-run whose export is live already compares it with itself: that says nothing.
  if (comparison === undefined || comparison.from.jobId === comparison.to.jobId) return undefined;
  const { added, changed, moved, removed, lost } = countChanges(comparison);
  return { added, changed, moved, removed, lost };
}
