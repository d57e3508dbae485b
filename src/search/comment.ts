import { adviceOf, keyOf, type Notice, PullComments, runLink, type SearchNotice } from '../comment/pull-comments.ts';
import { shownPath } from '../confined-files.ts';
import { hasCode, toCourierError } from '../errors.ts';
import type { Forge } from '../forges/port.ts';
import type { SearchInputs } from '../inputs/inputs.ts';
import type { CommentInputs } from '../inputs/read-comment.ts';
import type { Context } from '../run/context.ts';
import type { Write } from '../run/report.ts';
import { fieldOf } from '../text/json.ts';
import { countsText, isGood, type SearchChecked, searchCommentText } from './comment-text.ts';

type Deps = Pick<Context, 'run' | 'github' | 'log' | 'signal'>;

// The check itself is over: it is not kept waiting for longer.
const TIME_LIMIT_MS = 60_000;

/**
 * Writes the comment on the pull request that the run is for, or brings it up to date. Whatever goes wrong with that is a
 * warning: the check ends as it would without. Throws `cancelled` alone. Gives what a dry run did not write.
 */
export async function commentOnSearch(
  inputs: SearchInputs,
  comment: CommentInputs,
  checked: SearchChecked,
  deps: Deps,
): Promise<Write[]> {
  const { github, log, signal } = deps;
  try {
    const pull = await pullNumber(deps);
    if (pull === undefined) return [];
    if (inputs.dryRun) {
      return [{ action: 'comment on the search', target: `pull request ${pull} of ${github.run.repository}` }];
    }
    const { GitHubHost } = await import('../forges/github/host.ts');
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
    const forge = await new GitHubHost(github, log).connect({ main: comment.token, ranks: undefined }, limited);
    const showsPages = comment.titles || !(await isPublic(forge));
    const step = stepOf(inputs, github.run.workspace);
    const comments = new PullComments({ forge, secret: inputs.assistantApiKey, deps });
    const known = await comments.find(pull, (notice) => pickStep(notice, step));
    const hasFailed = known?.notice.hasFailed ?? false;
    const notice = { version: 2, kind: 'search', step, hasFailed: hasFailed || !isGood(checked) } as const;
    const text = `${searchCommentText({ ...checked, showsPages, hasFailed })}\n\n<sub>By ${runLink(github.run)}.</sub>`;
    const url = await comments.write(pull, known?.comment, notice, text);
    const done = known === undefined ? 'Commented' : 'Updated the comment';
    log.info(`${done} on pull request ${pull}: ${countsText(checked)}. ${url}`);
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = toCourierError(error);
    const why = hasCode(reason, 'cancelled') ? 'GitHub did not answer within 60s.' : adviceOf(reason);
    log.warning(`The comment about the search could not be written; the check itself is not changed by that. ${why}`);
  }
  return [];
}

/** The pull request of the event. */
async function pullNumber({ run, github, log }: Deps): Promise<number | undefined> {
  const event = await github.event();
  const isComment = fieldOf(event, 'issue', 'pull_request') !== undefined;
  const number =
    fieldOf(event, 'pull_request', 'number') ?? (isComment ? fieldOf(event, 'issue', 'number') : undefined);
  if (typeof number === 'number') return number;
  log.info(`No comment: a run by ${run.eventName ?? 'this event'} is for no pull request.`);
  return undefined;
}

// Where that cannot be known, less is shown.
function isPublic(forge: Pick<Forge, 'isPublic'>): Promise<boolean> {
  return forge.isPublic().catch(() => true);
}

/** The same for each run of a step, and for no other step of the repository that searches something else. */
function stepOf({ domain, queriesFile, query, filter }: SearchInputs, workspace: string): string {
  return keyOf({
    domain,
    queries: queriesFile === undefined ? undefined : shownPath(queriesFile, workspace),
    query,
    filter,
  });
}

function pickStep(notice: Notice, step: string): SearchNotice | undefined {
  return notice.kind === 'search' && notice.step === step ? notice : undefined;
}
