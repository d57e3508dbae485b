import { spawn } from 'node:child_process';
import { errnoOf } from './errors.ts';

/** Variables of a run, or of a program. */
export type Env = Readonly<Record<string, string | undefined>>;

const MAX_ANSWER_CHARS = 1024 * 1024;
const MAX_PRINTED_CHARS = 16 * 1024;
// Together less than the 2.5 s between the runner's second request to end and the end of
// everything.
const READ_ON_MS = 1000;
const KILL_AFTER_MS = 1000;
const HAS_GROUPS = process.platform !== 'win32';

/** What a program printed, and how it ended. */
interface ProgramEnd {
  /** What it printed on standard output: whole if it is asked for an answer. */
  readonly output: string;
  /** What it printed on standard error, the first part of it. */
  readonly problem: string;
  /** Half a sentence such as `ended with exit code 1`; undefined: it ended well. */
  readonly failure: string | undefined;
  /** False: it was never started. */
  readonly started: boolean;
}

interface ProgramCall {
  readonly args: readonly string[];
  /** All that the program gets. */
  readonly env: Env;
  /** On its standard input; nothing without it. */
  readonly input?: string;
  readonly timeLimitMs: number;
  /** Stops it. */
  readonly signal?: AbortSignal | undefined;
  /**
   * `answer`: its output, of at most 1 MiB, is what it is run for, and nothing of it is left then.
   * `effect`: it must read its input, and what it started in the background keeps running.
   */
  readonly wanted: 'answer' | 'effect';
}

/**
 * Runs a program without a shell, in a process group, which its children belong to: all of it ends
 * if it is stopped. Never throws.
 */
export function runProgram(program: string, call: ProgramCall): Promise<ProgramEnd> {
  const { timeLimitMs, signal } = call;
  const isAnswer = call.wanted === 'answer';
  const ended = new Promise<ProgramEnd>((resolve) => {
    const child = spawn(program, [...call.args], {
      env: call.env,
      stdio: 'pipe',
      detached: HAS_GROUPS,
      windowsHide: true,
    });
    const started = child.pid !== undefined;
    let output = '';
    let problem = '';
    let why: string | undefined;
    let isUnread = false;
    let killing: NodeJS.Timeout | undefined;
    const stop = (reason: string) => {
      if (why !== undefined) return;
      why = reason;
      endGroup(child.pid, 'SIGTERM');
      killing = setTimeout(() => endGroup(child.pid, 'SIGKILL'), KILL_AFTER_MS);
    };
    const onAbort = () => stop('was stopped, since the run was cancelled');
    const timer = setTimeout(() => stop(`did not end within ${timeLimitMs / 1000}s`), timeLimitMs);
    const release = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const end = (failure: string | undefined) => {
      clearTimeout(killing);
      if (isAnswer || why !== undefined) endGroup(child.pid, 'SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ output, problem, failure, started });
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(0, isAnswer ? MAX_ANSWER_CHARS + 1 : MAX_PRINTED_CHARS);
      if (output.length > MAX_ANSWER_CHARS) stop('printed more than 1 MiB');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      problem = (problem + text).slice(0, MAX_PRINTED_CHARS);
    });
    child.stdin.on('error', () => {
      isUnread = !isAnswer;
    });
    child.stdin.end(call.input ?? '');
    child.on('error', (error) => {
      if (started) return;
      release();
      end(`could not be started (${error.message})`);
    });
    // `exit`, since a child process may keep the pipes open forever; its output is read first.
    child.on('exit', (code, killedBy) => {
      release();
      const finish = () => {
        const unread = isUnread ? 'did not read its standard input' : undefined;
        end(why ?? exitFailure(code, killedBy) ?? unread);
      };
      const read = setTimeout(finish, READ_ON_MS);
      child.on('close', () => {
        clearTimeout(read);
        finish();
      });
    });
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  return ended.catch((error: unknown) => {
    // Such as an argument that is too long. The message of the error may repeat it.
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return { output: '', problem: '', failure: `could not be started (${code})`, started: false };
  });
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(HAS_GROUPS ? -pid : pid, signal);
  } catch {
    // Nothing is left of it.
  }
}

function exitFailure(code: number | null, signal: NodeJS.Signals | null): string | undefined {
  if (code === 0) return undefined;
  if (signal === null) return `ended with exit code ${code}`;
  return `was ended by ${signal}`;
}

/**
 * What a program gets of the runner's environment: none of the inputs, which contain the platform's
 * keys.
 */
export function withoutOurSecrets(env: Env): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(INPUT_|DOCS_COURIER_)/i.test(name)),
  );
}

/**
 * A variable of an environment. Windows ignores the case of names and writes `Path`; a copy of an
 * environment does not ignore it.
 */
export function variableOf(env: Env, name: string): string | undefined {
  if (env[name] !== undefined) return env[name];
  const other = Object.keys(env).find((one) => one.toUpperCase() === name);
  return env[other ?? name];
}
