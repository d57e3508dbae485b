import * as z from 'zod/mini';
import { CourierError, hasCode, unless } from '../../errors.ts';
import { getJson, type Octokit, readReply } from '../../github/client.ts';
import type { Log } from '../../log.ts';
import { readTime } from '../../text/instants.ts';
import type {
  Account,
  ChangedFile,
  Comment,
  Forge,
  MergedPull,
  OwnAuthor,
  PullRequest,
  RecentComment,
} from '../port.ts';
import { type RepositoryCall, RestForge } from '../rest.ts';
import { file, onPulls } from '../shared.ts';
import * as replies from './replies.ts';

/** Activities that bring commits to a branch: https://docs.github.com/rest/repos/repos#list-repository-activities. */
const PUSHES: ReadonlySet<string> = new Set(['push', 'force_push', 'branch_creation', 'pr_merge', 'merge_queue_merge']);

const PAGE_SIZE = 100;
/** More than any pull request that people still read. */
const MAX_PAGES = 100;

interface GitHubForgeInit {
  readonly octokit: Octokit;
  readonly token: string;
  readonly repository: string;
  readonly isOfFork: boolean;
  readonly log: Log;
}

const READ_ONLY =
  'The token of a run for a pull request from a fork only reads, whatever the workflow gives it. Leave the comment out there, or write it in a run for another event, such as push.';

/** GitHub's REST API as a forge. */
export class GitHubForge extends RestForge implements Forge {
  readonly #octokit: Octokit;
  readonly #token: string;
  readonly #calls: Calls;

  /** `isOfFork`: the run is for a pull request from a fork. */
  constructor({ octokit, token, repository, isOfFork, log }: GitHubForgeInit) {
    const calls = new Calls(octokit, repository, isOfFork);
    super({ name: 'GitHub', calls, replies, log });
    this.#octokit = octokit;
    this.#token = token;
    this.#calls = calls;
  }

  // The workflow's own token and those of Apps (`ghs_`) are bots, and may not ask who they are; any other token is asked. No
  // person's account is a bot, so that a copy of our comment does not count as ours.
  override async readAuthor(): Promise<OwnAuthor> {
    if (this.#token.startsWith('ghs_')) return { kind: 'bot' };
    try {
      const { id } = await getJson(this.#octokit, 'GET /user', {}, replies.user);
      return { kind: 'account', id };
    } catch (error) {
      if (hasCode(error, 'forbidden', 'not-found')) return { kind: 'bot' };
      throw error;
    }
  }

  override readStanding(login: string) {
    const path = ['collaborators', login, 'permission'];
    return unless(['not-found'], async () => {
      const standing = await this.#calls.readPlain({ path }, replies.standing);
      return { id: standing.user?.id, rank: replies.rankOf(standing) };
    });
  }

  /** https://docs.github.com/rest/commits/commits#list-pull-requests-associated-with-a-commit */
  #pullsOf(commit: string) {
    const path = ['commits', commit, 'pulls'];
    return this.#calls.list({ what: `read the pull requests of commit ${commit}`, path }, replies.commitPull);
  }

  async pullsOfCommit(commit: string): Promise<readonly number[]> {
    return (await this.#pullsOf(commit)).map(({ number }) => number);
  }

  async mergedPull(commit: string): Promise<MergedPull | undefined> {
    const merged = (await this.#pullsOf(commit))
      .filter(({ merged_at: at }) => typeof at === 'string')
      .sort((a, b) => ((a.merged_at ?? '') < (b.merged_at ?? '') ? 1 : -1));
    // A commit can be part of several; the one that it was made for goes first.
    const found = merged.find(({ merge_commit_sha: sha }) => sha === commit) ?? merged[0];
    return found && { number: found.number, url: found.html_url };
  }

  override async newestCommit(branch: string): Promise<string> {
    // A bare name could be that of a tag, which people may set who may not push to the branch.
    const path = ['commits', `heads/${branch}`];
    return (await this.#calls.read({ what: 'read the default branch', path }, replies.commit)).sha;
  }

  /** From the pull request's own list, which ends at 3,000 files; the list of a comparison ends at 300. */
  files(number: number): Promise<ChangedFile[]> {
    return this.#calls.list(
      { what: `read the files of pull request ${number}`, path: ['pulls', `${number}`, 'files'] },
      file,
    );
  }

  comments(number: number): Promise<Comment[]> {
    const call = { what: `read the comments of pull request ${number}`, path: ['issues', `${number}`, 'comments'] };
    return this.#calls.list(call, replies.comment);
  }

  /** From one page of the repository's comments, those on issues included. */
  async recentComments(since: Date, most: number): Promise<RecentComment[]> {
    const page = { sort: 'updated', direction: 'desc', per_page: Math.min(most, PAGE_SIZE) };
    const call = {
      what: 'read the latest comments',
      path: ['issues', 'comments'],
      fields: { since: since.toISOString(), ...page },
    };
    return onPulls(await this.#calls.read(call, z.array(replies.comment)));
  }

  reviewComments(number: number): Promise<Comment[]> {
    const path = ['pulls', `${number}`, 'comments'];
    const call = { what: `read the review comments of pull request ${number}`, path };
    return this.#calls.list(call, replies.reviewComment);
  }

  /** Needs `contents: read` in a private repository. The repository is the head's: a fork keeps its own record of pushes. */
  async headPushedAtMs({ head }: PullRequest): Promise<number | undefined> {
    if (head.repository === undefined) return undefined;
    const fields = { ref: `refs/heads/${head.ref}`, per_page: 10 };
    const fork = new Calls(this.#octokit, head.repository, false);
    return unless(['forbidden', 'not-found', 'config'], async () => {
      const found = await fork.readPlain({ path: ['activity'], fields }, replies.activities);
      const last = found.find(({ activity_type: type }) => PUSHES.has(type));
      const atMs = readTime(last?.timestamp);
      // A record of another commit is late, or early: it says nothing about this one.
      return last?.after === head.sha ? atMs : undefined;
    });
  }

  async labelledBy(number: number, label: string): Promise<Account | undefined> {
    const call = { what: `read the events of pull request ${number}`, path: ['issues', `${number}`, 'events'] };
    const events = await this.#calls.list(call, replies.issueEvent);
    const last = events.findLast((event) => event.event === 'labeled' && event.label?.name === label);
    return last?.actor ?? undefined;
  }

  override listReactions(call: RepositoryCall) {
    return this.#calls.list(call, replies.reaction);
  }
}

/** Calls about one repository. Each says `what` it wants, for the message if it is refused. */
class Calls {
  readonly #octokit: Octokit;
  readonly #name: string;

  readonly #isOfFork: boolean;

  /** `fullName`: `owner/name`. */
  constructor(octokit: Octokit, fullName: string, isOfFork: boolean) {
    this.#octokit = octokit;
    this.#name = fullName;
    this.#isOfFork = isOfFork;
  }

  send(call: RepositoryCall): Promise<{ readonly status: number }> {
    return this.#needing(call.what, () => this.#request(call));
  }

  read<T>(call: RepositoryCall, schema: z.ZodMiniType<T>): Promise<T> {
    return this.#needing(call.what, () => this.readPlain(call, schema));
  }

  /** As `read`, with the error as it comes. */
  async readPlain<T>(call: Omit<RepositoryCall, 'what'>, schema: z.ZodMiniType<T>): Promise<T> {
    return readReply(schema, (await this.#request(call)).data, routeOf(call));
  }

  /** All entries of a list. Octokit's own paging takes an empty reply for an empty page: a record could be missing. */
  list<T>(call: RepositoryCall, entry: z.ZodMiniType<T>): Promise<T[]> {
    return this.#needing(call.what, async () => {
      const all: T[] = [];
      for (let page = 1; page <= MAX_PAGES; page += 1) {
        const fields = { ...call.fields, per_page: PAGE_SIZE, page };
        const { data, headers } = await this.#request({ ...call, fields });
        const entries = readReply(z.array(entry), data, routeOf(call));
        all.push(...entries);
        const { link } = headers;
        if (link === undefined ? entries.length < PAGE_SIZE : !/\brel="next"/.test(link)) return all;
      }
      // A record could be on a page that was not read.
      throw new CourierError({
        code: 'protocol',
        message: `GitHub has more than ${MAX_PAGES} pages when asked to ${call.what} of ${this.#name}.`,
      });
    });
  }

  #request(call: Omit<RepositoryCall, 'what'>) {
    const [owner = '', repo = ''] = this.#name.split('/');
    return this.#octokit.request(routeOf(call), { owner, repo, ...call.fields });
  }

  /** Names what failed, and the permission to add if a job may not have given it to its token. */
  async #needing<T>(what: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      const permissions = { 'pull-requests': 'write' } as const;
      if (hasCode(error, 'forbidden') && error.lacksPermission) {
        throw error.with({
          message: `The token may not ${what} of ${this.#name}.`,
          hint: this.#isOfFork ? READ_ONLY : { text: 'Give the token of the job the permission:', permissions },
        });
      }
      if (!hasCode(error, 'not-found')) throw error;
      throw error.with({
        message: `The token cannot ${what} of ${this.#name}: GitHub does not find it (404).`,
        // GitHub answers 404 about what a token may not see.
        hint: { text: 'It does not exist, or the token of the job lacks the permission:', permissions },
      });
    }
  }
}

function routeOf({ method = 'GET', path }: Omit<RepositoryCall, 'what'>): string {
  return `${method} ${['/repos/{owner}/{repo}', ...path.map(encodeURIComponent)].join('/')}`;
}
