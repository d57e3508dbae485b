import { Buffer } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import * as z from 'zod/mini';
import { CourierError } from '../../ground/errors.ts';
import { checkRatio, damaged, unsafe } from './admission.ts';
import { piecesOf } from './gzip.ts';
import type { ArchiveReading, ArchiveSource } from './sink.ts';
import {
  agreesWith,
  checkUnicodeNames,
  type ExtraField,
  findDirectory,
  readExtraFields,
  readMembers,
  STORED,
  type ZipMember,
} from './zip-directory.ts';

// A zip has its members, each after a local header, and then a directory of them with most of that
// again. Whatever can be read in two ways is refused. The numbers in calls such as
// `readUInt16LE(26)` are the places of fields (APPNOTE.TXT 6.3, section 4.3).
const LOCAL_BYTES = 30;
const LOCAL_SIGNATURE = 0x04034b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
/** The longest descriptor: signature, CRC-32, and two sizes of 64 bits. */
const DESCRIPTOR_BYTES = 24;
/** The bit of the flags: the checksum and the sizes are in a descriptor after the data. */
const HAS_DESCRIPTOR = 8;
/** The extra field for sizes in 64 bits. */
const WIDE_SIZES = 1;
// Members up to this size are unpacked in one call: a stream for each would cost more than the work
// itself.
const SMALL_BYTES = 512 * 1024;
const PIECE_BYTES = 256 * 1024;
/** How much is read and written before other work (a signal, a timer) has its turn. */
const YIELD_AFTER_BYTES = 4 * 1024 * 1024;

/** Checks every member first, then unpacks them in the order in which they are in the file. */
export async function readZip(reading: ArchiveReading): Promise<void> {
  const { source, admission, sink, signal } = reading;
  const directory = findDirectory(source);
  const members = await readMembers(reading, directory);
  members.sort((a, b) => a.headerAt - b.headerAt);
  let unpackedBytes = 0;
  for (const member of members) {
    member.path = admission.admit(member);
    unpackedBytes += member.sizeBytes;
  }
  checkRatio(unpackedBytes, source.sizeBytes, admission.limits);
  // yauzl reads the directory alone; other programs read the local headers too.
  for (const member of members) member.dataAt = checkLocalHeader(source, member);
  checkTiling(source, members, directory.at);
  let sinceYield = 0;
  for (const member of members) {
    signal.throwIfAborted();
    // With the header, so that many empty files count too.
    sinceYield += member.packedBytes + member.sizeBytes + LOCAL_BYTES;
    // The root folder.
    if (member.path === undefined) continue;
    if (member.kind === 'directory') sink.directory(member.path);
    else await unpack(reading, member, member.path);
    if (sinceYield < YIELD_AFTER_BYTES) continue;
    sinceYield = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * Checks the local header of a member, which yauzl skips and other programs read, against the
 * directory. Gives where the member's data begins.
 */
function checkLocalHeader(source: ArchiveSource, member: ZipMember): number {
  const head = source.readAt(member.headerAt, LOCAL_BYTES + member.rawName.length);
  const isWhole = head.length === LOCAL_BYTES + member.rawName.length;
  if (!isWhole || head.readUInt32LE(0) !== LOCAL_SIGNATURE)
    throw unsafe('its directory leads to no file', member.name);
  const nameLength = head.readUInt16LE(26);
  const localName = head.toString('latin1', LOCAL_BYTES, LOCAL_BYTES + nameLength);
  if (localName.length !== nameLength || localName !== member.rawName)
    throw unsafe('it has two names', member.name);
  if (head.readUInt16LE(6) !== member.flags || head.readUInt16LE(8) !== member.method)
    throw unsafe('it is described in two ways', member.name);
  const extraAt = member.headerAt + LOCAL_BYTES + nameLength;
  const extra = source.readAt(extraAt, head.readUInt16LE(28));
  const fields = readExtraFields(extra, member.name);
  checkLocalSizes(head, fields, member);
  checkUnicodeNames(fields, member.name, member.rawName);
  return extraAt + extra.length;
}

/** Sizes and checksum must be the same in the local header as in the directory. */
function checkLocalSizes(head: Buffer, fields: readonly ExtraField[], member: ZipMember): void {
  // If a descriptor follows the data, the header may have 0 for sizes and checksum.
  const mayBeZero = (member.flags & HAS_DESCRIPTOR) !== 0;
  const fits = (local: number, listed: number) => local === listed || (local === 0 && mayBeZero);
  const { size, packed } = readLocalSizes(head, fields, member.name);
  const agrees =
    fits(head.readUInt32LE(14), member.crc32) &&
    fits(size, member.sizeBytes) &&
    fits(packed, member.packedBytes);
  if (!agrees) throw unsafe('it is described in two ways', member.name);
}

/**
 * The sizes of a local header. 0xffffffff points to a 64-bit field, which has both sizes
 * (APPNOTE.TXT 6.3, section 4.5.3). Some programs read such a field even if nothing points to it:
 * then it has to say the same.
 */
function readLocalSizes(
  head: Buffer,
  fields: readonly ExtraField[],
  name: string,
): { size: number; packed: number } {
  const narrow = { packed: head.readUInt32LE(18), size: head.readUInt32LE(22) };
  const [wide, second] = fields.filter((field) => field.id === WIDE_SIZES);
  if (second !== undefined) throw unsafe('it is described in two ways', name);
  if (wide === undefined) return narrow;
  // Two numbers of eight bytes.
  if (wide.data.length < 16) throw unsafe('an extra field in it is malformed', name);
  const size = Number(wide.data.readBigUInt64LE(0));
  const packed = Number(wide.data.readBigUInt64LE(8));
  if (!agreesWith(narrow.size, size) || !agreesWith(narrow.packed, packed))
    throw unsafe('it is described in two ways', name);
  return { size, packed };
}

// Members must follow one another, from the first byte to the directory: no overlap, no gap, no
// shared data.
function checkTiling(
  source: ArchiveSource,
  members: readonly ZipMember[],
  directoryAt: number,
): void {
  let expected = 0;
  for (const [index, member] of members.entries()) {
    if (member.headerAt < expected) throw unsafe('two files share the same data', member.name);
    if (member.headerAt > expected) throw unsafe('something is between its files', member.name);
    const dataEnd = member.dataAt + member.packedBytes;
    if (dataEnd > source.sizeBytes) throw damaged('a file in it is cut off');
    // The directory follows the last member.
    const next = members[index + 1]?.headerAt ?? directoryAt;
    expected = dataEnd + descriptorLength(source, member, next);
  }
  if (expected !== directoryAt) throw unsafe('something is between its files and its directory');
}

/**
 * The length of the descriptor after a member's data; 0 if it has none. It may begin with a
 * signature. Its sizes have 32 or 64 bits: if both fit, as for an empty file, `next` decides, where
 * the next member or the directory begins.
 */
function descriptorLength(source: ArchiveSource, member: ZipMember, next: number): number {
  if ((member.flags & HAS_DESCRIPTOR) === 0) return 0;
  const at = member.dataAt + member.packedBytes;
  const data = source.readAt(at, DESCRIPTOR_BYTES);
  const hasSignature = data.length >= 4 && data.readUInt32LE(0) === DESCRIPTOR_SIGNATURE;
  // A program that reads from a pipe finds the end of a stored file by the signature alone.
  if (!hasSignature && member.method === STORED)
    throw unsafe('a stored file has no visible end', member.name);
  const start = hasSignature ? 4 : 0;
  // Of the descriptor: CRC-32 and two sizes.
  const narrowLength = start + 12;
  const wideLength = start + 20;
  const hasChecksum = (length: number) =>
    data.length >= length && data.readUInt32LE(start) === member.crc32;
  const isNarrow =
    hasChecksum(narrowLength) &&
    data.readUInt32LE(start + 4) === member.packedBytes &&
    data.readUInt32LE(start + 8) === member.sizeBytes;
  const isWide =
    hasChecksum(wideLength) &&
    data.readBigUInt64LE(start + 4) === BigInt(member.packedBytes) &&
    data.readBigUInt64LE(start + 12) === BigInt(member.sizeBytes);
  const endsAsWide = next === at + wideLength;
  if (isWide && (!isNarrow || endsAsWide)) return wideLength;
  if (isNarrow) return narrowLength;
  throw unsafe('it is described in two ways', member.name);
}

/** Writes one file to the sink, and checks that it has the length and the checksum it should. */
async function unpack(reading: ArchiveReading, member: ZipMember, path: string): Promise<void> {
  const sink = reading.sink;
  let size = 0;
  let checksum = 0;
  // A program that reads from a pipe takes the first descriptor signature for the end of a stored
  // file.
  const mayEndEarly = member.method === STORED && (member.flags & HAS_DESCRIPTOR) !== 0;
  const descriptors = new DescriptorSearch();
  sink.begin(path);
  // Below, the piece with the last byte ends the file: an empty file has no such piece.
  if (member.sizeBytes === 0) sink.appendLast(Buffer.alloc(0));
  for await (const piece of contentOf(reading.source, member)) {
    reading.signal.throwIfAborted();
    size += piece.length;
    if (size > member.sizeBytes) throw damaged('a file in it is longer than it says');
    checksum = crc32(piece, checksum);
    if (mayEndEarly && descriptors.finds(piece))
      throw unsafe('a stored file seems to end before its end', member.name);
    // An empty piece behind the last byte must not end the file once more.
    if (piece.length === 0) continue;
    if (size < member.sizeBytes) sink.append(piece);
    else sink.appendLast(piece);
  }
  if (size !== member.sizeBytes) throw damaged('a file in it is shorter than it says');
  if (checksum !== member.crc32) throw damaged('the CRC-32 of a file in it is wrong');
}

const DESCRIPTOR_MARK = Buffer.from('PK\x07\x08', 'latin1');

/** Looks for the signature of a descriptor in pieces, also where two pieces meet. */
class DescriptorSearch {
  #lastBytes: Buffer = Buffer.alloc(0);

  finds(piece: Buffer): boolean {
    const bytes = Buffer.concat([this.#lastBytes, piece]);
    // As many as may begin a signature that ends in the next piece.
    this.#lastBytes = bytes.subarray(-(DESCRIPTOR_MARK.length - 1));
    return bytes.includes(DESCRIPTOR_MARK);
  }
}

/** The unpacked data of a member. */
function contentOf(
  source: ArchiveSource,
  member: ZipMember,
): AsyncIterable<Buffer> | readonly Buffer[] {
  const isSmall = member.packedBytes <= SMALL_BYTES && member.sizeBytes <= SMALL_BYTES;
  if (!isSmall) {
    const pieces = readPieces(source, member);
    if (member.method === STORED) return pieces;
    return inflateStream(pieces, member.packedBytes);
  }
  const packed = source.readAt(member.dataAt, member.packedBytes);
  if (member.method === STORED) return [packed];
  return [inflateWhole(packed, member.sizeBytes)];
}

// With the option `info`, zlib also returns the engine, which knows how many bytes of the input it
// used. The types do not include that.
const inflated = z.object({
  buffer: z.instanceof(Buffer),
  engine: z.object({ bytesWritten: z.number() }),
});

function inflateWhole(packed: Buffer, sizeBytes: number): Buffer {
  try {
    // One byte more than promised is enough to see that the promise is broken.
    const options = { info: true, maxOutputLength: sizeBytes + 1 };
    const whole = inflated.parse(inflateRawSync(packed, options));
    if (whole.engine.bytesWritten === packed.length) return whole.buffer;
  } catch (cause) {
    throw damaged('a file in it does not unpack', cause);
  }
  throw damaged('something follows the data of a file in it');
}

async function* readPieces(source: ArchiveSource, member: ZipMember): AsyncGenerator<Buffer> {
  for (let done = 0; done < member.packedBytes; ) {
    const length = Math.min(PIECE_BYTES, member.packedBytes - done);
    const piece = source.readAt(member.dataAt + done, length);
    if (piece.length === 0) throw damaged('a file in it is cut off');
    done += piece.length;
    yield piece;
    // Lets other work have its turn.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function* inflateStream(
  packed: AsyncIterable<Buffer>,
  packedBytes: number,
): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES });
  // A failure of either comes out of `inflate`, so that the callback need not do anything.
  pipeline(Readable.from(packed), inflate, () => {});
  try {
    yield* piecesOf(inflate);
  } catch (cause) {
    // Of `readPieces`: the archive ends within the data.
    if (cause instanceof CourierError) throw cause;
    throw damaged('a file in it does not unpack', cause);
  }
  if (inflate.bytesWritten !== packedBytes)
    throw damaged('something follows the data of a file in it');
}
