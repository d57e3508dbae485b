import { randomBytes } from 'node:crypto';
import { formatBanner, type RunningGitHub, type Starter } from './banner.ts';
import {
  type CliArguments,
  chooseKeys,
  type GitHubArguments,
  readArguments,
  USAGE,
} from './cli-arguments.ts';
import { startForges } from './cli-forges.ts';
import { type Emulator, startEmulator } from './platform/emulator.ts';
import { randomKeys } from './platform/keys.ts';
import { readS3Options } from './platform/s3-options.ts';

type WriteLine = ((line: string) => void) | undefined;

async function startPlatform(given: CliArguments, log: WriteLine): Promise<Emulator> {
  const { exportError: error, stallExport: stalled } = given;
  const emulator = await startEmulator({
    sites: given.sites,
    port: given.port,
    keys: chooseKeys(given, randomKeys()),
    projectId: given.projectId,
    linkLifetimeMs: given.linkLifetimeMs,
    exportJobs: { advance: 'time', durationMs: given.exportDurationMs },
    exportScript: { stalled, ...(error !== undefined && { outcome: 'failed', error }) },
    agentJobs: { advance: 'time', durationMs: given.agentDurationMs },
    agentScript: given.failAgent ? { outcome: 'failed' } : {},
    agentSource: given.agentSource,
    basePath: given.basePath,
    plan: given.plan,
    privateSites: given.privateSites,
    searchLag: { ms: given.searchLagMs },
    publishLagMs: given.publishLagMs,
    updateScript:
      given.updateError === undefined ? {} : { outcome: 'failure', summary: given.updateError },
    publishEndpoints: !given.noUpdates,
    s3: readS3Options(given, process.env),
    log,
  });
  for (const fault of given.faults) emulator.inject(fault);
  for (const site of given.isRolledBack ? Object.keys(given.sites) : [])
    await emulator.rollBack({ site });
  for (const job of given.agentJobs) emulator.addAgentJob(job);
  return emulator;
}

/** GitHub's half is loaded only if it is requested. */
async function startGitHub(given: GitHubArguments, log: WriteLine): Promise<RunningGitHub> {
  const { startGitHubEmulator } = await import('./github/emulator.ts');
  const secretToken = given.secretToken ?? `ghs_${randomBytes(18).toString('hex')}`;
  const workflowToken = given.workflowToken ?? `ghs_${randomBytes(18).toString('hex')}`;
  const { environments, collaborators, repositories } = given;
  const emulator = await startGitHubEmulator({
    port: given.port,
    log,
    repositories: repositories.map((fullName) => ({ fullName, environments, collaborators })),
    organizations: [...new Set(repositories.map((name) => name.split('/')[0] ?? name))],
    tokens: {
      [secretToken]: {
        name: 'secret token',
        kind: 'app',
        login: 'docs-courier-test[bot]',
        permissions: {
          secrets: 'write',
          actions_variables: 'write',
          environments: 'write',
          organization_secrets: 'write',
          organization_actions_variables: 'write',
        },
      },
      [workflowToken]: {
        name: 'workflow token',
        kind: 'workflow',
        permissions: {
          contents: 'read',
          pull_requests: 'write',
          issues: 'write',
          deployments: 'read',
        },
      },
    },
  });
  return { emulator, secretToken, workflowToken };
}

async function run(given: CliArguments, starter: Starter): Promise<void> {
  if (given.help) {
    console.log(USAGE);
    return;
  }
  const log = (name: string): WriteLine =>
    given.quiet ? undefined : (line) => console.log(`${new Date().toISOString()} ${name}${line}`);
  const platform = await startPlatform(given, log(''));
  const github =
    given.github &&
    (await startGitHub(given.github, log('github ')).catch(async (error: unknown) => {
      // A listening server would keep the process alive.
      await platform.close();
      throw error;
    }));
  const forges = await startForges(given, log).catch(async (error: unknown) => {
    await Promise.all([platform.close(), github?.emulator.close()]);
    throw error;
  });
  console.log(formatBanner(platform, given, { github, forges }, starter));
  const stop = () => {
    void platform.close();
    void github?.emulator.close();
    for (const { close } of forges) void close();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

/**
 * Runs the emulator with these arguments. A mistake in them prints one line and exits with code 2,
 * any other failure with 1.
 */
export async function runEmulator(
  args: readonly string[],
  starter: Starter = 'command',
): Promise<void> {
  let given: CliArguments;
  try {
    given = readArguments(args);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    console.error('Run it with --help to see every option.');
    process.exitCode = 2;
    return;
  }
  try {
    await run(given, starter);
  } catch (error) {
    console.error(explain(error));
    process.exitCode = 1;
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isBusy = 'code' in error && error.code === 'EADDRINUSE' && 'port' in error;
  return isBusy
    ? `Port ${error.port} is in use, perhaps by another emulator. Stop that one, or take any free port with --port 0.`
    : error.message;
}
