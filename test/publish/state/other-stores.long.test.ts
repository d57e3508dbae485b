import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startGiteaEmulator } from '../../../emulator/src/gitea/emulator.ts';
import { GitLabEmulator } from '../../../emulator/src/gitlab/emulator.ts';
import type { EmulatorOptions } from '../../../emulator/src/platform/emulator.ts';
import { Courier } from '../../cli/process.ts';
import { writeNodeProgram } from '../../support/node-program.ts';
import { SmallRegistry } from '../../support/small-servers/registry.ts';
import { NAME } from '../../support/world/names.ts';
import { startWorld, type World } from '../../support/world.ts';

// A run that another one left in its section waits for 45 s.
const PATIENT = { timeout: 200_000 };
const EXPORT = ['export', '--domain', 'acme.example.com'];
const REFRESH = ['refresh', '--refresh-before', '9000h'];
const ROLLBACK = ['rollback'];
const TOKEN = 'glpat-0123456789abcdefghij';

type Env = Readonly<Record<string, string>>;

/** Processes of the command line against one destination. */
interface Stage {
  readonly world: World;
  /** The arguments that name the destination. */
  readonly to: readonly string[];
  /** The variables of the run with this number. */
  readonly envOf: (run: number) => Env;
}

function startWithPlatform(sites: EmulatorOptions['sites'] = {}): Promise<World> {
  const exportJobs = { advance: 'poll', polls: 1 } as const;
  const platform = Object.keys(sites).length > 0 ? { exportJobs, sites } : { exportJobs };
  return startWorld({ clock: 'system', github: false, platform });
}

function start({ world, to, envOf }: Stage, run: number, args: readonly string[]): Courier {
  const { platform, workspace: folder } = world;
  const env = { PATH: process.env['PATH'] ?? '', ...envOf(run) };
  return new Courier({ platform, folder }, [...args, ...to, '--json'], { env });
}

/** The job of the report. Fails if the exit code is another one. */
async function jobOf(courier: Courier, exitCode = 0): Promise<string | undefined> {
  expect(await courier.ended(), courier.stderr).toBe(exitCode);
  return JSON.parse(courier.stdout || '{}').jobId;
}

const complete = (stage: Stage, run: number, args: readonly string[]) =>
  jobOf(start(stage, run, args));

/** A forge with variables: its requests, and what is stored. */
interface Forge extends AsyncDisposable {
  readonly to: string;
  readonly envOf: Stage['envOf'];
  readonly requests: readonly { readonly method: string; readonly path: string }[];
  link(): string;
  state(): { readonly jobId?: string };
}

async function startGitLab(): Promise<Forge> {
  const gitlab = await GitLabEmulator.start({
    projects: [{ path: 'acme/docs', id: 7 }],
    tokens: { [TOKEN]: { roles: { acme: 'owner' } } },
  });
  const stored = (key: string) => gitlab.variable('acme/docs', key)?.value ?? '';
  return {
    to: `gitlab:project/acme%2Fdocs/${NAME}`,
    envOf: (run) => ({
      CI: 'true',
      GITLAB_CI: 'true',
      CI_SERVER_URL: gitlab.url,
      CI_PROJECT_ID: '7',
      CI_PROJECT_PATH: 'acme/docs',
      CI_PIPELINE_ID: String(1000 + run),
      CI_PIPELINE_SOURCE: 'push',
      CI_JOB_ID: String(50_000 + run),
      CI_JOB_NAME: 'export-docs',
      CI_COMMIT_BRANCH: 'main',
      CI_COMMIT_REF_NAME: 'main',
      CI_COMMIT_REF_PROTECTED: 'true',
      CI_DEFAULT_BRANCH: 'main',
      DOCS_COURIER_SECRET_TOKEN: TOKEN,
    }),
    requests: gitlab.requests,
    link: () => stored(NAME),
    state: () => JSON.parse(stored(`${NAME}_STATE`)),
    [Symbol.asyncDispose]: () => gitlab.close(),
  };
}

async function startGitea(folder: string): Promise<Forge> {
  const files = {
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
  };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const gitea = await startGiteaEmulator({
    tokens: { [TOKEN]: { login: 'ada', scopes: ['write:repository'] } },
    repositories: { 'ada/app': ['ada'] },
  });
  const place = gitea.place('ada/app');
  return {
    to: `gitea:repo/ada/app/${NAME}`,
    envOf: (run) => ({
      GITHUB_ACTIONS: 'true',
      GITEA_ACTIONS: 'true',
      GITHUB_REPOSITORY: 'ada/app',
      GITHUB_RUN_ID: String(100 + run),
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_JOB: 'publish',
      GITHUB_SERVER_URL: `${gitea.url}/`,
      GITHUB_API_URL: `${gitea.url}/api/v1`,
      GITHUB_EVENT_NAME: 'push',
      GITHUB_REF: 'refs/heads/main',
      GITHUB_REF_NAME: 'main',
      RUNNER_TEMP: folder,
      GITHUB_WORKSPACE: folder,
      ...files,
      DOCS_COURIER_SECRET_TOKEN: TOKEN,
    }),
    requests: gitea.requests,
    link: () => place.secrets.get(NAME)?.value ?? '',
    state: () => JSON.parse(place.variables.get(`${NAME}_STATE`)?.value ?? '{}'),
    [Symbol.asyncDispose]: () => gitea.close(),
  };
}

const FORGES = [
  ['GitLab', startGitLab],
  ['Gitea', startGitea],
] as const;
const PAIRS = [
  ['refresh', REFRESH, EXPORT],
  ['rollback', ROLLBACK, EXPORT],
] as const;

test.concurrent.each(
  FORGES.flatMap(([forge, open]) =>
    PAIRS.map(([kind, ...both]) => [forge, kind, open, both] as const),
  ),
)(
  'On %s, if the reply to the state of a run (%s) comes only after an export has completed, the export stays live',
  PATIENT,
  async (_forge, _kind, open, [older, newer]) => {
    await using world = await startWithPlatform();
    await using forge = await open(world.root);
    const stage: Stage = { world, to: ['--to', forge.to], envOf: forge.envOf };
    for (const run of [0, 1]) await complete(stage, run, EXPORT);
    const states = () =>
      forge.requests.filter(
        ({ method, path }) => method !== 'GET' && path.endsWith(`/${NAME}_STATE`),
      ).length;
    const before = states();
    const held = start(stage, 2, older);
    await held.until(() => states() > before);
    held.kill('SIGSTOP');
    const job = await complete(stage, 3, newer);
    held.kill('SIGCONT');
    await held.ended();
    expect(forge.link(), held.stderr).toContain(job);
    expect(forge.state().jobId, held.stderr).toBe(job);
    expect(await complete(stage, 4, REFRESH)).toBe(job);
    expect(forge.link()).toContain(job);
  },
);

/** Interrupts a rollback when it moves the tag. */
const INTERRUPTIONS = {
  'was killed': async (stage: Stage, registry: SmallRegistry) => {
    const moved = () => registry.requests.filter(({ method, path }) => isMove(method, path)).length;
    const before = moved();
    const killed = start(stage, 10, ROLLBACK);
    await killed.until(() => moved() > before);
    killed.kill('SIGKILL');
    expect(await killed.ended(), killed.stderr).toBe('SIGKILL');
  },
  'was answered with 503': async (stage: Stage, registry: SmallRegistry) => {
    let isRefused = true;
    const matches = (method: string, path: string) => isRefused && isMove(method, path);
    registry.inject(matches, { kind: 'reply', status: 503 }, Number.POSITIVE_INFINITY);
    const failed = start(stage, 10, ROLLBACK);
    expect(await failed.ended(), failed.stderr).toBe(1);
    isRefused = false;
  },
} as const;

function isMove(method: string, path: string): boolean {
  return method === 'PUT' && path.endsWith('/manifests/latest');
}

const IMAGES = ([2, 3] as const).flatMap((count) =>
  (['was killed', 'was answered with 503'] as const).map((how) => [count, how] as const),
);

test.concurrent.each(IMAGES)(
  'After a rollback of an image with %i exports that %s at the tag, a new one restores the same export',
  async (count, how) => {
    const site = mkdtempSync(join(tmpdir(), 'site-'));
    onTestFinished(() => rmSync(site, { recursive: true, force: true }));
    const publish = (version: number) =>
      writeFileSync(join(site, 'index.md'), `# Docs\n\nVersion ${version}.`);
    publish(0);
    await using world = await startWithPlatform({ acme: site });
    await using registry = await SmallRegistry.start();
    const stage: Stage = {
      world,
      to: ['--image', `${registry.host}/acme/docs:latest`],
      envOf: () => ({}),
    };
    const jobs: (string | undefined)[] = [];
    for (let run = 0; run < count; run += 1) {
      publish(run);
      jobs.push(await complete(stage, run, EXPORT));
    }
    await INTERRUPTIONS[how](stage, registry);
    expect(await complete(stage, 11, ROLLBACK)).toBe(jobs[count - 2]);
  },
);

test.concurrent('After an export that the platform refused, --to-command gets the link of the corrected one', async () => {
  await using world = await startWithPlatform();
  const [program, out] = [join(world.workspace, 'store.mjs'), join(world.workspace, 'link.txt')];
  const code = "import { readFileSync, writeFileSync } from 'node:fs';";
  writeNodeProgram(program, `${code}\nwriteFileSync(${JSON.stringify(out)}, readFileSync(0));\n`);
  const stage: Stage = {
    world,
    to: ['--to-command', program, '--state', 'file:docs'],
    envOf: () => ({}),
  };
  await jobOf(start(stage, 1, ['export', '--domain', 'acmee.example.com']), 2);
  expect(world.platform.exportJobs).toEqual([]);
  const job = await complete(stage, 2, EXPORT);
  expect(readFileSync(out, 'utf8')).toContain(job);
  expect(await complete(stage, 3, REFRESH)).toBe(job);
});
