import { CourierError, type Hint, hasCode } from '../errors.ts';
import type { UpdateInputs } from '../inputs/inputs.ts';
import { publishFirst } from '../publish/content/publish-first.ts';
import { isCommit } from '../publish/content/summary.ts';
import { updateRequest } from '../publish/update.ts';
import type { Deps } from '../run/context.ts';
import { defineMode } from '../run/finish.ts';
import type { RunFacts, Write } from '../run/report.ts';
import { PreviewComment } from './comment.ts';
import { isBranchGone } from './gone.ts';
import { checkPreviewUrl } from './preview-address.ts';
import { type UpdateFacts, updatePresentation } from './summary.ts';
import { nameOf, type Target, targetOf } from './target.ts';

type UpdateDeps = Deps<UpdateFacts>;
type Work = Extract<Target, { readonly kind: 'work' }>;

const IF_IMPOSSIBLE: Hint = {
  text: "Compare project-id with the API keys page of the dashboard: the project must belong to the organization of the key. If it is right, this installation cannot publish on request, and the platform's own App has to publish:",
  inputs: { 'project-id': '' },
};

/** Mode `publish`: the platform publishes the project, or makes a preview of a branch, and the run follows that to its end. */
export async function runUpdate(inputs: UpdateInputs, deps: UpdateDeps): Promise<RunFacts> {
  const { baseUrl, projectId } = inputs;
  deps.record({ baseUrl, projectId });
  const target = targetOf(inputs.branch, deps.run);
  if (target.kind === 'none') return { status: 'skipped', reason: target.reason };
  deps.record({ branch: target.branch, content: { publish: true, commit: target.commit } });
  if (inputs.dryRun) return { status: 'completed', planned: planOf(inputs, target, deps) };
  const comment = PreviewComment.open(inputs, target, deps);
  await comment?.markOutdated();
  try {
    await work(inputs, target, { deps, comment });
    return { status: 'completed' };
  } catch (error) {
    return await endWithout(error, { inputs, target, deps });
  }
}

function planOf(inputs: UpdateInputs, target: Work, { github }: UpdateDeps): Write[] {
  const { baseUrl, projectId, comment } = inputs;
  const { branch, pull } = target;
  const address = updateRequest({ projectId, branch }).replace(' ', ` ${baseUrl}`);
  const action = `${branch === undefined ? 'publish' : 'preview'} ${nameOf(branch, projectId)}`;
  const request = { action, target: address };
  if (comment === undefined || pull === undefined) return [request];
  return [request, { action: 'comment on the preview', target: `pull request ${pull} of ${github.run.repository}` }];
}

interface Around {
  readonly deps: UpdateDeps;
  readonly comment: PreviewComment | undefined;
}

async function work(inputs: UpdateInputs, target: Work, { deps, comment }: Around): Promise<void> {
  const { projectId, token, timeoutMs } = inputs;
  const { branch, commit } = target;
  const startMs = deps.clock.monotonicMs();
  deps.record({ stage: 'starting' });
  const order = { projectId, branch, commit, token, timeoutMs, ifImpossible: IF_IMPOSSIBLE };
  const { update, status, published, previewUrl } = await publishFirst({ deps, ...order, delivery: undefined });
  const elapsedMs = Math.round(deps.clock.monotonicMs() - startMs);
  deps.record({ stage: undefined, content: { publish: true, commit, update, published, elapsedMs } });
  const named = status.commit?.sha?.toLowerCase() ?? '';
  if (isCommit(named)) deps.record({ publishedCommit: named });
  if (branch === undefined) return;
  const url = checkPreviewUrl(previewUrl, inputs);
  deps.record({ previewUrl: url });
  deps.log.info(`Preview: ${url}`);
  await comment?.write({ url, update, published: published?.commit, elapsedMs, files: status.commit?.filesChanged });
}

interface Failed {
  readonly inputs: UpdateInputs;
  readonly target: Work;
  readonly deps: UpdateDeps;
}

/** The end of a run that did not see the platform succeed. Throws the error if it is red. */
async function endWithout(error: unknown, { inputs, target, deps }: Failed): Promise<RunFacts> {
  if (!(error instanceof CourierError)) throw error;
  if (hasCode(error, 'timed-out') && inputs.onTimeout === 'detach') {
    return { status: 'detached', reason: error.message.replace(/\.$/, '') };
  }
  if (await isBranchGone(error, { target, token: inputs.token, deps })) {
    return { status: 'skipped', reason: `${nameOf(target.branch, inputs.projectId)} is gone` };
  }
  throw error;
}

export const updateMode = defineMode<UpdateInputs, UpdateFacts>({ run: runUpdate, ...updatePresentation });
