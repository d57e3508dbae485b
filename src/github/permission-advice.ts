import type { SecretScope } from '../inputs.ts';

/** What a token must be allowed for one scope: the names of the token's settings, and the YAML that grants it to an App's token. */
export interface PermissionAdvice {
  /** Such as `Secrets: Read and write`. */
  readonly secrets: string;
  readonly variables: string;
  readonly yaml: string;
}

// The action forwards every input that begins with `permission-`, also those that it does not list: the variables
// permissions of a repository and of an organization are given to it by the environment.
const ADVICE: Readonly<Record<SecretScope, PermissionAdvice>> = {
  repository: {
    secrets: 'repository permission "Secrets: Read and write"',
    variables: 'repository permission "Variables: Read and write"',
    yaml: tokenYaml({
      env: 'INPUT_PERMISSION-ACTIONS-VARIABLES',
      permissions: ['permission-secrets: write'],
    }),
  },
  environment: {
    secrets: 'repository permission "Environments: Read and write"',
    variables: 'repository permission "Environments: Read and write"',
    yaml: tokenYaml({ env: undefined, permissions: ['permission-environments: write'] }),
  },
  organization: {
    secrets: 'organization permission "Secrets: Read and write"',
    variables: 'organization permission "Variables: Read and write"',
    yaml: tokenYaml({
      env: 'INPUT_PERMISSION-ORGANIZATION-ACTIONS-VARIABLES',
      permissions: [
        'owner: ${{ github.repository_owner }}',
        'repositories: ${{ github.event.repository.name }} # and those in secret-selected-repositories',
        'permission-organization-secrets: write',
      ],
    }),
  },
};

export function permissionAdvice(scope: SecretScope): PermissionAdvice {
  return ADVICE[scope];
}

function tokenYaml({ env, permissions }: { env: string | undefined; permissions: readonly string[] }): string {
  return [
    '- id: app-token',
    '  uses: actions/create-github-app-token@v2',
    ...(env === undefined ? [] : ['  env:', `    ${env}: write`]),
    '  with:',
    '    app-id: ${{ vars.DOCS_APP_ID }}',
    '    private-key: ${{ secrets.DOCS_APP_PRIVATE_KEY }}',
    ...permissions.map((line) => `    ${line}`),
    '# and in the step of Docs Courier, under with:',
    '#   secret-token: ${{ steps.app-token.outputs.token }}',
  ].join('\n');
}
