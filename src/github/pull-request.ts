import type { Permission } from '../values/values.ts';

/** What is read of a pull request, of its comments, and of the people around it. */

export interface Account {
  readonly login: string;
  /** Names can be given up and taken by another person; the id stays. */
  readonly id: number;
  /** `other`: an organization, or anything else that is neither. */
  readonly kind: 'person' | 'bot' | 'other';
}

/** A text by a person, in Markdown. */
export interface Written {
  readonly body: string;
  /** As the page of the server shows it, in HTML; undefined if the server does not say. */
  readonly html?: string | undefined;
}

/** One of GitHub's standard roles; `none` for everyone who is not a collaborator. */
export type Rank = Permission | 'none';

/** The part of a pull request that events contain too. */
export interface PullSnapshot {
  readonly number: number;
  readonly title: string;
  readonly body: string;
}

export interface PullRequest extends PullSnapshot {
  /** See `Written`. */
  readonly html: string | undefined;
  readonly url: string;
  readonly author: Account | undefined;
  readonly state: 'open' | 'closed';
  readonly merged: boolean;
  readonly locked: boolean;
  readonly labels: readonly string[];
  /** The commit on the base branch that it was merged as; undefined until then. */
  readonly mergeCommit: string | undefined;
  readonly base: { readonly ref: string };
  /** `repository` is undefined when the fork was deleted. */
  readonly head: {
    readonly ref: string;
    readonly sha: string;
    readonly repository: string | undefined;
  };
  /** All of them, even if GitHub lists fewer. */
  readonly changedFiles: number;
}

export interface ChangedFile {
  readonly path: string;
  readonly previousPath: string | undefined;
  readonly status: string;
  readonly additions: number;
  readonly deletions: number;
  /** Absent for a binary file, and for a diff that GitHub finds too large. */
  readonly patch: string | undefined;
  /**
   * The commit that GitHub made this entry from: in a list that was read while someone pushed,
   * entries can be of different commits.
   */
  readonly commit: string | undefined;
}

/** What a signed line of a comment is read from: it is valid only in the comment with this id. */
export interface CommentBody {
  readonly id: number;
  readonly body: string;
}

/** A comment as its page shows it now; its HTML must be asked for. */
export interface CommentNow extends Written {
  /** People with write access can hide a comment: the page shows it folded. */
  readonly isHidden: boolean;
}

export interface Comment extends CommentBody, CommentNow {
  /** Of the pull request; 0 for a comment on an issue. */
  readonly pullNumber: number;
  readonly author: Account | undefined;
  readonly url: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Of comments on the diff only. */
  readonly diff: DiffSpot | undefined;
}

/** Where a comment on the diff was written; `line` is undefined for a whole file. */
export interface DiffSpot {
  readonly path: string;
  readonly line: number | undefined;
  /** The first one, if the comment is about several lines. */
  readonly startLine?: number | undefined;
  /** `before`: the lines are those of the file before the change. */
  readonly side?: 'before' | undefined;
  /** The lines have changed since: they are those of the diff at the time of the comment. */
  readonly outdated?: true | undefined;
  /** The same number for all comments of a thread: the id of its first one. */
  readonly thread?: number | undefined;
  readonly hunk: string;
}

/**
 * The account that writes our comments: by its id or, if the token may not ask for its own account,
 * any bot.
 */
export type OwnAuthor =
  | { readonly kind: 'bot' }
  | { readonly kind: 'account'; readonly id: number };

/**
 * True for a comment by the account that writes ours. A comment of another account may contain a
 * copy of a record of ours, which must not count.
 */
export function isOwn(text: { readonly author: Account | undefined }, own: OwnAuthor): boolean {
  if (own.kind === 'bot') return text.author?.kind === 'bot';
  return text.author?.id === own.id;
}
