import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { RunContext } from '../github/connection.ts';
import { type Comment, isOwn } from '../github/pull-request.ts';
import type { Repository } from '../github/repository.ts';
import { type CourierError, hintText } from '../ground/errors.ts';
import { canonicalJson } from '../ground/signature.ts';
import { link } from '../ground/text/escape.ts';
import { readTime } from '../ground/text/instants.ts';
import type { CommentInputs } from '../inputs/inputs.ts';
import type { Context } from '../run/context.ts';
import { beginsWithMarker, type RecordPlace, signedLines } from './signed-line.ts';

const instant = z.string().check(z.refine((text) => readTime(text) !== undefined));
const count = z.number().check(z.nonnegative());

const common = {
  version: z.literal(2),
  step: z.string(),
  /** Id of the comment; absent while it is being made. */
  id: z.optional(z.number()),
};

/** What an export changed, on the pull request that was merged for it. */
const changes = z.strictObject({
  ...common,
  kind: z.literal('changes'),
  job: z.string(),
  /** Absent if there was no earlier export. */
  counts: z.optional(
    z.strictObject({ added: count, changed: count, moved: count, removed: count, lost: count }),
  ),
  /** Since when it is live, or stored. */
  since: instant,
  isLive: z.boolean(),
});
export type ChangesNotice = z.infer<typeof changes>;

/** What a search check found, on the pull request that it ran for. */
const search = z.strictObject({
  ...common,
  kind: z.literal('search'),
  /** Some run for this pull request had something to fix. */
  hasFailed: z.boolean(),
});

/** The preview of a pull request. */
const preview = z.strictObject({ ...common, kind: z.literal('preview') });

const notice = z.discriminatedUnion('kind', [changes, search, preview]);
type Notice = z.infer<typeof notice>;
type NoticeOf<K extends Notice['kind']> = Extract<Notice, { readonly kind: K }>;
const noticeLines = signedLines('docs-courier/notice/v2', notice, (one) => one.id);

interface PullCommentsInit {
  /** The key of the platform that the step has; it signs what is written. */
  readonly secret: string;
  readonly deps: Pick<Context, 'github' | 'log'>;
  /** Ends the requests to GitHub. */
  readonly signal?: AbortSignal;
}

/**
 * Our comments on pull requests of this repository, found again by the signed line that each begins
 * with.
 */
export class PullComments {
  readonly repo: Repository;
  readonly #inputs: CommentInputs;
  readonly #init: PullCommentsInit;

  private constructor(repo: Repository, inputs: CommentInputs, init: PullCommentsInit) {
    this.repo = repo;
    this.#inputs = inputs;
    this.#init = init;
  }

  static async open(inputs: CommentInputs, init: PullCommentsInit): Promise<PullComments> {
    const { openRepository } = await import('../github/repository.ts');
    const repo = await openRepository(init.deps, inputs.token, init.signal);
    return new PullComments(repo, inputs, init);
  }

  /**
   * Whether titles and addresses of pages may be shown. On a public repository everyone sees them,
   * also those of a site that is not public, so there only if the input says so.
   */
  async showsPages(): Promise<boolean> {
    if (this.#inputs.titles) return true;
    // If GitHub does not say whether it is public, it counts as public.
    const isPublic = await this.repo.isPublic().catch(() => true);
    return !isPublic;
  }

  /**
   * The oldest comment of ours (GitHub lists them in this order) with a valid notice of this kind
   * that `fits` accepts; undefined if there is none. A copy of a comment is younger than it.
   */
  async find<K extends Notice['kind']>(
    pull: number,
    kind: K,
    fits: (notice: NoticeOf<K>) => boolean,
  ) {
    const isOfKind = (notice: Notice): notice is NoticeOf<K> => notice.kind === kind;
    const author = await this.repo.whoWeAre();
    for (const comment of await this.repo.comments(pull)) {
      if (!isOwn(comment, author) || !beginsWithMarker(comment.body)) continue;
      const line = noticeLines.read(this.#place(pull), comment);
      if (line.kind === 'valid' && isOfKind(line.record) && fits(line.record))
        return { comment, notice: line.record };
    }
    return undefined;
  }

  /** Updates the comment if it is known (from `find`), or else creates it. Gives its address. */
  async write(
    pull: number,
    known: Comment | undefined,
    notice: Notice,
    text: string,
  ): Promise<string> {
    // A new comment has no id yet: until its first update, its notice names none.
    const body = this.#init.deps.log.redact(
      `${noticeLines.write(this.#place(pull), { ...notice, id: known?.id })}\n${text}`,
    );
    if (known === undefined) return (await this.repo.createComment(pull, body)).url;
    await this.repo.updateComment(known.id, body);
    return known.url;
  }

  #place(pullNumber: number): RecordPlace {
    return {
      secret: this.#init.secret,
      repository: this.#init.deps.github.run.repository,
      pullNumber,
    };
  }
}

/** A digest, equal for equal values. It is short: only the steps of a repository are compared. */
export function keyOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url').slice(0, 16);
}

/** The page of this attempt of the run. */
export function attemptUrl(run: RunContext): string {
  return `${run.serverUrl}/${run.repository}/actions/runs/${run.runId}/attempts/${run.runAttempt}`;
}

/** `this run`, as a link in Markdown to the page of this attempt. */
export function runLink(run: RunContext): string {
  return link('this run', attemptUrl(run));
}

/** What went wrong and what to do, as one line for a warning. A missing permission is named. */
export function adviceOf(error: CourierError): string {
  const hint = error.hint;
  if (hint === undefined) return error.message;
  const advice = `${error.message} ${hintText(hint)}`;
  // Only a hint with lines to copy can have permissions.
  if (typeof hint === 'string' || hint.permissions === undefined) return advice;
  const permissions = Object.entries(hint.permissions).map((entry) => entry.join(': '));
  return `${advice} ${permissions.join(', ')}`;
}
