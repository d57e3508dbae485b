import { randomBytes } from 'node:crypto';
import * as values from './cli-values.ts';

/** GitLab's and Gitea's half, each if it is requested. */
export interface ForgeArguments {
  readonly gitlab: GitLabArguments | undefined;
  readonly gitea: GiteaArguments | undefined;
}

interface GitLabArguments {
  readonly port: number;
  /** Full paths, at least one. */
  readonly projects: readonly string[];
  readonly groups: readonly string[];
  readonly token: string | undefined;
}

interface GiteaArguments {
  readonly port: number;
  /** `owner/name`, at least one. */
  readonly repositories: readonly string[];
  readonly organizations: readonly string[];
  readonly token: string | undefined;
}

export const FORGE_USAGE = `GitLab:
  --gitlab                     emulate the CI/CD variables of GitLab's API as well
  --gitlab-port NUMBER         its port; 0 is any free one (default 0)
  --gitlab-project PATH        such as acme/docs/site (may be repeated; default acme/app)
  --gitlab-group PATH          a group with its own variables (may be repeated)
  --gitlab-token TOKEN         of an owner, with the scope api (default random)

Gitea and Forgejo:
  --gitea                      emulate the secrets and variables of Gitea's API as well
  --gitea-port NUMBER          its port; 0 is any free one (default 0)
  --gitea-repository NAME      owner/name (may be repeated; default acme/app)
  --gitea-organization NAME    an organization with its own secrets (may be repeated)
  --gitea-token TOKEN          of an owner of all of them (default random)`;

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean', default: false } as const;

export const forgeOptions = {
  gitlab: flag,
  'gitlab-port': text,
  'gitlab-project': texts,
  'gitlab-group': texts,
  'gitlab-token': text,
  gitea: flag,
  'gitea-port': text,
  'gitea-repository': texts,
  'gitea-organization': texts,
  'gitea-token': text,
} as const;

interface Given {
  readonly gitlab: boolean;
  readonly 'gitlab-port'?: string | undefined;
  readonly 'gitlab-project'?: readonly string[] | undefined;
  readonly 'gitlab-group'?: readonly string[] | undefined;
  readonly 'gitlab-token'?: string | undefined;
  readonly gitea: boolean;
  readonly 'gitea-port'?: string | undefined;
  readonly 'gitea-repository'?: readonly string[] | undefined;
  readonly 'gitea-organization'?: readonly string[] | undefined;
  readonly 'gitea-token'?: string | undefined;
}

/** Throws an error that contains the argument and what is allowed. */
export function readForges(given: Given): ForgeArguments {
  for (const forge of ['gitlab', 'gitea'] as const)
    if (!given[forge]) values.refuseLost(forge, Object.keys(given));
  return {
    gitlab: given.gitlab ? readGitLab(given) : undefined,
    gitea: given.gitea ? readGitea(given) : undefined,
  };
}

function readGitLab(given: Given): GitLabArguments {
  const paths = (name: string, all: readonly string[]) =>
    all.map((path) => values.gitlabPath(name, path));
  return {
    port: values.port('--gitlab-port', given['gitlab-port'] ?? '0'),
    projects: paths('--gitlab-project', given['gitlab-project'] ?? ['acme/app']),
    groups: paths('--gitlab-group', given['gitlab-group'] ?? []),
    token: tokenOf('--gitlab-token', given['gitlab-token']),
  };
}

function readGitea(given: Given): GiteaArguments {
  return {
    port: values.port('--gitea-port', given['gitea-port'] ?? '0'),
    repositories: (given['gitea-repository'] ?? ['acme/app']).map((name) =>
      values.repository(name, '--gitea-repository'),
    ),
    organizations: (given['gitea-organization'] ?? []).map((name) =>
      values.id('--gitea-organization', name),
    ),
    token: tokenOf('--gitea-token', given['gitea-token']),
  };
}

function tokenOf(name: string, given: string | undefined): string | undefined {
  return given === undefined ? undefined : values.token(name, given);
}

/** A started server, with what a person needs to know about it. */
export interface RunningForge {
  readonly close: () => Promise<void>;
  /** Lines of the banner. */
  readonly lines: readonly string[];
  /** For `export`: `NAME=value`. */
  readonly variables: readonly string[];
}

type Log = (name: string) => ((line: string) => void) | undefined;

/** Loads and starts those that are requested. */
export async function startForges(
  { gitlab, gitea }: ForgeArguments,
  log: Log,
): Promise<readonly RunningForge[]> {
  const running: RunningForge[] = [];
  try {
    if (gitlab !== undefined) running.push(await startGitLab(gitlab, log('gitlab ')));
    if (gitea !== undefined) running.push(await startGitea(gitea, log('gitea ')));
    return running;
  } catch (error) {
    // A listening server would keep the process alive.
    for (const { close } of running) await close();
    throw error;
  }
}

async function startGitLab(given: GitLabArguments, log: ReturnType<Log>): Promise<RunningForge> {
  const { GitLabEmulator } = await import('./gitlab/emulator.ts');
  const { port, projects, groups, token = `glpat-${randomBytes(10).toString('hex')}` } = given;
  const roles = Object.fromEntries(
    [...projects, ...groups].map((path) => [path, 'owner'] as const),
  );
  const seeds = (paths: readonly string[]) => paths.map((path) => ({ path }));
  const tokens = { [token]: { roles } };
  const emulator = await GitLabEmulator.start({
    port,
    log,
    projects: seeds(projects),
    groups: seeds(groups),
    tokens,
  });
  return {
    close: () => emulator.close(),
    lines: [
      `GitLab emulator: ${emulator.url}`,
      '',
      `  token    ${token}`,
      ...projects.map((path) => `  project  ${path}`),
      ...groups.map((path) => `  group    ${path}`),
    ],
    variables: [`GITLAB_URL=${emulator.url}`, `GITLAB_TOKEN=${token}`],
  };
}

async function startGitea(given: GiteaArguments, log: ReturnType<Log>): Promise<RunningForge> {
  const { startGiteaEmulator } = await import('./gitea/emulator.ts');
  const { port, repositories, organizations, token = randomBytes(20).toString('hex') } = given;
  const owned = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, ['owner']]));
  const emulator = await startGiteaEmulator({
    port,
    log,
    tokens: { [token]: { login: 'owner', scopes: ['all'] } },
    repositories: owned(repositories),
    organizations: owned(organizations),
  });
  return {
    close: () => emulator.close(),
    lines: [
      `Gitea emulator: ${emulator.url}`,
      '',
      `  token         ${token}`,
      ...repositories.map((name) => `  repository    ${name}`),
      ...organizations.map((name) => `  organization  ${name}`),
    ],
    variables: [`GITEA_URL=${emulator.url}`, `GITEA_TOKEN=${token}`],
  };
}
