import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listen, stopServer } from './listening.ts';

export interface SiteRequest {
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface SiteReply {
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Buffer | undefined;
  /** The connection is reset instead of a reply. */
  readonly isReset?: boolean | undefined;
}

/** A published site, or something in front of one. */
export type Answer = (request: SiteRequest) => SiteReply | Promise<SiteReply>;

interface LiveSite extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly SiteRequest[];
}

/** A web server on its own port. Declare it with `await using`. */
export async function startLiveSite(answer: Answer): Promise<LiveSite> {
  const requests: SiteRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const request = { path: incoming.url ?? '', headers: incoming.headers };
    requests.push(request);
    const { status = 200, headers = {}, body = '', isReset = false } = await answer(request);
    if (isReset) return void incoming.socket.resetAndDestroy();
    response
      .writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
      .end(body);
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    requests,
    [Symbol.asyncDispose]: () => stopServer(server),
  };
}

type Pages = Readonly<Record<string, string | Buffer>>;

/** A static host: a folder is its index page, and a page is found with and without its suffix. */
export function staticHost(pages: () => Pages): Answer {
  return ({ path }) => {
    const name = decodeURIComponent(path.split('?')[0]?.slice(1) ?? '');
    const files = pages();
    const found = [name, `${name}.html`, `${name}index.html`, `${name}/index.html`].find(
      (file) => files[file] !== undefined,
    );
    return found === undefined
      ? { status: 404, body: '<h1>Not found</h1>' }
      : { body: files[found] };
  };
}

/**
 * A cache in front of a site, which keeps a page for `maxAgeS`. `key`: what distinguishes the
 * copies.
 */
export function cachingEdge(
  origin: Answer,
  {
    maxAgeS,
    now,
    key,
  }: { maxAgeS: number; now: () => number; key: (request: SiteRequest) => string },
): Answer {
  const copies = new Map<string, { readonly reply: SiteReply; readonly at: number }>();
  return async (request) => {
    const kept = copies.get(key(request));
    const ageS = kept === undefined ? 0 : Math.floor((now() - kept.at) / 1000);
    const isHit = kept !== undefined && ageS < maxAgeS;
    const reply = isHit ? kept.reply : await origin(request);
    if (!isHit) copies.set(key(request), { reply, at: now() });
    const headers = {
      ...reply.headers,
      'cache-control': `max-age=${maxAgeS}`,
      age: String(isHit ? ageS : 0),
      'x-cache': isHit ? 'HIT' : 'MISS',
    };
    return { ...reply, headers };
  };
}
