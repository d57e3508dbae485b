import type { Clock } from '../clock.ts';
import { CourierError, type ErrorCode } from '../errors.ts';
import type { PlatformClient } from '../platform/client.ts';
import type { SearchRequest } from '../platform/contract.ts';
import { type Query, requestKey } from './queries.ts';
import { type Answer, judgeAnswer, type QueryOutcome, type Verdict } from './verdict.ts';

/** Requests under way at once: enough to be quick, few enough for a service that others use too. */
export const CONCURRENCY = 6;

const FIRST_WAIT_MS = 2000;
const WAIT_GROWTH = 1.5;
const LONGEST_INTERVAL_MS = 30_000;

// Errors of the key, the site or the organization's limit: each further request would fail alike.
const ENDS_THE_RUN: ReadonlySet<ErrorCode> = new Set([
  'unauthorized',
  'forbidden',
  'not-found',
  'rate-limited',
  'cancelled',
]);
/** Queries in a row without a connection after which the platform counts as down. */
const MAX_FAILURES_IN_A_ROW = 10;

export interface SearchRunInit {
  readonly platform: PlatformClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly domain: string;
  readonly queries: readonly Query[];
  /** Requests of the whole run, waiting included. The transport's own repeats of a failed call are not counted. */
  readonly maxRequests: number;
  /** How long to repeat missed queries; undefined or 0: not at all. */
  readonly waitForIndexMs: number | undefined;
  /** Called before each further round. */
  readonly onWait?: (round: { readonly missed: number; readonly waitMs: number }) => void;
  /** Takes the outcomes so far after each round, also after one that ended early. */
  readonly onRound?: (state: SearchRun) => void;
}

export interface SearchRun {
  /** In the order of the queries. */
  readonly outcomes: readonly QueryOutcome[];
  /** In the order of the queries. */
  readonly answers: readonly Answer[];
  readonly requestCount: number;
  readonly roundCount: number;
  /** Waiting ended because `maxRequests` was used up, with time left. */
  readonly outOfRequests: boolean;
}

/**
 * Runs all queries once and then, within `waitForIndexMs`, again those that missed. Identical requests of a round are made
 * once. Throws `config` before the first request when there are more queries than `maxRequests`, and the error itself when
 * the platform refuses the key, the site or any more requests, or is down; other errors become the verdict of their query.
 */
export async function runQueries(init: SearchRunInit): Promise<SearchRun> {
  const { queries, clock, signal } = init;
  requireEnough(init);
  const deadlineMs = clock.monotonicMs() + (init.waitForIndexMs ?? 0);
  const answers = new Map<Query, Answer>();
  let state = await runRound({ init, queries, answers, before: { requestCount: 0, roundCount: 0 } });
  let pending = queries.filter((query) => verdictOf(query, answers) === 'miss');
  for (let waitMs = FIRST_WAIT_MS; pending.length > 0; waitMs = Math.min(waitMs * WAIT_GROWTH, LONGEST_INTERVAL_MS)) {
    const leftMs = deadlineMs - clock.monotonicMs();
    if (leftMs <= 0) break;
    const affordable = pending.slice(0, init.maxRequests - state.requestCount);
    if (affordable.length === 0) return { ...state, outOfRequests: true };
    const sleepMs = Math.min(waitMs, leftMs);
    init.onWait?.({ missed: pending.length, waitMs: sleepMs });
    await clock.sleep(sleepMs, signal);
    state = await runRound({ init, queries: affordable, answers, before: state });
    // A query that missed and then could not be asked is asked again: it may still pass.
    pending = pending.filter((query) => verdictOf(query, answers) !== 'pass');
  }
  return state;
}

function verdictOf(query: Query, answers: ReadonlyMap<Query, Answer>): Verdict {
  return judgeAnswer(query, answers.get(query) ?? notAsked()).verdict;
}

function requireEnough({ queries, maxRequests }: SearchRunInit): void {
  const needed = new Set(queries.map(({ request }) => requestKey(request))).size;
  if (needed <= maxRequests) return;
  throw new CourierError({
    code: 'config',
    message: `There are ${needed} queries to run, and max-requests allows ${maxRequests} requests. Nothing was sent.`,
    hint: `Raise max-requests to at least ${needed}; waiting for the index needs more. The organization shares 10,000 search requests an hour.`,
  });
}

interface Round {
  readonly init: SearchRunInit;
  readonly queries: readonly Query[];
  /** Filled by the round. */
  readonly answers: Map<Query, Answer>;
  readonly before: { readonly requestCount: number; readonly roundCount: number };
}

async function runRound({ init, queries, answers, before }: Round): Promise<SearchRun> {
  const asked = new Map<string, Promise<Answer>>();
  const ask = createAsk(init);
  const finish = (end?: CourierError): SearchRun => {
    const all = init.queries.map((query) => answers.get(query) ?? notAsked(end));
    const run = {
      outcomes: init.queries.map((query) => judgeAnswer(query, answers.get(query) ?? notAsked(end))),
      answers: all,
      requestCount: before.requestCount + asked.size,
      roundCount: before.roundCount + 1,
      outOfRequests: false,
    };
    init.onRound?.(run);
    return run;
  };
  try {
    await forEachLimited(queries, async (query) => {
      const key = requestKey(query.request);
      const answer = asked.get(key) ?? ask(query.request);
      asked.set(key, answer);
      answers.set(query, await answer);
    });
  } catch (error) {
    finish(error instanceof CourierError ? error : undefined);
    throw error;
  }
  return finish();
}

/** What stands in the place of an answer when the run ended before it came; `end` is what ended the run. */
function notAsked(end?: CourierError): Answer {
  return {
    ok: false,
    error: { code: end?.code ?? 'cancelled', message: 'The run ended before this query was answered.' },
  };
}

function createAsk(init: SearchRunInit): (request: SearchRequest) => Promise<Answer> {
  let failuresInARow = 0;
  return async (request) => {
    const answer = await askOnce(init, request);
    failuresInARow = !answer.ok && answer.error.code === 'network' ? failuresInARow + 1 : 0;
    if (failuresInARow >= MAX_FAILURES_IN_A_ROW && !answer.ok) throw new CourierError(answer.error);
    return answer;
  };
}

async function askOnce({ platform, domain }: SearchRunInit, request: SearchRequest): Promise<Answer> {
  try {
    return { ok: true, results: (await platform.search(domain, request)).value };
  } catch (error) {
    if (!(error instanceof CourierError) || ENDS_THE_RUN.has(error.code)) throw error;
    return { ok: false, error: { code: error.code, message: error.message, hint: error.hint } };
  }
}

/**
 * Runs `task` on all items, CONCURRENCY at a time. The first error stops further items from being begun; it is thrown when
 * those under way have ended, so that nothing goes on behind the caller's back.
 */
async function forEachLimited<T>(items: readonly T[], task: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  const queue = items.values();
  const work = async () => {
    for (const item of queue) {
      if (failures.length > 0) return;
      await task(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  if (failures.length > 0) throw failures[0];
}
