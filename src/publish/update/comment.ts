import { adviceOf, keyOf, PullComments, runLink } from '../../comment/pull-comments.ts';
import { assertFailure, type CourierError } from '../../ground/errors.ts';
import { codeSpan } from '../../ground/text/escape.ts';
import type { UpdateInputs } from '../../inputs/inputs.ts';
import type { Context } from '../../run/context.ts';
import { shortCommit } from '../../steps/content/summary.ts';
import { failureText, previewText, type ShownPreview, withNotice } from './comment-text.ts';
import type { Target } from './target.ts';

type Deps = Pick<Context, 'github' | 'log'>;

interface Current {
  /** The text of the comment so far, without the notice; undefined: there is no comment yet. */
  readonly earlierText: string | undefined;
  /** The newest commit of the pull request, which is that of this run. */
  readonly commit: string;
  readonly comments: PullComments;
}

/** Gives the new text of the comment; undefined: it stays as it is. */
type ToText = (current: Current) => Promise<string | undefined>;

/** Marks the comment as outdated, if there is one: it is about an earlier commit. */
export function markOutdated(inputs: UpdateInputs, target: Target, deps: Deps): Promise<void> {
  return updateComment(inputs, target, deps, async ({ earlierText, commit }) => {
    if (earlierText === undefined) return undefined;
    const line = `⚠️ **Outdated**: commit ${codeSpan(shortCommit(commit))} is newer; for its preview see ${runLink(deps.github.run)}.`;
    return withNotice(line, earlierText);
  });
}

/** Says that the preview failed and why, above the text about an earlier one if there is one. */
export function writeFailure(
  inputs: UpdateInputs,
  target: Target,
  deps: Deps,
  { message }: CourierError,
): Promise<void> {
  return updateComment(inputs, target, deps, async ({ earlierText = '', commit }) =>
    withNotice(failureText(commit, message, runLink(deps.github.run)), earlierText),
  );
}

/** Writes the comment about this preview, over the former comment if there is one. */
export function writePreview(
  inputs: UpdateInputs,
  target: Target,
  deps: Deps,
  made: Pick<ShownPreview, 'url' | 'published' | 'elapsedMs' | 'files'>,
): Promise<void> {
  return updateComment(inputs, target, deps, async ({ commit, comments }) => {
    const showsFiles = await comments.showsPages();
    const text = previewText({ ...made, commit, showsFiles });
    return `${text}\n\n<sub>By ${runLink(deps.github.run)}.</sub>`;
  });
}

/**
 * Updates the one comment about the preview of a pull request, unless the pull request has a newer
 * commit, which has its own run. A failure is a warning; throws only `cancelled`.
 */
async function updateComment(
  inputs: UpdateInputs,
  { pull, commit }: Target,
  deps: Deps,
  toText: ToText,
): Promise<void> {
  const { log } = deps;
  if (inputs.comment === undefined || pull === undefined) return;
  try {
    const comments = await PullComments.open(inputs.comment, { secret: inputs.adminApiKey, deps });
    const { head, state } = await comments.repo.pullRequest(pull);
    if (state !== 'open' || head.sha !== commit) {
      return log.info(
        'No comment: the commit of this run is not the newest one of an open pull request.',
      );
    }
    // A pull request has a comment for each project that is previewed for it: the notice, which is
    // hidden in the comment, says which.
    const step = keyOf({ projectId: inputs.projectId });
    const earlier = await comments.find(pull, 'preview', (notice) => notice.step === step);
    // Without its first line, which is the notice.
    const earlierText = earlier?.comment.body.replace(/^.*\n/, '');
    const text = await toText({ earlierText, commit, comments });
    if (text === undefined) return;
    const notice = { version: 2, kind: 'preview', step } as const;
    const url = await comments.write(pull, earlier?.comment, notice, text);
    log.info(`Wrote the comment about the preview: ${url}`);
  } catch (error) {
    assertFailure(error);
    log.warning(`The comment about the preview could not be written. ${adviceOf(error)}`);
  }
}
