import { byteLength } from '../ground/text/escape.ts';
import type { QuotedFile } from './context.ts';

/** A file's diff, and the bytes that it takes in the prompt. */
export interface MeasuredPatch {
  readonly path: string;
  readonly hunks: readonly (readonly string[])[];
  readonly need: number;
  /**
   * Bytes of the first hunk, or of the beginning of a long one: the diff is of no use with less.
   */
  readonly least: number;
}

// A hunk up to this is quoted whole or not at all.
const LONG_HUNK_BYTES = 4096;
// What JSON adds: names and brackets; for a line its indentation, comma and line end.
const FRAME_BYTES = 110;
const LINE_FRAME_BYTES = 7;
// The last line of a hunk that was cut, which says so.
const CUT_NOTE_BYTES = 90;

/** Splits a unified diff into its hunks. Only lines that begin with `@@` begin one. */
export function splitHunks(patch: string): string[] {
  return patch.split(/\n(?=@@ )/);
}

function lineBytes(line: string): number {
  return byteLength(JSON.stringify(line)) + LINE_FRAME_BYTES;
}

function linesBytes(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + lineBytes(line), 0);
}

/** Splits a file's diff into hunks and lines, and counts its bytes as the prompt prints it. */
export function measurePatch(path: string, patch: string): MeasuredPatch {
  // At least one: a patch without `@@` counts as a hunk.
  const hunks = splitHunks(patch).map((hunk) => hunk.split('\n'));
  const frame = lineBytes(path) + FRAME_BYTES;
  return {
    path,
    hunks,
    need: frame + linesBytes(hunks.flat()),
    least: frame + Math.min(linesBytes(hunks[0] ?? []), LONG_HUNK_BYTES),
  };
}

/**
 * A file's diff as the prompt prints it: as many whole hunks as fit, from the first. If not even
 * the first fits, as many of its lines as do. Empty if nothing fits.
 */
export function fitPatch(
  measured: MeasuredPatch,
  share: number,
): Readonly<Record<string, string | readonly string[]>>[] {
  const { path, hunks } = measured;
  if (measured.need <= share) return [{ file: path, patch: hunks.flat() }];
  const room = share - lineBytes(path) - FRAME_BYTES;
  const hunkCount = countFitting(hunks.map(linesBytes), room);
  if (hunkCount > 0) {
    const patch = hunks.slice(0, hunkCount).flat();
    return [{ file: path, showing: `${hunkCount} of ${hunks.length} hunks`, patch }];
  }
  // There is always one.
  const firstHunk = hunks[0] ?? [];
  const lineCount = countFitting(firstHunk.map(lineBytes), room - CUT_NOTE_BYTES);
  // The line with `@@` alone says nothing.
  if (lineCount < 2) return [];
  const cut = `[cut: showing ${lineCount} of ${firstHunk.length} lines of hunk 1 of ${hunks.length}]`;
  return [{ file: path, showing: 'the beginning', patch: [...firstHunk.slice(0, lineCount), cut] }];
}

/** How many of the sizes, from the first one on, fit into `room` together. */
export function countFitting(sizes: readonly number[], room: number): number {
  let remaining = room;
  let count = 0;
  for (const size of sizes) {
    remaining -= size;
    if (remaining < 0) break;
    count += 1;
  }
  return count;
}

const LOCK_FILES: ReadonlySet<string> = new Set(
  `package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb composer.lock cargo.lock gemfile.lock
   poetry.lock pdm.lock uv.lock pipfile.lock go.sum flake.lock mix.lock podfile.lock packages.lock.json deno.lock
   gradle.lockfile pubspec.lock`.split(/\s+/),
);
const GENERATED =
  /(^|\/)(dist|build|vendor|node_modules|__snapshots__|generated)\/|\.(min\.(js|css|mjs)|map|snap|pb\.go)$|_pb2\.py$|\.generated\./i;
// A person does not write a longer line.
const LONGEST_LINE_CHARS = 5000;

/** Why a file's diff is listed and not quoted; undefined if it is quoted. */
export function whyNotQuoted(file: QuotedFile): string | undefined {
  const { path, patch, status } = file;
  const fileName = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (LOCK_FILES.has(fileName)) return 'lock file';
  if (GENERATED.test(path)) return 'generated';
  if (patch === undefined) {
    const changes = file.additions + file.deletions;
    if (status === 'renamed' && changes === 0) return 'renamed only';
    // GitHub leaves out the patch of a large file, and of the largest the counts as well; a
    // modified file has changes.
    if (changes > 0 || status === 'modified') return 'too large';
    return 'binary or empty';
  }
  if (patch.split('\n').some((line) => line.length > LONGEST_LINE_CHARS)) return 'minified';
  return undefined;
}
