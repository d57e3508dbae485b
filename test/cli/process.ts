import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ADMIN_KEY, type Workplace } from './harness.ts';

export const PROGRAM = join(import.meta.dirname, '../../src/entry/cli.ts');
const PATIENCE_MS = 25_000;

interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** A file descriptor for standard output; default: a pipe that is read. */
  readonly stdout?: number | 'pipe';
}

/**
 * The command line as a separate process, in a working folder and with a folder for its temporary
 * files.
 */
export class Courier {
  readonly temp: string;
  readonly #child;
  readonly #closed: Promise<unknown>;
  stdout = '';
  /** The log. */
  stderr = '';

  constructor(
    { folder, platform }: Workplace,
    args: readonly string[],
    { env = {}, stdout = 'pipe' }: StartOptions = {},
  ) {
    this.temp = join(folder, '../temp');
    mkdirSync(this.temp, { recursive: true });
    this.#child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        HOME: join(folder, '..'),
        TMPDIR: this.temp,
        DOCS_COURIER_BASE_URL: platform.url,
        DOCS_COURIER_ADMIN_API_KEY: ADMIN_KEY,
        ...env,
      },
      stdio: ['ignore', stdout, 'pipe'],
    });
    this.#closed = once(this.#child, 'close');
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
  }

  /** Waits until something has happened, while the program runs. */
  async until(isTrue: () => boolean): Promise<void> {
    const endMs = performance.now() + PATIENCE_MS;
    while (!isTrue()) {
      if (this.#child.exitCode !== null || performance.now() > endMs)
        throw new Error(`It never happened:\n${this.stderr}`);
      await delay(5);
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Closes the reading end of its standard output. */
  closeOutput(): void {
    this.#child.stdout?.destroy();
  }

  /** The exit code, or the signal that ended it. */
  async ended(): Promise<number | NodeJS.Signals | null> {
    await this.#closed;
    return this.#child.exitCode ?? this.#child.signalCode;
  }
}
