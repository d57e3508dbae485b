import type { Buffer } from 'node:buffer';
import type { Entry, RandomAccessReader } from 'yauzl';
import { cancelled } from '../../ground/clock.ts';
import { CourierError } from '../../ground/errors.ts';
import { damaged, PACK_FILES, unsafe } from './admission.ts';
import type { ArchiveReading, ArchiveSource } from './sink.ts';

/** The bit of the flags: the name is UTF-8. */
const IS_UTF8 = 0x800;
/** Seen of zip 3.0, whatever LANG and its option -UN say. */
const NOT_MARKED =
  'a name is not marked as UTF-8; 7z marks names, and zip only where the locale en_US.UTF-8 is installed';
/** The two methods of compression that are read. */
export const STORED = 0;
const DEFLATED = 8;
/** The extra field for a name in UTF-8, after its version and a CRC-32. */
const UNICODE_NAME = 0x7075;
const UNICODE_NAME_HEAD = 5;
/** In a field for 32 bits: the number is in the field for 64 bits. */
const IN_WIDE_FIELD = 0xffffffff;

/**
 * One member as the central directory has it; checked against its local header before anything is
 * read.
 */
export interface ZipMember {
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
export async function readMembers(
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
  if ((flags & IS_UTF8) === 0 && /[^\x00-\x7f]/.test(rawName)) throw unsafe(NOT_MARKED, name);
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
  throw unsafe('it is a link, or something else that is neither file nor folder', name, PACK_FILES);
}

/** Finds the directory by the end record, and by the 64-bit end record if there is one. */
export function findDirectory(source: ArchiveSource): DirectoryPlace {
  const end = findEnd(source);
  const record = end.record;
  const place = {
    entries: record.readUInt16LE(10),
    length: record.readUInt32LE(12),
    at: record.readUInt32LE(16),
  };
  const wide = readWideEnd(source, end.at);
  // 0xffff means that the number is only in the other record.
  const isZero = (disk: number) => disk === 0 || (disk === 0xffff && wide !== undefined);
  const isWhole = isZero(record.readUInt16LE(4)) && isZero(record.readUInt16LE(6));
  if (!isWhole || record.readUInt16LE(8) !== place.entries) throw unsafe('it spans several disks');
  if (wide === undefined) {
    if (place.at + place.length === end.at) return place;
    throw unsafe('something is next to its directory');
  }
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

export interface ExtraField {
  readonly id: number;
  readonly data: Buffer;
}

/**
 * APPNOTE.TXT 6.3, section 4.5.1. Bytes after the last field are refused: not every program reads
 * them.
 */
export function readExtraFields(extra: Buffer, name: string): ExtraField[] {
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
export function checkUnicodeNames(
  fields: readonly ExtraField[],
  name: string,
  rawName: string,
): void {
  for (const field of fields) {
    if (field.id !== UNICODE_NAME) continue;
    if (field.data.toString('latin1', UNICODE_NAME_HEAD) !== rawName)
      throw unsafe('it has two names', name);
  }
}

/** True if a 32-bit number is the 64-bit number, or refers to it. */
export function agreesWith(narrow: number, wide: number): boolean {
  return narrow === IN_WIDE_FIELD || narrow === wide;
}
