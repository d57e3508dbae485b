import { Buffer } from 'node:buffer';
import type { ArchiveLimits } from './limits.ts';

export type EntryKind = 'file' | 'directory';

/** `path`: segments joined by `/`, relative; empty for the root folder itself. */
type NameVerdict = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly reason: string };

export interface NameRules {
  readonly limits: ArchiveLimits;
  /** In a workspace some names change what later steps and tools do. */
  readonly inWorkspace: boolean;
}

// Not writable on Windows, read as something else there, or a line end to programs that list files: the result must be
// the same on every system.
const FORBIDDEN_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}:*?"<>|\\\ufffd\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
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

// The others need no folding to be compared with the acting names.
const MAY_ACT = /^[.g]|[^ -~]/i;

/** Checks a name by itself. Whether it collides with another one is the admission's question. */
export function judgeName(name: string, kind: EntryKind, rules: NameRules): NameVerdict {
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
  if (FORBIDDEN_CHARACTERS.test(path)) return 'the name contains a character that not every system can store';
  if (Buffer.byteLength(path) > limits.nameBytes) return `the name is longer than ${limits.nameBytes} bytes`;
  if (segments.length > limits.depth) return `it is more than ${limits.depth} folders deep`;
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
  if (inWorkspace && MAY_ACT.test(segment) && ACTING_NAMES.has(foldName(segment))) {
    return 'a file of that name would act on the workspace';
  }
  return undefined;
}

// Most names are such already; asking costs less than folding.
const FOLDED = /^[a-z0-9_./-]*$/;

/**
 * Equal for two names that some file system takes for the same one. File systems differ: without regard to case by simple
 * or by full folding (ß and ss), decomposed or composed, by compatibility (ﬁ and fi), or without characters that cannot be
 * seen. This folds all of that at once, after the NFKC_Casefold of the Unicode Standard, section 3.13; through upper case,
 * since that maps ſ and ς, as ZFS and NTFS do.
 */
export function foldName(path: string): string {
  if (FOLDED.test(path)) return path;
  const visible = path.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return visible.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC').toLowerCase().normalize('NFKC');
}
