import { MANNERS, showHint } from '../../../src/ci/hints.ts';
import type { CiRun } from '../../../src/ci/port.ts';
import { createGitHub, type RunContext } from '../../../src/github/connection.ts';
import type { Clock } from '../../../src/ground/clock.ts';
import { CourierError } from '../../../src/ground/errors.ts';
import { Http } from '../../../src/http/http.ts';
import { createPlatformClient, type PlatformKeys } from '../../../src/platform/client.ts';
import type { Deps } from '../../../src/run/context.ts';
import type { RunFacts } from '../../../src/run/report.ts';
import { makeRun } from '../make-run.ts';
import { type RecordingLog, recordingLog } from '../recording-log.ts';

/** What a test can change about one run in process. */
export interface RunOptions {
  readonly run?: Partial<RunContext> | undefined;
  /** The run from the adapter of the CI system. */
  readonly ci?: Partial<CiRun> | undefined;
  /** Further variables of the runner. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly eventName?: string | undefined;
  /** Payload of the event; a step reads it from a file. */
  readonly payload?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Default: the world's. */
  readonly clock?: Clock | undefined;
  /** Keys for the platform. Default: the platform's own. */
  readonly keys?: PlatformKeys | undefined;
  readonly random?: (() => number) | undefined;
}

/** How a run in process ended. */
export interface Outcome<Facts> {
  /** Everything that is known: what the run recorded and, if it succeeded, how it ended. */
  readonly facts: Partial<Facts> & Partial<RunFacts>;
  /** What the run recorded, even if it failed. */
  readonly recorded: Partial<Facts>;
  readonly error: CourierError | undefined;
  readonly log: RecordingLog;
}

/** The environment of a run: the world creates it for each run. */
export interface Destination {
  readonly context: RunContext;
  readonly baseUrl: string;
  readonly keys: PlatformKeys;
  readonly clock: Clock;
  /** Receives what each run logs, in order. */
  readonly log: RecordingLog;
}

/** What a mode gets from `main`, over real HTTP. */
export function makeDeps<Facts>(
  destination: Destination,
  options: RunOptions,
  record: (facts: Partial<Facts>) => void,
): RunDeps<Facts> {
  const { context, baseUrl, keys } = destination;
  const log = recordingLog(destination.log);
  const clock = options.clock ?? destination.clock;
  const base = { clock, log, signal: options.signal ?? new AbortController().signal };
  const http = new Http(base);
  const platformHttp = new Http({ ...base, random: options.random });
  return {
    ...base,
    run: { ...makeRun(context, options.env), ...options.ci },
    platform: createPlatformClient({ http: platformHttp, baseUrl, keys }),
    github: createGitHub({ run: context, http, signal: base.signal }),
    http,
    showHint: (hint) => showHint(hint, MANNERS.workflow),
    record,
  };
}

export interface RunDeps<Facts> extends Deps<Facts> {
  readonly log: RecordingLog;
}

/**
 * Runs a mode to its end. Throws only what is not a `CourierError`: that is a bug, not a result.
 */
export async function runToEnd<Facts>(
  mode: (deps: Deps<Facts>) => Promise<RunFacts>,
  depsFor: (record: (facts: Partial<Facts>) => void) => RunDeps<Facts>,
  onRecord: (facts: Partial<Facts>) => void = () => {},
): Promise<Outcome<Facts>> {
  let recorded: Partial<Facts> = {};
  const deps = depsFor((facts) => {
    recorded = { ...recorded, ...facts };
    onRecord(facts);
  });
  const { log } = deps;
  try {
    const ending = await mode(deps);
    return { facts: { ...recorded, ...ending }, recorded, error: undefined, log };
  } catch (error) {
    if (!(error instanceof CourierError)) throw error;
    return { facts: recorded, recorded, error, log };
  }
}
