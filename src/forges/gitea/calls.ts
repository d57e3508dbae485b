import type * as z from 'zod/mini';
import type { GiteaApi, GiteaRequest } from '../../gitea/api.ts';
import type { HttpReply } from '../../http/exchange.ts';
import { needing } from './advice.ts';
import * as replies from './replies.ts';

type Request = Omit<GiteaRequest, 'method'> & { readonly method?: GiteaRequest['method'] };

/** Lists that come whole: comments and timelines have no pages there. */
const LIST_BYTES = 16 * 1024 * 1024;

/** Calls about one repository. Each says `what` it wants, for the message where it is refused. */
export class Calls {
  readonly #api: GiteaApi;
  readonly #folder: readonly string[];
  readonly #signal: AbortSignal | undefined;

  constructor(api: GiteaApi, folder: readonly string[], signal: AbortSignal | undefined) {
    this.#api = api;
    this.#folder = folder;
    this.#signal = signal;
  }

  /** Paths are below the repository. */
  async get<T>(what: string, path: readonly string[], schema: z.ZodMiniType<T>): Promise<T> {
    return (await this.read(what, { path }, schema)).value;
  }

  read<T>(what: string, request: Request, schema: z.ZodMiniType<T>): Promise<{ value: T; reply: HttpReply }> {
    const limits = { bodyBytes: LIST_BYTES };
    return needing(what, () => this.#api.readReply(this.#complete({ limits, ...request }), schema));
  }

  readAll<T>(what: string, path: readonly string[], entry: z.ZodMiniType<T>): Promise<T[]> {
    return needing(what, () => this.#api.readAll(this.#complete({ path }), entry));
  }

  send(what: string, request: Request): Promise<HttpReply> {
    return needing(what, () => this.#api.send(this.#complete(request)));
  }

  /** All that happened on a pull request, oldest first. */
  async timeline(number: number): Promise<readonly replies.TimelineEntry[]> {
    const path = ['issues', `${number}`, 'timeline'];
    return (await this.get(`read the timeline of pull request ${number}`, path, replies.timeline)) ?? [];
  }

  #complete(request: Request): GiteaRequest {
    return { method: 'GET', signal: this.#signal, ...request, path: [...this.#folder, ...request.path] };
  }
}
