import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { createGzip, type Gzip } from 'node:zlib';
import { Header } from 'tar/header';
import { Pax } from 'tar/pax';
import { cancelled } from '../../clock.ts';
import { CourierError } from '../../errors.ts';
import { plainLine } from '../../text/escape.ts';
import { piecesOf } from '../archive/gzip.ts';
import type { BundleFile } from '../archive/sink.ts';
import { fileError } from '../disk/disk.ts';

interface LayerInit {
  /** The folder with the site, and the files below it. */
  readonly root: string;
  readonly files: readonly Pick<BundleFile, 'path' | 'bytes'>[];
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
  /** Of the tar. */
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
export async function writeLayer({
  root,
  files,
  path,
  signal,
  onProgress,
}: LayerInit): Promise<Layer> {
  refuseWhiteouts(files);
  const packer = new Packer(onProgress);
  const file = attemptOnFile('create', path, () => openSync(path, 'wx', 0o600));
  try {
    const stored = store(packer.gzip, file, path);
    const packed = pack(packer, { root, files, signal });
    // What fails ends the other one. The file is closed only when nothing writes to it any more.
    const stop = (error: Error) => packer.gzip.destroy(error);
    await Promise.all([stored.catch(stop), packed.catch(stop)]);
    const [compressed] = await Promise.all([stored, packed]);
    return {
      ...compressed,
      diffId: `sha256:${packer.hash.digest('hex')}`,
      unpackedBytes: packer.bytes,
    };
  } finally {
    attemptOnFile('write to', path, () => closeSync(file));
  }
}

/**
 * https://github.com/opencontainers/image-spec/blob/v1.1.1/layer.md#whiteouts: such an entry
 * removes a file instead of adding one.
 */
function refuseWhiteouts(files: LayerInit['files']): void {
  const found = files.find(({ path }) => path.split('/').some((name) => name.startsWith('.wh.')));
  if (found === undefined) return;
  throw new CourierError({
    code: 'unsafe-archive',
    message: `The site has ${plainLine(found.path, 200)}. An image cannot have a file or folder whose name begins with .wh.: there, such a name removes another file. Nothing was pushed.`,
    hint: 'Rename it in the documentation, or export without image.',
  });
}

async function store(
  gzip: Gzip,
  file: number,
  path: string,
): Promise<Pick<Layer, 'digest' | 'size'>> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of piecesOf(gzip)) {
    hash.update(piece);
    size += piece.length;
    attemptOnFile('write to', path, () => {
      for (let from = 0; from < piece.length; ) from += writeSync(file, piece, from);
    });
  }
  return { digest: `sha256:${hash.digest('hex')}`, size };
}

async function pack(
  packer: Packer,
  { root, files, signal }: Pick<LayerInit, 'root' | 'files' | 'signal'>,
) {
  for (const entry of layerEntries(files)) {
    if (signal.aborted) throw cancelled(signal.reason);
    await packer.add(headerOf(entry));
    if (entry.kind === 'file')
      await addFile(packer, { path: `${root}/${entry.path}`, bytes: entry.bytes, signal });
  }
  // Two empty blocks end a tar.
  await packer.add(Buffer.alloc(2 * BLOCK));
  await packer.end();
}

interface Entry {
  readonly kind: 'file' | 'folder';
  readonly path: string;
  readonly bytes: number;
}

/** Every folder before what is in it, in the order of bytes. */
function layerEntries(files: LayerInit['files']): Entry[] {
  const folders = new Set<string>();
  for (const { path } of files) {
    for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1))
      folders.add(path.slice(0, end));
  }
  const entries = [
    ...files.map(({ path, bytes }) => ({ kind: 'file', path, bytes }) as const),
    ...[...folders].map((path) => ({ kind: 'folder', path, bytes: 0 }) as const),
  ].map((entry) => ({ entry, key: Buffer.from(entry.path) }));
  return entries.sort((a, b) => a.key.compare(b.key)).map(({ entry }) => entry);
}

/**
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html: names that do not fit are in
 * an extended header.
 */
function headerOf({ kind, path: name, bytes: size }: Entry): Buffer {
  const as = kind === 'folder' ? FOLDER : FILE;
  const path = kind === 'folder' ? `${name}/` : name;
  const header = new Header({ ...as, path, size, uid: 0, gid: 0, mtime: new Date(0) });
  const own = Buffer.alloc(BLOCK);
  header.encode(own);
  return header.needPax === true ? Buffer.concat([new Pax({ path }).encode(), own]) : own;
}

interface LayerFile {
  readonly path: string;
  readonly bytes: number;
  readonly signal: AbortSignal;
}

async function addFile(packer: Packer, { path, bytes, signal }: LayerFile): Promise<void> {
  const file = attemptOnFile('read', path, () => openSync(path, 'r'));
  try {
    let left = bytes;
    for (;;) {
      if (signal.aborted) throw cancelled(signal.reason);
      const room = packer.room;
      const read = attemptOnFile('read', path, () => readSync(file, room));
      left -= read;
      if (left < 0 || (read === 0 && left > 0)) throw changed(path);
      if (read === 0) break;
      await packer.filled(read);
    }
  } finally {
    closeSync(file);
  }
  await packer.add(Buffer.alloc(-bytes & (BLOCK - 1)));
}

function changed(path: string): CourierError {
  return new CourierError({
    code: 'integrity',
    message: `${path} has changed while it was packed.`,
    hint: 'Let nothing else write to the folder during the run.',
  });
}

/** Two buffers: one is filled while the other one is compressed. */
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

  /** What is free of the buffer; never empty. */
  get room(): Buffer {
    return this.#buffers[0].subarray(this.#used);
  }

  /** So much of `room` was filled. */
  async filled(bytes: number): Promise<void> {
    this.#used += bytes;
    if (this.#used === PIECE_BYTES) await this.#flush();
  }

  async add(content: Buffer): Promise<void> {
    for (let from = 0; from < content.length; ) {
      const copied = content.copy(this.room, 0, from);
      from += copied;
      await this.filled(copied);
    }
  }

  async end(): Promise<void> {
    await this.#flush();
    await this.#written;
    this.gzip.end();
  }

  async #flush(): Promise<void> {
    const [full, other] = this.#buffers;
    const piece = full.subarray(0, this.#used);
    this.hash.update(piece);
    this.bytes += piece.length;
    await this.#written;
    this.#written = this.#write(piece);
    // It is awaited with the next piece.
    this.#written.catch(() => {});
    this.#buffers = [other, full];
    this.#used = 0;
    this.#onProgress(this.bytes);
  }

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

function attemptOnFile<T>(what: string, path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw fileError(what, path, cause);
  }
}
