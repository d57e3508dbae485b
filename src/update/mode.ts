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
 * Mode `publish`: the platform publishes the project, or makes a preview of a branch, and the run
 * follows that to its end.
 */
export async function runUpdate(inputs: UpdateInputs, deps: UpdateDeps): Promise<RunFacts> {
  const { baseUrl, projectId, onTimeout } = inputs;
  deps.record({ baseUrl, projectId });
  const target = targetOf(inputs.branch, deps.run);
  if ('skip' in target) return { status: 'skipped', reason: target.skip };
  deps.record({ branch: target.branch });
  if (inputs.dryRun) return { status: 'completed', planned: planOf(inputs, target) };
  await markOutdated({ inputs, target, deps });
  try {
    await publish(inputs, target, deps);
    return { status: 'completed' };
  } catch (error) {
    if (hasCode(error, 'timed-out') && onTimeout === 'detach')
      return { status: 'detached', reason: error.message };
    const mayBeGone = hasCode(error, 'not-found', 'config', 'job-failed');
    if (mayBeGone && (await isGone(target, inputs, deps)))
      return { status: 'skipped', reason: 'The branch is gone' };
    throw error;
  }
}

function planOf({ projectId, baseUrl, comment }: UpdateInputs, { branch, pull }: Target): Write[] {
  const request = `POST ${baseUrl}/${updatePath({ projectId, branch })}`;
  const action = branch === undefined ? 'publish the project' : 'make a preview';
  const written =
    comment && pull ? [{ action: 'comment on the preview', target: `pull request ${pull}` }] : [];
  return [{ action, target: request }, ...written];
}

async function publish(inputs: UpdateInputs, target: Target, deps: UpdateDeps): Promise<void> {
  const { branch, commit } = target;
  const { projectId, token, timeoutMs } = inputs;
  const startMs = deps.clock.monotonicMs();
  const order = { projectId, branch, commit, token, timeoutMs, ifImpossible: IF_IMPOSSIBLE };
  const { update, status, published, previewUrl } = await publishFirst({
    deps,
    ...order,
    delivery: undefined,
  });
  const elapsedMs = Math.round(deps.clock.monotonicMs() - startMs);
  const named = status.commit?.sha?.toLowerCase() ?? '';
  const content = { publish: true, commit, update, published, elapsedMs };
  deps.record({ content, publishedCommit: isCommit(named) ? named : undefined });
  if (branch === undefined) return;
  const url = checkPreviewUrl(previewUrl, inputs);
  deps.record({ previewUrl: url });
  deps.log.info(`Preview: ${url}`);
  const made = {
    url,
    commit,
    published: published?.commit,
    elapsedMs,
    files: status.commit?.filesChanged,
  };
  await writePreview({ inputs, target, deps }, made);
}

/**
 * Whether GitHub says that the branch of the event was deleted since:
 * https://docs.github.com/rest/git/refs#get-a-reference. False if that cannot be known. A branch
 * without a commit was named by a person: that it does not exist is a mistake.
 */
async function isGone(
  target: Target,
  { token }: UpdateInputs,
  { run, github }: UpdateDeps,
): Promise<boolean> {
  const { branch, commit } = target;
  if (branch === undefined || commit === undefined || token === undefined || run.kind !== 'github')
    return false;
  const [owner = '', repo = ''] = github.run.repository.split('/');
  const octokit = await github.connect(token);
  const call = { owner, repo, ref: `heads/${branch}` };
  return octokit.request('GET /repos/{owner}/{repo}/git/ref/{ref}', call).then(
    () => false,
    (error) => hasCode(error, 'not-found'),
  );
}

export const updateMode = defineMode<UpdateInputs, UpdateFacts>({
  run: runUpdate,
  ...updatePresentation,
});
