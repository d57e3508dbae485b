import * as z from 'zod/mini';
import { CourierError, hasCode, unless } from '../errors.ts';
import type { Log } from '../log.ts';
import { plainLine } from '../text/escape.ts';
import { readTime } from '../text/instants.ts';
import { getJson, type Octokit } from './client.ts';
import { type GitHub, isFromFork } from './connection.ts';
import { type DefaultFile, readContents } from './default-file.ts';
import {
  type Account,
  type ChangedFile,
  type Comment,
  isOwn,
  type OwnAuthor,
  type PullRequest,
  type Rank,
} from './pull-request.ts';
import * as replies from './replies.ts';
import { RepositoryCalls } from './repository-calls.ts';

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

export type OwnComment = Pick<Comment, 'id' | 'url'>;

/** A comment on one of the repository's pull requests. */
interface RecentComment extends Comment {
  readonly pullNumber: number;
}

type MergedPull = z.infer<typeof replies.commitPull>;

export type Reaction = 'eyes' | 'rocket' | 'confused' | '-1';

/** A comment, or with `pull` the pull request itself. */
export interface CommentPlace {
  /**
   * `conversation`: below the pull request. `diff`: on a line of it. `review`: the text of a
   * review.
   */
  readonly place: 'conversation' | 'diff' | 'review' | 'pull';
  readonly id: number;
  readonly pull: { readonly number: number };
}

interface RepositoryInit {
  readonly octokit: Octokit;
  readonly token: string;
  /** `owner/name`. */
  readonly repository: string;
  /** The run is for a pull request from a fork. */
  readonly isOfFork: boolean;
  readonly log: Log;
}

/**
 * The run's repository with a token. `signal` is used instead of the run's own: for a last update
 * after the run was cancelled.
 */
export async function openRepository(
  { github, log }: { readonly github: GitHub; readonly log: Log },
  token: string,
  signal?: AbortSignal,
): Promise<Repository> {
  const { run } = github;
  const octokit = await github.connect(token, signal);
  const isOfFork = isFromFork(run, await github.event());
  return new Repository({ octokit, token, repository: run.repository, isOfFork, log });
}

/**
 * Pull requests and comments of one repository, by GitHub's REST API. Every method throws a
 * CourierError, and only that; a reply that is cut or that lacks a field that is read is one too,
 * so that a list which comes back is whole.
 */
export class Repository {
  readonly #octokit: Octokit;
  readonly #token: string;
  readonly #calls: RepositoryCalls;
  readonly #log: Log;
  readonly #ranks = new Map<number, Promise<Rank>>();
  #author: Promise<OwnAuthor> | undefined;

  constructor({ octokit, token, repository, isOfFork, log }: RepositoryInit) {
    this.#octokit = octokit;
    this.#token = token;
    this.#calls = new RepositoryCalls(octokit, repository, isOfFork);
    this.#log = log;
  }

  whoWeAre(): Promise<OwnAuthor> {
    this.#author ??= this.#readAuthor();
    return this.#author;
  }

  // The workflow's own token and those of Apps (`ghs_`) are bots, and may not ask who they are; any
  // other token is asked. No person's account is a bot, so that a copy of our comment does not
  // count as ours.
  async #readAuthor(): Promise<OwnAuthor> {
    if (this.#token.startsWith('ghs_')) return { kind: 'bot' };
    try {
      const { id } = await getJson(this.#octokit, 'GET /user', {}, replies.user);
      return { kind: 'account', id };
    } catch (error) {
      if (hasCode(error, 'forbidden', 'not-found')) return { kind: 'bot' };
      throw error;
    }
  }

  #readRepository() {
    return this.#calls.read({ what: 'read the repository', path: [] }, replies.repository);
  }

  /** Everyone on the internet can read the repository. */
  async isPublic(): Promise<boolean> {
    return !(await this.#readRepository()).private;
  }

  /**
   * What an account may do here, asked once. Throws `network` when GitHub cannot say: an outage is
   * not a "no".
   */
  rank(account: Account): Promise<Rank> {
    const lookup = this.#ranks.get(account.id) ?? this.#lookUpRank(account);
    this.#ranks.set(account.id, lookup);
    return lookup;
  }

  async #lookUpRank({ login, id }: Account): Promise<Rank> {
    try {
      const standing = await this.#readStanding(login);
      if (standing === undefined) return 'none';
      if (standing.user?.id === id) return replies.rankOf(standing);
      this.#log.warning(
        `GitHub's reply about the permission of ${plainLine(login, 60)} is about another account; it counts as none.`,
      );
      return 'none';
    } catch (error) {
      if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
      // An outage is not a "no".
      throw error.with({
        code: hasCode(error, 'forbidden', 'unauthorized', 'rate-limited') ? error.code : 'network',
        message: `The permission of ${plainLine(login, 60)} could not be looked up, so nothing was sent. ${error.message}`,
        hint: error.hint ?? 'Run the job again when GitHub answers.',
      });
    }
  }

  /** undefined: GitHub knows no such collaborator. */
  #readStanding(login: string) {
    const path = ['collaborators', login, 'permission'];
    return unless(['not-found'], () => this.#calls.readPlain({ path }, replies.standing));
  }

  pullRequest(number: number): Promise<PullRequest> {
    const call = { what: `read pull request ${number}`, path: ['pulls', `${number}`] };
    return this.#calls.read(call, replies.pullRequest);
  }

  /**
   * The merged pull requests that a commit is part of, the last one first:
   * https://docs.github.com/rest/commits/commits#list-pull-requests-associated-with-a-commit
   */
  async mergedPulls(commit: string): Promise<readonly MergedPull[]> {
    const call = {
      what: `read the pull requests of commit ${commit}`,
      path: ['commits', commit, 'pulls'],
    };
    const all = await this.#calls.list(call, replies.commitPull);
    const merged = all.flatMap(({ merged_at: at, ...pull }) =>
      typeof at === 'string' ? { ...pull, at } : [],
    );
    return merged.sort((a, b) => (a.at < b.at ? 1 : -1));
  }

  /**
   * The number of the pull request that brought the commit to its branch; undefined for one that
   * was pushed directly.
   */
  async mergedPull(commit: string): Promise<number | undefined> {
    const merged = await this.mergedPulls(commit);
    // A commit can be part of several; the one that it was made for goes first.
    const found = merged.find(({ merge_commit_sha: sha }) => sha === commit) ?? merged[0];
    return found?.number;
  }

  /**
   * A file as it is on the default branch now, of at most `maxBytes`. Needs `contents: read`;
   * undefined if the file is not there, or the token may not see it.
   */
  async defaultFile(path: string, maxBytes: number): Promise<DefaultFile | undefined> {
    const { default_branch: branch } = await this.#readRepository();
    // A bare name could be that of a tag, which people may set who may not push to the branch.
    const head = { what: 'read the default branch', path: ['commits', `heads/${branch}`] };
    return unless(['not-found'], async () => {
      const { sha: commit } = await this.#calls.read(head, replies.commit);
      const call = {
        what: `read ${path}`,
        path: ['contents', ...path.split('/')],
        fields: { ref: commit },
      };
      return readContents(await this.#calls.read(call, replies.contents), {
        path,
        commit,
        maxBytes,
      });
    });
  }

  /**
   * The changed files, as many as GitHub lists. Check `commit` of each. From the pull request's own
   * list, which ends at 3,000 files; the list of a comparison ends at 300.
   */
  files(number: number): Promise<ChangedFile[]> {
    const path = ['pulls', `${number}`, 'files'];
    return this.#calls.list(
      { what: `read the files of pull request ${number}`, path },
      replies.file,
    );
  }

  /** All comments below the pull request, oldest first. */
  comments(number: number): Promise<Comment[]> {
    const call = {
      what: `read the comments of pull request ${number}`,
      path: ['issues', `${number}`, 'comments'],
    };
    return this.#calls.list(call, replies.comment);
  }

  /**
   * The comments below pull requests that were changed last, since a moment, newest first: those of
   * one page.
   */
  async recentComments(since: Date): Promise<RecentComment[]> {
    const fields = {
      since: since.toISOString(),
      sort: 'updated',
      direction: 'desc',
      per_page: 100,
    };
    const call = { what: 'read the latest comments', path: ['issues', 'comments'], fields };
    return onPulls(await this.#calls.read(call, z.array(replies.comment)));
  }

  /** All comments on lines of the diff. */
  reviewComments(number: number): Promise<Comment[]> {
    const path = ['pulls', `${number}`, 'comments'];
    const call = { what: `read the review comments of pull request ${number}`, path };
    return this.#calls.list(call, replies.reviewComment);
  }

  /** The text that a comment has now; undefined: it is gone. */
  textNow(comment: CommentPlace): Promise<string | undefined> {
    const call = { what: `read comment ${comment.id}`, path: pathOf(comment) };
    return unless(
      ['not-found'],
      async () => (await this.#calls.read(call, replies.text)).body ?? '',
    );
  }

  /**
   * When the branch of the head was last pushed to, by GitHub's own records; dates in commits can
   * be made up by the person who commits. undefined: GitHub does not say, or what it says is not
   * about the current head. Needs `contents: read` in a private repository. The repository is the
   * head's: a fork keeps its own record of pushes.
   */
  async headPushedAtMs({ head }: PullRequest): Promise<number | undefined> {
    if (head.repository === undefined) return undefined;
    const fields = { ref: `refs/heads/${head.ref}`, per_page: 10 };
    const fork = new RepositoryCalls(this.#octokit, head.repository, false);
    return unless(['forbidden', 'not-found', 'config'], async () => {
      const found = await fork.readPlain({ path: ['activity'], fields }, replies.activities);
      const last = found.find(({ activity_type: type }) => PUSHES.has(type));
      // A record of another commit is late, or early: it says nothing about this one.
      return last?.after === head.sha ? readTime(last.timestamp) : undefined;
    });
  }

  /** Who set a label last; undefined when GitHub does not know. */
  async labelledBy(number: number, label: string): Promise<Account | undefined> {
    const call = {
      what: `read the events of pull request ${number}`,
      path: ['issues', `${number}`, 'events'],
    };
    const events = await this.#calls.list(call, replies.issueEvent);
    const last = events.findLast(
      (event) => event.event === 'labeled' && event.label?.name === label,
    );
    return last?.actor ?? undefined;
  }

  /**
   * `known`: this account had reacted so, perhaps by a call whose reply was lost. `none`: such a
   * comment takes no reaction.
   */
  async react(target: CommentPlace, content: Reaction): Promise<'new' | 'known' | 'none'> {
    const path = reactionsPath(target);
    if (path === undefined) return 'none';
    const call = {
      what: `react to ${target.id}`,
      path,
      method: 'POST',
      fields: { content },
    } as const;
    return (await this.#calls.send(call)).status === 201 ? 'new' : 'known';
  }

  /** Whether this account has reacted so. undefined: such a comment takes no reaction. */
  async hasReacted(target: CommentPlace, content: Reaction): Promise<boolean | undefined> {
    const path = reactionsPath(target);
    if (path === undefined) return undefined;
    const own = await this.whoWeAre();
    const call = { what: `read the reactions to ${target.id}`, path, fields: { content } };
    const found = await this.#calls.list(call, replies.reaction);
    return found.some(
      (given) => given.content === content && isOwn({ author: given.user ?? undefined }, own),
    );
  }

  async createComment(number: number, body: string): Promise<OwnComment> {
    const path = ['issues', `${number}`, 'comments'];
    const call = {
      what: `comment on pull request ${number}`,
      path,
      method: 'POST',
      fields: { body },
    } as const;
    const { id, html_url: url } = await this.#calls.read(call, replies.ownComment);
    return { id, url };
  }

  async updateComment(id: number, body: string): Promise<void> {
    const path = ['issues', 'comments', `${id}`];
    await this.#calls.send({
      what: `update comment ${id}`,
      path,
      method: 'PATCH',
      fields: { body },
    });
  }

  /** A comment that is gone already is not an error. */
  async removeComment(id: number): Promise<void> {
    const path = ['issues', 'comments', `${id}`];
    await unless(['not-found'], () =>
      this.#calls.send({ what: `delete comment ${id}`, path, method: 'DELETE' }),
    );
  }
}

/** Those comments that are on a pull request, with its number: their address has it. */
function onPulls(comments: readonly Comment[]): RecentComment[] {
  return comments.flatMap((comment) => {
    const number = /\/pull\/([1-9]\d{0,9})#/.exec(comment.url)?.[1];
    return number === undefined ? [] : [{ ...comment, pullNumber: Number(number) }];
  });
}

function pathOf({ place, id, pull }: CommentPlace): readonly string[] {
  const paths = {
    conversation: ['issues', 'comments', `${id}`],
    diff: ['pulls', 'comments', `${id}`],
    review: ['pulls', `${pull.number}`, 'reviews', `${id}`],
    pull: ['issues', `${pull.number}`],
  };
  return paths[place];
}

/** GitHub has no reactions to the text of a review. */
function reactionsPath(target: CommentPlace): readonly string[] | undefined {
  return target.place === 'review' ? undefined : [...pathOf(target), 'reactions'];
}
