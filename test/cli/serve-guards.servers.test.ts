import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveSite } from '../../src/cli/serve.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'served-'));
  const files = [
    'index.html',
    'a.html',
    '.env',
    '.git/config',
    'guide/.cache/a.html',
    '.well-known/security.txt',
  ];
  for (const file of [
    ...files,
    '.well-known/.private',
    '.well-known-not/a.txt',
    'docs-courier/search/words.js',
  ]) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), file);
  }
});

afterAll(() => rm(folder, { recursive: true }));

async function ask(path: string, host?: string) {
  await using server = await serveSite({ folder: () => folder, rules: [], port: 0 });
  const url = new URL(path, server.url);
  return await new Promise<{ status: number | undefined; policy: unknown }>((done, fail) => {
    const headers = { host: host?.replace('PORT', url.port) ?? url.host };
    const sent = request(url, { headers }, (reply) => {
      reply.resume();
      done({ status: reply.statusCode, policy: reply.headers['cross-origin-resource-policy'] });
    });
    sent.on('error', fail).end();
  });
}

test.each(['127.0.0.1:PORT', 'localhost:PORT', 'LOCALHOST', '[::1]:PORT'])(
  'The server answers the name %s',
  async (host) => {
    expect((await ask('/a', host)).status).toBe(200);
  },
);

test.each([
  'docs.example.com',
  'localhost.evil.example:PORT',
  '127.0.0.1.evil.example',
  '127.0.0.2:PORT',
])(
  'The server answers no request for the name "%s", which someone else can make lead to this machine',
  async (host) => {
    expect((await ask('/a', host)).status).toBe(421);
  },
);

test.each([
  '/.env',
  '/.git/config',
  '/guide/.cache/a',
  '/%2egit/config',
  '/.well-known/.private',
  '/.well-known-not/a.txt',
])('The file %s, whose name or folder begins with a dot, is not served', async (path) => {
  expect((await ask(path)).status).toBe(404);
});

test('The files of .well-known are served', async () => {
  expect((await ask('/.well-known/security.txt')).status).toBe(200);
});

test.each(['/', '/a', '/docs-courier/search/words.js'])(
  'Pages of other sites cannot load %s',
  async (path) => {
    expect(await ask(path)).toEqual({ status: 200, policy: 'same-origin' });
  },
);
