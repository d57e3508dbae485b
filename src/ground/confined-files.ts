import { randomBytes } from 'node:crypto';
import { constants, renameSync, rmSync, writeFileSync } from 'node:fs';
import { access, type FileHandle, open, readFile, realpath, stat } from 'node:fs/promises';
import {
  basename,
  delimiter,
  dirname,
  isAbsolute,
  join,
  parse,
  relative,
  resolve,
  sep,
} from 'node:path';
import { buffer } from 'node:stream/consumers';
import { CourierError, configError, type Hint, isMissing } from './errors.ts';
import { shownName } from './text/credentials.ts';
import { cut } from './text/escape.ts';

interface Folder {
  readonly name: string;
  readonly path: string;
}

interface FileRequest {
  /** Absolute. */
  readonly path: string;
  /** The input that named the file, for messages. */
  readonly input: string;
  /**
   * Folders that the file's real path must lie in one of; messages show the path as seen from the
   * first.
   */
  readonly folders: readonly [Folder, ...Folder[]];
  readonly maxBytes: number;
}

/**
 * Where a file that the user names may be: in the workspace, and on a person's own machine
 * anywhere.
 */
export function userFolders(path: string, run: { kind: string; workspace: string }): [Folder] {
  if (run.kind === 'local') return [{ name: 'disk', path: parse(path).root }];
  return [{ name: 'workspace', path: run.workspace }];
}

/**
 * The path as people know it: below the workspace, with forward slashes; unchanged if it is
 * elsewhere.
 */
export function shownPath(path: string, workspace: string): string {
  const below = relative(workspace, path);
  if (!isInside(below)) return path;
  return below.split(sep).join('/');
}

/** True for a relative path that leads to something in the folder that it starts from. */
function isInside(path: string): boolean {
  const leadsOut = path === '..' || path.startsWith(`..${sep}`);
  // On Windows, `relative` gives an absolute path if the other one is on another drive.
  return path !== '' && !leadsOut && !isAbsolute(path);
}

/**
 * The text of a file that a stranger may have put there: a regular file, reached by no link that
 * leads out of `folders`, at most `maxBytes` long, in UTF-8. undefined if nothing is at the path.
 * Throws `config` for any other file. No message contains any of the content.
 */
export async function readConfinedFile(request: FileRequest): Promise<string | undefined> {
  const real = await realpath(request.path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw refusal(request, 'cannot be read', error);
  });
  if (real === undefined) return undefined;
  await requireInside(real, request);
  // Without O_NONBLOCK, opening a FIFO waits for its writer forever. With O_NOFOLLOW, opening fails
  // if a link was put there after the check. Windows has neither flag.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const file = await open(real, flags).catch((error: unknown) => {
    throw refusal(request, 'cannot be read', error);
  });
  try {
    await requireAllowedFile(file, request, real);
    return decodeText(await readBytes(file, request), request);
  } finally {
    await file.close();
  }
}

interface TrustedFile {
  readonly path: string;
  /** No file in this folder is trusted: a pull request could have put it there. */
  readonly workspace: string | undefined;
  /** Completes "PATH cannot be used …". */
  readonly use: string;
  readonly hint: string | Hint;
}

const MAX_TRUSTED_BYTES = 1024 * 1024;

/** The text of a file outside the workspace, also behind symbolic links. Throws `config`. */
export async function readTrustedFile(trusted: TrustedFile): Promise<string> {
  const { path, workspace } = trusted;
  if (!isAbsolute(path)) throw unusable(trusted, 'its path is not absolute');
  try {
    if (workspace !== undefined && (await leadsInto(path, workspace)))
      throw unusable(trusted, 'it is in the workspace, where a pull request can change it');
    if ((await stat(path)).size > MAX_TRUSTED_BYTES)
      throw unusable(trusted, 'it is larger than 1 MiB');
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof CourierError) throw cause;
    throw unusable(trusted, 'it cannot be read', cause);
  }
}

function unusable(trusted: TrustedFile, why: string, cause?: unknown): CourierError {
  return configError(`${trusted.path} cannot be used ${trusted.use}: ${why}.`, trusted.hint, {
    cause,
  });
}

/** True if the path is the folder or below it, also by way of symbolic links. */
async function leadsInto(path: string, folder: string): Promise<boolean> {
  // A link in the folder counts too, wherever it leads: a person who can write there can change it.
  if (isSameOrBelow(path, folder)) return true;
  return isSameOrBelow(await realOrSame(path), await realOrSame(folder));
}

function realOrSame(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

export function isSameOrBelow(path: string, folder: string): boolean {
  return resolve(path) === resolve(folder) || isInside(relative(folder, resolve(path)));
}

// Windows adds such an ending automatically.
const ENDINGS = process.platform === 'win32' ? ['.exe', '.com', ''] : [''];

interface ProgramPlace {
  readonly PATH: string | undefined;
  /** No program is found by its name in this folder: a stranger could have put it there. */
  readonly workspace: string | undefined;
  /** What a path is relative to; without it, a path must be absolute. */
  readonly folder?: string;
}

/**
 * Finds a program by its name or path; undefined: there is none. Gives also PATH with only the
 * folders in which no stranger can put a program: absolute ones, outside of the workspace. PATH is
 * undefined if none is left, since an empty one means the working folder.
 */
export async function findProgram(name: string, place: ProgramPlace) {
  const { workspace, folder } = place;
  const folders: string[] = [];
  for (const entry of place.PATH?.split(delimiter).filter(isAbsolute) ?? []) {
    if (workspace === undefined || !(await leadsInto(entry, workspace))) folders.push(entry);
  }
  let paths = folders.map((entry) => join(entry, name));
  // A name with a slash is a path: PATH is not searched, and the user may name any folder.
  if (/[\\/]/.test(name)) paths = [folder === undefined ? name : resolve(folder, name)];
  // Without a folder to start from, a relative path leads to no program.
  const program = await firstProgram(paths.filter(isAbsolute));
  return { program, PATH: folders.join(delimiter) || undefined };
}

async function firstProgram(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    for (const ending of ENDINGS) if (await isProgram(path + ending)) return path + ending;
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/**
 * What the names of new files begin with that are written next to a file and then replace it. A
 * name has at most 255 bytes.
 */
export function besidePrefix(path: string): string {
  // Cut without an ellipsis.
  return `.${cut(basename(path), { bytes: 200 }, '')}.`;
}

/** A new path next to a file. */
export function besideFile(path: string): string {
  return join(dirname(path), `${besidePrefix(path)}${randomBytes(8).toString('hex')}`);
}

/**
 * Writes the text to a new file next to the path, flushes it, and renames it: a reader sees the old
 * text or the new text, never a part. All is synchronous: a signal in between would leave the new
 * file, which may contain the link.
 */
export function replaceFile(path: string, text: string, mode: number): void {
  const newFile = besideFile(path);
  try {
    writeFileSync(newFile, text, { flag: 'wx', mode, flush: true });
    renameSync(newFile, path);
  } finally {
    // It is still there only if something failed.
    rmSync(newFile, { force: true });
  }
}

async function requireInside(real: string, request: FileRequest): Promise<void> {
  for (const folder of request.folders)
    if (isInside(relative(await realOrSame(folder.path), real))) return;
  const names = request.folders.map((folder) => folder.name).join(' or ');
  throw refusal(request, `is not in the ${names}, or a symbolic link leads out of it`);
}

// Throws if the opened file is too large, is not a regular file, or is not the one at the path that
// was checked: a folder of the path may have been replaced by a link in between.
async function requireAllowedFile(
  file: FileHandle,
  request: FileRequest,
  real: string,
): Promise<void> {
  const [opened, realAgain, atPath] = await Promise.all([
    file.stat(),
    realpath(request.path),
    stat(request.path),
  ]).catch((error: unknown) => {
    throw refusal(request, 'cannot be read', error);
  });
  if (!opened.isFile()) throw refusal(request, 'is not a regular file');
  const isSameFile = opened.ino === atPath.ino && opened.dev === atPath.dev;
  if (realAgain !== real || !isSameFile) {
    throw refusal(request, 'was replaced while it was being read');
  }
  if (opened.size > request.maxBytes) throw tooLarge(request);
}

async function readBytes(file: FileHandle, request: FileRequest): Promise<Uint8Array> {
  // `end` is the position of the last byte that is read: one byte more than a file may have.
  const bytes = await buffer(file.createReadStream({ end: request.maxBytes, autoClose: false }));
  if (bytes.length > request.maxBytes) throw tooLarge(request);
  return bytes;
}

function decodeText(bytes: Uint8Array, request: FileRequest): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const byteOrderMark = Buffer.from(bytes.subarray(0, 2)).toString('hex');
    const isUtf16 = byteOrderMark === 'fffe' || byteOrderMark === 'feff';
    const problem = isUtf16
      ? 'is UTF-16, as PowerShell and Notepad write it, and not UTF-8'
      : 'is not UTF-8 text';
    throw refusal(request, problem, error).with({ hint: 'Save the file with the encoding UTF-8.' });
  }
}

function tooLarge(request: FileRequest): CourierError {
  const most = Math.floor(request.maxBytes / 1024).toLocaleString('en-US');
  return refusal(request, `is larger than ${most} KiB`);
}

function refusal(request: FileRequest, problem: string, cause?: unknown): CourierError {
  const { input, path } = request;
  const folder = request.folders[0].path;
  // Only the root of a disk is its own parent: on a person's machine the file may be anywhere.
  const isAnywhere = dirname(folder) === folder;
  let shown = path;
  let wanted = 'a regular file';
  if (!isAnywhere) {
    shown = shownPath(path, folder);
    wanted = 'a regular file inside the workspace';
  }
  return configError(
    `${input}: ${shownName(shown)} ${problem}.`,
    `Give ${input} the path of ${wanted}.`,
    { inputs: [input], cause },
  );
}
