import { type Clock, cancelled } from '../clock.ts';
import type { CourierError } from '../errors.ts';
import { afterRetryAfterMs, backoffMs, LONGEST_WAIT_MS, MAX_ATTEMPTS, MAX_RETRIES_PER_RUN } from '../http/retry.ts';
import type { Log } from '../log.ts';
import { type GitHubFailure, readFailure } from './failure.ts';

/** The GitHub REST client that the rest of the folder works with. Its calls throw CourierErrors. */
export type Octokit = ReturnType<typeof import('@actions/github').getOctokit>;

export interface OctokitInit {
  readonly token: string;
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly random?: (() => number) | undefined;
  /** For one attempt. */
  readonly timeoutMs?: number | undefined;
}

const ATTEMPT_TIMEOUT_MS = 30_000;
// RFC 9110, section 9.2.2, and PATCH as GitHub's REST API has it: these set a state, and setting it twice does no harm.
const REPEATABLE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']);

/** Octokit with our limits, retries and errors. Loads the library; the event file must have been checked before. */
export async function createOctokit(init: OctokitInit): Promise<Octokit> {
  const { clock, log, signal, random = Math.random } = init;
  const { getOctokit } = await import('@actions/github');
  const silent = () => {};
  const octokit = getOctokit(init.token, {
    baseUrl: init.apiUrl,
    userAgent: 'docs-courier',
    log: { debug: silent, info: silent, warn: silent, error: silent },
  });
  let retriesLeft = MAX_RETRIES_PER_RUN;

  function waitMs({ retry, retryAfterMs }: GitHubFailure, method: string, attempt: number): number | undefined {
    if (retry === 'no' || (retry === 'if-repeatable' && !REPEATABLE_METHODS.has(method))) return undefined;
    if (attempt >= MAX_ATTEMPTS || retriesLeft <= 0) return undefined;
    if (retryAfterMs === undefined) return backoffMs({ attempt, random });
    return retryAfterMs > LONGEST_WAIT_MS ? undefined : afterRetryAfterMs(retryAfterMs, random);
  }

  octokit.hook.wrap('request', async (request, options) => {
    for (let attempt = 1; ; attempt += 1) {
      if (signal.aborted) throw cancelled(signal.reason);
      const limit = AbortSignal.any([signal, AbortSignal.timeout(init.timeoutMs ?? ATTEMPT_TIMEOUT_MS)]);
      try {
        // Set in place: Octokit binds its own hooks to this object and drops another one. `options.request` itself is shared
        // by all calls, so that gets a copy.
        options.request = { ...options.request, signal: limit };
        return await request(options);
      } catch (error) {
        const failure = readFailure({
          error,
          options,
          nowMs: clock.now(),
          cancelled: signal.aborted,
          redact: log.redact,
        });
        const wait = waitMs(failure, options.method, attempt);
        if (wait === undefined) throw failure.error;
        retriesLeft -= 1;
        tellRetry(log, failure.error, wait);
        await clock.sleep(wait, signal);
      }
    }
  });
  return octokit;
}

function tellRetry(log: Log, error: CourierError, waitMs: number): void {
  log.info(`${error.message} Trying again in ${(waitMs / 1000).toFixed(1)} s.`);
}
