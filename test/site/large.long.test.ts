import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createGzip } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startBundleServer } from '../support/bundle-server.ts';
import { listen } from '../support/listening.ts';
import { listTree } from '../support/tree.ts';
import { NO_SERVERS, startWorld } from '../support/world.ts';
import { tar, tarGz, tarMember, type ZipMember, zip } from './archives.ts';

const MIB = 1024 * 1024;
const LARGE = Buffer.concat([randomBytes(700_000), Buffer.alloc(700_000, 'text ')]);
const page = { name: 'index.html', content: 'x' };

describe('a large file', () => {
  const archives: readonly (readonly [string, Buffer])[] = [
    ['tar.gz', tarGz([page, { name: 'large.bin', content: LARGE }])],
    ['tar', tar([page, { name: 'large.bin', content: LARGE }])],
    ['zip', zip([page, { name: 'large.bin', content: LARGE }])],
    ['zip, stored', zip([page, { name: 'large.bin', content: LARGE, method: 0 }])],
    [
      'zip with a descriptor',
      zip([
        page,
        {
          name: 'large.bin',
          content: LARGE,
          flags: 0x808,
          descriptor: descriptorOf(LARGE),
          method: 0,
        },
      ]),
    ],
  ];

  test.each(archives)('A large file in a %s is unpacked byte for byte', async (_, archive) => {
    await using world = await startWorld(NO_SERVERS);
    await using server = await startBundleServer(archive);
    const extractTo = join(world.workspace, 'site');
    await world.receive({
      url: server.url,
      bundle: { extractTo, bundlePath: join(world.workspace, 'b') },
    });
    const sum = createHash('sha256').update(LARGE).digest('hex');
    expect(listTree(extractTo)).toContain(`large.bin 644 ${sum}`);
  });

  const lies: readonly (readonly [string, Partial<ZipMember>])[] = [
    ['a wrong CRC', { crc: 7 }],
    ['a wrong CRC, stored', { crc: 7, method: 0 }],
    ['a smaller size', { size: 600_000 }],
    ['a larger size', { size: 2_000_000 }],
    ['a broken stream', { packed: randomBytes(600_000) }],
  ];

  test.each(lies)('A large file in a zip with %s is damage', async (_, lie) => {
    await using world = await startWorld(NO_SERVERS);
    await using server = await startBundleServer(
      zip([page, { name: 'large.bin', content: LARGE, ...lie }]),
    );
    const received = world.receive({
      url: server.url,
      bundle: { extractTo: join(world.workspace, 'site') },
    });
    await expect(received).rejects.toMatchObject({ code: 'integrity' });
    expect(listTree(world.root).filter((line) => line.includes('large'))).toEqual([]);
  });
});

function descriptorOf(content: Buffer): Buffer {
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(crc32(content), 4);
  descriptor.writeUInt32LE(content.length, 8);
  descriptor.writeUInt32LE(content.length, 12);
  return descriptor;
}

/** A server that creates a bundle of that many MiB while it sends it. */
async function startStreamingServer(mebibytes: number) {
  const block = randomBytes(MIB);
  async function* members() {
    yield tarMember(page);
    for (let index = 0; index < mebibytes; index += 1)
      yield tarMember({ name: `f${index}.bin`, content: block });
    yield Buffer.alloc(1024);
  }
  const server = createServer((_, response) => {
    pipeline(Readable.from(members()), createGzip({ level: 0 }), response).catch(() => {});
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}/b.tar.gz?sig=1`, [Symbol.dispose]: () => server.close() };
}

async function peakMebibytes(mebibytes: number): Promise<number> {
  await using world = await startWorld(NO_SERVERS);
  using server = await startStreamingServer(mebibytes);
  const receiver = join(import.meta.dirname, '../bench/bundle-receiver.ts');
  const child = spawn(process.execPath, [receiver, server.url, world.workspace], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  return Number(output.trim().split(' ')[0]) / 1024;
}

test('Memory stays under 256 MiB and does not grow with the bundle', async () => {
  const [small, large] = process.env.SOAK === '1' ? [50, 2000] : [24, 250];
  const before = await peakMebibytes(small);
  const after = await peakMebibytes(large);
  expect(after).toBeLessThan(256);
  expect(after - before).toBeLessThan(32);
});
