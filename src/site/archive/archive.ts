import { Buffer } from 'node:buffer';
import { protocolError } from '../../ground/errors.ts';
import { plainLine } from '../../ground/text/escape.ts';
import { checkRatio, damaged } from './admission.ts';
import { gunzip } from './gzip.ts';
import type { ArchiveReading, ArchiveSource } from './sink.ts';
import { hasChecksum, TarReader } from './tar.ts';
import { readZip } from './zip.ts';

export type ArchiveFormat = 'tar.gz' | 'tar' | 'zip';

// A tar's magic word follows the first 257 bytes (POSIX.1-2017, ustar).
const SNIFF_BYTES = 512;

/** The format by the first bytes, never by a name; undefined if they are not of a supported one. */
function sniffFormat(head: Buffer): ArchiveFormat | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'tar.gz';
  const word = head.toString('latin1', 0, 4);
  // The second one is that of a zip without any file.
  if (word === 'PK\x03\x04' || word === 'PK\x05\x06') return 'zip';
  // Tars from before POSIX have no magic word, only the checksum of their first header.
  if (head.toString('latin1', 257, 262) === 'ustar' || hasChecksum(head.subarray(0, SNIFF_BYTES)))
    return 'tar';
  return undefined;
}

/**
 * Reads the whole archive into the sink. Throws `unsafe-archive`, `integrity`, `protocol` (not an
 * archive) or `io`.
 */
export async function readArchive(reading: ArchiveReading): Promise<ArchiveFormat> {
  const source = reading.source;
  const format = await sniffSource(source);
  if (format === 'zip') {
    // The directory of a zip, which lists its files, is at its end.
    await source.whenFinished();
    await readZip(reading);
  } else if (format === 'tar.gz') await readTar(reading, gunzip(source.read()));
  else await readTar(reading, source.read());
  if (reading.sink.files.length === 0) throw damaged('it is empty: there is no file in it');
  return format;
}

/** Finds the format in the first bytes that come; `protocol` if they are not of an archive. */
async function sniffSource(source: ArchiveSource): Promise<ArchiveFormat> {
  let head = Buffer.alloc(0);
  for await (const piece of source.read()) {
    head = Buffer.concat([head, piece.subarray(0, SNIFF_BYTES)]);
    const format = sniffFormat(head);
    if (format !== undefined) return format;
    if (head.length >= SNIFF_BYTES) break;
  }
  throw protocolError(
    `The bundle link did not lead to an archive: the reply begins with "${plainLine(head.toString('latin1', 0, 60), 60)}".`,
    'Supported are .tar.gz, .tar and .zip. A page of HTML comes from a proxy or a sign-in page in between; XML is an error of the storage.',
  );
}

async function readTar(reading: ArchiveReading, tar: AsyncIterable<Buffer>): Promise<void> {
  const { source, admission, signal } = reading;
  const reader = new TarReader(admission, reading.sink);
  let unpackedBytes = 0;
  for await (const piece of tar) {
    signal.throwIfAborted();
    unpackedBytes += piece.length;
    // Compared with the bytes that have been downloaded so far: the archive can only become larger.
    checkRatio(unpackedBytes, source.sizeBytes, admission.limits);
    reader.push(piece);
  }
  reader.end();
}
