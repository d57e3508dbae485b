import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnServer } from '../support/server-process.ts';

export const CHECKOUT = resolve(import.meta.dirname, '../..');
// Instead of npm for `ci` (takes the packages that are installed) and for `test` (this is part of
// it); all else is npm's.
const COMMANDS = join(CHECKOUT, 'test/examples/commands');
const PATIENCE_MS = 60_000;

export interface Ended {
  readonly exitCode: number;
  readonly output: string;
}

/** A block of shell commands of a page, and the page's other code before it. */
interface CodeBlock {
  readonly language: string;
  readonly code: string;
}

export function codeBlocks(path: string): CodeBlock[] {
  const text = readFileSync(join(CHECKOUT, path), 'utf8');
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));
}

export function shellBlocks(path: string): string[] {
  return codeBlocks(path).flatMap(({ language, code }) => (language === 'sh' ? [code] : []));
}

interface ReaderOptions {
  /**
   * Where the command line is installed; default: nowhere yet, and an installation goes into the
   * reader's home.
   */
  readonly prefix?: string | undefined;
  /** The folder that `npm run package` makes, when it was made before. */
  readonly packed?: string | undefined;
  /** Programs of clouds and clusters that are only recorded, in `calls`. */
  readonly standIns?: readonly string[] | undefined;
}

interface RunningServer {
  readonly child: ChildProcess;
  /** Everything that it has printed so far. */
  readonly output: () => string;
}

async function pressCtrlC(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  process.kill(-child.pid, 'SIGINT');
  await closed;
}

/**
 * What a reader has: a folder, a terminal for servers, and one for everything else that keeps its
 * variables and its folder.
 */
export class Reader implements AsyncDisposable {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'docs-courier-reader-')));
  #server: RunningServer | undefined;
  #stopped: () => string = () => '';
  readonly prefix: string;
  readonly #packed: string;

  constructor({ prefix, packed = '', standIns = [] }: ReaderOptions = {}) {
    this.prefix = prefix ?? join(this.home, 'installed');
    this.#packed = packed;
    mkdirSync(join(this.home, 'programs'));
    for (const name of standIns) this.#addStandIn(name);
    mkdirSync(join(this.home, 'work'));
    writeFileSync(join(this.home, 'folder'), join(this.home, 'work'));
    writeFileSync(join(this.home, 'variables'), '');
  }

  /** Where the reader is now. */
  get folder(): string {
    return readFileSync(join(this.home, 'folder'), 'utf8').trim();
  }

  set folder(path: string) {
    writeFileSync(join(this.home, 'folder'), path);
  }

  #addStandIn(name: string): void {
    const path = join(this.home, 'programs', name);
    // A document on standard input is read, as the real program does.
    writeFileSync(
      path,
      `#!/bin/sh\nprintf '%s\\n' "${name} $*" >> '${join(this.home, 'calls')}'\ncat >/dev/null\n`,
    );
    chmodSync(path, 0o755);
  }

  /** The calls of stand-ins so far, one per line. */
  get calls(): string {
    const path = join(this.home, 'calls');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** Output of the server in the first terminal, since its start. */
  get serverOutput(): string {
    return (this.#server?.output ?? this.#stopped)();
  }

  get #environment(): Record<string, string> {
    return {
      PATH: [
        join(this.home, 'programs'),
        COMMANDS,
        join(this.prefix, 'bin'),
        dirname(process.execPath),
        process.env.PATH ?? '',
      ].join(delimiter),
      HOME: this.home,
      LANG: 'C.UTF-8',
      EXAMPLES_NODE_MODULES: join(CHECKOUT, 'node_modules'),
      EXAMPLES_PACKAGE: this.#packed,
      npm_config_prefix: this.prefix,
      npm_config_update_notifier: 'false',
      // Nothing that a page installs or starts comes from a registry.
      npm_config_offline: 'true',
      // The published address leads to this checkout.
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `url.${CHECKOUT}.insteadOf`,
      GIT_CONFIG_VALUE_0: 'https://git.example.com/docs-courier.git',
      GIT_CONFIG_NOSYSTEM: '1',
    };
  }

  /**
   * Runs a block in the second terminal, as it is. Variables and functions that it sets, and the
   * folder it goes to, stay.
   */
  async run(code: string): Promise<Ended> {
    const [variables, folder] = [join(this.home, 'variables'), join(this.home, 'folder')];
    const script = [
      `cd "$(cat '${folder}')"; . '${variables}'; set -a -e`,
      code,
      `{ export -p | grep -v -E ' (PATH|HOME|PWD|OLDPWD|SHLVL|_)='; declare -f; } > '${variables}'; pwd > '${folder}'`,
    ].join('\n');
    const child = spawn('bash', ['-c', script], {
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.stderr.on('data', (part: Buffer) => parts.push(part));
    await once(child, 'close');
    return { exitCode: child.exitCode ?? 1, output: Buffer.concat(parts).toString() };
  }

  /**
   * Starts a server in the first terminal, instead of the one that runs there, and waits until it
   * has printed `ready`.
   */
  async serve(code: string, ready: RegExp): Promise<void> {
    await this.stop();
    this.#server = await this.#start(code, ready);
  }

  /**
   * Starts a server in the second terminal, waits until it has printed `ready`, and ends it with
   * Ctrl+C after `look`.
   */
  async look(code: string, ready: RegExp, look: (output: string) => Promise<void>): Promise<void> {
    const server = await this.#start(code, ready);
    try {
      await look(server.output());
    } finally {
      await pressCtrlC(server.child);
    }
  }

  async #start(code: string, ready: RegExp): Promise<RunningServer> {
    // Ctrl+C reaches npm and what it started, as in a terminal.
    const child = spawnServer('bash', ['-c', code], { cwd: this.folder, env: this.#environment });
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.stderr.on('data', (part: Buffer) => parts.push(part));
    const output = () => Buffer.concat(parts).toString();
    const deadlineMs = performance.now() + PATIENCE_MS;
    while (!ready.test(output())) {
      if (child.exitCode !== null || performance.now() > deadlineMs) {
        await pressCtrlC(child);
        throw new Error(`${code.trim()} printed no ${ready}:\n${output()}`);
      }
      await delay(50);
    }
    return { child, output };
  }

  /** Starts the emulator, and copies the line that it prints for the second terminal. */
  async serveEmulator(code: string): Promise<void> {
    await this.serve(code, /^Stop it with Ctrl\+C\.$/m);
    const lines = [...this.serverOutput.matchAll(/^ {2}(export (?:DOCS_COURIER_)?BASE_URL=.*)$/gm)];
    if (lines.length === 0) throw new Error(`no line to copy in:\n${this.serverOutput}`);
    const { exitCode, output } = await this.run(lines.map(([, line = '']) => line).join('\n'));
    if (exitCode !== 0) throw new Error(output);
  }

  /** Ctrl+C in the first terminal. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    this.#stopped = server.output;
    await pressCtrlC(server.child);
  }

  /** A clone with its packages, as the first lesson leaves it. */
  async clone(): Promise<void> {
    const { exitCode, output } = await this.run(
      'git clone -q https://git.example.com/docs-courier.git\ncd docs-courier\nnpm ci',
    );
    if (exitCode !== 0 || !existsSync(join(this.folder, 'package.json'))) throw new Error(output);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.home, { recursive: true, force: true });
  }
}
