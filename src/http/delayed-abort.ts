/** A signal that aborts so long after the given one: for what must still be said once the run was cancelled. */
export function delayedAbort(signal: AbortSignal, delayMs: number): AbortSignal {
  const controller = new AbortController();
  const start = () => setTimeout(() => controller.abort(signal.reason), delayMs).unref();
  if (signal.aborted) start();
  else signal.addEventListener('abort', start, { once: true });
  return controller.signal;
}
