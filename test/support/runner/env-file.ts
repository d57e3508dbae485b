/** A file such as GITHUB_OUTPUT, read as the runner on Linux reads it: only LF ends a line. */
interface EnvFile {
  readonly values: Readonly<Record<string, string>>;
  /** The error with which the runner would fail the step; the values before it are kept. */
  readonly error: string | undefined;
}

export function readEnvFile(text: string): EnvFile {
  const values: Record<string, string> = {};
  let rest = text;
  while (rest !== '') {
    const entry = readEntry(rest);
    if ('error' in entry) return { values, error: entry.error };
    if (entry.name !== undefined) values[entry.name] = entry.value;
    rest = entry.rest;
  }
  return { values, error: undefined };
}

type Entry =
  | { readonly name: string | undefined; readonly value: string; readonly rest: string }
  | { readonly error: string };

/**
 * `name=value`, or `name<<delimiter`, lines, and the delimiter alone on a line. Empty lines are
 * skipped.
 */
function readEntry(text: string): Entry {
  const { line, rest } = takeLine(text);
  if (line === '') return { name: undefined, value: '', rest };
  const equals = line.indexOf('=');
  const heredoc = line.indexOf('<<');
  if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
    if (equals === 0) return { error: `Invalid format '${line}'. Name must not be empty` };
    return { name: line.slice(0, equals), value: line.slice(equals + 1), rest };
  }
  if (heredoc < 0) return { error: `Invalid format '${line}'` };
  const delimiter = line.slice(heredoc + 2);
  if (heredoc === 0 || delimiter === '') {
    return {
      error: `Invalid format '${line}'. Name must not be empty and delimiter must not be empty`,
    };
  }
  return readHeredoc({ name: line.slice(0, heredoc), delimiter, text: rest });
}

function readHeredoc({
  name,
  delimiter,
  text,
}: {
  name: string;
  delimiter: string;
  text: string;
}): Entry {
  const lines: string[] = [];
  let rest = text;
  while (rest !== '') {
    const next = takeLine(rest);
    if (next.line === delimiter) return { name, value: lines.join('\n'), rest: next.rest };
    lines.push(next.line);
    rest = next.rest;
  }
  return { error: `Invalid value. Matching delimiter not found '${delimiter}'` };
}

function takeLine(text: string): { line: string; rest: string } {
  const end = text.indexOf('\n');
  return end < 0
    ? { line: text, rest: '' }
    : { line: text.slice(0, end), rest: text.slice(end + 1) };
}
