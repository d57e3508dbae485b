import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findTool } from './tools.ts';

/** A local S3-compatible server, versitygw, with one bucket. */
export interface ObjectStore extends AsyncDisposable {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
  /** The bucket as a folder: each object is a file. */
  readonly folder: string;
}

export const STORE_TOOL = 'versitygw';

export function storeIsInstalled(): boolean {
  return findTool(STORE_TOOL) !== undefined;
}

export async function startObjectStore(): Promise<ObjectStore> {
  const program = findTool(STORE_TOOL);
  if (program === undefined)
    throw new Error(`${STORE_TOOL} is not installed. Install it: bash scripts/tools.sh`);
  const root = mkdtempSync(join(tmpdir(), 'docs-courier-store-'));
  const bucket = 'docs-bundles';
  mkdirSync(join(root, bucket));
  const [accessKey, secretKey] = [randomBytes(10).toString('hex'), randomBytes(20).toString('hex')];
  const port = await freePort();
  const region = 'eu-central-1';
  const child = spawn(
    program,
    [
      '--port',
      `127.0.0.1:${port}`,
      '--access',
      accessKey,
      '--secret',
      secretKey,
      '--region',
      region,
      '--quiet',
      'posix',
      root,
    ],
    { stdio: 'ignore' },
  );
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const close = async () => {
    child.kill('SIGTERM');
    await gone;
    rmSync(root, { recursive: true, force: true });
  };
  const endpoint = `http://127.0.0.1:${port}`;
  if (!(await answers(endpoint))) {
    await close();
    throw new Error(`${STORE_TOOL} does not answer at ${endpoint}`);
  }
  return {
    endpoint,
    bucket,
    accessKey,
    secretKey,
    region,
    folder: join(root, bucket),
    [Symbol.asyncDispose]: close,
  };
}

async function answers(endpoint: string): Promise<boolean> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const there = await fetch(endpoint).then(
      (reply) => reply.arrayBuffer().then(() => true),
      () => false,
    );
    if (there) return true;
    await delay(50);
  }
  return false;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return address !== null && typeof address === 'object' ? address.port : 0;
}
