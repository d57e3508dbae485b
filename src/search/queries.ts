import type { SearchFilter, SearchRequest } from '../platform/contract.ts';

/** The platform's page size when a request names none. */
export const DEFAULT_PAGE_SIZE = 10;

/** What the results of a query must be like. Empty lists and 0 ask for nothing. */
export interface Expectation {
  /** As written; compare with normalisePath. */
  readonly paths: readonly string[];
  /** Each of `paths` must be among the first this many results; undefined: among all of them. */
  readonly within: number | undefined;
  readonly absent: readonly string[];
  readonly minResults: number;
  readonly snippets: readonly string[];
}

export interface Query {
  readonly request: SearchRequest;
  readonly expectation: Expectation;
  /** Line of the queries file, from 1; undefined for a query that came from an input. */
  readonly line: number | undefined;
}

/** Options of a query that says nothing of its own: the inputs. */
export interface QueryDefaults {
  readonly pageSize: number | undefined;
  readonly scoreThreshold: number | undefined;
  readonly filter: SearchFilter;
  readonly minResults: number;
}

/** A query text as it is sent: Unicode NFC, runs of white space as one space, none at the ends. */
function normaliseQuery(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

interface RequestOptions {
  readonly query: string;
  readonly pageSize: number | undefined;
  readonly scoreThreshold: number | undefined;
  readonly filter: SearchFilter;
}

/** The request body, without any key that has no value: the platform's own defaults apply to what is not sent. */
export function createRequest({ query, pageSize, scoreThreshold, filter }: RequestOptions): SearchRequest {
  const { version, language, tag, groups = [] } = filter;
  const given = {
    ...(version !== undefined && { version }),
    ...(language !== undefined && { language }),
    ...(tag !== undefined && { tag }),
    ...(groups.length > 0 && { groups }),
  };
  return {
    query: normaliseQuery(query),
    ...(pageSize !== undefined && { pageSize }),
    ...(scoreThreshold !== undefined && { scoreThreshold }),
    ...(Object.keys(given).length > 0 && { filter: given }),
  };
}

/** Two requests with the same key get the same answer. */
export function requestKey({ query, pageSize, scoreThreshold, filter }: SearchRequest): string {
  return JSON.stringify([query, pageSize ?? DEFAULT_PAGE_SIZE, scoreThreshold ?? null, ...filterKey(filter)]);
}

/**
 * What makes a query the same one in another run: its text and its filter. Page size and threshold are tuning, and what
 * they change is just what a comparison is to show.
 */
export function queryIdentity({ query, filter }: SearchRequest): string {
  return JSON.stringify([query, ...filterKey(filter)]);
}

// Without groups, the key of 1.0: a baseline that was written then stays comparable. Their order means nothing.
function filterKey({ version, language, tag, groups = [] }: SearchFilter = {}): unknown[] {
  const key = [version ?? null, language ?? null, tag ?? null];
  return groups.length === 0 ? key : [...key, groups.toSorted()];
}
