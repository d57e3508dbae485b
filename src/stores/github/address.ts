import type { InputContext } from '../../values/reader.ts';
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
 * Which repositories see a secret of an organization; undefined: those that see the existing
 * secret. Not a part of the destination.
 */
export interface SecretAccess {
  readonly visibility?: 'all' | 'private' | 'selected' | undefined;
  /** Names, `owner/name` or ids. */
  readonly repositories?: readonly string[] | undefined;
}

export const GITHUB_FORMS =
  'github:secret/NAME, github:env/ENVIRONMENT/NAME, github:org/ORG/NAME, github:repo/OWNER/REPO/NAME or github:repo/OWNER/REPO/env/ENVIRONMENT/NAME';

export function formatAddress(address: GitHubAddress): string {
  const { name, scope } = address;
  if (scope === 'organization') return `github:org/${address.organization}/${name}`;
  const folder = scope === 'environment' ? `env/${encodeURIComponent(address.environment)}/` : '';
  const { repository } = address;
  if (repository !== undefined) return `github:repo/${repository}/${folder}${name}`;
  // In the current repository, `secret/` or `env/ENVIRONMENT/` is before the name.
  return `github:${folder || 'secret/'}${name}`;
}

/** Throws with `reject`. */
export function parseGitHub(given: Parts): GitHubAddress {
  const address = readGitHub(given.parts) ?? reject(GITHUB_FORMS);
  if (!isSettingName(address.name)) return reject(`an address whose ${NAME_RULE}`);
  const { visibility: visibilityText, repositories: listText } = given.query;
  if (visibilityText === undefined && listText === undefined) return address;
  if (address.scope !== 'organization') {
    return reject(
      'an address without ?visibility= and ?repositories=: only a secret of an organization, github:org/ORG/NAME, takes them',
    );
  }
  const visibilities = ['all', 'private', 'selected'] as const;
  const visibility = visibilities.find((value) => value === visibilityText);
  if (visibility === undefined) {
    return reject('github:org/ORG/NAME?visibility=all, private or selected');
  }
  // `selected` without a list keeps that of the existing secret.
  if (listText === undefined) return { ...address, visibility };
  const repositories = attempt(values.list(values.repositoryOrId), listText);
  // `all` and `private` name their repositories themselves, so that a list would not be read.
  if (visibility === 'selected' && repositories.ok && repositories.value.length > 0) {
    return { ...address, visibility, repositories: repositories.value };
  }
  return reject(
    'github:org/ORG/NAME?visibility=selected&repositories=A,B; each a name, owner/name or an id',
  );
}

/** The address in these parts; undefined: they have none of the forms. */
function readGitHub(parts: readonly string[]): GitHubAddress | undefined {
  const [form, ...rest] = parts;
  // Both forms are of the current repository: secret/NAME and env/ENVIRONMENT/NAME.
  if (form === 'secret' && rest.length === 1) return readRepositorySecret(rest, undefined);
  if (form === 'env') return readRepositorySecret(parts, undefined);
  // A part that is missing is an empty text, which is not a login or repository.
  const [owner = '', repositoryOrName = ''] = rest;
  if (!fits(values.login, owner)) return undefined;
  if (form === 'org' && rest.length === 2) {
    return { scheme: 'github', scope: 'organization', organization: owner, name: repositoryOrName };
  }
  // repo/OWNER/REPO, with NAME or env/ENVIRONMENT/NAME after it.
  const repository = `${owner}/${repositoryOrName}`;
  if (form !== 'repo' || !fits(values.repository, repository)) return undefined;
  return readRepositorySecret(rest.slice(2), repository);
}

/**
 * The secret in the parts `NAME` or `env/ENVIRONMENT/NAME`; undefined: they have another form.
 * `repository` is undefined for the current one.
 */
function readRepositorySecret(
  parts: readonly string[],
  repository: string | undefined,
): GitHubAddress | undefined {
  const [first = '', environment = '', name = ''] = parts;
  if (parts.length === 1) return { scheme: 'github', scope: 'repository', repository, name: first };
  if (parts.length !== 3 || first !== 'env') return undefined;
  return { scheme: 'github', scope: 'environment', repository, environment, name };
}

/** The address, without its repository if that is the current one. */
export function shortenGitHub(address: GitHubAddress, context: InputContext): GitHubAddress {
  if (address.scope === 'organization') return address;
  const current = context.repository.toLowerCase();
  if (address.repository?.toLowerCase() !== current) return address;
  return { ...address, repository: undefined };
}

/** Why this run cannot write the secret; completes "ADDRESS …". undefined: it can. */
export function whyNotGitHub(address: GitHubAddress, context: InputContext): string | undefined {
  // On Gitea the API of the run is that of Gitea: the token would be sent to the wrong server.
  if (/^(gitea|forgejo)$/.test(context.run?.kind ?? '')) {
    return 'is a secret of GitHub, and this run is on Gitea or Forgejo; write gitea: with repo/OWNER/REPO/NAME or org/ORG/NAME after it';
  }
  const isWhole = address.scope === 'organization' || address.repository !== undefined;
  if (isWhole) return undefined;
  // A run on another CI system has no current repository here (''): its own name may belong to
  // another person on GitHub.
  if (context.repository !== '') return undefined;
  const whole = formatAddress({ ...address, repository: 'OWNER/REPO' });
  return `names no repository, and this run is not on GitHub; write ${whole}`;
}
