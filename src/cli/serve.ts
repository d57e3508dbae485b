import { readFile, realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { courierError, errnoOf } from '../ground/errors.ts';
import type { Log } from '../ground/log.ts';
import { shownName } from '../ground/text/credentials.ts';
import { percentDecoded } from '../ground/text/names.ts';
import { HOST_FILES } from '../site/redirects/rules.ts';
import { redirectsOf, type SafeRule } from '../site/redirects/server-redirects.ts';
import { readBasePath, readSiteRules, siteFolder } from './redirects.ts';

interface ServedSite {
  /** The unpacked site, as an absolute path. Called for each request: it may change. */
  readonly folder: () => string;
  /** What its addresses begin with, such as `/handbook`; empty: it is at the top. */
  readonly basePath?: string;
  readonly rules: readonly SafeRule[];
  /** 0: any free port. */
  readonly port: number;
}

interface Reply {
  readonly status: number;
  /** Of a redirect. */
  readonly location?: string;
  /** The path of a file. */
  readonly file?: string | undefined;
}

/** Gives the real path of the site's file at a decoded address; undefined if there is none. */
type FindFile = (path: string) => Promise<string | undefined>;

/** What a reply depends on besides the address. */
interface Served {
  readonly find: FindFile;
  readonly basePath: string;
  readonly redirects: ReturnType<typeof redirectsOf>;
}

// The port in the configurations of the guide "Serve the site".
const USUAL_PORT = 8080;
// This machine only: the site may be behind a login elsewhere.
const LOOPBACK = '127.0.0.1';
/**
 * The hosts that requests may name. Another host name can be made to lead to this machine: its
 * pages could read the site in the browser of the person who serves it.
 */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;
/**
 * A path with a hidden name in any folder, such as `/.git/config`; `/.well-known` is not hidden.
 */
const HIDDEN_NAME = /\/\.(?!well-known(?:\/|$))/;
/** The page for what is not found, which no address has. */
const NOT_FOUND_PAGE = ['/404', '/404/', '/404.html'];
const TYPES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.htm': 'text/html; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.mp4': 'video/mp4',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xhtml': 'application/xhtml+xml',
  '.xml': 'application/xml',
};

/**
 * Serves an unpacked site on this machine until the signal comes. Throws `config` if the folder is
 * not a site, and `io` if the server cannot start.
 */
export async function serveUntilStopped(site: string, cwd: string, work: Work): Promise<void> {
  const { log, signal } = work;
  const folder = siteFolder(site, cwd);
  const basePath = readBasePath(folder);
  const served = { folder: () => folder, basePath, rules: readSiteRules(folder, basePath, log) };
  await using server = await serveSite({ ...served, port: USUAL_PORT }).catch((error: unknown) => {
    const errno = errnoOf(error) ?? 'the reason is unknown';
    if (errno !== 'EADDRINUSE')
      throw courierError('io', `No server can be started on ${LOOPBACK}: ${errno}.`);
    // Another program has the usual port: any other will do.
    return serveSite({ ...served, port: 0 });
  });
  // Only a warning: the other pages can be read all the same.
  if ((await findIn(folder)('/index.html')) === undefined)
    log.warning(
      `${shownName(folder)} has no index.html: is it the folder that the site was unpacked into?`,
    );
  work.print(`${server.url}${basePath}/\n`);
  log.info(`Serving ${shownName(folder)} on this machine. Stop with Ctrl+C.`);
  // The signal may have come while the server started: then it is not sent again.
  if (!signal.aborted)
    await new Promise((stop) => signal.addEventListener('abort', stop, { once: true }));
}

interface Work {
  readonly log: Log;
  /** Standard output. */
  readonly print: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Serves an unpacked site with the addresses and the redirects of the guide "Serve the site". */
export async function serveSite(
  site: ServedSite,
): Promise<AsyncDisposable & { readonly url: string }> {
  const { basePath = '' } = site;
  const redirects = redirectsOf(site.rules);
  const server = createServer((request, response) => {
    const served = { find: findIn(site.folder(), basePath), basePath, redirects };
    // A file may vanish while it is read: then the connection ends.
    answer(request, response, served).catch(() => response.destroy());
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(site.port, LOOPBACK, done);
  });
  const address = server.address();
  // A text is the address of a socket file, and `null` that of a server that does not listen.
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://${LOOPBACK}:${address.port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Answers one request. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  served: Served,
): Promise<void> {
  if (!OWN_HOST.test(request.headers.host ?? '')) {
    response.writeHead(421).end('421: this server has other names\n');
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  const { status, location, file } = await findReply(served, request.url ?? '/');
  if (location !== undefined) {
    response.writeHead(status, { location }).end();
    return;
  }
  // The site has no page for this.
  if (file === undefined) {
    response.writeHead(status, { 'content-type': TYPES['.txt'] }).end('404: no such page\n');
    return;
  }
  const headers = {
    'content-type': TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream',
    // The next export may be unpacked into the same folder.
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // The files of the added search are scripts: a page of another site could load them, and read
    // the text in them.
    'cross-origin-resource-policy': 'same-origin',
  };
  const body = await readFile(file);
  response.writeHead(status, headers).end(body);
}

/**
 * The reply to the target of a request, as the configuration of nginx in the guide gives it: a
 * file, else a redirect to the page with or without a slash at its end, else a rule of the site.
 */
async function findReply(served: Served, target: string): Promise<Reply> {
  const { find, basePath, redirects } = served;
  const [, sent = '', query = ''] = /^([^?]*)(\?.*)?$/s.exec(target) ?? [];
  const path = plainPath(sent);
  if (path === undefined || isNoPage(path, basePath)) return notFound(served);
  // The host is served for this site alone.
  if (path === '/' && basePath !== '') return { status: 302, location: `${basePath}/` };
  const { files, otherForm, page } = formsOf(path);
  for (const name of files) {
    const file = await find(name);
    if (file !== undefined) return { status: 200, file };
  }
  // `/` has no other form.
  if (otherForm !== '' && (await find(page)) !== undefined)
    return { status: 301, location: encodePath(otherForm) + query };
  return redirects(path, query) ?? notFound(served);
}

/**
 * The files that an address may mean; its other form, with or without the slash at its end; and the
 * page of that form.
 */
function formsOf(path: string) {
  if (!path.endsWith('/'))
    return { files: [path, `${path}.html`], otherForm: `${path}/`, page: `${path}/index.html` };
  const otherForm = path.slice(0, -1);
  return { files: [`${path}index.html`], otherForm, page: `${otherForm}.html` };
}

/** True for what is in the folder of the site and is not served. */
function isNoPage(path: string, basePath: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (HIDDEN_NAME.test(path) || HOST_FILES.includes(name)) return true;
  return NOT_FOUND_PAGE.some((one) => path === `${basePath}${one}`);
}

async function notFound({ find, basePath }: Served): Promise<Reply> {
  return { status: 404, file: await find(`${basePath}/404.html`) };
}

/** A decoded path as it is sent. `?` and `#` are encoded too: they would end the path. */
function encodePath(path: string): string {
  return encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23');
}

/**
 * A sent path, decoded, without `.`, `..` and double slashes; undefined if it is invalid. It begins
 * with exactly one slash: two slashes would begin the address of another host.
 */
function plainPath(sent: string): string | undefined {
  const decoded = percentDecoded(sent);
  if (decoded === undefined || !decoded.startsWith('/') || decoded.includes('\0')) return undefined;
  const parts: string[] = [];
  for (const part of decoded.split('/')) {
    if (part === '..') {
      // More steps up than down lead out of the site.
      if (parts.length === 0) return undefined;
      parts.pop();
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  // A path that ends with `/`, `/.` or `/..`. If no part is left, the first slash is the last too.
  const isFolder = /\/\.{0,2}$/.test(decoded) && parts.length > 0;
  return `/${parts.join('/')}${isFolder ? '/' : ''}`;
}

/**
 * Finds files in a folder, by their addresses below `basePath`. A symbolic link that leads out of the
 * folder is not followed: other people have made the site.
 */
function findIn(folder: string, basePath = ''): FindFile {
  return async (path) => {
    if (!path.startsWith(`${basePath}/`)) return undefined;
    try {
      const root = await realpath(folder);
      const file = await realpath(join(root, path.slice(basePath.length)));
      // The root of a disk ends with a separator already.
      const isInside = file.startsWith(root.endsWith(sep) ? root : root + sep);
      return isInside && (await stat(file)).isFile() ? file : undefined;
    } catch {
      // Nothing is at the path, or it may not be read.
      return undefined;
    }
  };
}
