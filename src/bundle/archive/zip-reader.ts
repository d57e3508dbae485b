import { Buffer } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { CourierError } from '../../errors.ts';
import type { Admission } from './admission.ts';
import { damaged, unsafe } from './errors.ts';
import type { ArchiveLimits } from './limits.ts';
import { piecesOf } from './pieces.ts';
import type { EntrySink } from './sink.ts';
import { type ByteSource, readZipDirectory, type ZipMember } from './zip-directory.ts';

const LOCAL_BYTES = 30;
const LOCAL_SIGNATURE = 0x04034b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const HAS_DESCRIPTOR = 8;
// Members up to this size are unpacked in one call: a stream for each would cost more than the work itself.
const SMALL_BYTES = 512 * 1024;
const PIECE_BYTES = 256 * 1024;
const YIELD_AFTER_BYTES = 4 * 1024 * 1024;

interface ZipReaderInit {
  readonly source: ByteSource;
  readonly admission: Pick<Admission, 'admit'>;
  readonly sink: EntrySink;
  readonly limits: ArchiveLimits;
  /** Called between members: throws when the run is cancelled. */
  readonly checkpoint: () => void;
}

/** Checks every member first, then unpacks them in the order in which they are in the file. */
export async function readZip({ source, admission, sink, limits, checkpoint }: ZipReaderInit): Promise<void> {
  const members = await readZipDirectory(source, limits);
  const paths = new Map(members.map((member) => [member, admission.admit(member)]));
  members.sort((a, b) => a.headerAt - b.headerAt);
  const places = members.map((member) => checkLocalHeader(source, member));
  checkTiling(source, members, places);
  let sinceYield = 0;
  for (const [index, member] of members.entries()) {
    checkpoint();
    const path = paths.get(member);
    sinceYield += member.packedBytes + member.sizeBytes + LOCAL_BYTES;
    if (path === undefined) continue;
    if (member.kind === 'directory') sink.directory(path);
    else await unpack({ source, member, sink, path, dataAt: places[index] ?? 0 });
    if (sinceYield < YIELD_AFTER_BYTES) continue;
    sinceYield = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * Where the member's data begins. yauzl reads past the local header, and other programs read it rather than the directory:
 * both must say the same, or one archive has two contents.
 */
function checkLocalHeader(source: ByteSource, member: ZipMember): number {
  const head = source.readAt(member.headerAt, LOCAL_BYTES + member.rawName.length);
  if (head.length < LOCAL_BYTES + member.rawName.length || head.readUInt32LE(0) !== LOCAL_SIGNATURE) {
    throw unsafe('its directory leads to no file', member.name);
  }
  const nameLength = head.readUInt16LE(26);
  const localName = head.toString('latin1', LOCAL_BYTES, LOCAL_BYTES + nameLength);
  if (nameLength !== member.rawName.length || localName !== member.rawName)
    throw unsafe('it has two names', member.name);
  if (head.readUInt16LE(6) !== member.flags || head.readUInt16LE(8) !== member.method) {
    throw unsafe('it is described in two ways', member.name);
  }
  checkLocalSizes(head, member);
  return member.headerAt + LOCAL_BYTES + nameLength + head.readUInt16LE(28);
}

function checkLocalSizes(head: Buffer, member: ZipMember): void {
  const local = [head.readUInt32LE(14), head.readUInt32LE(18), head.readUInt32LE(22)];
  const central = [member.crc32, member.packedBytes, member.sizeBytes];
  // With a descriptor behind the data the header may leave them empty; 0xffffffff points to a 64-bit field.
  const agrees = local.every(
    (value, index) =>
      value === central[index] || (value === 0 && member.flags & HAS_DESCRIPTOR) || (index > 0 && value === 0xffffffff),
  );
  if (!agrees) throw unsafe('it is described in two ways', member.name);
  if (member.kind === 'directory' && member.sizeBytes !== 0) throw unsafe('a folder has content', member.name);
}

// Members must follow one another, from the first byte to the directory: no overlap, no gap, no shared data.
function checkTiling(source: ByteSource, members: readonly ZipMember[], places: readonly number[]): void {
  let expected = 0;
  for (const [index, member] of members.entries()) {
    if (member.headerAt !== expected) {
      throw unsafe(
        member.headerAt < expected ? 'two files share the same data' : 'something is between its files',
        member.name,
      );
    }
    const dataEnd = (places[index] ?? 0) + member.packedBytes;
    expected = dataEnd + descriptorLength(source, member, dataEnd);
    if (dataEnd > source.sizeBytes) throw damaged('a file in it is cut off');
  }
  const next = source.readAt(expected, 4);
  const signature = next.length === 4 ? next.readUInt32LE(0) : 0;
  const isDirectory =
    signature === 0x02014b50 || (members.length === 0 && (signature === 0x06054b50 || signature === 0x06064b50));
  if (!isDirectory) throw unsafe('something is between its files and its directory');
}

function descriptorLength(source: ByteSource, member: ZipMember, at: number): number {
  if ((member.flags & HAS_DESCRIPTOR) === 0) return 0;
  const data = source.readAt(at, 24);
  const start = data.length >= 4 && data.readUInt32LE(0) === DESCRIPTOR_SIGNATURE ? 4 : 0;
  const fits = (end: number) => data.length >= end && data.readUInt32LE(start) === member.crc32;
  const isNarrow =
    fits(start + 12) &&
    data.readUInt32LE(start + 4) === member.packedBytes &&
    data.readUInt32LE(start + 8) === member.sizeBytes;
  if (isNarrow) return start + 12;
  const isWide =
    fits(start + 20) &&
    data.readBigUInt64LE(start + 4) === BigInt(member.packedBytes) &&
    data.readBigUInt64LE(start + 12) === BigInt(member.sizeBytes);
  if (isWide) return start + 20;
  throw unsafe('it is described in two ways', member.name);
}

interface Unpacking {
  readonly source: ByteSource;
  readonly member: ZipMember;
  readonly sink: EntrySink;
  readonly path: string;
  readonly dataAt: number;
}

async function unpack(unpacking: Unpacking): Promise<void> {
  const { member } = unpacking;
  if (member.packedBytes <= SMALL_BYTES && member.sizeBytes <= SMALL_BYTES) unpackSmall(unpacking);
  else await unpackLarge(unpacking);
}

function unpackSmall({ source, member, sink, path, dataAt }: Unpacking): void {
  const packed = source.readAt(dataAt, member.packedBytes);
  const content = member.method === 0 ? packed : inflateWhole(packed, member);
  if (content.length !== member.sizeBytes) throw damaged('a file in it is not as long as it says');
  if (crc32(content) !== member.crc32) throw damaged('the CRC-32 of a file in it is wrong');
  sink.file(path, content);
}

function inflateWhole(packed: Buffer, member: ZipMember): Buffer {
  try {
    // One byte more than promised is enough to see that the promise is broken.
    const result: unknown = inflateRawSync(packed, { info: true, maxOutputLength: member.sizeBytes + 1 });
    return checkInflated(result, packed.length);
  } catch (cause) {
    throw cause instanceof CourierError ? cause : damaged('a file in it does not unpack', cause);
  }
}

// With `info` zlib returns the engine too, which knows how much of the input it used. The types do not know of it.
function checkInflated(result: unknown, packedBytes: number): Buffer {
  if (typeof result !== 'object' || result === null || !('buffer' in result) || !('engine' in result)) {
    throw new Error('zlib gave no engine');
  }
  const { buffer, engine } = result;
  const used = typeof engine === 'object' && engine !== null && 'bytesWritten' in engine ? engine.bytesWritten : -1;
  if (used !== packedBytes) throw damaged('something follows the data of a file in it');
  if (!Buffer.isBuffer(buffer)) throw new Error('zlib gave no buffer');
  return buffer;
}

async function unpackLarge({ source, member, sink, path, dataAt }: Unpacking): Promise<void> {
  let size = 0;
  let checksum = 0;
  sink.begin(path);
  const packed = readPieces(source, { at: dataAt, length: member.packedBytes });
  for await (const piece of member.method === 0 ? packed : inflateStream(packed, member.packedBytes)) {
    size += piece.length;
    if (size > member.sizeBytes) throw damaged('a file in it is longer than it says');
    checksum = crc32(piece, checksum);
    sink.append(piece);
  }
  if (size !== member.sizeBytes) throw damaged('a file in it is shorter than it says');
  if (checksum !== member.crc32) throw damaged('the CRC-32 of a file in it is wrong');
  sink.finish();
}

async function* readPieces(source: ByteSource, { at, length }: { at: number; length: number }): AsyncGenerator<Buffer> {
  for (let done = 0; done < length; ) {
    const piece = source.readAt(at + done, Math.min(PIECE_BYTES, length - done));
    if (piece.length === 0) throw damaged('a file in it is cut off');
    done += piece.length;
    yield piece;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function* inflateStream(packed: AsyncIterable<Buffer>, packedBytes: number): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES });
  pipeline(Readable.from(packed), inflate, () => {});
  try {
    yield* piecesOf(inflate);
  } catch (cause) {
    throw cause instanceof CourierError ? cause : damaged('a file in it does not unpack', cause);
  }
  if (inflate.bytesWritten !== packedBytes) throw damaged('something follows the data of a file in it');
}
