import { setFlagsFromString } from 'node:v8';

/**
 * The runner asks twice, 7.5 s apart, before it kills: by then everything must be written. Others
 * wait for the end.
 */
const LONGEST_EXIT_MS = 4500;
/** All is written by then, also into a pipe whose reader is slow. */
const LONGEST_DRAIN_MS = 2000;
/**
 * What ends a program. SIGBREAK is what a Windows runner's second request, Ctrl+Break, arrives as.
 */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const;

interface Program {
  /** It does not handle them on its own. */
  readonly endsOnSignals: boolean;
  /** Says that a signal ends the program. */
  readonly showSignal: (signal: NodeJS.Signals) => void;
  /** The exit code if `run` does not end in time after a signal, or if another one comes. */
  readonly signalExitCode: (signal: NodeJS.Signals) => number;
  /** Says what `run` threw, or what nothing has caught. */
  readonly showFault: (fault: unknown) => void;
  /**
   * Standard output cannot be written: the disk is full, or its reader is gone. `end`: the program
   * is of no use without it, and ends. Else it is called once, and the program continues: its exit
   * code is 1 if it would have been 0.
   */
  readonly onLostOutput: 'end' | ((error: Error) => void);
}

/** Gives the exit code; undefined: the program ends when nothing is left to do. */
type Run = (signal: AbortSignal) => Promise<number | undefined>;

/**
 * Runs a program until it ends, a signal ends it, or it has a fault, which makes its exit code 1.
 */
export async function runProcess(run: Run, program: Program): Promise<void> {
  const { showSignal, signalExitCode, showFault, onLostOutput } = program;
  const signals = program.endsOnSignals ? SIGNALS : [];
  const cancel = new AbortController();
  let hasFault = false;
  let isOutputLost = false;
  const end = (reason: unknown, exitCode = 1) => {
    if (cancel.signal.aborted) return;
    cancel.abort(reason);
    setTimeout(() => process.exit(exitCode), LONGEST_EXIT_MS).unref();
  };
  const onSignal = (signal: NodeJS.Signals) => {
    const exitCode = signalExitCode(signal);
    if (cancel.signal.aborted) process.exit(exitCode);
    showSignal(signal);
    end(signal, exitCode);
  };
  const onFault = (fault: unknown) => {
    hasFault = true;
    process.exitCode = 1;
    showFault(fault);
    // What the rest of the run would do is unknown: it ends, in order.
    end(fault);
  };
  const onOutputError = (error: Error) => {
    if (onLostOutput === 'end') return end(error);
    if (!isOutputLost) onLostOutput(error);
    isOutputLost = true;
    // The error may come when `run` has ended.
    process.exitCode ||= 1;
  };
  for (const signal of signals) process.on(signal, onSignal);
  process.stdout.on('error', onOutputError);
  // Reporting that the reader of the log is gone would fail again, without end.
  process.stderr.on('error', (error) => (onLostOutput === 'end' ? end(error) : undefined));
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
  try {
    const exitCode = await run(cancel.signal);
    if (exitCode === undefined) return;
    process.exitCode = hasFault ? 1 : exitCode || Number(isOutputLost);
  } catch (error) {
    onFault(error);
  } finally {
    for (const signal of signals) {
      // The run's exit code is final: a signal that comes now only ends the wait for what is left
      // to do. The new listener comes first: a signal that finds none ends the program without an
      // exit code.
      process.on(signal, () => process.exit());
      process.removeListener(signal, onSignal);
    }
  }
  // Once nothing is left to do, Node.js would first give up its listeners, and a signal would end
  // it without an exit code.
  process.once('beforeExit', () => process.exit());
  // A request for a tunnel that a proxy never answers would keep the process alive for as long as
  // the proxy likes.
  setTimeout(() => process.exit(), LONGEST_DRAIN_MS).unref();
}

/**
 * Large archives and pages leave much garbage behind, and Node.js would rather take hundreds of MiB
 * for it than collect it. Call it before anything large is read.
 */
export function keepHeapSmall(): void {
  // Without the second, the first has no effect at run time.
  setFlagsFromString('--max-semi-space-size=1');
  setFlagsFromString('--semi-space-growth-factor=1');
  // What outlived a small young generation is mostly garbage too: it is collected once the rest has
  // grown by a fifth.
  setFlagsFromString('--heap-growing-percent=20');
}
