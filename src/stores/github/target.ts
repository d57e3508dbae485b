import { CourierError } from '../../errors.ts';
import type { GitHubAddress } from '../address.ts';

/** Where a secret and the state variable next to it are. `repository` is `owner/name`. */
export type GitHubTarget =
  | { readonly scope: 'repository'; readonly repository: string }
  | { readonly scope: 'environment'; readonly repository: string; readonly environment: string }
  | { readonly scope: 'organization'; readonly organization: string };

/** `current`: what an address without a repository means. */
export function targetOf(address: GitHubAddress, current: string): GitHubTarget {
  switch (address.scope) {
    case 'repository':
      return { scope: 'repository', repository: address.repository ?? current };
    case 'environment':
      return { scope: 'environment', repository: address.repository ?? current, environment: address.environment };
    case 'organization':
      return { scope: 'organization', organization: address.organization };
  }
}

/** Where the secrets and variables of a target are in the REST API: path templates, and what fills them. */
export interface SettingScope {
  /** Path up to `/secrets` and `/variables`. Octokit escapes what it fills in: an environment's name may hold `/`. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export function settingScope(target: GitHubTarget): SettingScope {
  switch (target.scope) {
    case 'repository':
      return { path: '/repos/{owner}/{repo}/actions', parameters: ownerAndRepo(target.repository) };
    case 'environment':
      return {
        path: '/repos/{owner}/{repo}/environments/{environment_name}',
        parameters: { ...ownerAndRepo(target.repository), environment_name: pathPart(target.environment) },
      };
    case 'organization':
      return { path: '/orgs/{org}/actions', parameters: { org: target.organization } };
  }
}

// Octokit escapes `/` and what else may not be in a path, but dots alone would lead to the folder above.
function pathPart(environment: string): string {
  if (environment !== '.' && environment !== '..') return environment;
  throw new CourierError({
    code: 'config',
    message: `The environment is "${environment}", which cannot be part of the address of a request. Nothing was sent.`,
    hint: 'Give the name of an environment as it is shown under Settings, Environments.',
  });
}

export function ownerAndRepo(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}

/** `repository acme/app`, `environment production of acme/app`, `organization acme`. */
export function targetName(target: GitHubTarget): string {
  switch (target.scope) {
    case 'repository':
      return `repository ${target.repository}`;
    case 'environment':
      return `environment ${target.environment} of ${target.repository}`;
    case 'organization':
      return `organization ${target.organization}`;
  }
}

/** The resolved address with host and owner, as the state signs it. GitHub ignores case in all of its names. */
export function signedAddress(host: string, target: GitHubTarget, name: string): string {
  return `github://${host}/${targetPath(target)}/${name}`.toLowerCase();
}

function targetPath(target: GitHubTarget): string {
  switch (target.scope) {
    case 'repository':
      return `repo/${target.repository}`;
    case 'environment':
      return `repo/${target.repository}/env/${encodeURIComponent(target.environment.toLowerCase())}`;
    case 'organization':
      return `org/${target.organization}`;
  }
}
