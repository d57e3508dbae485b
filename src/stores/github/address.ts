import type { ReadDestination } from '../../values/reader.ts';
import * as values from '../../values/values.ts';
import { attempt, fits, reject } from '../../values/values.ts';
import { isSettingName, NAME_RULE, type Parts, type Rewrite, suggestName } from '../address-parts.ts';

/** An Actions secret. `repository` is `owner/name`; undefined: the current one. */
export type GitHubAddress = { readonly scheme: 'github'; readonly name: string } & (
  | { readonly scope: 'repository'; readonly repository: string | undefined }
  | { readonly scope: 'environment'; readonly repository: string | undefined; readonly environment: string }
  | ({ readonly scope: 'organization'; readonly organization: string } & SecretAccess)
);

/** Who sees a secret of an organization; undefined: as the existing secret has it. Not a part of the destination. */
export interface SecretAccess {
  readonly visibility?: 'all' | 'private' | 'selected' | undefined;
  /** Names, `owner/name` or ids. */
  readonly repositories?: readonly string[] | undefined;
}

export const GITHUB_FORMS =
  'github:secret/NAME, github:env/ENVIRONMENT/NAME, github:org/ORG/NAME, github:repo/OWNER/REPO/NAME or github:repo/OWNER/REPO/env/ENVIRONMENT/NAME';

export const GITHUB_REWRITES: readonly Rewrite[] = [
  [/^([A-Z_][A-Z0-9_]{2,})$/, 'github:secret/$1'],
  [/^secrets?\/([A-Z_][A-Z0-9_]*)$/, 'github:secret/$1'],
  [/^https:\/*github\.com\/([\w.-]+\/[\w-]+)(?:\.git)?(?:\/.*)?$/, 'github:repo/$1/NAME'],
  [/^github-?secrets?:\/*/, 'github:secret/'],
  [/^(github:[^#]*)#.*$/, '$1'],
  [/^github:([^?]+)\?(?:name|secret)=(\w+)$/, 'github:$1/$2'],
  [/^(github:org\/[^?]+)\?repositories=([^&]+)$/, '$1?visibility=selected&repositories=$2'],
  [/^github:(?:secret\/)?(\w+)\?env(?:ironment)?=([^&]+)$/, 'github:env/$2/$1'],
  [/^github:(?:secret\/)?(\w+)\?scope=env(?:ironment)?$/, 'github:env/ENVIRONMENT/$1'],
  [/^github:(?:secret\/)?(\w+)\?scope=org(?:anization)?$/, 'github:org/ORG/$1'],
  [/^github:(?:secret\/)?(\w+)\?repo(?:sitory)?=([^&]+)$/, 'github:repo/$2/$1'],
  [/^(github:org\/[^?]+)\?visibility=public$/, '$1?visibility=all'],
  [/^github:([^?]*)/, (_, path = '') => `github:${completePath(path)}`],
];

/** What people call the kinds of owners; a word that is not here is a part of the rest. */
const OWNERS: ReadonlyMap<string, 'secret' | 'env' | 'org' | 'repo'> = new Map([
  ...['secret', 'secrets', 'var', 'vars', 'variable', 'variables'].map((word) => [word, 'secret'] as const),
  ...['env', 'environment', 'environments'].map((word) => [word, 'env'] as const),
  ...['org', 'organization', 'organisation', 'orgs'].map((word) => [word, 'org'] as const),
  ...['repo', 'repos', 'repository'].map((word) => [word, 'repo'] as const),
]);

/** The words of a path that a user wrote, as an address has them, with a placeholder for each word that is missing. */
function completePath(path: string): string {
  const [first = '', ...others] = path.split(/[/:]/).filter((word) => word !== '' && word !== 'actions');
  const rest = others
    .filter((word) => OWNERS.get(word) !== 'secret')
    .map((word) => (OWNERS.get(word) === 'env' ? 'env' : word));
  const owner = OWNERS.get(first.toLowerCase());
  const words = owner === undefined && first !== '' ? [first, ...rest] : rest;
  switch (owner) {
    case 'env':
      return inOwner('env', 'ENVIRONMENT', words);
    case 'org':
      return words.length === 3 ? inRepository(words) : inOwner('org', 'ORG', words);
    case 'repo':
      return inRepository(words);
    case 'secret':
    case undefined: {
      if (words.length < 2) return `secret/${settingName(words[0])}`;
      const names = words.length === 3 && words[1] === 'env' ? [words[0] ?? '', words[2] ?? ''] : words;
      return names.length === 2 ? inOwner('env', 'ENVIRONMENT', names) : inRepository(names);
    }
  }
}

/** `env/ENVIRONMENT/NAME` and `org/ORG/NAME`. One word alone is the name of the secret if it has capitals only. */
function inOwner(scope: 'env' | 'org', placeholder: string, words: readonly string[]): string {
  const [only = '', ...more] = words;
  if (more.length > 0) return `${scope}/${words.slice(0, -1).join('%2F')}/${settingName(words.at(-1))}`;
  return isSettingName(only) ? `${scope}/${placeholder}/${only}` : `${scope}/${only || placeholder}/NAME`;
}

/** `repo/OWNER/REPO/NAME`, and with an environment. */
function inRepository(words: readonly string[]): string {
  const [first = '', second = '', ...rest] = words;
  if (rest.length === 0 && isSettingName(second)) return `repo/OWNER/${first}/${second}`;
  if (second === '') return `repo/OWNER/${first || 'REPO'}/NAME`;
  const names = rest.filter((word) => word !== 'env');
  const hasEnvironment = names.length < rest.length || names.length > 1;
  const inside = hasEnvironment ? inOwner('env', 'ENVIRONMENT', names) : settingName(names[0]);
  return `repo/${first}/${second}/${inside}`;
}

/** `docs-url` as GitHub takes it. */
function settingName(word = ''): string {
  const name = word.toUpperCase().replace(/[ .-]/g, '_');
  return name === '' ? 'NAME' : name.replace(/^GITHUB_/, 'GH_').replace(/^(?=\d)/, '_');
}

export function formatAddress(address: GitHubAddress): string {
  const { name } = address;
  if (address.scope === 'organization') return `github:org/${address.organization}/${name}`;
  const environment = address.scope === 'environment' ? `env/${encodeURIComponent(address.environment)}/` : '';
  if (address.repository !== undefined) return `github:repo/${address.repository}/${environment}${name}`;
  return `github:${environment || 'secret/'}${name}`;
}

export function parseGitHub({ parts, query }: Parts, forms: string): GitHubAddress {
  const address = readGitHub(parts) ?? reject(forms);
  if (!isSettingName(address.name)) return reject(`an address whose ${NAME_RULE}${suggestName(address.name)}`);
  const { visibility: seenBy, repositories: list } = query;
  if (seenBy === undefined && list === undefined) return address;
  if (address.scope !== 'organization')
    return reject(
      'an address without ?visibility= and ?repositories=: only a secret of an organization, github:org/ORG/NAME, takes them',
      formatAddress(address),
    );
  const visibility = (['all', 'private', 'selected'] as const).find((one) => one === seenBy);
  if (visibility === undefined)
    return reject(
      'github:org/ORG/NAME?visibility=all, private or selected',
      `${formatAddress(address)}?visibility=private`,
    );
  if (list === undefined) return { ...address, visibility };
  const repositories = attempt(values.list(values.repositoryOrId), list);
  if (visibility === 'selected' && repositories.ok && repositories.value.length > 0) {
    return { ...address, visibility, repositories: repositories.value };
  }
  return reject(
    'github:org/ORG/NAME?visibility=selected&repositories=a,b; each a name, owner/name or an id',
    `${formatAddress(address)}?visibility=selected&repositories=REPO`,
  );
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

/** Without the current repository. */
export function shortenGitHub(address: GitHubAddress, { repository }: ReadDestination): GitHubAddress {
  if (address.scope === 'organization') return address;
  const isCurrent = address.repository?.toLowerCase() === repository.toLowerCase();
  return isCurrent ? { ...address, repository: undefined } : address;
}

/** Why a run cannot write it; completes "ADDRESS …". */
export function whyNotGitHub(address: GitHubAddress, { run, repository }: ReadDestination): string | undefined {
  if (run?.kind === 'gitea' || run?.kind === 'forgejo') {
    // Here the API of the run is that of Gitea: the token would be sent to the wrong server.
    const why = 'is a secret of GitHub, and this run is on Gitea or Forgejo';
    if (address.scope === 'environment') return `${why}, which has no secrets of environments`;
    const owner =
      address.scope === 'organization' ? `org/${address.organization}` : `repo/${address.repository ?? repository}`;
    return `${why}; write gitea:${owner}/${address.name}`;
  }
  // Outside of GitHub there is no current repository, and a project of the same name on GitHub has another owner.
  if (repository !== '' || address.scope === 'organization' || address.repository !== undefined) return undefined;
  const whole = formatAddress({ ...address, repository: 'OWNER/REPO' });
  return `names no repository, and this run is not on GitHub; write ${whole}`;
}
