import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar';

/** A small self-hosted deployment: downloads the bundle by its link at startup, unpacks it and serves it. */

export interface Site {
  /** Folder of the entry page. */
  readonly root: string;
  /** HTML files, relative to `root`: the entry page first, the 404 page last. */
  readonly pages: readonly string[];
}

export interface Bundle extends Site {
  readonly archiveBytes: number;
}

export async function fetchBundle(link: string, folder: string): Promise<Bundle> {
  const archive = join(folder, 'bundle.tar.gz');
  const unpacked = join(folder, 'site');
  const response = await fetch(link);
  if (!response.ok || !response.body) throw new Error(`the link answered ${response.status}`);
  await pipeline(response.body, createWriteStream(archive));
  await mkdir(unpacked);
  await extract({ file: archive, cwd: unpacked, strict: true });
  return { archiveBytes: (await stat(archive)).size, ...(await readSite(unpacked)) };
}

/** Finds the pages of an unpacked bundle. */
export async function readSite(folder: string): Promise<Site> {
  const root = await findRoot(folder);
  const files = await readdir(root, { recursive: true });
  const pages = files.filter((file) => file.endsWith('.html')).map((file) => file.split(sep).join('/'));
  const edges = ['index.html', '404.html'];
  const between = pages.filter((page) => !edges.includes(page)).sort();
  const last = pages.filter((page) => page === '404.html');
  return { root, pages: ['index.html', ...between, ...last] };
}

/** The archive may contain one folder around the site. */
async function findRoot(folder: string): Promise<string> {
  const names = await readdir(folder);
  if (names.includes('index.html')) return folder;
  const [only, ...more] = names;
  if (only === undefined || more.length > 0) throw new Error('the bundle has no index.html');
  return findRoot(join(folder, only));
}

export interface StaticServer extends AsyncDisposable {
  readonly url: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Serves files like any static host: a folder means its index.html. A function gives the folder of each request. */
export async function serveFolder(root: string | (() => string)): Promise<StaticServer> {
  const server = createServer(async (request, response) => {
    try {
      const file = await findFile(typeof root === 'string' ? root : root(), request.url ?? '/');
      response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
      response.end(await readFile(file));
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function findFile(root: string, url: string): Promise<string> {
  const file = join(root, decodeURIComponent(new URL(url, 'http://localhost').pathname));
  if (relative(root, file).startsWith('..')) throw new Error('outside of the site');
  return (await stat(file)).isDirectory() ? join(file, 'index.html') : file;
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
