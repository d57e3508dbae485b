import type { Hash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import {
  type CourierError,
  configError,
  courierError,
  errnoOf,
  isMissing,
} from '../../ground/errors.ts';
import type { Log } from '../../ground/log.ts';
import { sign, verify } from '../../ground/signature.ts';
import { makeTemporary, removeTemporary } from '../../ground/temporary.ts';
import { cut } from '../../ground/text/escape.ts';
import { companionsOf } from './companions.ts';
import { attemptOnDisk, fileError, statOf } from './disk.ts';
import { fingerprint } from './fingerprint.ts';

/** In a staging folder: the new content, and what was at the destination before. */
const FRESH = 'fresh';
const FORMER = 'former';
/** The fingerprint of a former folder, until its files were looked at again. */
const NOT_CHECKED = 'not-checked';
/** The manifest and the checksums, until they are moved next to the destination. */
const COMPANIONS = ['manifest', 'checksums'] as const;

/**
 * The manifest in the staging folder of a killed run. It describes content that the run had already
 * moved to its destination.
 */
export function stagedManifest(folder: string): string {
  return join(folder, 'manifest');
}

/**
 * A private folder next to a destination, on the same file system: a complete file or folder is
 * moved from there to its destination by one rename. The folder's name contains the destination's
 * name and the process id, so that a later run finds what a killed run left. A marker that is
 * signed with the admin key shows that the folder is ours.
 */
export class Staging {
  /** The folder of the destination, and of the private one. */
  readonly parent: string;
  readonly #destination: string;
  readonly #folder: string;
  /** The parent folder when the run began, to notice if it is replaced. */
  readonly #parentStat: Stats;
  /** The former content is in the folder and nothing is at the destination: never remove it. */
  #keepsFormer = false;

  /** Makes the folder. `secret` is the admin key. Throws `io`. */
  constructor(destination: string, secret: string) {
    this.#destination = destination;
    this.parent = dirname(destination);
    let folder: string | undefined;
    try {
      mkdirSync(this.parent, { recursive: true });
      this.#parentStat = lstatSync(realpathSync(this.parent));
      const prefix = `${prefixOf(destination)}${process.pid}-`;
      // What was at a destination and could not be moved back is never removed.
      const mustStay = () => this.#keepsFormer;
      // Its mode is 0700.
      folder = makeTemporary(this.parent, prefix, mustStay);
      writeMarker(folder, destination, secret);
    } catch (cause) {
      if (folder !== undefined) removeTemporary(folder);
      throw fileError('make a folder next to', destination, cause);
    }
    this.#folder = folder;
  }

  /** Where the new content is made. */
  get fresh(): string {
    return join(this.#folder, FRESH);
  }

  /** A folder for the unpacked site, with the mode that it will have at its place. */
  makeFresh(): string {
    return attemptOnDisk('create the folder', this.fresh, () => {
      mkdirSync(this.fresh);
      // The umask of the runner has no effect here.
      chmodSync(this.fresh, 0o755);
      return this.fresh;
    });
  }

  /**
   * Writes the manifest or the checksums, which `publish` puts next to the destination. `hash`
   * takes what is written. Throws `io`.
   */
  writeCompanion(name: 'manifest' | 'checksums', pieces: Iterable<string>, hash?: Hash): void {
    const made = join(this.#folder, name);
    attemptOnDisk('write', made, () => {
      // Exclusive: a link of that name would lead elsewhere.
      writeFileSync(made, '', { flag: 'wx', mode: 0o644 });
      for (const piece of pieces) {
        appendFileSync(made, piece);
        hash?.update(piece);
      }
    });
  }

  /**
   * Moves `fresh` to the destination, and then its manifest and checksums next to it. What is there
   * must have the fingerprint that `fingerprints` gives for its path; it is moved into the staging
   * folder, and removed with it. Throws `config` and `io`; the former content is then back. Tests
   * stop the process at `moments`: `away`, when the former content is moved away and the new
   * content is not there; `moved`, when the manifest and the checksums are not.
   */
  publish(
    fingerprints: ReadonlyMap<string, string>,
    moments: { readonly away?: () => void; readonly moved?: () => void } = {},
  ): void {
    const destination = this.#destination;
    attemptOnDisk('move the bundle to', destination, () => {
      this.#checkParent();
      this.#replace(FRESH, FORMER, destination, fingerprints.get(destination), moments.away);
      moments.moved?.();
      // If the run is killed now, the next one moves these (`finishCompanions`).
      for (const name of COMPANIONS) {
        const target = companionsOf(destination)[name];
        // A site has no checksums, but an archive has.
        if (statOf(join(this.#folder, name)) === undefined) continue;
        this.#replace(name, `${FORMER}-${name}`, target, fingerprints.get(target));
      }
    });
  }

  /**
   * Removes the folder and everything in it, unless the former content waits there to be moved
   * back. Never throws.
   */
  discard(): void {
    removeTemporary(this.#folder);
  }

  /**
   * Moves a file or folder of the staging folder to `target`. What is there must have the
   * fingerprint `expected`; it is moved into the staging folder, as `formerName`, and back if it was
   * written to. All files of a folder are looked at before and after the two renames, so that
   * nothing is at the target only between them; then `whenAway` is called.
   */
  #replace(
    name: string,
    formerName: string,
    target: string,
    expected: string | undefined,
    whenAway?: () => void,
  ): void {
    const made = join(this.#folder, name);
    const former = join(this.#folder, formerName);
    const madeStat = lstatSync(made);
    const targetBefore = statOf(target);
    const isThere = targetBefore !== undefined;
    const isFolder = targetBefore?.isDirectory() === true;
    if (fingerprint(target) !== expected) throw changedSince(target);
    const note = join(this.#folder, NOT_CHECKED);
    // If this run is killed before it looks again, the next one does.
    if (isFolder) writeFileSync(note, String(expected));
    if (isThere) renameSync(target, former);
    this.#keepsFormer = isThere;
    try {
      // Looking at one file takes no time.
      if (!isFolder) checkFingerprint(former, expected, target);
      whenAway?.();
      // Another process has written there: a rename would replace that.
      if (statOf(target) !== undefined) throw changedSince(target);
      renameSync(made, target);
      if (isFolder) checkFingerprint(former, expected, target);
    } catch (cause) {
      const targetNow = statOf(target);
      if (targetNow !== undefined && isSameFile(targetNow, madeStat)) renameSync(target, made);
      if (isThere) moveBack(former, target, cause);
      this.#keepsFormer = false;
      throw cause;
    }
    rmSync(note, { force: true });
    this.#keepsFormer = false;
    // The parent may have been replaced by a link just now, so that the rename led elsewhere: then
    // what is at the target is not what was made.
    const targetStat = lstatSync(target);
    if (targetStat.isSymbolicLink() || !isSameFile(targetStat, madeStat))
      throw parentReplaced(target);
  }

  // Since the folder was made, its parent may have been replaced by a link that leads elsewhere.
  #checkParent(): void {
    const now = lstatSync(realpathSync(this.parent));
    if (!isSameFile(now, this.#parentStat) || !lstatSync(this.#folder).isDirectory())
      throw parentReplaced(this.#destination);
  }
}

/** Throws `io` if another process has written to the target: its content and `former` stay. */
function moveBack(former: string, target: string, cause: unknown): void {
  if (statOf(target) !== undefined) throw notRestored(target, former, cause);
  renameSync(former, target);
}

/** Throws `config` if what was moved away from `target` was written to since it was checked. */
function checkFingerprint(former: string, expected: string | undefined, target: string): void {
  if (fingerprint(former) !== expected) throw changedSince(target);
}

function isSameFile(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

/** What the names of the staging folders of a destination begin with. */
function prefixOf(destination: string): string {
  // A name has at most 255 bytes on most file systems.
  return `.${cut(basename(destination), { bytes: 100 })}.courier-`;
}

/** A folder that a killed run seems to have left next to a destination. */
interface Leftover {
  readonly folder: string;
  /** What was at the destination before, if it has been moved away. */
  readonly former: string | undefined;
  /** Its marker was signed with this admin key. */
  readonly isOurs: boolean;
}

/** The leftovers next to a destination, without those of processes that still run. Throws `io`. */
export function findLeftovers(destination: string, secret: string): Leftover[] {
  const parent = dirname(destination);
  const found: Leftover[] = [];
  for (const name of listFolder(parent)) {
    const folder = join(parent, name);
    if (!isLeftBehind(name, destination) || !lstatSync(folder).isDirectory()) continue;
    const former = join(folder, FORMER);
    const hasFormer = statOf(former) !== undefined;
    // Anyone can make a folder with such a name.
    const isOurs = hasMarker(folder, destination, secret);
    found.push({ folder, former: hasFormer ? former : undefined, isOurs });
  }
  return found;
}

/** True for the name of a staging folder whose process no longer runs. */
function isLeftBehind(name: string, destination: string): boolean {
  const prefix = prefixOf(destination);
  if (!name.startsWith(prefix)) return false;
  const pid = /^(\d{1,10})-[A-Za-z0-9]{6}$/.exec(name.slice(prefix.length))?.[1];
  return pid !== undefined && !isRunning(Number(pid));
}

/**
 * Cleans up after killed runs. If nothing is at the destination, the former content is moved back;
 * then the staging folder is removed. Folders that are not ours are left alone, and so is former
 * content whose destination another process has written to. Throws `io`.
 */
export function recoverDestination(destination: string, secret: string, log: Log): void {
  for (const { folder, former, isOurs } of findLeftovers(destination, secret)) {
    if (!isOurs) {
      // A run that was killed before it wrote the marker leaves an empty folder.
      if (removeEmpty(folder)) continue;
      log.warning(
        `${folder} is named like a folder of a run that was stopped, but was not made by one with this admin key: it is ignored. Remove it if it is not needed.`,
      );
      continue;
    }
    const isTaken = statOf(destination) !== undefined;
    if (isTaken && former !== undefined && mustStay(former, folder)) {
      log.warning(
        `${former} has what was at ${destination} before another process wrote to it. Remove it if it is not needed.`,
      );
      continue;
    }
    if (former !== undefined && !isTaken) {
      attemptOnDisk('move back the former content of', destination, () =>
        renameSync(former, destination),
      );
      log.info(
        `An earlier run was stopped while it replaced ${destination}: its former content was moved back.`,
      );
    }
    // The new content was moved, but perhaps not its manifest and checksums. For a run that was
    // killed before it made any content there is nothing to move.
    const hasFresh = statOf(join(folder, FRESH)) !== undefined;
    if (isTaken && !hasFresh) finishCompanions(folder, destination);
    removeQuietly(folder);
  }
}

/**
 * True if the content that a killed run moved away may not be removed: the new content was not moved
 * to the destination, so another process has written there, or it has written to this content.
 */
function mustStay(former: string, folder: string): boolean {
  if (statOf(join(folder, FRESH)) !== undefined) return true;
  const note = join(folder, NOT_CHECKED);
  return statOf(note) !== undefined && readFileSync(note, 'utf8') !== fingerprint(former);
}

/** Moves the manifest and the checksums that a killed run had not moved yet. */
function finishCompanions(folder: string, destination: string): void {
  for (const name of COMPANIONS) {
    const made = join(folder, name);
    const target = companionsOf(destination)[name];
    if (statOf(made)?.isFile()) attemptOnDisk('write', target, () => renameSync(made, target));
  }
}

/** Removes a folder if it is empty. Gives whether it is gone now. */
function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    // It has content, or this user may not remove it.
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 only asks.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Any other error, such as EPERM, means that the process exists.
    return errnoOf(error) !== 'ESRCH';
  }
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    // No run has come as far as making the folder of its destination.
    if (isMissing(error)) return [];
    throw fileError('list', path, error);
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // The next run tries again; why this run ends is more important.
  }
}

/** `config`: something is at a path that may only be replaced with `clean`. */
export function taken(path: string): CourierError {
  return configError(`${path} exists already and is not empty.`, {
    text: 'Choose a path that does not exist, or replace what is there:',
    inputs: { clean: 'true' },
  });
}

function changedSince(path: string): CourierError {
  return configError(
    `${path} was changed after it was checked: it was not replaced.`,
    'Choose a path that only this step writes to, and run it again.',
  );
}

function notRestored(path: string, former: string, cause: unknown): CourierError {
  return courierError(
    'io',
    `Another process wrote to ${path} while it was replaced: what was there before is now ${former}.`,
    'Move it back, and choose a path that only this step writes to.',
    { cause },
  );
}

function parentReplaced(destination: string): CourierError {
  return courierError(
    'io',
    `The folder that contains ${destination} was replaced while the bundle was unpacked.`,
    'Another process works there at the same time: choose a folder that only this step writes to.',
  );
}

const MARKER_NAME = 'marker.json';
const MARKER_PURPOSE = 'docs-courier/staging/v1';
const MOST_MARKER_BYTES = 4096;
const PRIVATE_MODE = 0o700;
const markerSchema = z.object({ signature: z.string() });

/**
 * Proves that a staging folder was made by one of our runs, so that a later run may act on what it
 * contains. A folder of the same name may just as well come with a checkout. The signature needs
 * the admin key, and names the folder by its inode: a copy of a folder with its marker is not the
 * folder.
 */
export function writeMarker(folder: string, destination: string, secret: string): void {
  const signature = sign({
    secret,
    purpose: MARKER_PURPOSE,
    payload: payloadOf(folder, destination),
  });
  writeFileSync(join(folder, MARKER_NAME), `${JSON.stringify({ version: 1, signature })}\n`, {
    flag: 'wx',
    mode: 0o600,
  });
}

/** True if a run with the same key made the folder for this destination. */
function hasMarker(folder: string, destination: string, secret: string): boolean {
  try {
    if (!isPrivate(folder)) return false;
    const path = join(folder, MARKER_NAME);
    const stats = lstatSync(path);
    if (!stats.isFile() || stats.size > MOST_MARKER_BYTES) return false;
    const { signature } = markerSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    return verify({
      secret,
      purpose: MARKER_PURPOSE,
      payload: payloadOf(folder, destination),
      signature,
    });
  } catch {
    // There is no marker, or it is not JSON.
    return false;
  }
}

/** What the marker of a folder is signed for. */
function payloadOf(folder: string, destination: string): unknown {
  return {
    version: 1,
    destination,
    folder: basename(folder),
    inode: String(lstatSync(folder).ino),
  };
}

// Windows has neither such modes nor user ids.
function isPrivate(folder: string): boolean {
  if (process.getuid === undefined) return true;
  const stats = lstatSync(folder);
  return (stats.mode & 0o777) === PRIVATE_MODE && stats.uid === process.getuid();
}
