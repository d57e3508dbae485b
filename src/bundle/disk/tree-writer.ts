import type { Buffer } from 'node:buffer';
import { chmodSync, fchmodSync, mkdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HashSink } from '../archive/sink.ts';
import { attemptOnDisk, type Disk, writeAll } from './disk.ts';

const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

/**
 * Writes entries below `root`, a fresh folder that other accounts cannot reach. Modes, owners and
 * times of the archive are not taken over. Writes are synchronous: for many small files that is the
 * fastest, and nothing is under way when it returns.
 */
export class TreeWriter extends HashSink {
  readonly #root: string;
  readonly #disk: Disk;
  readonly #fixModes: boolean;
  readonly #folders = new Set<string>(['']);
  #open: { readonly fd: number; readonly target: string } | undefined;

  constructor(root: string, disk: Disk, hashesFiles: boolean) {
    super(hashesFiles);
    this.#root = root;
    this.#disk = disk;
    this.#fixModes = needsModes(root);
  }

  override directory(path: string): void {
    if (this.#folders.has(path)) return;
    this.directory(parentOf(path));
    const target = `${this.#root}/${path}`;
    attemptOnDisk('create the folder', target, () => {
      this.#disk.makeFolder(target, FOLDER_MODE);
      if (this.#fixModes) chmodSync(target, FOLDER_MODE);
    });
    this.#folders.add(path);
  }

  override begin(path: string): void {
    super.begin(path);
    this.directory(parentOf(path));
    const target = `${this.#root}/${path}`;
    attemptOnDisk('create', target, () => {
      // Exclusive: whatever might be there already is never followed nor overwritten.
      const fd = this.#disk.open(target, 'wx', FILE_MODE);
      this.#open = { fd, target };
      if (this.#fixModes) fchmodSync(fd, FILE_MODE);
    });
  }

  override append(piece: Buffer, isLast: boolean): void {
    if (this.#open === undefined) throw new Error('no file was begun');
    const { fd, target } = this.#open;
    attemptOnDisk('write to', target, () => {
      writeAll(this.#disk, fd, piece);
      if (!isLast) return;
      this.#open = undefined;
      // Some network disks report only now that they are full.
      this.#disk.close(fd);
    });
    super.append(piece, isLast);
  }

  /** Closes a file that was begun and not finished. */
  close(): void {
    if (this.#open !== undefined) this.#disk.close(this.#open.fd);
    this.#open = undefined;
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

// True if the umask of the runner takes bits away from the mode of a new folder. One probe decides:
// asking for each file would be slow.
function needsModes(root: string): boolean {
  const probe = join(root, '.mode-probe');
  return attemptOnDisk('create', probe, () => {
    mkdirSync(probe, FOLDER_MODE);
    const mode = statSync(probe).mode & 0o777;
    rmdirSync(probe);
    return mode !== FOLDER_MODE;
  });
}
