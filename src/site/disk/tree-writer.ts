import type { Buffer } from 'node:buffer';
import { chmodSync, fchmodSync, mkdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HashSink } from '../archive/sink.ts';
import { attemptOnDisk, type Disk, writeAll } from './disk.ts';

const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;
/** Not the number of any file, so that writing to it fails. */
const NO_FILE = -1;

/**
 * Writes entries below `root`, a fresh folder that other accounts cannot reach. Modes, owners and
 * times of the archive are not taken over. Writes are synchronous: for many small files that is the
 * fastest, and nothing is under way when it returns.
 */
export class TreeWriter extends HashSink {
  readonly #root: string;
  readonly #disk: Disk;
  /** Whether the umask of the runner has to be undone, entry by entry. */
  readonly #fixesModes: boolean;
  /** The folders that exist; the empty path is `root`. */
  readonly #folders = new Set<string>(['']);
  /** The file that is being written. */
  #fd = NO_FILE;
  #target = '';

  constructor(root: string, disk: Disk, options: { readonly hashesFiles: boolean }) {
    super(options);
    this.#root = root;
    this.#disk = disk;
    this.#fixesModes = isUmaskTooStrict(root);
  }

  /** Creates a folder with the folders that it is in; an archive need not contain those. */
  override directory(path: string): void {
    if (this.#folders.has(path)) return;
    this.directory(parentOf(path));
    const target = `${this.#root}/${path}`;
    attemptOnDisk('create the folder', target, () => {
      this.#disk.makeFolder(target, FOLDER_MODE);
      if (this.#fixesModes) chmodSync(target, FOLDER_MODE);
    });
    this.#folders.add(path);
  }

  override begin(path: string): void {
    super.begin(path);
    this.directory(parentOf(path));
    const target = `${this.#root}/${path}`;
    this.#target = target;
    attemptOnDisk('create', target, () => {
      // Exclusive: whatever might be there already is never followed nor overwritten.
      this.#fd = this.#disk.open(target, 'wx', FILE_MODE);
      if (this.#fixesModes) fchmodSync(this.#fd, FILE_MODE);
    });
  }

  override append(piece: Buffer): void {
    this.#write(piece);
    super.append(piece);
  }

  override appendLast(piece: Buffer): void {
    this.#write(piece);
    // Some network disks report only now that they are full.
    attemptOnDisk('write to', this.#target, () => this.close());
    super.appendLast(piece);
  }

  #write(piece: Buffer): void {
    attemptOnDisk('write to', this.#target, () => writeAll(this.#disk, this.#fd, piece));
  }

  /** Closes a file that was begun and not finished. */
  close(): void {
    const fd = this.#fd;
    // First, so that a file that cannot be closed is not closed again.
    this.#fd = NO_FILE;
    if (fd !== NO_FILE) this.#disk.close(fd);
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

// Whether the umask of the runner takes bits away from the mode of a new folder. One probe decides:
// asking for each file would be slow.
function isUmaskTooStrict(root: string): boolean {
  const probe = join(root, '.mode-probe');
  return attemptOnDisk('create', probe, () => {
    mkdirSync(probe, FOLDER_MODE);
    const mode = statSync(probe).mode & 0o777;
    rmdirSync(probe);
    return mode !== FOLDER_MODE;
  });
}
