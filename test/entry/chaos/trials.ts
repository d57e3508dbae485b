import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GitHubEmulator, startGitHubEmulator } from '../../../emulator/src/github/emulator.ts';
import { type Emulator, startEmulator } from '../../../emulator/src/platform/emulator.ts';
import { fieldOf, parseJson } from '../../../src/ground/text/json.ts';
import { findLeaks } from '../../support/leaks.ts';
import { ADMIN_KEY, ASSISTANT_KEY, SECRET_TOKEN } from '../../support/make-inputs.ts';
import {
  type RunningStep,
  runStep,
  type StepOptions,
  type StepResult,
  startStep,
} from '../../support/runner.ts';
import { seeded } from '../../support/simulated-job.ts';
import { TOKEN } from '../../support/world/conversation.ts';
import { startPullRequest } from '../../support/world/pull-request.ts';
import type { CommentEvent, World } from '../../support/world.ts';
import { scatter } from './faults.ts';

const NAME = 'DOCS_BUNDLE_URL';
const TARGET = { scope: 'repository', repository: 'acme/docs' } as const;
const MODES = ['export', 'bundle', 'refresh', 'agent'] as const;
type Mode = (typeof MODES)[number];

function modeOf(seed: number): Mode {
  return MODES[seed % MODES.length] ?? 'export';
}

/** The secrets that a step of this mode has: it cannot know others. */
function keysOf(mode: Mode): Record<string, string> {
  const other = mode === 'agent' ? { 'job token': TOKEN } : { 'secret token': SECRET_TOKEN };
  return { 'admin key': ADMIN_KEY, ...other };
}

// Far beyond the sum of all limits that a run has: a run that needs longer hangs.
const HANG_MS = 400_000;
export interface Trial {
  readonly seed: number;
  readonly mode: Mode;
  /**
   * Faults that pass, only for requests that may be repeated, and no end from outside: the run must
   * be green.
   */
  readonly mustSucceed: boolean;
  /** How many processes ran. */
  readonly processes: number;
  /** What went wrong, as sentences; empty: no invariant was violated. */
  readonly violations: readonly string[];
  readonly error: string | undefined;
  readonly log: string;
}

/**
 * Runs whole processes against servers that fail as the seed says, then one more without faults.
 */
export async function runTrial(seed: number): Promise<Trial> {
  const chaos = new Chaos(seed);
  switch (chaos.mode) {
    case 'export':
    case 'bundle':
      return exportTrial(chaos);
    case 'refresh':
      return refreshTrial(chaos);
    case 'agent':
      return agentTrial(chaos);
  }
}

type End = 'none' | 'cancel' | 'kill';

/** What the seed decides, and what was seen. */
class Chaos {
  readonly seed: number;
  readonly mode: Mode;
  readonly random: () => number;
  readonly isHostile: boolean;
  readonly end: End;
  readonly violations: string[] = [];
  readonly results: StepResult[] = [];
  readonly #rate: number;
  readonly #endAfterMs: number;

  constructor(seed: number) {
    this.seed = seed;
    this.random = seeded(seed);
    this.mode = modeOf(seed);
    this.isHostile = this.random() < 0.5;
    this.#rate = this.isHostile ? (this.random() < 0.5 ? 0.1 : 0.3) : 0.1;
    const fate = this.random();
    this.end = fate < 0.1 ? 'kill' : fate < 0.2 ? 'cancel' : 'none';
    this.#endAfterMs = 300 + this.random() * 4000;
  }

  scatter(platform: Emulator, github: GitHubEmulator): void {
    const echo = this.isHostile ? Object.values(keysOf(this.mode)).join(' ') : undefined;
    for (const server of [platform, github])
      scatter(server, { random: this.random, rate: this.#rate, echo });
  }

  expect(isSo: boolean, violation: string): void {
    if (!isSo) this.violations.push(violation);
  }

  /** A process that meets the faults, and may be ended from outside. */
  async run(options: StepOptions): Promise<StepResult> {
    const step: RunningStep = await startStep({ ...options, timeoutMs: HANG_MS });
    const stop = () => (this.end === 'kill' ? step.kill('SIGKILL') : step.cancel());
    const timer = this.end === 'none' ? undefined : setTimeout(stop, this.#endAfterMs);
    const result = await step.done;
    clearTimeout(timer);
    this.#check(result, this.end);
    return result;
  }

  /** A process without faults. */
  async runClean(options: StepOptions): Promise<StepResult> {
    const result = await runStep({ ...options, timeoutMs: HANG_MS });
    this.#check(result, 'none');
    return result;
  }

  /** What is true for every process, whatever the servers did. */
  #check(result: StepResult, end: End): void {
    const nth = `process ${this.results.push(result)}`;
    const { exitCode, signal, outputs, log } = result;
    const links = [outputs['bundle-url'] ?? ''].filter((link) => link !== '');
    const secrets = {
      ...keysOf(this.mode),
      ...Object.fromEntries(links.map((link) => ['link', signatureOf(link)])),
    };
    for (const { where, secret, form } of findLeaks(secrets, writtenBy(result))) {
      this.violations.push(`${nth} shows the ${secret} (${form}) in ${where}`);
    }
    if (end === 'kill' && signal === 'SIGKILL') return;
    // Before the action is loaded, a signal ends it as any process.
    if (end === 'cancel' && signal !== null && result.stdout === '') return;
    this.expect(signal === null && exitCode !== null, `${nth} was ended by ${signal}`);
    this.expect(
      end === 'cancel' || result.cancelledAfterMs === undefined,
      `${nth} did not end by itself`,
    );
    this.expect(exitCode === 0 || exitCode === 1, `${nth} has the exit code ${exitCode}`);
    this.expect(outputs['status'] !== undefined, `${nth} has no status`);
    this.expect(outputs['error-code'] !== 'internal', `${nth} ended in an internal fault`);
    this.expect(
      !/TypeError|ReferenceError|\n\s+at /.test(result.stdout + result.stderr),
      `${nth} shows a stack`,
    );
    this.expect(
      exitCode === 0 || /##\[error\]|::error/.test(log),
      `${nth} is red without an error message`,
    );
    this.expect(result.violations.length === 0, `${nth}: ${result.violations.join(' ')}`);
    this.expect(
      result.peakRssBytes < 256 * 1024 * 1024,
      `${nth} took ${result.peakRssBytes} bytes of memory`,
    );
  }

  finish(first: StepResult | undefined): Trial {
    const { seed, mode, violations, results } = this;
    const error =
      first?.exitCode === 0 ? undefined : (first?.outputs['error-code'] ?? String(first?.signal));
    const log = results
      .map((result) => `${result.log}\n${result.stderr}`)
      .join('\n--- next process\n');
    const mustSucceed = !this.isHostile && this.end === 'none';
    return { seed, mode, mustSucceed, processes: results.length, violations, error, log };
  }
}

function signatureOf(link: string): string {
  return URL.canParse(link) ? (new URL(link).searchParams.get('X-Signature') ?? link) : link;
}

/** Everything that people may read; the lines that register masks must contain the secrets. */
function writtenBy(result: StepResult): Record<string, string> {
  const { 'bundle-url': _link, ...outputs } = result.outputs;
  const isShown = (line: string) => !line.startsWith('::add-mask::');
  return {
    stdout: result.stdout.split('\n').filter(isShown).join('\n'),
    stderr: result.stderr,
    log: result.log,
    summary: result.rawSummary,
    outputs: JSON.stringify(outputs),
    files: Object.values(result.tempTexts).join('\n'),
  };
}

async function calm(platform: Emulator, github: GitHubEmulator): Promise<void> {
  for (const [{ url }, key] of [[platform, ADMIN_KEY] as const, [github, TOKEN] as const]) {
    const headers = { authorization: `Bearer ${key}` };
    const reply = await fetch(`${url}/__emulator/faults`, { method: 'DELETE', headers });
    if (!reply.ok) throw new Error(`faults were not cleared: ${reply.status}`);
  }
}

const SITE = {
  'index.md': '# Docs\n\nHello.',
  'install.md': `# Install\n\n${'One command. '.repeat(400)}`,
  'guide/links.md': '# Links\n\nThey expire.',
};

class Deployment implements AsyncDisposable {
  readonly platform: Emulator;
  readonly github: GitHubEmulator;
  readonly workspace: string;

  static async start(): Promise<Deployment> {
    const platform = await startEmulator({
      sites: { acme: SITE },
      keys: { admin: ADMIN_KEY, assistant: ASSISTANT_KEY },
      exportJobs: { advance: 'poll', polls: 2 },
    });
    const github = await startGitHubEmulator({
      tokens: {
        [SECRET_TOKEN]: { permissions: { secrets: 'write', actions_variables: 'write' } },
        [TOKEN]: { kind: 'workflow', permissions: { contents: 'read' } },
      },
      repositories: [{ fullName: 'acme/docs' }],
    });
    const workspace = await realpath(await mkdtemp(join(tmpdir(), 'chaos-')));
    return new Deployment(platform, github, workspace);
  }

  private constructor(platform: Emulator, github: GitHubEmulator, workspace: string) {
    this.platform = platform;
    this.github = github;
    this.workspace = workspace;
  }

  step(inputs: Readonly<Record<string, string>>, more: Partial<StepOptions> = {}): StepOptions {
    const { platform, github, workspace } = this;
    return {
      ...(process.env['ACTION_MAIN'] ? { main: process.env['ACTION_MAIN'] } : {}),
      apiUrl: github.url,
      githubToken: TOKEN,
      workspace,
      inputs: { 'base-url': platform.url, ...inputs },
      ...more,
    };
  }

  get link(): string | undefined {
    return this.github.secret(TARGET, NAME)?.value;
  }

  get state(): Record<string, unknown> {
    const json: unknown = JSON.parse(this.github.variable(TARGET, `${NAME}_STATE`)?.value ?? '{}');
    return typeof json === 'object' && json !== null ? { ...json } : {};
  }

  /** 0: there is none, or nothing answers. */
  async linkStatus(): Promise<number> {
    const { link } = this;
    if (link === undefined) return 0;
    const reply = await fetch(link);
    await reply.arrayBuffer();
    return reply.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([
      this.platform.close(),
      this.github.close(),
      rm(this.workspace, { recursive: true, force: true }),
    ]);
  }
}

const EXPORT = {
  mode: 'export',
  'admin-api-key': ADMIN_KEY,
  domain: 'acme.example.com',
  timeout: '2m',
  to: `github:secret/${NAME}`,
  'secret-token': SECRET_TOKEN,
};

async function exportTrial(chaos: Chaos): Promise<Trial> {
  await using deployment = await Deployment.start();
  const { platform, github } = deployment;
  // An existing variable: creating one is not repeated if its reply was lost.
  if (chaos.random() < 0.7) github.setVariable(TARGET, { name: `${NAME}_STATE`, value: '{}' });
  const received = { 'bundle-path': 'site.tar.gz', 'extract-to': 'site' };
  const inputs = chaos.mode === 'bundle' ? { ...EXPORT, ...received } : EXPORT;
  chaos.scatter(platform, github);
  const first = await chaos.run(deployment.step(inputs));
  checkExport(chaos, deployment, first);
  checkFolder(chaos, deployment, first);

  await calm(platform, github);
  const clean: Record<string, string> = chaos.mode === 'bundle' ? { clean: 'true' } : {};
  const again = await chaos.runClean(deployment.step({ ...inputs, ...clean }, { runAttempt: 2 }));
  chaos.expect(
    again.exitCode === 0,
    `the re-run without faults is red: ${again.outputs['error-code']}`,
  );
  checkExport(chaos, deployment, again);
  checkFolder(chaos, deployment, again);
  if (again.exitCode === 0)
    chaos.expect((await deployment.linkStatus()) === 200, 'the link in the secret does not work');
  const saysWhy = /new export is started|starting anew/i.test(again.log);
  chaos.expect(
    platform.exportJobs.length <= (saysWhy ? 2 : 1),
    `${platform.exportJobs.length} exports were started`,
  );
  return chaos.finish(first);
}

function checkExport(
  chaos: Chaos,
  deployment: Deployment,
  { exitCode, outputs, log, signal }: StepResult,
): void {
  const { platform, link, state } = deployment;
  const jobs = platform.exportJobs.map(({ jobId }) => jobId);
  if (chaos.results.length === 1)
    chaos.expect(jobs.length <= 1, `one run started ${jobs.length} exports`);
  const id = outputs['job-id'] ?? '';
  // A lying server may name another job; that one is reported then.
  chaos.expect(id === '' || log.includes(id), 'the job id is an output, but not in the log');
  const isSaid =
    id !== '' ||
    jobs.some((job) => log.includes(job)) ||
    /may (have started|still be running)/.test(log);
  const wasAsked = platform.requests.some(
    ({ method, path }) => method === 'POST' && path.endsWith('/jobs'),
  );
  if (signal === null && wasAsked && jobs.length > 0) {
    chaos.expect(isSaid || chaos.end === 'cancel', 'an export runs, and nothing says so');
  }
  if (exitCode !== 0) return;
  const isUpdated = fieldOf(parseJson(outputs['report'] ?? ''), 'delivery', 'updated');
  chaos.expect(isUpdated === true, 'green, but the secret was not written');
  chaos.expect(
    link !== undefined && link === outputs['bundle-url'],
    'green, but the secret holds another link',
  );
  const isKept = !/lack the|may not write/.test(log);
  if (!isKept) return;
  chaos.expect(state['jobId'] === id, `green, but the state names ${String(state['jobId'])}`);
}

const EXPECTED = ['index.html', 'install.html', 'guide/links.html'];

function checkFolder(
  chaos: Chaos,
  { workspace }: Deployment,
  { exitCode, signal }: StepResult,
): void {
  if (chaos.mode !== 'bundle') return;
  const site = join(workspace, 'site');
  const names = existsSync(site) ? readdirSync(site, { recursive: true }).map(String) : undefined;
  const missing = EXPECTED.filter((name) => names?.includes(name) === false);
  chaos.expect(missing.length === 0, `the folder is partial: ${missing.join(', ')}`);
  chaos.expect(exitCode !== 0 || names !== undefined, 'green, but there is no folder');
  const archive = join(workspace, 'site.tar.gz');
  if (existsSync(archive)) {
    const bytes = readFileSync(archive);
    chaos.expect(
      bytes[0] === 0x1f && bytes[1] === 0x8b && bytes.length > 500,
      'the archive is partial',
    );
  } else chaos.expect(exitCode !== 0, 'green, but there is no archive');
  if (signal !== null) return;
  const others = readdirSync(workspace).filter(
    (name) => !/^(site(\.manifest\.json)?|site\.tar\.gz(\.manifest\.json|\.sha256)?)$/.test(name),
  );
  chaos.expect(others.length === 0, `left in the workspace: ${others.join(', ')}`);
}

async function refreshTrial(chaos: Chaos): Promise<Trial> {
  await using deployment = await Deployment.start();
  const { platform, github } = deployment;
  // Due at once.
  platform.behaviour.linkLifetimeMs = 600_000;
  await chaos.runClean(deployment.step(EXPORT));
  const { domain: _, timeout: __, ...rest } = EXPORT;
  const inputs = { ...rest, mode: 'refresh' };
  chaos.scatter(platform, github);
  const first = await chaos.run(deployment.step(inputs, { runId: '5000' }));
  const job = platform.exportJobs[0]?.jobId;
  if (first.exitCode === 0) {
    chaos.expect(first.outputs['changed'] === 'true', 'green, but the link is the old one');
    chaos.expect(
      deployment.link === first.outputs['bundle-url'],
      'green, but the secret holds another link',
    );
    chaos.expect(deployment.state['jobId'] === job, 'green, but the state names another job');
  }
  await calm(platform, github);
  const again = await chaos.runClean(deployment.step(inputs, { runId: '5001' }));
  chaos.expect(
    again.exitCode === 0,
    `the refresh without faults is red: ${again.outputs['error-code']}`,
  );
  chaos.expect(platform.exportJobs.length === 1, 'a refresh started an export');
  chaos.expect(
    chaos.isHostile || (await deployment.linkStatus()) === 200,
    'the link in the secret does not work',
  );
  return chaos.finish(first);
}

function agentStep(
  { github, platform }: World,
  comment: CommentEvent,
  more: Partial<StepOptions>,
): StepOptions {
  return {
    ...(process.env['ACTION_MAIN'] ? { main: process.env['ACTION_MAIN'] } : {}),
    inputs: {
      mode: 'agent',
      'base-url': platform.url,
      'admin-api-key': ADMIN_KEY,
      'project-id': 'project-1',
      timeout: '2m',
    },
    event: comment.payload,
    eventName: comment.eventName,
    apiUrl: github.url,
    githubToken: TOKEN,
    ...more,
  };
}

async function agentTrial(chaos: Chaos): Promise<Trial> {
  await using world = await startPullRequest();
  const { platform, github } = world;
  const comment = world.say('maya', '/docs-agent --job job-1 also document the --json flag');
  chaos.scatter(platform, github);
  const first = await chaos.run(agentStep(world, comment, { runId: '10' }));
  const sent = platform.messages.length;
  if (first.exitCode === 0 && first.outputs['status'] === 'completed') {
    chaos.expect(sent === 1, `green, but ${sent} messages were sent`);
  }
  await calm(platform, github);
  await chaos.runClean(agentStep(world, comment, { runId: '10', runAttempt: 2 }));
  await chaos.runClean(agentStep(world, comment, { runId: '11' }));
  chaos.expect(platform.messages.length <= 1, `${platform.messages.length} messages were sent`);
  return chaos.finish(first);
}
