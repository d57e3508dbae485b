import { Buffer } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import type { Entry, RandomAccessReader } from 'yauzl';
import * as z from 'zod/mini';
import { cancelled } from '../../clock.ts';
import { CourierError } from '../../errors.ts';
import { checkRatio, damaged, unsafe } from './admission.ts';
import { piecesOf } from './gzip.ts';
import type { ArchiveReading, ArchiveSource } from './sink.ts';

// A zip has its members, each after a local header, and then a directory of them with most of that
// again. Whatever can be read in two ways is refused. The numbers in calls such as
// `readUInt16LE(26)` are the places of fields (APPNOTE.TXT 6.3, section 4.3).
const LOCAL_BYTES = 30;
const LOCAL_SIGNATURE = 0x04034b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
/** The longest descriptor: signature, CRC-32, and two sizes of 64 bits. */
const DESCRIPTOR_BYTES = 24;
/** Bits of the flags: the checksum and the sizes are in a descriptor after the data; UTF-8. */
const HAS_DESCRIPTOR = 8;
const IS_UTF8 = 0x800;
/** The two methods of compression that are read. */
const STORED = 0;
const DEFLATED = 8;
/** Extra fields: sizes in 64 bits, and a name in UTF-8 after its version and a CRC-32. */
const WIDE_SIZES = 1;
const UNICODE_NAME = 0x7075;
const UNICODE_NAME_HEAD = 5;
/** In a field for 32 bits: the number is in the field for 64 bits. */
const IN_WIDE_FIELD = 0xffffffff;
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

interface ExtraField {
  readonly id: number;
  readonly data: Buffer;
}

/**
 * APPNOTE.TXT 6.3, section 4.5.1. Bytes after the last field are refused: not every program reads
 * them.
 */
function readExtraFields(extra: Buffer, name: string): ExtraField[] {
  const fields: ExtraField[] = [];
  for (let at = 0; at < extra.length; ) {
    const start = at + 4;
    // Without room for its head, the field has no length.
    const end = start > extra.length ? Infinity : start + extra.readUInt16LE(at + 2);
    if (end > extra.length) throw unsafe('an extra field in it is malformed', name);
    fields.push({ id: extra.readUInt16LE(at), data: extra.subarray(start, end) });
    at = end;
  }
  return fields;
}

/**
 * A field with a second name must have the same name, since only some programs use it (APPNOTE.TXT
 * 6.3, section 4.6.9).
 */
function checkUnicodeNames(fields: readonly ExtraField[], name: string, rawName: string): void {
  for (const field of fields) {
    if (field.id !== UNICODE_NAME) continue;
    if (field.data.toString('latin1', UNICODE_NAME_HEAD) !== rawName)
      throw unsafe('it has two names', name);
  }
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

/** True if a 32-bit number is the 64-bit number, or refers to it. */
function agreesWith(narrow: number, wide: number): boolean {
  return narrow === IN_WIDE_FIELD || narrow === wide;
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

/**
 * One member as the central directory has it; checked against its local header before anything is
 * read.
 */
interface ZipMember {
  readonly name: string;
  /** The bytes of the name, one character each. */
  readonly rawName: string;
  readonly kind: 'file' | 'directory';
  readonly method: number;
  readonly flags: number;
  readonly crc32: number;
  readonly packedBytes: number;
  readonly sizeBytes: number;
  readonly headerAt: number;
  /** Where it is written to; undefined until it is admitted, and for the root folder. */
  path: string | undefined;
  /** Where its data begins; 0 until its local header was checked. */
  dataAt: number;
}

/** Where the central directory is, and how many members it has, as an end record says. */
interface DirectoryPlace {
  readonly at: number;
  readonly length: number;
  readonly entries: number;
}

/** A member in the directory, without its name, extra fields and comment. */
const ENTRY_BYTES = 46;

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
// For sizes in 64 bits there is a second end record before the first, and between the two a
// locator, which says where the second one is.
const END64_SIGNATURE = 0x06064b50;
const END64_BYTES = 56;
const LOCATOR_SIGNATURE = 0x07064b50;
const LOCATOR_BYTES = 20;
const LONGEST_COMMENT = 0xffff;
// The version that has sizes in 64 bits (APPNOTE.TXT 6.3, section 4.4.3). Later versions are for
// methods that are not used here; unzip refuses them.
const LATEST_VERSION = 45;
const KINDS = { mask: 0o170000, file: 0o100000, directory: 0o040000 } as const;
const FLAG = { encrypted: 1, patched: 0x20, strong: 0x40, masked: 0x2000 } as const;

/**
 * Reads the central directory with yauzl, after checking that there is one end record only, that it
 * is at the very end, and that the directory is right before it. yauzl takes the last end record
 * that it finds; a file that is a zip in two ways is two archives to two programs.
 */
async function readMembers(
  reading: ArchiveReading,
  directory: DirectoryPlace,
): Promise<ZipMember[]> {
  const { source, admission, signal } = reading;
  const maxEntries = admission.limits.entries;
  if (directory.entries > maxEntries) throw unsafe(`it contains more than ${maxEntries} entries`);
  const yauzl = await import('yauzl');
  // Of all that yauzl can do only its reader of directory entries is used: names are judged by our
  // own policy.
  const reader = createReader(yauzl, source);
  const zip = await yauzl.fromRandomAccessReaderPromise(reader, source.sizeBytes, {
    autoClose: false,
    decodeStrings: false,
  });
  const members: ZipMember[] = [];
  let lengthSeen = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      // A CourierError, which passes through the catch below.
      if (signal.aborted) throw cancelled(signal.reason);
      lengthSeen += ENTRY_BYTES + entry.fileNameLength;
      lengthSeen += entry.extraFieldLength + entry.fileCommentLength;
      const flags = entry.generalPurposeBitFlag;
      // `true`: a backslash stays one, and is refused later.
      const name = yauzl.getFileNameLowLevel(flags, entry.fileNameRaw, entry.extraFields, true);
      members.push(toMember(entry, name));
    }
  } catch (error) {
    // Every other error is one of yauzl, about the format.
    if (error instanceof CourierError) throw error;
    throw unsafe('its directory is malformed');
  }
  if (members.length !== directory.entries || lengthSeen !== directory.length)
    throw unsafe('its directory is not as long as it says');
  return members;
}

/** Lets yauzl read from `source` instead of a file. A class, because yauzl demands one. */
function createReader(yauzl: typeof import('yauzl'), source: ArchiveSource): RandomAccessReader {
  class SourceReader extends yauzl.RandomAccessReader {
    override read(...args: Parameters<RandomAccessReader['read']>): void {
      const [buffer, offset, length, position, callback] = args;
      const piece = source.readAt(position, length);
      piece.copy(buffer, offset);
      const isCut = piece.length < length;
      // Not at once: the directory of a large archive would be read in one turn, and nothing else
      // would run.
      setImmediate(() => callback(isCut ? new Error('the directory is cut off') : null));
    }
  }
  return new SourceReader();
}

/** Throws for a member that is anything but a plain file or folder. */
function toMember(entry: Entry, name: string): ZipMember {
  const flags = entry.generalPurposeBitFlag;
  const method = entry.compressionMethod;
  if (flags & (FLAG.encrypted | FLAG.strong | FLAG.masked)) throw unsafe('it is encrypted', name);
  if (flags & FLAG.patched) throw unsafe('it is a patch', name);
  if (method !== STORED && method !== DEFLATED)
    throw unsafe(`it is compressed in a way (${method}) that is not supported`, name);
  // The upper half names the system that the archive was made on.
  if ((entry.versionNeededToExtract & 0xff) > LATEST_VERSION)
    throw unsafe('it needs a program that does not exist', name);
  const rawName = entry.fileNameRaw.toString('latin1');
  // In the code page of such names these bytes are signs to some programs and control characters to
  // others.
  if (/[\x00-\x1f\x7f]/.test(rawName)) throw unsafe('the name contains a control character', name);
  // Programs take such a name for UTF-8, for the code page of DOS, or for that of the reader's
  // machine.
  if ((flags & IS_UTF8) === 0 && /[^\x00-\x7f]/.test(rawName))
    throw unsafe('a name is not marked as UTF-8', name);
  checkUnicodeNames(entry.extraFields, name, rawName);
  return {
    name,
    // One text if they are equal, as they are for nearly every name.
    rawName: rawName === name ? name : rawName,
    kind: kindOf(name, (entry.externalFileAttributes >>> 16) & KINDS.mask),
    method,
    flags,
    crc32: entry.crc32,
    packedBytes: entry.compressedSize,
    sizeBytes: entry.uncompressedSize,
    headerAt: entry.relativeOffsetOfLocalHeader,
    path: undefined,
    dataAt: 0,
  };
}

// Unix keeps the kind in the upper half of the attributes; other systems leave it empty. The name
// of a folder ends in a slash.
function kindOf(name: string, unixKind: number): 'file' | 'directory' {
  const nameKind = name.endsWith('/') ? 'directory' : 'file';
  if (unixKind === 0 || unixKind === KINDS[nameKind]) return nameKind;
  if (unixKind === KINDS.directory || unixKind === KINDS.file)
    throw unsafe('it is both a file and a folder', name);
  throw unsafe('it is a link, or something else that is neither file nor folder', name);
}

/** Finds the directory by the end record, and by the 64-bit end record if there is one. */
function findDirectory(source: ArchiveSource): DirectoryPlace {
  const end = findEnd(source);
  const record = end.record;
  const place = {
    entries: record.readUInt16LE(10),
    length: record.readUInt32LE(12),
    at: record.readUInt32LE(16),
  };
  const isSplit = record.readUInt16LE(4) !== 0 || record.readUInt16LE(6) !== 0;
  if (isSplit || record.readUInt16LE(8) !== place.entries) throw unsafe('it spans several disks');
  const wide = readWideEnd(source, end.at);
  if (wide === undefined) {
    if (place.at + place.length === end.at) return place;
    throw unsafe('something is next to its directory');
  }
  // 0xffff means that the number is only in the other record.
  const agrees =
    (place.entries === 0xffff || place.entries === wide.entries) &&
    agreesWith(place.length, wide.length) &&
    agreesWith(place.at, wide.at);
  if (!agrees) throw unsafe('its two end records disagree');
  return wide;
}

/** The end record, which must be the last thing in the file, with its comment. */
function findEnd(source: ArchiveSource): { record: Buffer; at: number } {
  const length = Math.min(source.sizeBytes, END_BYTES + LONGEST_COMMENT);
  const tail = source.readAt(source.sizeBytes - length, length);
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END_SIGNATURE) continue;
    // The length of the comment is in the last two bytes of the record.
    const comment = tail.subarray(at + END_BYTES);
    if (tail.readUInt16LE(at + 20) !== comment.length) throw unsafe('something follows its end');
    if (comment.includes('PK')) throw unsafe('its comment looks like another archive');
    return { record: tail.subarray(at, at + END_BYTES), at: source.sizeBytes - tail.length + at };
  }
  throw damaged('the end of the zip is missing');
}

/** The directory by the 64-bit end record; undefined if there is none. */
function readWideEnd(source: ArchiveSource, endAt: number): DirectoryPlace | undefined {
  const recordAt = endAt - LOCATOR_BYTES - END64_BYTES;
  // There is no room for it.
  if (recordAt < 0) return undefined;
  const locator = source.readAt(endAt - LOCATOR_BYTES, LOCATOR_BYTES);
  if (locator.readUInt32LE(0) !== LOCATOR_SIGNATURE) return undefined;
  const record = source.readAt(recordAt, END64_BYTES);
  // It gives its own length, without the signature and this number.
  const isRecord =
    record.readUInt32LE(0) === END64_SIGNATURE &&
    record.readBigUInt64LE(4) === BigInt(END64_BYTES - 12);
  if (!isRecord || Number(locator.readBigUInt64LE(8)) !== recordAt)
    throw unsafe('its large end record is misplaced');
  const disks = [record.readUInt32LE(16), record.readUInt32LE(20), locator.readUInt32LE(4)];
  if (disks.some((disk) => disk !== 0)) throw unsafe('it spans several disks');
  const place = {
    entries: Number(record.readBigUInt64LE(32)),
    length: Number(record.readBigUInt64LE(40)),
    at: Number(record.readBigUInt64LE(48)),
  };
  if (place.at + place.length !== recordAt) throw unsafe('something is next to its directory');
  if (Number(record.readBigUInt64LE(24)) !== place.entries) throw unsafe('it spans several disks');
  return place;
}
