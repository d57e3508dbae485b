import { constants } from 'node:fs';
import { access, lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import { isSameOrBelow } from '../../confined-files.ts';
import { CourierError, errnoOf, isMissing } from '../../errors.ts';
import { companionsOf } from './companions.ts';
import { fileError, statOf } from './disk.ts';
import { checkReplaceable, type ReplaceCheck } from './replaceable.ts';
import { findLeftovers, taken } from './staging.ts';

interface DestinationCheck extends ReplaceCheck {
  /** RUNNER_TEMP. */
  readonly runnerTemp: string;
  /** The home folder of the runner's user; undefined where there is none. */
  readonly home: string | undefined;
}

/**
 * Checks `bundle-path` with its manifest and checksums, and `extract-to`, before anything is started: all must be in the
 * workspace or RUNNER_TEMP by their real paths, and hold nothing that `clean` does not allow to replace. Writes nothing.
 * Throws `config`.
 */
export async function checkDestinations(check: DestinationCheck): Promise<void> {
  const { bundlePath, extractTo } = check.bundle;
  const real: string[] = [];
  if (bundlePath !== undefined) real.push(await checkPlace('bundle-path', bundlePath, check));
  if (extractTo !== undefined) real.push(await checkPlace('extract-to', extractTo, check));
  const [archive, site] = real;
  if (
    archive !== undefined &&
    site !== undefined &&
    filesOf(archive).some((file) => isSameOrBelow(file, site) || isSameOrBelow(site, file))
  ) {
    throw refuse(
      'bundle-path',
      `${bundlePath}`,
      'it, its manifest or its checksums and extract-to are one in the other',
    );
  }
  if (extractTo !== undefined) checkFolder(extractTo, check);
  await checkReplaceable(check);
}

function filesOf(bundlePath: string): string[] {
  return [bundlePath, ...Object.values(companionsOf(bundlePath))];
}

async function checkPlace(input: string, path: string, check: DestinationCheck): Promise<string> {
  if (!isAbsolute(path) || /[\0\r\n]/.test(path)) throw refuse(input, path, 'it is not an absolute path');
  const target = resolve(path);
  const real = join(await realParent(input, target), basename(target));
  const workspace = await realOrSame(check.workspace);
  const roots = [workspace, await realOrSame(check.runnerTemp)];
  const home = check.home === undefined ? undefined : await realOrSame(check.home);
  if (target === parse(target).root) throw refuse(input, path, 'it is the root of the file system');
  if (roots.includes(real) || real === home) {
    throw refuse(input, path, 'it is the workspace, RUNNER_TEMP or the home folder itself: name a folder inside');
  }
  if (!roots.some((root) => isSameOrBelow(real, root))) {
    throw refuse(input, path, 'it is neither in the workspace nor in RUNNER_TEMP');
  }
  if (real.split(sep).some((segment) => /^\.git$/i.test(segment))) throw refuse(input, path, 'it is in a .git folder');
  if (roots.some((root) => isSameOrBelow(root, real))) throw refuse(input, path, 'the workspace is in it');
  await requireWritable(input, target, dirname(target));
  return real;
}

/** What is missing is made in the nearest folder that is there. */
async function requireWritable(input: string, target: string, folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK);
  } catch (error) {
    if (isMissing(error)) return requireWritable(input, target, dirname(folder));
    throw refuse(input, target, `${folder} cannot be written to (${errnoOf(error)})`);
  }
}

// The nearest folder that is there, followed through all links; what is missing is made below it later.
async function realParent(input: string, target: string): Promise<string> {
  const parent = dirname(target);
  if (parent === target) return parent;
  try {
    const real = await realpath(parent);
    if (!(await lstat(real)).isDirectory()) throw refuse(input, target, `${parent} is not a folder`);
    return real;
  } catch (error) {
    if (!isMissing(error)) throw fileError('read the entry of', parent, error);
    return join(await realParent(input, parent), basename(parent));
  }
}

function realOrSame(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

function checkFolder(path: string, { bundle, secret }: DestinationCheck): void {
  const found = statOf(path);
  if (found?.isDirectory() === false) throw refuse('extract-to', path, 'something that is not a folder is there');
  if (found !== undefined || bundle.clean) return;
  // A run was killed between moving the old folder away and the new one in: the old one is moved back first.
  const leftovers = findLeftovers(path, secret);
  if (leftovers.some(({ former, isOurs }) => isOurs && former !== undefined)) throw taken(path);
}

function refuse(input: string, path: string, reason: string): CourierError {
  return new CourierError({
    code: 'config',
    message: `${input}: ${JSON.stringify(path)} cannot be used: ${reason}.`,
    hint: { text: 'Name a path in the workspace or in the temporary folder:', inputs: { [input]: '' } },
  });
}

/** Whether a path is in the workspace; there, some names in a bundle would act on what later steps do. */
export async function isInWorkspace(path: string, workspace: string): Promise<boolean> {
  return isSameOrBelow(join(await realParent('path', resolve(path)), basename(path)), await realOrSame(workspace));
}
