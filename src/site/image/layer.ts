import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { createGzip, type Gzip } from 'node:zlib';
import { Header } from 'tar/header';
import { Pax } from 'tar/pax';
import { cancelled } from '../../ground/clock.ts';
import { type CourierError, courierError } from '../../ground/errors.ts';
import { plainLine } from '../../ground/text/escape.ts';
import { piecesOf, writePiece } from '../archive/gzip.ts';
import { attemptOnDisk } from '../disk/disk.ts';

interface LayerInit {
  /** The folder with the site, and the files below it. */
  readonly root: string;
  readonly files: readonly LayerFile[];
  /** Where the layer is written to. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** Called with the bytes that are packed. */
  readonly onProgress: (bytes: number) => void;
}

interface Layer {
  /** `sha256:…` of the compressed layer, and its size. */
  readonly digest: string;
  readonly size: number;
  /**
   * `sha256:…` of the tar: the same for the same files, on every machine and with every version of
   * this program.
   */
  readonly diffId: string;
  /** The size of the tar. */
  readonly unpackedBytes: number;
}

const BLOCK = 512;
const PIECE_BYTES = 256 * 1024;
const FILE = { type: 'File', mode: 0o644 } as const;
const FOLDER = { type: 'Directory', mode: 0o755 } as const;

/**
 * Writes a site as a layer of an image: a tar with sorted entries, and with the same times, owners
 * and modes for each, compressed by gzip. It takes no more memory for a large site than for a small
 * one. Throws `io`, `integrity`, and `unsafe-archive` for a name that no layer can have.
 */
export async function writeLayer(init: LayerInit): Promise<Layer> {
  const { path } = init;
  refuseWhiteouts(init.files);
  const gzip = createGzip({ chunkSize: PIECE_BYTES });
  const file = attemptOnDisk('create', path, () => openSync(path, 'wx', 0o600));
  const packing = packInto(gzip, init);
  // Its error then comes out of `gzip` too.
  const ended = packing.catch((error) => void gzip.destroy(error));
  try {
    const stored = await storeCompressed(gzip, file, path);
    return { ...stored, ...(await packing) };
  } finally {
    // After a failure, nothing may read the site any more.
    await ended;
    attemptOnDisk('write to', path, () => closeSync(file));
  }
}

/**
 * Refuses names that remove a file of an image instead of adding one:
 * https://github.com/opencontainers/image-spec/blob/v1.1.1/layer.md#whiteouts
 */
function refuseWhiteouts(files: readonly LayerFile[]): void {
  const whiteout = files.find((file) => /(?:^|\/)\.wh\./.test(file.path));
  if (whiteout === undefined) return;
  throw courierError(
    'unsafe-archive',
    `The site has ${plainLine(whiteout.path, 200)}. An image cannot have a file or folder whose name begins with .wh.: there, such a name removes another file. Nothing was pushed.`,
    'Rename it in the documentation, or export without image.',
  );
}

/** Writes what gzip gives to the file, and gives the digest of it. */
async function storeCompressed(
  gzip: Gzip,
  file: number,
  path: string,
): Promise<{ digest: string; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of piecesOf(gzip)) {
    hash.update(piece);
    size += piece.length;
    attemptOnDisk('write to', path, () => {
      // A call may write a part only.
      for (let from = 0; from < piece.length; ) from += writeSync(file, piece, from);
    });
  }
  return { digest: `sha256:${hash.digest('hex')}`, size };
}

/** Compresses the tar while it is read, and gives what is known of it. */
async function packInto(
  gzip: Gzip,
  { files, root, signal, onProgress }: LayerInit,
): Promise<Pick<Layer, 'diffId' | 'unpackedBytes'>> {
  const hash = createHash('sha256');
  let unpackedBytes = 0;
  for (const piece of inPieces(tarOf(files, root))) {
    if (signal.aborted) throw cancelled(signal.reason);
    hash.update(piece);
    unpackedBytes += piece.length;
    await writePiece(gzip, piece);
    onProgress(unpackedBytes);
  }
  gzip.end();
  return { diffId: `sha256:${hash.digest('hex')}`, unpackedBytes };
}

/** The same bytes in larger pieces, each good until the next is asked for. */
function* inPieces(parts: Iterable<Buffer>): Generator<Buffer> {
  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  let used = 0;
  for (const part of parts) {
    for (let from = 0; from < part.length; ) {
      const copied = part.copy(piece, used, from);
      from += copied;
      used += copied;
      if (used < PIECE_BYTES) continue;
      yield piece;
      used = 0;
    }
  }
  yield piece.subarray(0, used);
}

/** The bytes of the tar. */
function* tarOf(files: readonly LayerFile[], root: string): Generator<Buffer> {
  const room = Buffer.allocUnsafeSlow(PIECE_BYTES);
  for (const entry of layerEntries(files)) {
    yield headerOf(entry);
    if (entry.isFile) yield* contentOf(`${root}/${entry.path}`, entry.bytes, room);
  }
  // Two empty blocks end a tar.
  yield Buffer.alloc(2 * BLOCK);
}

interface LayerFile {
  readonly path: string;
  readonly bytes: number;
}

interface Entry extends LayerFile {
  readonly isFile: boolean;
  /** The path, to sort by. */
  readonly key: Buffer;
}

/** Files and their folders, sorted by bytes: every folder comes before its content. */
function layerEntries(files: readonly LayerFile[]): Entry[] {
  const entries: Entry[] = [];
  const folders = new Set<string>();
  for (const { path, bytes } of files) {
    entries.push({ isFile: true, path, bytes, key: Buffer.from(path) });
    // Every folder that the file is in, from the outermost one.
    for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1))
      folders.add(path.slice(0, end));
  }
  for (const path of folders)
    entries.push({ isFile: false, path, bytes: 0, key: Buffer.from(path) });
  return entries.sort((a, b) => a.key.compare(b.key));
}

/**
 * The header of a file or folder in a tar:
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html. A name that does not fit in
 * it is in an extended header before it.
 */
function headerOf(entry: Entry): Buffer {
  const path = entry.isFile ? entry.path : `${entry.path}/`;
  const header = new Header({
    ...(entry.isFile ? FILE : FOLDER),
    path,
    size: entry.bytes,
    uid: 0,
    gid: 0,
    mtime: new Date(0),
  });
  const block = Buffer.alloc(BLOCK);
  header.encode(block);
  // `encode` sets it if the name does not fit.
  if (!header.needPax) return block;
  return Buffer.concat([new Pax({ path }).encode(), block]);
}

/**
 * The content of a file, read into `room`, up to a whole block. It must still have the length that
 * is in its header.
 */
function* contentOf(path: string, bytes: number, room: Buffer): Generator<Buffer> {
  const file = attemptOnDisk('read', path, () => openSync(path, 'r'));
  try {
    let missing = bytes;
    // Up to the end of the file: that it became longer shows only there.
    for (;;) {
      const read = attemptOnDisk('read', path, () => readSync(file, room));
      missing -= read;
      const isAtEnd = read === 0;
      if (missing < 0 || (isAtEnd && missing > 0)) throw changedError(path);
      if (isAtEnd) break;
      yield room.subarray(0, read);
    }
  } finally {
    closeSync(file);
  }
  // Zeros: the negative size modulo a power of two.
  yield Buffer.alloc(-bytes & (BLOCK - 1));
}

/** The error for a file whose length is not that in its header any more. */
function changedError(path: string): CourierError {
  return courierError(
    'integrity',
    `${path} has changed while it was packed.`,
    'Let nothing else write to the folder during the run.',
  );
}
