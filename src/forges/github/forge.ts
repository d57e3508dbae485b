import * as z from 'zod/mini';
import { hasCode } from '../../errors.ts';
import { getJson, type Octokit } from '../../github/client.ts';
import type { Log } from '../../log.ts';
import { plainLine } from '../../text/escape.ts';
import type {
  Account,
  ChangedFile,
  Comment,
  DefaultFile,
  Forge,
  OwnAuthor,
  OwnComment,
  PullRequest,
  Rank,
  Reaction,
  ReactionTarget,
  RecentComment,
} from '../port.ts';
import { rankUnknown } from '../rank-unknown.ts';
import { Calls, splitName } from './calls.ts';
import { readDefaultFile } from './default-file.ts';
import { needing } from './needing.ts';
import * as replies from './replies.ts';

/** Activities that bring commits to a branch: https://docs.github.com/rest/repos/repos#list-repository-activities. */
const PUSHES: ReadonlySet<string> = new Set(['push', 'force_push', 'branch_creation', 'pr_merge', 'merge_queue_merge']);

const PAGE_SIZE = 100;

/** GitHub's REST API as a forge. */
export class GitHubForge implements Forge {
  readonly #octokit: Octokit;
  readonly #token: string;
  readonly #name: string;
  readonly #repository: ReturnType<typeof splitName>;
  readonly #calls: Calls;
  readonly #log: Log;
  readonly #ranks = new Map<number, Promise<Rank>>();
  #author: Promise<OwnAuthor> | undefined;

  constructor(octokit: Octokit, token: string, fullName: string, log: Log) {
    this.#octokit = octokit;
    this.#token = token;
    this.#name = fullName;
    this.#repository = splitName(fullName);
    this.#calls = new Calls(octokit, fullName);
    this.#log = log;
  }

  whoWeAre(): Promise<OwnAuthor> {
    this.#author ??= this.#readAuthor();
    return this.#author;
  }

  // The workflow's own token and those of Apps (`ghs_`) are bots, and may not ask who they are; any other token is asked. No
  // person's account is a bot, so that nobody's copy of a comment of ours counts as ours.
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

  async isPublic(): Promise<boolean> {
    const found = await getJson(this.#octokit, 'GET /repos/{owner}/{repo}', this.#repository, replies.repository);
    return !found.private;
  }

  rank(account: Account): Promise<Rank> {
    const lookup = this.#ranks.get(account.id) ?? this.#lookUpRank(account);
    this.#ranks.set(account.id, lookup);
    return lookup;
  }

  async #lookUpRank({ login, id }: Account): Promise<Rank> {
    try {
      const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
      const standing = await getJson(this.#octokit, route, { ...this.#repository, username: login }, replies.standing);
      if (standing.user?.id === id) return replies.rankOf(standing);
      this.#log.warning(
        `GitHub's reply about the permission of ${plainLine(login, 60)} is about another account; it counts as none.`,
      );
      return 'none';
    } catch (error) {
      if (hasCode(error, 'not-found')) return 'none';
      throw rankUnknown(error, login, 'GitHub');
    }
  }

  async pullRequest(number: number): Promise<PullRequest> {
    const raw = await this.#calls.read(
      `read pull request ${number}`,
      'GET /repos/{owner}/{repo}/pulls/{number}',
      { number },
      replies.pullRequest,
    );
    return replies.toPullRequest(raw);
  }

  async pullsOfCommit(commit: string): Promise<readonly number[]> {
    const route = 'GET /repos/{owner}/{repo}/commits/{commit}/pulls';
    const what = `read the pull requests of commit ${commit.slice(0, 12)}`;
    return (await this.#calls.list(what, route, { commit }, replies.numbered)).map(({ number }) => number);
  }

  defaultFile(path: string, maxBytes: number): Promise<DefaultFile | undefined> {
    return readDefaultFile(this.#calls, path, maxBytes);
  }

  /** From the pull request's own list, which ends at 3,000 files; the list of a comparison ends at 300. */
  async files(number: number): Promise<ChangedFile[]> {
    const what = `read the files of pull request ${number}`;
    const files = await this.#calls.list(
      what,
      'GET /repos/{owner}/{repo}/pulls/{number}/files',
      { number },
      replies.file,
    );
    return files.map(replies.toFile);
  }

  async comments(number: number): Promise<Comment[]> {
    const what = `read the comments of pull request ${number}`;
    const route = 'GET /repos/{owner}/{repo}/issues/{number}/comments';
    return (await this.#calls.list(what, route, { number }, replies.comment)).map(replies.toComment);
  }

  async comment(_pullNumber: number, id: number): Promise<Comment | undefined> {
    try {
      const route = 'GET /repos/{owner}/{repo}/issues/comments/{id}';
      return replies.toComment(await this.#calls.read(`read comment ${id}`, route, { id }, replies.comment));
    } catch (error) {
      if (hasCode(error, 'not-found')) return undefined;
      throw error;
    }
  }

  /** From one page of the repository's comments, those on issues included. */
  async recentComments(since: Date, most: number): Promise<RecentComment[]> {
    const route = 'GET /repos/{owner}/{repo}/issues/comments';
    const query = {
      since: since.toISOString(),
      sort: 'updated',
      direction: 'desc',
      per_page: Math.min(most, PAGE_SIZE),
    };
    const found = await this.#calls.read('read the latest comments', route, query, z.array(replies.comment));
    return found.flatMap((raw) => {
      const number = /\/pull\/([1-9]\d{0,9})#/.exec(raw.html_url)?.[1];
      return number === undefined ? [] : [{ ...replies.toComment(raw), pullNumber: Number(number) }];
    });
  }

  async reviewComments(number: number): Promise<Comment[]> {
    const what = `read the review comments of pull request ${number}`;
    const route = 'GET /repos/{owner}/{repo}/pulls/{number}/comments';
    return (await this.#calls.list(what, route, { number }, replies.reviewComment)).map(replies.toReviewComment);
  }

  /** Needs `contents: read` in a private repository. The repository is the head's: a fork keeps its own record of pushes. */
  async headPushedAtMs({ head }: PullRequest): Promise<number | undefined> {
    if (head.repository === undefined) return undefined;
    try {
      const query = { ...splitName(head.repository), ref: `refs/heads/${head.ref}`, per_page: 10 };
      const found = await getJson(this.#octokit, 'GET /repos/{owner}/{repo}/activity', query, replies.activities);
      const last = found.find(({ activity_type: type }) => PUSHES.has(type));
      const atMs = Date.parse(last?.timestamp ?? '');
      // A record of another commit is late, or early: it says nothing about this one.
      return last?.after === head.sha && !Number.isNaN(atMs) ? atMs : undefined;
    } catch (error) {
      if (hasCode(error, 'forbidden', 'not-found', 'config')) return undefined;
      throw error;
    }
  }

  async labelledBy(number: number, label: string): Promise<Account | undefined> {
    const what = `read the events of pull request ${number}`;
    const route = 'GET /repos/{owner}/{repo}/issues/{number}/events';
    const events = await this.#calls.list(what, route, { number }, replies.issueEvent);
    const last = events.findLast((event) => event.event === 'labeled' && event.label?.name === label);
    return last?.actor ? replies.toAccount(last.actor) : undefined;
  }

  async react({ place, id }: ReactionTarget, content: Reaction): Promise<'new' | 'known' | 'none'> {
    // GitHub's REST API has no reactions to the text of a review.
    if (place === 'review') return 'none';
    const { reactions } = this.#octokit.rest;
    const create =
      place === 'conversation' ? reactions.createForIssueComment : reactions.createForPullRequestReviewComment;
    const { status } = await needing(`react to comment ${id} of ${this.#name}`, () =>
      create({ ...this.#repository, comment_id: id, content }),
    );
    return status === 201 ? 'new' : 'known';
  }

  async hasReacted({ place, id }: ReactionTarget, content: Reaction): Promise<boolean | undefined> {
    if (place === 'review') return undefined;
    const folder = place === 'conversation' ? 'issues' : 'pulls';
    const own = await this.whoWeAre();
    const what = `read the reactions to comment ${id}`;
    const route = `GET /repos/{owner}/{repo}/${folder}/comments/{id}/reactions`;
    const found = await this.#calls.list(what, route, { id, content }, replies.reaction);
    return found.some(
      ({ user, content: given }) =>
        given === content && (own.kind === 'bot' ? user?.type === 'Bot' : user?.id === own.id),
    );
  }

  async createComment(number: number, body: string): Promise<OwnComment> {
    const route = 'POST /repos/{owner}/{repo}/issues/{number}/comments';
    const made = await this.#calls.read(
      `comment on pull request ${number}`,
      route,
      { number, body },
      replies.ownComment,
    );
    return { id: made.id, url: made.html_url };
  }

  async updateComment(_pullNumber: number, id: number, body: string): Promise<void> {
    await needing(`update comment ${id} of ${this.#name}`, () =>
      this.#octokit.rest.issues.updateComment({ ...this.#repository, comment_id: id, body }),
    );
  }

  async removeComment(_pullNumber: number, id: number): Promise<void> {
    try {
      await needing(`delete comment ${id} of ${this.#name}`, () =>
        this.#octokit.rest.issues.deleteComment({ ...this.#repository, comment_id: id }),
      );
    } catch (error) {
      if (!hasCode(error, 'not-found')) throw error;
    }
  }
}
