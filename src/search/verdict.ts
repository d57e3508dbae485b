import { cut } from '../ground/text/escape.ts';
import type { SearchFilter, SearchResult } from '../platform/contract.ts';
import type { ReportError } from '../run/report.ts';
import { type Expectation, normalisePath, type Query } from './queries.ts';

/** One thing in which the results fall short of what was expected. */
export type Shortfall =
  /** `rank` is where the page is instead, from 1; undefined: not among the results. */
  | {
      readonly kind: 'path-missing';
      readonly path: string;
      readonly within?: number | undefined;
      readonly rank?: number | undefined;
    }
  | { readonly kind: 'path-present'; readonly path: string; readonly rank: number }
  | { readonly kind: 'too-few'; readonly found: number; readonly wanted: number }
  | { readonly kind: 'snippet-missing'; readonly text: string };

const MAX_PATH_CHARS = 2000;

/** A failed call is an `error`, never a `miss`: it says nothing about the documentation. */
export type Verdict = 'pass' | 'miss' | 'error';

/** A query as a reader would type it, with its filter: what tells two queries of a run apart. */
export interface AskedQuery {
  readonly query: string;
  readonly filter?: SearchFilter | undefined;
}

export interface RankedVerdict {
  readonly verdict: Verdict;
  /** Rank, from 1, of the first result that is an expected page. */
  readonly rank?: number | undefined;
}

/** What became of one query, as the report has it. */
export interface QueryOutcome extends AskedQuery, RankedVerdict {
  /** Line in the queries file. */
  readonly line?: number | undefined;
  readonly shortfalls: readonly Shortfall[];
  readonly expectedPaths: readonly string[];
  /** Some expected page is within reach; undefined if no page is expected, or without a reply. */
  readonly hit?: boolean | undefined;
  readonly resultCount: number;
  /**
   * Paths of the results in their order, as the platform gave them, cut if they are longer than any
   * real one.
   */
  readonly paths: readonly string[];
  readonly error?: ReportError | undefined;
}

/** What a call gave: results, or the error in their place. */
export type Answer =
  | { readonly results: readonly SearchResult[]; readonly error?: undefined }
  | { readonly results?: undefined; readonly error: ReportError };

/**
 * Compares results with what was expected of them. Texts are taken literally, in Unicode NFC; paths
 * compare as normalisePath makes them.
 */
export function judgeAnswer(asked: Query, answer: Answer): QueryOutcome {
  const { query, filter } = asked.request;
  const { paths, within } = asked.expectation;
  const about = { query, filter, line: asked.line, expectedPaths: paths };
  const { results, error } = answer;
  // The call failed.
  if (results === undefined)
    return { ...about, verdict: 'error', shortfalls: [], resultCount: 0, paths: [], error };
  const foundPaths = results.map((result) => normalisePath(result.path));
  const expected = new Set(paths.map(normalisePath));
  const rank = firstRank(foundPaths, (path) => expected.has(path));
  const shortfalls = shortfallsOf(asked.expectation, results, foundPaths);
  // Without `within`, every rank is within reach.
  const hasHit = rank !== undefined && (within === undefined || rank <= within);
  return {
    ...about,
    verdict: shortfalls.length === 0 ? 'pass' : 'miss',
    shortfalls,
    rank,
    hit: paths.length === 0 ? undefined : hasHit,
    resultCount: results.length,
    paths: results.map((result) => cut(result.path, { chars: MAX_PATH_CHARS })),
  };
}

/** From 1; undefined: no result is such a page. */
function firstRank(
  foundPaths: readonly string[],
  isWanted: (path: string) => boolean,
): number | undefined {
  const index = foundPaths.findIndex(isWanted);
  if (index < 0) return undefined;
  return index + 1;
}

/** `foundPaths`: the paths of the results, normalised. */
function shortfallsOf(
  expectation: Expectation,
  results: readonly SearchResult[],
  foundPaths: readonly string[],
): Shortfall[] {
  const { paths, within, absent, minResults, snippets } = expectation;
  const shortfalls: Shortfall[] = [];
  const rankOf = (page: string) => firstRank(foundPaths, (path) => path === normalisePath(page));
  for (const path of paths) {
    const rank = rankOf(path);
    const isBeyond = rank !== undefined && within !== undefined && rank > within;
    if (rank === undefined || isBeyond)
      shortfalls.push({ kind: 'path-missing', within, path, rank });
  }
  for (const path of absent) {
    const rank = rankOf(path);
    if (rank !== undefined) shortfalls.push({ kind: 'path-present', path, rank });
  }
  // If nothing was found, the expected pages and texts are reported as missing. That one result was
  // wanted, as by default, would only repeat this.
  const isSaidAlready = minResults <= 1 && paths.length + snippets.length > 0;
  if (!isSaidAlready && foundPaths.length < minResults)
    shortfalls.push({ kind: 'too-few', found: foundPaths.length, wanted: minResults });
  const contents = results.map((result) => squeeze(result.content ?? ''));
  for (const text of snippets) {
    const wanted = squeeze(text);
    if (!contents.some((content) => content.includes(wanted)))
      shortfalls.push({ kind: 'snippet-missing', text });
  }
  return shortfalls;
}

/** Texts compare in this form: line breaks in a snippet mean nothing. */
function squeeze(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ');
}

export interface Totals {
  readonly queries: number;
  readonly passed: number;
  readonly missed: number;
  readonly errors: number;
  /**
   * Share of queries for which an expected page is within reach: `|{q in Q : hit(q)}| / |Q|`, where
   * Q are the answered queries that expect a page, and within reach means among the first `within`
   * results (all results without `within`). undefined when Q is empty.
   */
  readonly hitRate?: number | undefined;
  /**
   * Mean reciprocal rank: `(1 / |Q|) * sum over q in Q of 1 / rank(q)`, where Q is as above and
   * rank(q) is the rank, from 1, of the first result that is an expected page; if there is none the
   * term is 0. undefined when Q is empty.
   */
  readonly meanReciprocalRank?: number | undefined;
}

/** The figures of the outcomes. */
export function totalOutcomes(outcomes: readonly QueryOutcome[]): Totals {
  const counts = { pass: 0, miss: 0, error: 0 };
  /** How many queries are in Q of `Totals`. */
  let expectingPage = 0;
  let hits = 0;
  let reciprocals = 0;
  for (const outcome of outcomes) {
    counts[outcome.verdict] += 1;
    // No page is expected, or there was no answer.
    if (outcome.hit === undefined) continue;
    expectingPage += 1;
    if (outcome.hit) hits += 1;
    if (outcome.rank !== undefined) reciprocals += 1 / outcome.rank;
  }
  const totals = {
    queries: outcomes.length,
    passed: counts.pass,
    missed: counts.miss,
    errors: counts.error,
  };
  // Without such a query, there is no share of them.
  if (expectingPage === 0) return totals;
  const meanReciprocalRank = reciprocals / expectingPage;
  return { ...totals, hitRate: hits / expectingPage, meanReciprocalRank };
}
