#!/usr/bin/env node
import { tmpdir } from 'node:os';
import { runCommand } from '../cli/run.ts';
import { systemClock } from '../clock.ts';
import { keepHeapSmall } from './heap.ts';

/** What started the process waits for its end; everything must be written by then. */
const LONGEST_EXIT_MS = 4500;
/** All is written by then, also into a pipe whose reader is slow. */
const LONGEST_DRAIN_MS = 2000;

const cancel = new AbortController();
const { stderr, stdout } = process;

function end(reason: unknown): void {
  if (cancel.signal.aborted) process.exit(1);
  cancel.abort(reason);
  setTimeout(() => process.exit(1), LONGEST_EXIT_MS).unref();
}

function onSignal(signal: NodeJS.Signals): void {
  // Other commands have no job.
  const hasJob = process.argv.slice(2).some((word) => word === 'export' || word === 'agent');
  const job = hasJob ? ' The job keeps running on the platform.' : '';
  if (!cancel.signal.aborted) stderr.write(`Received ${signal}, exiting.${job}\n`);
  end(signal);
}

/** A fault of this program. Its message may repeat what it was given, so only its name and where it happened are shown. */
function onFault(fault: unknown): void {
  process.exitCode = 1;
  stderr.write(`Docs Courier itself failed: ${fault instanceof Error ? fault.name : 'unknown fault'}\n`);
  const places = fault instanceof Error ? (fault.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : [];
  for (const line of places) stderr.write(`${line}\n`);
  // What the rest of the run would do is unknown: it ends, in order.
  if (!cancel.signal.aborted) end(fault);
}

process.on('uncaughtException', onFault);
process.on('unhandledRejection', onFault);
// A pipe whose reader has gone, such as `| head`, ends nothing: the job id must still reach the files.
for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const;
for (const signal of SIGNALS) process.on(signal, onSignal);

/** A terminal that can replace a line; its code is loaded only where there is one. */
async function findTerminal() {
  if (!stderr.isTTY || process.env.TERM === 'dumb') return undefined;
  const { openTerminal } = await import('../cli/terminal.ts');
  return openTerminal(stderr);
}

const host = {
  env: process.env,
  cwd: process.cwd(),
  temp: tmpdir(),
  write: (line: string) => stderr.write(`${line}\n`),
  terminal: await findTerminal(),
};

async function run(args: readonly string[]): Promise<number | undefined> {
  if (args[0] === 'emulator' || (args[0] === 'help' && args[1] === 'emulator')) {
    // It has its own signals and options.
    for (const signal of SIGNALS) process.removeListener(signal, onSignal);
    const { runEmulator } = await import('../../emulator/src/command.ts');
    await runEmulator(args[0] === 'help' ? ['--help'] : args.slice(1));
    return undefined;
  }
  keepHeapSmall();
  return runCommand({
    args,
    host,
    programPath: process.argv[1] ?? '',
    print: (text) => stdout.write(text),
    clock: systemClock,
    signal: cancel.signal,
  });
}

try {
  const exitCode = await run(process.argv.slice(2));
  if (exitCode !== undefined) {
    process.exitCode = exitCode;
    setTimeout(() => process.exit(), LONGEST_DRAIN_MS).unref();
  }
} catch (fault) {
  onFault(fault);
} finally {
  for (const signal of SIGNALS) process.removeListener(signal, onSignal);
}
