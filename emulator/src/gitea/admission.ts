import type { Context } from 'hono';
import * as z from 'zod/mini';
import { type GiteaConversations, type GiteaPull, JOB_USER } from './conversations.ts';
import type { GiteaToken } from './settings.ts';

type Category = 'repository' | 'issue' | 'user';
type Level = 'read' | 'write';

/** Who may do what with a token, in the order in which Gitea checks: token, scope, repository, requested object. */
export class Admission {
  readonly #tokens: ReadonlyMap<string, GiteaToken>;
  readonly #state: GiteaConversations;

  constructor(tokens: ReadonlyMap<string, GiteaToken>, state: GiteaConversations) {
    this.#tokens = tokens;
    this.#state = state;
  }

  mayWrite({ repository }: { readonly repository: string }, token: GiteaToken): boolean {
    return (
      token.login === JOB_USER.login || !['none', 'read'].includes(this.#state.permission(repository, token.login))
    );
  }

  /** Continues with the token if it is allowed to do this. */
  as(c: Context, category: Category, handle: (token: GiteaToken) => Handled): Handled {
    const token = this.#tokens.get((c.req.header('authorization') ?? '').replace(/^(token|bearer)\s+/i, ''));
    if (token === undefined) return refuse(c, 401, 'invalid username, password or token');
    const level: Level = c.req.method === 'GET' ? 'read' : 'write';
    const fits = level === 'read' ? [`read:${category}`, `write:${category}`] : [`write:${category}`];
    const granted = token.scopes ?? ['read:user', `${token.job ?? 'write'}:issue`, 'read:repository'];
    if (!['all', ...fits].some((scope) => granted.includes(scope))) {
      return refuse(c, 403, `token does not have at least one of required scope(s), required=[${level}:${category}]`);
    }
    return handle(token);
  }

  in(c: Context, category: Category, handle: (name: string, token: GiteaToken) => Handled): Handled {
    return this.as(c, category, (token) => {
      const name = `${c.req.param('owner')}/${c.req.param('repo')}`;
      const isSeen = token.scopes === undefined || this.#state.permission(name, token.login) !== 'none';
      return this.#state.hasRepository(name) && isSeen ? handle(name, token) : refuse(c, 404, 'not found');
    });
  }

  onPull(c: Context, category: Category, handle: (pull: GiteaPull, token: GiteaToken) => Handled): Handled {
    return this.in(c, category, (name, token) => {
      const pull = this.#state.pull(name, Number.parseInt(c.req.param('number') ?? '', 10));
      return pull === undefined ? refuse(c, 404, 'not found') : handle(pull, token);
    });
  }

  onComment(
    c: Context,
    handle: (comment: GiteaConversations['comments'][number], token: GiteaToken) => Handled,
  ): Handled {
    return this.in(c, 'issue', (name, token) => {
      const found = this.#state.comments.find(
        ({ id, repository }) => id === Number(c.req.param('id')) && repository === name,
      );
      return found === undefined ? refuse(c, 404, 'not found') : handle(found, token);
    });
  }
}

const textBody = z.object({ body: z.optional(z.string()), content: z.optional(z.string()) });

const MAX_PAGE = 50;

type Handled = Response | Promise<Response>;

export function refuse(c: Context, status: 401 | 403 | 404 | 422, message: string): Response {
  return c.json({ message, url: 'https://gitea.example.com/api/swagger' }, status);
}

export function serverOf(c: Context): string {
  return new URL(c.req.url).origin;
}

export function slice<T>(c: Context, all: readonly T[]): T[] {
  const size = Math.min(MAX_PAGE, Number(c.req.query('limit') ?? MAX_PAGE));
  const from = (Number(c.req.query('page') ?? 1) - 1) * size;
  return all.slice(from, from + size);
}

export function page(c: Context, all: readonly object[]): Response {
  return c.json(slice(c, all), 200, { 'x-total-count': String(all.length) });
}

export async function bodyOf(c: Context): Promise<z.infer<typeof textBody>> {
  const parsed = textBody.safeParse(await c.req.json().catch(() => undefined));
  return parsed.success ? parsed.data : {};
}
