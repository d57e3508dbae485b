import { constants } from 'node:fs';
import {
  access,
  lstat,
  link as makeLink,
  mkdir,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import {
  besideFile,
  besidePrefix,
  isSameOrBelow,
  replaceFile,
} from '../../ground/confined-files.ts';
import { CourierError, configError, courierError, errnoOf } from '../../ground/errors.ts';
import {
  type CheckResult,
  type Claims,
  type LinkStore,
  numbersIn,
  ok,
  readLinkValue,
  type Snapshot,
  type StoreChange,
  type StoreNames,
  type StoreUse,
  shows,
} from '../port.ts';
import { claimSuffix, formatAddress, STATE_SUFFIX } from './address.ts';

// A link has a few hundred bytes and a state not many more: a larger file is not of this program.
const MAX_FILE_BYTES = 64 * 1024;

/**
 * A file that contains nothing but the link, and `PATH.state.json` next to it, both with mode 0600.
 * Each file is replaced in one step: a reader sees the old text or the new one, never a part.
 */
export class FileStore implements LinkStore {
  readonly names: StoreNames;
  readonly signedAddress: string;
  readonly can = { guard: 'claims', shows: 'value' } as const;
  // Claims keep other runs out while one writes. Each is a file such as `PATH.state.7.json`, next
  // to the state: creating it fails if the name exists.
  readonly claims: Claims = {
    create: (number, text) => this.#create(this.#claimPath(number), text),
    read: async (number) => {
      const path = this.#claimPath(number);
      const entry = await stat(path).catch(() => undefined);
      // A pipe or a folder under the name of a claim is not read. It takes the number all the same,
      // so it is given as a claim with an empty text, which no run has signed.
      if (entry !== undefined && !entry.isFile()) return { text: '' };
      // undefined if there is no such file; throws if the entry cannot be examined.
      const claim = await readText(path);
      // Without the date of the file: the text of a claim has its own.
      return claim && { text: claim.text };
    },
    list: async (above) => {
      const names = await namesIn(dirname(this.#linkPath));
      // `numbersIn` expects `PATH.state_7` for the file `PATH.state.7.json`.
      const claimNames = names.map((name) => name.replace(/\.(\d+)\.json$/, '_$1'));
      return numbersIn(claimNames, `${basename(this.#linkPath)}.state`, above);
    },
    remove: (number) => removeFile(this.#claimPath(number)),
  };
  readonly #linkPath: string;
  readonly #statePath: string;
  readonly #workspace: string | undefined;

  /**
   * `path` and `workspace` are absolute. If `path` is in the workspace, no symbolic link that was
   * checked out there may lead it out of the workspace.
   */
  constructor(path: string, workspace?: string) {
    this.#linkPath = path;
    this.#workspace = workspace;
    this.#statePath = `${path}${STATE_SUFFIX}`;
    const destination = formatAddress({ scheme: 'file', path });
    this.names = {
      destination,
      name: basename(path),
      target: `folder ${dirname(path)}`,
      link: `file ${path}`,
      state: `file ${this.#statePath}`,
      stateRight: 'right to write files there',
    };
    this.signedAddress = destination;
  }

  async preflight(use?: StoreUse): Promise<readonly CheckResult[]> {
    await this.#checkFilesAndFolder(use);
    // Also throws now for a file that is too large.
    const isNew = (await readText(this.#linkPath)) === undefined;
    const detail = isNew ? 'It is new.' : 'It can be read and replaced.';
    return [ok(this.names.link, detail)];
  }

  async write(change: StoreChange): Promise<Snapshot> {
    if (change.link !== undefined) await this.#replace(this.#linkPath, change.link);
    if (change.state !== undefined) await this.#replace(this.#statePath, change.state);
    // Nothing keeps a program that is not Docs Courier from writing these files.
    const after = await this.read();
    if (shows(change, after)) return after;
    throw courierError(
      'integrity',
      `${this.names.destination} was written and then contains something else: another process writes it too.`,
      'Let only one process write this file.',
      { mayHaveActed: true },
    );
  }

  async read(): Promise<Snapshot> {
    const file = await readText(this.#linkPath);
    const state = await readText(this.#statePath);
    const { link, foreignContent } = readLinkValue(file?.text);
    return {
      link: link && { digest: link.digest, writtenAtMs: file?.writtenAtMs },
      foreignContent,
      state: state?.text,
      stateWrittenAtMs: state?.writtenAtMs,
    };
  }

  /**
   * Throws `config` or `io` if the two files, or the folder that they are in, cannot be used. With
   * `use: read`, the folder need not be writable.
   */
  async #checkFilesAndFolder(use?: StoreUse): Promise<void> {
    for (const path of [this.#linkPath, this.#statePath]) {
      // undefined: there is no such file yet, or the check of the folder below says what is wrong.
      const entry = await lstat(path).catch(() => undefined);
      // Replacing a symbolic link would leave the file that it leads to as it is.
      if (entry !== undefined && !entry.isFile()) {
        const what = entry.isSymbolicLink() ? 'symbolic link' : 'folder or a device';
        throw configError(
          `${path} is a ${what}: it is not replaced. Nothing was written.`,
          'Give the path of an ordinary file, or of one that does not exist yet.',
        );
      }
    }
    const folder = dirname(this.#linkPath);
    try {
      const existing = await this.#existingFolder(folder);
      if (use !== 'read') await access(existing, constants.W_OK);
      await this.#checkWhereItLeads(existing);
    } catch (cause) {
      throw ioError(`The folder ${folder} cannot be written to`, cause);
    }
  }

  /**
   * The folder if it exists. A folder that is missing in the workspace is made by the first write:
   * then the nearest existing folder above it. Throws if a folder outside the workspace is missing.
   */
  async #existingFolder(folder: string): Promise<string> {
    // `lstat`: a symbolic link that leads nowhere exists too, and no folder can be made in its
    // place. What cannot be examined counts as existing: `stat` then throws the reason.
    const exists = await lstat(folder).then(
      () => true,
      (error: unknown) => errnoOf(error) !== 'ENOENT',
    );
    const isBelowWorkspace = this.#isInWorkspace(folder) && folder !== this.#workspace;
    if (!exists && isBelowWorkspace) return this.#existingFolder(dirname(folder));
    // The caller makes an `io` error of it, as of what `stat` throws.
    if (!(await stat(folder)).isDirectory()) throw new Error('It is not a folder.');
    return folder;
  }

  #isInWorkspace(path: string): boolean {
    return this.#workspace !== undefined && isSameOrBelow(path, this.#workspace);
  }

  /**
   * Throws `config` if the folder is in a .git folder, where a file can start programs, or if it is
   * written as a folder in the workspace and a symbolic link leads it out of there.
   */
  async #checkWhereItLeads(folder: string): Promise<void> {
    const real = await realpath(folder);
    const hint =
      'Give the path of a file in the workspace, or the absolute path of a file outside of it.';
    // Some disks ignore case: there `.GIT` is the same folder.
    if (real.toLowerCase().split(sep).includes('.git')) {
      throw configError(`${this.#linkPath} is in a .git folder. Nothing was written.`, hint);
    }
    // Outside of the workspace, only the user made the symbolic links.
    if (this.#workspace === undefined || !isSameOrBelow(folder, this.#workspace)) return;
    if (isSameOrBelow(real, await realpath(this.#workspace))) return;
    throw configError(
      `${this.#linkPath} leads out of the workspace, through a symbolic link in it. Nothing was written.`,
      hint,
    );
  }

  #claimPath(number: number): string {
    return `${this.#linkPath}${claimSuffix(number)}`;
  }

  /**
   * True once the file exists; false: its name was taken. The text is written to a draft first, and
   * a hard link gives the draft its name: no reader sees a part of the text.
   */
  async #create(path: string, text: string): Promise<boolean> {
    // Named like a draft of the state: after a later write of the state, `removeLeftovers` finds
    // what a killed run has left.
    const draft = besideFile(this.#statePath);
    try {
      await this.#prepareFolder(dirname(path));
      // `wx`: fails if something is at the name of the draft, such as a link that leads elsewhere.
      await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
      return await linkUnlessExists(draft, path);
    } catch (cause) {
      throw ioError(`${path} was not written`, cause);
    } finally {
      // A draft that stays does no harm: it is removed later.
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  /**
   * Makes the folder and checks it, if it is in the workspace: a step since the preflight may have
   * put a symbolic link there. Any other folder must exist.
   */
  async #prepareFolder(folder: string): Promise<void> {
    if (!this.#isInWorkspace(folder)) return;
    await mkdir(folder, { recursive: true });
    await this.#checkWhereItLeads(folder);
  }

  /** Replaces the file in one step, or makes it. */
  async #replace(path: string, text: string): Promise<void> {
    try {
      await this.#prepareFolder(dirname(path));
      replaceFile(path, text, 0o600);
      // The file is written: what cannot be cleared up is not a reason to fail.
      await removeLeftovers(path).catch(() => undefined);
    } catch (cause) {
      throw ioError(`${path} was not written`, cause);
    }
  }
}

// A run renames or removes its draft within a moment: an older draft is not of an active run.
const LEFTOVER_AFTER_MS = 60_000;

/**
 * Removes drafts next to a file that was just written: a run that was killed before it could rename
 * its draft has left them, and they may contain a link.
 */
async function removeLeftovers(path: string): Promise<void> {
  const start = besidePrefix(path);
  // Its date is the time of the disk, which may be on a machine with another clock.
  const justWritten = await stat(path);
  for (const name of await readdir(dirname(path))) {
    // `besideFile` ends the name of a draft with 16 random digits.
    const isDraft = name.startsWith(start) && /^[0-9a-f]{16}$/.test(name.slice(start.length));
    if (!isDraft) continue;
    const draft = join(dirname(path), name);
    const entry = await lstat(draft);
    const isOld = justWritten.mtimeMs - entry.mtimeMs > LEFTOVER_AFTER_MS;
    if (entry.isFile() && isOld) await rm(draft);
  }
}

/**
 * Makes the hard link `name` to the file `target`. False: the name exists, and nothing was made.
 */
async function linkUnlessExists(target: string, name: string): Promise<boolean> {
  try {
    await makeLink(target, name);
    return true;
  } catch (cause) {
    if (errnoOf(cause) === 'EEXIST') return false;
    throw cause;
  }
}

/** The names of the entries of a folder; an empty list if the folder does not exist yet. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return [];
    throw ioError(`${folder} cannot be read`, cause);
  }
}

/** Removes the file, if it exists. */
async function removeFile(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (cause) {
    throw ioError(`${path} was not removed`, cause);
  }
}

/**
 * The text of an ordinary file and the date of its last change; undefined: there is none. Throws
 * `config` for an entry of another kind and for a file that is too large.
 */
async function readText(path: string): Promise<{ text: string; writtenAtMs: number } | undefined> {
  try {
    const entry = await stat(path);
    // Reading a pipe would never end. `ioError` below leaves this error and the next as they are.
    if (!entry.isFile()) {
      throw configError(
        `${path} is not an ordinary file. Nothing was read from it.`,
        'Remove it, or give another path for the link.',
      );
    }
    if (entry.size > MAX_FILE_BYTES) {
      throw configError(
        `${path} has ${entry.size} bytes: it is not a file of this program.`,
        'Give another path for the link.',
      );
    }
    return { text: await readFile(path, 'utf8'), writtenAtMs: Math.floor(entry.mtimeMs) };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw ioError(`${path} cannot be read`, error);
  }
}

/** An `io` error: `what`, with the code of the system if it gave one. A CourierError stays. */
function ioError(what: string, cause: unknown): CourierError {
  if (cause instanceof CourierError) return cause;
  const code = errnoOf(cause);
  return courierError(
    'io',
    code === undefined ? `${what}.` : `${what}: ${code}.`,
    'Check that the folder exists (mkdir -p), that the user of this process may write there, and that the disk is not full.',
    { cause },
  );
}
