import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { listen, stopServer } from '../../../support/listening.ts';

export interface StrictServer extends AsyncDisposable {
  readonly url: string;
}

/** The policy that the guide gives for the search page. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** Serves a folder; the search page only with what the policy of the guide allows. */
export async function serveStrictly(folder: string): Promise<StrictServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const headers = {
      'content-type': `${TYPES[extname(pathname)] ?? 'application/octet-stream'}; charset=utf-8`,
      'x-content-type-options': 'nosniff',
      ...(pathname.startsWith('/docs-courier/') ? { 'content-security-policy': POLICY } : {}),
    };
    readFile(join(folder, decodeURIComponent(pathname))).then(
      (content) => response.writeHead(200, headers).end(content),
      () => response.writeHead(404).end(),
    );
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    [Symbol.asyncDispose]: () => stopServer(server),
  };
}
