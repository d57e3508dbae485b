#!/usr/bin/env node
import { runCommand, signalExitCode } from '../cli/run.ts';
import { systemClock } from '../clock.ts';
import { machineTemporary } from '../temporary.ts';
import { keepHeapSmall, runProcess } from './process.ts';

const { stderr, stdout } = process;
const args = process.argv.slice(2);
const isEmulator = args[0] === 'emulator' || (args[0] === 'help' && args[1] === 'emulator');

async function runEmulator(): Promise<undefined> {
  const emulator = await import('../../emulator/src/command.ts');
  await emulator.runEmulator(args[0] === 'help' ? ['--help'] : args.slice(1));
}

/** A terminal that can replace a line; its code is loaded only where there is one. */
async function findTerminal() {
  if (!stderr.isTTY || process.env.TERM === 'dumb') return undefined;
  const { openTerminal } = await import('../cli/terminal.ts');
  return openTerminal(stderr);
}

async function run(signal: AbortSignal): Promise<number> {
  keepHeapSmall();
  const write = (line: string) => stderr.write(`${line}\n`);
  return runCommand({
    args,
    host: { env: process.env, cwd: process.cwd(), temp: machineTemporary(), write, terminal: await findTerminal() },
    programPath: process.argv[1] ?? '',
    print: (text) => stdout.write(text),
    clock: systemClock,
    signal,
  });
}

await runProcess(isEmulator ? runEmulator : run, {
  endsOnSignals: !isEmulator,
  // A pipe whose reader has gone, such as `| head`, ends nothing: the job id must still reach the files.
  needsReader: false,
  signalExitCode,
  showSignal: (signal) => stderr.write(`Received ${signal}, exiting.\n`),
  // A message may repeat what the program was given, so only its name and where it happened are shown.
  showFault(fault) {
    stderr.write(`Docs Courier itself failed: ${fault instanceof Error ? fault.name : 'unknown fault'}\n`);
    const lines = fault instanceof Error ? (fault.stack ?? '').split('\n') : [];
    for (const line of lines.filter((text) => /^\s+at /.test(text))) stderr.write(`${line}\n`);
  },
});
