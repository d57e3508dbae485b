import type { PlatformClient } from '../platform/client.ts';
import { PAGE_SIZE, type SearchResult } from '../platform/contract.ts';
import { cut } from '../text/escape.ts';
import { normalisePath } from './paths.ts';
import { createRequest } from './queries.ts';

// A longer text narrows a search no further and only costs the index time.
const MAX_QUERY_CHARS = 400;
const MAX_PAGES = 5;

interface RelatedDocsInit {
  readonly platform: PlatformClient;
  /** The site's identifier. */
  readonly domain: string;
  /** Any text, such as the title of a pull request; only its beginning is used. */
  readonly query: string;
}

/**
 * The pages of the published documentation that fit a text best, each page once with its best snippet, best first. One
 * request; none for a text without letters or digits. Throws what PlatformClient.search throws.
 */
export async function findRelatedDocs({ platform, domain, query }: RelatedDocsInit): Promise<SearchResult[]> {
  const text = cut(query, { chars: MAX_QUERY_CHARS }, '');
  if (!/[\p{L}\p{N}]/u.test(text)) return [];
  // One page often gives several snippets: ask for more than are needed.
  const pageSize = Math.min(PAGE_SIZE.max, MAX_PAGES * 3);
  const filter = {};
  const request = createRequest({ query: text, pageSize, scoreThreshold: undefined, filter });
  const { value } = await platform.search(domain, request);
  const seen = new Set<string>();
  const first = value.filter(({ path }) => !seen.has(normalisePath(path)) && seen.add(normalisePath(path)));
  return first.slice(0, MAX_PAGES);
}
