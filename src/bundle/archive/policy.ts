import { Buffer } from 'node:buffer';
import { unsafe } from './fault.ts';
import type { ArchiveLimits } from './limits.ts';

/** What an archive says about one of its members; only these two kinds are ever taken. */
export interface ArchiveEntry {
  /** As it stands in the archive. */
  readonly name: string;
  readonly kind: 'file' | 'directory';
  readonly sizeBytes: number;
}

/** `path`: segments joined by `/`, relative; empty for the root folder itself. */
export type NameVerdict =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly reason: string };

export interface NameRules {
  readonly limits: ArchiveLimits;
  /** In a workspace some names change what later steps and tools do. */
  readonly inWorkspace: boolean;
}

// Not writable on Windows, or read as something else there: the result must be the same on every system.
const FORBIDDEN_CHARACTERS = /[\p{Cc}:*?"<>|\\\ufffd\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
const RESERVED_NAMES =
  /^(con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])\s*(\.|$)/i;
// Read by git, package managers, shells, editors and CI systems of whoever works in that folder next.
const ACTING_NAMES: ReadonlySet<string> = new Set([
  '.git',
  'git~1',
  '.gitmodules',
  '.gitattributes',
  '.gitconfig',
  '.github',
  '.gitlab-ci.yml',
  '.circleci',
  '.husky',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.bunfig.toml',
  '.pypirc',
  '.netrc',
  '.bashrc',
  '.bash_profile',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.envrc',
  '.ssh',
  '.aws',
  '.docker',
  '.vscode',
  '.idea',
  '.devcontainer',
]);

const MAY_ACT = /^[.g]|[^ -~]/i;

/** Judges a name by itself. What it collides with is the admission's business. */
export function judgeName(name: string, kind: ArchiveEntry['kind'], rules: NameRules): NameVerdict {
  // `tar -C site .` writes `./` before every name; anywhere else a dot is no name.
  const relative = name === '.' && kind === 'directory' ? '' : name.replace(/^\.\//, '');
  const path = kind === 'directory' ? relative.replace(/\/$/, '') : relative;
  if (path === '')
    return kind === 'directory' && name !== '' && name !== '/' ? { ok: true, path } : no('the name is empty');
  const segments = path.split('/');
  const reason = judgePath(path, segments, rules.limits) ?? firstReason(segments, rules);
  return reason === undefined ? { ok: true, path } : no(reason);
}

function no(reason: string): NameVerdict {
  return { ok: false, reason };
}

function judgePath(path: string, segments: readonly string[], limits: ArchiveLimits): string | undefined {
  if (path.startsWith('/')) return 'the path is absolute';
  if (!path.isWellFormed()) return 'the name is not valid Unicode';
  if (FORBIDDEN_CHARACTERS.test(path)) return 'the name holds a character that not every system can store';
  if (Buffer.byteLength(path) > limits.nameBytes) return `the name is longer than ${limits.nameBytes} bytes`;
  if (segments.length > limits.depth) return `it lies deeper than ${limits.depth} folders`;
  return undefined;
}

function firstReason(segments: readonly string[], rules: NameRules): string | undefined {
  for (const segment of segments) {
    const reason = judgeSegment(segment, rules);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function judgeSegment(segment: string, { limits, inWorkspace }: NameRules): string | undefined {
  if (segment === '..') return 'the path leads out of the folder';
  if (segment === '' || segment === '.') return 'a part of the path is empty';
  if (/[. ]$/.test(segment)) return 'a part of the path ends in a dot or a space';
  if (RESERVED_NAMES.test(segment)) return 'the name is reserved on Windows';
  if (segment.length * 3 > limits.segmentBytes && Buffer.byteLength(segment) > limits.segmentBytes)
    return `a part of the path is longer than ${limits.segmentBytes} bytes`;
  if (inWorkspace && MAY_ACT.test(segment) && ACTING_NAMES.has(withoutInvisible(segment))) {
    return 'a file of that name would act on the workspace';
  }
  return undefined;
}

// Most names are such already; asking costs less than making them so.
const PLAIN_NAME = /^[a-z0-9_./-]*$/;

/** What two names have in common that some file system takes for the same. */
function foldName(path: string): string {
  return PLAIN_NAME.test(path) ? path : path.normalize('NFC').toLowerCase();
}

// Some file systems drop characters that cannot be seen: `.g<zero width>it` is `.git` there.
function withoutInvisible(segment: string): string {
  return segment
    .replace(/\p{Cf}/gu, '')
    .normalize('NFKC')
    .toLowerCase();
}

/** Decides about every entry of one archive, in the order in which they come. Throws `unsafe-archive`. */
export interface Admission {
  /** The path to write to; undefined for the root folder, which is there already. */
  admit(entry: ArchiveEntry): string | undefined;
  readonly entries: number;
  readonly files: number;
  /** Of the sizes that the archive declares. */
  readonly totalBytes: number;
}

interface Taken {
  readonly path: string;
  readonly kind: ArchiveEntry['kind'];
  /** Folders come to be by themselves when a file in them does; only an entry of their own counts as said. */
  said: boolean;
}

export function createAdmission(rules: NameRules): Admission {
  const { limits } = rules;
  const taken = new Map<string, Taken>();
  const count = { entries: 0, files: 0, totalBytes: 0, namesBytes: 0 };
  let lastParent = '';

  function take(path: string, kind: ArchiveEntry['kind'], said: boolean): void {
    const key = foldName(path);
    const other = taken.get(key);
    if (other === undefined) {
      count.namesBytes += path.length * 2;
      if (count.namesBytes > limits.namesBytes) throw unsafe('its names are too long all together');
      taken.set(key, { path, kind, said });
      return;
    }
    if (other.path !== path) throw unsafe(`it differs from "${other.path}" only in letter case or accents`, path);
    if (other.kind !== kind) throw unsafe('it is both a file and a folder', path);
    if (said && (other.said || kind === 'file')) throw unsafe('it stands in the archive twice', path);
    other.said ||= said;
  }

  function takeParents(path: string): void {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (parent === '' || parent === lastParent) return;
    for (let at = parent.indexOf('/'); at !== -1; at = parent.indexOf('/', at + 1)) {
      take(parent.slice(0, at), 'directory', false);
    }
    take(parent, 'directory', false);
    lastParent = parent;
  }

  function countEntry({ name, kind, sizeBytes }: ArchiveEntry): void {
    count.entries += 1;
    if (count.entries > limits.entries) throw unsafe(`it holds more than ${limits.entries} entries`);
    if (sizeBytes > limits.fileBytes) throw unsafe(`the file is larger than ${limits.fileBytes} bytes`, name);
    if (kind === 'directory' && sizeBytes !== 0) throw unsafe('a folder has content', name);
    if (kind === 'file') count.files += 1;
    count.totalBytes += sizeBytes;
    if (count.totalBytes > limits.totalBytes) throw unsafe(`it unpacks to more than ${limits.totalBytes} bytes`);
  }

  return {
    get entries() {
      return count.entries;
    },
    get files() {
      return count.files;
    },
    get totalBytes() {
      return count.totalBytes;
    },
    admit(entry) {
      countEntry(entry);
      const verdict = judgeName(entry.name, entry.kind, rules);
      if (!verdict.ok) throw unsafe(verdict.reason, entry.name);
      if (verdict.path === '') return undefined;
      takeParents(verdict.path);
      take(verdict.path, entry.kind, true);
      return verdict.path;
    },
  };
}
