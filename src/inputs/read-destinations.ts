import { resolve } from 'node:path';
import {
  type Address,
  formatAddress,
  type GiteaAddress,
  type GitHubAddress,
  type PlainAddress,
} from '../stores/address.ts';
import type { StoreCredentials } from '../stores/credentials.ts';
import { type ParsedAddress, parseAddress } from '../stores/parse-address.ts';
import { plainLine } from '../text/escape.ts';
import { splitWords } from '../text/names.ts';
import type { InputName } from './catalog.ts';
import type { DestinationInputs } from './inputs.ts';
import { readAws, readKubernetes, readVault } from './read-stores.ts';
import type { InputReader, ReadDestination } from './reader.ts';
import { serverUrl } from './store-values.ts';
import * as values from './values.ts';
import { accept, apiToken, isKeyShaped } from './values.ts';

// They describe the destination that secret-name names; an address in `to` says all of it by itself.
const SECRET_PLACE = [
  'secret-scope',
  'secret-environment',
  'secret-repository',
  'secret-organization',
] as const satisfies readonly InputName[];
const ORGANIZATION_ACCESS = ['secret-visibility', 'secret-selected-repositories'] as const;
const MAX_PLACES = 50;

/** The destinations of the link, of `to` and of `secret-name`; undefined where none is asked for. */
export function readDestinations(reader: InputReader, destination: ReadDestination): DestinationInputs | undefined {
  const destinations = [...readSecret(reader, destination), ...readTo(reader), ...readCommand(reader, destination)];
  const given = destinations.map((address) => shortest(address, destination));
  const addresses = withoutDoubles(reader, given);
  const credentials = readCredentials(reader, addresses.map(plainDestination));
  return addresses.length === 0 ? undefined : { addresses, credentials };
}

/** The address that `secret-name` and its inputs describe: on the forge that the run takes place on. */
function readSecret(reader: InputReader, destination: ReadDestination): readonly (GitHubAddress | GiteaAddress)[] {
  if (!reader.isGiven('secret-name')) {
    reader.forbid(SECRET_PLACE, 'is read only together with secret-name');
    return [];
  }
  const name = reader.required('secret-name', values.secretName);
  const scope = reader.required('secret-scope', values.oneOf(['repository', 'environment', 'organization']));
  const address = scope && readScope(reader, destination, { scope, name: name ?? '' });
  if (name === undefined || address === undefined) return [];
  return destination.forge === 'gitea' ? readGiteaSecret(reader, address, destination) : [address];
}

function readGiteaSecret(
  reader: InputReader,
  { name, ...address }: GitHubAddress,
  destination: ReadDestination,
): readonly GiteaAddress[] {
  if (address.scope === 'environment') {
    reader.problem('secret-scope: environment is not allowed here: Gitea and Forgejo have no secrets of environments');
    return [];
  }
  const isOrganization = address.scope === 'organization';
  const owner = isOrganization ? `org/${address.organization}` : `repo/${address.repository ?? destination.repository}`;
  const parsed = parseAddress(`gitea:${owner}/${name}`);
  if (parsed.ok && parsed.value.scheme === 'gitea') return [parsed.value];
  reader.problem(
    `secret-name: "${name}" is not allowed; Gitea reserves CI and what begins with GITEA_, FORGEJO_ or GITHUB_`,
  );
  return [];
}

/** True where the link is to be written anywhere. */
export function asksForDestinations(reader: InputReader): boolean {
  return reader.isGiven('secret-name') || reader.isGiven('to') || reader.option('to-command') !== '';
}

/** The program of `--to-command`, which only the command line has, with the destination of `--state` for what belongs to the link. */
function readCommand(reader: InputReader, destination: ReadDestination): readonly Address[] {
  const [command, state] = [reader.option('to-command'), reader.option('state')];
  if (command === '') {
    if (state !== '') reader.problem('state is read only together with to-command');
    return [];
  }
  const words = splitWords(command);
  if (words === undefined) reader.problem('to-command has a quote that is not closed');
  if (state === '') {
    reader.problem('state is missing: it names where the state of to-command is kept, such as file:docs-link');
    return [];
  }
  const parsed = parseAddress(state);
  if (parsed.ok && words !== undefined)
    return [{ scheme: 'command', words, state: shortestPlain(parsed.value, destination) }];
  if (!parsed.ok) reader.problem(`state: ${shown(state, parsed)} is not allowed; it must be ${parsed.allowed}`);
  return [];
}

interface Named {
  readonly scope: GitHubAddress['scope'];
  readonly name: string;
}

function readScope(
  reader: InputReader,
  destination: ReadDestination,
  { scope, name }: Named,
): GitHubAddress | undefined {
  const scheme = 'github';
  switch (scope) {
    case 'repository':
      reader.forbid(['secret-environment', 'secret-organization'], 'does not fit secret-scope: repository');
      return { scheme, name, scope, repository: readRepository(reader, destination) };
    case 'environment': {
      reader.forbid(['secret-organization'], 'does not fit secret-scope: environment');
      const repository = readRepository(reader, destination);
      const environment = reader.required('secret-environment', values.line, ': secret-scope is environment');
      return environment === undefined ? undefined : { scheme, name, scope, repository, environment };
    }
    case 'organization': {
      reader.forbid(['secret-environment', 'secret-repository'], 'does not fit secret-scope: organization');
      const organization = reader.required('secret-organization', values.login, ': secret-scope is organization');
      return organization === undefined ? undefined : { scheme, name, scope, organization };
    }
  }
}

function readRepository(reader: InputReader, destination: ReadDestination): string {
  return reader.optional('secret-repository', values.repository) ?? destination.repository;
}

/** One address a line. Each wrong one is a problem of its own. */
function readTo(reader: InputReader): readonly Address[] {
  const lines = (reader.optional('to', (text) => accept(text)) ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length > MAX_PLACES) {
    reader.problem(`to has ${lines.length} destinations; the maximum is ${MAX_PLACES}`);
    return [];
  }
  return lines.flatMap((line) => {
    const parsed = parseAddress(line);
    if (parsed.ok) return [parsed.value];
    reader.problem(`to: ${shown(line, parsed)} is not allowed; it must be ${parsed.allowed}`);
    return [];
  });
}

// An address that holds a password, or is a key, is not repeated.
function shown(line: string, { ok }: ParsedAddress): string {
  return !ok && !isKeyShaped(line) && !/[@=]/.test(line) ? `"${plainLine(line, 100)}"` : 'one of its lines';
}

/** Without what the current repository and the workspace say anyway. */
function shortest(address: Address, destination: ReadDestination): Address {
  return address.scheme === 'command' ? address : shortestPlain(address, destination);
}

function shortestPlain(address: PlainAddress, { repository, workspace }: ReadDestination): PlainAddress {
  if (address.scheme === 'file') return { scheme: 'file', path: resolve(workspace, address.path) };
  if (address.scheme !== 'github' || address.scope === 'organization') return address;
  const isCurrent = address.repository?.toLowerCase() === repository.toLowerCase();
  return isCurrent ? { ...address, repository: undefined } : address;
}

/** The destination itself; of a command, the one of its state. */
function plainDestination(address: Address): PlainAddress {
  return address.scheme === 'command' ? address.state : address;
}

function withoutDoubles(reader: InputReader, addresses: readonly Address[]): readonly Address[] {
  const seen = new Map<string, string>();
  for (const address of addresses.map(plainDestination)) {
    const text = formatAddress(address);
    // The state is stored in a destination of its own, which must not be another link.
    const state = stateOf(address, text);
    for (const key of [text, ...(state === undefined ? [] : [state])].map((key) => keyOf(address, key))) {
      const former = seen.get(key);
      if (former !== undefined) {
        reader.problem(
          former === text
            ? `${text} is named twice as a destination of the link; name it once`
            : `${text} and ${former} are the same destination; name it once`,
        );
      }
      seen.set(key, text);
    }
  }
  return addresses;
}

function stateOf({ scheme }: Address, text: string): string | undefined {
  if (scheme === 'file') return `${text}.state.json`;
  return scheme === 'vault' || scheme === 'aws-sm' || scheme === 'aws-ssm' ? `${text}_state` : undefined;
}

// Forges ignore case in the names of owners, repositories and environments.
function keyOf({ scheme }: Address, text: string): string {
  return scheme === 'github' || scheme === 'gitea' ? text.toLowerCase() : text;
}

function readCredentials(reader: InputReader, addresses: readonly PlainAddress[]): StoreCredentials {
  const needsToken = addresses.some(({ scheme }) => ['github', 'gitea', 'gitlab'].includes(scheme));
  const isAsked = reader.isGiven('secret-name') || needsToken;
  if (!isAsked)
    reader.forbid(['secret-token'], 'is read only together with secret-name, or an address in to that needs it');
  const why = ": the workflow's own token cannot write secrets";
  const secretToken = isAsked ? reader.required('secret-token', apiToken, why) : undefined;
  const isElsewhere = addresses.some(({ scheme }) => scheme === 'gitea' || scheme === 'gitlab');
  if (!isElsewhere) reader.forbid(['forge-url'], 'is read only together with a gitea: or gitlab: address in to');
  return {
    secretToken,
    workflowToken: reader.optional('github-token', apiToken),
    forgeUrl: isElsewhere ? reader.optional('forge-url', serverUrl) : undefined,
    ...readAccess(reader, addresses),
    kubernetes: readKubernetes(reader, addresses),
    vault: readVault(reader, addresses),
    aws: readAws(reader, addresses),
  };
}

function readAccess(reader: InputReader, addresses: readonly PlainAddress[]) {
  const isOrganization = addresses.some((address) => address.scheme === 'github' && address.scope === 'organization');
  // Where the secret itself is wrong, only that is reported.
  const isUnclear = reader.isGiven('secret-name') && addresses.length === 0;
  if (!isOrganization && !isUnclear) reader.forbid(ORGANIZATION_ACCESS, 'is read only for a secret of an organization');
  const visibility = reader.optional('secret-visibility', values.oneOf(['all', 'private', 'selected']));
  const selectedRepositories = reader.optional('secret-selected-repositories', values.list(values.repositoryOrId));
  if (isOrganization && selectedRepositories !== undefined && visibility !== 'selected') {
    reader.problem('secret-selected-repositories is read only with secret-visibility: selected');
  }
  return { visibility, selectedRepositories };
}
