import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GitHubEmulator } from '../../emulator/src/github/emulator.ts';
import type { Emulator } from '../../emulator/src/platform/emulator.ts';
import { ACTION } from '../../src/ground/published.ts';
import { startWorld } from '../../test/support/world.ts';
import { type ActRun, runAct } from './act.ts';
import { type Desk, openDesk } from './desk.ts';
import type { ObjectStore } from './object-store.ts';
import {
  missingPermissions,
  readWorkflow,
  tokenPermissions,
  type WorkflowJob,
} from './workflow.ts';
import {
  CHECKOUT,
  createRepository,
  destinationWorkflow,
  git,
  REPOSITORY,
  write,
} from './workspace.ts';

const APP = {
  id: 'Iv23liExamplesOnly',
  privateKey: '-----BEGIN RSA PRIVATE KEY-----\nbWFkZSB1cA==\n-----END RSA PRIVATE KEY-----',
};
// Made up: only the emulated GitHub accepts it.
const WORKFLOW_TOKEN = 'ghs_theWorkflowsOwnTokenOfTheseExamples';
export const STAND_INS = join(CHECKOUT, 'test/examples/stand-ins');
const RUN_TIMEOUT_MS = 180_000;

export interface RunOptions {
  /** File below examples. */
  readonly example: string;
  readonly eventName: string;
  /** Added to the payload, which always contains repository and sender. */
  readonly event?: Readonly<Record<string, unknown>> | undefined;
  /** The commit of the run merged this pull request. */
  readonly merges?: number | undefined;
  /** Further variables of the runner. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Addresses that the example writes out -> what a user of it would write here. */
  readonly addresses?: Readonly<Record<string, string>> | undefined;
  /** Further secrets of the repository. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  /** `gh` is its stand-in, with this repository behind it. */
  readonly gh?: boolean | undefined;
}

/** The environment of one example: the platform, GitHub, the repository it was copied into. */
export interface Stage extends AsyncDisposable {
  readonly platform: Emulator;
  readonly github: GitHubEmulator;
  /** The user's repository on disk. */
  readonly repository: string;
  /** Where stand-ins store their inputs. */
  readonly folder: string;
  /** Texts that workflows posted to their channel. */
  readonly posts: readonly string[];
  /**
   * Runs the example with the addresses of this stage, and otherwise unchanged. Throws if a job
   * lacks a permission that one of its actions needs.
   */
  run(options: RunOptions): Promise<ActRun>;
}

export interface StageOptions {
  /** Folder with action.yml, dist and emulator, which is copied into the repository. */
  readonly action: string;
  readonly store: ObjectStore | undefined;
}

export async function openStage({ action, store }: StageOptions): Promise<Stage> {
  const base = mkdtempSync(join(tmpdir(), 'docs-courier-examples-'));
  const [repository, folder, home] = ['repository', 'handed-over', 'home'].map((name) =>
    join(base, name),
  );
  if (!repository || !folder || !home) throw new Error('unreachable');
  for (const each of [repository, folder, home]) mkdirSync(each);
  createRepository(repository);
  copyAction(action, join(repository, ACTION));
  const docs = join(repository, 'docs');
  const world = await startWorld({
    clock: 'system',
    platform: {
      sites: { docs, acme: docs },
      exportJobs: { advance: 'poll', polls: 2 },
      agentSource: { repository: `https://github.com/${REPOSITORY}`, ref: 'main' },
    },
    github: {
      tokens: {},
      organizations: ['acme'],
      repositories: [
        {
          fullName: REPOSITORY,
          environments: ['docs', 'production'],
          collaborators: { maya: 'maintain' },
        },
        { fullName: 'acme/website' },
        { fullName: 'acme/helm-charts' },
      ],
    },
  });
  const { platform, github } = world;
  const desk = await openDesk({ github, app: APP });
  const close = async () => {
    await Promise.all([world[Symbol.asyncDispose](), desk[Symbol.asyncDispose]()]);
    rmSync(base, { recursive: true, force: true });
  };
  const ground = { platform, github, desk, repository, folder, home, store };
  const { posts } = desk;
  return {
    platform,
    github,
    repository,
    folder,
    posts,
    run: (options) => run(ground, options),
    [Symbol.asyncDispose]: close,
  };
}

interface Ground extends Pick<StageOptions, 'store'> {
  readonly platform: Emulator;
  readonly github: GitHubEmulator;
  readonly desk: Desk;
  readonly repository: string;
  readonly folder: string;
  readonly home: string;
}

async function run(ground: Ground, options: RunOptions): Promise<ActRun> {
  const {
    example,
    eventName,
    event = {},
    merges,
    env,
    addresses = {},
    secrets,
    gh = false,
  } = options;
  const { platform, github, desk, repository, folder, home, store } = ground;
  const text = withAddresses(readFileSync(join(CHECKOUT, 'examples', example), 'utf8'), addresses)
    .replaceAll('https://api.docs.example.com', platform.url)
    .replaceAll('PROJECT_ID', platform.projectId)
    .replaceAll('BUCKET_NAME', store?.bucket ?? '');
  const jobs = readWorkflow(text);
  if (!jobs) throw new Error(`examples/${example} is not a workflow`);
  const missing = jobs.flatMap(missingPermissions);
  if (missing.length > 0) throw new Error(missing.join('; '));
  const eventFile = join(home, 'event.json');
  write(eventFile, JSON.stringify({ ...payload(repository), ...event }));
  const workflow = destinationWorkflow(repository, example, text);
  if (merges !== undefined) {
    const mergeCommitSha = git(repository, 'rev-parse', 'HEAD');
    github.addPullRequest({ repository: REPOSITORY, number: merges, merged: true, mergeCommitSha });
  }
  return runAct({
    repository,
    workflow,
    eventName,
    eventFile,
    home,
    timeoutMs: RUN_TIMEOUT_MS,
    vars: { DOCS_APP_CLIENT_ID: APP.id },
    secrets: {
      GITHUB_TOKEN: WORKFLOW_TOKEN,
      DOCS_ADMIN_API_KEY: platform.keys.admin,
      DOCS_PREVIEW_API_KEY: platform.keys.admin,
      DOCS_ASSISTANT_API_KEY: platform.keys.assistant,
      DOCS_APP_PRIVATE_KEY: APP.privateKey,
      SLACK_WEBHOOK_URL: desk.webhook,
      DOCS_KUBECONFIG: 'apiVersion: v1\nkind: Config\n',
      ...secrets,
    },
    env: {
      GITHUB_API_URL: github.url,
      EXAMPLES_DESK: desk.url,
      EXAMPLES_FOLDER: folder,
      ...(gh && { EXAMPLES_REMOTE: repository, EXAMPLES_GH_TOKEN: WORKFLOW_TOKEN }),
      ...env,
      ...(store && {
        EXAMPLES_S3_ENDPOINT: store.endpoint,
        EXAMPLES_S3_ACCESS_KEY: store.accessKey,
        EXAMPLES_S3_SECRET_KEY: store.secretKey,
      }),
    },
    commands: gh ? [join(CHECKOUT, 'test/examples/commands')] : [],
    actions: actionFolders(jobs),
    onJob: (id) =>
      grant(
        github,
        jobs.find((job) => job.id === id),
      ),
  });
}

/**
 * Throws if the example does not contain one of them: the run would use the address of the example.
 */
function withAddresses(text: string, addresses: Readonly<Record<string, string>>): string {
  let changed = text;
  for (const [written, here] of Object.entries(addresses)) {
    if (!text.includes(written)) throw new Error(`the example does not contain ${written}`);
    changed = changed.replaceAll(written, here);
  }
  return changed;
}

/** The token has only the permissions of the running job. */
function grant(github: GitHubEmulator, job: WorkflowJob | undefined): void {
  const permissions = tokenPermissions(job?.permissions ?? {});
  github.setToken(WORKFLOW_TOKEN, {
    name: 'workflow',
    kind: 'workflow',
    permissions,
    repositories: [REPOSITORY],
  });
}

function payload(repository: string): Record<string, unknown> {
  const [owner = '', name = ''] = REPOSITORY.split('/');
  return {
    ref: 'refs/heads/main',
    after: git(repository, 'rev-parse', 'HEAD'),
    repository: {
      name,
      full_name: REPOSITORY,
      owner: { login: owner },
      default_branch: 'main',
      private: true,
      fork: false,
    },
    sender: { login: 'maya', id: 1, type: 'User' },
  };
}

/**
 * Published actions, each from its stand-in; act handles checkout, and ours is a folder of the
 * repository.
 */
export function actionFolders(jobs: readonly WorkflowJob[]): Map<string, string> {
  const names = jobs
    .flatMap(({ uses }) => uses)
    .filter((name) => !/^(\.\/|actions\/checkout@)/.test(name));
  return new Map(
    names.map((name) => {
      const [, repository = '', ref = ''] = /^([^/]+\/[^/@]+)[^@]*@(.+)$/.exec(name) ?? [];
      return [`${repository}@${ref}`, standIn(repository)];
    }),
  );
}

function standIn(repository: string): string {
  const folder = join(STAND_INS, repository);
  if (existsSync(folder)) return folder;
  const there = readdirSync(STAND_INS, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.split('/').length === 2,
  );
  throw new Error(
    `test/examples/stand-ins has no stand-in for ${repository}, only ${there.join(', ')}`,
  );
}

/** Only the action's files of a release: no node_modules that would hide a missing part of dist. */
export function copyAction(from: string, into: string): void {
  for (const part of ['action.yml', 'dist', 'emulator'])
    cpSync(join(from, part), join(into, part), { recursive: true });
}
