import { CourierError, type ErrorCode, hintText } from '../ground/errors.ts';
import type { Work } from '../ground/log.ts';
import { countOf, formatDuration } from '../ground/text/amounts.ts';
import { plainLine } from '../ground/text/escape.ts';
import { groupBy } from '../ground/text/names.ts';
import { type SearchRequest, type SearchResult, withPath } from '../platform/contract.ts';
import type { ReportError } from '../run/report.ts';
import { type Query, requestKey } from './queries.ts';
import { type Answer, judgeAnswer, type QueryOutcome, type Verdict } from './verdict.ts';

/** Requests under way at once: enough to be quick, few enough for a service that others use too. */
export const CONCURRENCY = 6;

const FIRST_WAIT_MS = 2000;
const WAIT_GROWTH = 1.5;
const LONGEST_INTERVAL_MS = 30_000;

// Errors of the key, the site or the organization's limit: each further request would fail too.
const ENDS_THE_RUN: ReadonlySet<ErrorCode> = new Set([
  'unauthorized',
  'forbidden',
  'not-found',
  'rate-limited',
  'cancelled',
]);
/**
 * The most requests of a run with few queries; with many, it is two for each request of the first
 * round. Only waiting for the index can reach it. Repeats of a failed call are not counted.
 */
const MAX_REQUESTS_OF_FEW = 500;
/** After this many queries in a row without a connection, the platform counts as down. */
const MAX_FAILURES_IN_A_ROW = 10;

/** What is searched. Throws `CourierError`. */
export interface Searched {
  search(
    domain: string,
    request: SearchRequest,
  ): Promise<{ readonly value: Parameters<typeof withPath>[0] }>;
}

export interface SearchRunInit extends Work {
  /** The platform, or what searches a folder instead. */
  readonly platform: Searched;
  readonly domain: string;
  readonly queries: readonly Query[];
  /** How long to repeat missed queries; undefined or 0: not at all. */
  readonly waitForIndexMs: number | undefined;
  /** Takes the outcomes so far after each round, also after one that ended early. */
  readonly onRound?: (state: SearchRun) => void;
}

export interface SearchRun {
  /** In the order of the queries. */
  readonly outcomes: readonly QueryOutcome[];
  /** Only if there is one query: the content of hundreds of replies would fill the memory. */
  readonly results: readonly SearchResult[] | undefined;
  readonly requestCount: number;
  readonly roundCount: number;
}

/**
 * Runs all queries once and then, within `waitForIndexMs`, again those that missed. Identical
 * requests of a round are made once. Throws the error when the platform refuses the key, the site
 * or any more requests, or is down; other errors become the verdict of their query.
 */
export async function runQueries(init: SearchRunInit): Promise<SearchRun> {
  const { queries, clock, log } = init;
  const maxRequests = Math.max(MAX_REQUESTS_OF_FEW, 2 * groupByRequest(queries).length);
  const deadlineMs = clock.monotonicMs() + (init.waitForIndexMs ?? 0);
  const rounds = new Rounds(init);
  let state = await rounds.run(queries);
  // Not those with an error: the index has nothing to do with it.
  let pending = queries.filter((query) => rounds.verdict(query) === 'miss');
  let waitMs = FIRST_WAIT_MS;
  while (pending.length > 0) {
    const remainingMs = deadlineMs - clock.monotonicMs();
    if (remainingMs <= 0) break;
    const affordable = pending.slice(0, maxRequests - state.requestCount);
    if (affordable.length === 0) {
      log.warning(`Waiting for the index ended early, after ${state.requestCount} requests.`);
      break;
    }
    const sleepMs = Math.min(waitMs, remainingMs);
    const missed = countOf(pending.length, 'query', 'queries');
    log.info(`${missed} missed; asking again in ${formatDuration(sleepMs)}.`);
    await clock.sleep(sleepMs, init.signal);
    waitMs = Math.min(waitMs * WAIT_GROWTH, LONGEST_INTERVAL_MS);
    state = await rounds.run(affordable);
    // A query that missed and then could not be asked is asked again: it may still pass.
    pending = pending.filter((query) => rounds.verdict(query) !== 'pass');
  }
  return state;
}

/** Queries that have one request in common. */
type Group = readonly [Query, ...Query[]];

/** The rounds of a run, and what is known of each query so far. */
class Rounds {
  readonly #init: SearchRunInit;
  readonly #outcomes = new Map<Query, QueryOutcome>();
  #results: readonly SearchResult[] | undefined;
  #requestCount = 0;
  #roundCount = 0;
  #failuresInARow = 0;
  #hasWarned = false;

  constructor(init: SearchRunInit) {
    this.#init = init;
  }

  verdict(query: Query): Verdict | undefined {
    return this.#outcomes.get(query)?.verdict;
  }

  async run(queries: readonly Query[]): Promise<SearchRun> {
    this.#roundCount += 1;
    this.#failuresInARow = 0;
    try {
      await this.#askAll(queries);
    } catch (error) {
      // The facts of a failed run are kept too. A fault of this program has no code, so that its
      // queries get the code of those that a cancelled run leaves unanswered.
      this.#report(error instanceof CourierError ? error.code : 'cancelled');
      throw error;
    }
    // After a whole round, every query has an outcome: none gets this code.
    return this.#report('cancelled');
  }

  /**
   * Asks for all queries, CONCURRENCY requests at a time. Throws the first error, once the requests
   * under way have ended.
   */
  async #askAll(queries: readonly Query[]): Promise<void> {
    const failures: unknown[] = [];
    // One iterator for all workers, so that each group is taken by one of them.
    const waitingGroups = groupByRequest(queries).values();
    const work = async () => {
      for (const group of waitingGroups) {
        if (failures.length > 0) return;
        await this.#askFor(group).catch((error: unknown) => failures.push(error));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    if (failures.length > 0) throw failures[0];
  }

  /** Makes the one request that all of these queries have in common. */
  async #askFor(group: Group): Promise<void> {
    const [first] = group;
    this.#requestCount += 1;
    const answer = await this.#ask(first.request);
    if (answer.error?.code === 'network') this.#noteFailure(answer.error);
    else this.#failuresInARow = 0;
    for (const query of group) this.#outcomes.set(query, judgeAnswer(query, answer));
    // If a repetition fails, the results of the round before are kept.
    if (this.#init.queries.length === 1) this.#results = answer.results ?? this.#results;
  }

  /** Counts a failure. Throws the error of the last one if there were too many in a row. */
  #noteFailure(error: ReportError): void {
    this.#failuresInARow += 1;
    if (this.#failuresInARow >= MAX_FAILURES_IN_A_ROW) throw new CourierError(error);
  }

  /** The answer to a request. Throws an error that each further request would have too. */
  async #ask(request: SearchRequest): Promise<Answer> {
    const { platform, domain } = this.#init;
    try {
      const reply = await platform.search(domain, request);
      const results = withPath(reply.value);
      if (results.length < reply.value.length) this.#warnOfLeftOut(request.query);
      return { results };
    } catch (error) {
      if (!(error instanceof CourierError) || ENDS_THE_RUN.has(error.code)) throw error;
      const { code, message, hint } = error;
      return { error: { code, message, hint: hint && hintText(hint) } };
    }
  }

  /** Warns only once: every query may have such results. */
  #warnOfLeftOut(query: string): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#init.log.warning(
      `Results without a path were left out, the first of them for the query “${plainLine(query, 100)}”.`,
    );
  }

  /**
   * Gives the state of the run to `onRound`, and returns it. `code`: that of the error of queries
   * that were not answered before the run ended.
   */
  #report(code: ErrorCode): SearchRun {
    const message = 'The run ended before this query was answered.';
    const unanswered = { error: { code, message } };
    const run = {
      outcomes: this.#init.queries.map(
        (query) => this.#outcomes.get(query) ?? judgeAnswer(query, unanswered),
      ),
      results: this.#results,
      requestCount: this.#requestCount,
      roundCount: this.#roundCount,
    };
    this.#init.onRound?.(run);
    return run;
  }
}

/** The queries in groups with the same request. */
function groupByRequest(queries: readonly Query[]): readonly Group[] {
  return [...groupBy(queries, (query) => requestKey(query.request)).values()];
}
