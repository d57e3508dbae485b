import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { splitWords } from '../../src/ground/text/names.ts';
import { openLaptop } from '../cli/harness.ts';
import { ADMIN_KEY, ASSISTANT_KEY } from '../support/make-inputs.ts';
import { runStepInProcess } from '../support/step-in-process.ts';
import { startWorld } from '../support/world.ts';

/** What a user does, and what the log says about it. */
interface Row {
  /**
   * The words after `docs-courier`. PLATFORM is the address of the emulator, FOLDER the working
   * folder.
   */
  readonly args?: string;
  /** The inputs of a step of the action, instead of a command line. */
  readonly step?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string | Buffer>>;
  /** Each of these is in the log. */
  readonly says: readonly string[];
  readonly never?: readonly string[];
  /** Default: 2, and 1 of a step. */
  readonly exitCode?: number;
}

const EXPORT = 'export --domain acme.example.com';
const TO = `${EXPORT} --to file:x`;
const SITE = {
  'docs-courier.yml': 'sites:\n  one:\n    domain: acme.example.com\n    to: file:one\n',
};
const SEARCH = { DOCS_COURIER_ASSISTANT_API_KEY: ASSISTANT_KEY };
const GHP = `ghp_${'a1B2c3D4e5'.repeat(3)}F6g7h8`;
const PRESIGNED =
  'https://storage.example.com/bundles/1.tgz?X-Signature=0123456789abcdef0123456789';
const GITLAB = {
  GITLAB_CI: 'true',
  CI_PIPELINE_ID: '31',
  CI_JOB_ID: '77',
  CI_JOB_NAME: 'publish',
  CI_PROJECT_PATH: 'acme/docs',
  CI_SERVER_URL: 'https://gitlab.example.com',
  CI_PIPELINE_SOURCE: 'push',
  CI_COMMIT_BRANCH: 'main',
  CI_DEFAULT_BRANCH: 'main',
  CI_COMMIT_REF_PROTECTED: 'true',
};
const file = (text: string) => ({ 'docs-courier.yml': text });

/** Names: the nearest of a closed list, or none. */
const NAMES: Readonly<Record<string, Row>> = {
  'an unknown command': {
    args: 'exprot',
    says: ['"exprot" is not a command', 'did you mean export?'],
  },
  'an unknown flag': {
    args: `${TO} --timeuot 1h`,
    says: ['unknown flag --timeuot; did you mean --timeout?'],
  },
  'a flag with one dash': {
    args: 'export -domain a.example.com',
    says: ['unknown flag -domain; did you mean --domain?'],
  },
  'a flag that is near to none': {
    args: `${TO} --colour red`,
    says: ['unknown flag --colour; see --help'],
  },
  'a variable': {
    args: 'export --to file:x',
    env: { DOCS_COURIER_DOMIAN: 'acme' },
    says: ['unknown input DOCS_COURIER_DOMIAN; did you mean DOCS_COURIER_DOMAIN?'],
  },
  'an unknown input': {
    step: { timeuot: '1h' },
    says: ['unknown input timeuot; did you mean timeout?'],
  },
  'an input that is near to none': {
    step: { colour: 'red' },
    says: ['unknown input colour; remove it', 'nothing was sent'],
  },
  'a misspelt key': {
    args: 'export',
    files: file('domian: x\n'),
    says: ['unknown key domian; did you mean domain?'],
  },
  'a key of the start': {
    args: 'export',
    files: file('mode: export\n'),
    says: ['mode is given where the program is started'],
  },
  'a site that the file does not have': {
    args: 'export --site oen',
    files: SITE,
    says: ['has no site oen; did you mean one?'],
  },
  'no site': { args: 'export', files: SITE, says: ['site is missing: one', '--site NAME'] },
  'publish as a word': {
    args: `${TO} --verify yes`,
    says: ['verify: "yes" is not allowed; it must be off, report, new, strict'],
  },
  'a misspelt kind of address': {
    args: `${EXPORT} --to flie:x`,
    says: ['"flie:x" is not allowed', 'did you mean file:?'],
  },
  'a key of the queries file': {
    args: 'search q.yml --domain acme',
    env: SEARCH,
    files: { 'q.yml': 'queries:\n  - query: a\n    expects: {}\n  - q: b\n' },
    says: [
      'q.yml:3:5: queries[0]: unknown key expects: did you mean expect?',
      'queries[1]: unknown key q\n',
    ],
  },
};

/** Values: the forms that are allowed, with placeholders in capitals, and no line with a guess. */
const VALUES: Readonly<Record<string, Row>> = {
  "the address of a project's page as project-id": {
    args: 'export --to file:x --project-id https://dash.example.com/acme/settings',
    says: [
      'project-id: "https://dash.example.com/acme/settings" is not allowed; it must be an id of 1 to 128',
    ],
    never: ['--project-id settings', 'write'],
  },
  'a Secret as kubectl names it': {
    args: `${EXPORT} --to k8s:secret/docs-link#url`,
    env: { HOME: '/nonexistent' },
    says: ['--kubeconfig-file FILE'],
    never: ['namespace secret'],
  },
  'a rollout of a pod': {
    args: `${TO} --rollout pod/docs-0`,
    says: [
      'rollout: "pod/docs-0" is not allowed; it must be',
      'deployment/NAME, statefulset/NAME or daemonset/NAME',
    ],
    never: ['deployment/docs-0'],
  },
  'the address of a site as a word': {
    args: 'export https://docs.example.com',
    says: ['"https://docs.example.com" belongs to no flag; export takes flags only'],
    never: ['--base-url https', 'did you mean'],
  },
  'a path as the destination': {
    args: `${EXPORT} --to link.txt`,
    says: [
      '"link.txt" is not allowed; it must be an address such as github:secret/NAME or file:PATH',
    ],
  },
  'the path of a project on GitLab as it is': {
    args: `${EXPORT} --to gitlab:project/acme/docs/app/LINK?environment=production`,
    says: ['must be gitlab:project/acme%2Fdocs%2Fapp/LINK?environment=production, with %2F for'],
  },
  'two words that belong to no flag': {
    args: 'export export-job-id: job-9',
    says: ['"export-job-id:", "job-9" belong to no flag; export takes flags only'],
  },
  'a secret with a blank, without quotes': {
    args: 'export --live-headers Authorization: Bearer canary-word --token Basic canary',
    says: [
      'Word 4 after docs-courier, Word 5 after docs-courier, Word 8 after docs-courier belong',
    ],
    never: ['canary', 'Bearer'],
  },
  'a pattern that the shell has filled in': {
    args: `export ${Array.from({ length: 300 }, (_, index) => `page-${index}.md`).join(' ')}`,
    says: ['"page-0.md"', '"page-4.md", 295 more belong to no flag; export takes flags only'],
    never: ['page-5.md'],
  },
  'a folder with the sources of a site': {
    args: 'export --from src --extract-to site',
    files: { 'src/index.md': '# Start\n' },
    says: ['Check that from names the built site, and not its sources.'],
    never: ['Check on the platform', '--min-pages'],
    exitCode: 4,
  },
  'serve without a folder': {
    args: 'serve',
    says: ['The folder of the site is missing.\nGive the folder with the unpacked site.\n'],
  },
  'redirects for no server': {
    args: 'redirects site',
    says: ['--server must be nginx or caddy.\nName the server of the site.\n'],
  },
  'a misspelt input that another one needs': {
    step: { extract_to: 'site', add: 'manifest', to: 'github:secret/X' },
    says: ['did you mean extract-to?', 'Correct them from the top'],
  },
  'a query as a word': {
    args: 'search install --domain acme',
    env: SEARCH,
    says: [
      '"install" belongs to no flag; search takes one queries file (.yml, .yaml or .json), or --query TEXT',
    ],
    never: ['does not exist'],
  },
  'a presigned link as the destination': {
    args: `${EXPORT} --to ${PRESIGNED}`,
    says: [
      'to: one of its lines is not allowed; it must be an address of a kind that is known: github, gitea',
    ],
    never: ['storage.example.com', 'X-Signature', 'gitlab:project'],
  },
  'a rollback to the job of another destination': {
    args: 'rollback --to file:x --export-job-id job-9',
    says: [
      'There is no export that can be rolled back',
      'Run an export with this destination first.',
    ],
    never: ['docs-courier refresh', 'mode: refresh'],
    exitCode: 1,
  },
  'a shell behind --to-command': {
    args: `${EXPORT} --to-command 'cat | tee x' --state file:st`,
    says: ['| is a sign of a shell'],
    never: ['sh -c'],
  },
  'a setting of GitHub in a run on this machine': {
    args: `${EXPORT} --to github:secret/X`,
    env: { DOCS_COURIER_SECRET_TOKEN: GHP },
    says: ['github:repo/OWNER/REPO/X'],
  },
  'a wrong value in the file': {
    args: 'export --site one',
    files: file('timeout: 30\nsites:\n  one:\n    domain: acme.example.com\n    to: flie:x\n'),
    says: ['timeout (docs-courier.yml:1): "30"', 'to (docs-courier.yml:5): "flie:x"'],
  },
  'a key as a word': {
    args: `refresh ${ADMIN_KEY}`,
    says: ['Word 2 after docs-courier belongs to no flag; refresh takes flags only'],
    never: [ADMIN_KEY],
  },
  'the arguments of a program as a word': {
    args: "export 'to-command=curl -u user:canary https://a.test'",
    says: ['belongs to no flag'],
    never: ['canary'],
  },
  'an instruction without quotes': {
    args: 'agent --pull-request 7 Document the flag',
    says: ['agent takes one instruction, in quotes'],
  },
};

/** Keys and tokens: what is wrong with them, and never what they are. */
const KEYS: Readonly<Record<string, Row>> = {
  'no key and no address': {
    args: TO,
    env: { DOCS_COURIER_BASE_URL: '', DOCS_COURIER_ADMIN_API_KEY: '' },
    says: ['--admin-api-key-file FILE', '--base-url https://HOST'],
  },
  'no key in GitLab': {
    args: TO,
    env: { ...GITLAB, DOCS_COURIER_ADMIN_API_KEY: '' },
    says: [
      'DOCS_COURIER_ADMIN_API_KEY',
      'it is protected, and the pipeline is for a branch or tag that is not',
    ],
    never: ['secrets.'],
  },
  'no key in a step of doctor': {
    step: { mode: 'doctor', 'admin-api-key': '' },
    says: ['❌ Inputs: admin-api-key is empty\n   What to do: A secret or variable'],
  },
  'an output of a misspelt step for the token': {
    step: { to: 'github:secret/X', 'secret-token': '' },
    says: ['secret-token is empty', 'ID or the name of the output is not spelled as there'],
  },
  'an output of a misspelt step for another input': {
    step: { 'compare-with': 'live', 'extract-to': 'site', 'served-at': '' },
    says: [
      'give served-at or live-url',
      'If served-at is written there already, its value is empty in this run: compare the spelling of the step id',
    ],
  },
  'no address on a laptop': {
    args: `${EXPORT} --extract-to site --compare-with live`,
    says: ['give served-at or live-url'],
    never: ['written there already'],
  },
  'no key in a step for a preview': {
    step: { mode: 'publish', domain: '', 'project-id': 'project-1', 'admin-api-key': '' },
    says: ['admin-api-key: ${{ secrets.NAME }}'],
    never: ['DOCS_ADMIN_API_KEY'],
  },
  'a job of GitLab that saves nothing': {
    args: EXPORT,
    env: GITLAB,
    says: ['or the site an image (image), a folder (extract-to) or a file (bundle-path)'],
    never: ['--to'],
  },
  'a variable that GitLab did not expand': {
    args: TO,
    env: { ...GITLAB, DOCS_COURIER_ADMIN_API_KEY: '$DOCS_ADMIN_API_KEY' },
    says: [
      'admin-api-key',
      'CI/CD',
      '"$DOCS_ADMIN_API_KEY" is not allowed; it must be the value itself, not the name of',
    ],
  },
  'a key that was revoked': {
    args: TO,
    env: { DOCS_COURIER_ADMIN_API_KEY: 'svc_revokedKey0123456789abcd' },
    says: ['may have expired', '--admin-api-key-file FILE'],
    exitCode: 1,
  },
  'a secret on the command line': {
    args: `${TO} --admin-api-key ${ADMIN_KEY}`,
    says: ['can be read by every process', '--admin-api-key-file PATH'],
    never: [ADMIN_KEY],
  },
  'a key file with two lines': {
    args: `${TO} --admin-api-key-file k`,
    files: { k: `${ADMIN_KEY}\nsecond\n` },
    says: ['FOLDER/k has 2 lines'],
    never: [ADMIN_KEY],
  },
  'a token that a terminal lacks': {
    args: `${EXPORT} --to github:repo/acme/docs/X`,
    says: ['secret-token is missing'],
    never: ['steps.app-token'],
  },
  'GitLab without a token': {
    args: `${EXPORT} --to gitlab:project/7/LINK`,
    env: GITLAB,
    says: ['DOCS_COURIER_SECRET_TOKEN', 'CI_JOB_TOKEN'],
  },
  'Vault without credentials': {
    args: `${EXPORT} --to vault:secret/docs#link`,
    env: { VAULT_ADDR: 'http://127.0.0.1:9' },
    says: ['VAULT_TOKEN'],
    never: ['id token'],
  },
  'a cluster without a kubeconfig': {
    args: `${EXPORT} --to k8s:docs/site#link`,
    env: { HOME: '/nonexistent' },
    says: ['KUBECONFIG=', '--kubeconfig-file'],
  },
  'a kubeconfig that is no YAML': {
    args: `${EXPORT} --to k8s:docs/site#link`,
    env: { DOCS_COURIER_KUBECONFIG: 'apiVersion: v1\nclusters: [\n' },
    says: ['line 2'],
  },
  'KUBECONFIG that names no file': {
    args: `${EXPORT} --to k8s:docs/site#link`,
    env: { KUBECONFIG: '/nonexistent/k' },
    says: ['/nonexistent/k cannot be used to reach the cluster'],
  },
  'the inputs under env': {
    step: { domain: '', 'base-url': '', 'admin-api-key': '' },
    env: { 'base-url': 'https://api.example.com', 'admin-api-key': ADMIN_KEY },
    says: [
      'under env:, where nothing reads them: base-url, admin-api-key',
      'with:\n  base-url: "https://HOST"',
    ],
  },
  'a folder outside of the working folder': {
    args: `${EXPORT} --extract-to /nonexistent/site`,
    says: ['neither in the working folder FOLDER nor in the temporary folder'],
    never: ['workspace', 'RUNNER', 'runner'],
  },
  'a proxy without a scheme': {
    args: TO,
    env: {
      HTTPS_PROXY: 'proxy.corp:3128',
      NO_PROXY: '',
      DOCS_COURIER_BASE_URL: 'https://api.docs.invalid',
    },
    says: ['HTTPS_PROXY=http://HOST:PORT'],
  },
};

/** Files and results. */
const FILES: Readonly<Record<string, Row>> = {
  'an empty file': {
    args: 'export',
    files: file('# domain: acme.example.com\n'),
    says: ['docs-courier.yml:1:1: the file is empty'],
  },
  'a file in UTF-16': {
    args: 'export',
    files: { 'docs-courier.yml': Buffer.from('\ufeffdomain: a\n', 'utf16le') },
    says: ['UTF-16', 'UTF-8'],
  },
  'a file of another format': {
    args: 'export',
    files: file('domain = "acme.example.com"\n'),
    says: ['docs-courier.yml:1:1: this must be a mapping, with each key as KEY: VALUE'],
  },
  'a quote that is not closed': {
    args: 'export',
    files: file('to: file:x\ndomain: "acme\nverify: off\n'),
    says: ['docs-courier.yml:2:9: a quote that is not closed'],
  },
  'an alias of YAML': {
    args: 'export',
    files: file('base: &b\n  verify: off\nsites:\n  one: *b\n'),
    says: ['docs-courier.yml:4:8: anchors and aliases'],
  },
  'extract-to below a file': {
    args: `${EXPORT} --extract-to note.txt/site`,
    files: { 'note.txt': 'x' },
    says: ['extract-to', 'note.txt'],
  },
  'the domain given to a refresh': {
    args: 'refresh --domain acme.example.com --timeout 5m --to file:x',
    says: ['--domain belongs to', 'not to refresh; remove it'],
  },
  'the link in the log of a CI system': {
    args: `${EXPORT} --print-link`,
    env: GITLAB,
    says: ['--link-file FILE'],
  },
  'CI on a laptop': {
    args: TO,
    env: { CI: 'true' },
    says: ['The variable CI is set', 'unset CI', '--allow-write-from BRANCH'],
  },
  'doctor with a wrong domain': {
    args: 'doctor --domain docs_x.example.com --to file:x',
    says: ['domain: "docs_x.example.com" is not allowed'],
    never: ['undefined'],
    exitCode: 4,
  },
  'doctor with a placeholder': {
    args: 'doctor --project-id PROJECT_ID --to file:x',
    says: ['PROJECT_ID is a placeholder of an example'],
    never: ['undefined'],
    exitCode: 4,
  },
  'two filters in one line': {
    args: 'search --query deploy --domain acme --filter "language=en version=2"',
    says: ['one KEY=VALUE a line', '--filter language=en --filter version=2'],
  },
  'a variable of a build on a laptop': {
    args: TO,
    env: { BUILD_ID: '57' },
    says: ['The variable BUILD_ID is set', 'unset BUILD_ID', '--allow-write-from BRANCH'],
  },
  'a variable of a pull request on a laptop': {
    args: TO,
    env: { PR_NUMBER: '12' },
    says: ['PR_NUMBER is set', 'unset PR_NUMBER'],
    exitCode: 5,
  },
  'doctor with the variables of the emulator': {
    args: 'doctor --domain acme --to file:x',
    env: SEARCH,
    says: [],
    never: ['❌'],
    exitCode: 0,
  },
};

const ROWS = Object.entries({ ...NAMES, ...VALUES, ...KEYS, ...FILES });

test.each(ROWS)('The log says what is wrong, and what is allowed: %s', async (_what, row) => {
  const { exitCode, log } =
    row.step === undefined ? await typeCommand(row) : await runStep(row, row.step);
  for (const text of row.says) expect(log).toContain(text);
  for (const text of row.never ?? []) expect(log).not.toContain(text);
  expect(exitCode, log).toBe(row.exitCode ?? (row.step === undefined ? 2 : 1));
});

async function typeCommand({ args = '', env = {}, files = {} }: Row) {
  await using laptop = await openLaptop();
  const { url } = laptop.platform;
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(laptop.folder, path)), { recursive: true });
    await writeFile(join(laptop.folder, path), content);
  }
  const variables = Object.entries(env).map(([name, value]) => [
    name,
    value.replaceAll('PLATFORM', url),
  ]);
  const proxies = variables.filter(([name]) => name?.endsWith('_PROXY'));
  // Proxies are read from the process itself, by the client library too.
  for (const [name = '', value] of proxies) process.env[name] = value;
  const { exitCode, stderr, stdout } = await laptop.run(splitWords(args) ?? [], {
    env: Object.fromEntries(variables),
  });
  for (const [name = ''] of proxies) delete process.env[name];
  return { exitCode, log: `${stderr}${stdout}`.replaceAll(laptop.folder, 'FOLDER') };
}

async function runStep({ env }: Row, given: NonNullable<Row['step']>) {
  await using world = await startWorld();
  const inputs = {
    mode: 'export',
    'base-url': world.platform.url,
    'admin-api-key': ADMIN_KEY,
    domain: 'acme.example.com',
    ...given,
  };
  const { exitCode, log } = await runStepInProcess(world, { inputs, env });
  return { exitCode, log: log.text() };
}

test('After a false signature, a refresh names no job that the state names', async () => {
  await using laptop = await openLaptop();
  expect((await laptop.run([...TO.split(' ')])).exitCode).toBe(0);
  const env = { DOCS_COURIER_ADMIN_API_KEY: 'svc_anotherKey0123456789abcd' };
  const { exitCode, stderr } = await laptop.run(['refresh', '--to', 'file:x'], { env });
  expect(exitCode).toBe(1);
  expect(stderr).toContain('The signature of the file');
  expect(stderr).toMatch(/and name it:\n {2}--export-job-id ID\n/);
});
