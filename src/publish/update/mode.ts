import { MAY_BE_ABSENT } from '../../github/client.ts';
import { ownerAndRepo } from '../../github/connection.ts';
import { assertFailure, CourierError, type Hint, hasCode } from '../../ground/errors.ts';
import { plainLine } from '../../ground/text/escape.ts';
import { textOf } from '../../ground/text/json.ts';
import type { UpdateInputs } from '../../inputs/inputs.ts';
import { updatePath } from '../../platform/client.ts';
import type { Deps } from '../../run/context.ts';
import { defineMode } from '../../run/finish.ts';
import type { RunFacts, Write } from '../../run/report.ts';
import { publishFirst } from '../../steps/content/publish-first.ts';
import { isCommit } from '../../steps/content/summary.ts';
import { markOutdated, writeFailure, writePreview } from './comment.ts';
import type { MadePreview } from './comment-text.ts';
import { checkPreviewUrl } from './preview-address.ts';
import { type UpdateFacts, updatePresentation } from './summary.ts';
import { type Target, targetOf } from './target.ts';

type UpdateDeps = Deps<UpdateFacts>;

const IF_IMPOSSIBLE: Hint = {
  text: "Compare project-id with the API keys page of the dashboard: the project must belong to the organization of the key. If it is right, this installation cannot publish on request, and the platform's own App has to publish:",
  inputs: { 'project-id': '' },
};

/**
 * Mode `publish`: the platform publishes the project, or makes a preview of a branch. The run
 * follows the update to its end.
 */
export async function runUpdate(inputs: UpdateInputs, deps: UpdateDeps): Promise<RunFacts> {
  deps.record({ baseUrl: inputs.baseUrl, projectId: inputs.projectId });
  const target = targetOf(inputs.branch, deps.run);
  if ('skip' in target) return { status: 'skipped', reason: target.skip };
  deps.record({ branch: target.branch });
  if (inputs.dryRun) return { status: 'completed', planned: planOf(inputs, target) };
  // Until the new preview is ready, the comment shows one of an earlier commit.
  await markOutdated(inputs, target, deps);
  let made: MadePreview | undefined;
  try {
    made = await publish(inputs, target, deps);
  } catch (error) {
    return endAfter(error, inputs, target, deps);
  }
  if (made !== undefined) await showPreview(inputs, target, deps, made);
  return { status: 'completed' };
}

/** How a run ends after an error. Throws the error, unless the run may end without a result. */
async function endAfter(
  error: unknown,
  inputs: UpdateInputs,
  target: Target,
  deps: UpdateDeps,
): Promise<RunFacts> {
  // After a cancellation or a time-out, the platform may still make the preview.
  assertFailure(error);
  if (error.code === 'timed-out') {
    if (inputs.onTimeout === 'detach') return { status: 'detached', reason: error.message };
    throw error;
  }
  // What the platform may answer about a branch that was deleted meanwhile.
  const mayBeGone = hasCode(error, 'not-found', 'config', 'job-failed');
  if (mayBeGone && (await isGone(target, inputs.token, deps))) {
    deps.log.info(`No preview: ${error.message}`);
    return { status: 'skipped', reason: 'The branch is gone' };
  }
  await writeFailure(inputs, target, deps, error);
  throw error;
}

/** What a run would write: a dry run shows it. */
function planOf(inputs: UpdateInputs, { branch, pull }: Target): Write[] {
  const target = `POST ${inputs.baseUrl}/${updatePath({ projectId: inputs.projectId, branch })}`;
  if (branch === undefined) return [{ action: 'publish the project', target }];
  const writes = [{ action: `make a preview of branch "${plainLine(branch, 100)}"`, target }];
  if (inputs.comment && pull)
    writes.push({ action: 'comment on the preview', target: `pull request ${pull}` });
  return writes;
}

/** Requests and follows the update, and gives the preview; undefined: the project was published. */
async function publish(
  inputs: UpdateInputs,
  target: Target,
  deps: UpdateDeps,
): Promise<MadePreview | undefined> {
  const { branch, commit } = target;
  const startMs = deps.clock.monotonicMs();
  const { update, status, published, previewUrl } = await publishFirst({
    deps,
    projectId: inputs.projectId,
    branch,
    commit,
    token: inputs.token,
    timeoutMs: inputs.timeoutMs,
    ifImpossible: IF_IMPOSSIBLE,
    // Only an export delivers a link.
    delivery: undefined,
  });
  const elapsedMs = Math.round(deps.clock.monotonicMs() - startMs);
  // The platform may name no commit: empty. Any other text is checked below.
  const named = status.commit?.sha?.toLowerCase() ?? '';
  const content = { publish: true, commit, update, published, elapsedMs };
  deps.record({ content, publishedCommit: isCommit(named) ? named : undefined });
  if (branch === undefined) return undefined;
  const files = status.commit?.filesChanged;
  return { previewUrl, published: published?.commit, elapsedMs, files };
}

/** Records the preview, and comments on it. */
async function showPreview(
  inputs: UpdateInputs,
  target: Target,
  deps: UpdateDeps,
  made: MadePreview,
): Promise<void> {
  const url = checkPreviewUrl(made.previewUrl, inputs);
  deps.record({ previewUrl: url });
  deps.log.info(`Preview: ${url}`);
  await writePreview(inputs, target, deps, { ...made, url });
}

/**
 * True if GitHub shows that the branch of the event was deleted meanwhile:
 * https://docs.github.com/rest/git/refs#get-a-reference. A 404 is a missing branch or a missing
 * right; the same read of the default branch shows which. A target without a commit is a branch that
 * a person has named: that it is missing is a mistake, which the error of the run reports.
 */
async function isGone(
  target: Target,
  token: string | undefined,
  deps: UpdateDeps,
): Promise<boolean> {
  if (target.branch === undefined || target.commit === undefined) return false;
  if (token === undefined || deps.run.kind !== 'github') return false;
  const octokit = await deps.github.connect(token);
  const isThere = async (branch: string) => {
    const call = {
      ...ownerAndRepo(deps.github.run.repository),
      ref: `heads/${branch}`,
      request: MAY_BE_ABSENT,
    };
    const reply = await octokit.request('GET /repos/{owner}/{repo}/git/ref/{ref}', call);
    // Of a 404, it is a reply too: see MAY_BE_ABSENT.
    return reply.status === 200;
  };
  const defaultBranch = textOf(await deps.github.event(), 'repository', 'default_branch');
  try {
    if (defaultBranch === '' || (await isThere(target.branch))) return false;
    return await isThere(defaultBranch);
  } catch (error) {
    // Not known: the run ends with the error of the platform.
    if (error instanceof CourierError) return false;
    throw error;
  }
}

export const updateMode = defineMode<UpdateInputs, UpdateFacts>({
  run: runUpdate,
  ...updatePresentation,
});
