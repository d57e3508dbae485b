/**
 * Where changes are reviewed. Each forge has a folder next to this file; the rest of the program knows only this port.
 *
 * A rank is one of GitHub's standard roles. Gitea: `owner` is `admin`, and only an administrator's token may ask
 * (`ForgeTokens.ranks`). Events of GitHub say whether the author is a member; elsewhere `isMember` asks.
 */
import type { Permission } from '../values/values.ts';

export interface Account {
  readonly login: string;
  /** Names can be given up and taken by another person; the id stays. */
  readonly id: number;
  /** `other`: an organization, or anything else that is neither. Gitea's job token is a bot although its events have no type. */
  readonly kind: 'person' | 'bot' | 'other';
}

/** What happened, as far as agent mode needs it. */
export type Trigger =
  | CommentTrigger
  | PromptTrigger
  /** Nothing that could contain a command. */
  | { readonly kind: 'none'; readonly reason: string };

/** A new comment. Everything in it is as it was when the comment was written: later edits are not in it. */
export interface CommentTrigger {
  readonly kind: 'comment';
  /** `conversation`: below the pull request. `diff`: on a line of it. `review`: the text of a review. */
  readonly place: 'conversation' | 'diff' | 'review';
  readonly id: number;
  readonly body: string;
  readonly url: string;
  readonly author: Account;
  /** Who caused the event: must be the author, or the comment was not written by who the event says. */
  readonly sender: Account;
  /** The author belongs to the repository: decides only whether a denial is visible. undefined: `Forge.isMember` answers. */
  readonly isMember: boolean | undefined;
  readonly createdAtMs: number;
  /** The line that a comment on the diff is about; `line` is undefined for a comment on a whole file. */
  readonly spot: { readonly path: string; readonly line: number | undefined; readonly hunk: string } | undefined;
  readonly pull: PullSnapshot;
}

/** An event whose instruction is an input: `prompt`, or the template that `prompt-file` names. */
export interface PromptTrigger {
  readonly kind: 'prompt';
  readonly pullNumber: number | undefined;
  /** Who caused the event; undefined if the event does not say. */
  readonly sender: Account | undefined;
  /** Only people and programs with write access can cause such an event (push, schedule, dispatch). */
  readonly isFromWriter: boolean;
  /** The text of the comment in the event, to recognise our own. */
  readonly text: string | undefined;
  /** What happened to the pull request, if an instruction by template depends on it. */
  readonly change?: PullChange | undefined;
  /** The pull request as the person saw who caused the event; undefined if the event does not show it. */
  readonly seen?: SeenPull | undefined;
}

interface SeenPull extends PullSnapshot {
  readonly headSha: string;
  /** When it happened; NaN if the event has no readable time. */
  readonly atMs: number;
}

/** `merged`: it was merged. `closed`: it was closed without that. `unlabelled`: labels were taken away. */
export type PullChange =
  | { readonly kind: 'merged' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'unlabelled' }
  /** With the labels that were added; all that are there, if the forge does not say which. */
  | { readonly kind: 'labelled'; readonly labels: readonly string[] }
  /** Commits on a branch, newest first; `isCut`: there were more. Which pull requests they are of, the forge says. */
  | { readonly kind: 'pushed'; readonly branch: string; readonly commits: readonly string[]; readonly isCut: boolean };

/**
 * Where the instruction of a run comes from. `prompt`: from the input of that name, and comments are not commands. `template`:
 * comments are commands, and every other event instructs with the template.
 */
export type InstructionSource = 'comment' | 'prompt' | 'template';

/** The pull request as the event shows it. */
interface PullSnapshot {
  readonly number: number;
  readonly title: string;
  readonly body: string;
}

export interface PullRequest extends PullSnapshot {
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
  readonly head: { readonly ref: string; readonly sha: string; readonly repository: string | undefined };
  /** All of them, even if the forge lists fewer. */
  readonly changedFiles: number;
}

export interface ChangedFile {
  readonly path: string;
  readonly previousPath: string | undefined;
  readonly status: string;
  readonly additions: number;
  readonly deletions: number;
  /** Absent for a binary file, and for a diff that the forge finds too large. */
  readonly patch: string | undefined;
  /** The commit that the forge made this entry from: a list that was read while someone pushed can be of another one. */
  readonly commit: string | undefined;
}

/** What a signed line of a comment is read from: it is valid only in the comment with this id. */
export interface CommentBody {
  readonly id: number;
  readonly body: string;
}

export interface Comment extends CommentBody {
  readonly author: Account | undefined;
  readonly url: string;
  /** Epoch milliseconds; NaN if the forge gave no readable time. */
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Of comments on the diff only. */
  readonly diff: { readonly path: string; readonly line: number | undefined; readonly hunk: string } | undefined;
}

/** `none` for everyone whom the forge does not know as a collaborator. */
export type Rank = Permission | 'none';

/** Who writes our comments: an account by its id, or some bot, if a token cannot find out which one it is. */
export type OwnAuthor = { readonly kind: 'bot' } | { readonly kind: 'account'; readonly id: number };

/** A file of the default branch, at the commit that was its newest when it was read. */
export interface DefaultFile {
  readonly bytes: Uint8Array;
  readonly commit: string;
}

export type OwnComment = Pick<Comment, 'id' | 'url'>;

/** A pull request that was merged. */
export interface MergedPull {
  readonly number: number;
  readonly url: string;
}

/** The address of a repository, or of a pull request of it. */
export interface PageAddress {
  /** `owner/name` in lower case, as forges take both for the same. */
  readonly repository: string;
  /** Of the pull request. */
  readonly number: number | undefined;
}

export type Reaction = 'eyes' | 'rocket' | 'confused' | '-1';

/** A comment, or with `pull` the pull request itself. */
export interface CommentPlace {
  readonly place: CommentTrigger['place'] | 'pull';
  readonly id: number;
  readonly pull: Pick<PullSnapshot, 'number'>;
}

/** What a client is made with. */
export interface ForgeTokens {
  /** Reads the pull request, reacts, comments. */
  readonly main: string;
  /** Asks what an account may do; undefined: `main` does. On Gitea it is a token of an administrator, never that of a job. */
  readonly ranks: string | undefined;
}

/** A comment on one of the repository's pull requests. */
export interface RecentComment extends Comment {
  readonly pullNumber: number;
}

/** A forge before anything is asked of it: what is known from the run and its event alone. */
export interface ForgeHost {
  /** In messages, such as `GitHub`. */
  readonly name: string;
  /** `owner/name`, or the path of a project. */
  readonly repository: string;
  /** The API address under which comments of a pull request are created, to show in a dry run. */
  commentsAddress(pullNumber: number): string;
  /** What happened. A payload that is not understood is a `protocol` error: a run that ignored it would be green and do nothing. */
  trigger(init: { readonly source: InstructionSource }): Promise<Trigger>;
  /** The repository or pull request that an address on this forge names; undefined for anything else. */
  readAddress(url: string): PageAddress | undefined;
  /** A client. `signal` is used instead of the run's own: for a last update after the run was cancelled. */
  connect(tokens: ForgeTokens, signal?: AbortSignal): Promise<Forge>;
}

/**
 * A forge with a token. Every method throws a CourierError, and only that; a reply that is cut or that lacks a field that is
 * read is one too, so that a list which comes back is whole.
 */
export interface Forge {
  whoWeAre(): Promise<OwnAuthor>;
  /** Everyone on the internet can read the repository. */
  isPublic(): Promise<boolean>;
  /** What an account may do here, asked once. Throws `network` when the forge cannot say: an outage is not a "no". */
  rank(account: Account): Promise<Rank>;
  /** Whether an account belongs to the repository. Only if events do not say. */
  isMember?(account: Account): Promise<boolean>;
  pullRequest(number: number): Promise<PullRequest>;
  /** The numbers of the pull requests that a commit of the base branch is of; empty: it is of none. */
  pullsOfCommit(commit: string): Promise<readonly number[]>;
  /** The pull request that brought the commit to the branch that it is on; undefined for one that was pushed directly. */
  mergedPull?(commit: string): Promise<MergedPull | undefined>;
  /** A file as it is on the default branch now; undefined: it is not there. At most `maxBytes`, else `config`. */
  defaultFile(path: string, maxBytes: number): Promise<DefaultFile | undefined>;
  /** The changed files, as many as the forge lists. Check `commit` of each. */
  files(number: number): Promise<ChangedFile[]>;
  /** All comments below the pull request, oldest first. */
  comments(number: number): Promise<Comment[]>;
  /** The text that a comment has now; undefined: it is gone. */
  textNow(comment: CommentPlace): Promise<string | undefined>;
  /** The comments below pull requests that were changed last, since a moment, newest first: at most `most` of them. */
  recentComments(since: Date, most: number): Promise<RecentComment[]>;
  /** All comments on lines of the diff. */
  reviewComments(number: number): Promise<Comment[]>;
  /**
   * When the branch of the head was last pushed to, by the forge's own records; dates in commits can be made up by the person who
   * commits. undefined: the forge does not say, or what it says is not about the current head.
   */
  headPushedAtMs(pull: PullRequest): Promise<number | undefined>;
  /** Who set a label last; undefined when the forge does not know. */
  labelledBy(number: number, label: string): Promise<Account | undefined>;
  /** `known`: this account had reacted so, perhaps by a call whose reply was lost. `none`: such a comment takes no reaction. */
  react(target: CommentPlace, content: Reaction): Promise<'new' | 'known' | 'none'>;
  /** Whether this account has reacted so. undefined: such a comment takes no reaction. */
  hasReacted(target: CommentPlace, content: Reaction): Promise<boolean | undefined>;
  createComment(number: number, body: string): Promise<OwnComment>;
  updateComment(id: number, body: string): Promise<void>;
  /** A comment that is gone already is not an error. */
  removeComment(id: number): Promise<void>;
}
