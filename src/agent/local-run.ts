import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { CiRun } from '../ci/port.ts';
import { CourierError } from '../errors.ts';
import type { GitHub } from '../github/connection.ts';
import { plainLine } from '../text/escape.ts';

const run = promisify(execFile);

/**
 * GitHub as a person reaches it from their own machine: the repository is that of the folder, and what they ask for is asked
 * with their own token, as if they had started a workflow by hand. `config` where the folder is of no repository of GitHub.
 */
export async function localGitHub(github: GitHub, { env, workspace }: CiRun): Promise<GitHub> {
  const { serverUrl } = github.run;
  const repository = env.GITHUB_REPOSITORY || repositoryOf(await originOf(workspace), serverUrl);
  if (repository === undefined || !/^[\w.-]+\/[\w.-]+$/.test(repository)) throw noRepository(serverUrl);
  return { ...github, run: { ...github.run, repository, eventName: 'workflow_dispatch' } };
}

async function originOf(folder: string): Promise<string> {
  try {
    const { stdout } = await run('git', ['config', '--get', 'remote.origin.url'], { cwd: folder, timeout: 10_000 });
    return stdout.trim();
  } catch {
    // No git, or no repository: the caller says what to do.
    return '';
  }
}

/** Of `https://HOST/OWNER/NAME.git`, `git@HOST:OWNER/NAME.git` and `ssh://git@HOST/OWNER/NAME`. */
function repositoryOf(remote: string, serverUrl: string): string | undefined {
  const host = new URL(serverUrl).host.toLowerCase();
  const found = /^(?:(?:https?|ssh):\/\/(?:[^@/]*@)?([^/]+)\/|(?:[^@/]+@)([^:/]+):)([^/]+\/[^/]+?)(?:\.git)?\/?$/.exec(
    remote,
  );
  return (found?.[1] ?? found?.[2])?.toLowerCase() === host ? found?.[3] : undefined;
}

function noRepository(serverUrl: string): CourierError {
  return new CourierError({
    code: 'config',
    message: `This folder is no clone of a repository on ${plainLine(serverUrl, 100)} whose remote is called origin. Nothing was sent.`,
    hint: 'Run the command in a clone, or set the variable GITHUB_REPOSITORY to OWNER/NAME. For a server of your own, set GITHUB_SERVER_URL and GITHUB_API_URL too.',
  });
}
