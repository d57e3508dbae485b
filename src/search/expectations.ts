import type { SearchResult } from '../platform/contract.ts';
import { normalisePath } from './paths.ts';
import type { Expectation } from './queries.ts';

/** One thing in which the results fall short of what was expected. */
export type Shortfall =
  /** `rank` is where the page is instead, from 1; undefined: not among the results. */
  | {
      readonly kind: 'path-missing';
      readonly path: string;
      readonly within?: number | undefined;
      readonly rank?: number;
    }
  | { readonly kind: 'path-present'; readonly path: string; readonly rank: number }
  | { readonly kind: 'too-few'; readonly found: number; readonly wanted: number }
  | { readonly kind: 'snippet-missing'; readonly text: string };

interface Judgement {
  /** Empty: the query passes. */
  readonly shortfalls: readonly Shortfall[];
  /** Rank (from 1) of the first result that is an expected page; undefined: none is, or none is expected. */
  readonly rank: number | undefined;
  /** One of the expected pages is within reach; undefined: none is expected. */
  readonly hit: boolean | undefined;
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Compares results with what was expected of them. Texts are taken literally; paths compare as normalisePath makes them. */
export function judgeResults(expectation: Expectation, results: readonly SearchResult[]): Judgement {
  const found = results.map(({ path }) => normalisePath(path));
  const rankOf = (path: string): number | undefined => {
    const index = found.indexOf(normalisePath(path));
    return index < 0 ? undefined : index + 1;
  };
  const ranks = expectation.paths.map(rankOf).filter((rank) => rank !== undefined);
  const rank = ranks.length === 0 ? undefined : Math.min(...ranks);
  return {
    shortfalls: [
      ...missingPaths(expectation, rankOf),
      ...presentPaths(expectation, rankOf),
      ...tooFew(expectation, results),
      ...missingSnippets(expectation, results),
    ],
    rank,
    hit: expectation.paths.length === 0 ? undefined : rank !== undefined && rank <= (expectation.within ?? rank),
  };
}

type RankOf = (path: string) => number | undefined;

function missingPaths({ paths, within }: Expectation, rankOf: RankOf): Shortfall[] {
  return paths.flatMap((path) => {
    const rank = rankOf(path);
    if (rank !== undefined && rank <= (within ?? rank)) return [];
    return [
      { kind: 'path-missing', path, ...(within !== undefined && { within }), ...(rank !== undefined && { rank }) },
    ];
  });
}

function presentPaths({ absent }: Expectation, rankOf: RankOf): Shortfall[] {
  return absent.flatMap((path) => {
    const rank = rankOf(path);
    return rank === undefined ? [] : [{ kind: 'path-present', path, rank }];
  });
}

function tooFew({ minResults }: Expectation, results: readonly SearchResult[]): Shortfall[] {
  return results.length >= minResults ? [] : [{ kind: 'too-few', found: results.length, wanted: minResults }];
}

function missingSnippets({ snippets }: Expectation, results: readonly SearchResult[]): Shortfall[] {
  const contents = results.map(({ content = '' }) => squeeze(content));
  return snippets
    .filter((text) => !contents.some((content) => content.includes(squeeze(text))))
    .map((text) => ({ kind: 'snippet-missing', text }));
}
