import type { ReadDestination } from '../../values/reader.ts';
import * as values from '../../values/values.ts';
import { attempt, fits, reject } from '../../values/values.ts';
import { isSettingName, NAME_RULE, type Parts } from '../address-parts.ts';

/** An Actions secret. `repository` is `owner/name`; undefined: the current one. */
export type GitHubAddress = { readonly scheme: 'github'; readonly name: string } & (
  | { readonly scope: 'repository'; readonly repository: string | undefined }
  | {
      readonly scope: 'environment';
      readonly repository: string | undefined;
      readonly environment: string;
    }
  | ({ readonly scope: 'organization'; readonly organization: string } & SecretAccess)
);

/**
 * Who sees a secret of an organization; undefined: as the existing secret has it. Not a part of the
 * destination.
 */
export interface SecretAccess {
  readonly visibility?: 'all' | 'private' | 'selected' | undefined;
  /** Names, `owner/name` or ids. */
  readonly repositories?: readonly string[] | undefined;
}

export const GITHUB_FORMS =
  'github:secret/NAME, github:env/ENVIRONMENT/NAME, github:org/ORG/NAME, github:repo/OWNER/REPO/NAME or github:repo/OWNER/REPO/env/ENVIRONMENT/NAME';

export function formatAddress(address: GitHubAddress): string {
  const { name } = address;
  if (address.scope === 'organization') return `github:org/${address.organization}/${name}`;
  const environment =
    address.scope === 'environment' ? `env/${encodeURIComponent(address.environment)}/` : '';
  if (address.repository !== undefined)
    return `github:repo/${address.repository}/${environment}${name}`;
  return `github:${environment || 'secret/'}${name}`;
}

export function parseGitHub({ parts, query }: Parts, forms: string): GitHubAddress {
  const address = readGitHub(parts) ?? reject(forms);
  if (!isSettingName(address.name)) return reject(`an address whose ${NAME_RULE}`);
  const { visibility: seenBy, repositories: list } = query;
  if (seenBy === undefined && list === undefined) return address;
  if (address.scope !== 'organization')
    return reject(
      'an address without ?visibility= and ?repositories=: only a secret of an organization, github:org/ORG/NAME, takes them',
    );
  const visibility = (['all', 'private', 'selected'] as const).find((one) => one === seenBy);
  if (visibility === undefined)
    return reject('github:org/ORG/NAME?visibility=all, private or selected');
  if (list === undefined) return { ...address, visibility };
  const repositories = attempt(values.list(values.repositoryOrId), list);
  if (visibility === 'selected' && repositories.ok && repositories.value.length > 0) {
    return { ...address, visibility, repositories: repositories.value };
  }
  return reject(
    'github:org/ORG/NAME?visibility=selected&repositories=A,B; each a name, owner/name or an id',
  );
}

function readGitHub([kind, ...parts]: readonly string[]): GitHubAddress | undefined {
  const scheme = 'github';
  if (kind === 'secret') return readRepositorySecret(parts, undefined);
  if (kind === 'env') return readRepositorySecret(['env', ...parts], undefined);
  const [owner = '', second = '', ...more] = parts;
  if (!fits(values.login, owner)) return undefined;
  if (kind === 'org' && parts.length === 2)
    return { scheme, scope: 'organization', organization: owner, name: second };
  const repository = `${owner}/${second}`;
  return kind === 'repo' && fits(values.repository, repository)
    ? readRepositorySecret(more, repository)
    : undefined;
}

function readRepositorySecret(
  parts: readonly string[],
  repository: string | undefined,
): GitHubAddress | undefined {
  const [first = '', environment = '', name = ''] = parts;
  if (parts.length === 1) return { scheme: 'github', scope: 'repository', repository, name: first };
  if (parts.length !== 3 || first !== 'env') return undefined;
  return { scheme: 'github', scope: 'environment', repository, environment, name };
}

/** Without the current repository. */
export function shortenGitHub(
  address: GitHubAddress,
  { repository }: ReadDestination,
): GitHubAddress {
  if (address.scope === 'organization') return address;
  const isCurrent = address.repository?.toLowerCase() === repository.toLowerCase();
  return isCurrent ? { ...address, repository: undefined } : address;
}

/** Why a run cannot write it; completes "ADDRESS …". */
export function whyNotGitHub(
  address: GitHubAddress,
  { run, repository }: ReadDestination,
): string | undefined {
  // On Gitea the API of the run is that of Gitea: the token would be sent to the wrong server.
  if (run?.kind === 'gitea' || run?.kind === 'forgejo') {
    return 'is a secret of GitHub, and this run is on Gitea or Forgejo; write gitea: with repo/OWNER/REPO/NAME or org/ORG/NAME after it';
  }
  // Outside of GitHub there is no current repository, and a project of the same name on GitHub has
  // another owner.
  if (repository !== '' || address.scope === 'organization' || address.repository !== undefined)
    return undefined;
  const whole = formatAddress({ ...address, repository: 'OWNER/REPO' });
  return `names no repository, and this run is not on GitHub; write ${whole}`;
}
