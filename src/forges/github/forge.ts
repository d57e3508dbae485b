import * as z from 'zod/mini';
import { type Hint, hasCode } from '../../errors.ts';
import { getJson, type Octokit, readReply } from '../../github/client.ts';
import type { Log } from '../../log.ts';
import { plainLine } from '../../text/escape.ts';
import type {
  Account,
  ChangedFile,
  Comment,
  CommentTrigger,
  DefaultFile,
  Forge,
  MergedPull,
  OwnAuthor,
  OwnComment,
  PullRequest,
  Rank,
  Reaction,
  ReactionTarget,
  RecentComment,
} from '../port.ts';
import {
  contents,
  defaultBranch,
  file,
  ownComment,
  rankUnknown,
  readContents,
  toComment,
  toFile,
  toPullRequest,
  toReviewComment,
} from '../shared.ts';
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
  // person's account is a bot, so that a copy of our comment does not count as ours.
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
    return toPullRequest(raw, raw.locked);
  }

  async pullsOfCommit(commit: string): Promise<readonly number[]> {
    const route = 'GET /repos/{owner}/{repo}/commits/{commit}/pulls';
    const what = `read the pull requests of commit ${commit.slice(0, 12)}`;
    return (await this.#calls.list(what, route, { commit }, replies.commitPull)).map(({ number }) => number);
  }

  /** https://docs.github.com/rest/commits/commits#list-pull-requests-associated-with-a-commit */
  async mergedPull(commit: string): Promise<MergedPull | undefined> {
    const route = 'GET /repos/{owner}/{repo}/commits/{commit}/pulls';
    const what = `read the pull requests of commit ${commit}`;
    const merged = (await this.#calls.list(what, route, { commit }, replies.commitPull))
      .filter(({ merged_at: at }) => typeof at === 'string')
      .sort((a, b) => ((a.merged_at ?? '') < (b.merged_at ?? '') ? 1 : -1));
    // A commit can be part of several; the one that it was made for goes first.
    const found = merged.find(({ merge_commit_sha: sha }) => sha === commit) ?? merged[0];
    return found && { number: found.number, url: found.html_url };
  }

  defaultFile(path: string, maxBytes: number): Promise<DefaultFile | undefined> {
    return readDefaultFile(this.#calls, path, maxBytes);
  }

  /** From the pull request's own list, which ends at 3,000 files; the list of a comparison ends at 300. */
  async files(number: number): Promise<ChangedFile[]> {
    const what = `read the files of pull request ${number}`;
    const files = await this.#calls.list(what, 'GET /repos/{owner}/{repo}/pulls/{number}/files', { number }, file);
    return files.map((raw) => toFile(raw));
  }

  async comments(number: number): Promise<Comment[]> {
    const what = `read the comments of pull request ${number}`;
    const route = 'GET /repos/{owner}/{repo}/issues/{number}/comments';
    return (await this.#calls.list(what, route, { number }, replies.comment)).map(toComment);
  }

  async comment(_pullNumber: number, id: number): Promise<Comment | undefined> {
    try {
      const route = 'GET /repos/{owner}/{repo}/issues/comments/{id}';
      return toComment(await this.#calls.read(`read comment ${id}`, route, { id }, replies.comment));
    } catch (error) {
      if (hasCode(error, 'not-found')) return undefined;
      throw error;
    }
  }

  async textNow({ place, id, pull }: CommentTrigger): Promise<string | undefined> {
    const below = { conversation: 'issues/comments', diff: 'pulls/comments', review: `pulls/${pull.number}/reviews` };
    const route = `GET /repos/{owner}/{repo}/${below[place]}/{id}`;
    try {
      return (await this.#calls.read(`read comment ${id}`, route, { id }, replies.text)).body ?? '';
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
      return number === undefined ? [] : [{ ...toComment(raw), pullNumber: Number(number) }];
    });
  }

  async reviewComments(number: number): Promise<Comment[]> {
    const what = `read the review comments of pull request ${number}`;
    const route = 'GET /repos/{owner}/{repo}/pulls/{number}/comments';
    const found = await this.#calls.list(what, route, { number }, replies.reviewComment);
    return found.map((raw) => toReviewComment(raw, raw.line ?? undefined));
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
    return last?.actor ?? undefined;
  }

  async react(target: ReactionTarget, content: Reaction): Promise<'new' | 'known' | 'none'> {
    const path = reactionsPath(target);
    if (path === undefined) return 'none';
    const route = `POST /repos/{owner}/{repo}/${path}`;
    const { status } = await needing(`react to ${target.id} of ${this.#name}`, () =>
      this.#octokit.request(route, { ...this.#repository, content }),
    );
    return status === 201 ? 'new' : 'known';
  }

  async hasReacted(target: ReactionTarget, content: Reaction): Promise<boolean | undefined> {
    const path = reactionsPath(target);
    if (path === undefined) return undefined;
    const own = await this.whoWeAre();
    const what = `read the reactions to ${target.id}`;
    const found = await this.#calls.list(what, `GET /repos/{owner}/{repo}/${path}`, { content }, replies.reaction);
    return found.some(
      ({ user, content: given }) =>
        given === content && (own.kind === 'bot' ? user?.kind === 'bot' : user?.id === own.id),
    );
  }

  async createComment(number: number, body: string): Promise<OwnComment> {
    const route = 'POST /repos/{owner}/{repo}/issues/{number}/comments';
    const made = await this.#calls.read(`comment on pull request ${number}`, route, { number, body }, ownComment);
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

/** GitHub's REST API has no reactions to the text of a review. */
function reactionsPath({ place, id, pull }: ReactionTarget): string | undefined {
  if (place === 'review') return undefined;
  if (place === 'pull') return `issues/${pull.number}/reactions`;
  return `${place === 'conversation' ? 'issues' : 'pulls'}/comments/${id}/reactions`;
}

type Repository = Readonly<Record<'owner' | 'repo', string>>;

/** Calls about one repository. Each says `what` it wants, for the message where it is refused. */
class Calls {
  readonly #octokit: Octokit;
  readonly #name: string;
  readonly #repository: Repository;

  /** `fullName`: `owner/name`. */
  constructor(octokit: Octokit, fullName: string) {
    this.#octokit = octokit;
    this.#name = fullName;
    this.#repository = splitName(fullName);
  }

  read<T>(what: string, route: string, parameters: object, schema: z.ZodMiniType<T>): Promise<T> {
    return needing(`${what} of ${this.#name}`, () =>
      getJson(this.#octokit, route, { ...this.#repository, ...parameters }, schema),
    );
  }

  /**
   * All entries of a list, each page parsed as it came: the client library's own paging takes an empty reply for an empty
   * page, and what is missing from such a list could be the record of a message that was sent.
   */
  list<T>(what: string, route: string, parameters: object, entry: z.ZodMiniType<T>): Promise<T[]> {
    const query = { ...this.#repository, ...parameters, per_page: PAGE_SIZE };
    return needing(`${what} of ${this.#name}`, async () => {
      const all: T[] = [];
      for (let page = 1; ; page += 1) {
        const { data, headers } = await this.#octokit.request(route, { ...query, page });
        const entries = readReply(z.array(entry), data, route);
        all.push(...entries);
        const { link } = headers;
        if (link === undefined ? entries.length < PAGE_SIZE : !/\brel="next"/.test(link)) return all;
      }
    });
  }
}

function splitName(fullName: string): Repository {
  const [owner = '', repo = ''] = fullName.split('/');
  return { owner, repo };
}

/** Names what failed, and the permission to add where a job may not have given it to its token. */
async function needing<T>(
  what: string,
  call: () => Promise<T>,
  permissions: Hint['permissions'] = { 'pull-requests': 'write' },
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (hasCode(error, 'forbidden') && error.lacksPermission) {
      throw error.with({
        message: `The token may not ${what}.`,
        hint: { text: 'Give the token of the job the permission:', permissions },
      });
    }
    if (!hasCode(error, 'not-found')) throw error;
    throw error.with({
      message: `The token cannot ${what}: GitHub does not find it (404).`,
      // GitHub answers 404 about what a token may not see.
      hint: { text: 'It does not exist, or the token of the job lacks the permission:', permissions },
    });
  }
}

/** Needs `contents: read`; undefined where the file is not there, or the token may not see it. */
async function readDefaultFile(calls: Calls, path: string, maxBytes: number): Promise<DefaultFile | undefined> {
  const repository = 'GET /repos/{owner}/{repo}';
  const { default_branch: ref } = await calls.read('read the repository', repository, {}, defaultBranch);
  const newest = 'GET /repos/{owner}/{repo}/commits/{ref}';
  // A bare name could be that of a tag, which people may set who may not push to the branch.
  const branch = { ref: `heads/${ref}` };
  try {
    const { sha: commit } = await calls.read('read the default branch', newest, branch, replies.commit);
    const route = 'GET /repos/{owner}/{repo}/contents/{+path}';
    const parameters = { path: path.split('/').map(encodeURIComponent).join('/'), ref: commit };
    return readContents(await calls.read(`read ${path}`, route, parameters, contents), { path, commit, maxBytes });
  } catch (error) {
    if (hasCode(error, 'not-found')) return undefined;
    throw error;
  }
}
