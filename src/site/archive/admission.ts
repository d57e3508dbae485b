import { Buffer } from 'node:buffer';
import { type CourierError, courierError } from '../../ground/errors.ts';
import { plainLine } from '../../ground/text/escape.ts';

/** What an archive says about one of its entries; only these two kinds are ever taken. */
export interface ArchiveEntry {
  /** As the archive gives it. */
  readonly name: string;
  readonly kind: EntryKind;
  readonly sizeBytes: number;
}

/**
 * Decides about every entry of one archive, in the order in which they come. Two paths collide if
 * some file system takes them for the same one; they then have the same folded name.
 */
export class Admission {
  readonly #rules: NameRules;
  readonly limits: ArchiveLimits;
  /**
   * The kind of each path so far, by folded name; `implied` is a folder that exists only because of
   * a file in it.
   */
  readonly #taken = new Map<string, EntryKind | 'implied'>();
  /**
   * The spelling of a path by its folded name, if the two differ: an object for each of 200,000
   * entries would take megabytes.
   */
  readonly #spelled = new Map<string, string>();
  #entries = 0;
  /** The sum of the sizes that the archive declares. */
  #totalBytes = 0;
  #namesBytes = 0;
  #lastParent = '';

  constructor(rules: NameRules) {
    this.#rules = rules;
    this.limits = rules.limits;
  }

  /**
   * The path to write to; undefined for the root folder, which exists already. Throws
   * `unsafe-archive`.
   */
  admit(entry: ArchiveEntry): string | undefined {
    this.#count(entry);
    const path = readName(entry.name, entry.kind, this.#rules);
    if (path === '') return undefined;
    this.#noteParents(path);
    this.#note(path, entry.kind);
    return path;
  }

  #count(entry: ArchiveEntry): void {
    const { entries, fileBytes, totalBytes } = this.limits;
    const size = entry.sizeBytes;
    this.#entries += 1;
    if (this.#entries > entries) throw unsafe(`it contains more than ${entries} entries`);
    if (size > fileBytes) throw unsafe(`the file is larger than ${fileBytes} bytes`, entry.name);
    if (entry.kind === 'directory' && size !== 0) throw unsafe('a folder has content', entry.name);
    this.#totalBytes += size;
    if (this.#totalBytes > totalBytes) throw unsafe(`it unpacks to more than ${totalBytes} bytes`);
  }

  /** Notes the folders that a path is in, whether the archive has entries for them or not. */
  #noteParents(path: string): void {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    // Most entries are in the same folder as the one before.
    if (parent === '' || parent === this.#lastParent) return;
    for (let at = parent.indexOf('/'); at !== -1; at = parent.indexOf('/', at + 1)) {
      this.#note(parent.slice(0, at), 'implied');
    }
    this.#note(parent, 'implied');
    this.#lastParent = parent;
  }

  /** Notes a path. Throws if it collides with an earlier one. */
  #note(path: string, kind: EntryKind | 'implied'): void {
    const key = foldName(path);
    const earlierKind = this.#taken.get(key);
    if (earlierKind === undefined) {
      this.#noteName(key, path);
      this.#taken.set(key, kind);
      return;
    }
    // A name that folds to itself is not in the map.
    const spelled = this.#spelled.get(key) ?? key;
    if (spelled !== path)
      throw unsafe(`some file systems take its name for "${spelled}"`, path, RENAME);
    const isFile = kind === 'file';
    const wasFile = earlierKind === 'file';
    if (isFile !== wasFile) throw unsafe('it is both a file and a folder', path);
    // A folder may be implied any number of times, and have one entry, before or after that.
    if (kind === 'implied') return;
    if (earlierKind === kind) throw unsafe('it is in the archive twice', path);
    // The one entry of a folder that was implied before.
    this.#taken.set(key, kind);
  }

  /** Keeps how a new path is spelled, and counts the memory: two bytes for each character. */
  #noteName(key: string, path: string): void {
    this.#namesBytes += path.length * 2;
    if (this.#namesBytes > this.limits.namesBytes)
      throw unsafe('its names are too long all together');
    if (key !== path) this.#spelled.set(key, path);
  }
}

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/** What an archive may contain at most. Tests pass smaller ones. */
export interface ArchiveLimits {
  /** The size of the archive as it is downloaded. */
  readonly archiveBytes: number;
  /** The size of all files together, unpacked. */
  readonly totalBytes: number;
  readonly fileBytes: number;
  readonly entries: number;
  /** Unpacked bytes per packed byte, checked once more than `ratioFromBytes` are unpacked. */
  readonly ratio: number;
  readonly ratioFromBytes: number;
  readonly nameBytes: number;
  readonly segmentBytes: number;
  readonly depth: number;
  /** The size of one extended header in a tar. */
  readonly metaBytes: number;
  /** The size of all names together: they are kept in memory to find collisions. */
  readonly namesBytes: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  archiveBytes: 2 * GIB,
  totalBytes: 4 * GIB,
  fileBytes: 512 * MIB,
  entries: 200_000,
  ratio: 200,
  ratioFromBytes: 10 * MIB,
  nameBytes: KIB,
  segmentBytes: 255,
  depth: 64,
  metaBytes: MIB,
  namesBytes: 32 * MIB,
};

/** Throws `unsafe-archive` for what unpacks to more than any site does. */
export function checkRatio(
  unpackedBytes: number,
  packedBytes: number,
  limits: ArchiveLimits,
): void {
  // A small site may be packed very tightly, and does no harm.
  const isSmall = unpackedBytes <= limits.ratioFromBytes;
  if (isSmall || unpackedBytes <= packedBytes * limits.ratio) return;
  throw unsafe(`it unpacks to more than ${limits.ratio} times its size`);
}

const NOT_SAFE =
  'Nothing was unpacked. Report it to the platform, and do not unpack this archive with other tools.';
const OTHERWISE =
  'Otherwise report it to the platform, and do not unpack this archive with other tools.';
const RENAME = `Nothing was unpacked. If it is a page or a file of yours, rename it: the site must be the same on Linux, Windows and macOS. ${OTHERWISE}`;
/** For a link to another file, which programs that pack a folder keep. */
export const PACK_FILES = `Nothing was unpacked. If the archive is yours, pack files in the place of links (tar --dereference --hard-dereference, zip without -y). ${OTHERWISE}`;

/**
 * `unsafe-archive`: the archive contains what no documentation bundle needs. `name` is the entry's,
 * as the archive gives it.
 */
export function unsafe(reason: string, name?: string, hint = NOT_SAFE): CourierError {
  const where = name === undefined ? '' : ` at "${plainLine(name, 120)}"`;
  return courierError(
    'unsafe-archive',
    `The bundle is not safe to unpack${where}: ${reason}.`,
    hint,
  );
}

/** `integrity`: the archive was cut off, changed on its way, or written wrongly. */
export function damaged(reason: string, cause?: unknown): CourierError {
  return courierError(
    'integrity',
    `The bundle is damaged: ${reason}.`,
    'Nothing was kept. Run again with export-job-id, which does not start a second export.',
    { cause },
  );
}

type EntryKind = 'file' | 'directory';

interface NameRules {
  readonly limits: ArchiveLimits;
  /** In a workspace some names change what later steps and tools do. */
  readonly inWorkspace: boolean;
}

// Not writable on Windows, read as something else there, or a line end to programs that list files:
// the result must be the same on every system.
const FORBIDDEN_CHARACTERS =
  /[\p{Cc}\p{Zl}\p{Zp}:*?"<>|\\\ufffd\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
const RESERVED_NAMES =
  /^(con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])\s*(\.|$)/i;
// Read by git, package managers, shells, editors and CI systems that work in that folder next.
const ACTING_NAMES: ReadonlySet<string> = new Set(
  `.git git~1 .gitmodules .gitattributes .gitconfig .github .gitlab-ci.yml .circleci .husky .npmrc .yarnrc
   .yarnrc.yml .pnpmfile.cjs .bunfig.toml .pypirc .netrc .bashrc .bash_profile .profile .zshrc .zshenv .envrc
   .ssh .aws .docker .vscode .idea .devcontainer`.split(/\s+/),
);

// Only names that begin with a dot or a g, or have characters beyond ASCII, can fold to an acting
// name.
const MAY_ACT = /^[.g]|[^ -~]/i;

/**
 * The path of a name: segments joined by `/`, relative; empty for the root folder itself. Throws
 * `unsafe-archive`. `Admission` checks whether the path collides with another one.
 */
export function readName(name: string, kind: EntryKind, rules: NameRules): string {
  // `tar -C site .` writes `./` before every name; anywhere else a dot is not a name.
  let path = name.replace(/^\.\//, '');
  if (kind === 'directory') {
    // The root folder: `.`, `./` or `./`.
    if (/^\.\/{0,2}$/.test(name)) return '';
    // The name of a folder may end in a slash, and that of a file may not.
    path = path.replace(/\/$/, '');
  }
  const fault = judgeForm(path);
  if (fault !== undefined) throw unsafe(fault, name);
  const reason = judgeName(path, rules);
  if (reason !== undefined) throw unsafe(reason, name, RENAME);
  return path;
}

/** Why a bundle may not contain a file or a folder at that path; undefined if it may. */
export function judgePath(path: string, rules: NameRules): string | undefined {
  return judgeForm(path) ?? judgeName(path, rules);
}

/** Why a path is malformed; undefined if it is not. What made the archive is at fault. */
function judgeForm(path: string): string | undefined {
  if (path === '') return 'the name is empty';
  if (path.startsWith('/')) return 'the path is absolute';
  if (!path.isWellFormed()) return 'the name is not valid Unicode';
  const segments = path.split('/');
  if (segments.includes('..')) return 'the path leads out of the folder';
  if (segments.includes('') || segments.includes('.')) return 'a part of the path is empty';
  return undefined;
}

/** Why a well-formed path is refused; undefined if it is not. Its author can rename it. */
function judgeName(path: string, rules: NameRules): string | undefined {
  const { nameBytes, depth } = rules.limits;
  const segments = path.split('/');
  if (FORBIDDEN_CHARACTERS.test(path))
    return 'the name contains a character that not every system can store';
  if (Buffer.byteLength(path) > nameBytes) return `the name is longer than ${nameBytes} bytes`;
  if (segments.length > depth) return `it is more than ${depth} folders deep`;
  for (const segment of segments) {
    const reason = judgeSegment(segment, rules);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function judgeSegment(segment: string, rules: NameRules): string | undefined {
  const maxBytes = rules.limits.segmentBytes;
  if (/[. ]$/.test(segment)) return 'a part of the path ends in a dot or a space';
  if (RESERVED_NAMES.test(segment)) return 'the name is reserved on Windows';
  // A character has at most three bytes for each unit of `length`, so that the bytes of a short
  // name need not be counted.
  if (segment.length * 3 > maxBytes && Buffer.byteLength(segment) > maxBytes)
    return `a part of the path is longer than ${maxBytes} bytes`;
  if (rules.inWorkspace && MAY_ACT.test(segment) && ACTING_NAMES.has(foldName(segment)))
    return 'a file of that name would act on the workspace';
  return undefined;
}

// Most names have only printable ASCII: this test costs less than folding, and lower case needs no
// second text.
const PLAIN = /^[ -~]*$/;

/**
 * Equal for two names that some file system takes for the same one. File systems differ: without
 * regard to case by simple or by full folding (ß and ss), decomposed or composed, by compatibility
 * (ﬁ and fi), or without characters that cannot be seen. This folds all of that at once, after the
 * NFKC_Casefold of the Unicode Standard, section 3.13; through upper case, since that maps ſ and ς,
 * as ZFS and NTFS do.
 */
export function foldName(path: string): string {
  if (PLAIN.test(path)) return path.toLowerCase();
  const visible = path.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  // First to lower case, since ẞ becomes SS only by way of ß. A change of case can leave a text
  // that is not normalized.
  return visible
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC');
}
