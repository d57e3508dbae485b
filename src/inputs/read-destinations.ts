import { looksSecret } from '../ground/text/credentials.ts';
import { plainLine } from '../ground/text/escape.ts';
import { splitWords } from '../ground/text/names.ts';
import {
  type Address,
  formatAddress,
  kindOf,
  type PlainAddress,
  readCredentials,
  type StoreCredentials,
} from '../stores/kinds.ts';
import { image } from '../stores/registry/address.ts';
import type { InputContext, InputReader } from '../values/reader.ts';
import { text as anyText, boolean } from '../values/values.ts';
import { parseAddress } from './parse-address.ts';

// A run writes the link of its export to destinations, such as a secret that a deployment reads.
// Next to the link it keeps the state, which says which export is live.

const MAX_DESTINATIONS = 50;

interface DestinationInputs {
  /**
   * At least one, no two of the same destination, each in its shortest form; paths are absolute.
   */
  readonly addresses: readonly Address[];
  readonly credentials: StoreCredentials;
  /** The link may replace a value that is not a link of this site. */
  readonly takeOver?: boolean | undefined;
}

/** The destinations of the link; undefined if none is given, or if one is wrong. */
export function readDestinations(
  reader: InputReader,
  context: InputContext,
): DestinationInputs | undefined {
  const given = [...readTo(reader, context), ...readCommand(reader, context)];
  // The image comes first, since links are written only after it was pushed.
  if (reader.isGiven('image')) given.unshift(reader.optional('image', image));
  const addresses = given.filter((address) => address !== undefined);
  // A wrong address does not say which inputs its destination needs, so these are not checked.
  if (addresses.length < given.length) return undefined;
  // A command counts as the destination of its state. An image is given only once, and is pushed
  // with the login of the machine, so it needs none of the checks below.
  const plainAddresses = addresses
    .map((address) => (address.scheme === 'command' ? address.state : address))
    .filter((address) => address.scheme !== 'image');
  const double = findDouble(plainAddresses);
  if (double !== undefined) {
    reader.problem('to', `${double}; name it once`);
    return undefined;
  }
  // Also read without an address, so that every fault is reported.
  const credentials = readCredentials(reader, plainAddresses, context);
  const takeOver = reader.required('take-over', boolean);
  if (addresses.length === 0) {
    reader.forbid(['take-over'], 'is read only together with to');
    return undefined;
  }
  return { addresses, credentials, takeOver };
}

/** True if a destination of the link is given, right or wrong. */
export function asksForDestinations(reader: InputReader): boolean {
  return reader.isGiven('to') || reader.isGiven('image') || reader.text('to-command') !== '';
}

/**
 * The program of `--to-command`, which only the command line has, with the destination of
 * `--state`, where the state of the link is kept. A list with no entry or one; undefined in it: it
 * is wrong.
 */
function readCommand(reader: InputReader, context: InputContext): readonly (Address | undefined)[] {
  const command = reader.text('to-command');
  const state = reader.text('state');
  if (command === '') {
    if (state !== '') reader.problem('state', 'state is read only together with to-command');
    return [];
  }
  const words = splitWords(command);
  if (words === undefined)
    reader.problem('to-command', 'to-command has a quote that is not closed');
  // Without its file, such as `>` of `>link.txt`.
  const sign = words?.find((word) => SHELL_SIGN.test(word))?.replace(/^(\d?>>?|<).+/, '$1');
  if (sign !== undefined) {
    reader.problem(
      'to-command',
      `to-command starts one program without a shell, and ${plainLine(sign, 40)} is a sign of a shell`,
    );
  }
  if (state === '') {
    reader.problem(
      'state',
      'state is missing: it names where the state of to-command is kept, such as --state file:PATH',
    );
    return [undefined];
  }
  const address = readAddress(reader, 'state', state, context);
  if (address === undefined || words === undefined) return [undefined];
  return [{ scheme: 'command', words, state: address }];
}

/**
 * A word that a shell would not pass on as it is: a pipe, a redirection, the end of a command, a
 * variable.
 */
const SHELL_SIGN = /^(?:\|\|?|&&?|;|\d?>>?.*|<.*)$|^\$\w+|^\$\{\w+\}/;

/** The addresses in `to`, one a line; undefined for a wrong one. */
function readTo(reader: InputReader, context: InputContext): readonly (PlainAddress | undefined)[] {
  const text = reader.optional('to', anyText) ?? '';
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const given = lines.filter(Boolean);
  if (given.length <= MAX_DESTINATIONS)
    return given.map((line) => readAddress(reader, 'to', line, context));
  reader.problem('to', `to has ${given.length} destinations; the maximum is ${MAX_DESTINATIONS}`);
  return [undefined];
}

/**
 * The address in its shortest form, given where the run is; undefined if it is wrong, which is
 * exactly one problem.
 */
function readAddress(
  reader: InputReader,
  input: 'to' | 'state',
  text: string,
  context: InputContext,
): PlainAddress | undefined {
  const parsed = parseAddress(text);
  if (!parsed.ok) {
    reader.problem(
      input,
      `${input}: ${shownAddress(text)} is not allowed; it must be ${parsed.allowed}`,
    );
    return undefined;
  }
  // What its kind does, bound to this address.
  const kind = kindOf(parsed.value);
  // Why this run cannot write there.
  const whyNot = kind.whyNot(context);
  if (whyNot === undefined) return kind.shorten(context);
  reader.problem(input, `${input}: ${formatAddress(parsed.value)} ${whyNot}`);
  return undefined;
}

/** A query with only names whose values are not secret. */
const PLAIN_QUERY =
  /^(?:(?:server|environment|region|context|visibility|repositories)=[\w.,:/%-]{0,100}(?:&|$))*(?:#.*)?$/;

// A wrong address for a message. The whole of it is hidden if it may contain a password or a key,
// and its query if that may contain one.
function shownAddress(text: string): string {
  const [path = '', query] = text.split(/\?(.*)/s);
  if (/[@=]|https?:\/\//i.test(path) || looksSecret(text)) return 'one of its lines';
  if (query === undefined) return `"${plainLine(path, 100)}"`;
  const shownQuery = PLAIN_QUERY.test(query) ? plainLine(query, 200) : '…';
  return `"${plainLine(path, 100)}?${shownQuery}"`;
}

/**
 * Says which two addresses are the same destination, which they are if they have a key in common;
 * undefined if all are different.
 */
function findDouble(addresses: readonly PlainAddress[]): string | undefined {
  const addressByKey = new Map<string, string>();
  for (const address of addresses) {
    const text = formatAddress(address);
    for (const key of kindOf(address).keys()) {
      const earlier = addressByKey.get(key);
      if (earlier === text) return `${text} is named twice as a destination`;
      if (earlier !== undefined) return `${earlier} and ${text} are the same destination`;
      addressByKey.set(key, text);
    }
  }
  return undefined;
}

/**
 * The destinations that one of several sites writes, each as a key: as far as is known without a
 * request, two sites have the same key if they write the same destination. `value` gives the text
 * of an input, `''` if it is not given.
 */
export function destinationKeys(
  value: (name: string) => string,
  context: InputContext,
): readonly string[] {
  const keys = new Set<string>();
  const command = value('to-command').trim();
  const tag = value('image').trim();
  const lines = value('to').split('\n');
  // With a command, the state has its own destination. Without one, `state` has no effect.
  if (command !== '') lines.push(value('state'));
  for (const line of lines.map((text) => text.trim()).filter(Boolean)) {
    const parsed = parseAddress(line);
    if (!parsed.ok) {
      // The run of that site says what is wrong with it.
      keys.add(line);
      continue;
    }
    // Two spellings of one address are the same in the shortest form.
    const kind = kindOf(kindOf(parsed.value).shorten(context));
    // What the address leaves open: the server, or the cluster.
    const server = kind.server(value)?.trim() ?? '';
    for (const key of kind.keys()) keys.add(`${key} ${server}`.trimEnd());
  }
  // Two sites that start the same program would hand it two links.
  if (command !== '') keys.add(`command ${command}`);
  if (tag !== '') keys.add(`image:${tag}`);
  return [...keys];
}
