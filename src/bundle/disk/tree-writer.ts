import type { Buffer } from 'node:buffer';
import { createHash, type Hash, hash } from 'node:crypto';
import { chmodSync, fchmodSync, mkdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BundleFile, EntrySink } from '../archive/sink.ts';
import { type Disk, fileError, writeAll } from './disk.ts';

const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

interface OpenFile {
  readonly fd: number;
  readonly path: string;
  bytes: number;
  readonly hash: Hash | undefined;
}

/**
 * Writes entries below `root`, a fresh folder that other accounts cannot reach. Modes, owners and times of the archive are not
 * taken over. Writes are synchronous: for many small files that is the fastest, and nothing is under way when it returns.
 */
export class TreeWriter implements EntrySink {
  readonly files: BundleFile[] = [];
  readonly #root: string;
  readonly #disk: Disk;
  readonly #hashFiles: boolean;
  readonly #fixModes: boolean;
  readonly #folders = new Set<string>(['']);
  #open: OpenFile | undefined;

  /** `hashFiles`: whether the SHA-256 of each file is wanted. */
  constructor(root: string, disk: Disk, hashFiles: boolean) {
    this.#root = root;
    this.#disk = disk;
    this.#hashFiles = hashFiles;
    this.#fixModes = needsModes(root);
  }

  directory(path: string): void {
    if (this.#folders.has(path)) return;
    this.directory(parentOf(path));
    const target = `${this.#root}/${path}`;
    attempt('create the folder', target, () => {
      this.#disk.makeFolder(target, FOLDER_MODE);
      if (this.#fixModes) chmodSync(target, FOLDER_MODE);
    });
    this.#folders.add(path);
  }

  file(path: string, content: Buffer): void {
    const fd = this.#create(path);
    try {
      if (content.length > 0) this.#write(fd, path, content);
    } finally {
      this.#close(fd, path);
    }
    this.files.push({
      path,
      bytes: content.length,
      sha256: this.#hashFiles ? hash('sha256', content, 'hex') : undefined,
    });
  }

  begin(path: string): void {
    this.#open = { fd: this.#create(path), path, bytes: 0, hash: this.#hashFiles ? createHash('sha256') : undefined };
  }

  append(piece: Buffer): void {
    if (this.#open === undefined) return;
    this.#write(this.#open.fd, this.#open.path, piece);
    this.#open.bytes += piece.length;
    this.#open.hash?.update(piece);
  }

  finish(): void {
    if (this.#open === undefined) return;
    const { fd, path, bytes, hash: sum } = this.#open;
    this.#open = undefined;
    this.#close(fd, path);
    this.files.push({ path, bytes, sha256: sum?.digest('hex') });
  }

  /** Closes a file that was begun and not finished. */
  close(): void {
    if (this.#open !== undefined) this.#disk.close(this.#open.fd);
    this.#open = undefined;
  }

  #create(path: string): number {
    this.directory(parentOf(path));
    const target = `${this.#root}/${path}`;
    return attempt('create', target, () => {
      // Exclusive: whatever might be there already is never followed nor overwritten.
      const fd = this.#disk.open(target, 'wx', FILE_MODE);
      if (this.#fixModes) fchmodSync(fd, FILE_MODE);
      return fd;
    });
  }

  #write(fd: number, path: string, content: Buffer): void {
    attempt('write to', `${this.#root}/${path}`, () => writeAll(this.#disk, fd, { content }));
  }

  // Some network disks report only now that they are full.
  #close(fd: number, path: string): void {
    attempt('write to', `${this.#root}/${path}`, () => this.#disk.close(fd));
  }
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

function attempt<T>(what: string, target: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw fileError(what, target, cause);
  }
}

// The umask of a runner may take bits away. Asking the system is costly for each file, so one probe decides.
function needsModes(root: string): boolean {
  const probe = join(root, '.mode-probe');
  return attempt('create', probe, () => {
    mkdirSync(probe, FOLDER_MODE);
    const mode = statSync(probe).mode & 0o777;
    rmdirSync(probe);
    return mode !== FOLDER_MODE;
  });
}
