import type { Hint } from '../errors.ts';
import {
  type Address,
  formatAddress,
  kindOf,
  type PlainAddress,
  readCredentials,
  SCHEMES,
  type StoreCredentials,
} from '../stores/kinds.ts';
import { image } from '../stores/registry/address.ts';
import { looksSecret } from '../text/credentials.ts';
import { plainLine } from '../text/escape.ts';
import { splitWords } from '../text/names.ts';
import type { InputReader, ReadDestination } from '../values/reader.ts';
import { text as anyText, boolean, fits, type Misfit } from '../values/values.ts';
import { meantAddress } from './meant-address.ts';
import { formOf, parseAddress } from './parse-address.ts';

const MAX_DESTINATIONS = 50;

interface DestinationInputs {
  /** At least one, no two of the same destination, each in its shortest form; paths are absolute. */
  readonly addresses: readonly Address[];
  readonly credentials: StoreCredentials;
  /** The link may replace what is not a link of this site. */
  readonly takeOver?: boolean | undefined;
}

/** The destinations of the link; undefined where none is asked for, or where one is wrong. */
export function readDestinations(reader: InputReader, destination: ReadDestination): DestinationInputs | undefined {
  const given = [
    // The image comes first: links are written when it is there.
    ...(reader.isGiven('image') ? [reader.optional('image', image)] : []),
    ...readTo(reader, destination),
    ...readCommand(reader, destination),
  ];
  const addresses = given.filter((address) => address !== undefined);
  // Which inputs a destination needs is unknown where it is wrong: only that is reported.
  if (addresses.length < given.length || reader.hasRemoved) return undefined;
  // Of a command, the destination of its state.
  const plain = addresses.flatMap((one) => {
    if (one.scheme === 'image') return [];
    return one.scheme === 'command' ? one.state : one;
  });
  const double = findDouble(plain);
  if (double !== undefined) {
    reader.problem('to', `${double}; name it once`);
    return undefined;
  }
  const credentials = readCredentials(reader, plain, destination);
  const takeOver = reader.required('take-over', boolean);
  if (addresses.length === 0) {
    reader.forbid(['take-over'], 'is read only together with to');
    return undefined;
  }
  return { addresses, credentials, takeOver };
}

/** True where the link is to be written anywhere. */
export function asksForDestinations(reader: InputReader): boolean {
  return reader.isGiven('to') || reader.isGiven('image') || reader.text('to-command') !== '' || reader.hasRemoved;
}

/** The program of `--to-command`, which only the command line has, with the destination of `--state` for what belongs to the link. */
function readCommand(reader: InputReader, destination: ReadDestination): readonly (Address | undefined)[] {
  const [command, state] = [reader.text('to-command'), reader.text('state')];
  if (command === '') {
    if (state !== '') reader.problem('state', 'state is read only together with to-command');
    return [];
  }
  const words = splitWords(command);
  if (words === undefined) reader.problem('to-command', 'to-command has a quote that is not closed');
  const sign = words?.find((word) => SHELL_SIGN.test(word));
  if (sign !== undefined) {
    reader.problem(
      'to-command',
      `to-command starts one program without a shell, and ${plainLine(sign.replace(/^(\d?>>?|<).+/, '$1'), 40)} is a sign of a shell; name the shell: --to-command ${inShell(command, destination.run?.kind === 'local')}`,
    );
  }
  if (state === '') {
    reader.problem(
      'state',
      'state is missing: it names where the state of to-command is kept: write --state file:docs-link as well',
    );
    return [undefined];
  }
  const found = readAddress(reader, { input: 'state', text: state }, destination);
  return [found && words && { scheme: 'command', words, state: found }];
}

/** What a shell would not hand on as it is: a pipe, a redirection, the end of a command, a variable. */
const SHELL_SIGN = /^(?:\|\|?|&&?|;|\d?>>?.*|<.*)$|^\$\w+|^\$\{\w+\}/;

/** The command as a shell would run it, as one word of another. Its arguments may be private: only the person who typed them sees them. */
function inShell(command: string, isLaptop: boolean): string {
  const isShown = isLaptop && !looksSecret(command) && !/['"]/.test(command);
  return isShown ? `"sh -c '${plainLine(command, 200)}'"` : '"sh -c \'…\'"';
}

/** One address a line. */
function readTo(reader: InputReader, destination: ReadDestination): readonly (PlainAddress | undefined)[] {
  const lines = (reader.optional('to', anyText) ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const bare = lines.map((line) => line.replace(/^- +/, ''));
  if (bare.join() !== lines.join()) {
    reader.problem('to', `to is a text with one address a line, not a list; leave out "- ":${showLines(bare)}`);
    return [undefined];
  }
  const addresses = lines.filter((line) => !/^(?:#|[/]{2})/.test(line));
  if (addresses.length < lines.length) {
    const fix = addresses.length === 0 ? {} : { text: 'Write:', inputs: { to: addresses.join('\n') } };
    reader.problem(
      'to',
      `to takes no comments; leave out the lines that begin with # or two slashes:${showLines(addresses)}`,
      fix,
    );
    return [undefined];
  }
  if (lines.length <= MAX_DESTINATIONS) {
    const whole = lines.map((line) => meantAddress(line) ?? line);
    return lines.map((text) => readAddress(reader, { input: 'to', text, whole }, destination));
  }
  reader.problem('to', `to has ${lines.length} destinations; the maximum is ${MAX_DESTINATIONS}`);
  return [undefined];
}

interface Line {
  readonly input: 'to' | 'state';
  readonly text: string;
  /** All lines of the input, each as it was most likely meant. */
  readonly whole?: readonly string[] | undefined;
}

const BETWEEN_ADDRESSES = new RegExp(`(?<![\\s,;|-])[\\s,;|]+(?:- +)?(?=(?:${SCHEMES.join('|')}):)`);

/** The address in its shortest form. A wrong one is a problem, and one alone. */
function readAddress(
  reader: InputReader,
  { input, text, whole }: Line,
  destination: ReadDestination,
): PlainAddress | undefined {
  const parsed = parseAddress(text);
  const meant = parsed.ok ? undefined : meantAddress(text);
  if (meant !== undefined) {
    const inputs = { [input]: (whole ?? [meant]).join('\n') };
    reader.problem(input, `${input}: ${shown(text)} is not allowed; write ${meant}`, { text: 'Write:', inputs });
    return undefined;
  }
  const several = text.split(BETWEEN_ADDRESSES);
  if (several.length > 1 && / - /.test(text)) {
    reader.problem(
      input,
      `${input} is a list whose entries begin in different columns; begin them in the same one:${showLines(several)}`,
    );
    return undefined;
  }
  if (several.length > 1) {
    const text = `${several.length} destinations on one line; write each on its own line:${showLines(several)}`;
    reader.problem(input, `${input} has ${text}`);
    return undefined;
  }
  if (!parsed.ok) {
    refuseAddress(reader, { input, text }, parsed);
    return undefined;
  }
  const kind = kindOf(parsed.value);
  const elsewhere = kind.whyNot(destination);
  if (elsewhere === undefined) return kind.shorten(destination);
  reader.problem(input, `${input}: ${formatAddress(parsed.value)} ${elsewhere}`);
  return undefined;
}

/** A text that is neither an address nor one step from one. */
function refuseAddress(reader: InputReader, { input, text }: Line, { allowed, write: meant }: Misfit): void {
  const write = showable(meant);
  const refused = `${input}: ${shown(text)} is not allowed; it must be`;
  const other = otherInput(text);
  const notReplaced = reader.whyNotReplaced(input, text);
  if (other !== undefined) reader.problem(input, `${refused} ${allowed}`, other);
  else if (notReplaced !== undefined) reader.problem(input, `${refused} ${notReplaced}`);
  else {
    const form = write ?? formOf(text);
    const fix = form === undefined ? {} : { text: 'Write it like this:', inputs: { [input]: form } };
    reader.problem(input, `${refused} ${allowed}${write === undefined ? '' : `; write ${write}`}`, fix);
  }
}

/** The input that takes what was written as an address. */
function otherInput(text: string): Partial<Hint> | undefined {
  const [, name] = /^(?:image|docker):[/]{0,2}\s*(\S+)$/i.exec(text) ?? [];
  if (name !== undefined && fits(image, name)) return { text: 'Write instead of to:', inputs: { image: name } };
  return /^s3:/i.test(text) ? { text: 'Write instead of to:', inputs: { 'bundle-path': 'docs.tar.gz' } } : undefined;
}

function showLines(lines: readonly string[]): string {
  return lines.map((line) => `\n    ${parseAddress(line).ok ? line : shown(line)}`).join('');
}

/** Names in a query that have no secret. */
const PLAIN_QUERY =
  /^(?:(?:server|environment|region|context|visibility|repositories|scope|env|name|namespace|ns|key|host)=[\w.,:/%-]{0,100}(?:[&?]|$))*$/;

// An address that contains a password, or a key, is not repeated; nor is a query that may.
function shown(text: string): string {
  if (mayBeSecret(text)) return 'one of its lines';
  const [path = '', query] = text.split(/\?(.*)/s);
  if (query === undefined) return `"${plainLine(path, 100)}"`;
  return `"${plainLine(path, 100)}?${hasPlainQuery(text) ? plainLine(query, 200) : '…'}"`;
}

function mayBeSecret(text: string): boolean {
  const [path = ''] = text.split('?');
  return /[@=]|https?:\/\//i.test(path) || looksSecret(text);
}

/** What to write instead, unless it repeats a part of a text that is not shown. */
function showable(write: string | undefined): string | undefined {
  return write === undefined || mayBeSecret(write) || !hasPlainQuery(write) ? undefined : write;
}

function hasPlainQuery(text: string): boolean {
  return PLAIN_QUERY.test(/\?([^#]*)/.exec(text)?.[1] ?? '');
}

/** Two addresses of one destination; undefined where there are none. */
function findDouble(addresses: readonly PlainAddress[]): string | undefined {
  const seen = new Map<string, string>();
  for (const address of addresses) {
    const text = formatAddress(address);
    for (const key of kindOf(address).keys()) {
      const former = seen.get(key);
      if (former !== undefined)
        return former === text
          ? `${text} is named twice as a destination`
          : `${former} and ${text} are the same destination`;
      seen.set(key, text);
    }
  }
  return undefined;
}

/**
 * The destinations that one of several sites writes, each as a text that is the same for the same one as far as that is known
 * without a request. `value` gives an input by its name, `''` where it is not given.
 */
export function destinationKeys(value: (name: string) => string, destination: ReadDestination): readonly string[] {
  const [command, state] = [value('to-command').trim(), value('state').trim()];
  const lines = [...value('to').split('\n'), ...(command === '' ? [] : [state])].map((line) => line.trim());
  const keys = lines.flatMap((line) => {
    const parsed = parseAddress(line);
    if (!parsed.ok) return line === '' ? [] : [line];
    const kind = kindOf(kindOf(parsed.value).shorten(destination));
    // What the address leaves open: the server, or the cluster.
    const server = kind.server(value)?.trim();
    return kind.keys().map((key) => (server ? `${key} ${server}` : key));
  });
  const tag = value('image').trim();
  const others = [command === '' ? '' : `command ${command}`, tag === '' ? '' : `image:${tag}`];
  return [...new Set([...keys, ...others.filter((key) => key !== '')])];
}
