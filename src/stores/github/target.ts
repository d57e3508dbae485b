import { ownerAndRepo } from '../../github/connection.ts';
import {
  type CourierError,
  configError,
  courierError,
  type ErrorCode,
  type Hint,
} from '../../ground/errors.ts';
import type { GitHubAddress } from './address.ts';

/** Where a secret and the state variable next to it are. `repository` is `owner/name`. */
export type GitHubTarget =
  | { readonly scope: 'repository'; readonly repository: string }
  | { readonly scope: 'environment'; readonly repository: string; readonly environment: string }
  | { readonly scope: 'organization'; readonly organization: string };

/** The target of an address. `current`: the repository that an address without one means. */
export function targetOf(address: GitHubAddress, current: string): GitHubTarget {
  if (address.scope === 'organization') return address;
  return { ...address, repository: address.repository ?? current };
}

/**
 * How a target is named. `name`: in messages. `path`: in the REST API, up to `/secrets` and
 * `/variables`; Octokit replaces its braces with `parameters`, escaped.
 */
export function scopeOf(target: GitHubTarget) {
  if (target.scope === 'organization') {
    return {
      name: `organization ${target.organization}`,
      path: '/orgs/{org}/actions',
      parameters: { org: target.organization },
    };
  }
  const repository = target.repository;
  const ownerParameters = ownerAndRepo(repository);
  if (target.scope === 'repository') {
    return {
      name: `repository ${repository}`,
      path: '/repos/{owner}/{repo}/actions',
      parameters: ownerParameters,
    };
  }
  const environment = target.environment;
  // Octokit does not escape dots: these names would lead to another path of the API.
  if (environment === '.' || environment === '..') {
    throw configError(
      `The environment is "${environment}", which cannot be part of the address of a request. Nothing was sent.`,
      'Give the name of an environment as it is shown under Settings, Environments.',
    );
  }
  return {
    name: `environment ${environment} of ${repository}`,
    path: '/repos/{owner}/{repo}/environments/{environment_name}',
    parameters: { ...ownerParameters, environment_name: environment },
  };
}

/**
 * The address that the signature of a state is bound to. `holderId`: the id of the repository or
 * organization. It stays when that is renamed or moved to another owner, and a new one with the
 * former name has another id.
 */
export function signedAddressOf(
  serverUrl: string,
  target: GitHubTarget,
  holderId: number,
  name: string,
): string {
  if (!URL.canParse(serverUrl)) {
    throw configError(`The address of the GitHub server, ${serverUrl}, is not a URL.`);
  }
  const host = new URL(serverUrl).host;
  let holder = `${target.scope === 'organization' ? 'org' : 'repo'}/${holderId}`;
  // GitHub ignores case in names. An encoded letter cannot be made lower case: `Ä` is %C3%84 and `ä`
  // %C3%A4.
  if (target.scope === 'environment')
    holder += `/env/${encodeURIComponent(target.environment.toLowerCase())}`;
  return `github://${host}/${holder}/${name}`.toLowerCase();
}

const STEP = `- id: app-token
  uses: actions/create-github-app-token@bcd2ba49218906704ab6c1aa796996da409d3eb1 # v3.2.0`;
const INPUTS = [
  '  with:',
  '    client-id: ${{ vars.DOCS_APP_CLIENT_ID }}',
  '    private-key: ${{ secrets.DOCS_APP_PRIVATE_KEY }}',
].join('\n');
const OWNER = '    owner: ${{ github.repository_owner }}';
// create-github-app-token does not list the permissions for variables among its inputs, but it
// forwards each `permission-…` input: the environment gives it these.
const FOR_STATE = 'write # the state variable next to the secret';

// What a token must be allowed for one scope, as the settings of tokens and Apps call it, and the
// step that makes such a token: hints of errors show it, and so do README and documentation.
export const ADVICE = {
  repository: {
    secrets: 'repository permission "Secrets: Read and write"',
    variables: 'repository permission "Variables: Read and write"',
    yaml: `${STEP}
  env:
    INPUT_PERMISSION-ACTIONS-VARIABLES: ${FOR_STATE}
${INPUTS}
    permission-secrets: write # the public key and the secret`,
  },
  environment: {
    secrets: 'repository permission "Environments: Read and write"',
    variables: 'repository permission "Environments: Read and write"',
    yaml: `${STEP}
${INPUTS}
    permission-environments: write # public key, secret and variables of the environment`,
  },
  organization: {
    secrets: 'organization permission "Secrets: Read and write"',
    variables: 'organization permission "Variables: Read and write"',
    yaml: `${STEP}
  env:
    INPUT_PERMISSION-ORGANIZATION-ACTIONS-VARIABLES: ${FOR_STATE}
${INPUTS}
${OWNER}
    repositories: website, helm-charts # the token needs access to the repositories that may read the secret
    permission-organization-secrets: write # the public key and the secret`,
  },
};

type PermissionAdvice = (typeof ADVICE)['repository'];

/** The step, and how Docs Courier gets its token, for the hint of an error. */
export function appSteps(advice: PermissionAdvice): Hint['steps'] {
  return {
    how: 'With a GitHub App:',
    yaml: `${advice.yaml}\n# and in the step of Docs Courier, under with:\n#   secret-token: \${{ steps.app-token.outputs.token }}`,
  };
}

/**
 * What to do about a failed call about a secret or a variable: what the token or the inputs lack.
 */
export function settingHint(
  error: CourierError,
  target: GitHubTarget,
  kind: 'secrets' | 'variables',
): CourierError['hint'] {
  const advice = ADVICE[target.scope];
  const { code, hint } = error;
  // The client of GitHub has found another reason than a missing permission in the reply, such as
  // single sign-on, and has given the error a hint for it.
  const hasOtherReason = code === 'forbidden' && !error.lacksPermission && hint !== undefined;
  if (hasOtherReason) return hint;
  const needs = `secret-token needs the ${advice[kind]}.`;
  const texts: Partial<Record<ErrorCode, string>> = {
    unauthorized: `secret-token is not accepted: it has expired (an App token lives an hour), was revoked, or is for another server. For a new one, ${needs}`,
    // Always warns of the token of the run: nothing in a token shows that it is one.
    forbidden: error.lacksPermission
      ? `${needs} The token of the run (github.token, secrets.GITHUB_TOKEN) can never have it.`
      : `GitHub refused this, and its reply names no missing permission. If it is one, ${needs}`,
    'not-found': `${whereToLook(target)} Otherwise ${needs}`,
    config: `GitHub refused the request as invalid. Check the name and the destination (${scopeOf(target).name}); ${needs}`,
  };
  const text = texts[code];
  // Any other failure, such as of the network, is not about the token.
  if (text === undefined) return hint;
  // GitHub also answers 404 for a repository that the token does not cover.
  const mayBeUncovered = code === 'not-found';
  return { text, steps: appSteps(mayBeUncovered ? coveringAdvice(advice, target) : advice) };
}

/**
 * The advice with the target's repository in the step that makes the token: without it, the token
 * covers only the repository of the run.
 */
function coveringAdvice(advice: PermissionAdvice, target: GitHubTarget): PermissionAdvice {
  // The step for an organization names its owner and repositories already.
  if (target.scope === 'organization') return advice;
  const { owner, repo } = ownerAndRepo(target.repository);
  const covered = `    owner: ${owner}\n    repositories: ${repo}`;
  // The step has `private-key` in each scope.
  const yaml = advice.yaml.replace(/^ +private-key: .*$/m, (line) => `${line}\n${covered}`);
  return { ...advice, yaml };
}

/** What to check if GitHub answers that the secret's target does not exist. */
function whereToLook(target: GitHubTarget): string {
  if (target.scope === 'organization') {
    return `Check that ${target.organization} is an organization and that secret-token belongs to it.`;
  }
  if (target.scope === 'repository') {
    return `Check that ${target.repository} exists and that secret-token (an App: its installation) covers it.`;
  }
  return `Check that ${target.repository} has an environment of exactly the name "${target.environment}" (Settings, Environments) and that secret-token covers the repository.`;
}

/**
 * The error for the workflow's own token, which can be granted no permission that reaches secrets:
 * it is refused before any request.
 */
export function workflowTokenError(target: GitHubTarget): CourierError {
  const advice = ADVICE[target.scope];
  return courierError(
    'forbidden',
    `secret-token is the workflow's own token, which can never write secrets. Nothing was sent.`,
    {
      text: `Use the token of a GitHub App, or a personal access token, with the ${advice.secrets} and the ${advice.variables}.`,
      steps: appSteps(advice),
    },
  );
}
