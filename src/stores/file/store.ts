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
import { CourierError } from '../../errors.ts';
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
  readonly claims: Claims;
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
    this.claims = this.#makeClaims();
  }

  async preflight(use?: StoreUse): Promise<readonly CheckResult[]> {
    await this.#checkFolder(use);
    const isNew = (await readText(this.#linkPath)) === undefined;
    const detail = isNew ? 'It is new.' : 'It can be read and replaced.';
    return [{ what: this.names.link, outcome: 'ok', detail }];
  }

  async write({ link, state }: StoreChange): Promise<Snapshot> {
    if (link !== undefined) await this.#replace(this.#linkPath, link);
    if (state !== undefined) await this.#replace(this.#statePath, state);
    const after = await this.read();
    if (shows({ link, state }, after)) return after;
    throw new CourierError({
      code: 'integrity',
      message: `${this.names.destination} was written and then contains something else: another process writes it too.`,
      hint: 'Let only one process write this file.',
      mayHaveStarted: true,
    });
  }

  async read(): Promise<Snapshot> {
    const [link, state] = [await readText(this.#linkPath), await readText(this.#statePath)];
    const found = readLinkValue(link?.text);
    return {
      ...found,
      link: found.link && { ...found.link, writtenAtMs: link?.writtenAtMs },
      state: state?.text,
      stateWrittenAtMs: state?.writtenAtMs,
      version: undefined,
    };
  }

  async #checkFolder(use?: StoreUse): Promise<void> {
    for (const path of [this.#linkPath, this.#statePath]) {
      const found = await lstat(path).catch(() => undefined);
      if (found !== undefined && !found.isFile()) {
        throw new CourierError({
          code: 'config',
          message: `${path} is a ${found.isSymbolicLink() ? 'symbolic link' : 'folder or a device'}: it is not replaced. Nothing was written.`,
          hint: 'Give the path of an ordinary file, or of one that does not exist yet.',
        });
      }
    }
    const folder = dirname(this.#linkPath);
    try {
      const existing = await this.#existingFolder(folder);
      if (use !== 'read') await access(existing, constants.W_OK);
      await this.#checkWay(existing);
    } catch (cause) {
      if (cause instanceof CourierError) throw cause;
      throw ioError(`The folder ${folder} cannot be written to`, cause);
    }
  }

  /**
   * The folder, or the nearest one above it if it is missing in the workspace: the first write
   * makes it.
   */
  async #existingFolder(folder: string): Promise<string> {
    const isMade =
      this.#workspace !== undefined &&
      folder !== this.#workspace &&
      isSameOrBelow(folder, this.#workspace);
    // A link that leads nowhere is there, too.
    const isThere = await lstat(folder).then(
      () => true,
      (error: unknown) => !systemCodes(error).includes('ENOENT'),
    );
    if (!isThere && isMade) return this.#existingFolder(dirname(folder));
    if (!(await stat(folder)).isDirectory()) throw new Error('It is not a folder.');
    return folder;
  }

  async #checkWay(folder: string): Promise<void> {
    const real = await realpath(folder);
    const workspace = this.#workspace;
    const isOut =
      workspace !== undefined &&
      isSameOrBelow(folder, workspace) &&
      !isSameOrBelow(real, await realpath(workspace));
    const isGit = real.split(sep).some((name) => name.toLowerCase() === '.git');
    if (!isOut && !isGit) return;
    throw new CourierError({
      code: 'config',
      message: isGit
        ? `${this.#linkPath} is in a .git folder. Nothing was written.`
        : `${this.#linkPath} leads out of the workspace, through a symbolic link in it. Nothing was written.`,
      hint: 'Give the path of a file in the workspace, or the absolute path of a file outside of it.',
    });
  }

  /** `PATH.state.7.json`, next to the state: a name that exists is not made again. */
  #makeClaims(): Claims {
    const folder = dirname(this.#linkPath);
    const start = `${basename(this.#linkPath)}.state`;
    const pathOf = (number: number) => `${this.#linkPath}${claimSuffix(number)}`;
    return {
      create: (number, text) => this.#create(pathOf(number), text),
      read: async (number) => {
        const path = pathOf(number);
        // A pipe or a folder is not a claim, and is not read.
        if ((await isOrdinary(path)) === false) return { text: '' };
        const found = await readText(path);
        return found && { text: found.text };
      },
      list: async (above) => {
        const names = (await namesIn(folder)).map((name) => name.replace(/\.(\d+)\.json$/, '_$1'));
        return numbersIn(names, start, above);
      },
      remove: (number) => removeFile(pathOf(number)),
    };
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
      if (cause instanceof CourierError) throw cause;
      throw ioError(`${path} was not written`, cause);
    } finally {
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  /** Makes the folder, if it is in the workspace. */
  async #prepare(folder: string): Promise<void> {
    if (this.#workspace === undefined || !isSameOrBelow(folder, this.#workspace)) return;
    await mkdir(folder, { recursive: true });
    await this.#checkWay(folder);
  }

  async #replace(path: string, text: string): Promise<void> {
    try {
      await this.#prepare(dirname(path));
      replaceFile(path, text, 0o600);
      await removeLeftovers(path).catch(() => undefined);
    } catch (cause) {
      if (cause instanceof CourierError) throw cause;
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
  const [folder, start] = [dirname(path), besidePrefix(path)];
  const { mtimeMs } = await stat(path);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(start) || !/^[0-9a-f]{16}$/.test(name.slice(start.length))) continue;
    const found = await lstat(join(folder, name));
    if (found.isFile() && mtimeMs - found.mtimeMs > LEFTOVER_AFTER_MS) await rm(join(folder, name));
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

/** undefined: nothing is there. */
async function isOrdinary(path: string): Promise<boolean | undefined> {
  return (await stat(path).catch(() => undefined))?.isFile();
}

async function readText(path: string): Promise<{ text: string; writtenAtMs: number } | undefined> {
  try {
    const found = await stat(path);
    const { size, mtimeMs } = found;
    // A pipe would be read for ever.
    if (!found.isFile()) {
      throw new CourierError({
        code: 'config',
        message: `${path} is not an ordinary file. Nothing was read from it.`,
        hint: 'Remove it, or give another path for the link.',
      });
    }
    if (size > MAX_FILE_BYTES) {
      throw new CourierError({
        code: 'config',
        message: `${path} has ${size} bytes: it is not a file of this program.`,
        hint: 'Give another path for the link.',
      });
    }
    return { text: await readFile(path, 'utf8'), writtenAtMs: Math.floor(mtimeMs) };
  } catch (error) {
    if (error instanceof CourierError) throw error;
    if (systemCodes(error).includes('ENOENT')) return undefined;
    throw ioError(`${path} cannot be read`, error);
  }
}

function ioError(what: string, cause: unknown): CourierError {
  const [code] = systemCodes(cause);
  return new CourierError({
    code: 'io',
    message: `${what}${code === undefined ? '' : `: ${code}`}.`,
    hint: 'Check that the folder exists (mkdir -p), that the user of this process may write there, and that the disk is not full.',
    cause,
  });
}
