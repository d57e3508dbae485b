import { isWindowsPathElsewhere } from './names.ts';

/**
 * What only a shell replaces, such as `$NAME`, `${NAME}`, `$env:NAME`, `$(…)` and `%NAME%`. Not
 * `%C3`, which is a byte in an address.
 */
const VARIABLE = /(?:^|[\\/])(\$(?:env:)?\w+)|(\$[{(][^})]*[})]?)|(%(?![0-9a-f]{2})[A-Za-z_]\w*%)/i;

/**
 * A variable that a CI system or a shell would have replaced if it existed: `$NAME`, `${NAME}`,
 * `$env:NAME`, `$(NAME)`, `%NAME%`, `((NAME))`, `{{ NAME }}`.
 */
const UNFILLED =
  /\$(?:env:)?[a-z_]\w{0,100}|\$\([\w.-]{1,100}\)|%(?![0-9a-f]{2})[a-z_]\w{0,100}%|\(\([\w.:/-]{1,100}\)\)|\$\{{1,2}[^{}]{1,100}\}{1,2}|\{\{[^{}]{1,100}\}\}/i;

/** Such a variable in a text, or the text itself if it is only the asterisks of a masked one. */
export function unfilledPart(text: string): string | undefined {
  if (/^\*{3,}$/.test(text)) return text;
  return UNFILLED.exec(text)?.[0];
}

/** Completes "it must be …" for such a text. */
export const NOT_UNFILLED =
  'the value itself, not the name of a variable that does not exist here or of a secret, and not a masked text';

/** Quotes around the path, or a typographic one at an end of it. */
const QUOTE = /^(["'`]).*\1$|^[“”„‘’«»]|[“”„‘’«»]$/s;

/** The longest name of a file or folder that all file systems of runners take. */
export const MAX_NAME_BYTES = 255;

/**
 * Completes "it must be …" for a text that a user most likely did not mean as a path; undefined:
 * the text can be a path. It would be taken as it is: `$NAME` would become a folder of that name.
 */
export function whyNoPath(text: string): string | undefined {
  if (QUOTE.test(text)) return 'a path without quotes';
  // Before `VARIABLE`, which an expression looks like too.
  if (text.includes('${{')) return 'a path; an expression is replaced in a workflow only';
  // At least two letters: one is a drive of Windows.
  const scheme = /^([a-z][a-z0-9+-]+):/i.exec(text)?.[1];
  if (scheme !== undefined)
    return `a path; ${scheme}: begins an address, and a path like this begins with ./`;
  const home = /^~[\w.-]*(?=[/\\]|$)/.exec(text)?.[0];
  // The group of `VARIABLE` that has matched.
  const variable = home ?? VARIABLE.exec(text)?.slice(1).find(Boolean);
  if (variable !== undefined)
    return `a path; ${variable} is replaced by a shell only, and not here`;
  if (text.includes('*')) return 'the path of one file or folder, without *';
  if (isWindowsPathElsewhere(text))
    return 'a path with / between folders, since this is not Windows';
  return undefined;
}

/**
 * Completes "it must be …" for a path below the workspace as the machine names it, in a job that
 * runs in a container, where the workspace is below `/__w`; undefined for any other path. In
 * expressions, `github.workspace` is the path on the machine, and the runner rewrites an input only
 * if it begins with it.
 */
export function whyNotInContainer(path: string, workspace: string): string | undefined {
  // Such as `/repo/repo`; undefined: the job runs in no container.
  const folder = workspace.split('/__w')[1];
  if (folder === undefined) return undefined;
  // The machine has it as `/home/runner/work/repo/repo`.
  const isOfMachine = path.startsWith('/') && `${path}/`.includes(`work${folder}/`);
  if (!isOfMachine) return undefined;
  return `a path in the container of this job, whose workspace is ${workspace}: write it relative to that`;
}
