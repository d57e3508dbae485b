import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cancelled } from './clock.ts';
import { findProgram } from './confined-files.ts';
import { configError, courierError } from './errors.ts';
import { type Env, variableOf } from './programs.ts';

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/**
 * Options for each call of git. The settings and attributes of a repository come with a checkout:
 * none of them may start a program or a download.
 */
const SAFE = [
  '--no-pager',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'safe.bareRepository=explicit',
];
const SAFE_ENV = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_LITERAL_PATHSPECS: '1',
};

interface GitPlace {
  /** The folder in which git is started. */
  readonly folder: string;
  /** No git in this folder is used, since a pull request could have put it there. */
  readonly workspace: string;
  readonly env: Env;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs git and gives what it prints on standard output. git gets no key, never asks for a password,
 * and the calls of this program change nothing. Throws `config` if there is no git outside of the
 * workspace, `timed-out` or `cancelled` if it was stopped, and what Node.js throws for a program
 * that failed.
 */
export async function runGit(args: readonly string[], place: GitPlace): Promise<string> {
  const { workspace, env, signal } = place;
  const search = { PATH: variableOf(env, 'PATH'), workspace };
  // The `PATH` that comes back has no folder of the workspace: git looks there for its helpers.
  const { program, PATH } = await findProgram('git', search);
  if (program === undefined) {
    throw configError('The program git was not found.', 'Install git.');
  }
  const startedMs = performance.now();
  try {
    const ended = await promisify(execFile)(program, [...SAFE, ...args], {
      cwd: place.folder,
      // HOME has the user's own settings, such as `safe.directory`; on Windows no program starts
      // without SYSTEMROOT.
      env: {
        PATH,
        HOME: variableOf(env, 'HOME'),
        SYSTEMROOT: variableOf(env, 'SYSTEMROOT'),
        ...SAFE_ENV,
      },
      maxBuffer: MAX_OUTPUT_BYTES,
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      signal,
    });
    return ended.stdout;
  } catch (cause) {
    if (signal?.aborted) throw cancelled(cause);
    const isTimedOut = performance.now() - startedMs >= TIMEOUT_MS;
    // git itself has failed: only the caller knows what that means for its call.
    if (!isTimedOut) throw cause;
    throw courierError(
      'timed-out',
      `git ${args[0]} did not end within ${TIMEOUT_MS / 1000} s.`,
      'Run it in the same folder to see what it waits for.',
      { cause },
    );
  }
}
