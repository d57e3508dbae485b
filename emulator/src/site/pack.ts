import { Header, Pack, ReadEntry } from 'tar';

// Fixed, so the same site makes the same archive, byte for byte.
const MTIME = new Date('2020-01-01T00:00:00Z');

/** A .tar.gz of these files, without a folder around them. */
export async function packSite(files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
  const pack = new Pack({ gzip: true, portable: true });
  const packed = pack.concat();
  for (const [path, bytes] of files) {
    const entry = new ReadEntry(
      new Header({ path, mode: 0o644, size: bytes.length, type: 'File', mtime: MTIME }),
    );
    pack.add(entry);
    entry.end(Buffer.from(bytes));
  }
  pack.end();
  return packed;
}
