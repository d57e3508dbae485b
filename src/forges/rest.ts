import * as z from 'zod/mini';
import { CourierError, hasCode, unless } from '../errors.ts';
import type { Log } from '../log.ts';
import { plainLine } from '../text/escape.ts';
import type { Account, CommentPlace, DefaultFile, OwnAuthor, OwnComment, PullRequest, Rank, Reaction } from './port.ts';
import { contents, type createReplies, isOwn, readContents } from './shared.ts';

/** A call about the repository of a forge. */
export interface RepositoryCall {
  /** What it is for, if the message says that it was refused: `read comment 7`. */
  readonly what: string;
  /** Below the repository; each part is escaped. */
  readonly path: readonly string[];
  /** GET without it. */
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Of the body; of the query of a GET. */
  readonly fields?: Readonly<Record<string, string | number>>;
}

/** How a forge is asked about one repository. If it refuses, the error says what the token lacks. */
interface RepositoryCalls {
  send(call: RepositoryCall): Promise<{ readonly status: number }>;
  read<T>(call: RepositoryCall, schema: z.ZodMiniType<T>): Promise<T>;
}

type Replies = Pick<ReturnType<typeof createReplies>, 'pullRequest' | 'reaction'>;

interface RestForgeInit {
  /** Such as `GitHub`. */
  readonly name: string;
  readonly calls: RepositoryCalls;
  readonly replies: Replies;
  readonly log: Log;
}

const repository = z.object({ private: z.boolean(), internal: z.optional(z.boolean()) });
const defaultBranch = z.object({ default_branch: z.string() });
const ownComment = z.object({ id: z.number(), html_url: z.string() });
const text = z.object({ body: z.nullish(z.string()) });

/** What the REST APIs of GitHub and Gitea share: most addresses, and most replies. */
export abstract class RestForge {
  readonly #init: RestForgeInit;
  readonly #ranks = new Map<number, Promise<Rank>>();
  #author: Promise<OwnAuthor> | undefined;

  constructor(init: RestForgeInit) {
    this.#init = init;
  }

  abstract readAuthor(): Promise<OwnAuthor>;
  /** What the forge says of a permission, and of whose; undefined: it knows no such collaborator. */
  abstract readStanding(login: string): Promise<{ readonly id: number | undefined; readonly rank: Rank } | undefined>;
  abstract newestCommit(branch: string): Promise<string>;
  abstract listReactions(call: RepositoryCall): Promise<readonly z.infer<Replies['reaction']>[]>;

  whoWeAre(): Promise<OwnAuthor> {
    this.#author ??= this.readAuthor();
    return this.#author;
  }

  async isPublic(): Promise<boolean> {
    const found = await this.#init.calls.read({ what: 'read the repository', path: [] }, repository);
    return !found.private && found.internal !== true;
  }

  rank(account: Account): Promise<Rank> {
    const lookup = this.#ranks.get(account.id) ?? this.#lookUpRank(account);
    this.#ranks.set(account.id, lookup);
    return lookup;
  }

  async #lookUpRank({ login, id }: Account): Promise<Rank> {
    const { name, log } = this.#init;
    try {
      const standing = await this.readStanding(login);
      if (standing === undefined || standing.id === id) return standing?.rank ?? 'none';
      log.warning(
        `${name}'s reply about the permission of ${plainLine(login, 60)} is about another account; it counts as none.`,
      );
      return 'none';
    } catch (error) {
      if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
      // An outage is not a "no".
      throw error.with({
        code: hasCode(error, 'forbidden', 'unauthorized', 'rate-limited') ? error.code : 'network',
        message: `The permission of ${plainLine(login, 60)} could not be looked up, so nothing was sent. ${error.message}`,
        hint: error.hint ?? `Run the job again when ${name} answers.`,
      });
    }
  }

  pullRequest(number: number): Promise<PullRequest> {
    const { calls, replies } = this.#init;
    return calls.read({ what: `read pull request ${number}`, path: ['pulls', `${number}`] }, replies.pullRequest);
  }

  /** Needs `contents: read`; undefined if the file is not there, or the token may not see it. */
  async defaultFile(path: string, maxBytes: number): Promise<DefaultFile | undefined> {
    const { calls } = this.#init;
    const { default_branch: branch } = await calls.read({ what: 'read the repository', path: [] }, defaultBranch);
    return unless(['not-found'], async () => {
      const commit = await this.newestCommit(branch);
      const call = { what: `read ${path}`, path: ['contents', ...path.split('/')], fields: { ref: commit } };
      return readContents(await calls.read(call, contents), { path, commit, maxBytes });
    });
  }

  textNow(comment: CommentPlace): Promise<string | undefined> {
    const call = { what: `read comment ${comment.id}`, path: pathOf(comment) };
    return unless(['not-found'], async () => (await this.#init.calls.read(call, text)).body ?? '');
  }

  async react(target: CommentPlace, content: Reaction): Promise<'new' | 'known' | 'none'> {
    const path = reactionsPath(target);
    if (path === undefined) return 'none';
    const call = { what: `react to ${target.id}`, path, method: 'POST', fields: { content } } as const;
    return (await this.#init.calls.send(call)).status === 201 ? 'new' : 'known';
  }

  async hasReacted(target: CommentPlace, content: Reaction): Promise<boolean | undefined> {
    const path = reactionsPath(target);
    if (path === undefined) return undefined;
    const own = await this.whoWeAre();
    const found = await this.listReactions({ what: `read the reactions to ${target.id}`, path, fields: { content } });
    return found.some((given) => given.content === content && this.isByUs(given.user ?? undefined, own));
  }

  isByUs(author: Account | undefined, own: OwnAuthor): boolean {
    return isOwn({ author }, own);
  }

  async createComment(number: number, body: string): Promise<OwnComment> {
    const path = ['issues', `${number}`, 'comments'];
    const call = { what: `comment on pull request ${number}`, path, method: 'POST', fields: { body } } as const;
    const { id, html_url: url } = await this.#init.calls.read(call, ownComment);
    return { id, url };
  }

  async updateComment(id: number, body: string): Promise<void> {
    const path = ['issues', 'comments', `${id}`];
    await this.#init.calls.send({ what: `update comment ${id}`, path, method: 'PATCH', fields: { body } });
  }

  async removeComment(id: number): Promise<void> {
    const path = ['issues', 'comments', `${id}`];
    await unless(['not-found'], () => this.#init.calls.send({ what: `delete comment ${id}`, path, method: 'DELETE' }));
  }
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

/** GitHub has no reactions to the text of a review; Gitea has no commands there, and none on the diff. */
function reactionsPath(target: CommentPlace): readonly string[] | undefined {
  return target.place === 'review' ? undefined : [...pathOf(target), 'reactions'];
}
