import {
  closeSync,
  constants,
  createReadStream,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { takeTurn } from '../../ground/clock.ts';
import { isSameOrBelow } from '../../ground/confined-files.ts';
import { protocolError } from '../../ground/errors.ts';
import { readArchive } from '../archive/archive.ts';
import type { ArchiveReading, ArchiveSource } from '../archive/sink.ts';
import { readPart } from '../disk/disk.ts';

interface GivenReading extends Omit<ArchiveReading, 'source'> {
  /** Called with what is in a folder and is not taken. `why` completes "PATH …". */
  readonly onRefused: (path: string, why: string) => void;
}

/**
 * Reads a site that is on this machine, as an archive or as a folder, into the sink. Throws what
 * `readArchive` throws, `protocol` also for anything but a file or a folder, and errors of the file
 * system.
 */
export async function readGiven(path: string, reading: GivenReading): Promise<void> {
  const stats = statSync(path);
  if (stats.isDirectory()) return new FolderReader(realpathSync(path), reading).read();
  // A pipe is read once, and may never end.
  if (!stats.isFile()) throw protocolError('It is neither a file nor a folder.');
  await readArchive({ ...reading, source: archiveAt(path, stats.size) });
}

function archiveAt(path: string, sizeBytes: number): ArchiveSource {
  return {
    sizeBytes,
    read: () => createReadStream(path),
    readAt: (position, length) => readPart(path, position, length),
    whenFinished: async () => undefined,
  };
}

/**
 * True for a path that no site needs, and that may have secrets: in a hidden folder such as `.git`,
 * or a file such as `.env`. A folder ends in a slash.
 */
export function isPrivate(path: string): boolean {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  if (folders.some((folder) => folder.startsWith('.') && folder !== '.well-known')) return true;
  return /^\.env(?:\.|$)/i.test(name);
}

const PIECE_BYTES = 256 * 1024;
/** How much is read before other work (a signal, a timer) has its turn. */
const TURN_BYTES = 4 * 1024 * 1024;
// Without O_NONBLOCK, opening a pipe waits for its writer. Windows has neither flag.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Reads the files of a folder. */
class FolderReader {
  /** Without a link in it. */
  readonly #root: string;
  readonly #reading: GivenReading;
  readonly #piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  #sinceTurn = 0;

  constructor(root: string, reading: GivenReading) {
    this.#root = root;
    this.#reading = reading;
  }

  read(): Promise<void> {
    return this.#readFolder(this.#root, '', []);
  }

  /** `around`: the folders on the way there, so that a link to one of them is no endless way. */
  async #readFolder(folder: string, path: string, around: readonly string[]): Promise<void> {
    const within = [...around, folder];
    const entries = readdirSync(folder, { withFileTypes: true });
    for (const entry of entries) {
      const name = `${path}${entry.name}`;
      const real = targetOf(join(folder, entry.name), entry);
      const stats = real && statSync(real);
      if (!real || !stats) {
        this.#reading.onRefused(name, 'is a link that cannot be followed');
        continue;
      }
      const why = this.#whyRefused(name, { real, stats }, within);
      if (why !== undefined) this.#reading.onRefused(name, why);
      else if (stats.isDirectory()) await this.#readFolder(real, `${name}/`, within);
      else await this.#readFile(real, name);
    }
  }

  /** Why an entry is not taken; undefined: it is. */
  #whyRefused(
    name: string,
    { real, stats }: { readonly real: string; readonly stats: Stats },
    within: readonly string[],
  ): string | undefined {
    const isFolder = stats.isDirectory();
    if (isPrivate(name) || (isFolder && isPrivate(`${name}/`))) return 'is hidden';
    if (!isSameOrBelow(real, this.#root)) return 'is a link that leaves the folder';
    if (within.includes(real)) return 'is a link to a folder that it is in';
    if (!isFolder && !stats.isFile()) return 'is neither a file nor a folder';
    return undefined;
  }

  async #readFile(path: string, name: string): Promise<void> {
    const { admission, sink, signal } = this.#reading;
    signal.throwIfAborted();
    const file = openSync(path, FLAGS);
    try {
      const sizeBytes = fstatSync(file).size;
      // The root folder alone has no path, and a file is none.
      sink.begin(admission.admit({ name, kind: 'file', sizeBytes }) ?? name);
      let read = readSync(file, this.#piece);
      while (read > 0) {
        sink.append(this.#piece.subarray(0, read));
        this.#sinceTurn += read;
        if (this.#sinceTurn > TURN_BYTES) {
          this.#sinceTurn = 0;
          await takeTurn(signal);
        }
        read = readSync(file, this.#piece);
      }
      sink.appendLast(this.#piece.subarray(0, 0));
    } finally {
      closeSync(file);
    }
  }
}

/** The path of an entry; of a link, that where it leads, or undefined if that cannot be said. */
function targetOf(path: string, entry: Dirent): string | undefined {
  if (!entry.isSymbolicLink()) return path;
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
