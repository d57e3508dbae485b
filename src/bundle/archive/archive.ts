import { Buffer } from 'node:buffer';
import { CourierError } from '../../errors.ts';
import { plainLine } from '../../text/escape.ts';
import { type Admission, type ArchiveLimits, damaged, unsafe } from './admission.ts';
import { gunzip } from './gzip.ts';
import type { EntrySink } from './sink.ts';
import { hasChecksum, TarReader } from './tar.ts';
import { type ByteSource, readZip } from './zip.ts';

export type ArchiveFormat = 'tar.gz' | 'tar' | 'zip';

/** An archive that may still be downloading. A zip is read once it is complete, a tar as it comes. */
export interface ArchiveSource extends ByteSource {
  read(): AsyncIterable<Buffer>;
  whenFinished(): Promise<void>;
}

interface ArchiveReading {
  readonly source: ArchiveSource;
  readonly admission: Admission;
  readonly sink: EntrySink;
  readonly limits: ArchiveLimits;
  readonly signal: AbortSignal;
}

// A tar's magic word follows the first 257 bytes (POSIX.1-2017, ustar).
const SNIFF_BYTES = 512;

/** The format by the first bytes, never by a name; undefined: none of the kinds that are read. */
function sniffFormat(head: Buffer): ArchiveFormat | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'tar.gz';
  const word = head.toString('latin1', 0, 4);
  if (word === 'PK\x03\x04' || word === 'PK\x05\x06') return 'zip';
  // Tars from before POSIX have no magic word, only the checksum of their first header.
  if (head.toString('latin1', 257, 262) === 'ustar' || hasChecksum(head.subarray(0, SNIFF_BYTES))) return 'tar';
  return undefined;
}

/** Reads the whole archive into the sink. Throws `unsafe-archive`, `integrity`, `protocol` (not an archive) or `io`. */
export async function readArchive(reading: ArchiveReading): Promise<ArchiveFormat> {
  const { source, admission } = reading;
  const format = await sniffSource(source);
  if (format === 'zip') await readWholeZip(reading);
  else await readTarStream(reading, format);
  if (admission.files === 0) throw damaged('it is empty: there is no file in it');
  return format;
}

async function sniffSource(source: ArchiveSource): Promise<ArchiveFormat> {
  let head = Buffer.alloc(0);
  for await (const piece of source.read()) {
    head = Buffer.concat([head, piece.subarray(0, SNIFF_BYTES)]);
    const format = sniffFormat(head);
    if (format !== undefined) return format;
    if (head.length >= SNIFF_BYTES) break;
  }
  throw new CourierError({
    code: 'protocol',
    message: `The bundle link did not lead to an archive: the reply begins with "${plainLine(head.toString('latin1', 0, 60), 60)}".`,
    hint: 'Supported are .tar.gz, .tar and .zip. A page of HTML comes from a proxy or a sign-in page in between; XML is an error of the storage.',
  });
}

async function readWholeZip({ source, admission, sink, limits, signal }: ArchiveReading): Promise<void> {
  await source.whenFinished();
  const judged: Pick<Admission, 'admit'> = {
    admit(entry) {
      const path = admission.admit(entry);
      checkRatio(admission.totalBytes, source.sizeBytes, limits);
      return path;
    },
  };
  await readZip({ source, admission: judged, sink, limits, checkpoint: () => signal.throwIfAborted() });
}

async function readTarStream(reading: ArchiveReading, format: 'tar' | 'tar.gz'): Promise<void> {
  const { source, admission, sink, limits, signal } = reading;
  const reader = new TarReader(admission, sink, limits);
  const count = { packed: 0, unpacked: 0 };
  const packed = counted(source.read(), (bytes) => {
    count.packed += bytes;
  });
  for await (const piece of format === 'tar' ? packed : gunzip(packed)) {
    signal.throwIfAborted();
    count.unpacked += piece.length;
    checkRatio(count.unpacked, count.packed, limits);
    reader.push(piece);
  }
  reader.end();
}

function checkRatio(unpacked: number, packed: number, limits: ArchiveLimits): void {
  if (unpacked > limits.ratioFromBytes && unpacked > packed * limits.ratio) {
    throw unsafe(`it unpacks to more than ${limits.ratio} times its size`);
  }
}

async function* counted(source: AsyncIterable<Buffer>, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const piece of source) {
    count(piece.length);
    yield piece;
  }
}
