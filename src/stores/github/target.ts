import { CourierError } from '../../errors.ts';
import type { GitHubAddress } from '../address.ts';

/** Where a secret and the state variable next to it are. `repository` is `owner/name`. */
export type GitHubTarget =
  | { readonly scope: 'repository'; readonly repository: string }
  | { readonly scope: 'environment'; readonly repository: string; readonly environment: string }
  | { readonly scope: 'organization'; readonly organization: string };

/** `current`: what an address without a repository means. */
export function targetOf(address: GitHubAddress, current: string): GitHubTarget {
  return address.scope === 'organization' ? address : { ...address, repository: address.repository ?? current };
}

interface SettingScope {
  /** `repository acme/app`, `environment production of acme/app`, `organization acme`. */
  readonly name: string;
  /**
   * Where its secrets and variables are in the REST API: the path up to `/secrets` and `/variables`, and what fills it. Octokit
   * escapes what it fills in: an environment's name may hold `/`.
   */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** In the resolved address that the state signs. */
  readonly signed: string;
}

/** How a target is called in each place. */
export function scopeOf(target: GitHubTarget): SettingScope {
  if (target.scope === 'organization') {
    const { organization } = target;
    return {
      name: `organization ${organization}`,
      path: '/orgs/{org}/actions',
      parameters: { org: organization },
      signed: `org/${organization}`,
    };
  }
  const { repository } = target;
  const parameters = ownerAndRepo(repository);
  const signed = `repo/${repository}`;
  if (target.scope === 'repository') {
    return { name: `repository ${repository}`, path: '/repos/{owner}/{repo}/actions', parameters, signed };
  }
  const { environment } = target;
  // Octokit escapes `/` and what else may not be in a path, but dots alone would lead to the folder above.
  if (environment === '.' || environment === '..') {
    throw new CourierError({
      code: 'config',
      message: `The environment is "${environment}", which cannot be part of the address of a request. Nothing was sent.`,
      hint: 'Give the name of an environment as it is shown under Settings, Environments.',
    });
  }
  return {
    name: `environment ${environment} of ${repository}`,
    path: '/repos/{owner}/{repo}/environments/{environment_name}',
    parameters: { ...parameters, environment_name: environment },
    signed: `${signed}/env/${encodeURIComponent(environment.toLowerCase())}`,
  };
}

export function ownerAndRepo(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}
