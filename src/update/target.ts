import type { ChangeRequest, CiRun } from '../ci/port.ts';
import { checkMayPreview, checkMayWrite } from '../ci/rights.ts';
import { assertNotCaused } from '../publish/content/content.ts';
import { commitOf } from '../publish/state/change.ts';
import { plainLine } from '../text/escape.ts';

/** What a run of mode `publish` is for. */
export type Target =
  | {
      readonly kind: 'work';
      /** What is previewed; undefined: the project is published. */
      readonly branch: string | undefined;
      /** The input names the branch: that it does not exist is a mistake. */
      readonly isNamed: boolean;
      /** What it should contain; undefined: the system names no commit. */
      readonly commit: string | undefined;
      /** The open pull request of the branch. */
      readonly pull: number | undefined;
    }
  /** Nothing, without a fault of anyone. */
  | { readonly kind: 'none'; readonly reason: string };

/** By the input and the event. Throws `refused` or `config` for a run that may do neither. */
export function targetOf(named: string | undefined, run: CiRun): Target {
  assertNotCaused('mode: publish', run.eventName);
  const { changeRequest } = run;
  if (changeRequest !== undefined && changeRequest.state !== 'merged') return ofChangeRequest(changeRequest, named);
  const commit = commitOf(run.github);
  const branch = named ?? pushedBranch(run);
  if (branch === undefined) checkMayWrite(run, { act: 'publish' });
  else checkMayPreview(run);
  const isNamed = named !== undefined;
  const isOwn = named === undefined || named === run.branch;
  return { kind: 'work', branch, isNamed, commit: isOwn ? commit : undefined, pull: undefined };
}

/** A push to a branch that is not published. */
function pushedBranch({ cause, isDefaultBranch, branch }: CiRun): string | undefined {
  return cause === 'push' && isDefaultBranch === false ? branch : undefined;
}

function ofChangeRequest(request: ChangeRequest, named = request.branch): Target {
  const { state, isOwn, branch, number } = request;
  if (state === 'closed') return none('The pull request was closed without a merge');
  if (!isOwn) {
    return none('The pull request comes from a fork, and only branches of the connected repository have a preview');
  }
  if (named !== branch) return work(named);
  return { ...work(named), isNamed: false, commit: commitOf({ ...NO_RUN, sha: request.commit }), pull: number };
}

const NO_RUN = { runId: '', runAttempt: 1, job: '' };

function work(branch: string) {
  return { kind: 'work', branch, isNamed: true, commit: undefined, pull: undefined } as const;
}

function none(reason: string): Target {
  return { kind: 'none', reason };
}

/** `branch "docs" of project acme`, or `project acme`. */
export function nameOf(branch: string | undefined, projectId: string): string {
  return branch === undefined ? `project ${projectId}` : `branch "${plainLine(branch, 100)}" of project ${projectId}`;
}
