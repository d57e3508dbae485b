import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CourierError } from '../../src/ground/errors.ts';
import { Admission, ARCHIVE_LIMITS } from '../../src/site/archive/admission.ts';
import { readArchive } from '../../src/site/archive/archive.ts';
import { HashSink } from '../../src/site/archive/sink.ts';
import { formatManifest } from '../../src/site/inspection.ts';
import { expectError, failureOf } from '../support/failure.ts';
import { tar, tarGz, tarMember, zip } from './archives.ts';
import { memorySource, readInMemory } from './memory-source.ts';

const soak = process.env.SOAK === '1';
const pages = Array.from({ length: 12 }, (_, index) => ({
  name: `s${index % 3}/p${index}.html`,
  content: `<p>${'text '.repeat(index * 40)}</p>`,
}));
const VALID = { 'tar.gz': tarGz(pages), tar: tar(pages), zip: zip(pages) };
const MUTATIONS = soak ? 20_000 : 1500;

/** Changes like those of a bad disk, a cut connection, or an attacker who changes bytes. */
const mutation = fc.oneof(
  fc.record({
    kind: fc.constant('flip' as const),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    bit: fc.nat(7),
  }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({
    kind: fc.constant('splice' as const),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(600),
  }),
  fc.record({
    kind: fc.constant('put' as const),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 12 }),
  }),
);

type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function mutate(archive: Buffer, change: Mutation): Buffer {
  if (archive.length === 0) return archive;
  const at = Math.floor(change.at * (archive.length - 1));
  if (change.kind === 'cut') return archive.subarray(0, at);
  const copy = Buffer.from(archive);
  if (change.kind === 'flip') copy[at] = (copy[at] ?? 0) ^ (1 << change.bit);
  else if (change.kind === 'put') copy.set(change.bytes.slice(0, copy.length - at), at);
  else {
    const from = Math.floor(change.from * (archive.length - 1));
    return Buffer.concat([
      copy.subarray(0, at),
      copy.subarray(from, from + change.length),
      copy.subarray(at),
    ]);
  }
  return copy;
}

describe.each(['tar.gz', 'tar', 'zip'] as const)('a %s', (format) => {
  test('A randomly changed archive is read or refused with a reason, and never writes outside', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 3 }), async (changes) => {
        const archive = changes.reduce(mutate, VALID[format]);
        try {
          const { files } = await readInMemory(archive, { limits: { totalBytes: 10_000_000 } });
          for (const { path } of files) expect(path).not.toMatch(/^\/|(^|\/)\.\.?(\/|$)|[\\:\0]/);
        } catch (error) {
          refused += 1;
          expect(error).toBeInstanceOf(CourierError);
          expect(error).toHaveProperty(
            'code',
            expect.stringMatching(/^(unsafe-archive|integrity|protocol)$/),
          );
        }
      }),
      { numRuns: MUTATIONS },
    );
    expect(refused).toBeGreaterThan(MUTATIONS / 10);
  });

  test('An archive has the same content in pieces of any size', async () => {
    const whole = await readInMemory(VALID[format]);
    expect(whole.files).toHaveLength(pages.length);
    for (const pieceBytes of [1, 7, 511, 512, 513, 4096]) {
      expect(await readInMemory(VALID[format], { pieceBytes })).toEqual(whole);
    }
  });

  test.each([
    ['entries', { entries: 11 }],
    ['bytes', { totalBytes: 5000 }],
    ['bytes in one file', { fileBytes: 1000 }],
    ['bytes of names', { namesBytes: 100 }],
    ['nested folders', { depth: 1 }],
  ])('An archive with too many %s is refused', async (_, limits) => {
    await expect(readInMemory(VALID[format], { limits })).rejects.toMatchObject({
      code: 'unsafe-archive',
    });
  });
});

test.each([
  ['a symbolic link in a tar', tar([{ name: 'latest', type: '2', linkName: '1.2' }])],
  ['a hard link in a tar', tarGz([{ name: 'b.css', type: '1', linkName: 'a.css' }])],
  ['a symbolic link in a zip', zip([{ name: 'latest', content: '1.2', mode: 0o120777 }])],
])('The hint about %s says how to pack files instead', async (_, archive) => {
  await expect(readInMemory(archive)).rejects.toMatchObject({
    code: 'unsafe-archive',
    hint: expect.stringContaining('tar --dereference --hard-dereference, zip without -y'),
  });
});

test('Every format unpacks to the same files', async () => {
  const byPath = async (archive: Buffer) =>
    [...(await readInMemory(archive)).files].sort((a, b) => (a.path < b.path ? -1 : 1));
  expect(await byPath(VALID.zip)).toEqual(await byPath(VALID.tar));
  expect(await byPath(VALID['tar.gz'])).toEqual(await byPath(VALID.tar));
});

test('More than 200,000 entries are refused', async () => {
  expect(ARCHIVE_LIMITS.entries).toBe(200_000);
  // The real number takes many seconds.
  const entries = soak ? ARCHIVE_LIMITS.entries : 2000;
  const members = (count: number) =>
    tar(Array.from({ length: count }, (_, index) => ({ name: `${index}` })));
  expectError(await failureOf(readInMemory(members(entries + 1), { limits: { entries } })), {
    code: 'unsafe-archive',
    message: `${entries} entries`,
  });
  expect((await readInMemory(members(2000), { limits: { entries: 2000 } })).files).toHaveLength(
    2000,
  );
});

test('An archive bomb is refused soon after the limit, however large it is', async () => {
  const header = tarMember({
    name: 'zeros',
    size: `${(400 * 2 ** 20).toString(8).padStart(11, '0')}\0`,
  });
  const bomb = gzipSync(Buffer.concat([header, Buffer.alloc(64 * 2 ** 20)]));
  const before = process.memoryUsage.rss();
  expectError(await failureOf(readInMemory(bomb)), {
    code: 'unsafe-archive',
    message: '200 times',
  });
  expect(process.memoryUsage.rss() - before).toBeLessThan(128 * 2 ** 20);
});

test('A sparse file of GNU tar, which has its map where other files have a prefix, is called one', async () => {
  const sparse = {
    name: 's',
    type: 'S',
    magic: 'ustar  \0',
    prefix: `${'\0'.repeat(41)}0000`,
    content: 'x',
  };
  expectError(await failureOf(readInMemory(tar([sparse]))), {
    code: 'unsafe-archive',
    message: 'at "s": it contains a sparse file or a backup',
  });
});

test('A text behind a prefix, where npm has times, is refused with the name of the prefix', async () => {
  const hidden = { name: 'x', content: 'x', prefix: `${'guide'.padEnd(131, '\0')}hidden` };
  expectError(await failureOf(readInMemory(tar([hidden]))), {
    code: 'unsafe-archive',
    message: 'at "guide": programs read the prefix of a name differently',
  });
});

test('The list of files does not depend on their order in the archive', async () => {
  const list = async (members: typeof pages) => {
    const { files } = await readInMemory(tarGz(members));
    const origin = { domain: undefined, jobId: 'j', pageCount: undefined };
    const manifest = formatManifest({
      bundlePath: '/x.tgz',
      facts: { sha256: '', bytes: 1, format: 'tar.gz', pages: 12 },
      origin,
      files,
      receivedAt: new Date(0),
    });
    return createHash('sha256')
      .update([...manifest].join(''))
      .digest('hex');
  };
  expect(await list(pages)).toBe(await list(pages.toReversed()));
});

/** Cancels the run with the first piece of a file. */
class CancellingSink extends HashSink {
  readonly cancel = new AbortController();
  pieces = 0;

  override append(piece: Buffer): void {
    super.append(piece);
    this.pieces += 1;
    this.cancel.abort('SIGTERM');
  }
}

const LARGE = [{ name: 'large.bin', content: randomBytes(4 * 1024 * 1024) }];

test.each([
  ['tar.gz', tarGz(LARGE)],
  ['tar', tar(LARGE)],
  ['zip', zip(LARGE)],
])(
  'A run that is cancelled inside a large file of a %s does not unpack the rest of it',
  async (_, archive) => {
    const sink = new CancellingSink({ hashesFiles: true });
    const reading = {
      source: memorySource(archive),
      admission: new Admission({ limits: ARCHIVE_LIMITS, inWorkspace: true }),
      sink,
    };
    await expect(readArchive({ ...reading, signal: sink.cancel.signal })).rejects.toBe('SIGTERM');
    expect(sink.pieces).toBe(1);
  },
);
