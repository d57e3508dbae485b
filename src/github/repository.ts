import * as z from 'zod/mini';
import {
  assertFailure,
  type CourierError,
  configError,
  hasCode,
  protocolError,
  unless,
} from '../ground/errors.ts';
import type { Log } from '../ground/log.ts';
import { plainLine } from '../ground/text/escape.ts';
import { readTime } from '../ground/text/instants.ts';
import { getJson, type Octokit } from './client.ts';
import { type GitHub, isFromFork } from './connection.ts';
import {
  type Account,
  type ChangedFile,
  type Comment,
  type CommentNow,
  isOwn,
  type OwnAuthor,
  type PullRequest,
  type Rank,
} from './pull-request.ts';
import * as replies from './replies.ts';
import { AS_SHOWN, pathOf, RepositoryCalls } from './repository-calls.ts';

/**
 * Activities that bring commits to a branch:
 * https://docs.github.com/rest/repos/repos#list-repository-activities.
 */
const PUSHES: ReadonlySet<string> = new Set([
  'push',
  'force_push',
  'branch_creation',
  'pr_merge',
  'merge_queue_merge',
]);

/** A comment that this account wrote. */
export interface OwnComment {
  readonly id: number;
  readonly url: string;
}

export type Reaction = 'eyes' | 'rocket' | 'confused' | '-1';

/** A comment; with the place `pull`, the pull request itself. */
export interface CommentPlace {
  /**
   * `conversation`: below the pull request. `diff`: on a line of it. `review`: the text of a
   * review.
   */
  readonly place: 'conversation' | 'diff' | 'review' | 'pull';
  readonly id: number;
  readonly pull: { readonly number: number };
}

/**
 * The repository of the run, for calls with this token. `signal` replaces the signal of the run:
 * for a last update after the run was cancelled.
 */
export async function openRepository(
  deps: { readonly github: GitHub; readonly log: Log },
  token: string,
  signal?: AbortSignal,
): Promise<Repository> {
  const { run } = deps.github;
  const octokit = await deps.github.connect(token, signal);
  const isRunOfFork = isFromFork(run, await deps.github.event());
  const calls = new RepositoryCalls(octokit, run.repository, isRunOfFork);
  return new Repository(octokit, token, calls, deps.log);
}

/**
 * Pull requests and comments of one repository, by GitHub's REST API. The methods throw only
 * CourierErrors, also for a reply that is cut or lacks a field: a list that they give is whole.
 */
export class Repository {
  readonly #octokit: Octokit;
  readonly #token: string;
  readonly #calls: RepositoryCalls;
  readonly #log: Log;
  readonly #ranks = new Map<number, Promise<Rank>>();
  #author: Promise<OwnAuthor> | undefined;

  constructor(octokit: Octokit, token: string, calls: RepositoryCalls, log: Log) {
    this.#octokit = octokit;
    this.#token = token;
    this.#calls = calls;
    this.#log = log;
  }

  /** The account that our comments are written by. It is looked up once. */
  whoWeAre(): Promise<OwnAuthor> {
    this.#author ??= this.#readAuthor();
    return this.#author;
  }

  // The workflow's own token and the tokens of Apps (`ghs_`) belong to bots, and may not ask for
  // their account. With any other token GitHub is asked. A person's account is never a bot, so a
  // person's copy of our comment does not count as ours.
  async #readAuthor(): Promise<OwnAuthor> {
    if (this.#token.startsWith('ghs_')) return { kind: 'bot' };
    const user = await unless(['forbidden', 'not-found'], () =>
      getJson(this.#octokit, 'GET /user', {}, replies.user),
    );
    if (user === undefined) return { kind: 'bot' };
    return { kind: 'account', id: user.id };
  }

  #readRepository() {
    return this.#calls.read('read the repository', '', replies.repository);
  }

  /** Everyone on the internet can read the repository. */
  async isPublic(): Promise<boolean> {
    return !(await this.#readRepository()).private;
  }

  /**
   * What an account may do in this repository, asked once for each account. Throws `network` if
   * GitHub cannot answer: an outage must not count as `none`.
   */
  rank(account: Account): Promise<Rank> {
    const lookup = this.#ranks.get(account.id) ?? this.#lookUpRank(account);
    this.#ranks.set(account.id, lookup);
    return lookup;
  }

  async #lookUpRank(account: Account): Promise<Rank> {
    const shown = plainLine(account.login, 60);
    const path = pathOf`collaborators/${account.login}/permission`;
    try {
      const standing = await this.#calls.readPlain(path, replies.standing);
      if (standing.user?.id === account.id) return replies.rankOf(standing);
      // The login was given up, and another person has it now.
      this.#log.warning(
        `GitHub's reply about the permission of ${shown} is about another account; it counts as none.`,
      );
      return 'none';
    } catch (error) {
      assertFailure(error);
      // The account was deleted. Any other 404 can be a missing right.
      if (error.code === 'not-found' && error.message.includes('is not a user')) return 'none';
      // With these three, GitHub has answered, and the hint says what to do. Anything else is an
      // outage, which a later run may not have.
      const isAnswer = hasCode(error, 'forbidden', 'unauthorized', 'rate-limited');
      throw error.with({
        code: isAnswer ? error.code : 'network',
        message: `The permission of ${shown} could not be looked up, so nothing was sent. ${error.message}`,
        hint: error.hint ?? 'Run the job again when GitHub answers.',
      });
    }
  }

  pullRequest(number: number): Promise<PullRequest> {
    return this.#calls.read(
      `read pull request ${number}`,
      pathOf`pulls/${number}`,
      replies.pullRequest,
      AS_SHOWN,
    );
  }

  /**
   * The merged pull requests that a commit is part of, the last one first:
   * https://docs.github.com/rest/commits/commits#list-pull-requests-associated-with-a-commit
   */
  async mergedPulls(commit: string) {
    const all = await this.#calls.list(
      `read the pull requests of commit ${commit}`,
      pathOf`commits/${commit}/pulls`,
      replies.commitPull,
    );
    const here = this.#calls.fullName.toLowerCase();
    // GitHub also lists those of forks, and of the repository that this one is a fork of: their
    // numbers are those of other pull requests here.
    return all
      .filter((pull) => pull.merged_at && pull.base.repo?.full_name.toLowerCase() === here)
      .sort((a, b) => (b.merged_at ?? '').localeCompare(a.merged_at ?? ''));
  }

  /**
   * The number of the pull request that brought the commit to its branch; undefined if the commit
   * was pushed directly.
   */
  async mergedPull(commit: string): Promise<number | undefined> {
    const merged = await this.mergedPulls(commit);
    // A commit can be part of several pull requests; first the one whose merge made the commit.
    const pull = merged.find((one) => one.merge_commit_sha === commit) ?? merged[0];
    return pull?.number;
  }

  /**
   * A file as it is on the default branch now, of at most `maxBytes`. Needs `contents: read`;
   * undefined if the file is not there, or the token may not see it.
   */
  async defaultFile(path: string, maxBytes: number) {
    // Without `heads/`, this could be a tag of the same name: people can set one who may not push
    // to the branch.
    const branch = `heads/${(await this.#readRepository()).default_branch}`;
    return unless(['not-found'], async () => {
      const head = pathOf`commits/${branch}`;
      const { sha } = await this.#calls.read('read the default branch', head, replies.commit);
      const file = ['contents', ...path.split('/').map(encodeURIComponent)].join('/');
      const raw = await this.#calls.read(`read ${path}`, file, replies.contents, { ref: sha });
      return { bytes: readContents(raw, path, maxBytes), commit: sha };
    });
  }

  /**
   * The changed files, of which GitHub lists at most 3,000 (of a comparison only 300). The caller
   * checks `commit` of each.
   */
  files(number: number): Promise<ChangedFile[]> {
    return this.#calls.list(
      `read the files of pull request ${number}`,
      pathOf`pulls/${number}/files`,
      replies.file,
    );
  }

  /** All comments below the pull request, oldest first; with `AS_SHOWN` also as a page shows them. */
  comments(number: number, form?: typeof AS_SHOWN): Promise<Comment[]> {
    return this.#calls.list(
      `read the comments of pull request ${number}`,
      pathOf`issues/${number}/comments`,
      replies.comment,
      form,
    );
  }

  /** The comments below pull requests that were changed since a moment, newest first. */
  async recentComments(since: Date): Promise<Comment[]> {
    const fields = { since: since.toISOString(), sort: 'updated', direction: 'desc' };
    const recent = await this.#calls.list(
      'read the latest comments',
      'issues/comments',
      replies.comment,
      fields,
    );
    return recent.filter((comment) => comment.pullNumber > 0);
  }

  /** All comments on lines of the diff. */
  reviewComments(number: number): Promise<Comment[]> {
    return this.#calls.list(
      `read the review comments of pull request ${number}`,
      pathOf`pulls/${number}/comments`,
      replies.reviewComment,
      AS_SHOWN,
    );
  }

  /** The text that a comment has now; undefined: GitHub answers 404, which `isGone` explains. */
  textNow(comment: CommentPlace): Promise<CommentNow | undefined> {
    return unless(['not-found'], () =>
      this.#calls.read(
        `read comment ${comment.id}`,
        commentPath(comment),
        replies.written,
        AS_SHOWN,
      ),
    );
  }

  /**
   * Whether a comment that GitHub answers 404 about was deleted: it is not in the list of its kind.
   * If it is, or if there is no list, the token lacks a right.
   */
  async isGone(comment: CommentPlace): Promise<boolean> {
    const listed = await unless(['not-found', 'forbidden'], () =>
      this.#calls.list(
        `list comment ${comment.id}`,
        listPath(comment),
        z.object({ id: z.number() }),
      ),
    );
    return listed?.every((one) => one.id !== comment.id) ?? false;
  }

  /**
   * When the head branch was last pushed to, by GitHub's records: the dates in commits can be made
   * up. undefined: GitHub does not say, or its last record is not about the current head. Needs
   * `contents: read` in a private repository.
   */
  async headPushedAtMs(pull: PullRequest): Promise<number | undefined> {
    const { ref, sha, repository } = pull.head;
    // The fork was deleted.
    if (repository === undefined) return undefined;
    // The records are in the head's repository, which may be a fork.
    const headCalls = new RepositoryCalls(this.#octokit, repository);
    // `config` is a request that the server does not understand: it keeps no such records.
    return unless(['forbidden', 'not-found', 'config'], async () => {
      const newestFirst = headCalls.each('activity', replies.activity, {
        ref: `refs/heads/${ref}`,
      });
      for await (const { activity_type: type, after, timestamp } of newestFirst) {
        if (!PUSHES.has(type)) continue;
        // A record of another commit, older or newer, does not say when the head was pushed.
        if (after !== sha) break;
        return readTime(timestamp);
      }
      return undefined;
    });
  }

  /** Who set a label last; undefined when GitHub does not know. */
  async labelledBy(number: number, label: string): Promise<Account | undefined> {
    const events = await this.#calls.list(
      `read the events of pull request ${number}`,
      pathOf`issues/${number}/events`,
      replies.issueEvent,
    );
    // The label may have been taken away and set again: the last time counts.
    const last = events.findLast((one) => one.event === 'labeled' && one.label?.name === label);
    return last?.actor ?? undefined;
  }

  /**
   * Adds a reaction. `known`: this account had added it already, perhaps by a call whose reply was
   * lost. `none`: GitHub has no reactions to such a comment.
   */
  async react(target: CommentPlace, content: Reaction): Promise<'new' | 'known' | 'none'> {
    if (target.place === 'review') return 'none';
    const path = reactionsPath(target);
    const status = await this.#calls.send(`react to ${target.id}`, 'POST', path, { content });
    // GitHub answers 200 if there was nothing to create.
    if (status === 201) return 'new';
    return 'known';
  }

  /** Whether this account has added the reaction. undefined: such a comment takes no reactions. */
  async hasReacted(target: CommentPlace, content: Reaction): Promise<boolean | undefined> {
    if (target.place === 'review') return undefined;
    const author = await this.whoWeAre();
    const reactions = await this.#calls.list(
      `read the reactions to ${target.id}`,
      reactionsPath(target),
      replies.reaction,
      { content },
    );
    // Looked at again: a server that does not know the filter lists all reactions.
    return reactions.some(
      (one) => one.content === content && isOwn({ author: one.user ?? undefined }, author),
    );
  }

  createComment(number: number, body: string): Promise<OwnComment> {
    return this.#calls.read(
      `comment on pull request ${number}`,
      pathOf`issues/${number}/comments`,
      replies.ownComment,
      { body },
      'POST',
    );
  }

  async updateComment(id: number, body: string): Promise<void> {
    const path = pathOf`issues/comments/${id}`;
    await this.#calls.send(`update comment ${id}`, 'PATCH', path, { body });
  }

  /** Deletes a comment. One that is deleted already is not an error; one that can be read is. */
  async removeComment(id: number): Promise<void> {
    const path = pathOf`issues/comments/${id}`;
    try {
      await this.#calls.send(`delete comment ${id}`, 'DELETE', path);
    } catch (error) {
      if (!hasCode(error, 'not-found')) throw error;
      const isThere = await unless(['not-found'], () => this.#calls.readPlain(path, replies.user));
      if (isThere !== undefined) throw error;
    }
  }
}

/** GitHub has another path for each place where a comment can be written. */
function commentPath(comment: CommentPlace): string {
  const pull = comment.pull.number;
  switch (comment.place) {
    case 'conversation':
      return pathOf`issues/comments/${comment.id}`;
    case 'diff':
      return pathOf`pulls/comments/${comment.id}`;
    case 'review':
      return pathOf`pulls/${pull}/reviews/${comment.id}`;
    case 'pull':
      return pathOf`issues/${pull}`;
  }
}

/** The list that a comment is in. */
function listPath({ place, pull }: CommentPlace): string {
  if (place === 'conversation') return pathOf`issues/${pull.number}/comments`;
  return place === 'diff'
    ? pathOf`pulls/${pull.number}/comments`
    : pathOf`pulls/${pull.number}/reviews`;
}

/** Not for the text of a review: GitHub has no reactions to it. */
function reactionsPath(target: CommentPlace): string {
  return `${commentPath(target)}/reactions`;
}

/**
 * The bytes of a file in a reply of the contents API. Throws `config` for anything but a file of at
 * most `maxBytes`, and `protocol` if the reply does not contain all bytes.
 */
function readContents(
  raw: z.infer<typeof replies.contents>,
  path: string,
  maxBytes: number,
): Uint8Array {
  const shown = plainLine(path, 200);
  if (!('type' in raw)) throw refuse(`${shown} is a folder on the default branch`);
  // A symbolic link can lead anywhere, and a submodule is another repository.
  if (raw.type !== 'file')
    throw refuse(
      `${shown} is a ${plainLine(raw.type, 30)} on the default branch, which is not a file`,
    );
  if (raw.size > maxBytes) throw refuse(`${shown} has ${raw.size} bytes; ${maxBytes} are allowed`);
  // GitHub may leave the content out of a reply that is too long for it.
  const bytes = Buffer.from(raw.content ?? '', 'base64');
  if (raw.encoding === 'base64' && bytes.length === raw.size) return bytes;
  throw protocolError(
    `The reply with ${shown} has ${bytes.length} of ${raw.size} bytes. Nothing was sent.`,
  );
}

function refuse(problem: string): CourierError {
  return configError(`${problem}. Nothing was sent.`);
}
