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
import { besideFile, besidePrefix, isSameOrBelow, replaceFile } from '../../confined-files.ts';
import { CourierError, configError } from '../../errors.ts';
import { systemCodes } from '../../http/service.ts';
import {
  type CheckResult,
  type Claims,
  type LinkStore,
  numbersIn,
  readLinkValue,
  type Snapshot,
  type StoreChange,
  type StoreNames,
  type StoreUse,
  shows,
} from '../port.ts';
import { claimSuffix, formatAddress, STATE_SUFFIX } from './address.ts';

// A link has a few hundred bytes and a state not many more: whatever is larger is not ours.
const MAX_FILE_BYTES = 64 * 1024;

/**
 * A file that contains nothing but the link, and `PATH.state.json` next to it, both with mode 0600.
 * Each is replaced in one step: a reader sees the old text or the new one, never a part.
 */
export class FileStore implements LinkStore {
  readonly names: StoreNames;
  readonly signedAddress: string;
  readonly can = { guard: 'claims', shows: 'value' } as const;
  // `PATH.state.7.json`, next to the state: a name that exists is not made again.
  readonly claims: Claims = {
    create: (number, text) => this.#create(this.#claimPath(number), text),
    read: async (number) => {
      const path = this.#claimPath(number);
      const there = await stat(path).catch(() => undefined);
      // A pipe or a folder is not a claim, and is not read.
      if (there?.isFile() === false) return { text: '' };
      const found = await readText(path);
      return found && { text: found.text };
    },
    list: async (above) => {
      const names = await namesIn(dirname(this.#linkPath));
      const own = names.map((name) => name.replace(/\.(\d+)\.json$/, '_$1'));
      return numbersIn(own, `${basename(this.#linkPath)}.state`, above);
    },
    remove: (number) => removeFile(this.#claimPath(number)),
  };
  readonly #linkPath: string;
  readonly #statePath: string;
  readonly #workspace: string | undefined;

  /**
   * Both are absolute. What is checked out in the workspace must not lead a path in there to
   * another destination.
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
    await this.#checkFolder(use);
    const isNew = (await readText(this.#linkPath)) === undefined;
    const detail = isNew ? 'It is new.' : 'It can be read and replaced.';
    return [{ what: this.names.link, outcome: 'ok', detail }];
  }

  async write(change: StoreChange): Promise<Snapshot> {
    if (change.link !== undefined) await this.#replace(this.#linkPath, change.link);
    if (change.state !== undefined) await this.#replace(this.#statePath, change.state);
    const after = await this.read();
    if (shows(change, after)) return after;
    throw new CourierError({
      code: 'integrity',
      message: `${this.names.destination} was written and then contains something else: another process writes it too.`,
      hint: 'Let only one process write this file.',
      mayHaveStarted: true,
    });
  }

  async read(): Promise<Snapshot> {
    const link = await readText(this.#linkPath);
    const state = await readText(this.#statePath);
    const found = readLinkValue(link?.text);
    return {
      ...found,
      link: found.link && { ...found.link, writtenAtMs: link?.writtenAtMs },
      state: state?.text,
      stateWrittenAtMs: state?.writtenAtMs,
    };
  }

  async #checkFolder(use?: StoreUse): Promise<void> {
    for (const path of [this.#linkPath, this.#statePath]) {
      const found = await lstat(path).catch(() => undefined);
      if (found !== undefined && !found.isFile()) {
        const what = found.isSymbolicLink() ? 'symbolic link' : 'folder or a device';
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
      await this.#checkWay(existing);
    } catch (cause) {
      throw ioError(`The folder ${folder} cannot be written to`, cause);
    }
  }

  /**
   * The folder, or the nearest one above it if it is missing in the workspace: the first write
   * makes it.
   */
  async #existingFolder(folder: string): Promise<string> {
    // A link that leads nowhere is there, too.
    const isThere = await lstat(folder).then(
      () => true,
      (error: unknown) => !systemCodes(error).includes('ENOENT'),
    );
    if (!isThere && this.#isInWorkspace(folder) && folder !== this.#workspace) {
      return this.#existingFolder(dirname(folder));
    }
    if (!(await stat(folder)).isDirectory()) throw new Error('It is not a folder.');
    return folder;
  }

  #isInWorkspace(path: string): boolean {
    return this.#workspace !== undefined && isSameOrBelow(path, this.#workspace);
  }

  async #checkWay(folder: string): Promise<void> {
    const real = await realpath(folder);
    const hint =
      'Give the path of a file in the workspace, or the absolute path of a file outside of it.';
    if (real.toLowerCase().split(sep).includes('.git')) {
      throw configError(`${this.#linkPath} is in a .git folder. Nothing was written.`, hint);
    }
    if (!this.#isInWorkspace(folder)) return;
    if (isSameOrBelow(real, await realpath(this.#workspace ?? ''))) return;
    throw configError(
      `${this.#linkPath} leads out of the workspace, through a symbolic link in it. Nothing was written.`,
      hint,
    );
  }

  #claimPath(number: number): string {
    return `${this.#linkPath}${claimSuffix(number)}`;
  }

  /** Complete from the moment when it exists: a link to a file that was written before. */
  async #create(path: string, text: string): Promise<boolean> {
    // What a killed run leaves of it is removed like that of a state.
    const draft = besideFile(this.#statePath);
    try {
      await this.#prepare(dirname(path));
      await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
      return await linkUnlessExists(draft, path);
    } catch (cause) {
      throw ioError(`${path} was not written`, cause);
    } finally {
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  /** Makes the folder, if it is in the workspace. */
  async #prepare(folder: string): Promise<void> {
    if (!this.#isInWorkspace(folder)) return;
    await mkdir(folder, { recursive: true });
    await this.#checkWay(folder);
  }

  async #replace(path: string, text: string): Promise<void> {
    try {
      await this.#prepare(dirname(path));
      replaceFile(path, text, 0o600);
      await removeLeftovers(path).catch(() => undefined);
    } catch (cause) {
      throw ioError(`${path} was not written`, cause);
    }
  }
}

// A run is done with such a file within a moment: an older one is not that of a run that is still
// active.
const LEFTOVER_AFTER_MS = 60_000;

/**
 * Removes what a run that was killed before the rename has left next to a file that was just
 * written: it may contain a link.
 */
async function removeLeftovers(path: string): Promise<void> {
  const start = besidePrefix(path);
  const newest = await stat(path);
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(start) || !/^[0-9a-f]{16}$/.test(name.slice(start.length))) continue;
    const leftover = join(dirname(path), name);
    const found = await lstat(leftover);
    const isOld = newest.mtimeMs - found.mtimeMs > LEFTOVER_AFTER_MS;
    if (found.isFile() && isOld) await rm(leftover);
  }
}

/** False: the name exists. */
async function linkUnlessExists(target: string, name: string): Promise<boolean> {
  try {
    await makeLink(target, name);
    return true;
  } catch (cause) {
    if (systemCodes(cause).includes('EEXIST')) return false;
    throw cause;
  }
}

/** None if the folder does not exist yet. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    if (systemCodes(cause).includes('ENOENT')) return [];
    throw ioError(`${folder} cannot be read`, cause);
  }
}

async function removeFile(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (cause) {
    throw ioError(`${path} was not removed`, cause);
  }
}

async function readText(path: string): Promise<{ text: string; writtenAtMs: number } | undefined> {
  try {
    const found = await stat(path);
    // A pipe would be read for ever.
    if (!found.isFile()) {
      throw configError(
        `${path} is not an ordinary file. Nothing was read from it.`,
        'Remove it, or give another path for the link.',
      );
    }
    if (found.size > MAX_FILE_BYTES) {
      throw configError(
        `${path} has ${found.size} bytes: it is not a file of this program.`,
        'Give another path for the link.',
      );
    }
    return { text: await readFile(path, 'utf8'), writtenAtMs: Math.floor(found.mtimeMs) };
  } catch (error) {
    if (systemCodes(error).includes('ENOENT')) return undefined;
    throw ioError(`${path} cannot be read`, error);
  }
}

function ioError(what: string, cause: unknown): CourierError {
  if (cause instanceof CourierError) return cause;
  const [code] = systemCodes(cause);
  return new CourierError({
    code: 'io',
    message: code === undefined ? `${what}.` : `${what}: ${code}.`,
    hint: 'Check that the folder exists (mkdir -p), that the user of this process may write there, and that the disk is not full.',
    cause,
  });
}
