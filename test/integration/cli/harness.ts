import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Terminal } from '../../../src/ci/port.ts';
import { runCommand } from '../../../src/cli/run.ts';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../../src/emulator/platform/emulator.ts';
import { fakeClock } from '../../support/fake-clock.ts';

export const ADMIN_KEY = 'svc_admin0123456789';
export const ASSISTANT_KEY = 'svc_dsc_assistant0123456789';
export const DOMAIN = 'acme.example.com';

/** The command line, started in this process, with an emulator of the platform and an empty folder. */
export interface Laptop extends AsyncDisposable {
  readonly platform: Emulator;
  /** The working folder. */
  readonly folder: string;
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly terminal?: Terminal;
  readonly onLine?: (line: string) => void;
}

export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  /** The log. */
  readonly stderr: string;
}

export async function openLaptop(options: Partial<EmulatorOptions> = {}): Promise<Laptop> {
  const clock = fakeClock({ now: Date.now() });
  const platform = await startEmulator({
    sites: { acme: { 'index.md': '# Docs\n\nHello.', 'install.md': '# Install\n\nOne command.' } },
    keys: { admin: ADMIN_KEY, assistant: ASSISTANT_KEY },
    clock: { now: () => Math.floor(clock.now()) },
    ...options,
  });
  const root = await realpath(await mkdtemp(join(tmpdir(), 'laptop-')));
  const [folder, temp] = [join(root, 'work'), join(root, 'temp')];
  await Promise.all([mkdir(folder), mkdir(temp)]);
  return {
    platform,
    folder,
    async run(args, { env = {}, signal = new AbortController().signal, terminal, onLine } = {}) {
      const [stdout, stderr]: [string[], string[]] = [[], []];
      const write = (line: string) => {
        stderr.push(`${line}\n`);
        onLine?.(line);
      };
      const variables = { DOCS_COURIER_BASE_URL: platform.url, DOCS_COURIER_ADMIN_API_KEY: ADMIN_KEY, ...env };
      const exitCode = await runCommand({
        args,
        host: { env: variables, cwd: folder, temp, write, terminal },
        programPath: join(import.meta.dirname, '../../../src/entry/cli.ts'),
        print: (text) => stdout.push(text),
        clock,
        signal,
      });
      return { exitCode, stdout: stdout.join(''), stderr: stderr.join('') };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([platform.close(), rm(root, { recursive: true, force: true })]);
    },
  };
}
