import { isWindowsPathElsewhere } from './names.ts';

/** Such as `$NAME`, `${NAME}`, `$env:NAME`, `$(…)` and `%NAME%`: what only a shell replaces. `%C3` in an address is one byte. */
const VARIABLE = /(?:^|[\\/])(\$(?:env:)?\w+)|(\$[{(][^})]*[})]?)|(%(?![0-9a-f]{2})[A-Za-z_]\w*%)/i;

/** The longest name of a file or folder that all file systems of runners take. */
export const MAX_NAME_BYTES = 255;

/** Variables whose value is the folder for temporary files, in the systems that have one. */
const TEMPORARY = /RUNNER_TEMP|TEMP|TMP|TMPDIR/i;

/**
 * Why a text of a user cannot be a path as it is, as the end of "it must be …", with what to write; undefined: it can. Paths are
 * taken as they are: a name with a dollar sign in it would become a folder of that name.
 */
export function whyNoPath(text: string): string | undefined {
  const bare = /^(["'`])(.*)\1$/s.exec(text)?.[2];
  if (bare !== undefined) return `a path without quotes; write ${bare}`;
  if (text.includes('${{')) {
    return 'a path; an expression is replaced in a workflow only, and this one was not: write the path itself, such as out/site';
  }
  const home = /^~[\w.-]*(?=[/\\]|$)/.exec(text)?.[0];
  const name = home ?? VARIABLE.exec(text)?.slice(1).find(Boolean);
  if (name !== undefined) {
    const below =
      text
        .slice(text.indexOf(name) + name.length)
        .replace(/^[/\\]+/, '')
        .replaceAll('\\', '/') || 'site';
    const inWorkflow = TEMPORARY.test(name) || home !== undefined ? `\${{ runner.temp }}/${below}` : below;
    const inShell = home === undefined ? 'leave out the single quotes around it' : `write "$HOME/${below}"`;
    return `a path, and ${name} is replaced by a shell only; in a workflow write ${inWorkflow}${inWorkflow === below ? '' : ', or a relative path'}; in a shell ${inShell}`;
  }
  return isWindowsPathElsewhere(text)
    ? 'a path with / between folders, since this is not Windows; write it as out/site'
    : undefined;
}
