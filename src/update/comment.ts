import { adviceOf, keyOf, PullComments, runLink } from '../comment/pull-comments.ts';
import { hasCode, toCourierError } from '../errors.ts';
import type { UpdateInputs } from '../inputs/inputs.ts';
import { shortCommit } from '../publish/content/summary.ts';
import type { Context } from '../run/context.ts';
import { codeSpan } from '../text/escape.ts';
import { type MadePreview, previewText } from './comment-text.ts';
import type { Target } from './target.ts';

type Deps = Pick<Context, 'github' | 'log'>;

/** Gives the new text of the comment from its text before; undefined: it stays as it is. */
type ToText = (before: string | undefined, comments: PullComments) => Promise<string | undefined>;

const OUTDATED = /^⚠️ \*\*Outdated\*\*[^\n]*\n\n/;

/** Marks the comment as outdated: it is about an earlier commit. */
export function markOutdated(inputs: UpdateInputs, target: Target, deps: Deps): Promise<void> {
  const commit = codeSpan(shortCommit(target.commit ?? ''));
  const line = `⚠️ **Outdated**: commit ${commit} is newer; for its preview see ${runLink(deps.github.run)}.`;
  const toText: ToText = async (before) => before && `${line}\n\n${before.replace(OUTDATED, '')}`;
  return update(inputs, target, deps, toText);
}

/** Writes the comment about this preview, over the former comment if there is one. */
export function writePreview(
  inputs: UpdateInputs,
  target: Target,
  deps: Deps,
  made: MadePreview,
): Promise<void> {
  return update(inputs, target, deps, async (_, comments) => {
    const text = previewText(made, await comments.showsPages());
    return `${text}\n\n<sub>By ${runLink(deps.github.run)}.</sub>`;
  });
}

/**
 * Updates the one comment about the preview of a pull request, unless the pull request has a newer
 * commit, which has its own run. A failure is a warning; throws only `cancelled`.
 */
async function update(
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
    const step = keyOf({ projectId: inputs.projectId });
    const known = await comments.find(pull, 'preview', (notice) => notice.step === step);
    const text = await toText(known?.comment.body.replace(/^.*\n/, ''), comments);
    if (text === undefined) return;
    const notice = { version: 2, kind: 'preview', step } as const;
    const url = await comments.write(pull, known?.comment, notice, text);
    log.info(`Wrote the comment about the preview: ${url}`);
  } catch (error) {
    if (hasCode(error, 'cancelled')) throw error;
    log.warning(
      `The comment about the preview could not be written. ${adviceOf(toCourierError(error))}`,
    );
  }
}
