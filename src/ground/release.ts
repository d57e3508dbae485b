import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';

/** The package.json nearest to this code: of the bundled action, the npm package or the sources. */
const packageFile = z.object({
  name: z.literal('docs-courier'),
  version: z.string(),
  /** npm and `git archive` (`export-subst`) fill it in; a checkout does not know its commit. */
  gitHead: z.catch(
    z.optional(z.string().check(z.regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/))),
    undefined,
  ),
});

/** Which Docs Courier runs. */
export interface Release {
  readonly version: string;
  /** undefined: of a checkout, or of a copy that was not made by `git archive`. */
  readonly commit: string | undefined;
}

/** The folder of the package that this code is part of, and its release. */
export function ownPackage(): { readonly folder: string; readonly release: Release } {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const file = readPackage(folder);
    if (file !== undefined)
      return { folder, release: { version: file.version, commit: file.gitHead } };
    if (folder === dirname(folder))
      throw new Error('This program is part of no package docs-courier.');
  }
}

/** `1.0.0 (commit 3f2a…)`. */
export function describeRelease({ version, commit }: Release): string {
  return `${version} (${commit === undefined ? 'a checkout' : `commit ${commit}`})`;
}

/** The package.json of a folder; undefined: there is none, or it is of another package. */
function readPackage(folder: string): z.infer<typeof packageFile> | undefined {
  try {
    const text = readFileSync(join(folder, 'package.json'), 'utf8');
    return packageFile.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
