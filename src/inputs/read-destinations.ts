import { resolve } from 'node:path';
import { type Address, formatAddress, type PlainAddress, SCHEMES } from '../stores/address.ts';
import type { StoreCredentials } from '../stores/credentials.ts';
import { looksSecret } from '../text/credentials.ts';
import { plainLine } from '../text/escape.ts';
import { splitWords } from '../text/names.ts';
import { type InputReader, laptopToken, type ReadDestination } from '../values/reader.ts';
import { text as anyText, apiToken, boolean } from '../values/values.ts';
import { formOf, parseAddress } from './parse-address.ts';
import { image } from './parse-image.ts';
import { readStores } from './read-stores.ts';

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
  if (state === '') {
    reader.problem('state', 'state is missing: it names where the state of to-command is kept, such as file:docs-link');
    return [undefined];
  }
  const found = readAddress(reader, { input: 'state', text: state }, destination);
  return [found && words && { scheme: 'command', words, state: found }];
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
  if (lines.length <= MAX_DESTINATIONS) {
    return lines.map((text) => readAddress(reader, { input: 'to', text }, destination));
  }
  reader.problem('to', `to has ${lines.length} destinations; the maximum is ${MAX_DESTINATIONS}`);
  return [undefined];
}

interface Line {
  readonly input: 'to' | 'state';
  readonly text: string;
}

const BETWEEN_ADDRESSES = new RegExp(`(?<![\\s,;|])[\\s,;|]+(?=(?:${SCHEMES.join('|')}):)`);

/** The address in its shortest form. A wrong one is a problem, and one alone. */
function readAddress(
  reader: InputReader,
  { input, text }: Line,
  destination: ReadDestination,
): PlainAddress | undefined {
  const several = text.split(BETWEEN_ADDRESSES);
  if (several.length > 1) {
    const text = `${several.length} destinations on one line; write each on its own line:${showLines(several)}`;
    reader.problem(input, `${input} has ${text}`);
    return undefined;
  }
  const parsed = parseAddress(text);
  if (!parsed.ok) {
    const form = formOf(text);
    const fix = form === undefined ? {} : { text: 'Write it like this:', inputs: { [input]: form } };
    reader.problem(input, `${input}: ${shown(text)} is not allowed; it must be ${parsed.allowed}`, fix);
    return undefined;
  }
  const elsewhere = whereNot(parsed.value, destination);
  if (elsewhere === undefined) return shortest(parsed.value, destination);
  reader.problem(input, `${input}: ${formatAddress(parsed.value)} ${elsewhere}`);
  return undefined;
}

function showLines(lines: readonly string[]): string {
  return lines.map((line) => `\n    ${parseAddress(line).ok ? line : shown(line)}`).join('');
}

// An address that holds a password, or a key, is not repeated; nor is its query.
function shown(text: string): string {
  const [path = '', query] = text.split('?');
  const isSecret = /[@=]|https?:\/\//i.test(path) || looksSecret(text);
  return isSecret ? 'one of its lines' : `"${plainLine(path, 100)}${query === undefined ? '' : '?…'}"`;
}

/** Why a run cannot write it. */
function whereNot(address: PlainAddress, { forge, repository }: ReadDestination): string | undefined {
  if (address.scheme !== 'github') return undefined;
  if (forge === 'gitea') {
    // Here the API of the run is that of Gitea: the token would be sent to the wrong server.
    const why = 'is a secret of GitHub, and this run is on Gitea or Forgejo';
    if (address.scope === 'environment') return `${why}, which has no secrets of environments`;
    const owner =
      address.scope === 'organization' ? `org/${address.organization}` : `repo/${address.repository ?? repository}`;
    return `${why}; write gitea:${owner}/${address.name}`;
  }
  // Outside of GitHub there is no current repository, and a project of the same name on GitHub has another owner.
  if (repository !== '' || address.scope === 'organization' || address.repository !== undefined) return undefined;
  return 'names no repository, and this run is not on GitHub; write github:repo/OWNER/REPO/NAME';
}

/** Without what the run says anyway: the current repository, its server, the region of the environment. */
function shortest(address: PlainAddress, { repository, workspace, run }: ReadDestination): PlainAddress {
  switch (address.scheme) {
    case 'file':
      return { scheme: 'file', path: resolve(workspace, address.path) };
    case 'github': {
      if (address.scope === 'organization') return address;
      const isCurrent = address.repository?.toLowerCase() === repository.toLowerCase();
      return isCurrent ? { ...address, repository: undefined } : address;
    }
    case 'gitea':
    case 'gitlab':
      return isOwnServer(address, run) ? { ...address, server: undefined } : address;
    case 'aws-sm':
    case 'aws-ssm': {
      const own = run?.env['AWS_REGION'] || run?.env['AWS_DEFAULT_REGION'];
      return address.region === own?.trim() ? { ...address, region: undefined } : address;
    }
    default:
      return address;
  }
}

function isOwnServer({ scheme, server }: { scheme: string; server?: string | undefined }, run: ReadDestination['run']) {
  const kind = run?.kind === 'forgejo' ? 'gitea' : run?.kind;
  return scheme === kind && server === run?.serverUrl?.replace(/(?<!\/)\/+$/, '');
}

/** Two addresses of one destination; undefined where there are none. */
function findDouble(addresses: readonly PlainAddress[]): string | undefined {
  const seen = new Map<string, string>();
  for (const address of addresses) {
    const text = formatAddress(address);
    for (const key of keysOf(address)) {
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
 * The destination of an address and that of its state, which must not be another link. Forges ignore case in the names of
 * owners, repositories and environments.
 */
function keysOf(address: PlainAddress): readonly string[] {
  const text = formatAddress(address);
  switch (address.scheme) {
    case 'github':
    case 'gitea':
      return [text.toLowerCase()];
    case 'file':
      return [text, `${text}.state.json`];
    case 'vault':
      return [text, `${text}_state`];
    case 'aws-sm':
    case 'aws-ssm':
      return [text, formatAddress({ ...address, name: `${address.name}_state` })];
    default:
      return [text];
  }
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
    const address = shortest(parsed.value, destination);
    // What the address leaves open: the server, or the cluster.
    const server = address.scheme === 'vault' ? value('vault-address') : 'context' in address && address.context;
    return keysOf(address).map((key) => (server ? `${key} ${server.trim()}` : key));
  });
  const tag = value('image').trim();
  const others = [command === '' ? '' : `command ${command}`, tag === '' ? '' : `image:${tag}`];
  return [...new Set([...keys, ...others.filter((key) => key !== '')])];
}

function readCredentials(
  reader: InputReader,
  addresses: readonly PlainAddress[],
  destination: ReadDestination,
): StoreCredentials {
  const needsToken = addresses.some(({ scheme }) => ['github', 'gitea', 'gitlab'].includes(scheme));
  if (!needsToken) {
    reader.forbid(['secret-token'], 'is read only together with a github:, gitea: or gitlab: address in to');
  }
  return {
    secretToken: needsToken ? readToken(reader, addresses, destination) : undefined,
    workflowToken: reader.optional('github-token', apiToken),
    ...readStores(reader, addresses, destination),
  };
}

/** Why the token of the run itself is not enough, in the words of its system. */
const WHY_TOKEN: Readonly<Record<string, string>> = {
  local: ': it is a token that may write the secret. For github: addresses the variable GH_TOKEN is read too',
  gitlab:
    ': CI_JOB_TOKEN cannot write variables. It is a project access token with the role Maintainer and the scope api',
};

function readToken(
  reader: InputReader,
  addresses: readonly PlainAddress[],
  { run }: ReadDestination,
): string | undefined {
  const kind = run?.kind ?? '';
  // The token that the command gh uses. It must not reach another server.
  const isGitHub = addresses.every(({ scheme }) => scheme !== 'gitea' && scheme !== 'gitlab');
  const own = isGitHub ? laptopToken(run) : undefined;
  if (own !== undefined && !reader.isGiven('secret-token')) return own;
  return reader.required(
    'secret-token',
    apiToken,
    WHY_TOKEN[kind] ?? ": the workflow's own token cannot write secrets",
  );
}
