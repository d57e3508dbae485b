import type { Buffer } from 'node:buffer';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';

/** Larger contents are not unpacked. */
const MOST_BYTES = 64 * 1024 * 1024;
const LIMIT = { maxOutputLength: MOST_BYTES };

/** How the content of a compressed file is read and written again. */
interface Packing {
  unpack(content: Buffer): Buffer;
  pack(content: Buffer): Buffer;
}

const GZIP: Packing = {
  unpack: (content) => gunzipSync(content, LIMIT),
  pack: (content) => gzipSync(content, { level: 9 }),
};
const BROTLI: Packing = {
  unpack: (content) => brotliDecompressSync(content, LIMIT),
  pack: (content) => brotliCompressSync(content),
};

/** How a file is compressed; undefined: it is not. Gzip is known by its first bytes. */
export function packingOf(path: string, content: Buffer): Packing | undefined {
  if (content[0] === 0x1f && content[1] === 0x8b) return GZIP;
  if (/\.br$/i.test(path)) return BROTLI;
  return undefined;
}
