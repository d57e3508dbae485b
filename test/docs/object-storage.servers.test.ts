import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { findTool } from '../../scripts/examples/tools.ts';
import { readText } from './pages.ts';

const workflow = z.object({
  jobs: z.object({
    publish: z.object({ steps: z.array(z.object({ run: z.optional(z.string()) })) }),
  }),
});
const { publish } = workflow.parse(parse(readText('examples/object-storage.yml'))).jobs;
const SCRIPT = publish.steps.find(({ run }) => run?.includes('aws s3'))?.run ?? '';

const aws = findTool('aws');
if (aws === undefined) console.warn('aws is not installed: the example of a bucket is not tried.');

const folder = mkdtempSync(join(tmpdir(), 'docs-courier-bucket-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A bucket for the AWS client, by path, with a line for each object that is written or deleted. */
async function startBucket() {
  const objects = new Map<string, Buffer>();
  const changes: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const key = decodeURIComponent(pathname).split('/').slice(2).join('/');
    const object = objects.get(key);
    if (request.method === 'PUT' || request.method === 'DELETE') {
      changes.push(`${request.method} ${key}`);
      if (request.method === 'PUT') objects.set(key, body);
      else objects.delete(key);
      response.writeHead(request.method === 'PUT' ? 200 : 204, { etag: '"0"' }).end();
      return;
    }
    if (key === '') {
      const entries = [...objects].sort().map(([name, { length }]) => {
        // Older than what is uploaded, so that each file is uploaded again.
        const facts = `<LastModified>2020-01-01T00:00:00.000Z</LastModified><Size>${length}</Size>`;
        return `<Contents><Key>${name}</Key>${facts}</Contents>`;
      });
      const list = `<ListBucketResult>${entries.join('')}</ListBucketResult>`;
      response.writeHead(200, { 'content-type': 'application/xml' }).end(list);
      return;
    }
    const headers = {
      'content-length': object?.length ?? 0,
      etag: '"0"',
      'last-modified': 'Wed, 01 Jan 2020 00:00:00 GMT',
    };
    response.writeHead(object === undefined ? 404 : 200, headers);
    response.end(request.method === 'HEAD' ? undefined : object);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    objects,
    changes,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Runs the step of the example on a site with these files. */
async function deploy(url: string, name: string, files: readonly string[]): Promise<void> {
  const site = join(folder, name);
  for (const file of files) {
    mkdirSync(dirname(join(site, file)), { recursive: true });
    writeFileSync(join(site, file), `${file} of ${name}`);
  }
  const child = spawn('bash', ['-e', '-c', SCRIPT], {
    env: {
      PATH: `${dirname(aws ?? '')}:${process.env.PATH ?? ''}`,
      HOME: folder,
      SITE: site,
      BUCKET: 'docs',
      AWS_ENDPOINT_URL: url,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_REQUEST_CHECKSUM_CALCULATION: 'when_required',
      AWS_RESPONSE_CHECKSUM_VALIDATION: 'when_required',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors = text(child.stderr);
  const [code] = await once(child, 'exit');
  expect([code, code === 0 ? '' : await errors]).toEqual([0, '']);
}

describe.skipIf(aws === undefined)('the step that mirrors a site into a bucket', () => {
  it('What pages load is uploaded before them, pages go at once, and what they loaded a deployment later', async () => {
    await using bucket = await startBucket();
    const stays = ['index.html', '404.html', 'a page.html', '.well-known/security.txt'];
    const hosts = ['_headers', '_redirects'];
    await deploy(bucket.url, 'first', [...stays, ...hosts, 'gone.html', 'z/main.0a1b2c3d.css']);
    expect([...bucket.objects.keys()].sort()).toEqual(
      [...stays, '.files', 'gone.html', 'z/main.0a1b2c3d.css'].sort(),
    );

    bucket.changes.length = 0;
    await deploy(bucket.url, 'second', [...stays, ...hosts, 'z/main.77aa01ee.css', 'z/$(x) ü.js']);
    const at = (change: string) => bucket.changes.indexOf(change);
    const pages = bucket.changes.filter((change) => /^PUT .*\.html$/.test(change));
    expect(pages.length).toBeGreaterThanOrEqual(3);
    for (const page of pages) expect(at(page)).toBeGreaterThan(at('PUT z/main.77aa01ee.css'));
    expect(bucket.changes.filter((change) => change.startsWith('DELETE'))).toEqual([
      'DELETE gone.html',
    ]);
    for (const page of pages) expect(at('DELETE gone.html')).toBeGreaterThan(at(page));
    expect(String(bucket.objects.get('index.html'))).toBe('index.html of second');

    bucket.changes.length = 0;
    await deploy(bucket.url, 'third', [...stays, 'z/main.99cc02ff.css']);
    expect(bucket.changes.filter((change) => change.startsWith('DELETE'))).toEqual([
      'DELETE z/main.0a1b2c3d.css',
    ]);
    await deploy(bucket.url, 'fourth', stays);
    expect([...bucket.objects.keys()].sort()).toEqual(
      [...stays, '.files', 'z/main.99cc02ff.css'].sort(),
    );
  }, 120_000);
});
