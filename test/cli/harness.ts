import { join } from 'node:path';
import type { Emulator, EmulatorOptions } from '../../emulator/src/platform/emulator.ts';
import type { Terminal } from '../../src/ci/port.ts';
import { runCommand } from '../../src/cli/run.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { ADMIN_KEY } from '../support/make-inputs.ts';
import { assertReport } from '../support/schemas.ts';
import { startWorld } from '../support/world.ts';

export { ADMIN_KEY, ASSISTANT_KEY } from '../support/make-inputs.ts';
export { DOMAIN } from '../support/world/names.ts';

/** Where the command line works, and with which platform. */
export interface Workplace {
  readonly platform: Emulator;
  /** The working folder. */
  readonly folder: string;
}

/**
 * The command line, started in this process, with an emulator of the platform and an empty folder.
 */
export interface Laptop extends Workplace, AsyncDisposable {
  /** Of the platform and of every run. */
  readonly clock: FakeClock;
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Below the working folder; default: that one itself. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  readonly terminal?: Terminal;
  /** Gets what is written to standard output, when it is. */
  readonly onPrint?: (text: string) => void;
}

export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  /** The log. */
  readonly stderr: string;
}

export async function openLaptop(options: Partial<EmulatorOptions> = {}): Promise<Laptop> {
  const world = await startWorld({ github: false, platform: options });
  const { platform, clock, workspace: folder, runnerTemp: temp } = world;
  return {
    platform,
    clock,
    folder,
    async run(
      args,
      { env = {}, cwd = '', signal = new AbortController().signal, terminal, onPrint } = {},
    ) {
      const [stdout, stderr]: [string[], string[]] = [[], []];
      const write = (line: string) => void stderr.push(`${line}\n`);
      const variables = {
        DOCS_COURIER_BASE_URL: platform.url,
        DOCS_COURIER_ADMIN_API_KEY: ADMIN_KEY,
        ...env,
      };
      const exitCode = await runCommand({
        args,
        host: {
          env: variables,
          cwd: join(folder, cwd),
          temp,
          write,
          terminal,
          program: 'docs-courier',
        },
        print: (text) => {
          stdout.push(text);
          onPrint?.(text);
        },
        clock,
        signal,
      });
      if (args.includes('--json') && !args.includes('--version') && stdout.length > 0)
        assertReport(stdout.join(''));
      return { exitCode, stdout: stdout.join(''), stderr: stderr.join('') };
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}
