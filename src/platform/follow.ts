import type { Clock } from '../clock.ts';
import { CourierError, type ErrorCode } from '../errors.ts';
import type { Log } from '../log.ts';
import { plainLine } from '../text/escape.ts';
import type { Reply } from './call.ts';
import { LONGEST_POLL_MS, nextPollMs, type Observation, SHORTEST_POLL_MS } from './schedule.ts';

/** What a look at the job told. */
export interface JobView {
  readonly status: string;
  /** `done`: over, and this is final. `running`: a state that is known. `unknown`: a state that the contract does not show. */
  readonly phase: 'done' | 'running' | 'unknown';
  readonly progress?: unknown;
}

export interface FollowInit<T> {
  /** One look, one attempt: failures are counted here. */
  readonly poll: () => Promise<Reply<T>>;
  readonly view: (job: T) => JobView;
  /** How long to follow, 0 or more. */
  readonly timeoutMs: number;
  /** The job was started a moment ago by this run: the first look comes after 1 s, and a 404 is tolerated for 30 s. */
  readonly fresh: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly random?: (() => number) | undefined;
  /** Called after each look that succeeded, with all looks so far. */
  readonly onLook?: ((job: T, seen: readonly Observation[]) => void) | undefined;
}

export type FollowResult<T> =
  | { readonly kind: 'done'; readonly job: T; readonly elapsedMs: number }
  /** Time is up; `job` is the last look, if there was one. */
  | { readonly kind: 'timed-out'; readonly job: T | undefined; readonly elapsedMs: number };

const MAX_FAILURES_IN_A_ROW = 10;
const NOT_FOUND_TOLERANCE_MS = 30_000;
// A look may fail for these reasons and succeed a moment later.
const PASSING: ReadonlySet<ErrorCode> = new Set(['network', 'protocol', 'rate-limited']);

/** Looks at a remote job until it is over or time is up. Throws what a look throws when it will not pass by itself. */
export async function follow<T>(init: FollowInit<T>): Promise<FollowResult<T>> {
  const { clock, signal, timeoutMs, random = Math.random } = init;
  const startMs = clock.monotonicMs();
  const elapsedMs = () => clock.monotonicMs() - startMs;
  const seen: Observation[] = [];
  const warned = new Set<string>();
  let job: T | undefined;
  let failures = 0;
  let waitMs = init.fresh ? SHORTEST_POLL_MS : 0;
  for (;;) {
    const leftMs = timeoutMs - elapsedMs();
    // No time at all: a job that was started a moment ago is not looked at, one that is attached to is, once.
    if (leftMs <= 0 && (init.fresh || seen.length + failures > 0)) break;
    await clock.sleep(Math.min(waitMs, Math.max(0, leftMs)), signal);
    try {
      const { value } = await init.poll();
      failures = 0;
      job = value;
      const view = init.view(value);
      seen.push({ atMs: elapsedMs(), progress: view.progress });
      init.onLook?.(value, seen);
      if (view.phase === 'done') return { kind: 'done', job: value, elapsedMs: elapsedMs() };
      if (view.phase === 'unknown') warnOnce(warned, view.status, init.log);
      waitMs = nextPollMs(seen, random);
    } catch (error) {
      failures += 1;
      waitMs = waitAfterFailure({
        error,
        failures,
        elapsedMs: elapsedMs(),
        leftMs: timeoutMs - elapsedMs(),
        fresh: init.fresh,
      });
      init.log.debug(`Look ${seen.length + failures} at the job failed (${failures} in a row).`);
    }
  }
  return { kind: 'timed-out', job, elapsedMs: elapsedMs() };
}

function warnOnce(warned: Set<string>, status: string, log: Log): void {
  if (warned.size > 0) return;
  warned.add(status);
  log.warning(
    `The job has the status "${plainLine(log.redact(status), 60)}", which is not documented; following goes on.`,
  );
}

interface FailedLook {
  readonly error: unknown;
  readonly failures: number;
  readonly elapsedMs: number;
  readonly leftMs: number;
  readonly fresh: boolean;
}

/** How long to wait after a failed look; throws when waiting would not help. */
function waitAfterFailure({ error, failures, elapsedMs, leftMs, fresh }: FailedLook): number {
  if (!(error instanceof CourierError)) throw error;
  const early = fresh && error.code === 'not-found' && elapsedMs < NOT_FOUND_TOLERANCE_MS;
  if (!early && !PASSING.has(error.code)) throw error;
  if (!early && failures >= MAX_FAILURES_IN_A_ROW) throw tooManyFailures(error);
  if (error.retryAfterMs !== undefined && error.retryAfterMs > leftMs) throw error;
  const ownMs = early ? SHORTEST_POLL_MS * 2 : Math.min(LONGEST_POLL_MS, SHORTEST_POLL_MS * 2 ** (failures - 1));
  return Math.max(ownMs, error.retryAfterMs ?? 0);
}

function tooManyFailures(last: CourierError): CourierError {
  return new CourierError({
    code: last.code,
    message: `The job could not be looked at ${MAX_FAILURES_IN_A_ROW} times in a row. The last time: ${last.message}`,
    hint: last.hint,
    cause: last,
    httpStatus: last.httpStatus,
    retryAfterMs: last.retryAfterMs,
  });
}
