import { spawn } from 'node:child_process';

const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_PROBLEM = 16 * 1024;
const READ_ON_MS = 1000;

/** What a program printed, and how it ended. */
interface ProgramEnd {
  readonly output: string;
  /** What it printed on standard error, the first part of it. */
  readonly problem: string;
  /** undefined: it ended well. */
  readonly failure: string | undefined;
}

interface ProgramCall {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** On its standard input; nothing without it. */
  readonly input?: string | undefined;
  readonly timeLimitMs: number;
}

/** Runs a program in a process group, which its children belong to: whatever is left of it is ended. Never throws. */
export function runProgram(program: string, { args, env, input, timeLimitMs }: ProgramCall): Promise<ProgramEnd> {
  const hasGroup = process.platform !== 'win32';
  return new Promise((resolve) => {
    const child = spawn(program, [...args], { env, stdio: 'pipe', detached: hasGroup });
    let [output, problem] = ['', ''];
    const end = (failure: string | undefined) => {
      clearTimeout(timer);
      try {
        if (child.pid !== undefined) process.kill(hasGroup ? -child.pid : child.pid, 'SIGKILL');
      } catch {
        // Nothing is left of it.
      }
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ output, problem, failure });
    };
    const timer = setTimeout(() => end(`it did not end within ${timeLimitMs / 1000}s`), timeLimitMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > MAX_OUTPUT_BYTES) end('it printed more than 1 MiB');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      problem = (problem + text).slice(0, MAX_PROBLEM);
    });
    // It may end without reading it.
    child.stdin.on('error', () => {}).end(input ?? '');
    child.on('error', () => end('it could not be started'));
    // `exit`, since a child process may keep the pipes open for ever; its output is read first.
    child.on('exit', (code, signal) => {
      const failure = signal === null ? `it exited with code ${code}` : `it was stopped by ${signal}`;
      const read = setTimeout(() => end(code === 0 ? undefined : failure), READ_ON_MS);
      child.on('close', () => {
        clearTimeout(read);
        end(code === 0 ? undefined : failure);
      });
    });
  });
}

/** What a program gets of the runner's environment: none of the inputs, which hold the platform's keys. */
export function withoutOurSecrets(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(INPUT_|DOCS_COURIER_)/i.test(name)));
}
