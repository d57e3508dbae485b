import { byteLength } from './characters.ts';

/** A file's diff, cut to a budget at the borders of its hunks. */
export interface CutPatch {
  readonly text: string;
  readonly shown: number;
  readonly hunks: number;
}

/** Splits a unified diff into its hunks. Only lines that begin with `@@` begin one. */
export function splitHunks(patch: string): string[] {
  return patch.split(/\n(?=@@ )/);
}

/** As many whole hunks from the beginning as fit; where not even the first does, its beginning. */
export function cutPatch(patch: string, maxBytes: number): CutPatch {
  const hunks = splitHunks(patch);
  if (byteLength(patch) <= maxBytes) return { text: patch, shown: hunks.length, hunks: hunks.length };
  let bytes = 0;
  const fitting = hunks.filter((hunk, index) => {
    bytes += byteLength(hunk) + (index > 0 ? 1 : 0);
    return bytes <= maxBytes;
  });
  return { text: fitting.join('\n'), shown: fitting.length, hunks: hunks.length };
}

const LOCK_FILES: ReadonlySet<string> = new Set(
  `package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb composer.lock cargo.lock gemfile.lock
   poetry.lock pdm.lock uv.lock pipfile.lock go.sum flake.lock mix.lock podfile.lock packages.lock.json deno.lock
   gradle.lockfile pubspec.lock`.split(/\s+/),
);
const GENERATED =
  /(^|\/)(dist|build|vendor|node_modules|__snapshots__|generated)\/|\.(min\.(js|css|mjs)|map|snap|pb\.go)$|_pb2\.py$|\.generated\./i;
// A line that no person wrote.
const LONGEST_LINE_CHARS = 5000;

/** Why a file's diff is listed and not quoted; undefined where it is quoted. */
export function whyNotQuoted(file: {
  path: string;
  patch: string | undefined;
  changes: number;
  status: string;
}): string | undefined {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1).toLowerCase();
  if (LOCK_FILES.has(name)) return 'lock file';
  if (GENERATED.test(file.path)) return 'generated';
  if (file.patch === undefined) {
    if (file.status === 'renamed' && file.changes === 0) return 'renamed only';
    // GitHub leaves out the patch of a large file, and of the largest the counts as well; a modified file has changes.
    return file.changes > 0 || file.status === 'modified' ? 'too large' : 'binary or empty';
  }
  if (file.patch.split('\n').some((line) => line.length > LONGEST_LINE_CHARS)) return 'minified';
  return undefined;
}
