import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Disk, systemDisk } from '../../src/site/disk/disk.ts';
import { startBundleServer } from '../support/bundle-server.ts';
import { expectError, failureOf } from '../support/failure.ts';
import { NO_SERVERS, startWorld } from '../support/world.ts';
import { tarGz, type ZipMember, zip } from './archives.ts';

const MIB = 1024 * 1024;
const LARGE = Buffer.alloc(2 * MIB, 'large file ');
const ARCHIVE = tarGz([
  { name: 'index.html', content: '<p>hello</p>' },
  { name: 'a/b.html', content: 'b' },
  { name: 'large.txt', content: LARGE },
]);

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code, syscall: 'injected' });
}

/** A disk that fails at a call for a path with that end, or after that many written bytes. */
function failingDisk(
  code: string,
  where: { call: keyof Disk; pathEnd?: string; afterBytes?: number },
): Partial<Disk> {
  const isThere = (call: keyof Disk, path: string) =>
    call === where.call && path.endsWith(where.pathEnd ?? '');
  let written = 0;
  return {
    open(path, flags, mode) {
      if (isThere('open', path)) throw systemError(code);
      return systemDisk.open(path, flags, mode);
    },
    makeFolder(path, mode) {
      if (isThere('makeFolder', path)) throw systemError(code);
      systemDisk.makeFolder(path, mode);
    },
    write(fd, content, from, at) {
      if (where.call === 'write' && written >= (where.afterBytes ?? 0)) throw systemError(code);
      const done = systemDisk.write(fd, content, from, at);
      written += done;
      return done;
    },
    close(fd) {
      systemDisk.close(fd);
      if (where.call === 'close') throw systemError(code);
    },
  };
}

describe('a disk that fails', () => {
  const faults = [
    ['ENOSPC', { call: 'write' }, 'The disk is full: free some space, or use a machine with'],
    ['ENOSPC', { call: 'write', afterBytes: ARCHIVE.length + 14 }, 'The disk is full'],
    ['ENOSPC', { call: 'makeFolder', pathEnd: '/a' }, 'The disk is full'],
    ['EDQUOT', { call: 'close' }, 'quota is used up: free some space, or use'],
    ['EROFS', { call: 'open', pathEnd: 'fresh' }, 'read-only: choose a path in the working folder'],
    ['EROFS', { call: 'makeFolder', pathEnd: '/a' }, 'read-only'],
    ['EACCES', { call: 'open', pathEnd: 'b.html' }, 'user may not write'],
    ['EMFILE', { call: 'open', pathEnd: 'index.html' }, 'Too many files'],
    ['EIO', { call: 'write', afterBytes: ARCHIVE.length + MIB }, 'writable disk'],
  ] as const;

  test.each(faults)(
    'A disk that fails with %s at %j is reported with its path, and leaves nothing',
    async (code, where, hint) => {
      await using world = await startWorld(NO_SERVERS);
      await using server = await startBundleServer(ARCHIVE);
      const bundle = {
        extractTo: join(world.workspace, 'site'),
        bundlePath: join(world.workspace, 'docs.tar.gz'),
      };
      const received = world.receive({
        url: server.url,
        bundle,
        internals: { disk: failingDisk(code, where) },
      });
      expectError(await failureOf(received), {
        code: 'io',
        message: new RegExp(`${world.workspace}.*\\(${code}\\)`),
        hint,
      });
      expect(readdirSync(world.workspace)).toEqual([]);
      expect(readdirSync(world.runnerTemp)).toEqual([]);
    },
  );

  test('A disk that fails at its first write keeps the old files', async () => {
    await using world = await startWorld(NO_SERVERS);
    await using server = await startBundleServer(ARCHIVE);
    const bundle = { extractTo: join(world.workspace, 'site'), clean: true };
    await world.receive({ url: server.url, bundle });
    const disk = failingDisk('ENOSPC', { call: 'write' });
    await expect(
      world.receive({ url: server.url, bundle, internals: { disk } }),
    ).rejects.toMatchObject({ code: 'io' });
    expect(existsSync(join(world.workspace, 'site/a/b.html'))).toBe(true);
  });

  test('A disk that writes a few bytes at a time gets all bytes', async () => {
    await using world = await startWorld(NO_SERVERS);
    await using server = await startBundleServer(ARCHIVE);
    const bundlePath = join(world.workspace, 'docs.tar.gz');
    const write: Disk['write'] = (fd, content, from, at) =>
      systemDisk.write(fd, content.subarray(0, from + 997), from, at);
    const { facts } = await world.receive({
      url: server.url,
      bundle: { bundlePath },
      internals: { disk: { write } },
    });
    expect(facts).toMatchObject({
      bytes: ARCHIVE.length,
      files: 3,
      unpackedBytes: LARGE.length + 13,
    });
  });
});

describe('an archive bomb', () => {
  const zeros = (bytes: number): ZipMember => ({ name: 'zeros.txt', content: Buffer.alloc(bytes) });
  const many = Array.from({ length: 64 }, (_, index) => ({
    name: `f${index}.txt`,
    content: Buffer.alloc(MIB, index),
  }));
  const limits = { archiveBytes: 64 * MIB, totalBytes: 8 * MIB, fileBytes: 8 * MIB, ratio: 1e6 };
  const bombs: readonly (readonly [
    string,
    Buffer,
    Partial<typeof limits> & { ratioFromBytes?: number },
  ])[] = [
    [
      'one large file in a tar.gz',
      tarGz([{ name: 'zeros.txt', content: Buffer.alloc(64 * MIB) }]),
      {},
    ],
    ['many files in a tar.gz', tarGz(many), {}],
    [
      'a tar.gz that grows a thousand times',
      tarGz(many),
      { totalBytes: 64 * MIB, ratio: 100, ratioFromBytes: 8 * MIB },
    ],
    ['one large file in a zip', zip([zeros(64 * MIB)]), {}],
    ['many files in a zip', zip(many), {}],
    [
      'a zip that declares less than it contains',
      zip([{ ...zeros(64 * MIB), size: 1000, localSize: 1000 }]),
      {},
    ],
    [
      'a larger zip that declares less than it contains',
      zip([{ ...zeros(64 * MIB), size: 2 * MIB, localSize: 2 * MIB }]),
      {},
    ],
  ];

  test.each(bombs)(
    'Unpacking of %s stops at the limit, and not a mebibyte later',
    async (_, archive, smaller) => {
      await using world = await startWorld(NO_SERVERS);
      await using server = await startBundleServer(archive);
      let written = 0;
      const write: Disk['write'] = (fd, content, from, at) => {
        const done = systemDisk.write(fd, content, from, at);
        written += done;
        return done;
      };
      const received = world.receive({
        url: server.url,
        bundle: { extractTo: join(world.workspace, 'site') },
        internals: { disk: { write }, archive: { ...limits, ...smaller } },
      });
      await expect(received).rejects.toMatchObject({
        code: expect.stringMatching(/^(unsafe-archive|integrity)$/),
      });
      expect(written - archive.length).toBeLessThanOrEqual(9 * MIB);
      expect(readdirSync(world.workspace)).toEqual([]);
    },
  );
});
