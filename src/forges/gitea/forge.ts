import { CourierError, hasCode, unless } from '../../errors.ts';
import { GiteaApi } from '../../gitea/api.ts';
import type { Http } from '../../http/http.ts';
import type { Log } from '../../log.ts';
import { plainLine } from '../../text/escape.ts';
import { readTime } from '../../text/instants.ts';
import type {
  Account,
  ChangedFile,
  Comment,
  Forge,
  ForgeTokens,
  OwnAuthor,
  PullRequest,
  RecentComment,
} from '../port.ts';
import { type RepositoryCall, RestForge } from '../rest.ts';
import { numbered, onPulls } from '../shared.ts';
import { Calls, readChangedFiles } from './calls.ts';
import { needing, rankTokenHint } from './ranks.ts';
import * as replies from './replies.ts';

export interface GiteaForgeInit {
  /** Of the forge, for messages. */
  readonly name: string;
  /** Without a trailing slash. */
  readonly serverUrl: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly tokens: ForgeTokens;
  readonly http: Http;
  readonly log: Log;
  readonly signal: AbortSignal | undefined;
}

/** Each costs a request: the comments of reviews before these are not read. */
const MAX_REVIEWS = 50;
const RECENT_PAGE = 50;

/** The REST API of Gitea and Forgejo as a forge. */
export class GiteaForge extends RestForge implements Forge {
  readonly #init: GiteaForgeInit;
  readonly #folder: readonly string[];
  readonly #api: GiteaApi;
  readonly #calls: Calls;

  constructor(init: GiteaForgeInit) {
    const { http, serverUrl, tokens, repository, name, log, signal } = init;
    const folder = ['repos', ...repository.split('/')];
    const api = new GiteaApi(http, serverUrl, tokens.main);
    const calls = new Calls(api, folder, signal);
    super({ name, calls, replies, log });
    this.#init = init;
    this.#folder = folder;
    this.#api = api;
    this.#calls = calls;
  }

  override async readAuthor(): Promise<OwnAuthor> {
    const request = { method: 'GET', path: ['user'], signal: this.#init.signal } as const;
    const what = 'say which account it belongs to';
    const { id } = await needing(what, () => this.#api.read(request, replies.account));
    return { kind: 'account', id };
  }

  override async readStanding(login: string) {
    const { http, serverUrl, tokens, signal } = this.#init;
    const api = tokens.ranks === undefined ? this.#api : new GiteaApi(http, serverUrl, tokens.ranks);
    const path = [...this.#folder, 'collaborators', login, 'permission'];
    try {
      const { user, permission } = await api.read({ method: 'GET', path, signal }, replies.standing);
      return { id: user?.id, rank: replies.rankOf(permission) };
    } catch (error) {
      if (hasCode(error, 'not-found') && (await this.#isSeenBy(api))) return undefined;
      if (!hasCode(error, 'forbidden', 'unauthorized', 'not-found')) throw error;
      throw error.with({ code: 'forbidden', hint: rankTokenHint(tokens.ranks !== undefined) });
    }
  }

  /** Whether "not found" is about the account: the server says the same of a repository that a token does not see. */
  async #isSeenBy(api: GiteaApi): Promise<boolean> {
    const accepts = ({ status }: { readonly status: number }) => [200, 401, 403, 404].includes(status);
    const { status } = await api.send({ method: 'GET', path: this.#folder, signal: this.#init.signal, accepts });
    return status === 200;
  }

  async isMember({ login, kind }: Account): Promise<boolean> {
    if (kind !== 'person') return false;
    const call = { what: 'list collaborators', path: ['collaborators', login] };
    // 422 is about an account that is gone.
    const { status } = await this.#calls.send(call, { accepts: (reply) => [204, 404, 422].includes(reply.status) });
    return status === 204;
  }

  /** The server knows the pull request of the commit that it was merged as, and of no other. */
  async pullsOfCommit(commit: string): Promise<readonly number[]> {
    const what = `read the pull request of commit ${commit.slice(0, 12)}`;
    const call = { what, path: ['commits', commit, 'pull'] };
    const found = await unless(['not-found'], () => this.#calls.read(call, numbered));
    return found === undefined ? [] : [found.number];
  }

  override async newestCommit(branch: string): Promise<string> {
    const call = { what: 'read the default branch', path: ['branches', branch] };
    return (await this.#calls.read(call, replies.branch)).commit.id;
  }

  files(number: number): Promise<ChangedFile[]> {
    return readChangedFiles(this.#calls, number, this.#init.log);
  }

  /** They come whole; the count that the server reports must agree, since what is missing could be a record. */
  async comments(number: number): Promise<Comment[]> {
    const call = { what: `read the comments of pull request ${number}`, path: ['issues', `${number}`, 'comments'] };
    const { value, reply } = await this.#calls.readReply(call, replies.comments);
    const found = value ?? [];
    const total = reply.headers['x-total-count'];
    if (total !== undefined && Number(total) !== found.length) {
      throw new CourierError({
        code: 'protocol',
        message: `The server lists ${found.length} of ${plainLine(String(total), 20)} comments of pull request ${number}. Nothing was sent.`,
      });
    }
    return found;
  }

  /** The list begins with the oldest: its first page says how many there are, and the last two are read. */
  async recentComments(since: Date, most: number): Promise<RecentComment[]> {
    const read = (page: number) => {
      const fields = { since: since.toISOString(), limit: RECENT_PAGE, page };
      const call = { what: 'read the latest comments', path: ['issues', 'comments'], fields };
      return this.#calls.readReply(call, replies.comments);
    };
    const first = await read(1);
    const last = Math.ceil(Number(first.reply.headers['x-total-count'] ?? 0) / RECENT_PAGE) || 1;
    const found = last > 2 ? [] : [...(first.value ?? [])];
    for (const page of [last - 1, last].filter((one) => one > 1)) found.push(...((await read(page)).value ?? []));
    return onPulls(found.toReversed().slice(0, most));
  }

  async reviewComments(number: number): Promise<Comment[]> {
    const path = ['pulls', `${number}`, 'reviews'];
    const what = `read the review comments of pull request ${number}`;
    const reviews = await this.#calls.readPages({ what, path }, replies.review);
    const found: Comment[] = [];
    for (const { id } of reviews.filter((one) => one.comments_count > 0).slice(-MAX_REVIEWS)) {
      const call = { what, path: [...path, `${id}`, 'comments'] };
      found.push(...(await this.#calls.readList(call, replies.reviewComment)));
    }
    return found;
  }

  async headPushedAtMs({ number, head }: PullRequest): Promise<number | undefined> {
    const last = replies.lastPush(await this.#calls.timeline(number));
    const atMs = readTime(last?.created_at);
    // A push of other commits says nothing about this one.
    return last !== undefined && replies.hasPushed(last, head.sha) ? atMs : undefined;
  }

  async labelledBy(number: number, label: string): Promise<Account | undefined> {
    const entries = await this.#calls.timeline(number);
    // The text is "1" if the label was added, and empty if it was removed.
    const last = entries.findLast(
      ({ type, label: set, body }) => type === 'label' && set?.name === label && body === '1',
    );
    return last?.user ?? undefined;
  }

  override listReactions({ what, path }: RepositoryCall) {
    return this.#calls.readList({ what, path }, replies.reaction);
  }

  /** For the account of jobs, Gitea shows its ghost. If that is another account, a command is not sent: no harm. */
  override isByUs(author: Account | undefined, own: OwnAuthor): boolean {
    const isJob = own.kind === 'account' && own.id === replies.JOB_ACCOUNT_ID;
    return super.isByUs(author, own) || (isJob && author?.id === replies.GHOST_ID);
  }
}
