import { spawn } from 'node:child_process';
import { errnoOf } from './errors.ts';

/** The environment variables of a run, or of a program that it starts. */
export type Env = Readonly<Record<string, string | undefined>>;

const MAX_ANSWER_CHARS = 1024 * 1024;
const MAX_PRINTED_CHARS = 16 * 1024;
// A cancelled run has 2.5 s between the runner's second request to end and its kill: these two
// waits together are shorter.
/** How long output is still read after the program itself has ended. */
const READ_ON_MS = 1000;
/** How long a program that was asked to end may take before it is killed. */
const KILL_AFTER_MS = 1000;
/** Windows has no process groups. */
const HAS_GROUPS = process.platform !== 'win32';

/** What a program printed, and how it ended. */
interface ProgramEnd {
  /** Its standard output: the whole of it if an answer is wanted, else the first part. */
  readonly output: string;
  /** The first part of its standard error. */
  readonly problem: string;
  /** Half a sentence such as `ended with exit code 1`; undefined: the program ended well. */
  readonly failure: string | undefined;
  /** False: the program was never started. */
  readonly started: boolean;
}

interface ProgramCall {
  readonly args: readonly string[];
  /** The whole environment of the program: it inherits nothing. */
  readonly env: Env;
  /** The text on its standard input; absent: an empty text. */
  readonly input?: string;
  readonly timeLimitMs: number;
  /** Stops the program when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /**
   * `answer`: the program is run for its output, of at most 1 MiB, and its child processes are
   * ended with it. `effect`: the program must read its input, and the child processes that it
   * leaves in the background keep running.
   */
  readonly wanted: 'answer' | 'effect';
}

/**
 * Runs a program without a shell, in a separate process group: if the program is stopped, its
 * child processes end too. How it failed is in the result; it throws only for a defect of the call.
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
    // Without a process, only the event `error` follows, and no `exit`.
    const started = child.pid !== undefined;
    let output = '';
    let problem = '';
    let stopReason: string | undefined;
    let isInputUnread = false;
    // One character more than an answer may have shows that it is too long.
    const mostChars = isAnswer ? MAX_ANSWER_CHARS + 1 : MAX_PRINTED_CHARS;
    let killTimer: NodeJS.Timeout | undefined;
    // Asks the program to end. Only the first reason counts: a later one only follows from it.
    const stop = (reason: string) => {
      if (stopReason !== undefined) return;
      stopReason = reason;
      endGroup(child.pid, 'SIGTERM');
      killTimer = setTimeout(() => endGroup(child.pid, 'SIGKILL'), KILL_AFTER_MS);
    };
    const onAbort = () => stop('was stopped, since the run was cancelled');
    const timer = setTimeout(() => stop(`did not end within ${timeLimitMs / 1000}s`), timeLimitMs);
    const endWatch = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const settle = (failure: string | undefined) => {
      clearTimeout(killTimer);
      // Ends the child processes that are left, unless they may keep running.
      if (isAnswer || stopReason !== undefined) endGroup(child.pid, 'SIGKILL');
      // Those that keep running have these pipes too: this program must not wait for them.
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ output, problem, failure, started });
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(0, mostChars);
      if (output.length > MAX_ANSWER_CHARS) stop('printed more than 1 MiB');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      problem = (problem + text).slice(0, MAX_PRINTED_CHARS);
    });
    // Writing fails if the program ends before it has read all: only for an effect is this a
    // failure.
    child.stdin.on('error', () => {
      isInputUnread = !isAnswer;
    });
    child.stdin.end(call.input ?? '');
    // After a start, `exit` follows whatever this error is, and says how the program ended.
    child.on('error', (error) => {
      if (started) return;
      endWatch();
      settle(`could not be started (${error.message})`);
    });
    // Not only `close`: a child process may keep the pipes open forever. After `exit` there is a
    // moment to read the rest of the output.
    child.on('exit', (code, killedBy) => {
      endWatch();
      const finish = () => {
        const unread = isInputUnread ? 'did not read its standard input' : undefined;
        settle(stopReason ?? exitFailure(code, killedBy) ?? unread);
      };
      const readTimer = setTimeout(finish, READ_ON_MS);
      child.on('close', () => {
        clearTimeout(readTimer);
        finish();
      });
    });
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  return ended.catch((error: unknown) => {
    // `spawn` itself failed, such as for an argument that is too long. Only the code is shown,
    // since the message of the error may repeat the argument.
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return { output: '', problem: '', failure: `could not be started (${code})`, started: false };
  });
}

/** Sends the signal to the program and its child processes; on Windows to the program alone. */
function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(HAS_GROUPS ? -pid : pid, signal);
  } catch {
    // All processes have ended already.
  }
}

/** Why an exit is a failure, as half a sentence; undefined: the program ended well. */
function exitFailure(code: number | null, signal: NodeJS.Signals | null): string | undefined {
  if (code === 0) return undefined;
  if (signal === null) return `ended with exit code ${code}`;
  return `was ended by ${signal}`;
}

/**
 * The runner's environment for another program: without the inputs, which contain the platform's
 * keys.
 */
export function withoutOurSecrets(env: Env): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(INPUT_|DOCS_COURIER_)/i.test(name)),
  );
}

/**
 * The value of a variable; `name` is in upper case. Windows has `Path` for PATH and finds it under
 * either name, but a copy of the environment has it only as `Path`: then the case is ignored here.
 */
export function variableOf(env: Env, name: string): string | undefined {
  if (env[name] !== undefined) return env[name];
  const spelling = Object.keys(env).find((key) => key.toUpperCase() === name);
  if (spelling === undefined) return undefined;
  return env[spelling];
}
