import { type Hint, hasCode } from '../errors.ts';
import type { UpdateInputs } from '../inputs/inputs.ts';
import { updatePath } from '../platform/client.ts';
import { publishFirst } from '../publish/content/publish-first.ts';
import { isCommit } from '../publish/content/summary.ts';
import type { Deps } from '../run/context.ts';
import { defineMode } from '../run/finish.ts';
import type { RunFacts, Write } from '../run/report.ts';
import { markOutdated, writePreview } from './comment.ts';
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
  try {
    await publish(inputs, target, deps);
    return { status: 'completed' };
  } catch (error) {
    if (hasCode(error, 'timed-out') && inputs.onTimeout === 'detach')
      return { status: 'detached', reason: error.message };
    // What the platform may answer about a branch that was deleted meanwhile.
    const mayBeGone = hasCode(error, 'not-found', 'config', 'job-failed');
    if (mayBeGone && (await isGone(target, inputs.token, deps)))
      return { status: 'skipped', reason: 'The branch is gone' };
    throw error;
  }
}

/** What a run would write: a dry run shows it. */
function planOf(inputs: UpdateInputs, { branch, pull }: Target): Write[] {
  const target = `POST ${inputs.baseUrl}/${updatePath({ projectId: inputs.projectId, branch })}`;
  if (branch === undefined) return [{ action: 'publish the project', target }];
  const writes = [{ action: 'make a preview', target }];
  if (inputs.comment && pull)
    writes.push({ action: 'comment on the preview', target: `pull request ${pull}` });
  return writes;
}

/** Requests and follows the update; then records the preview and comments on it. */
async function publish(inputs: UpdateInputs, target: Target, deps: UpdateDeps): Promise<void> {
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
  // The deployment branch was published: there is no preview to show.
  if (branch === undefined) return;
  const url = checkPreviewUrl(previewUrl, inputs);
  deps.record({ previewUrl: url });
  deps.log.info(`Preview: ${url}`);
  const files = status.commit?.filesChanged;
  const made = { url, published: published?.commit, elapsedMs, files };
  await writePreview(inputs, target, deps, made);
}

/**
 * True if GitHub says that the branch of the event was deleted meanwhile:
 * https://docs.github.com/rest/git/refs#get-a-reference. A target without a commit is a branch that
 * a person has named: that it is missing is a mistake, which the error of the run reports.
 */
async function isGone(
  target: Target,
  token: string | undefined,
  deps: UpdateDeps,
): Promise<boolean> {
  if (target.branch === undefined || target.commit === undefined) return false;
  if (token === undefined || deps.run.kind !== 'github') return false;
  const [owner = '', repo = ''] = deps.github.run.repository.split('/');
  const octokit = await deps.github.connect(token);
  const call = { owner, repo, ref: `heads/${target.branch}` };
  try {
    await octokit.request('GET /repos/{owner}/{repo}/git/ref/{ref}', call);
    return false;
  } catch (error) {
    return hasCode(error, 'not-found');
  }
}

export const updateMode = defineMode<UpdateInputs, UpdateFacts>({
  run: runUpdate,
  ...updatePresentation,
});
