import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseJson, textOf } from './text/json.ts';

/** Which Docs Courier runs. */
export interface Release {
  readonly version: string;
  /** undefined: of a checkout, or of a copy that neither `git archive` nor npm has made. */
  readonly commit: string | undefined;
}

/**
 * The folder of the package that this code is part of, and its release: by the nearest
 * package.json, which the bundled action, the npm package and the sources have.
 */
export function ownPackage(): { readonly folder: string; readonly release: Release } {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const file = parseJson(readIfThere(join(folder, 'package.json')));
    if (textOf(file, 'name') === 'docs-courier') {
      // Filled in by `git archive` (export-subst) and by `npm run package`.
      const [commit] = /^[0-9a-f]{40}$|^[0-9a-f]{64}$/.exec(textOf(file, 'gitHead')) ?? [];
      return { folder, release: { version: textOf(file, 'version'), commit } };
    }
    const isRoot = folder === dirname(folder);
    if (isRoot) throw new Error('This program is part of no package docs-courier.');
  }
}

/** `1.0.0 (commit 3f2a…)`. */
export function describeRelease({ version, commit }: Release): string {
  const origin = commit && `commit ${commit}`;
  return `${version} (${origin ?? 'a checkout'})`;
}

/** The text of a file; empty: it cannot be read. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
