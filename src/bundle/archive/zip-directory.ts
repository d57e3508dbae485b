import type { Buffer } from 'node:buffer';
import type { Entry, RandomAccessReader } from 'yauzl';
import { CourierError } from '../../errors.ts';
import { damaged, unsafe } from './errors.ts';
import type { ArchiveLimits } from './limits.ts';

/** Bytes of the archive by position. */
export interface ByteSource {
  readonly sizeBytes: number;
  readAt(position: number, length: number): Buffer;
}

/** One member as the central directory has it; checked against its local header before anything is read. */
export interface ZipMember {
  readonly name: string;
  readonly rawName: string;
  readonly kind: 'file' | 'directory';
  readonly method: number;
  readonly flags: number;
  readonly crc32: number;
  readonly packedBytes: number;
  readonly sizeBytes: number;
  readonly headerAt: number;
}

interface DirectoryPlace {
  readonly at: number;
  readonly length: number;
  readonly entries: number;
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const END64_BYTES = 56;
const LOCATOR_BYTES = 20;
const LONGEST_COMMENT = 0xffff;
// Of the format (APPNOTE.TXT 6.3, section 4.4.3): others refuse what says that it needs a later one.
const LATEST_VERSION = 63;
const KINDS = { mask: 0o170000, file: 0o100000, directory: 0o040000 } as const;
const FLAG = { encrypted: 1, patched: 0x20, strong: 0x40, masked: 0x2000 } as const;

/**
 * Reads the central directory with yauzl, after checking that there is one end record only, that it is at the very end, and
 * that the directory is right before it. yauzl takes the last end record that it finds; a file that is a zip in two ways is
 * two archives to two programs.
 */
export async function readZipDirectory(source: ByteSource, limits: ArchiveLimits): Promise<ZipMember[]> {
  const place = findDirectory(source);
  if (place.entries > limits.entries) throw unsafe(`it holds more than ${limits.entries} entries`);
  const yauzl = await import('yauzl');
  // Of all that yauzl can do only its reader of directory entries is used: names are judged by our own policy.
  const zip = await yauzl.fromRandomAccessReaderPromise(createReader(yauzl, source), source.sizeBytes, {
    autoClose: false,
    decodeStrings: false,
  });
  const members: ZipMember[] = [];
  let lengthSeen = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      lengthSeen += 46 + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      const { fileNameRaw, extraFields, generalPurposeBitFlag } = entry;
      members.push(toMember(entry, yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true)));
    }
  } catch (error) {
    throw error instanceof CourierError ? error : unsafe('its directory is malformed');
  }
  if (members.length !== place.entries || lengthSeen !== place.length)
    throw unsafe('its directory is not as long as it says');
  return members;
}

function createReader(yauzl: typeof import('yauzl'), source: ByteSource): RandomAccessReader {
  class SourceReader extends yauzl.RandomAccessReader {
    override read(...args: Parameters<RandomAccessReader['read']>): void {
      const [buffer, offset, length, position, callback] = args;
      const piece = source.readAt(position, length);
      piece.copy(buffer, offset);
      // Not at once: the directory of a large archive would be read in one turn, and nothing else would run.
      setImmediate(callback, piece.length === length ? null : new Error('the directory is cut off'));
    }
  }
  return new SourceReader();
}

function toMember(entry: Entry, name: string): ZipMember {
  const { generalPurposeBitFlag: flags, compressionMethod: method, externalFileAttributes } = entry;
  if (flags & (FLAG.encrypted | FLAG.strong | FLAG.masked)) throw unsafe('it is encrypted', name);
  if (flags & FLAG.patched) throw unsafe('it is a patch', name);
  if (method !== 0 && method !== 8) throw unsafe(`it is compressed in a way (${method}) that is not supported`, name);
  if ((entry.versionNeededToExtract & 0xff) > LATEST_VERSION)
    throw unsafe('it needs a program that does not exist', name);
  const rawName = entry.fileNameRaw.toString('latin1');
  // In the code page of such names these bytes are signs to some programs and control characters to others.
  if (/[\x00-\x1f\x7f]/.test(rawName)) throw unsafe('the name contains a control character', name);
  const hasSecondName = entry.extraFields.some(({ id }) => id === 0x7075);
  if (hasSecondName && name !== entry.fileNameRaw.toString('utf8')) throw unsafe('it has two names', name);
  return {
    name,
    rawName,
    kind: kindOf(name, (externalFileAttributes >>> 16) & KINDS.mask),
    method,
    flags,
    crc32: entry.crc32,
    packedBytes: entry.compressedSize,
    sizeBytes: entry.uncompressedSize,
    headerAt: entry.relativeOffsetOfLocalHeader,
  };
}

// Unix keeps the kind in the upper half of the attributes; other systems leave it empty.
function kindOf(name: string, kind: number): 'file' | 'directory' {
  const isFolderName = name.endsWith('/');
  if (kind !== 0 && kind !== KINDS.file && kind !== KINDS.directory) {
    throw unsafe('it is a link, or something else that is neither file nor folder', name);
  }
  if ((kind === KINDS.directory && !isFolderName) || (kind === KINDS.file && isFolderName)) {
    throw unsafe('it is both a file and a folder', name);
  }
  return isFolderName ? 'directory' : 'file';
}

function findDirectory(source: ByteSource): DirectoryPlace {
  const end = findEnd(source);
  const disks = [end.record.readUInt16LE(4), end.record.readUInt16LE(6)];
  const place = {
    entries: end.record.readUInt16LE(10),
    length: end.record.readUInt32LE(12),
    at: end.record.readUInt32LE(16),
  };
  if (disks.some((disk) => disk !== 0) || end.record.readUInt16LE(8) !== place.entries)
    throw unsafe('it spans several disks');
  const wide = readWideEnd(source, end.at);
  if (wide === undefined && place.at + place.length !== end.at) throw unsafe('something is next to its directory');
  if (wide === undefined) return place;
  const disagrees =
    (place.entries !== 0xffff && place.entries !== wide.entries) ||
    (place.length !== 0xffffffff && place.length !== wide.length) ||
    (place.at !== 0xffffffff && place.at !== wide.at);
  if (disagrees) throw unsafe('its two end records disagree');
  return wide;
}

function findEnd(source: ByteSource): { record: Buffer; at: number } {
  const length = Math.min(source.sizeBytes, END_BYTES + LONGEST_COMMENT);
  const tail = source.readAt(source.sizeBytes - length, length);
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END_SIGNATURE) continue;
    const comment = tail.subarray(at + END_BYTES);
    if (tail.readUInt16LE(at + 20) !== comment.length) throw unsafe('something follows its end');
    if (comment.includes('PK')) throw unsafe('its comment looks like another archive');
    return { record: tail.subarray(at, at + END_BYTES), at: source.sizeBytes - tail.length + at };
  }
  throw damaged('the end of the zip is missing');
}

function readWideEnd(source: ByteSource, endAt: number): DirectoryPlace | undefined {
  const locator = source.readAt(Math.max(0, endAt - LOCATOR_BYTES), LOCATOR_BYTES);
  if (endAt < LOCATOR_BYTES + END64_BYTES || locator.readUInt32LE(0) !== 0x07064b50) return undefined;
  const recordAt = endAt - LOCATOR_BYTES - END64_BYTES;
  const record = source.readAt(recordAt, END64_BYTES);
  const isRecord = record.readUInt32LE(0) === 0x06064b50 && record.readBigUInt64LE(4) === BigInt(END64_BYTES - 12);
  if (!isRecord || Number(locator.readBigUInt64LE(8)) !== recordAt) throw unsafe('its large end record is misplaced');
  if (record.readUInt32LE(16) !== 0 || record.readUInt32LE(20) !== 0 || locator.readUInt32LE(4) !== 0) {
    throw unsafe('it spans several disks');
  }
  const place = {
    entries: Number(record.readBigUInt64LE(32)),
    length: Number(record.readBigUInt64LE(40)),
    at: Number(record.readBigUInt64LE(48)),
  };
  if (place.at + place.length !== recordAt) throw unsafe('something is next to its directory');
  if (Number(record.readBigUInt64LE(24)) !== place.entries) throw unsafe('it spans several disks');
  return place;
}
