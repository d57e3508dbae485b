import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { createGzip, type Gzip } from 'node:zlib';
import { Header } from 'tar/header';
import { Pax } from 'tar/pax';
import { cancelled } from '../../ground/clock.ts';
import { type CourierError, courierError } from '../../ground/errors.ts';
import { plainLine } from '../../ground/text/escape.ts';
import { piecesOf } from '../archive/gzip.ts';
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
  const path = init.path;
  refuseWhiteouts(init.files);
  const packer = new Packer(init.onProgress);
  const file = attemptOnDisk('create', path, () => openSync(path, 'wx', 0o600));
  try {
    const stored = storeCompressed(packer.gzip, file, path);
    const packed = packEntries(packer, init);
    // A failure of one ends the other, since both use the stream. Waits for both without throwing,
    // so that the file is closed only when neither writes to it.
    const stop = (error: Error) => packer.gzip.destroy(error);
    await Promise.all([stored.catch(stop), packed.catch(stop)]);
    // Throws the failure, if there was one.
    const [compressed] = await Promise.all([stored, packed]);
    return {
      ...compressed,
      diffId: `sha256:${packer.hash.digest('hex')}`,
      unpackedBytes: packer.bytes,
    };
  } finally {
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

/** Puts the tar into the packer. */
async function packEntries(packer: Packer, init: LayerInit): Promise<void> {
  for (const entry of layerEntries(init.files)) {
    if (init.signal.aborted) throw cancelled(init.signal.reason);
    await packer.add(headerOf(entry));
    if (entry.isFile) await addFile(packer, `${init.root}/${entry.path}`, entry.bytes, init.signal);
  }
  // Two empty blocks end a tar.
  await packer.add(Buffer.alloc(2 * BLOCK));
  await packer.end();
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

/** Adds the content of a file, whose header says its length: it must still have that length. */
async function addFile(
  packer: Packer,
  path: string,
  bytes: number,
  signal: AbortSignal,
): Promise<void> {
  const file = attemptOnDisk('read', path, () => openSync(path, 'r'));
  try {
    let missing = bytes;
    // Up to the end of the file: that it became longer shows only there.
    for (;;) {
      if (signal.aborted) throw cancelled(signal.reason);
      // The free part of its buffer, which the reading fills.
      const { room } = packer;
      const read = attemptOnDisk('read', path, () => readSync(file, room));
      missing -= read;
      const isAtEnd = read === 0;
      if (missing < 0 || (isAtEnd && missing > 0)) throw changedError(path);
      if (isAtEnd) break;
      await packer.noteFilled(read);
    }
  } finally {
    closeSync(file);
  }
  // Zeros up to a whole block: the negative size modulo a power of two.
  await packer.add(Buffer.alloc(-bytes & (BLOCK - 1)));
}

/** The error for a file whose length is not that in its header any more. */
function changedError(path: string): CourierError {
  return courierError(
    'integrity',
    `${path} has changed while it was packed.`,
    'Let nothing else write to the folder during the run.',
  );
}

/** Compresses a tar with two buffers: one is filled while the other is compressed. */
class Packer {
  readonly hash: Hash = createHash('sha256');
  readonly gzip: Gzip = createGzip({ chunkSize: PIECE_BYTES });
  bytes = 0;
  readonly #onProgress: (bytes: number) => void;
  #buffers = [Buffer.allocUnsafeSlow(PIECE_BYTES), Buffer.allocUnsafeSlow(PIECE_BYTES)] as const;
  #used = 0;
  #written: Promise<void> = Promise.resolve();

  constructor(onProgress: (bytes: number) => void) {
    this.#onProgress = onProgress;
  }

  /** The free part of the buffer; never empty. */
  get room(): Buffer {
    return this.#buffers[0].subarray(this.#used);
  }

  /** Says that this many bytes of `room` were filled. */
  async noteFilled(bytes: number): Promise<void> {
    this.#used += bytes;
    if (this.#used === PIECE_BYTES) await this.#flush();
  }

  /** Adds bytes that are not read into `room`. */
  async add(content: Buffer): Promise<void> {
    for (let from = 0; from < content.length; ) {
      const copied = content.copy(this.room, 0, from);
      from += copied;
      await this.noteFilled(copied);
    }
  }

  /** Compresses what is in the buffers, and ends the stream. */
  async end(): Promise<void> {
    await this.#flush();
    await this.#written;
    this.gzip.end();
  }

  /** Gives the filled part of the buffer to gzip, and continues with the other buffer. */
  async #flush(): Promise<void> {
    const [full, other] = this.#buffers;
    const piece = full.subarray(0, this.#used);
    this.hash.update(piece);
    this.bytes += piece.length;
    // Until the last write has ended, gzip reads the other buffer.
    await this.#written;
    this.#written = this.#write(piece);
    // A failure is thrown where the write is awaited, with the next piece.
    this.#written.catch(() => {});
    this.#buffers = [other, full];
    this.#used = 0;
    this.#onProgress(this.bytes);
  }

  /** Resolves once gzip has taken the piece, so that its buffer is free. */
  #write(piece: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      // A stream that is destroyed may never call back.
      const onClose = () => reject(this.gzip.errored);
      this.gzip.once('close', onClose);
      this.gzip.write(piece, (error) => {
        this.gzip.off('close', onClose);
        if (error) reject(error);
        else resolve();
      });
    });
  }
}
