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
import { CourierError, type Hint, isMissing } from './errors.ts';
import { shownName } from './text/credentials.ts';
import { cut } from './text/escape.ts';

interface FileRequest {
  /** Absolute. */
  readonly path: string;
  /** The input that named the file, for messages. */
  readonly input: string;
  /**
   * Folders that the file's real path must lie in one of; messages show the path as seen from the
   * first.
   */
  readonly folders: readonly { readonly name: string; readonly path: string }[];
  readonly maxBytes: number;
}

/**
 * Where a file that the user names may be: in the workspace, and on a person's own machine
 * anywhere.
 */
export function userFolders(
  path: string,
  { kind, workspace }: { kind: string; workspace: string },
) {
  return [
    kind === 'local'
      ? { name: 'disk', path: parse(path).root }
      : { name: 'workspace', path: workspace },
  ];
}

/**
 * The path as people know it: below the workspace, with forward slashes; unchanged if it is
 * elsewhere.
 */
export function shownPath(path: string, workspace: string): string {
  const below = relative(workspace, path);
  return isInside(below) ? below.split(sep).join('/') : path;
}

function isInside(below: string): boolean {
  return below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/**
 * The text of a file that a stranger may have put there: a regular file, reached by no link that
 * leads out of `folders`, at most `maxBytes` long, in UTF-8. undefined when nothing is at the path;
 * `config` for anything else. No message contains any of the content.
 */
export async function readConfinedFile(request: FileRequest): Promise<string | undefined> {
  const real = await realpath(request.path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw refusal(request, 'cannot be read', error);
  });
  if (real === undefined) return undefined;
  await requireInside(real, request);
  // Without O_NONBLOCK, opening a FIFO waits for its writer forever. O_NOFOLLOW is missing on
  // Windows and then 0.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const file = await open(real, flags).catch((error: unknown) => {
    throw refusal(request, 'cannot be read', error);
  });
  try {
    await requireSame(file, request, real);
    return decodeText(await readBytes(file, request), request);
  } finally {
    await file.close();
  }
}

interface TrustedFile {
  readonly path: string;
  /** Nothing in here is trusted: a pull request could have put it there. */
  readonly workspace: string | undefined;
  /** Completes "PATH cannot be used …". */
  readonly use: string;
  readonly hint: string | Hint;
}

const MAX_TRUSTED_BYTES = 1024 * 1024;

/** The text of a file outside the workspace, also behind symbolic links. Throws `config`. */
export async function readTrustedFile({
  path,
  workspace,
  use,
  hint,
}: TrustedFile): Promise<string> {
  const unusable = (why: string, cause?: unknown) =>
    new CourierError({
      code: 'config',
      message: `${path} cannot be used ${use}: ${why}.`,
      hint,
      cause,
    });
  if (!isAbsolute(path)) throw unusable('its path is not absolute');
  try {
    if (workspace !== undefined && (await leadsInto(path, workspace))) {
      throw unusable('it is in the workspace, where a pull request can change it');
    }
    const { size } = await stat(path);
    if (size > MAX_TRUSTED_BYTES) throw unusable('it is larger than 1 MiB');
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw cause instanceof CourierError ? cause : unusable('it cannot be read', cause);
  }
}

/** Also by way of a symbolic link at either end. */
async function leadsInto(path: string, folder: string): Promise<boolean> {
  const [realPath, realFolder] = await Promise.all(
    [path, folder].map((one) => realpath(one).catch(() => one)),
  );
  return isSameOrBelow(path, folder) || isSameOrBelow(realPath ?? path, realFolder ?? folder);
}

export function isSameOrBelow(path: string, folder: string): boolean {
  return resolve(path) === resolve(folder) || isInside(relative(folder, resolve(path)));
}

// Windows adds such an ending automatically.
const ENDINGS = process.platform === 'win32' ? ['.exe', '.com', ''] : [''];

interface ProgramPlace {
  readonly PATH: string | undefined;
  /** No program in here is used: a stranger could have put it there. */
  readonly workspace: string | undefined;
  /** What a path is relative to; without it, a path must be absolute. */
  readonly folder?: string;
}

/**
 * A program by its name or path, and the folders of PATH in which a stranger can put no program:
 * absolute ones, outside of the workspace. PATH is undefined if there are none, since an empty one
 * means the working folder.
 */
export async function findProgram(name: string, { PATH = '', workspace, folder }: ProgramPlace) {
  const entries = PATH.split(delimiter).filter(isAbsolute);
  const isLed = await Promise.all(
    entries.map((entry) => workspace !== undefined && leadsInto(entry, workspace)),
  );
  const folders = entries.filter((_, index) => isLed[index] === false);
  const named = folder === undefined ? name : resolve(folder, name);
  const paths = /[\\/]/.test(name)
    ? [named].filter(isAbsolute)
    : folders.map((entry) => join(entry, name));
  const files = paths.flatMap((path) => ENDINGS.map((ending) => `${path}${ending}`));
  const program = files[(await Promise.all(files.map(isProgram))).indexOf(true)];
  return { program, PATH: folders.join(delimiter) || undefined };
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
 * What the names of files begin with that are written next to a file before they take its place. A
 * name has at most 255 bytes.
 */
export function besidePrefix(path: string): string {
  return `.${cut(basename(path), { bytes: 200 }, '')}.`;
}

/** A new path next to a file. */
export function besideFile(path: string): string {
  return join(dirname(path), `${besidePrefix(path)}${randomBytes(8).toString('hex')}`);
}

/**
 * Written to a file next to it, flushed, renamed: a reader sees the old text or the new one, never
 * a part. All in one turn: a signal in between would leave the other file, which may contain the
 * link.
 */
export function replaceFile(path: string, text: string, mode: number): void {
  const fresh = besideFile(path);
  try {
    writeFileSync(fresh, text, { flag: 'wx', mode, flush: true });
    renameSync(fresh, path);
  } finally {
    rmSync(fresh, { force: true });
  }
}

async function requireInside(real: string, request: FileRequest): Promise<void> {
  const roots = await Promise.all(
    request.folders.map(({ path }) => realpath(path).catch(() => path)),
  );
  if (roots.some((root) => isInside(relative(root, real)))) return;
  const names = request.folders.map(({ name }) => name).join(' or ');
  throw refusal(request, `is not in the ${names}, or a symbolic link leads out of it`);
}

// A folder on the way may have become a link between the look at the path and the opening: then it
// is another file.
async function requireSame(file: FileHandle, request: FileRequest, real: string): Promise<void> {
  const [opened, again, named] = await Promise.all([
    file.stat(),
    realpath(request.path),
    stat(request.path),
  ]).catch((error: unknown) => {
    throw refusal(request, 'cannot be read', error);
  });
  if (!opened.isFile()) throw refusal(request, 'is not a regular file');
  if (again !== real || opened.ino !== named.ino || opened.dev !== named.dev) {
    throw refusal(request, 'was replaced while it was being read');
  }
  if (opened.size > request.maxBytes) throw tooLarge(request);
}

async function readBytes(file: FileHandle, request: FileRequest): Promise<Uint8Array> {
  // `end` is the last byte that is read: one more than a file may have.
  const bytes = await buffer(file.createReadStream({ end: request.maxBytes, autoClose: false }));
  if (bytes.length > request.maxBytes) throw tooLarge(request);
  return bytes;
}

function decodeText(bytes: Uint8Array, request: FileRequest): string {
  const isUtf16 =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const found = isUtf16
      ? 'is UTF-16, as PowerShell and Notepad write it, and not UTF-8'
      : 'is not UTF-8 text';
    throw refusal(request, found, error).with({ hint: 'Save the file with the encoding UTF-8.' });
  }
}

function tooLarge(request: FileRequest): CourierError {
  return refusal(
    request,
    `is larger than ${Math.floor(request.maxBytes / 1024).toLocaleString('en-US')} KiB`,
  );
}

function refusal(
  { input, path, folders }: FileRequest,
  problem: string,
  cause?: unknown,
): CourierError {
  // Below the root of the disk every path is.
  const shown =
    folders[0] === undefined || dirname(folders[0].path) === folders[0].path
      ? path
      : shownPath(path, folders[0].path);
  return new CourierError({
    code: 'config',
    inputs: [input],
    message: `${input}: ${shownName(shown)} ${problem}.`,
    hint: `Give ${input} the path of a regular file inside the workspace.`,
    cause,
  });
}
