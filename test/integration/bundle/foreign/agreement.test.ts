import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CourierError } from '../../../../src/errors.ts';
import { readInMemory } from '../../../unit/bundle/memory-source.ts';
import { type Format, mutated, renamedZip } from './mutate.ts';
import { ForeignReaders, missingReaders, type ReaderName, type Reading } from './reader.ts';

const soak = process.env.SOAK === '1';
const missing = missingReaders();
if (missing !== undefined) console.warn(`Archives are not compared with foreign readers: ${missing}.`);

/** Our own reading in the same form; undefined where the archive is refused. */
async function readOurs(archive: Buffer): Promise<Reading | undefined> {
  try {
    const { files } = await readInMemory(archive, { limits: { totalBytes: 10_000_000 } });
    return { files: files.map(({ path, sha256 }) => [path, sha256 ?? ''] as const).sort(byPath) };
  } catch (error) {
    if (error instanceof CourierError) return undefined;
    throw error;
  }
}

// As Python sorts: by code points.
function byPath([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

interface Comparison {
  readonly archives: fc.Arbitrary<Buffer>;
  readonly readers: readonly ReaderName[];
  readonly numRuns: number;
}

/** How many archives were accepted: too few, and nothing was compared. */
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

describe.skipIf(missing !== undefined)(
  'what is accepted of a changed archive is, name by name and byte by byte,',
  () => {
    const cases: readonly (readonly [string, Format, readonly ReaderName[], number])[] = [
      ["what Python's tarfile reads (tar)", 'tar', ['tarfile'], 20_000],
      ["what Python's tarfile reads (tar.gz)", 'tar.gz', ['tarfile'], 10_000],
      ['what GNU tar unpacks (tar)', 'tar', ['gnutar'], 3000],
      ["what Python's zipfile reads (zip)", 'zip', ['zipfile'], 20_000],
    ];

    test.each(cases)('%s', async (_, format, readers, soakRuns) => {
      const numRuns = soak ? soakRuns : soakRuns / 20;
      expect(await compare({ archives: mutated(format), readers, numRuns })).toBeGreaterThan(numRuns / 20);
    });

    test("what Python's zipfile reads, whatever the names of a zip are", async () => {
      const numRuns = soak ? 20_000 : 1000;
      expect(await compare({ archives: renamedZip(), readers: ['zipfile'], numRuns })).toBeGreaterThan(numRuns / 200);
    });
  },
);
