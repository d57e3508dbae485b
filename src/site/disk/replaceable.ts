import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod/mini';
import { type CourierError, configError, hasCode } from '../../ground/errors.ts';
import { runGit } from '../../ground/git.ts';
import { parseJson } from '../../ground/text/json.ts';
import type { BundleInputs } from '../../inputs/inputs.ts';
import { companionsOf, formatChecksum } from './companions.ts';
import { statOf } from './disk.ts';
import { type Entry, entriesOf, fingerprint } from './fingerprint.ts';
import { hashFile } from './hash-file.ts';
import { findLeftovers, stagedManifest, taken } from './staging.ts';

export interface ReplaceCheck {
  readonly bundle: BundleInputs;
  /** GITHUB_WORKSPACE. */
  readonly workspace: string;
  /** The environment of the run, for git. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The admin key, which signs what a killed run leaves. */
  readonly secret: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Decides what a bundle may replace. Without `clean`: only an empty folder. With `clean` also what
 * an export made: files that the manifest next to the archive or the folder lists with this digest,
 * and, in a git checkout, tracked and unchanged files of a folder that is a site. Throws `config`
 * for anything else, with the first three files. Writes nothing. Gives the fingerprint of what is
 * at each path: `Staging` replaces exactly that, and nothing that came later.
 */
export async function checkReplaceable(check: ReplaceCheck): Promise<ReadonlyMap<string, string>> {
  const { bundlePath, extractTo } = check.bundle;
  const fingerprints = new Map<string, string>();
  if (bundlePath !== undefined) await checkReplaceableArchive(bundlePath, check, fingerprints);
  if (extractTo !== undefined) await checkReplaceableSite(extractTo, check, fingerprints);
  return fingerprints;
}

/** Checks an earlier archive, its manifest and checksums, and notes their fingerprints. */
async function checkReplaceableArchive(
  path: string,
  check: ReplaceCheck,
  fingerprints: Map<string, string>,
): Promise<void> {
  const { manifest, checksums } = companionsOf(path);
  const paths = [path, manifest, checksums];
  // Before the checks, so that a change during them is noticed when the bundle is moved there.
  for (const file of paths) fingerprints.set(file, fingerprint(file));
  const files = paths.filter((file) => statOf(file) !== undefined);
  // A folder, a link or a device is never replaced.
  const notFile = files.find((file) => statOf(file)?.isFile() !== true);
  if (notFile !== undefined) throw notReplaceable('bundle-path', path, [notFile]);
  const [first] = files;
  if (first === undefined) return;
  // Those of the archives that exports put there. A manifest without an archive adds none.
  const earlierManifests = readManifests(path, check.secret);
  const listedDigests = earlierManifests.flatMap(({ archive }) => archive?.sha256 ?? []);
  const foreignFiles: string[] = [];
  for (const file of files) {
    if (file === manifest && readManifest(file) !== undefined) continue;
    if (file === path && listedDigests.includes(await digestOf(file, check))) continue;
    if (file === checksums && isChecksumOf(file, path, listedDigests)) continue;
    foreignFiles.push(file);
  }
  if (foreignFiles.length > 0) throw notReplaceable('bundle-path', path, foreignFiles);
  if (!check.bundle.clean) throw taken(first);
}

/** Whether a file is one of checksums that an export wrote for an archive of a manifest. */
function isChecksumOf(file: string, archive: string, listedDigests: readonly string[]): boolean {
  const text = textOf(file, MAX_CHECKSUM_BYTES);
  const name = basename(archive);
  return listedDigests.some((sha256) => text === formatChecksum(name, sha256));
}

function digestOf(file: string, check: ReplaceCheck): Promise<string> {
  return hashFile(file, createHash('sha256'), check.signal);
}

/** Checks the folder of an earlier site and its manifest, and notes their fingerprints. */
async function checkReplaceableSite(
  path: string,
  check: ReplaceCheck,
  fingerprints: Map<string, string>,
): Promise<void> {
  const { manifest } = companionsOf(path);
  // Before the checks, as those of an archive.
  for (const file of [path, manifest]) fingerprints.set(file, fingerprint(file));
  // An earlier manifest may be replaced also without `clean`: alone, it describes nothing.
  if (statOf(manifest) !== undefined && readManifest(manifest) === undefined)
    throw notReplaceable('extract-to', path, [manifest]);
  const files = entriesOf(path).filter((entry) => !entry.stat.isDirectory());
  // An empty folder may be replaced also without `clean`.
  if (files.length === 0) return;
  // What no manifest lists may still be tracked by git.
  const unlisted = await unlistedNames(path, files, check);
  const foreignNames = await untrackedNames(path, unlisted, check);
  const paths = foreignNames.map((name) => join(path, name));
  if (paths.length > 0) throw notReplaceable('extract-to', path, paths);
  if (!check.bundle.clean) throw taken(path);
}

/**
 * The names of the files that no manifest of an earlier export lists with their present content.
 */
async function unlistedNames(
  path: string,
  files: readonly Entry[],
  check: ReplaceCheck,
): Promise<string[]> {
  const digests = new Set<string>();
  for (const manifest of readManifests(path, check.secret)) {
    // `added`: the files that were added to those of the platform; `moved`: those that are not as in
    // the archive.
    for (const file of [manifest.files, manifest.added ?? [], manifest.moved ?? []].flat())
      digests.add(`${file.sha256} ${file.path}`);
  }
  const unlisted: string[] = [];
  for (const { name, stat } of files) {
    // Files are read only if there is a manifest that may list them.
    const isListed =
      digests.size > 0 &&
      stat.isFile() &&
      digests.has(`${await digestOf(join(path, name), check)} ${name}`);
    if (!isListed) unlisted.push(name);
  }
  return unlisted;
}

/** A folder with one of these is the source of a project, and not a site that an export made. */
const SOURCE_NAMES: readonly string[] = ['.git', '.github', 'package.json'];

/**
 * The names without those of files that git tracks with exactly this content. All names if the
 * folder is not a site.
 */
async function untrackedNames(
  path: string,
  names: readonly string[],
  check: ReplaceCheck,
): Promise<readonly string[]> {
  // No name is left to look for, so git need not be run.
  if (names.length === 0) return names;
  const top = readdirSync(path).map((name) => name.toLowerCase());
  const hasEntryPage = statOf(join(path, 'index.html'))?.isFile() === true;
  if (!hasEntryPage || SOURCE_NAMES.some((name) => top.includes(name))) return names;
  const tracked = await trackedFiles(path, check);
  const untracked: string[] = [];
  for (const name of names) {
    const id = tracked.get(name);
    const isUnchanged =
      id !== undefined && id === (await blobId(join(path, name), id.length, check.signal));
    if (!isUnchanged) untracked.push(name);
  }
  return untracked;
}

/**
 * The ids of the files that git tracks in a folder; empty if git cannot read it as part of a
 * repository. Their content is hashed here: `git status` would run the filters that the attributes
 * of a checkout name.
 */
async function trackedFiles(
  path: string,
  check: ReplaceCheck,
): Promise<ReadonlyMap<string, string>> {
  const { workspace, env = {}, signal } = check;
  const tracked = new Map<string, string>();
  try {
    const arguments_ = ['ls-files', '--stage', '-z', '--', '.'];
    const list = await runGit(arguments_, { folder: path, workspace, env, signal });
    // Ordinary files alone: a link is an entry with mode 120000, a submodule one with 160000, a
    // conflict has stages 1 to 3.
    const files = /(?:^|\0)100(?:644|755) ([0-9a-f]{40}|[0-9a-f]{64}) 0\t([^\0]+)(?=\0)/g;
    // Both groups always match: the defaults are for the compiler. The NUL at the end of an entry
    // is left for the next match, which begins with it.
    for (const [, id = '', name = ''] of list.matchAll(files)) tracked.set(name, id);
  } catch (error) {
    if (hasCode(error, 'cancelled')) throw error;
    // There is no git, or no repository: then nothing is tracked.
  }
  return tracked;
}

/**
 * The id that git gives the content of a file; undefined if it is not an ordinary file.
 * https://git-scm.com/book/en/v2/Git-Internals-Git-Objects#_object_storage
 * `digits`: the length of ids in the repository in hex, which shows their algorithm.
 */
async function blobId(
  file: string,
  digits: number,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const stat = lstatSync(file);
  if (!stat.isFile()) return undefined;
  const hash = createHash(digits === 64 ? 'sha256' : 'sha1');
  return hashFile(file, hash.update(`blob ${stat.size}\0`), signal);
}

const filesSchema = z.array(z.object({ path: z.string(), sha256: z.nullable(z.string()) }));
const manifestSchema = z.object({
  version: z.literal(1),
  exportJobId: z.string(),
  archive: z.optional(z.object({ sha256: z.string() })),
  files: filesSchema,
  added: z.optional(filesSchema),
  moved: z.optional(filesSchema),
});
type Manifest = z.infer<typeof manifestSchema>;

/** 200,000 files with long names take less. */
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;
/** One line; a file that is much longer is not read. */
const MAX_CHECKSUM_BYTES = 64 * 1024;

/** The manifest next to a destination, and those that killed runs had not moved there yet. */
function readManifests(destination: string, secret: string): Manifest[] {
  const paths = [companionsOf(destination).manifest];
  for (const leftover of findLeftovers(destination, secret))
    if (leftover.isOurs) paths.push(stagedManifest(leftover.folder));
  return paths.flatMap((path) => readManifest(path) ?? []);
}

/** undefined: it is not a manifest of this program, or cannot be read. */
function readManifest(path: string): Manifest | undefined {
  const text = textOf(path, MAX_MANIFEST_BYTES);
  if (text === undefined) return undefined;
  return manifestSchema.safeParse(parseJson(text)).data;
}

/** undefined: it is not an ordinary file, it is larger, or it cannot be read. */
function textOf(path: string, maxBytes: number): string | undefined {
  try {
    const stat = lstatSync(path);
    if (stat.isFile() && stat.size <= maxBytes) return readFileSync(path, 'utf8');
  } catch {
    // A file that cannot be read counts as missing.
  }
  return undefined;
}

const SHOWN = 3;

/** `config`: something is there that no export made, or that was changed since. */
function notReplaceable(
  input: 'bundle-path' | 'extract-to',
  path: string,
  files: readonly string[],
): CourierError {
  const more = files.length > SHOWN ? ` and ${files.length - SHOWN} more` : '';
  const shown = files.slice(0, SHOWN).map((file) => JSON.stringify(file));
  return configError(
    `${input}: ${JSON.stringify(path)} cannot be replaced: no export made ${shown.join(', ')}${more}. Nothing was replaced.`,
    {
      text: `clean replaces only what an export made: files that ${basename(path)}.manifest.json lists with their content, or a site in git without changes. Move these files to another folder, or name another path:`,
      inputs: { [input]: '' },
    },
  );
}
