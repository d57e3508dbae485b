import { guess, isWindowsPathElsewhere } from '../text/names.ts';
import {
  type AwsAddress,
  type FileAddress,
  type GiteaAddress,
  type GitHubAddress,
  type GitLabAddress,
  isSettingName,
  type KubernetesAddress,
  type PlainAddress,
  SCHEMES,
  type Scheme,
  type VaultAddress,
} from './address.ts';

/** `allowed` completes "it must be …", and never repeats the text: it may hold a password. */
export type ParsedAddress<T extends PlainAddress = PlainAddress> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly allowed: string };

type Parser = (rest: string) => ParsedAddress;

const PARSERS: Readonly<Record<Scheme, Parser>> = {
  github: parseGitHub,
  gitea: parseGitea,
  gitlab: parseGitLab,
  k8s: parseKubernetes,
  vault: parseVault,
  'aws-sm': parseSecretsManager,
  'aws-ssm': parseParameterStore,
  file: parseFile,
};

export function parseAddress(text: string): ParsedAddress {
  const [, scheme, rest = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(text) ?? [];
  if (scheme === undefined) return reject(`an address such as github:secret/NAME; the kinds are ${SCHEMES.join(', ')}`);
  const known = SCHEMES.find((candidate) => candidate === scheme);
  if (known === undefined) {
    const meant = guess(scheme.toLowerCase(), SCHEMES);
    const hint = meant === undefined ? '' : `; did you mean ${meant}:?`;
    return reject(`an address of a kind that is known: ${SCHEMES.join(', ')}${hint}`);
  }
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return reject('an address in one line, without control characters');
  if (holdsPassword(rest))
    return reject('an address without a user name and password: credentials have inputs of their own');
  return PARSERS[known](rest);
}

function isOwner(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(text);
}

function isRepositoryName(text: string): boolean {
  return /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/.test(text);
}

function accept<T extends PlainAddress>(value: T): ParsedAddress<T> {
  return { ok: true, value };
}

function reject(allowed: string): { readonly ok: false; readonly allowed: string } {
  return { ok: false, allowed };
}

// `user:password@` after a slash or at the beginning. An ARN has colons of its own and no credentials.
function holdsPassword(rest: string): boolean {
  return !rest.startsWith('arn:') && /(^|\/)[^/@:#?]+:[^/@]+@/.test(rest);
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

/** The parts between slashes, decoded; undefined where one of them is empty or wrong. */
function splitParts(path: string): readonly string[] | undefined {
  const parts = path.split('/').map(decodePart);
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

const GITHUB_FORMS =
  'github:secret/NAME, github:env/ENVIRONMENT/NAME, github:org/ORG/NAME, github:repo/OWNER/REPO/NAME or github:repo/OWNER/REPO/env/ENVIRONMENT/NAME';
const NAME_RULE = 'NAME has capital letters, digits and underscores, and begins with neither a digit nor GITHUB_';

function parseGitHub(rest: string): ParsedAddress<GitHubAddress> {
  const address = readGitHub(splitParts(rest) ?? []);
  if (address === undefined) return reject(GITHUB_FORMS);
  return isSettingName(address.name) ? accept(address) : reject(`${GITHUB_FORMS}; ${NAME_RULE}`);
}

function readGitHub([kind, ...parts]: readonly string[]): GitHubAddress | undefined {
  const scheme = 'github';
  if (kind === 'secret') return readRepositorySecret(parts, undefined);
  if (kind === 'env') return readRepositorySecret(['env', ...parts], undefined);
  const [owner = '', second = '', ...more] = parts;
  if (!isOwner(owner)) return undefined;
  if (kind === 'org' && parts.length === 2) return { scheme, scope: 'organization', organization: owner, name: second };
  if (kind !== 'repo' || !isRepositoryName(second)) return undefined;
  return readRepositorySecret(more, `${owner}/${second}`);
}

function readRepositorySecret(parts: readonly string[], repository: string | undefined): GitHubAddress | undefined {
  const [first = '', environment = '', name = ''] = parts;
  if (parts.length === 1) return { scheme: 'github', scope: 'repository', repository, name: first };
  if (parts.length !== 3 || first !== 'env') return undefined;
  return { scheme: 'github', scope: 'environment', repository, environment, name };
}

const GITEA_FORMS = 'gitea:repo/OWNER/REPO/NAME or gitea:org/ORG/NAME';

function parseGitea(rest: string): ParsedAddress<GiteaAddress> {
  const [kind, owner = '', ...more] = splitParts(rest) ?? [];
  const name = more.at(-1) ?? '';
  // Gitea's rule, and Forgejo's: https://docs.gitea.com/usage/actions/secrets#naming-your-secrets
  const isReserved = /^(GITEA|FORGEJO)_/.test(name) || name === 'CI';
  if (!isOwner(owner) || !isSettingName(name) || isReserved)
    return reject(`${GITEA_FORMS}; ${NAME_RULE}, GITEA_ nor FORGEJO_, and is not CI`);
  if (kind === 'org' && more.length === 1)
    return accept({ scheme: 'gitea', scope: 'organization', organization: owner, name });
  const [repository = ''] = more;
  if (kind !== 'repo' || more.length !== 2 || !isRepositoryName(repository)) return reject(GITEA_FORMS);
  return accept({ scheme: 'gitea', scope: 'repository', repository: `${owner}/${repository}`, name });
}

const GITLAB_FORMS =
  'gitlab:project/ID/NAME or gitlab:group/ID/NAME, with ?environment=SCOPE where it is meant for one; ID is a number, or a full path with %2F for each slash';

function parseGitLab(rest: string): ParsedAddress<GitLabAddress> {
  const [, path = '', query] = /^([^?#]*)(?:\?environment=([^&#?]+))?$/.exec(rest) ?? [];
  const [scope, id = '', name = '', ...more] = splitParts(path) ?? [];
  const environment = query === undefined ? undefined : decodePart(query);
  if ((scope !== 'project' && scope !== 'group') || more.length > 0) return reject(GITLAB_FORMS);
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/.test(id)) return reject(GITLAB_FORMS);
  if (!/^[A-Za-z0-9_]{1,255}$/.test(name)) return reject(`${GITLAB_FORMS}; NAME has letters, digits and underscores`);
  if (query !== undefined && environment === undefined) return reject(GITLAB_FORMS);
  return accept({ scheme: 'gitlab', scope, id, name, environment });
}

const K8S_FORM = 'k8s:NAMESPACE/SECRET#KEY, each in the form that Kubernetes allows';
const DNS_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const DNS_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

function parseKubernetes(rest: string): ParsedAddress<KubernetesAddress> {
  const [path = '', fragment = '', ...more] = rest.split('#');
  const [namespace = '', secret = '', ...further] = splitParts(path) ?? [];
  const key = decodePart(fragment) ?? '';
  const fits = DNS_LABEL.test(namespace) && DNS_NAME.test(secret) && /^[-._A-Za-z0-9]{1,253}$/.test(key);
  if (!fits || more.length > 0 || further.length > 0) return reject(K8S_FORM);
  return accept({ scheme: 'k8s', namespace, secret, key });
}

function parseVault(rest: string): ParsedAddress<VaultAddress> {
  const [path = '', fragment = '', ...more] = rest.split('#');
  const [mount, ...parts] = splitParts(path) ?? [];
  const key = decodePart(fragment);
  const steps = [mount ?? '', ...parts].flatMap((part) => part.split('/'));
  const isWhole = parts.length > 0 && key !== undefined && more.length === 0 && !path.includes('?');
  // A dot or nothing between slashes would lead to another path.
  if (mount === undefined || !isWhole || steps.some((step) => /^\.{0,2}$/.test(step))) {
    return reject('vault:MOUNT/PATH#KEY; a slash in MOUNT is written %2F');
  }
  return accept({ scheme: 'vault', mount, path: parts.join('/'), key });
}

function parseSecretsManager(rest: string): ParsedAddress<AwsAddress> {
  const name = decodePart(rest);
  if (name === undefined || !/^[A-Za-z0-9/_+=.@:-]{1,512}$/.test(name)) {
    return reject('aws-sm:NAME, the name or the ARN of a secret');
  }
  return accept({ scheme: 'aws-sm', name });
}

function parseParameterStore(rest: string): ParsedAddress<AwsAddress> {
  const name = decodePart(rest);
  // AWS keeps names that begin with aws or ssm for itself.
  if (name === undefined || !/^(?!\/(aws|ssm))(\/[A-Za-z0-9_.-]+){1,15}$/i.test(name)) {
    return reject('aws-ssm:/PATH, the full name of a parameter; it does not begin with /aws or /ssm');
  }
  return accept({ scheme: 'aws-ssm', name });
}

function parseFile(rest: string): ParsedAddress<FileAddress> {
  const refused = reject('file:PATH, a path on this machine; a % in it is written %25');
  if (isWindowsPathElsewhere(rest)) {
    return reject('file:PATH with / between folders, since this is no Windows; a \\ in a name is written %5C');
  }
  const path = decodePart(rest.replace(/^\/\/(?=\/)/, ''));
  if (path === undefined || path.startsWith('//') || /[/\\]$/.test(path)) return refused;
  return accept({ scheme: 'file', path });
}
