/** A workflow command that took effect. */
export interface LogCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
  readonly stream: 'stdout' | 'stderr';
}

export interface AnnotationCommand {
  readonly type: 'notice' | 'warning' | 'error';
  readonly message: string;
  readonly title: string | undefined;
  readonly file: string | undefined;
  readonly line: number | undefined;
}

export type ParsedCommand = Omit<LogCommand, 'stream'>;

export const COMMAND_NAMES: readonly string[] = [
  'add-mask',
  'add-matcher',
  'add-path',
  'debug',
  'echo',
  'endgroup',
  'error',
  'group',
  'notice',
  'remove-matcher',
  'save-state',
  'set-env',
  'set-output',
  'stop-commands',
  'warning',
];

// What .NET's TrimStart removes; JavaScript's differs in U+0085 and U+FEFF.
const LEADING_SPACE = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

const V2_KEY = '::';
const LEGACY_KEY = '##[';

/** The command in a line of the log, in either form; `registered` contains names in lower case. */
export function parseCommand(
  line: string,
  registered: ReadonlySet<string>,
): ParsedCommand | undefined {
  return parseV2(line, registered) ?? parseLegacy(line, registered);
}

/** `::name key=value,key=value::data`, after white space only. */
function parseV2(line: string, registered: ReadonlySet<string>): ParsedCommand | undefined {
  const text = line.replace(LEADING_SPACE, '');
  if (!text.startsWith(V2_KEY)) return undefined;
  const end = text.indexOf(V2_KEY, V2_KEY.length);
  if (end < 0) return undefined;
  const head = splitHead(text.slice(V2_KEY.length, end), registered);
  if (!head) return undefined;
  const undo = (value: string) => unescapeWith(value, ['%0D', '%0A', '%3A', '%2C', '%25']);
  return {
    name: head.name,
    properties: readProperties(head.rest.trim().split(','), undo),
    data: unescapeWith(text.slice(end + V2_KEY.length), ['%0D', '%0A', '%25']),
  };
}

/** `##[name key=value;key=value]data`, anywhere in the line. */
function parseLegacy(line: string, registered: ReadonlySet<string>): ParsedCommand | undefined {
  const start = line.indexOf(LEGACY_KEY);
  if (start < 0) return undefined;
  const end = line.indexOf(']', start);
  if (end < 0) return undefined;
  const head = splitHead(line.slice(start + LEGACY_KEY.length, end), registered);
  if (!head) return undefined;
  const undo = (value: string) => unescapeWith(value, ['%3B', '%0D', '%0A', '%5D', '%25']);
  return {
    name: head.name,
    properties: readProperties(head.rest.split(';'), undo),
    data: undo(line.slice(end + 1)),
  };
}

function splitHead(
  text: string,
  registered: ReadonlySet<string>,
): { name: string; rest: string } | undefined {
  const space = text.indexOf(' ');
  const name = (space < 0 ? text : text.slice(0, space)).toLowerCase();
  return registered.has(name) ? { name, rest: space > 0 ? text.slice(space + 1) : '' } : undefined;
}

function readProperties(
  pairs: readonly string[],
  undo: (value: string) => string,
): Record<string, string> {
  const properties: Record<string, string> = {};
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals <= 0 || equals === pair.length - 1) continue;
    properties[pair.slice(0, equals).toLowerCase()] = undo(pair.slice(equals + 1));
  }
  return properties;
}

/**
 * `%25` is decoded last, like in the runner, so an escaped percent sign does not start a second
 * escape.
 */
function unescapeWith(value: string, escapes: readonly string[]): string {
  let text = value;
  for (const sequence of escapes) text = text.replaceAll(sequence, decodeURIComponent(sequence));
  return text;
}
