import { createGiteaRunner } from '../ci/gitea/runner.ts';
import { actionStep } from '../ci/github/core.ts';
import { createRunner, giteaKind, readActionInputs } from '../ci/github/runner.ts';
import { systemClock } from '../clock.ts';
import { CourierError } from '../errors.ts';
import { createLog } from '../log.ts';
import { loadMode } from '../modes.ts';
import { main } from '../run/main.ts';
import { keepHeapSmall } from './heap.ts';

/** The runner asks twice, 7.5 s apart, before it kills: by then everything must be written. */
const LONGEST_EXIT_MS = 4500;
/** All is written by then, also into a pipe whose reader is slow. */
const LONGEST_DRAIN_MS = 2000;

keepHeapSmall();
const workflow = createRunner(process.env, actionStep);
const gitea = giteaKind(process.env);
const runner = gitea === undefined ? workflow : createGiteaRunner(gitea, workflow, process.env);
const source = readActionInputs(process.env);
const log = createLog(runner.toolkit);
const cancel = new AbortController();

function onSignal(signal: NodeJS.Signals): void {
  if (cancel.signal.aborted) process.exit(1);
  log.info(`Received ${signal}, exiting. The job keeps running on the platform.`);
  end(signal);
}

function end(reason: unknown): void {
  if (cancel.signal.aborted) return;
  cancel.abort(reason);
  setTimeout(() => process.exit(1), LONGEST_EXIT_MS).unref();
}

let hasFault = false;

/** A fault of this program: one line, redacted like every other; the stack only where debugging is on. */
function onFault(fault: unknown): void {
  hasFault = true;
  process.exitCode = 1;
  log.error(
    `Docs Courier itself failed: ${fault instanceof Error ? `${fault.name}: ${fault.message}` : 'unknown fault'}`,
  );
  if (fault instanceof Error) for (const line of (fault.stack ?? '').split('\n')) log.debug(line);
  // What the rest of the run would do is unknown: it ends, in order.
  end(fault);
}

/** No result can be written: all that is left is the log. */
function onError(error: unknown): void {
  if (error instanceof CourierError) {
    process.exitCode = 1;
    const hint = error.hint === undefined ? '' : `\n${runner.showHint(error.hint)}`;
    log.error(`${error.message}${hint}`, { title: `Docs Courier: ${error.code}` });
  } else onFault(error);
}

// SIGBREAK is what a Windows runner's second request, Ctrl+Break, arrives as.
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const;
for (const signal of SIGNALS) process.on(signal, onSignal);
// The runner is gone: reporting that would fail again, without end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', end);
process.on('uncaughtException', onFault);
process.on('unhandledRejection', onFault);

try {
  const exitCode = await main({ loadMode, runner, source, log, clock: systemClock, signal: cancel.signal });
  process.exitCode = hasFault ? 1 : exitCode;
} catch (error) {
  onError(error);
} finally {
  for (const signal of SIGNALS) process.removeListener(signal, onSignal);
  // A request for a tunnel that a proxy never answers would keep the process alive for as long as the proxy likes.
  setTimeout(() => process.exit(), LONGEST_DRAIN_MS).unref();
}
