import { Admission, ARCHIVE_LIMITS, type ArchiveLimits } from '../../src/site/archive/admission.ts';
import { type ArchiveFormat, readArchive } from '../../src/site/archive/archive.ts';
import { type ArchiveSource, type BundleFile, HashSink } from '../../src/site/archive/sink.ts';

/** An archive in memory, read in pieces of the given size. */
export function memorySource(archive: Buffer, pieceBytes = 65_536): ArchiveSource {
  return {
    sizeBytes: archive.length,
    readAt: (position, length) => archive.subarray(position, Math.max(position, position + length)),
    async whenFinished() {},
    async *read() {
      for (let at = 0; at < archive.length; at += pieceBytes)
        yield archive.subarray(at, at + pieceBytes);
    },
  };
}

interface ReadResult {
  readonly format: ArchiveFormat;
  readonly files: readonly BundleFile[];
}

export async function readInMemory(
  archive: Buffer,
  options: { limits?: Partial<ArchiveLimits>; pieceBytes?: number } = {},
): Promise<ReadResult> {
  const limits = { ...ARCHIVE_LIMITS, ...options.limits };
  const sink = new HashSink({ hashesFiles: true });
  const format = await readArchive({
    source: memorySource(archive, options.pieceBytes),
    admission: new Admission({ limits, inWorkspace: true }),
    sink,
    signal: new AbortController().signal,
  });
  return { format, files: sink.files };
}
