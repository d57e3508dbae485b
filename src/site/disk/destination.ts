import { constants } from 'node:fs';
import { access, lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import { isSameOrBelow } from '../../ground/confined-files.ts';
import { type CourierError, configError, errnoOf, isMissing } from '../../ground/errors.ts';
import { MAX_NAME_BYTES } from '../../ground/text/paths.ts';
import type { OutputFile } from '../../inputs/output-files.ts';
import { companionsOf } from './companions.ts';
import { fileError, statOf } from './disk.ts';
import { checkReplaceable, type ReplaceCheck } from './replaceable.ts';
import { findLeftovers, taken } from './staging.ts';

interface DestinationCheck extends ReplaceCheck {
  /** RUNNER_TEMP. */
  readonly runnerTemp: string;
  /** The home folder of the runner's user; undefined if there is none. */
  readonly home: string | undefined;
  readonly outputFiles: readonly OutputFile[];
  /** The site that is read, if it is there already. */
  readonly from?: string | undefined;
}

/**
 * Checks everything that a run writes to this disk before anything is started: `bundle-path` and
 * `extract-to` must be in the workspace or RUNNER_TEMP by their real paths, and what they replace
 * is decided by `checkReplaceable`; no two outputs may have one path, and none may be in
 * `extract-to`, where it would be published with the site. Writes nothing. Throws `config`.
 */
export async function checkOutputPaths(check: DestinationCheck): Promise<void> {
  const { bundlePath, extractTo } = check.bundle;
  // Every file that is written, by its real path, and the folder of the site.
  const outputs: OutputFile[] = [];
  let site: string | undefined;
  if (bundlePath !== undefined) {
    const archive = await checkDestination('bundle-path', bundlePath, check);
    if (statOf(archive)?.isDirectory()) throw refuse('bundle-path', archive, 'it is a folder');
    for (const path of [archive, ...Object.values(companionsOf(archive))])
      outputs.push({ input: 'bundle-path', path });
  }
  if (extractTo !== undefined) {
    site = await checkDestination('extract-to', extractTo, check);
    outputs.push({ input: 'extract-to', path: companionsOf(site).manifest });
  }
  for (const { input, path } of check.outputFiles) {
    // A pipe, a terminal or /dev/null takes any number of writers, and replaces nothing.
    const stats = await stat(path).catch(() => undefined);
    const isDevice = stats !== undefined && !stats.isFile() && !stats.isDirectory();
    if (isDevice) continue;
    outputs.push({ input, path: await realOutput(input, path) });
  }
  checkOverlaps(outputs, site);
  if (check.from !== undefined) await checkApart(check.from, outputs, site);
  if (extractTo !== undefined) checkSiteFolder(extractTo, check);
  await checkReplaceable(check);
}

/** Where a file is written: if it is there already and is a link, where that leads. */
async function realOutput(input: string, path: string): Promise<string> {
  const target = resolve(path);
  return realpath(target).catch(() => realPathOf(input, target));
}

/**
 * Throws if two outputs have one path, or one of them is in the folder of the site or around it.
 */
function checkOverlaps(outputs: readonly OutputFile[], site: string | undefined): void {
  const inputByPath = new Map<string, string>();
  for (const { input, path } of outputs) {
    if (site !== undefined) checkOutsideSite(input, path, site);
    const earlierInput = inputByPath.get(path);
    if (earlierInput !== undefined)
      throw refuse(input, path, `${earlierInput} writes this file too`);
    inputByPath.set(path, input);
  }
}

/** Throws if something is written into the site that is read, or the site is in `extract-to`. */
async function checkApart(
  from: string,
  outputs: readonly OutputFile[],
  site: string | undefined,
): Promise<void> {
  const real = await realOrSame(from);
  const inside = outputs.find(({ path }) => isSameOrBelow(path, real));
  if (inside !== undefined)
    throw refuse(inside.input, inside.path, `it is in ${from}, which from reads`);
  if (site === undefined) return;
  if (isSameOrBelow(site, real))
    throw refuse('extract-to', site, `it is in ${from}, which from reads`);
  if (isSameOrBelow(real, site))
    throw refuse('extract-to', site, `${from}, which from reads, is in it`);
}

function checkOutsideSite(input: string, path: string, site: string): void {
  if (isSameOrBelow(path, site)) {
    const reason = 'it is in the folder of extract-to, which would publish it with the site';
    throw refuse(input, path, reason);
  }
  // A file cannot be written where a folder is.
  if (isSameOrBelow(site, path)) throw refuse(input, path, 'extract-to is a folder below it');
}

/** Gives the real path of a destination. Throws `config` if nothing may be written there. */
async function checkDestination(
  input: string,
  path: string,
  check: DestinationCheck,
): Promise<string> {
  if (/[\r\n]/.test(path))
    throw refuse(input, path, 'it has more than one line: one run writes to one folder or file');
  if (!isAbsolute(path) || path.includes('\0'))
    throw refuse(input, path, 'it is not an absolute path');
  const target = resolve(path);
  const real = await realPathOf(input, target);
  const reason = await judgeDestination(target, real, check);
  if (reason !== undefined) throw refuse(input, path, reason);
  await requireWritable(input, target, dirname(target));
  return real;
}

/**
 * Why nothing may be written to a destination; undefined if it may. `real`: its real path, which
 * counts, since a link could lead out of the workspace.
 */
async function judgeDestination(
  target: string,
  real: string,
  check: DestinationCheck,
): Promise<string | undefined> {
  const roots = [await realOrSame(check.workspace), await realOrSame(check.runnerTemp)];
  const home = check.home === undefined ? undefined : await realOrSame(check.home);
  if (target === parse(target).root) return 'it is the root of the file system';
  if (roots.includes(real) || real === home)
    return 'it is the working folder, the temporary folder or the home folder itself: name a folder inside';
  if (!roots.some((root) => isSameOrBelow(real, root)))
    return `it is neither in the working folder ${roots.join(' nor in the temporary folder ')}`;
  if (real.split(sep).some((segment) => /^\.git$/i.test(segment))) return 'it is in a .git folder';
  // It is below one of the two, and around the other: one of them is in the other.
  if (roots.some((root) => isSameOrBelow(root, real)))
    return 'the working folder or the temporary folder is in it';
  // Of the files next to the destination, the manifest has the longest name.
  const nameBytes = Buffer.byteLength(basename(target));
  const suffixBytes = Buffer.byteLength(basename(companionsOf(target).manifest)) - nameBytes;
  const mostBytes = MAX_NAME_BYTES - suffixBytes;
  if (nameBytes <= mostBytes) return undefined;
  return `its last part has more than ${mostBytes} bytes`;
}

/**
 * Throws if the nearest folder that exists cannot be written to: missing folders are made in it.
 */
async function requireWritable(input: string, target: string, folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK);
  } catch (error) {
    if (isMissing(error)) return requireWritable(input, target, dirname(folder));
    throw refuse(input, target, `${folder} cannot be written to (${errnoOf(error)})`);
  }
}

// The real path of the parent of a path. If the parent is missing, that of the nearest folder that
// exists, with the names of the missing ones behind it.
async function realParent(input: string, target: string): Promise<string> {
  const parent = dirname(target);
  // The root of the file system is its own parent, and has no link in its path.
  if (parent === target) return parent;
  try {
    const real = await realpath(parent);
    if (!(await lstat(real)).isDirectory())
      throw refuse(input, target, `${parent} is not a folder`);
    return real;
  } catch (error) {
    if (isMissing(error)) return realPathOf(input, parent);
    // `fileError` gives the refusal above back as it is.
    throw fileError('read the entry of', parent, error);
  }
}

/** The path with all links followed, except a link at its last part. */
async function realPathOf(input: string, path: string): Promise<string> {
  return join(await realParent(input, path), basename(path));
}

/** The real path; of a path that does not exist, the path itself. */
function realOrSame(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

/** Refuses a file at `extract-to`, and without `clean` former content that will be moved back. */
function checkSiteFolder(path: string, check: DestinationCheck): void {
  const stats = statOf(path);
  if (stats !== undefined && !stats.isDirectory())
    throw refuse('extract-to', path, 'something that is not a folder is there');
  // A folder that is there stays until `checkReplaceable` has looked at what it contains.
  if (stats !== undefined || check.bundle.clean) return;
  // A run was killed after it moved the old folder away: this run would move it back first.
  for (const leftover of findLeftovers(path, check.secret))
    if (leftover.isOurs && leftover.former !== undefined) throw taken(path);
}

function refuse(input: string, path: string, reason: string): CourierError {
  return configError(
    `${input}: ${JSON.stringify(path)} cannot be used: ${reason}.`,
    'Name another path in the working folder or in the temporary folder.',
  );
}

/**
 * Whether `extract-to` is in the workspace: there, files with some names would change what later
 * steps do.
 */
export async function isInWorkspace(extractTo: string, workspace: string): Promise<boolean> {
  const real = await realPathOf('extract-to', resolve(extractTo));
  return isSameOrBelow(real, await realOrSame(workspace));
}
