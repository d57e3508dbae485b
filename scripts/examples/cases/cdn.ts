import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { readAddress } from '../../../emulator/src/server.ts';
import { serveSite } from '../../../src/cli/serve.ts';
import { fetchBundle } from '../../demo/deployment.ts';
import type { Stage } from '../stage.ts';
import { commit } from '../workspace.ts';
import { assertGreen, type ExampleCase } from './case.ts';

const EXAMPLE = 'purge-cdn.yml';
const TOKEN = 'the-token-of-the-cdn';
const PURGE = '/purge_cache';
const MERGED = 'This sentence was merged a moment ago.';
const purge = z.object({ files: z.array(z.string()) });

/**
 * A web server that serves what deploy.sh was given, behind a cache that keeps each page until it
 * is told to remove it.
 */
class Edge implements AsyncDisposable {
  /** The addresses of each request to remove pages. */
  readonly purged: (readonly string[])[] = [];
  readonly #folder: string;
  readonly #cache = new Map<string, string>();
  readonly #server: Server;
  readonly #parts = new AsyncDisposableStack();
  /** The link that is unpacked, or being unpacked; a failed one is tried again. */
  #deployed = '';
  #unpacked: Promise<void> = Promise.resolve();
  #root = '';
  #origin = '';

  private constructor(folder: string) {
    this.#folder = folder;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(folder: string): Promise<Edge> {
    const edge = new Edge(folder);
    const origin = edge.#parts.use(
      await serveSite({ folder: () => edge.#root, rules: [], port: 0 }),
    );
    edge.#origin = origin.url;
    await new Promise<void>((resolve) => edge.#server.listen(0, '127.0.0.1', resolve));
    return edge;
  }

  get url(): string {
    return `http://127.0.0.1:${readAddress(this.#server.address()).port}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/', method, headers } = request;
    if (method === 'POST' && url === PURGE) {
      assert.equal(headers.authorization, `Bearer ${TOKEN}`);
      const { files } = purge.parse(JSON.parse(await text(request)));
      this.purged.push(files);
      for (const address of files) this.#cache.delete(address.slice(this.url.length));
      response.end('{}');
      return;
    }
    const kept = this.#cache.get(url);
    if (kept !== undefined)
      return void response.writeHead(200, { 'content-type': 'text/html', age: '60' }).end(kept);
    await this.#deploy();
    const reply = await fetch(this.#origin + url, { redirect: 'manual' });
    const body = await reply.text();
    if (reply.ok) this.#cache.set(url, body);
    const location = reply.headers.get('location');
    response
      .writeHead(reply.status, { 'content-type': 'text/html', ...(location && { location }) })
      .end(body);
  }

  /** Unpacks what deploy.sh was given last. */
  async #deploy(): Promise<void> {
    const path = join(this.#folder, 'deployed');
    const link = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (link !== this.#deployed) {
      this.#deployed = link;
      this.#unpacked = this.#unpack(link);
    }
    // Every request waits: a page of the site before would be kept.
    await this.#unpacked;
  }

  async #unpack(link: string): Promise<void> {
    try {
      const into = join(this.#folder, `site-${this.purged.length}-${link.length}-${Date.now()}`);
      mkdirSync(into);
      this.#root = (await fetchBundle(link, into)).root;
    } catch (error) {
      this.#deployed = '';
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#parts.disposeAsync();
  }
}

async function purgeChanged(stage: Stage): Promise<string> {
  await using edge = await Edge.start(stage.folder);
  const given = {
    addresses: {
      'https://docs.example.com': edge.url,
      'https://api.cloudflare.com/client/v4/zones/ZONE/purge_cache': edge.url + PURGE,
    },
    secrets: { CDN_TOKEN: TOKEN },
  };
  assertGreen(await stage.run({ example: EXAMPLE, eventName: 'push', ...given }));
  assert.deepEqual(edge.purged, [], 'the first export has nothing to compare with');
  const page = `${edge.url}/how-to/roll-back`;
  assert.ok(!(await (await fetch(page)).text()).includes(MERGED));
  appendFileSync(join(stage.repository, 'docs/how-to/roll-back.md'), `\n${MERGED}\n`);
  commit(stage.repository);
  const second = await stage.run({ example: EXAMPLE, eventName: 'push', ...given });
  assertGreen(second);
  assert.deepEqual(edge.purged.flat(), [page, `${page}/`, `${page}.html`, `${page}/index.html`]);
  assert.ok(
    (await (await fetch(page)).text()).includes(MERGED),
    'a reader gets the page of the cache',
  );
  assert.ok(!second.log.includes(TOKEN), 'the token is in the log');
  return 'only the addresses of the changed page were removed from the cache, and readers got it before the run ended';
}

export const cdnCases: readonly ExampleCase[] = [{ example: EXAMPLE, run: purgeChanged }];
