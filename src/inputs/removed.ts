import { plainLine } from '../text/escape.ts';
import { looksSecret } from '../text/names.ts';

/**
 * Names that no longer exist; values that inputs must have for the row to count (`*`: any; `-`: none), the first that fits
 * counts; the inputs to write; what else to do. `{INPUT|TEXT}` is the value of an input, or the text where it has none, and
 * `{%INPUT|TEXT}` escapes it.
 */
type Row = readonly [names: string, where: string, write: string, text?: string];

const SECRET =
  'secret-name secret-scope secret-environment secret-repository secret-organization secret-visibility secret-selected-repositories';
const NAME = '{%secret-name|NAME}';
const REPOSITORY = '{secret-repository|OWNER/REPO}';
const ENVIRONMENT = `env/{%secret-environment|ENVIRONMENT}/${NAME}`;
const ORGANIZATION = `org/{%secret-organization|ORG}/${NAME}`;
const SELECTED = 'visibility=selected&repositories={secret-selected-repositories|a,b}';
const APPROLE = 'set the variables VAULT_ROLE_ID and VAULT_SECRET_ID';
const ISSUE = 'how-to/notify-your-team.md has a step that opens the issue';

/** Every removed input, flag and key, with what to write instead. Nothing else in the program knows these names. */
const REMOVED: readonly Row[] = [
  [SECRET, 'forge=gitea secret-scope=organization', `to: gitea:${ORGANIZATION}`],
  [SECRET, 'forge=gitea', `to: gitea:repo/${REPOSITORY}/${NAME}`],
  [SECRET, 'secret-scope=environment secret-repository=*', `to: github:repo/${REPOSITORY}/${ENVIRONMENT}`],
  [SECRET, 'secret-scope=environment', `to: github:${ENVIRONMENT}`],
  [SECRET, 'secret-selected-repositories=*', `to: github:${ORGANIZATION}?${SELECTED}`],
  [SECRET, 'secret-visibility=*', `to: github:${ORGANIZATION}?visibility={secret-visibility|selected}`],
  [SECRET, 'secret-scope=organization', `to: github:${ORGANIZATION}`],
  [SECRET, 'secret-organization=*', `to: github:${ORGANIZATION}`],
  [SECRET, 'secret-environment=*', `to: github:${ENVIRONMENT}`],
  [SECRET, 'secret-repository=*', `to: github:repo/${REPOSITORY}/${NAME}`],
  [SECRET, '', `to: github:secret/${NAME}`],
  ['forge-url', '', 'to: gitlab:project/ID/NAME?server={forge-url|https://gitlab.example.com}'],
  ['kube-context', '', 'to: k8s:NAMESPACE/SECRET?context={%kube-context|NAME}#KEY'],
  [
    'vault-auth vault-auth-path',
    'vault-auth=approle vault-auth-path=*',
    'vault-role: auth/{vault-auth-path|}/login',
    APPROLE,
  ],
  ['vault-auth', 'vault-auth=approle', '', APPROLE],
  ['vault-auth', 'vault-auth=token', '', 'remove it: vault-token is used where it is given'],
  ['vault-auth', 'vault-auth-path=-', '', 'remove it: with vault-role the run logs in with its id token'],
  ['vault-auth vault-auth-path', '', 'vault-role: auth/{vault-auth-path|MOUNT}/role/{vault-role|NAME}'],
  ['vault-namespace', '', '', 'set the variable VAULT_NAMESPACE'],
  ['vault-ca', '', '', 'set the variable VAULT_CACERT_BYTES, or VAULT_CACERT to a path outside the workspace'],
  ['aws-region', '', 'to: aws-sm:NAME?region={aws-region|eu-west-1}', 'or set the variable AWS_REGION'],
  [
    'vault-audience',
    'aws-audience=*',
    'id-token-audience: vault: {vault-audience|AUDIENCE}',
    'and a line aws: AUDIENCE',
  ],
  ['aws-audience', 'vault-audience=*', 'id-token-audience: aws: {aws-audience|AUDIENCE}', 'and a line vault: AUDIENCE'],
  ['vault-audience', '', 'id-token-audience: {vault-audience|AUDIENCE}'],
  ['aws-audience', '', 'id-token-audience: {aws-audience|AUDIENCE}'],
  ['wait', 'wait=false', 'timeout: 0s; on-timeout: detach'],
  ['wait', '', '', 'remove it: the run waits until timeout'],
  ['context-limit', '', '', 'remove it: a prompt has at most 48 KiB'],
  ['related-docs', 'related-docs=0', '', 'remove it'],
  ['related-docs', '', 'context: {context|description,files,diff,comments},docs'],
  ['page-size score-threshold', '', '', 'give it in the queries file, for all queries or for one'],
  ['filter-version', '', 'filter: version={filter-version|2}'],
  ['filter-language', '', 'filter: language={filter-language|en}'],
  ['filter-tag', '', 'filter: tag={filter-tag|TAG}'],
  ['filter-groups', '', 'filter: groups={filter-groups|GROUP}', 'one line for each group'],
  ['max-requests', '', '', 'remove it: the limit follows from the queries'],
  ['changes-comment', '', 'comment: {changes-comment|true}'],
  ['search-comment', 'search-comment=pages', 'comment: titles'],
  ['search-comment', '', 'comment: {search-comment|true}'],
  ['deployment-environment', '', '', 'give the job an `environment:`, which makes the deployment'],
  ['issue-on-failure issue-labels issue-assignees', '', '', ISSUE],
  ['deployment-type', 'deployment-type=air-gapped', 'verify: air-gapped'],
  ['deployment-type', '', '', 'remove it: a page of the documentation has the table of features'],
  ['steps', 'steps=1', '', 'remove it: a rollback goes to the export before the live one'],
  ['steps', '', 'export-job-id: ID', 'the summary of an export lists the ids'],
];

export const REMOVED_NAMES: ReadonlySet<string> = new Set(REMOVED.flatMap(([names]) => names.split(' ')));

interface Given {
  /** Names that were given and that no input has. */
  readonly names: readonly string[];
  /** The text of any name, and of `forge`; `''` where there is none. */
  readonly value: (name: string) => string;
  /** How an input is written where these were: `to: X`, or `--to X`. */
  readonly show: (name: string, value: string) => string;
}

interface Problem {
  /** The first of the names that it is about. */
  readonly name: string;
  readonly text: string;
}

/** One problem for each replacement, with the text to write. Names that never existed are left out. */
export function removedProblems({ names, value, show }: Given): Problem[] {
  const groups = new Map<Row, string[]>();
  for (const name of names) {
    const found = REMOVED.find((row) => row[0].split(' ').includes(name) && fits(row, value));
    if (found !== undefined) groups.set(found, [...(groups.get(found) ?? []), name]);
  }
  return [...groups].map(([[, , write, text], removed]) => {
    const inputs = write.split('; ').map((input) => /^([a-z-]+): (.*)$/.exec(input) ?? []);
    const shown = inputs.flatMap(([, name, template]) => (name && template ? [show(name, fill(template, value))] : []));
    const advice = [shown.length === 0 ? undefined : `write ${shown.join(' and ')}`, text];
    const subject = `${removed.join(', ')} ${removed.length === 1 ? 'does' : 'do'} not exist`;
    const problem = `${subject}; ${advice.filter((part) => part !== undefined).join(', ')}`;
    return { name: removed[0] ?? '', text: problem };
  });
}

function fits([, where]: Row, value: Given['value']): boolean {
  return where.split(' ').every((condition) => {
    const [name = '', wanted] = condition.split('=');
    const given = value(name).trim() || '-';
    return name === '' || (wanted === '*' ? given !== '-' : given === wanted);
  });
}

function fill(template: string, value: Given['value']): string {
  return template.replace(/\{(%?)([a-z-]+)\|([^}]*)\}/g, (_, sign: string, name: string, placeholder: string) => {
    const items = value(name)
      .split(/[\r\n,]/)
      .map((item) => item.trim());
    const given = plainLine(items.filter((item) => item !== '').join(','), 200);
    // A key that was given by mistake is not repeated.
    if (given === '' || looksSecret(given)) return placeholder;
    return sign === '' ? given : encodeURIComponent(given);
  });
}
