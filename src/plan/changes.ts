import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { CiRun } from '../ci/port.ts';
import { CourierError, errnoOf } from '../errors.ts';
import { plainLine } from '../text/escape.ts';

const run = promisify(execFile);

interface Changes {
  /** From the root of the repository, with forward slashes. */
  readonly files: readonly string[];
  /** The working folder, from the root of the repository: `''`, or a path that ends with a slash. */
  readonly prefix: string;
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

// A file that was moved counts at both places. Neither settings of the repository nor its attributes start a program.
const DIFF = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'] as const;

/** The files that differ between a commit and what is checked out. Throws `config` where git cannot say. */
export async function changedFiles({ workspace, env }: CiRun, since: string): Promise<Changes> {
  const git = async (...args: readonly string[]): Promise<string> => {
    const options = { cwd: workspace, env: gitEnv(env), maxBuffer: MAX_OUTPUT_BYTES };
    return (await run('git', ['--no-pager', '-c', 'core.fsmonitor=false', ...args], options)).stdout;
  };
  const prefix = await git('rev-parse', '--show-prefix').catch((cause: unknown) => {
    throw noRepository(workspace, cause);
  });
  try {
    const commit = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${since}^{commit}`);
    const names = await git(...DIFF, commit.trim(), 'HEAD', '--');
    return { files: names.split('\0').filter((name) => name !== ''), prefix: prefix.replace(/\r?\n$/, '') };
  } catch (cause) {
    throw new CourierError({
      code: 'config',
      message: `Git does not know the commit ${plainLine(since, 80)}, so what has changed since is not known.`,
      hint: 'Check out the whole history: fetch-depth: 0 of actions/checkout, GIT_DEPTH: 0 in GitLab CI.',
      cause,
    });
  }
}

/** What git itself needs, and no key. It never asks for a password. */
function gitEnv({ PATH, HOME, SYSTEMROOT }: CiRun['env']): Record<string, string> {
  return { ...(PATH && { PATH }), ...(HOME && { HOME }), ...(SYSTEMROOT && { SYSTEMROOT }), GIT_TERMINAL_PROMPT: '0' };
}

function noRepository(workspace: string, cause: unknown): CourierError {
  if (errnoOf(cause) === 'ENOENT') {
    return new CourierError({ code: 'config', message: 'The program git was not found.', hint: 'Install git.', cause });
  }
  return new CourierError({
    code: 'config',
    message: `${workspace} is no repository that git reads.`,
    hint: 'Check out the repository in a step before. In a container, git may need safe.directory.',
    cause,
  });
}
