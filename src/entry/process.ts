import { setFlagsFromString } from 'node:v8';

/**
 * How long a program may take to end after a signal. The runner of GitHub sends two signals, 7.5 s
 * apart, before it kills a step: by the second one everything must be written.
 */
const LONGEST_EXIT_MS = 4500;
/**
 * How long output may take to be written after the end of `run`, into a pipe with a slow reader.
 */
const LONGEST_DRAIN_MS = 2000;
/** The signals that end a program. On Windows, the second signal of the runner is SIGBREAK. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const;

interface Program {
  /** False for a program that handles signals itself. */
  readonly endsOnSignals: boolean;
  /** Says that a signal ends the program. */
  readonly showSignal: (signal: NodeJS.Signals) => void;
  /** The exit code if `run` does not end in time after a signal, or if another signal comes. */
  readonly signalExitCode: (signal: NodeJS.Signals) => number;
  /** Shows an error that `run` threw or that nothing has caught. */
  readonly showFault: (fault: unknown) => void;
  /**
   * What to do if standard output cannot be written: the disk is full, or its reader has ended.
   * `end`: the program ends. A function is called once, and the program continues; its exit code is
   * then 1 instead of 0.
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
  // Cancels `run`, and ends the process with this exit code if `run` takes too long.
  const end = (reason: unknown, exitCode = 1) => {
    if (cancel.signal.aborted) return;
    cancel.abort(reason);
    setTimeout(() => process.exit(exitCode), LONGEST_EXIT_MS).unref();
  };
  const onSignal = (signal: NodeJS.Signals) => {
    const exitCode = signalExitCode(signal);
    // The second signal: the person who sent it does not want to wait until the program has ended.
    if (cancel.signal.aborted) process.exit(exitCode);
    showSignal(signal);
    end(signal, exitCode);
  };
  const onFault = (fault: unknown) => {
    hasFault = true;
    process.exitCode = 1;
    showFault(fault);
    // After a fault, the program cannot rely on its own state: the run is cancelled.
    end(fault);
  };
  const onOutputError = (error: Error) => {
    if (onLostOutput === 'end') return end(error);
    if (!isOutputLost) onLostOutput(error);
    isOutputLost = true;
    // Here too, since the error may come when `run` has ended and has set its exit code.
    process.exitCode ||= 1;
  };
  for (const signal of signals) process.on(signal, onSignal);
  process.stdout.on('error', onOutputError);
  // Not reported: a report to standard error would fail again, without end.
  process.stderr.on('error', (error) => (onLostOutput === 'end' ? end(error) : undefined));
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
  try {
    const exitCode = await run(cancel.signal);
    // Such as a server that `run` has started: it continues.
    if (exitCode === undefined) return;
    // A fault makes it 1, and so does lost output if the program itself has succeeded.
    process.exitCode = hasFault ? 1 : exitCode || Number(isOutputLost);
  } catch (error) {
    onFault(error);
  } finally {
    for (const signal of signals) {
      // The exit code of the run is final: a signal that comes now only ends the wait for output.
      // The new listener is added before the old one is removed, since without a listener a signal
      // would end the process without this exit code.
      process.on(signal, () => process.exit());
      process.removeListener(signal, onSignal);
    }
  }
  // When nothing is left to do, the process exits at once: Node.js would first remove its
  // listeners, and a signal in that moment would end the process without this exit code.
  process.once('beforeExit', () => process.exit());
  // Without this limit, a proxy that never answers a request for a tunnel would keep the process
  // alive.
  setTimeout(() => process.exit(), LONGEST_DRAIN_MS).unref();
}

/**
 * Makes Node.js collect garbage early: after large archives and pages, it would use hundreds of MiB
 * more instead. Call this before anything large is read.
 */
export function keepHeapSmall(): void {
  // Without the second of these flags, the first has no effect at run time.
  setFlagsFromString('--max-semi-space-size=1');
  setFlagsFromString('--semi-space-growth-factor=1');
  // What survives a small young generation is mostly garbage too: the old generation is collected
  // each time that it has grown by a fifth.
  setFlagsFromString('--heap-growing-percent=20');
}
