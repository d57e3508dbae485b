import type { Buffer } from 'node:buffer';
import { createHash, type Hash, hash } from 'node:crypto';
import { chmodSync, fchmodSync, mkdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileFault } from '../archive/fault.ts';
import type { BundleFile, EntrySink } from '../archive/sink.ts';
import { type Disk, writeAll } from './disk.ts';

const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

export interface TreeWriterInit {
  /** Whether the SHA-256 of each file is wanted. */
  readonly hashFiles: boolean;
  readonly disk: Disk;
}

export interface TreeWriter extends EntrySink {
  /** Ends a file that was begun and not finished. */
  close(): void;
}

/**
 * Writes entries below `root`, a fresh folder that nobody else can reach. Modes, owners and times of the archive are not
 * taken over. Writes are synchronous: for many small files that is the fastest, and nothing is under way when it returns.
 */
export function createTreeWriter(root: string, { hashFiles, disk }: TreeWriterInit): TreeWriter {
  const files: BundleFile[] = [];
  const folders = new Set<string>(['']);
  const fixModes = needsModes(root);
  let open: { fd: number; path: string; bytes: number; hash: Hash | undefined } | undefined;

  function makeFolder(path: string): void {
    if (folders.has(path)) return;
    makeFolder(parentOf(path));
    const target = `${root}/${path}`;
    attempt('create the folder', target, () => {
      disk.makeFolder(target, FOLDER_MODE);
      if (fixModes) chmodSync(target, FOLDER_MODE);
    });
    folders.add(path);
  }

  function create(path: string): number {
    makeFolder(parentOf(path));
    const target = `${root}/${path}`;
    return attempt('create', target, () => {
      // Exclusive: whatever might stand there already is never followed nor overwritten.
      const fd = disk.open(target, 'wx', FILE_MODE);
      if (fixModes) fchmodSync(fd, FILE_MODE);
      return fd;
    });
  }

  function write(fd: number, path: string, content: Buffer): void {
    attempt('write to', `${root}/${path}`, () => writeAll(disk, fd, { content }));
  }

  // Some network disks tell only now that they are full.
  function close(fd: number, path: string): void {
    attempt('write to', `${root}/${path}`, () => disk.close(fd));
  }

  return {
    files,
    directory: makeFolder,
    file(path, content) {
      const fd = create(path);
      try {
        if (content.length > 0) write(fd, path, content);
      } finally {
        close(fd, path);
      }
      files.push({ path, bytes: content.length, sha256: hashFiles ? hash('sha256', content, 'hex') : undefined });
    },
    begin(path) {
      open = { fd: create(path), path, bytes: 0, hash: hashFiles ? createHash('sha256') : undefined };
    },
    append(piece) {
      if (open === undefined) return;
      write(open.fd, open.path, piece);
      open.bytes += piece.length;
      open.hash?.update(piece);
    },
    finish() {
      if (open === undefined) return;
      const { fd, path, bytes } = open;
      const sha256 = open.hash?.digest('hex');
      open = undefined;
      close(fd, path);
      files.push({ path, bytes, sha256 });
    },
    close() {
      if (open !== undefined) disk.close(open.fd);
      open = undefined;
    },
  };
}

/** Reads entries to their end without writing them: for a bundle that is kept packed. */
export function createHashSink(): EntrySink {
  const files: BundleFile[] = [];
  let open: { path: string; bytes: number; hash: Hash } | undefined;
  return {
    files,
    directory() {},
    file(path, content) {
      files.push({ path, bytes: content.length, sha256: hash('sha256', content, 'hex') });
    },
    begin(path) {
      open = { path, bytes: 0, hash: createHash('sha256') };
    },
    append(piece) {
      if (open === undefined) return;
      open.bytes += piece.length;
      open.hash.update(piece);
    },
    finish() {
      if (open !== undefined) files.push({ path: open.path, bytes: open.bytes, sha256: open.hash.digest('hex') });
      open = undefined;
    },
  };
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

function attempt<T>(what: string, target: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw fileFault(what, target, cause);
  }
}

// The umask of a runner may take bits away. Asking the system is costly for each file, so a probe tells once.
function needsModes(root: string): boolean {
  const probe = join(root, '.mode-probe');
  return attempt('create', probe, () => {
    mkdirSync(probe, FOLDER_MODE);
    const mode = statSync(probe).mode & 0o777;
    rmdirSync(probe);
    return mode !== FOLDER_MODE;
  });
}
