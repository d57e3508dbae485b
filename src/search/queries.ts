import { cut } from '../ground/text/escape.ts';
import { decodeLoosely } from '../ground/text/names.ts';
import type { PlatformClient } from '../platform/client.ts';
import {
  type SearchFilter,
  type SearchRequest,
  type SearchResult,
  withPath,
} from '../platform/contract.ts';

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

/** Options of queries that do not give them: the inputs. */
export interface QueryDefaults {
  readonly filter: SearchFilter;
  /** undefined: 1, or 0 if only pages that must be absent are named. */
  readonly minResults: number | undefined;
}

/**
 * The request body. The text is sent in Unicode NFC, runs of white space as one space, none at the
 * ends. What has no value is not sent: the platform's own defaults apply.
 */
export function createRequest(asked: SearchRequest): SearchRequest {
  const filter = { ...asked.filter };
  // An empty list of groups asks for none, so it is not sent.
  if (filter.groups?.length === 0) filter.groups = undefined;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const query = asked.query.normalize('NFC').replace(/\s+/g, ' ').trim();
  return { ...asked, query, filter: isFiltered ? filter : undefined };
}

/** Two requests with the same key get the same answer. */
export function requestKey(request: SearchRequest): string {
  const pageSize = request.pageSize ?? DEFAULT_PAGE_SIZE;
  return JSON.stringify([queryIdentity(request), pageSize, request.scoreThreshold]);
}

/**
 * What makes a query the same one in another run: its text and its filter. Page size and threshold
 * are only tuning.
 */
export function queryIdentity(asked: SearchRequest): string {
  const { version, language, tag, groups } = asked.filter ?? {};
  // The order of groups means nothing, and an empty list asks for none.
  return JSON.stringify([asked.query, version, language, tag, ...(groups ?? []).toSorted()]);
}

/**
 * A document's path or address in the form in which two of them compare: without scheme, host,
 * query, fragment, trailing slash and `.html` (so `/guide/`, `/guide.html`, `/guide/index.html` and
 * `https://docs.example.com/guide#top` are one page), percent-decoded, in Unicode NFC, with one
 * leading slash. Case stays as given: paths differ by case on most hosts.
 */
export function normalisePath(path: string): string {
  const bare = path
    .trim()
    .replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '')
    .replace(/[?#].*$/s, '');
  const segments = decodeLoosely(bare)
    .normalize('NFC')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
  // A folder and its `index.html` are one page.
  const last = segments.pop()?.replace(/\.html$/, '');
  if (last !== undefined && last !== '' && last !== 'index') segments.push(last);
  return `/${segments.join('/')}`;
}

// A longer text narrows a search no further and only costs the index time.
const MAX_QUERY_CHARS = 400;
const MAX_PAGES = 5;

/**
 * The pages that fit a text best, such as the title of a pull request, each once. Only the
 * beginning of the text is used. Makes one request; none if the text has no letter or digit.
 */
export async function findRelatedDocs(
  platform: PlatformClient,
  domain: string,
  query: string,
): Promise<SearchResult[]> {
  // Cut without the usual ellipsis, which is not part of the query.
  const text = cut(query, { chars: MAX_QUERY_CHARS }, '');
  if (!/[\p{L}\p{N}]/u.test(text)) return [];
  // One page often gives several results, each with another snippet: ask for more than are needed.
  const pageSize = MAX_PAGES * 3;
  const reply = await platform.search(domain, createRequest({ query: text, pageSize }));
  const pages = new Map<string, SearchResult>();
  for (const result of withPath(reply.value)) {
    const page = normalisePath(result.path);
    if (!pages.has(page)) pages.set(page, result);
  }
  return [...pages.values()].slice(0, MAX_PAGES);
}
