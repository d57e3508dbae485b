import { spawn } from 'node:child_process';

interface ProgramInit {
  readonly words: readonly string[];
  /** All that the program gets. */
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
  readonly timeLimitMs: number;
  readonly signal: AbortSignal;
}

interface ProgramEnd {
  /** Half a sentence such as `ended with exit code 1`; undefined: it ended well. */
  readonly failure: string | undefined;
  /** False: it was never started. */
  readonly started: boolean;
  /** What it printed on both streams, the first part of it. */
  readonly output: string;
}

const MAX_OUTPUT = 16 * 1024;
const KILL_AFTER_MS = 2000;

/** Runs a program without a shell, with a text on its standard input. Never throws. */
export function runProgram({ words, env, input, timeLimitMs, signal }: ProgramInit): Promise<ProgramEnd> {
  const [program = '', ...args] = words;
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'], shell: false, windowsHide: true });
    let output = '';
    let reason: string | undefined;
    let started = false;
    const stop = (why: string) => {
      reason ??= why;
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS).unref();
    };
    const onAbort = () => stop('was stopped, since the run was cancelled');
    const timer = setTimeout(() => stop(`did not end within ${Math.round(timeLimitMs / 1000)}s`), timeLimitMs);
    const end = (failure: string | undefined) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve({ failure, started, output });
    };
    child.once('spawn', () => {
      started = true;
      if (signal.aborted) onAbort();
    });
    child.once('error', (error) => {
      if (!started) end(`could not be started (${error.message})`);
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(0, MAX_OUTPUT);
      });
    }
    // `exit`, since a child of its own may keep the pipes open for ever.
    child.once('exit', (code, killedBy) => {
      setImmediate(() => end(reason ?? failureOf(code, killedBy)));
    });
    child.stdin.on('error', () => {
      // It did not read all of its input.
      reason ??= 'did not read its standard input';
    });
    child.stdin.end(input);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

function failureOf(code: number | null, signal: NodeJS.Signals | null): string | undefined {
  if (code === 0) return undefined;
  return signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
}
