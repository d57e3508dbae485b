import type { SearchFilter, SearchResult } from '../platform/contract.ts';
import type { ReportError } from '../run/report.ts';
import { cut } from '../text/escape.ts';
import { normalisePath, type Query } from './queries.ts';

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
export function judgeAnswer(
  { request, expectation, line }: Query,
  { results, error }: Answer,
): QueryOutcome {
  const { query, filter } = request;
  const { paths, within, absent, minResults, snippets } = expectation;
  const about = { query, filter, line, expectedPaths: paths };
  if (results === undefined)
    return { ...about, verdict: 'error', shortfalls: [], resultCount: 0, paths: [], error };
  const found = results.map(({ path }) => normalisePath(path));
  const ranked = (path: string) => ({
    path,
    rank: found.indexOf(normalisePath(path)) + 1 || undefined,
  });
  const isInReach = (rank: number | undefined) => rank !== undefined && rank <= (within ?? rank);
  const expected = paths.map(ranked);
  const contents = results.map(({ content = '' }) => squeeze(content));
  // A page or a text that is missing says already that nothing was found.
  const saysCount =
    results.length < minResults && (minResults > 1 || paths.length + snippets.length === 0);
  const shortfalls: Shortfall[] = [
    ...expected
      .filter(({ rank }) => !isInReach(rank))
      .map((page) => ({ kind: 'path-missing' as const, within, ...page })),
    ...absent
      .map(ranked)
      .flatMap(({ path, rank }) =>
        rank === undefined ? [] : [{ kind: 'path-present' as const, path, rank }],
      ),
    ...(saysCount ? [{ kind: 'too-few' as const, found: results.length, wanted: minResults }] : []),
    ...snippets
      .filter((text) => !contents.some((content) => content.includes(squeeze(text))))
      .map((text) => ({ kind: 'snippet-missing' as const, text })),
  ];
  const ranks = expected.flatMap(({ rank }) => rank ?? []);
  const rank = ranks.length === 0 ? undefined : Math.min(...ranks);
  return {
    ...about,
    verdict: shortfalls.length === 0 ? 'pass' : 'miss',
    shortfalls,
    rank,
    hit: paths.length === 0 ? undefined : isInReach(rank),
    resultCount: results.length,
    paths: results.map(({ path }) => cut(path, { chars: MAX_PATH_CHARS })),
  };
}

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

export function totalOutcomes(outcomes: readonly QueryOutcome[]): Totals {
  const count = (verdict: Verdict) =>
    outcomes.filter((outcome) => outcome.verdict === verdict).length;
  const ranked = outcomes.filter(({ hit }) => hit !== undefined);
  const mean = (value: (outcome: QueryOutcome) => number) =>
    ranked.length === 0
      ? undefined
      : ranked.reduce((sum, outcome) => sum + value(outcome), 0) / ranked.length;
  return {
    queries: outcomes.length,
    passed: count('pass'),
    missed: count('miss'),
    errors: count('error'),
    hitRate: mean(({ hit }) => (hit === true ? 1 : 0)),
    meanReciprocalRank: mean(({ rank }) => (rank === undefined ? 0 : 1 / rank)),
  };
}
