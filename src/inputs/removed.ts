import { plainLine } from '../text/escape.ts';
import { isKeyShaped } from './values.ts';

/** What replaces inputs that no longer exist. */
interface Removed {
  readonly names: readonly string[];
  /** Only where these inputs have these values; `*` is any value. The first entry that fits counts. */
  readonly where?: Readonly<Record<string, string>>;
  /** The inputs to write. `{INPUT|TEXT}` is the value of an input, or the text where it has none; `{%INPUT|TEXT}` escapes it. */
  readonly write?: Readonly<Record<string, string>>;
  /** What to do, where it is not only to write other inputs. */
  readonly text?: string;
}

const SECRET = [
  'secret-name',
  'secret-scope',
  'secret-environment',
  'secret-repository',
  'secret-organization',
  'secret-visibility',
  'secret-selected-repositories',
];
const [REPOSITORY, ENVIRONMENT, ORGANIZATION, NAME] = [
  '{secret-repository|OWNER/REPO}',
  '{%secret-environment|ENVIRONMENT}',
  '{secret-organization|ORG}',
  '{%secret-name|NAME}',
];
const ORGANIZATION_SECRET = `github:org/${ORGANIZATION}/${NAME}`;
const ISSUE = 'an example opens the issue with `if: failure()` and gh: how-to/open-an-issue-when-a-run-fails.md';

/** Every removed input, flag and key, with what to write instead. Nothing else in the program knows these names. */
const REMOVED: readonly Removed[] = [
  {
    names: SECRET,
    where: { forge: 'gitea', 'secret-scope': 'organization' },
    write: { to: `gitea:org/${ORGANIZATION}/${NAME}` },
  },
  { names: SECRET, where: { forge: 'gitea' }, write: { to: `gitea:repo/${REPOSITORY}/${NAME}` } },
  {
    names: SECRET,
    where: { 'secret-scope': 'environment', 'secret-repository': '*' },
    write: { to: `github:repo/${REPOSITORY}/env/${ENVIRONMENT}/${NAME}` },
  },
  { names: SECRET, where: { 'secret-scope': 'environment' }, write: { to: `github:env/${ENVIRONMENT}/${NAME}` } },
  {
    names: SECRET,
    where: { 'secret-selected-repositories': '*' },
    write: { to: `${ORGANIZATION_SECRET}?visibility=selected&repositories={secret-selected-repositories|a,b}` },
  },
  {
    names: SECRET,
    where: { 'secret-visibility': '*' },
    write: { to: `${ORGANIZATION_SECRET}?visibility={secret-visibility|selected}` },
  },
  { names: SECRET, where: { 'secret-scope': 'organization' }, write: { to: ORGANIZATION_SECRET } },
  { names: SECRET, where: { 'secret-organization': '*' }, write: { to: ORGANIZATION_SECRET } },
  { names: SECRET, where: { 'secret-environment': '*' }, write: { to: `github:env/${ENVIRONMENT}/${NAME}` } },
  { names: SECRET, where: { 'secret-repository': '*' }, write: { to: `github:repo/${REPOSITORY}/${NAME}` } },
  { names: SECRET, write: { to: `github:secret/${NAME}` } },
  { names: ['forge-url'], write: { to: 'gitlab:project/ID/NAME?server={forge-url|https://gitlab.example.com}' } },
  { names: ['kube-context'], write: { to: 'k8s:NAMESPACE/SECRET?context={%kube-context|NAME}#KEY' } },
  {
    names: ['vault-auth', 'vault-auth-path'],
    where: { 'vault-auth': 'approle', 'vault-auth-path': '*' },
    write: { 'vault-role': 'auth/{vault-auth-path|MOUNT}/login' },
    text: 'set the variables VAULT_ROLE_ID and VAULT_SECRET_ID',
  },
  {
    names: ['vault-auth'],
    where: { 'vault-auth': 'approle' },
    text: 'set the variables VAULT_ROLE_ID and VAULT_SECRET_ID',
  },
  { names: ['vault-auth'], where: { 'vault-auth': 'token' }, text: 'remove it: vault-token is used where it is given' },
  {
    names: ['vault-auth'],
    where: { 'vault-auth-path': '' },
    text: 'remove it: with vault-role the run logs in with its id token',
  },
  {
    names: ['vault-auth', 'vault-auth-path'],
    write: { 'vault-role': 'auth/{vault-auth-path|MOUNT}/role/{vault-role|NAME}' },
  },
  { names: ['vault-namespace'], text: 'set the variable VAULT_NAMESPACE' },
  {
    names: ['vault-ca'],
    text: 'set the variable VAULT_CACERT_BYTES, or VAULT_CACERT to the path of a file outside the workspace',
  },
  {
    names: ['aws-region'],
    write: { to: 'aws-sm:NAME?region={aws-region|eu-west-1}' },
    text: 'or set the variable AWS_REGION',
  },
  { names: ['vault-audience'], write: { 'id-token-audience': '{vault-audience|AUDIENCE}' } },
  { names: ['aws-audience'], write: { 'id-token-audience': '{aws-audience|AUDIENCE}' } },
  { names: ['wait'], where: { wait: 'false' }, write: { timeout: '0s', 'on-timeout': 'detach' } },
  { names: ['wait'], text: 'remove it: the run waits until timeout' },
  { names: ['context-limit'], text: 'remove it: a prompt has at most 48 KiB' },
  { names: ['related-docs'], where: { 'related-docs': '0' }, text: 'remove it' },
  { names: ['related-docs'], write: { context: '{context|description,files,diff,comments},docs' } },
  { names: ['page-size', 'score-threshold'], text: 'give it in the queries file, for all queries or for one' },
  { names: ['filter-version'], write: { filter: 'version={filter-version|2}' } },
  { names: ['filter-language'], write: { filter: 'language={filter-language|en}' } },
  { names: ['filter-tag'], write: { filter: 'tag={filter-tag|TAG}' } },
  { names: ['filter-groups'], write: { filter: 'groups={filter-groups|GROUP}' }, text: 'one group a line' },
  { names: ['max-requests'], text: 'remove it: the limit follows from the queries' },
  { names: ['changes-comment'], write: { comment: '{changes-comment|true}' } },
  { names: ['search-comment'], where: { 'search-comment': 'pages' }, write: { comment: 'titles' } },
  { names: ['search-comment'], write: { comment: '{search-comment|true}' } },
  { names: ['deployment-environment'], text: 'give the job an `environment:`, which makes the deployment' },
  { names: ['issue-on-failure', 'issue-labels', 'issue-assignees'], text: ISSUE },
  { names: ['deployment-type'], where: { 'deployment-type': 'air-gapped' }, write: { verify: 'air-gapped' } },
  { names: ['deployment-type'], text: 'remove it: reference/limits.md has the table of features' },
  { names: ['steps'], where: { steps: '1' }, text: 'remove it: a rollback goes to the export before the live one' },
  { names: ['steps'], write: { 'export-job-id': 'ID' }, text: 'the summary of an export lists the ids' },
];

export const REMOVED_NAMES: ReadonlySet<string> = new Set(REMOVED.flatMap(({ names }) => names));

interface Given {
  /** Names that were given and that no input has. */
  readonly names: readonly string[];
  /** The text of any name, and of `forge`; `''` where there is none. */
  readonly value: (name: string) => string;
  /** How an input is written where these were: `to: X`, or `--to X`. */
  readonly show: (name: string, value: string) => string;
}

/** One problem for each replacement, with the text to write. Names that never existed are left out. */
export function removedProblems({ names, value, show }: Given): string[] {
  const groups = new Map<Removed, string[]>();
  for (const name of names) {
    const found = REMOVED.find((one) => one.names.includes(name) && fits(one, value));
    if (found !== undefined) groups.set(found, [...(groups.get(found) ?? []), name]);
  }
  return [...groups].map(([{ write = {}, text }, removed]) => {
    const inputs = Object.entries(write).map(([name, template]) => show(name, fill(template, value)));
    const advice = [inputs.length === 0 ? undefined : `write ${inputs.join(' and ')}`, text];
    const subject = `${removed.join(', ')} ${removed.length === 1 ? 'does' : 'do'} not exist`;
    return `${subject}; ${advice.filter((part) => part !== undefined).join(', ')}`;
  });
}

function fits({ where = {} }: Removed, value: Given['value']): boolean {
  return Object.entries(where).every(([name, wanted]) => {
    const given = value(name).trim();
    return wanted === '*' ? given !== '' : given === wanted;
  });
}

function fill(template: string, value: Given['value']): string {
  return template.replace(/\{(%?)([a-z-]+)\|([^}]*)\}/g, (_, sign: string, name: string, placeholder: string) => {
    const items = value(name)
      .split(/[\r\n,]/)
      .map((item) => item.trim());
    const given = plainLine(items.filter((item) => item !== '').join(','), 200);
    // A key that was given by mistake is not repeated.
    if (given === '' || isKeyShaped(given)) return placeholder;
    return sign === '' ? given : encodeURIComponent(given);
  });
}
