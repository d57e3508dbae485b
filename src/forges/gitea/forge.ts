import type * as z from 'zod/mini';
import { CourierError, hasCode } from '../../errors.ts';
import { GiteaApi } from '../../gitea/api.ts';
import type { HttpReply } from '../../http/exchange.ts';
import type { Http } from '../../http/http.ts';
import type { Log } from '../../log.ts';
import { plainLine } from '../../text/escape.ts';
import type {
  Account,
  ChangedFile,
  Comment,
  CommentTrigger,
  DefaultFile,
  Forge,
  ForgeTokens,
  OwnAuthor,
  OwnComment,
  PullRequest,
  Rank,
  Reaction,
  ReactionTarget,
  RecentComment,
} from '../port.ts';
import { contents, defaultBranch, numbered, ownComment, readContents, toComment, toPullRequest } from '../shared.ts';
import { Calls, readFiles } from './calls.ts';
import { needing, Ranks } from './ranks.ts';
import * as replies from './replies.ts';

interface GiteaForgeInit {
  /** Of the forge, for messages. */
  readonly name: string;
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
export class GiteaForge implements Forge {
  readonly #api: GiteaApi;
  readonly #calls: Calls;
  readonly #ranks: Ranks;
  readonly #log: Log;
  readonly #signal: AbortSignal | undefined;
  #author: Promise<OwnAuthor> | undefined;

  constructor(init: GiteaForgeInit) {
    const { http, serverUrl, tokens, repository, name, log, signal } = init;
    const folder = ['repos', ...repository.split('/')];
    this.#api = new GiteaApi(http, serverUrl, tokens.main);
    this.#calls = new Calls(this.#api, folder, signal);
    const api = tokens.ranks === undefined ? this.#api : new GiteaApi(http, serverUrl, tokens.ranks);
    this.#ranks = new Ranks({ api, folder, name, hasOwnToken: tokens.ranks !== undefined, log, signal });
    this.#log = log;
    this.#signal = signal;
  }

  whoWeAre(): Promise<OwnAuthor> {
    this.#author ??= this.#readAuthor();
    return this.#author;
  }

  async #readAuthor(): Promise<OwnAuthor> {
    const request = { method: 'GET', path: ['user'], signal: this.#signal } as const;
    const what = 'say which account it belongs to';
    const { id } = await needing(what, () => this.#api.read(request, replies.account));
    return { kind: 'account', id };
  }

  async isPublic(): Promise<boolean> {
    const found = await this.#calls.get('read the repository', [], replies.repository);
    return !found.private && found.internal !== true;
  }

  rank(account: Account): Promise<Rank> {
    return this.#ranks.of(account);
  }

  async isMember({ login, kind }: Account): Promise<boolean> {
    if (kind !== 'person') return false;
    const path = ['collaborators', login];
    // 422 is about an account that is gone.
    const accepts = ({ status }: HttpReply) => [204, 404, 422].includes(status);
    const reply = await this.#calls.send('list collaborators', { path, accepts });
    return reply.status === 204;
  }

  async pullRequest(number: number): Promise<PullRequest> {
    const path = ['pulls', `${number}`];
    const raw = await this.#calls.get(`read pull request ${number}`, path, replies.pullRequest);
    return toPullRequest(raw, raw.is_locked);
  }

  /** The server knows the pull request of the commit that it was merged as, and of no other. */
  async pullsOfCommit(commit: string): Promise<readonly number[]> {
    try {
      const what = `read the pull request of commit ${commit.slice(0, 12)}`;
      return [(await this.#calls.get(what, ['commits', commit, 'pull'], numbered)).number];
    } catch (error) {
      if (hasCode(error, 'not-found')) return [];
      throw error;
    }
  }

  async defaultFile(path: string, maxBytes: number): Promise<DefaultFile | undefined> {
    const { default_branch: name } = await this.#calls.get('read the repository', [], defaultBranch);
    const branch = await this.#calls.get('read the default branch', ['branches', name], replies.branch);
    const commit = branch.commit.id;
    try {
      const request = { path: ['contents', ...path.split('/')], query: { ref: commit } };
      const { value } = await this.#calls.read(`read ${path}`, request, contents);
      return readContents(value, { path, commit, maxBytes });
    } catch (error) {
      if (hasCode(error, 'not-found')) return undefined;
      throw error;
    }
  }

  files(number: number): Promise<ChangedFile[]> {
    return readFiles(this.#calls, number, this.#log);
  }

  /** They come whole; the count that the server reports must agree, since what is missing could be a record. */
  async comments(number: number): Promise<Comment[]> {
    const path = ['issues', `${number}`, 'comments'];
    const { value, reply } = await this.#calls.read(
      `read the comments of pull request ${number}`,
      { path },
      replies.comments,
    );
    const found = value ?? [];
    const total = reply.headers['x-total-count'];
    if (total !== undefined && Number(total) !== found.length) {
      throw new CourierError({
        code: 'protocol',
        message: `The server lists ${found.length} of ${plainLine(String(total), 20)} comments of pull request ${number}. Nothing was sent.`,
      });
    }
    return found.map(toComment);
  }

  async comment(_pullNumber: number, id: number): Promise<Comment | undefined> {
    try {
      const path = ['issues', 'comments', `${id}`];
      return toComment(await this.#calls.get(`read comment ${id}`, path, replies.comment));
    } catch (error) {
      if (hasCode(error, 'not-found')) return undefined;
      throw error;
    }
  }

  async textNow({ id, pull }: CommentTrigger): Promise<string | undefined> {
    return (await this.comment(pull.number, id))?.body;
  }

  /** The list begins with the oldest: its first page says how many there are, and the last two are read. */
  async recentComments(since: Date, most: number): Promise<RecentComment[]> {
    const first = await this.#commentsPage(since, 1);
    const last = Math.ceil(Number(first.reply.headers['x-total-count'] ?? 0) / RECENT_PAGE) || 1;
    const found = last > 2 ? [] : [...(first.value ?? [])];
    for (const page of [last - 1, last].filter((one) => one > 1)) {
      found.push(...((await this.#commentsPage(since, page)).value ?? []));
    }
    return found.toReversed().slice(0, most).flatMap(toRecent);
  }

  #commentsPage(since: Date, page: number) {
    const query = { since: since.toISOString(), limit: RECENT_PAGE, page };
    const path = ['issues', 'comments'];
    return this.#calls.read('read the latest comments', { path, query }, replies.comments);
  }

  async reviewComments(number: number): Promise<Comment[]> {
    const folder = ['pulls', `${number}`, 'reviews'];
    const what = `read the review comments of pull request ${number}`;
    const reviews = await this.#calls.readAll(what, folder, replies.review);
    const found: Comment[] = [];
    for (const { id } of reviews.filter((one) => one.comments_count > 0).slice(-MAX_REVIEWS)) {
      const own = await this.#calls.get(what, [...folder, `${id}`, 'comments'], replies.reviewComments);
      found.push(...replies.toComments(own));
    }
    return found;
  }

  async headPushedAtMs({ number, head }: PullRequest): Promise<number | undefined> {
    const last = replies.lastPush(await this.#calls.timeline(number));
    const atMs = Date.parse(last?.created_at ?? '');
    // A push of other commits says nothing about this one.
    return last !== undefined && replies.hasPushed(last, head.sha) && !Number.isNaN(atMs) ? atMs : undefined;
  }

  async labelledBy(number: number, label: string): Promise<Account | undefined> {
    const last = replies.lastLabelling(await this.#calls.timeline(number), label);
    return last?.user ?? undefined;
  }

  async react(target: ReactionTarget, content: Reaction): Promise<'new' | 'known' | 'none'> {
    const path = reactionsPath(target);
    const request = { path, method: 'POST', body: { content } } as const;
    const { status } = await this.#calls.send(`react to ${target.id}`, request);
    return status === 201 ? 'new' : 'known';
  }

  async hasReacted(target: ReactionTarget, content: Reaction): Promise<boolean> {
    const path = reactionsPath(target);
    const own = await this.whoWeAre();
    const found = await this.#calls.get(`read the reactions to ${target.id}`, path, replies.reactions);
    // For the account of jobs, Gitea shows its ghost. Where that is another account, a command is not sent: no harm.
    const isOurs = (who: number | undefined) =>
      own.kind === 'account' && (who === own.id || (own.id === replies.JOB_ACCOUNT_ID && who === replies.GHOST_ID));
    return (found ?? []).some(({ user, content: given }) => given === content && isOurs(user?.id));
  }

  async createComment(number: number, body: string): Promise<OwnComment> {
    const path = ['issues', `${number}`, 'comments'];
    const request = { path, method: 'POST', body: { body }, repeat: 'unless-acted' } as const;
    const { value } = await this.#calls.read(`comment on pull request ${number}`, request, ownComment);
    return { id: value.id, url: value.html_url };
  }

  async updateComment(_pullNumber: number, id: number, body: string): Promise<void> {
    const path = ['issues', 'comments', `${id}`];
    await this.#calls.send(`update comment ${id}`, { path, method: 'PATCH', body: { body } });
  }

  async removeComment(_pullNumber: number, id: number): Promise<void> {
    const path = ['issues', 'comments', `${id}`];
    await this.#calls.send(`delete comment ${id}`, { path, method: 'DELETE', accepts: isDoneOrGone });
  }
}

function reactionsPath({ place, id, pull }: ReactionTarget): string[] {
  return place === 'pull' ? ['issues', `${pull.number}`, 'reactions'] : ['issues', 'comments', `${id}`, 'reactions'];
}

function isDoneOrGone({ status }: HttpReply): boolean {
  return status === 204 || status === 404;
}

function toRecent(raw: z.infer<typeof replies.comment>): RecentComment[] {
  const pullNumber = replies.pullNumberOf(raw);
  return pullNumber === undefined ? [] : [{ ...toComment(raw), pullNumber }];
}
