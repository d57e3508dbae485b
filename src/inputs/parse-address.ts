import {
  type AwsAddress,
  type GitHubAddress,
  isAwsRegion,
  isSettingName,
  type PlainAddress,
  SCHEMES,
  type Scheme,
} from '../stores/address.ts';
import { isKeyShaped, looksSecret } from '../text/credentials.ts';
import { guess } from '../text/names.ts';
import { whyNoPath } from '../text/paths.ts';
import * as values from './values.ts';
import { attempt, fits, type Parser, reject } from './values.ts';

/** An address without its kind. */
interface Parts {
  readonly path: string;
  /** The parts of `path` between slashes, decoded; none where one of them is empty or wrong. */
  readonly parts: readonly string[];
  readonly query: Query;
  /** Decoded; undefined: there is none, or it is wrong. */
  readonly key: string | undefined;
}

type Query = Readonly<Partial<Record<QueryName, string>>>;
type QueryName = 'server' | 'environment' | 'region' | 'context' | 'visibility' | 'repositories';

interface Kind {
  /** Completes "it must be …". */
  readonly forms: string;
  /** What may stand behind the `?`. */
  readonly queries: readonly QueryName[];
  /** A key behind a `#`. */
  readonly hasKey?: boolean;
  readonly parse: (parts: Parts, forms: string) => PlainAddress;
}

const KINDS: Readonly<Record<Scheme, Kind>> = {
  github: {
    forms:
      'github:secret/NAME, github:env/ENVIRONMENT/NAME, github:org/ORG/NAME, github:repo/OWNER/REPO/NAME or github:repo/OWNER/REPO/env/ENVIRONMENT/NAME',
    queries: ['visibility', 'repositories'],
    parse: parseGitHub,
  },
  gitea: { forms: 'gitea:repo/OWNER/REPO/NAME or gitea:org/ORG/NAME', queries: ['server'], parse: parseGitea },
  gitlab: {
    forms: 'gitlab:project/ID/NAME or gitlab:group/ID/NAME; ID is a number, or a full path with %2F for each slash',
    queries: ['server', 'environment'],
    parse: parseGitLab,
  },
  k8s: {
    forms: 'k8s:NAMESPACE/SECRET#KEY, each in the form that Kubernetes allows',
    queries: ['context'],
    hasKey: true,
    parse: parseKubernetes,
  },
  vault: {
    forms: 'vault:MOUNT/PATH#KEY; a slash in MOUNT is written %2F',
    queries: [],
    hasKey: true,
    parse: parseVault,
  },
  'aws-sm': {
    forms: 'aws-sm:NAME, the name or the ARN of a secret',
    queries: ['region'],
    parse: parseAws('aws-sm', /^[A-Za-z0-9/_+=.@:-]{1,512}$/),
  },
  'aws-ssm': {
    forms: 'aws-ssm:/PATH, the full name of a parameter; it does not begin with /aws or /ssm',
    queries: ['region'],
    // AWS keeps names that begin with aws or ssm for itself.
    parse: parseAws('aws-ssm', /^(?!\/(aws|ssm))(\/[A-Za-z0-9_.-]+){1,15}$/i),
  },
  file: {
    forms: 'file:PATH, a path on this machine; %, ? and # in it are written %25, %3F and %23',
    queries: [],
    parse: parseFile,
  },
};

/** What has another input, or is written by another program. */
const NOT_A_KIND: ReadonlyMap<string, string> = new Map([
  ['image', 'the address of a link; an image has an input with its name: write image: REGISTRY/REPOSITORY:TAG'],
  ['docker', 'the address of a link; an image has the input image: write image: REGISTRY/REPOSITORY:TAG'],
  [
    's3',
    `an address of a kind that is known: ${SCHEMES.join(', ')}; for a bucket give bundle-path or extract-to, and copy the result with aws s3 cp`,
  ],
  [
    'env',
    'the place where the link is kept; a variable ends with its step: write file:link.txt, or read the output bundle-url in a later step',
  ],
  ...['stdout', '-'].map((name) => [name, 'an address; to print the link, give --print-link instead of to'] as const),
  [
    'https',
    'the place where the link is written, such as file:link.txt; for the server of a forge write gitlab:project/ID/NAME?server=https://HOST',
  ],
]);

export function parseAddress(text: string) {
  return attempt(address, text);
}

/** What it must be never repeats the text: that may hold a password. */
const address: Parser<PlainAddress> = (text) => {
  const [, scheme, rest = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(text) ?? [];
  const instead = NOT_A_KIND.get(text.toLowerCase());
  if (instead !== undefined) return reject(instead);
  if (scheme === undefined) return reject(`an address such as github:secret/NAME; the kinds are ${SCHEMES.join(', ')}`);
  const known = SCHEMES.find((candidate) => candidate === scheme);
  if (known === undefined) return reject(insteadOfKind(scheme));
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return reject('an address in one line, without control characters');
  if (/[,;]$/.test(text)) return reject('an address without a comma or semicolon behind it');
  if (/^\s/.test(rest)) return reject(`an address without a blank behind ${known}:`);
  const kind = KINDS[known];
  const [, path = '', queryText, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(rest) ?? [];
  if (holdsPassword(path)) return reject('an address without a user name and password: credentials have own inputs');
  if (holdsValue(rest)) {
    return reject(
      'an address with the name of the secret; a part of this one looks like the value of one: a link or a token',
    );
  }
  if (kind.hasKey !== true && fragment !== undefined) return reject(kind.forms);
  const query = readQuery(queryText, known);
  const key = fragment === undefined || fragment.includes('#') ? undefined : decodePart(fragment);
  return kind.parse({ path, parts: splitParts(path), query, key }, kind.forms);
};

/** What to write instead of an address of a kind that is not known; it completes "it must be …". */
function insteadOfKind(scheme: string): string {
  const elsewhere = NOT_A_KIND.get(scheme.toLowerCase());
  if (elsewhere !== undefined) return elsewhere;
  const meant = guess(scheme.toLowerCase(), SCHEMES);
  const hint = meant === undefined ? '' : `; did you mean ${meant}:?`;
  return `an address of a kind that is known: ${SCHEMES.join(', ')}${hint}`;
}

/** The first form of an address of this kind, with placeholders; undefined: the kind is not known. */
export function formOf(text: string): string | undefined {
  const scheme = SCHEMES.find((one) => text.startsWith(`${one}:`));
  return scheme && KINDS[scheme].forms.split(/[,;]| or /)[0];
}

/** A link or a token before or behind the query, as an expression leaves it that stands where a name belongs. */
function holdsValue(text: string): boolean {
  const names = text.replace(/\?[^#]*/, '');
  return /https?:\/\//i.test(names) || names.split(/[/:#\s]/).some(isKeyShaped);
}

/** Each value decoded. */
function readQuery(text: string | undefined, scheme: Scheme): Query {
  const { queries } = KINDS[scheme];
  const known = queries.map((name) => `?${name}=`).join(' and ') || 'no query';
  const query: Partial<Record<QueryName, string>> = {};
  for (const pair of text?.split('&') ?? []) {
    const [, name = '', encoded = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const found = queries.find((one) => one === name);
    if (found === undefined) {
      const meant = guess(name, queries);
      const shown = /^[a-z][a-z-]{0,19}$/.test(name) ? `; ?${name}= is not known` : '';
      const advice = meant === undefined ? '' : `, did you mean ?${meant}=?`;
      return reject(`a ${scheme}: address, which takes ${known}${shown}${advice}`);
    }
    const value = decodePart(encoded);
    if (value === undefined || query[found] !== undefined) reject(`an address with one value for ?${name}=`);
    query[found] = value;
  }
  return query;
}

/** The server that a query names, without a trailing slash. */
function readServer({ server }: Query): string | undefined {
  if (server === undefined) return undefined;
  const parsed = attempt(values.serverAddress('https://gitlab.example.com', /\/api\/v\d+\/*$/), server);
  return parsed.ok ? parsed.value : reject(`an address whose ?server= is ${parsed.allowed}`);
}

// `user:password@` after a slash or at the beginning. An ARN has colons too, and no credentials.
function holdsPassword(path: string): boolean {
  return !path.startsWith('arn:') && /(^|\/)[^/@:]+:[^/@]+@/.test(path);
}

/** Percent-decoded; undefined where that gives no text, or one that could lead to another destination. */
function decodePart(part: string): string | undefined {
  try {
    const text = decodeURIComponent(part);
    return /^\.{0,2}$/.test(text) || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function splitParts(path: string): readonly string[] {
  const parts = path.split('/').map(decodePart);
  return parts.every((part) => part !== undefined) ? parts : [];
}

const NAME_RULE = 'NAME has capital letters, digits and underscores, and begins with neither a digit nor GITHUB_';

/** `; write DOCS_URL` for `docs-url`. */
function suggestName(name: string): string {
  const upper = name
    .toUpperCase()
    .replace(/[^A-Z0-9_]/g, '_')
    .slice(0, 200);
  return isSettingName(upper) && upper !== name && !looksSecret(name) ? `; write ${upper}` : '';
}

function parseGitHub({ parts, query }: Parts, forms: string): PlainAddress {
  const address = readGitHub(parts) ?? reject(forms);
  if (!isSettingName(address.name)) return reject(`an address whose ${NAME_RULE}${suggestName(address.name)}`);
  const { visibility: seenBy, repositories: list } = query;
  if (seenBy === undefined && list === undefined) return address;
  if (address.scope !== 'organization')
    return reject('github:org/ORG/NAME: only a secret of an organization takes ?visibility= and ?repositories=');
  const visibility = (['all', 'private', 'selected'] as const).find((one) => one === seenBy);
  if (visibility === undefined) return reject('github:org/ORG/NAME?visibility=all, private or selected');
  if (list === undefined) return { ...address, visibility };
  const repositories = attempt(values.list(values.repositoryOrId), list);
  if (visibility === 'selected' && repositories.ok && repositories.value.length > 0) {
    return { ...address, visibility, repositories: repositories.value };
  }
  return reject('github:org/ORG/NAME?visibility=selected&repositories=a,b; each a name, owner/name or an id');
}

function readGitHub([kind, ...parts]: readonly string[]): GitHubAddress | undefined {
  const scheme = 'github';
  if (kind === 'secret') return readRepositorySecret(parts, undefined);
  if (kind === 'env') return readRepositorySecret(['env', ...parts], undefined);
  const [owner = '', second = '', ...more] = parts;
  if (!fits(values.login, owner)) return undefined;
  if (kind === 'org' && parts.length === 2) return { scheme, scope: 'organization', organization: owner, name: second };
  const repository = `${owner}/${second}`;
  return kind === 'repo' && fits(values.repository, repository) ? readRepositorySecret(more, repository) : undefined;
}

function readRepositorySecret(parts: readonly string[], repository: string | undefined): GitHubAddress | undefined {
  const [first = '', environment = '', name = ''] = parts;
  if (parts.length === 1) return { scheme: 'github', scope: 'repository', repository, name: first };
  if (parts.length !== 3 || first !== 'env') return undefined;
  return { scheme: 'github', scope: 'environment', repository, environment, name };
}

function parseGitea({ parts, query }: Parts, forms: string): PlainAddress {
  const [kind, owner = '', ...more] = parts;
  const name = more.at(-1) ?? '';
  // Gitea's rule, and Forgejo's: https://docs.gitea.com/usage/actions/secrets#naming-your-secrets
  const isReserved = /^(GITEA|FORGEJO)_/.test(name) || name === 'CI';
  if (!fits(values.login, owner) || !isSettingName(name) || isReserved)
    return reject(`${forms}; ${NAME_RULE}, GITEA_ nor FORGEJO_, and is not CI`);
  const common = { scheme: 'gitea', name, server: readServer(query) } as const;
  if (kind === 'org' && more.length === 1) return { ...common, scope: 'organization', organization: owner };
  const repository = `${owner}/${more[0]}`;
  if (kind !== 'repo' || more.length !== 2 || !fits(values.repository, repository)) return reject(forms);
  return { ...common, scope: 'repository', repository };
}

function parseGitLab({ parts, query }: Parts, forms: string): PlainAddress {
  const [scope, id = '', name = '', ...more] = parts;
  const isId = /^[A-Za-z0-9_][A-Za-z0-9_.-]*(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/.test(id);
  if ((scope !== 'project' && scope !== 'group') || more.length > 0 || !isId) return reject(forms);
  if (!/^[A-Za-z0-9_]{1,255}$/.test(name)) return reject(`${forms}; NAME has letters, digits and underscores`);
  return { scheme: 'gitlab', scope, id, name, server: readServer(query), environment: query.environment };
}

const DNS_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const DNS_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

function parseKubernetes({ parts, query, key = '' }: Parts, forms: string): PlainAddress {
  const [namespace = '', secret = '', ...more] = parts;
  if (more.length === 0 && DNS_LABEL.test(namespace) && !looksSecret(`${namespace} ${secret}`)) {
    if (parts.length === 1)
      return reject(`${forms}; the namespace is missing`, `k8s:NAMESPACE/${namespace}#${key || 'KEY'}`);
    if (key === '' && DNS_NAME.test(secret)) {
      return reject(`${forms}; the key in the Secret is missing`, `k8s:${namespace}/${secret}#KEY`);
    }
  }
  const fits = DNS_LABEL.test(namespace) && DNS_NAME.test(secret) && /^[-._A-Za-z0-9]{1,253}$/.test(key);
  if (!fits || more.length > 0) return reject(forms);
  return { scheme: 'k8s', namespace, secret, key, context: query.context };
}

function parseVault({ parts: [mount, ...parts], key }: Parts, forms: string): PlainAddress {
  // A dot or nothing between slashes would lead to another path.
  const steps = [mount ?? '', ...parts].flatMap((part) => part.split('/'));
  if (mount !== undefined && parts.length > 0 && key === undefined && !looksSecret(parts.join('/'))) {
    return reject(`${forms}; the key is missing`, `vault:${mount}/${parts.join('/')}#KEY`);
  }
  if (mount === undefined || key === undefined || parts.length === 0 || steps.some((step) => /^\.{0,2}$/.test(step))) {
    return reject(forms);
  }
  return { scheme: 'vault', mount, path: parts.join('/'), key };
}

function parseAws(scheme: AwsAddress['scheme'], names: RegExp): Kind['parse'] {
  return ({ path, query: { region } }, forms) => {
    const name = decodePart(path);
    if (name === undefined || !names.test(name)) return reject(forms);
    if (region === undefined) return { scheme, name };
    if (name.startsWith('arn:')) return reject('the ARN without ?region=: it names the region');
    if (!isAwsRegion(region)) return reject('an address whose ?region= is a region of AWS, such as eu-central-1');
    return { scheme, name, region };
  };
}

function parseFile({ path: text }: Parts, forms: string): PlainAddress {
  const why = whyNoPath(text);
  if (why !== undefined) return reject(`file:PATH; PATH is ${why}; a \\ in a name is written %5C`);
  const path = decodePart(text.replace(/^\/\/(?=\/)/, ''));
  if (path === undefined || path.startsWith('//') || /[/\\]$/.test(path)) return reject(forms);
  return { scheme: 'file', path };
}
