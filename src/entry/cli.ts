#!/usr/bin/env node
import { runCommand, signalExitCode } from '../cli/run.ts';
import { startedAs } from '../cli/started.ts';
import { systemClock } from '../ground/clock.ts';
import { errnoOf } from '../ground/errors.ts';
import { machineTemporary } from '../ground/temporary.ts';
import { keepHeapSmall, runProcess } from './process.ts';

const { stderr, stdout } = process;
/** As `engines` of package.json: npm only warns of an older one. */
const OLDEST_NODE = '20.15';
const args = process.argv.slice(2);
const isEmulator = args[0] === 'emulator' || (args[0] === 'help' && args[1] === 'emulator');

async function runEmulator(): Promise<undefined> {
  const emulator = await import('../../emulator/src/command.ts');
  await emulator.runEmulator(args[0] === 'help' ? ['--help'] : args.slice(1));
}

/** A terminal that can replace a line; its code is loaded only if there is one. */
async function findTerminal() {
  if (!stderr.isTTY || process.env.TERM === 'dumb') return undefined;
  const { openTerminal } = await import('../cli/terminal.ts');
  return openTerminal(stderr);
}

/** The working folder; undefined: it no longer exists. */
function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

async function run(signal: AbortSignal): Promise<number | undefined> {
  const version = process.versions.node;
  if (version.localeCompare(OLDEST_NODE, 'en', { numeric: true }) < 0) {
    stderr.write(
      `error: Docs Courier needs Node.js ${OLDEST_NODE} or newer, and this is ${version}.\n`,
    );
    return 1;
  }
  const cwd = workingFolder();
  if (cwd === undefined) {
    stderr.write(
      'error: The working folder no longer exists. Change to another one, and run the command again.\n',
    );
    return 1;
  }
  // The emulator is a server: it sets its own memory, and ends when a signal stops it.
  if (isEmulator) return runEmulator();
  keepHeapSmall();
  const write = (line: string) => stderr.write(`${line}\n`);
  return runCommand({
    args,
    host: {
      env: process.env,
      cwd,
      temp: machineTemporary(),
      write,
      terminal: await findTerminal(),
      program: startedAs(process.argv[1] ?? '', process.env.PATH ?? ''),
    },
    print: (text) => stdout.write(text),
    clock: systemClock,
    signal,
  });
}

await runProcess(run, {
  endsOnSignals: !isEmulator,
  // The run continues, since the job id must still be written to the files.
  onLostOutput: (error) =>
    stderr.write(`error: Standard output could not be written: ${errnoOf(error) ?? error.name}.\n`),
  signalExitCode,
  showSignal: (signal) => stderr.write(`Received ${signal}, exiting.\n`),
  // The message of a fault may contain a secret that was given to the program, so only the name of
  // the fault and its place in the code are shown.
  showFault(fault) {
    const name = fault instanceof Error ? fault.name : 'unknown fault';
    stderr.write(`Docs Courier itself failed: ${name}\n`);
    if (!(fault instanceof Error)) return;
    const lines = fault.stack?.split('\n') ?? [];
    // The stack begins with the message.
    for (const line of lines) if (/^\s+at /.test(line)) stderr.write(`${line}\n`);
  },
});
