import { CourierError } from '../../errors.ts';
import type { SecretTarget } from '../../inputs/inputs.ts';

/** Where the secrets and variables of a target live in the REST API: path templates, and what fills them. */
export interface SettingScope {
  /** Path up to `/secrets` and `/variables`. Octokit escapes what it fills in: an environment's name may hold `/`. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export function settingScope(target: SecretTarget): SettingScope {
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

// Octokit escapes `/` and what else may not stand in a path, but dots alone would lead to the folder above.
function pathPart(environment: string): string {
  if (environment !== '.' && environment !== '..') return environment;
  throw new CourierError({
    code: 'config',
    message: `secret-environment is "${environment}", which cannot stand in the address of a request; nothing was sent.`,
    hint: 'Give the name of an environment as it stands under Settings, Environments.',
  });
}

export function ownerAndRepo(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}

/** `repository acme/app`, `environment production of acme/app`, `organization acme`. */
export function targetName(target: SecretTarget): string {
  switch (target.scope) {
    case 'repository':
      return `repository ${target.repository}`;
    case 'environment':
      return `environment ${target.environment} of ${target.repository}`;
    case 'organization':
      return `organization ${target.organization}`;
  }
}
