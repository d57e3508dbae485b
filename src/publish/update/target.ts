import type { ChangeRequest, CiRun } from '../../ci/port.ts';
import { checkMayPreview, checkMayWrite } from '../../ci/rights.ts';
import { plainLine } from '../../ground/text/escape.ts';
import { assertNotCaused } from '../../steps/content/content.ts';
import { isCommit } from '../../steps/content/summary.ts';

/** What a run of mode `publish` is for. */
export interface Target {
  /** The branch that is previewed; undefined: the project is published. */
  readonly branch: string | undefined;
  /**
   * The commit of the event, which the update should contain; undefined: the event is not about the
   * branch, or names no commit.
   */
  readonly commit: string | undefined;
  /** The open pull request of the branch. */
  readonly pull?: number | undefined;
}

/**
 * The branches that merge queues push to try a merge, and delete minutes later: those of GitHub, of
 * Mergify and of Trunk, as they are called unless a person has changed it.
 * https://docs.github.com/repositories/configuring-branches-and-merges-in-your-repository/configuring-pull-request-merges/managing-a-merge-queue
 * https://docs.mergify.com/changelog/2022-07-20-queue-branch-prefix-is-now-configurable
 * https://docs.trunk.io/merge-queue
 */
const OF_A_QUEUE = /^(?:gh-readonly-queue|mergify\/merge-queue|trunk-merge)\//;

/**
 * What to publish or preview, by the input `branch` and the event. `skip`: why there is nothing to
 * do. Throws `refused` or `config` for a run that may do neither.
 */
export function targetOf(
  namedBranch: string | undefined,
  run: CiRun,
): Target | { readonly skip: string } {
  // Refuses an event that publishing causes: the workflow would start itself without end.
  assertNotCaused('mode: publish', run.eventName);
  const queued = queuedBranch(namedBranch, run);
  if (queued !== undefined)
    return { skip: `A merge queue only tries ${plainLine(queued, 100)}, which has no preview` };
  // The run of a merged request is treated like a push: the change is in the target branch now.
  if (run.changeRequest?.isMerged === false) return targetOfPull(run.changeRequest, namedBranch);
  // A pushed branch is previewed, except the default branch, which is published.
  const isPreview = run.cause === 'push' && run.isDefaultBranch === false;
  const pushed = isPreview ? run.branch : undefined;
  const branch = namedBranch ?? pushed;
  if (branch === undefined) checkMayWrite(run);
  else checkMayPreview(run);
  // The commit of the event is on the pushed branch; without a preview, on the deployment branch.
  // Another branch that the input names has other commits.
  const isOfEvent = branch === pushed;
  return { branch, commit: isOfEvent ? commitIn(run.github.sha) : undefined };
}

/**
 * The branch or the merge request that a merge queue tries to merge; undefined: the run is not for
 * one.
 */
function queuedBranch(namedBranch: string | undefined, run: CiRun): string | undefined {
  const { changeRequest } = run;
  // What was merged is to be published, whatever its branch was called.
  if (changeRequest?.isMerged) return undefined;
  if (changeRequest?.isInTrain) return changeRequest.branch;
  // Also in a run on `merge_group`, which only GitHub's merge queue causes.
  const branch = namedBranch ?? changeRequest?.branch ?? run.branch ?? '';
  return OF_A_QUEUE.test(branch) ? branch : undefined;
}

/** The text, if it is a commit. */
function commitIn(text: string): string | undefined {
  return isCommit(text) ? text : undefined;
}

/** The target of an event of a pull request that was not merged. */
function targetOfPull(
  request: ChangeRequest,
  branch = request.branch,
): ReturnType<typeof targetOf> {
  if (!request.isOpen) return { skip: 'The pull request was closed without a merge' };
  if (!request.isOwn) {
    return {
      skip: 'The pull request comes from a fork: only branches of the connected repository have a preview',
    };
  }
  // The event is about another branch than the one to preview.
  if (branch !== request.branch) return { branch, commit: undefined };
  return { branch, commit: commitIn(request.commit), pull: request.number };
}
