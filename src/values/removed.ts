/** Every removed input, flag and key, with what to do instead. The rest of the program does not know these names. */
const REMOVED: readonly (readonly [names: string, advice: string])[] = [
  [
    'secret-name secret-scope secret-environment secret-repository secret-organization secret-visibility secret-selected-repositories',
    'give to an address, such as github:secret/NAME, github:env/ENVIRONMENT/NAME, github:repo/OWNER/REPO/NAME, github:org/ORG/NAME?visibility=selected&repositories=a,b or gitea:repo/OWNER/REPO/NAME',
  ],
  ['forge-url', 'name the server in to, as in gitlab:project/ID/NAME?server=https://gitlab.example.com'],
  ['kube-context', 'name the context in to, as in k8s:NAMESPACE/SECRET?context=NAME#KEY'],
  [
    'vault-auth vault-auth-path',
    'give vault-token; or vault-role, which is NAME, auth/MOUNT/role/NAME or auth/MOUNT/login; or set the variables VAULT_ROLE_ID and VAULT_SECRET_ID',
  ],
  ['vault-namespace', 'set the variable VAULT_NAMESPACE'],
  ['vault-ca', 'set the variable VAULT_CACERT_BYTES, or VAULT_CACERT to a path outside the workspace'],
  ['aws-region', 'set the variable AWS_REGION, or name the region in to, as in aws-sm:NAME?region=eu-west-1'],
  ['vault-audience aws-audience', 'give id-token-audience; for both, the lines "vault: AUDIENCE" and "aws: AUDIENCE"'],
  ['wait', 'remove it: the run waits until timeout; not to wait, give timeout 0s and on-timeout detach'],
  ['context-limit', 'remove it: a prompt has at most 48 KiB'],
  ['related-docs', 'add docs to context, as in description,files,diff,comments,docs'],
  ['page-size score-threshold', 'give it in the queries file, for all queries or for one'],
  ['filter-version filter-language filter-tag filter-groups', 'give filter, with a line such as version=2 for each'],
  ['max-requests', 'remove it: the limit follows from the queries'],
  ['changes-comment search-comment', 'give comment, which is true, titles or false'],
  ['deployment-environment', 'give the job an `environment:`, which makes the deployment'],
  ['issue-on-failure issue-labels issue-assignees', 'how-to/notify-your-team.md has a step that opens the issue'],
  [
    'fail-on',
    'remove it: with baseline-file, only a query that is worse than in that file fails the run; without it, each query that misses does',
  ],
  [
    'baseline-update',
    'copy the file at report-path to the path of baseline-file in a step after the search, with an if: on the default branch; how-to/compare-with-a-baseline.md has this step',
  ],
  ['code-quality', 'give --junit FILE, whose report GitLab shows in the merge request as well'],
  [
    'watch',
    'start the search after each change with a program for that, as in: echo docs-queries.yml | entr docs-courier search docs-queries.yml --domain acme',
  ],
  ['deployment-type', 'remove it; for a site without the internet, give verify air-gapped'],
  [
    'steps',
    'give export-job-id, from the summary of an export; without it, the export before the live one is restored',
  ],
];

export const REMOVED_NAMES: ReadonlySet<string> = new Set(REMOVED.flatMap(([names]) => names.split(' ')));

/** One problem for all names that have the same replacement; `name` is the first of them. Names that never existed are left out. */
export function removedProblems(given: readonly string[]): { readonly name: string; readonly text: string }[] {
  return REMOVED.flatMap(([names, advice]) => {
    const removed = given.filter((name) => names.split(' ').includes(name));
    const [name] = removed;
    const text = `${removed.join(', ')} ${removed.length === 1 ? 'does' : 'do'} not exist; ${advice}`;
    return name === undefined ? [] : [{ name, text }];
  });
}
