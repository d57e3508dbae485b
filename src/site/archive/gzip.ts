import { Buffer } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import { crc32, createInflateRaw, type InflateRaw } from 'node:zlib';
import { errnoOf } from '../../ground/errors.ts';
import { damaged } from './admission.ts';

// Large enough that a turn costs little compared with its work, small enough that no turn of it
// blocks for long.
const OUTPUT_PIECE_BYTES = 1024 * 1024;
const READ_AHEAD_BYTES = 4 * OUTPUT_PIECE_BYTES;
// zlib's streams take the options of every stream; the types do not say so.
const INFLATE_OPTIONS = { chunkSize: OUTPUT_PIECE_BYTES, readableHighWaterMark: READ_AHEAD_BYTES };
const LONGEST_HEADER = 128 * 1024;
/** The header without its optional fields; the CRC-32 and the length after the data. */
const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;
const FLAG = { headerChecksum: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;

/**
 * Unpacks one gzip member (RFC 1952) and nothing else: header checksum, CRC-32 and length are
 * checked, and the input must end where the member does. `createGunzip` would pass over what
 * follows a member, and read a second one. Throws `integrity`.
 */
export async function* gunzip(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw(INFLATE_OPTIONS);
  // Fed while it is read: the pool inflates the next piece while this thread writes the last one.
  const feeding = feed(source, inflate);
  // Its error then comes out of `inflate` too, and ends the loop below.
  feeding.catch((error) => inflate.destroy(error));
  let checksum = 0;
  // Modulo 2^32, as the trailer has it.
  let length = 0;
  try {
    for await (const piece of piecesOf(inflate)) {
      checksum = crc32(piece, checksum);
      length = (length + piece.length) >>> 0;
      yield piece;
    }
  } catch (error) {
    // The codes of zlib, such as Z_DATA_ERROR.
    if (errnoOf(error)?.startsWith('Z_'))
      throw damaged('its compressed data is broken or cut off', error);
    throw error;
  }
  const trailer = await feeding;
  if (trailer.readUInt32LE(0) !== checksum) throw damaged('the CRC-32 of the gzip data is wrong');
  if (trailer.readUInt32LE(4) !== length) throw damaged('the length of the gzip data is wrong');
}

// Writes the compressed data, without the header, to `inflate`. Returns the eight bytes after it.
async function feed(source: AsyncIterable<Buffer>, inflate: InflateRaw): Promise<Buffer> {
  // All that has come, until the header in it is whole.
  let head = Buffer.alloc(0);
  let isHeaderRead = false;
  // What follows the compressed data; undefined until that has ended.
  let tail: Buffer | undefined;
  for await (const chunk of source) {
    let body = chunk;
    if (!isHeaderRead) {
      head = Buffer.concat([head, chunk]);
      const end = headerEnd(head);
      if (end === undefined) continue;
      body = head.subarray(end);
      isHeaderRead = true;
    }
    if (tail === undefined) tail = await inflatePiece(inflate, body);
    else tail = Buffer.concat([tail, body]);
    if (tail !== undefined && tail.length > TRAILER_BYTES)
      throw damaged('something follows the gzip data');
  }
  if (!isHeaderRead) throw damaged('it ends within the gzip header');
  if (tail?.length !== TRAILER_BYTES) throw damaged('it ends too early');
  return tail;
}

// Returns the bytes after the end of the compressed data; undefined while it continues.
async function inflatePiece(inflate: InflateRaw, piece: Buffer): Promise<Buffer | undefined> {
  const writtenBefore = inflate.bytesWritten;
  await writePiece(inflate, piece);
  const consumed = inflate.bytesWritten - writtenBefore;
  if (consumed === piece.length) return undefined;
  // Copied, since the piece is used again.
  return Buffer.from(piece.subarray(consumed));
}

/** Resolves once the stream has taken the piece, whose memory may then be used again. */
export function writePiece(stream: Writable, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    // If the data is broken, or the stream destroyed, the write itself never ends.
    const onClose = () => reject(stream.errored);
    stream.once('close', onClose);
    stream.write(piece, (error) => {
      stream.off('close', onClose);
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Where the header ends; undefined while more of it is needed. */
function headerEnd(data: Buffer): number | undefined {
  if (data.length < HEADER_BYTES) return undefined;
  const flags = data.readUInt8(3);
  // The two bytes of every gzip, and its only method.
  const isGzip = data[0] === 0x1f && data[1] === 0x8b && data[2] === 8;
  if (!isGzip || flags & FLAG.reserved) throw damaged('its gzip header is wrong');
  const endOfFields = fieldsEnd(data, flags);
  const hasChecksum = (flags & FLAG.headerChecksum) !== 0;
  // The lower half of a CRC-32.
  const end = hasChecksum ? endOfFields + 2 : endOfFields;
  if (end > data.length) {
    if (data.length > LONGEST_HEADER) throw damaged('its gzip header does not end');
    return undefined;
  }
  if (!hasChecksum) return end;
  const checksum = crc32(data.subarray(0, endOfFields)) & 0xffff;
  if (data.readUInt16LE(endOfFields) !== checksum)
    throw damaged('the checksum of its gzip header is wrong');
  return end;
}

/**
 * Where the optional fields of the header end; Infinity if that is behind the bytes read so far.
 */
function fieldsEnd(data: Buffer, flags: number): number {
  let at = HEADER_BYTES;
  if (flags & FLAG.extra) {
    // The field begins with its length, in two bytes.
    if (data.length < at + 2) return Infinity;
    at += 2 + data.readUInt16LE(at);
  }
  // Each of these ends with a NUL.
  for (const flag of [FLAG.name, FLAG.comment]) {
    if ((flags & flag) === 0) continue;
    const end = data.indexOf(0, at);
    if (end === -1) return Infinity;
    at = end + 1;
  }
  return at;
}

// Smaller pieces share a pool with others, or are not worth the call.
const LEAST_BYTES = 16 * 1024;

/**
 * Frees the memory of a piece that was read, if it is the last one in its buffer. The garbage
 * collector looks at the size of the heap, and not of buffers outside of it: tens of megabytes of
 * pieces would wait.
 */
export function releasePiece(piece: Buffer): void {
  const { buffer, byteLength } = piece;
  const isAtEnd = byteLength > 0 && piece.byteOffset + byteLength === buffer.byteLength;
  if (!isAtEnd || buffer.byteLength < LEAST_BYTES) return;
  // Memory that is shared with another thread cannot be freed here.
  if (!(buffer instanceof ArrayBuffer)) return;
  // Node 20 cannot do it; there the collector has to.
  if (typeof buffer.transfer === 'function') buffer.transfer(0);
}

/**
 * The pieces of a stream, each good until the next is asked for. A stream's own iterator would join
 * them in one more buffer.
 */
export async function* piecesOf(stream: Readable): AsyncGenerator<Buffer> {
  const queue: Buffer[] = [];
  let end: { readonly error: unknown } | undefined;
  // Lets the loop below continue, if it waits.
  let wake = () => {};
  // Only the first call counts: `close` follows `end` and `error`.
  const finish = (error?: unknown) => {
    end ??= { error };
    wake();
  };
  stream.on('data', (piece: Buffer) => {
    queue.push(piece);
    // Until the next one is asked for: more would only wait in memory.
    stream.pause();
    wake();
  });
  stream.on('end', finish).on('error', finish);
  stream.on('close', () => finish(new Error('the stream was closed before its end')));
  try {
    for (;;) {
      for (let piece = queue.shift(); piece !== undefined; piece = queue.shift()) {
        yield piece;
        releasePiece(piece);
      }
      // Looked at only now, so that no piece before the end is lost.
      if (end?.error !== undefined) throw end.error;
      if (end !== undefined) return;
      const change = new Promise<void>((resolve) => {
        wake = resolve;
      });
      stream.resume();
      await change;
    }
  } finally {
    stream.destroy();
  }
}
