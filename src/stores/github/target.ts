import { CourierError, type ErrorCode, type Hint } from '../../errors.ts';
import { REPOSITORY } from '../../published.ts';
import type { GitHubAddress } from './address.ts';

/** Where a secret and the state variable next to it are. `repository` is `owner/name`. */
export type GitHubTarget =
  | { readonly scope: 'repository'; readonly repository: string }
  | { readonly scope: 'environment'; readonly repository: string; readonly environment: string }
  | { readonly scope: 'organization'; readonly organization: string };

/** `current`: what an address without a repository means. */
export function targetOf(address: GitHubAddress, current: string): GitHubTarget {
  return address.scope === 'organization'
    ? address
    : { ...address, repository: address.repository ?? current };
}

interface SettingScope {
  /** `repository acme/app`, `environment production of acme/app`, `organization acme`. */
  readonly name: string;
  /**
   * Where its secrets and variables are in the REST API: the path up to `/secrets` and
   * `/variables`, and what fills it. Octokit escapes what it fills in: an environment's name may
   * contain `/`.
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
    return {
      name: `repository ${repository}`,
      path: '/repos/{owner}/{repo}/actions',
      parameters,
      signed,
    };
  }
  const { environment } = target;
  // Octokit escapes `/` and what else may not be in a path, but dots alone would lead to the folder
  // above.
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

/** The resolved address of a secret. GitHub ignores case in all of its names. */
export function signedAddressOf(serverUrl: string, target: GitHubTarget, name: string): string {
  return `github://${hostOf(serverUrl)}/${scopeOf(target).signed}/${name}`.toLowerCase();
}

/** `github.com` of `https://github.com`. */
function hostOf(serverUrl: string): string {
  if (!URL.canParse(serverUrl)) {
    throw new CourierError({
      code: 'config',
      message: `The address of the GitHub server, ${serverUrl}, is not a URL.`,
    });
  }
  return new URL(serverUrl).host;
}

export function ownerAndRepo(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}

type Scope = GitHubTarget['scope'];

/**
 * What a token must be allowed for one scope, as the settings of tokens and Apps call it, and the
 * step that makes such a token.
 */
interface PermissionAdvice {
  /** Such as `repository permission "Secrets: Read and write"`. */
  readonly secrets: string;
  readonly variables: string;
  /** Names of those permissions in addresses and in the REST API, such as `actions_variables`. */
  readonly names: readonly string[];
  /**
   * A workflow step with the id `app-token`. Hints of errors show it, and so do README and
   * documentation.
   */
  readonly yaml: string;
}

// The action forwards every input that begins with `permission-`, also those that it does not list:
// the variables permissions of a repository and of an organization are given to it by the
// environment.
const ADVICE: Readonly<Record<Scope, PermissionAdvice>> = {
  repository: {
    secrets: 'repository permission "Secrets: Read and write"',
    variables: 'repository permission "Variables: Read and write"',
    names: ['secrets', 'actions_variables'],
    yaml: tokenYaml(
      ['permission-secrets: write # the public key and the secret'],
      'ACTIONS-VARIABLES',
    ),
  },
  environment: {
    secrets: 'repository permission "Environments: Read and write"',
    variables: 'repository permission "Environments: Read and write"',
    names: ['environments'],
    yaml: tokenYaml([
      'permission-environments: write # public key, secret and variables of the environment',
    ]),
  },
  organization: {
    secrets: 'organization permission "Secrets: Read and write"',
    variables: 'organization permission "Variables: Read and write"',
    names: ['organization_secrets', 'organization_actions_variables'],
    yaml: tokenYaml(
      [
        'owner: ${{ github.repository_owner }}',
        'repositories: website, helm-charts # the token needs access to the repositories that may read the secret',
        'permission-organization-secrets: write # the public key and the secret',
      ],
      'ORGANIZATION-ACTIONS-VARIABLES',
    ),
  },
};

export function permissionAdvice(scope: Scope): PermissionAdvice {
  return ADVICE[scope];
}

/**
 * Address of GitHub's form for a new App, filled in but for the name (docs.github.com: Registering
 * a GitHub App using URL parameters). For an organization, replace ORGANIZATION.
 */
export function newAppAddress(scope: Scope): string {
  const owner = scope === 'organization' ? 'organizations/ORGANIZATION/' : '';
  const query = new URLSearchParams({ url: REPOSITORY, public: 'false', webhook_active: 'false' });
  for (const name of ADVICE[scope].names) query.set(name, 'write');
  return `https://github.com/${owner}settings/apps/new?${query}`;
}

/**
 * Address of GitHub's form for a fine-grained personal access token, filled in but for the
 * repositories (docs.github.com: Managing your personal access tokens, URL parameters).
 */
export function newTokenAddress(scope: Scope): string {
  const query = new URLSearchParams({ name: 'docs-courier', expires_in: '90' });
  for (const name of ADVICE[scope].names) query.set(name, 'write');
  return `https://github.com/settings/personal-access-tokens/new?${query}`;
}

/** The step, and how Docs Courier gets its token, for the hint of an error. */
export function appSteps({ yaml }: PermissionAdvice): Hint['steps'] {
  return {
    how: 'With a GitHub App:',
    yaml: `${yaml}\n# and in the step of Docs Courier, under with:\n#   secret-token: \${{ steps.app-token.outputs.token }}`,
  };
}

/**
 * `variables`: the end of the variable that gives the action its input for the Variables
 * permission; none if another covers it.
 */
function tokenYaml(inputs: readonly string[], variables?: string): string {
  const env = `    INPUT_PERMISSION-${variables}: write # the state variable next to the secret`;
  return [
    '- id: app-token',
    '  uses: actions/create-github-app-token@bcd2ba49218906704ab6c1aa796996da409d3eb1 # v3.2.0',
    ...(variables === undefined ? [] : ['  env:', env]),
    '  with:',
    '    client-id: ${{ vars.DOCS_APP_CLIENT_ID }}',
    '    private-key: ${{ secrets.DOCS_APP_PRIVATE_KEY }}',
    ...inputs.map((line) => `    ${line}`),
  ].join('\n');
}

/**
 * What to do about a failed call about a secret or a variable: what the token or the inputs lack.
 */
export function settingHint(
  error: CourierError,
  { target, kind }: { readonly target: GitHubTarget; readonly kind: 'secrets' | 'variables' },
): CourierError['hint'] {
  const advice = permissionAdvice(target.scope);
  // The reply names another reason than a permission, such as single sign-on.
  if (error.code === 'forbidden' && !error.lacksPermission && error.hint !== undefined)
    return error.hint;
  const lacks = `secret-token needs the ${advice[kind]}.`;
  const texts: Partial<Record<ErrorCode, string>> = {
    unauthorized: `secret-token is not accepted: it has expired (an App token lives an hour), was revoked, or is for another server. For a new one, ${lacks}`,
    // A token does not show whether it is that of the run.
    forbidden: error.lacksPermission
      ? `${lacks} The token of the run (github.token, secrets.GITHUB_TOKEN) can never have it.`
      : `GitHub refused this, and its reply names no missing permission. If it is one, ${lacks}`,
    'not-found': `${whereToLook(target)} Otherwise ${lacks}`,
    config: `GitHub refused the request as invalid. Check the name and the destination (${scopeOf(target).name}); ${lacks}`,
  };
  const text = texts[error.code];
  if (text === undefined) return error.hint;
  return {
    text,
    steps: appSteps(error.code === 'not-found' ? coveringAdvice(advice, target) : advice),
  };
}

/**
 * With the repository in the step of the token: without it, the token covers only the repository of
 * the run.
 */
function coveringAdvice(advice: PermissionAdvice, target: GitHubTarget): PermissionAdvice {
  if (target.scope === 'organization') return advice;
  const { owner, repo } = ownerAndRepo(target.repository);
  const covered = `    owner: ${owner}\n    repositories: ${repo}`;
  return {
    ...advice,
    yaml: advice.yaml.replace(/^ +private-key: .*$/m, (line) => `${line}\n${covered}`),
  };
}

function whereToLook(target: GitHubTarget): string {
  if (target.scope === 'organization') {
    return `Check that ${target.organization} is an organization and that secret-token belongs to it.`;
  }
  return target.scope === 'repository'
    ? `Check that ${target.repository} exists and that secret-token (an App: its installation) covers it.`
    : `Check that ${target.repository} has an environment of exactly the name "${target.environment}" (Settings, Environments) and that secret-token covers the repository.`;
}

/**
 * The workflow's own token can be granted no permission that reaches secrets: refused before any
 * request.
 */
export function workflowTokenError(target: GitHubTarget): CourierError {
  const advice = permissionAdvice(target.scope);
  return new CourierError({
    code: 'forbidden',
    message: `secret-token is the workflow's own token, which can never write secrets. Nothing was sent.`,
    hint: {
      text: `Use the token of a GitHub App, or a personal access token, with the ${advice.secrets} and the ${advice.variables}.`,
      steps: appSteps(advice),
    },
  });
}
