import { adviceOf, keyOf, PullComments, runLink } from '../comment/pull-comments.ts';
import { hasCode, toCourierError } from '../errors.ts';
import type { CommentInputs, UpdateInputs } from '../inputs/inputs.ts';
import { shortCommit } from '../publish/content/summary.ts';
import type { Context } from '../run/context.ts';
import { codeSpan } from '../text/escape.ts';
import { type MadePreview, previewText } from './comment-text.ts';
import type { Target } from './target.ts';

type CommentDeps = Pick<Context, 'github' | 'log'>;

interface Init {
  readonly comment: CommentInputs;
  readonly secret: string;
  readonly step: string;
  readonly pull: number;
  /** The commit of the run. */
  readonly commit: string;
  readonly deps: CommentDeps;
}

const OUTDATED = /^⚠️ \*\*Outdated\*\*[^\n]*\n\n/;

/** The one comment about the preview of a pull request. Whatever goes wrong with it is a warning; throws `cancelled` alone. */
export class PreviewComment {
  readonly #init: Init;

  private constructor(init: Init) {
    this.#init = init;
  }

  /** undefined: none is asked for, or the run is for no pull request. */
  static open(inputs: UpdateInputs, target: Target, deps: CommentDeps): PreviewComment | undefined {
    const { comment, adminApiKey: secret, projectId } = inputs;
    if (comment === undefined || target.kind === 'none') return undefined;
    const { pull, commit } = target;
    if (pull !== undefined && commit !== undefined) {
      return new PreviewComment({ comment, secret, step: keyOf({ projectId }), pull, commit, deps });
    }
    deps.log.info('No comment: the run is not for an open pull request.');
    return undefined;
  }

  /** Says in the comment about an earlier commit that there is a newer one. */
  async markOutdated(): Promise<void> {
    await this.#try(async (comments) => {
      const { pull, commit, deps } = this.#init;
      const known = await this.#find(comments);
      if (known === undefined || known.notice.commit === commit) return;
      const text = known.comment.body.slice(known.comment.body.indexOf('\n') + 1).replace(OUTDATED, '');
      const newer = `commit ${codeSpan(shortCommit(commit))} is newer; for its preview see ${runLink(deps.github.run)}.`;
      await comments.write(pull, known.comment, known.notice, `⚠️ **Outdated**: ${newer}\n\n${text}`);
    });
  }

  /** Replaces the comment, or writes the first one. */
  async write(made: MadePreview): Promise<void> {
    await this.#try(async (comments) => {
      const { pull, commit, step, deps } = this.#init;
      const known = await this.#find(comments);
      const text = previewText({ ...made, commit, showsFiles: await comments.showsPages() });
      const notice = { version: 2, kind: 'preview', step, commit } as const;
      const body = `${text}\n\n<sub>By ${runLink(deps.github.run)}.</sub>`;
      const url = await comments.write(pull, known?.comment, notice, body);
      deps.log.info(`${known === undefined ? 'Commented' : 'Updated the comment'} on pull request ${pull}. ${url}`);
    });
  }

  #find(comments: PullComments) {
    const { pull, step } = this.#init;
    return comments.find(pull, 'preview', (notice) => notice.step === step);
  }

  /** Nothing is written about a commit that is not the newest one: that one has its own run. */
  async #try(write: (comments: PullComments) => Promise<void>): Promise<void> {
    const { comment, secret, pull, commit, deps } = this.#init;
    try {
      const comments = await PullComments.open(comment, { secret, deps });
      const { head, state } = await comments.repo.pullRequest(pull);
      if (state === 'open' && head.sha === commit) return await write(comments);
      deps.log.info(`No comment: commit ${shortCommit(commit)} is not the newest one of an open pull request.`);
    } catch (error) {
      if (hasCode(error, 'cancelled')) throw error;
      deps.log.warning(`The comment about the preview could not be written. ${adviceOf(toCourierError(error))}`);
    }
  }
}
