import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { MANNERS, showHint } from '../../src/ci/hints.ts';
import { splitWords } from '../../src/ground/text/names.ts';
import { openLaptop } from '../cli/harness.ts';
import {
  type Advice,
  adviceOf,
  linesOutsideOfAdvice,
  permissionsOf,
  readSources,
  type Value,
} from '../support/advice.ts';
import { ADMIN_KEY, ASSISTANT_KEY, SECRET_TOKEN } from '../support/make-inputs.ts';
import { runStepInProcess } from '../support/step-in-process.ts';
import { TOKEN } from '../support/world/conversation.ts';
import { DOMAIN, REPOSITORY } from '../support/world/names.ts';
import { startPullRequest } from '../support/world/pull-request.ts';
import { startWorld } from '../support/world.ts';

/**
 * What the messages of a source file tell a person to write is pasted into the step that they were
 * given for. The advice is read from the source, so that none is forgotten.
 */

type Texts = Readonly<Record<string, string>>;

interface Row {
  /** The inputs of each kind of step that gets a message of this file. */
  readonly steps: readonly Texts[];
  /** The steps of advice that begins with this input, which those above do not get. */
  readonly of?: Readonly<Record<string, readonly Texts[]>>;
  /** What an expression of the source gives: a value, a name, or all inputs. */
  readonly values?: Readonly<Record<string, string | Texts>>;
  /** The text of the message says that the new input is given instead of these. */
  readonly instead?: Readonly<Record<string, readonly string[]>>;
  readonly event?: string;
  readonly env?: Texts;
  readonly files?: Texts;
}

const BASE = { 'admin-api-key': ADMIN_KEY };
const LINK = { to: 'github:secret/DOCS_BUNDLE_URL', 'secret-token': SECRET_TOKEN };
const SITE = { ...BASE, mode: 'export', domain: DOMAIN };
const EXPORT = { ...SITE, ...LINK };
const PROJECT = { ...BASE, ...LINK, mode: 'export', 'project-id': 'project-1' };
const BOTH = { ...EXPORT, 'project-id': 'project-1' };
const PUBLISHED = { ...BOTH, publish: 'true' };
const REFRESH = { ...BASE, ...LINK, mode: 'refresh' };
const ROLLBACK = { ...BASE, ...LINK, mode: 'rollback' };
const UPDATE = { ...BASE, mode: 'publish', 'project-id': 'project-1' };
const SEARCH = {
  mode: 'search',
  domain: 'acme',
  'assistant-api-key': ASSISTANT_KEY,
  query: 'install',
};
const AGENT = {
  ...BASE,
  mode: 'agent',
  'project-id': 'project-1',
  'github-token': TOKEN,
  prompt: 'Document the new flag.',
  'pull-request': '7',
  'agent-job-id': 'job-1',
};
const PLATFORM = { platform: { projectId: 'project-1' } };
/** The exit code of the command line for an error `config`. */
const WRONG_INPUTS = 2;
const POD = { HOME: '/nonexistent' };
const CLUSTER = { ...SITE, to: 'k8s:default/docs-link#url' };
const KUBECONFIG = JSON.stringify({
  'current-context': 'a',
  contexts: [{ name: 'a', context: { cluster: 'c', user: 'u' } }],
  clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:9' } }],
  users: [{ name: 'u', user: { token: 'abc' } }],
});
const ROLLOUT = { ...CLUSTER, kubeconfig: KUBECONFIG, rollout: 'deployment/docs' };
const VAULT = { ...SITE, to: 'vault:secret/docs#url', 'vault-address': 'https://127.0.0.1:9' };
const AWS = { ...SITE, to: 'aws-sm:docs', 'aws-role': 'arn:aws:iam::123456789012:role/docs' };
const AWS_ENV = {
  AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
  ACTIONS_ID_TOKEN_REQUEST_URL: 'https://127.0.0.1:9/token',
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'e30.e30.c2ln',
};
/** Flags of the command line. */
const TYPED = { mode: 'export', domain: DOMAIN, to: 'file:link' };
const FOLDER = { ...EXPORT, 'extract-to': 'site' };
/** A copy of a project that is served below a path, and one that is compared with what is there. */
const BELOW = {
  ...BASE,
  mode: 'export',
  'project-id': 'project-1',
  'extract-to': 'site',
  'served-at': 'https://127.0.0.1:9/handbook/',
};
const COPY = { ...SITE, 'extract-to': 'site', 'allow-private-hosts': 'true' };
const GIVEN = { mode: 'export', from: 'build', 'extract-to': 'site' };
const BUILD = {
  'build/index.html': '<!doctype html><title>Docs</title><main><h1>Docs</h1></main>',
};

const ROWS: Readonly<Record<string, Row>> = {
  'agent/agent.ts': { steps: [AGENT], instead: { 'prompt-file': ['prompt'] } },
  'agent/change.ts': { steps: [AGENT] },
  'agent/claim.ts': { steps: [{ ...AGENT, 'status-comment': 'false' }] },
  'agent/deliver.ts': {
    steps: [AGENT, { ...AGENT, context: 'description,diff' }],
    values: { fewer: 'none', 'writeDuration(2 * inputs.timeoutMs)': '1h' },
  },
  'agent/find-job.ts': { steps: [AGENT] },
  'agent/mode.ts': { steps: [AGENT] },
  'agent/trust.ts': { steps: [{ ...AGENT, 'required-permission': 'read' }] },
  'ci/rights.ts': { steps: [TYPED], values: { "branch ?? ''": 'main' }, env: { CI: 'true' } },
  'ci/github/runner.ts': {
    steps: [{ mode: 'export', ...LINK, 'admin-api-key': ADMIN_KEY }],
    values: { "Object.fromEntries(misplaced.map((name) => [name, '']))": { domain: '' } },
  },
  'cli/run.ts': { steps: [TYPED], values: { unfinished: 'job-1' } },
  'config/file.ts': {
    steps: [{ ...BASE, 'secret-token': SECRET_TOKEN, mode: 'export', 'config-file': 'sites.yml' }],
    files: { 'sites.yml': `sites:\n  NAME:\n    domain: ${DOMAIN}\n    to: ${LINK.to}\n` },
  },
  'delivery/change.ts': {
    steps: [EXPORT, PUBLISHED, { ...EXPORT, to: `${LINK.to}\ngithub:secret/OTHER` }],
    values: { jobId: 'job-1' },
  },
  'delivery/jobs.ts': {
    steps: [REFRESH, ROLLBACK],
    values: { idToGive: 'job-1', ID_PLACEHOLDER: 'job-1', otherMode: 'refresh' },
  },
  'doctor/content.ts': { steps: [EXPORT, { ...EXPORT, mode: 'doctor' }] },
  'doctor/destinations.ts': { steps: [REFRESH] },
  'doctor/platform.ts': { steps: [EXPORT, REFRESH, SEARCH] },
  'inputs/read-after.ts': { steps: [{ ...EXPORT, 'live-url': 'https://127.0.0.1:9' }] },
  'inputs/read-guard.ts': { steps: [{ ...COPY, 'compare-with': 'live' }] },
  'inputs/read-publish.ts': {
    steps: [EXPORT, REFRESH, ROLLBACK].map(({ to: _, ...step }) => step),
    of: {
      'base-path': [{ ...BELOW, 'base-path': '/docs' }],
      verify: [{ ...COPY, verify: 'new' }],
    },
    values: { "needed || '/'": '/documentation' },
  },
  'inputs/read-from.ts': { steps: [GIVEN], files: BUILD },
  'inputs/read-served-at.ts': {
    steps: [{ ...BELOW, ...LINK }],
    of: { 'live-url': [{ ...BELOW, 'live-url': 'https://127.0.0.1:9/docs' }] },
    values: {
      kept: 'extract-to',
      'reader.text(kept)': 'site',
      'servedAt.url': 'https://127.0.0.1:9/handbook/',
    },
    instead: { 'extract-to': ['to', 'secret-token'] },
  },
  'job/job.ts': {
    steps: [{ ...EXPORT, 'export-job-id': 'job-1' }, REFRESH],
    instead: { 'project-id': ['domain'] },
  },
  'job/run-job.ts': { steps: [EXPORT, PROJECT, PUBLISHED], values: { jobId: 'job-1' } },
  'kubernetes/kubeconfig.ts': { steps: [{ ...CLUSTER, kubeconfig: KUBECONFIG }], env: POD },
  'kubernetes/login.ts': { steps: [CLUSTER], env: POD },
  'platform/client.ts': { steps: [EXPORT, PUBLISHED, REFRESH], values: { input: 'admin-api-key' } },
  'platform/export-api.ts': {
    steps: [EXPORT, PROJECT, PUBLISHED],
    values: { "jobId ?? ''": 'job-1', jobId: 'job-1' },
    instead: { domain: ['project-id', 'publish'], 'project-id': ['domain'] },
  },
  'publish/update/mode.ts': { steps: [UPDATE] },
  'run/main.ts': {
    steps: [{ ...BASE, 'secret-token': SECRET_TOKEN, mode: 'export', site: 'one' }],
    files: { FILE: `sites:\n  one:\n    domain: ${DOMAIN}\n    to: ${LINK.to}\n` },
  },
  'search/added-index.ts': { steps: [EXPORT], values: { folder: 'site' } },
  'site/disk/replaceable.ts': {
    steps: [{ ...FOLDER, clean: 'true' }],
    values: { input: 'extract-to' },
  },
  'site/disk/staging.ts': { steps: [FOLDER, { ...PUBLISHED, ...FOLDER }] },
  'site/download/reply.ts': { steps: [FOLDER, { ...REFRESH, 'export-job-id': 'job-1' }] },
  'steps/content/content.ts': { steps: [EXPORT, PROJECT, PUBLISHED] },
  'steps/content/publish-first.ts': {
    steps: [PUBLISHED],
    values: { 'writeDuration(2 * asked.timeoutMs)': '1h' },
  },
  'steps/guard/guard.ts': {
    steps: [
      { ...EXPORT, 'min-pages': '9' },
      { ...PUBLISHED, 'min-pages': '9' },
    ],
    values: { 'String(pageCount)': '2' },
    event: 'workflow_dispatch',
  },
  'site/given/given.ts': { steps: [GIVEN], files: BUILD },
  'steps/given-image.ts': {
    steps: [{ ...GIVEN, image: '127.0.0.1:9/docs:site', 'allow-private-hosts': 'true' }],
    files: BUILD,
  },
  'steps/live/page-check.ts': { steps: [{ ...EXPORT, 'live-url': 'https://127.0.0.1:9' }] },
  'steps/rollout/step.ts': {
    steps: [ROLLOUT, { ...ROLLOUT, 'project-id': 'project-1', publish: 'true' }],
    values: { jobId: 'job-1' },
  },
  'stores/aws/login.ts': { steps: [AWS], env: { ...AWS_ENV, AWS_REGION: 'eu-central-1' } },
  'stores/aws/request.ts': {
    steps: [AWS],
    values: { scheme: 'aws-sm', name: 'docs' },
    env: AWS_ENV,
  },
  'stores/gitea/store.ts': {
    steps: [{ ...EXPORT, to: 'gitea:repo/acme/docs/URL?server=https://127.0.0.1:9' }],
  },
  'stores/github/settings.ts': { steps: [EXPORT], values: { address: 'github:org/acme/DOCS_URL' } },
  'stores/server.ts': {
    steps: [EXPORT],
    values: { text: 'gitlab:project/1/DOCS_URL?environment=production', separator: '&' },
  },
  'stores/vault/api.ts': { steps: [VAULT] },
  'stores/vault/inputs.ts': { steps: [VAULT] },
  'values/reader.ts': {
    steps: [EXPORT],
    values: {
      name: 'domain',
      fixed: '',
      inputs: { domain: '' },
      "isInput(name) ? { [name]: '' } : undefined": { domain: '' },
    },
  },
};

/** What a person writes for a placeholder. */
const FILLED: Texts = {
  domain: DOMAIN,
  'admin-api-key': ADMIN_KEY,
  'secret-token': SECRET_TOKEN,
  'vault-token': 'hvs.abcdefghijklmnopqrstuvwxyz',
  kubeconfig: KUBECONFIG,
  'project-id': 'project-1',
  'export-job-id': 'job-1',
  'agent-job-id': 'job-1',
  'pull-request': '7',
  prompt: 'Document the new flag.',
  'prompt-file': 'docs/prompt.md',
  site: 'NAME',
  'config-file': 'FILE',
  'extract-to': 'other',
  'aws-role': 'arn:aws:iam::123456789012:role/docs',
  'live-url': 'https://127.0.0.1:9/docs',
  'served-at': 'https://127.0.0.1:9/',
  from: 'build',
  to: LINK.to,
};
/** Placeholders within a value. */
const WORDS: Texts = { REGION: 'eu-central-1', REPO: 'docs', HOST: '127.0.0.1:9' };

/** The inputs of an advice as `showHint` gets them. */
function inputsOf(advice: Advice, row: Row): Texts {
  const known = (expression: string) => {
    const value = row.values?.[expression];
    if (value === undefined)
      throw new Error(`The row of ${advice.file} lacks the value of ${expression}`);
    return value;
  };
  const text = (value: Value) => {
    if ('text' in value) return value.text;
    if (!value.expression.startsWith('`')) return String(known(value.expression));
    return value.expression
      .slice(1, -1)
      .replace(/\$\{(.*?)\}/g, (_, expression: string) => String(known(expression)));
  };
  const inputs: Record<string, string> = {};
  for (const [name, value] of advice.inputs) {
    const [, expression] = /^\[(.*)\]$/.exec(name) ?? [];
    if (expression !== undefined) inputs[String(known(expression))] = text(value);
    else if (name !== '') inputs[name] = text(value);
    else if ('expression' in value) Object.assign(inputs, known(value.expression));
  }
  return inputs;
}

const shownSchema = z.object({ with: z.record(z.string(), z.coerce.string()) });

/** The lines that a workflow shows, with each placeholder filled in. */
function pastedOf(inputs: Texts, baseUrl: string): Texts {
  const shown = shownSchema.parse(
    parse(showHint({ text: '# The message', inputs }, MANNERS.workflow)),
  );
  return Object.fromEntries(
    Object.entries(shown.with).map(([name, value]) => {
      const isOpen = inputs[name] === '';
      if (!isOpen) return [name, value.replace(/\b[A-Z]{4,}\b/g, (word) => WORDS[word] ?? word)];
      const filled = name === 'base-url' ? baseUrl : FILLED[name];
      if (filled === undefined) throw new Error(`No value for the placeholder of ${name}`);
      return [name, filled];
    }),
  );
}

const sources = readSources();
const advice = [...sources].flatMap(([file, source]) => adviceOf(file, source));
const CASES = advice.flatMap((one) => {
  const row = ROWS[one.file] ?? { steps: [] };
  const inputs = inputsOf(one, row);
  const [first = ''] = Object.keys(inputs);
  return (row.of?.[first] ?? row.steps).map((step) => {
    const { mode, to: _, 'admin-api-key': _key, 'secret-token': _token, ...others } = step;
    const shown = Object.keys(others).join(', ');
    const title = `${one.file}: ${JSON.stringify(inputs)} in mode ${mode} with ${shown}`;
    return [title, inputs, step, row] as const;
  });
});

test.each(CASES)(
  'Pasted advice runs, or fails for another reason than its inputs: %s',
  async (_title, inputs, step, row) => {
    const result =
      step === TYPED ? await typeCommand(inputs, row) : await runStep(inputs, step, row);
    expect(result).not.toContain('error-code: config');
  },
);

/** The log of the step with the pasted inputs, and the code of its error. */
async function runStep(inputs: Texts, step: Texts, row: Row): Promise<string> {
  const isAgent = step['mode'] === 'agent';
  await using world = await (isAgent ? startPullRequest() : startWorld(PLATFORM));
  if (isAgent) world.github.setFile(REPOSITORY, 'docs/prompt.md', 'Document the new flag.');
  else await world.platform.addExportJob({ jobId: 'job-1', domain: DOMAIN });
  for (const [path, text] of Object.entries(row.files ?? {})) world.write(path, text);
  const pasted = pastedOf(inputs, world.platform.url);
  const replaced = Object.keys(pasted).flatMap((name) => row.instead?.[name] ?? []);
  const kept = Object.fromEntries(
    Object.entries(step).filter(([name]) => !replaced.includes(name)),
  );
  const { log, outputs } = await runStepInProcess(world, {
    inputs: { 'base-url': world.platform.url, ...kept, ...pasted },
    eventName: isAgent ? 'workflow_dispatch' : (row.event ?? 'push'),
    env: { GITHUB_REF: 'refs/heads/main', ...row.env },
  });
  const [, code = 'none'] = /^error-code<<.*\n(.*)$/m.exec(readFileSync(outputs, 'utf8')) ?? [];
  return `error-code: ${code}\n${log.text()}`;
}

/** The log of the command with the pasted flags. */
async function typeCommand(inputs: Texts, { env = {} }: Row): Promise<string> {
  await using laptop = await openLaptop();
  await laptop.platform.addExportJob({ jobId: 'job-1', domain: DOMAIN });
  const pasted = splitWords(showHint({ text: '', inputs }, MANNERS.command)) ?? [];
  const flags = ['--domain', TYPED.domain, '--to', TYPED.to];
  const { exitCode, stderr } = await laptop.run(['export', ...flags, ...pasted], { env });
  return exitCode === WRONG_INPUTS ? `error-code: config\n${stderr}` : stderr;
}

/** By the folder of the message: what its jobs need besides reading the repository. */
const PERMISSIONS: Readonly<Record<string, Texts>> = {
  agent: { 'pull-requests': 'write' },
  'doctor/github.ts': { 'pull-requests': 'write' },
};
const permissionAdvice = [...sources].flatMap(([file, source]) =>
  permissionsOf(source).map((permissions) => [file, permissions] as const),
);

test.each(permissionAdvice)(
  'A job with only the permissions that %s advises can run: %j',
  (file, permissions) => {
    const [folder = ''] = file.split('/');
    const pasted = parse(showHint({ text: '# The message', permissions }, MANNERS.workflow));
    expect(pasted).toEqual({
      permissions: {
        contents: 'read',
        ...(PERMISSIONS[file] ?? PERMISSIONS[folder]),
        ...permissions,
      },
    });
  },
);

test('Permissions are found in the sources of every mode that advises some', () => {
  const files = permissionAdvice.map(([file]) => file);
  expect(files).toEqual(
    expect.arrayContaining(['agent/trust.ts', 'ci/github/runner.ts', 'steps/content/commits.ts']),
  );
});

test('Every source file with advice has a row with the step that gets it', () => {
  expect(Object.keys(ROWS).sort()).toEqual([...new Set(advice.map(({ file }) => file))].sort());
});
test('No text has a line for an input that is not advice', () => {
  expect([...sources.values()].flatMap(linesOutsideOfAdvice)).toEqual([]);
});

test('Advice and lines for inputs are found in a source, so the two rules can fail', () => {
  const source = [
    "const hint = { text: 'Allow it:', inputs: { 'take-over': 'true', to: `${one}?a` } };",
    "reader.problem('to', 'to is missing', { inputs: { to: '' } });",
    'call({ ...session, inputs: { ...inputs, domain } });',
    "const text = 'Allow it:\\n  take-over: true';",
  ].join('\n');
  expect(adviceOf('x.ts', source).map(({ inputs }) => inputs)).toEqual([
    [
      ['take-over', { text: 'true' }],
      ['to', { expression: '`${one}?a`' }],
    ],
    [['to', { text: '' }]],
  ]);
  expect(linesOutsideOfAdvice(source)).toHaveLength(1);
});
