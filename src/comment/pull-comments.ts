import { isOwn } from '../forges/own.ts';
import type { Comment, Forge } from '../forges/port.ts';
import type { Context } from '../run/context.ts';
import { type Notice, type NoticePlace, readNotice, writeNotice } from './notice.ts';

interface Found<N> {
  readonly comment: Comment;
  readonly notice: N;
}

interface PullCommentsInit {
  readonly forge: Pick<Forge, 'whoWeAre' | 'comments' | 'createComment' | 'updateComment'>;
  /** The key of the platform that the step has; it signs what is written. */
  readonly secret: string;
  readonly deps: Pick<Context, 'github' | 'log'>;
}

/** Our comments on pull requests of this repository, found again by the signed line that each begins with. */
export class PullComments {
  readonly #init: PullCommentsInit;

  constructor(init: PullCommentsInit) {
    this.#init = init;
  }

  /** The first comment of ours whose notice is picked: a copy is younger. */
  async find<N>(pull: number, pick: (notice: Notice) => N | undefined): Promise<Found<N> | undefined> {
    const { forge } = this.#init;
    const [own, comments] = await Promise.all([forge.whoWeAre(), forge.comments(pull)]);
    for (const comment of comments.filter((one) => isOwn(one, own))) {
      const read = readNotice(this.#place(pull), comment);
      const notice = read?.isValid === true ? pick(read.notice) : undefined;
      if (notice !== undefined) return { comment, notice };
    }
    return undefined;
  }

  /** Replaces the text of the known comment, or writes the first one. Gives its address. */
  async write(pull: number, known: Comment | undefined, notice: Notice, text: string): Promise<string> {
    const { forge, deps } = this.#init;
    const body = (id?: number) => deps.log.redact(`${writeNotice(this.#place(pull), { ...notice, id })}\n${text}`);
    if (known === undefined) return (await forge.createComment(pull, body())).url;
    await forge.updateComment(pull, known.id, body(known.id));
    return known.url;
  }

  #place(pullNumber: number): NoticePlace {
    return { secret: this.#init.secret, repository: this.#init.deps.github.run.repository, pullNumber };
  }
}
