import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CourierError } from '../../../src/ground/errors.ts';
import { tar } from '../archives.ts';
import { SPECIMENS } from '../corpus.ts';
import { readInMemory } from '../memory-source.ts';
import { type Format, mutated, renamedZip } from './mutate.ts';
import {
  ForeignReaders,
  installed,
  missingReaders,
  type ReaderName,
  type Reading,
} from './reader.ts';

const soak = process.env.SOAK === '1';
const missing = missingReaders();
const ALL_TAR = installed(['tarfile', 'gnutar', 'libarchive', 'libarchive-pipe']);
const ALL_ZIP = installed(['zipfile', 'libarchive', 'libarchive-pipe', 'unzip']);
if (missing !== undefined)
  console.warn(`Archives are not compared with foreign readers: ${missing}.`);

/** Our own result in the same format; undefined if the archive is refused. */
async function readOurs(archive: Buffer): Promise<Reading | undefined> {
  try {
    const { files } = await readInMemory(archive, { limits: { totalBytes: 10_000_000 } });
    return { files: files.map(({ path, sha256 }) => [path, sha256 ?? ''] as const).sort(byPath) };
  } catch (error) {
    if (error instanceof CourierError) return undefined;
    throw error;
  }
}

// Sorted by code points, like in Python.
function byPath([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

interface Comparison {
  readonly archives: fc.Arbitrary<Buffer>;
  readonly readers: readonly ReaderName[];
  readonly numRuns: number;
}

/** How many archives were accepted: with too few, nothing was compared. */
async function compare({ archives, readers, numRuns }: Comparison): Promise<number> {
  await using foreign = new ForeignReaders();
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(archives, async (archive) => {
      const ours = await readOurs(archive);
      if (ours === undefined) return;
      accepted += 1;
      for (const reader of readers)
        expect({ [reader]: await foreign.read(reader, archive) }).toEqual({ [reader]: ours });
    }),
    { numRuns },
  );
  return accepted;
}

/** Headers with every kind of format and prefix, most of which no program writes. */
function withPrefixes(): { name: string; prefix: string; magic: string; type: string }[] {
  const magics =
    'ustar\x0000|ustar  \0|ustar\x0001|ustar\0  |ustar\0\0\0|ustar 00|ustar\x20\0\0|ustar00\0|USTAR\x0000|star\0\0\0\0||x';
  const prefixes = [
    '',
    'guide',
    'guide/',
    'a/b',
    '\0hidden',
    'guide\0hidden',
    'p'.repeat(155),
    `${'p/'.repeat(65)}\0${'0'.repeat(11)} `,
  ];
  return magics.split('|').flatMap((magic) =>
    prefixes.flatMap((prefix) =>
      ['0', '\0', '5'].map((type) => ({
        name: type === '5' ? 'page/' : 'page.html',
        prefix,
        magic,
        type,
      })),
    ),
  );
}

describe.skipIf(missing !== undefined)(
  'what is accepted of a changed archive is, name by name and byte by byte,',
  () => {
    const cases: readonly (readonly [string, Format, readonly ReaderName[], number])[] = [
      ["Docs Courier reads a tar like Python's tarfile", 'tar', ['tarfile'], 20_000],
      ["Docs Courier reads a tar.gz like Python's tarfile", 'tar.gz', ['tarfile'], 10_000],
      ["Docs Courier reads a zip like Python's zipfile", 'zip', ['zipfile'], 20_000],
      ['Docs Courier reads a tar like every other reader', 'tar', ALL_TAR, 4000],
      ['Docs Courier reads a zip like every other reader', 'zip', ALL_ZIP, 10_000],
    ];

    test.each(cases)('%s', async (_, format, readers, soakRuns) => {
      const numRuns = soak ? soakRuns : soakRuns / 20;
      expect(await compare({ archives: mutated(format), readers, numRuns })).toBeGreaterThan(
        numRuns / 50,
      );
    });

    test('Docs Courier reads a prefix like every other reader, or refuses the header', async () => {
      await using foreign = new ForeignReaders();
      let accepted = 0;
      for (const member of withPrefixes()) {
        const archive = tar([
          { content: 'x', ...member },
          { name: 'last.html', content: 'y' },
        ]);
        const ours = await readOurs(archive);
        if (ours === undefined) continue;
        accepted += 1;
        for (const reader of ALL_TAR) {
          const theirs = await foreign.read(reader, archive);
          expect({ ...member, [reader]: theirs }).toEqual({ ...member, [reader]: ours });
        }
      }
      expect(accepted).toBeGreaterThan(10);
    });

    test('Docs Courier reads each accepted specimen like every other reader', async () => {
      await using foreign = new ForeignReaders();
      for (const { name, archive, outcome } of SPECIMENS) {
        if (outcome !== 'ok') continue;
        const ours = await readOurs(archive);
        for (const reader of archive.toString('latin1', 0, 2) === 'PK' ? ALL_ZIP : ALL_TAR) {
          const theirs = await foreign.read(reader, archive);
          expect({ name, [reader]: theirs }).toEqual({ name, [reader]: ours });
        }
      }
    });

    test("Docs Courier reads a zip like Python's zipfile, whatever its names are", async () => {
      const numRuns = soak ? 20_000 : 1000;
      expect(
        await compare({ archives: renamedZip(), readers: ['zipfile'], numRuns }),
      ).toBeGreaterThan(numRuns / 200);
    });
  },
);
