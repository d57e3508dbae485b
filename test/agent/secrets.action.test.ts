import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assertNoLeaks } from '../support/leaks.ts';
import { ADMIN_KEY, ASSISTANT_KEY } from '../support/make-inputs.ts';
import type { StepResult } from '../support/runner.ts';
import { TOKEN } from '../support/world/conversation.ts';
import { startPullRequest } from '../support/world/pull-request.ts';

const INPUT_SECRETS = {
  'admin key': ADMIN_KEY,
  'assistant key': ASSISTANT_KEY,
  'GitHub token': TOKEN,
};

/** A separate secret in each variable that a workflow, a runner or another step may have set. */
const VARIABLES = Object.fromEntries(
  `ACTIONS_RUNTIME_TOKEN ACTIONS_RUNTIME_URL ACTIONS_CACHE_URL ACTIONS_RESULTS_URL ACTIONS_ID_TOKEN_REQUEST_TOKEN
   ACTIONS_ID_TOKEN_REQUEST_URL AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN NPM_TOKEN NODE_AUTH_TOKEN GITHUB_TOKEN GH_TOKEN
   DATABASE_URL STATE_secret RUNNER_NAME GITHUB_HEAD_REF GITHUB_BASE_REF GITHUB_REF GITHUB_REF_NAME GITHUB_ACTION
   GITHUB_WORKFLOW_REF GITHUB_WORKFLOW_SHA GITHUB_RETENTION_DAYS GITHUB_REPOSITORY_ID USER HOSTNAME MY_SECRET`
    .split(/\s+/)
    .map((name, index) => [name, `canaryOfVariable${index}x7f9a2b4c6d8e`]),
);

/** Records the path of every file that the program opens or reads, and continues. */
const SPY = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const append = fs.appendFileSync;
let noting = false;
const note = (path) => {
  if (noting) return;
  noting = true;
  append(process.env.SPY_FILE, String(path) + '\\n');
  noting = false;
};
for (const owner of [fs, fs.promises]) {
  for (const name of Object.keys(owner).filter((key) => /^(open|read|createRead|access|exists|l?stat|opendir|glob|watch|cp|copy)/.test(key))) {
    const real = owner[name];
    if (typeof real !== 'function') continue;
    owner[name] = (...args) => {
      if (['string', 'object'].includes(typeof args[0])) note(args[0]);
      return Reflect.apply(real, owner, args);
    };
  }
}
syncBuiltinESMExports();
`;

interface Context extends AsyncDisposable {
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  pathsSeen(): Promise<string[]>;
}

/** A workspace that a pull request has filled with files that tools like to read, and a spy. */
async function prepare(): Promise<Context> {
  const folder = await mkdtemp(join(tmpdir(), 'docs-courier-spy-'));
  const workspace = join(folder, 'workspace');
  const bait =
    'package.json .npmrc .env .netrc docs-courier.yml docs-courier.json AGENTS.md .github/docs-courier.yml';
  await mkdir(join(workspace, '.github'), { recursive: true });
  for (const name of bait.split(' ')) await writeFile(join(workspace, name), 'BAIT');
  await writeFile(join(folder, 'spy.mjs'), SPY);
  const seen = join(folder, 'seen');
  return {
    workspace,
    env: { ...VARIABLES, NODE_OPTIONS: `--import ${join(folder, 'spy.mjs')}`, SPY_FILE: seen },
    pathsSeen: async () => (await readFile(seen, 'utf8')).split('\n'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/**
 * All that leaves the process; only the commands that ask the runner to mask a value contain it.
 */
function textsOf(step: StepResult): Record<string, string> {
  const unmasked = (text: string) => text.replace(/^::add-mask::.*$/gm, '');
  return {
    stdout: unmasked(step.stdout),
    stderr: step.stderr,
    log: step.log,
    summary: step.rawSummary,
    outputs: JSON.stringify(step.outputs),
  };
}

test('No secret leaves the step, and no file of the workspace is read', async () => {
  await using world = await startPullRequest();
  await using around = await prepare();
  const { github, platform } = world;
  const pasted = Object.values(INPUT_SECRETS).join(' and ');
  world.say('ada', `I use ${pasted} here.`);
  const step = (body: string, runId: string) => {
    const comment = world.say('maya', body);
    const inputs = {
      mode: 'agent',
      'assistant-api-key': ASSISTANT_KEY,
      context: 'description,files,diff,comments,docs',
      domain: 'acme',
      'project-id': 'project-1',
    };
    const { env, workspace } = around;
    const event = { event: comment.payload, eventName: comment.eventName };
    return world.step(inputs, { ...event, githubToken: TOKEN, debug: true, runId, env, workspace });
  };
  const good = await step(`/docs-agent --job job-1 document it with ${pasted}`, '1');
  expect(good.outputs, good.log + good.stderr).toMatchObject({
    status: 'completed',
    triggered: 'true',
  });
  // A platform that repeats what it was sent.
  platform.inject({
    match: { method: 'POST', path: '/message' },
    status: 403,
    body: { error: `bad key ${pasted}` },
  });
  const bad = await step('/docs-agent --job job-1 again', '2');
  expect(bad.outputs, bad.log).toMatchObject({ status: 'failed', 'error-code': 'forbidden' });

  const secrets = { ...INPUT_SECRETS, ...VARIABLES };
  assertNoLeaks(secrets, textsOf(good));
  assertNoLeaks(secrets, textsOf(bad));
  const sent = platform.requests
    .map(({ path, query, body }) => `${path} ${query} ${body}`)
    .join('\n');
  assertNoLeaks(secrets, {
    prompts: platform.messages.map(({ prompt }) => prompt).join('\n'),
    'requests to the platform': sent,
  });
  const written = github.requests
    .filter(({ method }) => method !== 'GET')
    .map(({ path, body }) => `${path} ${body}`);
  assertNoLeaks(secrets, {
    comments: world.statusComments().join('\n'),
    'writes to GitHub': written.join('\n'),
  });
  expect(platform.messages[0]?.prompt).not.toContain('BAIT');

  const paths = await around.pathsSeen();
  // The spy records every read.
  expect(paths.filter((path) => path.includes('event'))).not.toEqual([]);
  expect(paths.filter((path) => path.startsWith(around.workspace))).toEqual([]);
}, 60_000);
