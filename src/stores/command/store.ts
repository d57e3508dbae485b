import { spawn } from 'node:child_process';
import { basename, delimiter, join, resolve } from 'node:path';
import { cancelled } from '../../clock.ts';
import { findProgram, trustedFolders } from '../../confined-files.ts';
import { CourierError } from '../../errors.ts';
import { createRedact, excerpt } from '../../text/redact.ts';
import {
  type CheckResult,
  type LinkStore,
  type Snapshot,
  type StoreChange,
  type StoreNames,
  type StoreUse,
  UNSEEN,
} from '../port.ts';

interface CommandStoreInit {
  /** The program and its arguments. */
  readonly words: readonly string[];
  /** PATH and HOME: the program gets these and no key. */
  readonly env: Readonly<Record<string, string>>;
  readonly workspace: string;
  /** The workspace holds what a stranger may have written: no folder of PATH in it is used. */
  readonly isCheckout?: boolean | undefined;
  /** Keeps the state that belongs to the link. */
  readonly state: LinkStore;
  readonly signal: AbortSignal;
  readonly timeLimitMs?: number | undefined;
}

const TIME_LIMIT_MS = 60_000;

/** A program of the user that puts the link where it belongs. It gets the link on its standard input, and nowhere else. */
export class CommandStore implements LinkStore {
  readonly names: StoreNames;
  readonly can = { atomic: false, verify: 'none' } as const;
  readonly #init: CommandStoreInit;

  constructor(init: CommandStoreInit) {
    this.#init = init;
    const name = basename(init.words[0] ?? '');
    // Without its arguments, which may be private.
    this.names = {
      ...init.state.names,
      destination: `command:${name}`,
      name,
      target: 'command',
      link: `command ${name}`,
    };
  }

  get signedAddress(): string {
    return `command+${this.#init.state.signedAddress}`;
  }

  async preflight(use?: StoreUse): Promise<readonly CheckResult[]> {
    if (use !== 'read') await this.#find();
    const detail = 'It can be started. Whether it writes the link is known only then.';
    return [...(await this.#init.state.preflight(use)), { what: this.names.link, outcome: 'unknown', detail }];
  }

  async read(seen?: Snapshot): Promise<Snapshot> {
    return withoutLink(await this.#init.state.read(seen));
  }

  async write({ link, state }: StoreChange, seen: Snapshot, signal = this.#init.signal): Promise<Snapshot> {
    if (link !== undefined) await this.#hand(link, signal);
    if (state === undefined) return seen;
    return withoutLink(await this.#init.state.write({ state }, seen, signal));
  }

  async #hand(link: string, signal: AbortSignal): Promise<void> {
    const { words, env, timeLimitMs = TIME_LIMIT_MS } = this.#init;
    const { program, folders } = await this.#find();
    const { PATH: _, ...others } = env;
    // An empty PATH would mean the working folder.
    const own = { ...(folders.length > 0 && { PATH: folders.join(delimiter) }), ...others };
    const call = { words: [program, ...words.slice(1)], env: own, input: link, timeLimitMs, signal };
    const { failure, started, output } = await runProgram(call);
    if (failure === undefined) return;
    const written = started ? 'Whether it has written the link is unknown.' : 'Nothing was written.';
    if (signal.aborted) {
      const error = cancelled(signal.reason);
      const message = `${error.message} The ${this.names.link} was stopped. ${written}`;
      throw error.with({ message, mayHaveStarted: started });
    }
    const printed = excerpt(output.trim(), { redact: createRedact([link]), max: 300 });
    throw new CourierError({
      code: 'io',
      message: `The ${this.names.link} ${failure}. ${written}${printed === '' ? '' : ` It printed: ${printed}`}`,
      hint: 'Try the command by hand with a text on its standard input. It gets the variables PATH and HOME only, and must end with exit code 0.',
      mayHaveStarted: started,
    });
  }

  /** Throws `config` where the program does not exist: before an export is started. */
  async #find(): Promise<{ readonly program: string; readonly folders: readonly string[] }> {
    const { words, env, workspace, isCheckout = false } = this.#init;
    const [program = ''] = words;
    const isPath = /[\\/]/.test(program);
    const folders = await trustedFolders(env.PATH ?? '', isCheckout ? workspace : undefined);
    const paths = isPath ? [resolve(workspace, program)] : folders.map((folder) => join(folder, program));
    const found = await findProgram(paths);
    if (found !== undefined) return { program: found, folders };
    throw new CourierError({
      code: 'config',
      message: `--to-command: there is no program ${basename(program)} ${isPath ? 'at this path' : 'in the folders of PATH outside the workspace'}. Nothing was sent.`,
      hint: 'Give a program and its arguments. There is no shell: for one, name it, as in --to-command "sh -c \'…\'".',
    });
  }
}

/** What a program has written cannot be read back. */
function withoutLink({ state, stateWrittenAtMs, version }: Snapshot): Snapshot {
  return { link: state === undefined ? undefined : {}, content: UNSEEN, state, stateWrittenAtMs, version };
}

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

/** Runs a program without a shell, with a text on its standard input, in a process group that its children belong to. Never throws. */
export function runProgram({ words, env, input, timeLimitMs, signal }: ProgramInit): Promise<ProgramEnd> {
  const [program = '', ...args] = words;
  return new Promise((resolve) => {
    const stdio = ['pipe', 'pipe', 'pipe'] as const;
    const child = spawn(program, args, { env, stdio: [...stdio], detached: HAS_GROUPS, windowsHide: true });
    let output = '';
    let reason: string | undefined;
    let [started, isStopped] = [false, false];
    const stop = (why: string) => {
      reason ??= why;
      isStopped = true;
      endGroup(child.pid, 'SIGTERM');
      setTimeout(() => endGroup(child.pid, 'SIGKILL'), KILL_AFTER_MS).unref();
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
    // `exit`, since a child process may keep the pipes open for ever.
    child.once('exit', (code, killedBy) => {
      // Its children had as much time to end as it took.
      if (isStopped) endGroup(child.pid, 'SIGKILL');
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

const HAS_GROUPS = process.platform !== 'win32';

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(HAS_GROUPS ? -pid : pid, signal);
  } catch {
    // Nothing is left of it.
  }
}

function failureOf(code: number | null, signal: NodeJS.Signals | null): string | undefined {
  if (code === 0) return undefined;
  return signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
}
