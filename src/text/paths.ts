import { isWindowsPathElsewhere } from './names.ts';

/** Such as `$NAME`, `${NAME}`, `$env:NAME`, `$(…)` and `%NAME%`: what only a shell replaces. `%C3` in an address is one byte. */
const VARIABLE = /(?:^|[\\/])(\$(?:env:)?\w+)|(\$[{(][^})]*[})]?)|(%(?![0-9a-f]{2})[A-Za-z_]\w*%)/i;

/** The longest name of a file or folder that all file systems of runners take. */
export const MAX_NAME_BYTES = 255;

/** Variables whose value is the folder for temporary files, in the systems that have one. */
const TEMPORARY = /RUNNER_TEMP|TEMP|TMP|TMPDIR/i;

/** Why a text is not a path. */
interface NoPath {
  /** Completes "it must be …". */
  readonly why: string;
  /** What was most likely meant. */
  readonly write?: string | undefined;
}

/**
 * Why a text of a user cannot be a path as it is; undefined: it can. Paths are taken as they are: a name with a dollar sign in it
 * would become a folder of that name.
 */
export function whyNoPath(text: string): NoPath | undefined {
  const bare = /^(?:(["'`])(.*)\1|[“”„‘’«](.*)[“”‘’»])$/s.exec(text)?.slice(2).find(Boolean);
  if (bare !== undefined) return { why: 'a path without quotes', write: bare };
  const unquoted = text.replace(/^[“”„‘’«»]+/, '').replace(/(?<![“”„‘’«»])[“”„‘’«»]+$/, '');
  if (unquoted !== text) return { why: 'a path without quotes', write: unquoted };
  if (text.includes('${{')) {
    return {
      why: 'a path; an expression is replaced in a workflow only, and this one was not: write the path itself, such as out/site',
    };
  }
  const address = /^([a-z][a-z0-9-]+):(?![\\/]{2})(.*)$/i.exec(text);
  if (address !== null) {
    const [, kind = '', rest = ''] = address;
    const why = `a path; ${kind}: begins an address, which belongs in the input to, and a path like this begins with ./`;
    return { why, write: kind === 'file' ? rest : undefined };
  }
  const variable = whyNotExpanded(text);
  if (variable !== undefined) return { why: variable };
  if (text.includes('*')) {
    const above = text.split('/').filter((name) => !name.includes('*'));
    return {
      why: 'the path of one file or folder; a shell replaces *, and this program does not',
      write: above.join('/') || undefined,
    };
  }
  if (!isWindowsPathElsewhere(text)) return undefined;
  const write = text.replace(/^[A-Za-z]:[\\/]*/, '').replaceAll('\\', '/');
  return { why: 'a path with / between folders, since this is not Windows', write };
}

/** Why a variable or a `~` in a path stays as it is; undefined: there is none. */
function whyNotExpanded(text: string): string | undefined {
  const home = /^~[\w.-]*(?=[/\\]|$)/.exec(text)?.[0];
  const name = home ?? VARIABLE.exec(text)?.slice(1).find(Boolean);
  if (name === undefined) return undefined;
  const below =
    text
      .slice(text.indexOf(name) + name.length)
      .replace(/^[/\\]+/, '')
      .replaceAll('\\', '/') || 'site';
  const isTemporary = TEMPORARY.test(name) || home !== undefined;
  const inWorkflow = isTemporary ? `\${{ runner.temp }}/${below}, or a relative path` : below;
  if (name.startsWith('%')) {
    return `a path, and ${name} is replaced by the command prompt of Windows only; in a workflow write ${inWorkflow}`;
  }
  const inShell = home === undefined ? 'leave out the single quotes around it' : `write "$HOME/${below}"`;
  return `a path, and ${name} is replaced by a shell only; in a workflow write ${inWorkflow}; in a shell ${inShell}`;
}
