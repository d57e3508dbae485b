import { type ChildProcess, execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnServer } from '../server-process.ts';

const SCRIPT = join(import.meta.dirname, '../../../scripts/real-servers.sh');
const READY_MS = 120_000;
const STOP_MS = 10_000;

export type ServerName =
  | 'gitea'
  | 'kube-apiserver'
  | 'vault'
  | 'moto'
  | 'etcd'
  | 'helm'
  | 'registry'
  | 'crane'
  | 'cosign';

/**
 * The folder of a server that `scripts/real-servers.sh` has built; undefined if it is not in the
 * cache.
 */
function serverFolder(name: ServerName): string | undefined {
  try {
    return execFileSync('bash', [SCRIPT, '--path', name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}

/** The program of a server, for a test that needs it. */
export function serverProgram(name: ServerName, program: string = name): string {
  const folder = serverFolder(name);
  if (folder === undefined)
    throw new Error(`${name} is not built; run: bash scripts/real-servers.sh ${name}`);
  return join(folder, program);
}

interface ProgramOptions {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Repeated until it returns true; an error counts as "not yet". */
  readonly isReady: () => Promise<boolean>;
}

/** A server as a child process. Its output is shown if it does not become ready. */
export class Program implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #name: string;
  #output = '';

  private constructor({ program, arguments: args, env }: ProgramOptions) {
    this.#name = program;
    this.#child = spawnServer(program, args, {
      cwd: dirname(program),
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    });
    const keep = (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString()).slice(-20_000);
    };
    this.#child.stdout?.on('data', keep);
    this.#child.stderr?.on('data', keep);
    this.#child.on('error', (error) => {
      this.#output += error.message;
    });
  }

  static async start(options: ProgramOptions): Promise<Program> {
    const program = new Program(options);
    try {
      await program.#waitUntil(options.isReady);
    } catch (error) {
      await program[Symbol.asyncDispose]();
      throw error;
    }
    return program;
  }

  /** The last 20,000 characters of its output. */
  get output(): string {
    return this.#output;
  }

  async #waitUntil(isReady: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + READY_MS;
    while (performance.now() < end) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) break;
      if (await isReady().catch(() => false)) return;
      await delay(100);
    }
    throw new Error(`${this.#name} did not become ready:\n${this.#output}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (
      this.#child.pid === undefined ||
      this.#child.exitCode !== null ||
      this.#child.signalCode !== null
    )
      return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(timer);
  }
}
