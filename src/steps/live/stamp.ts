import { countOf, formatInstant } from '../../ground/text/amounts.ts';
import { plainLine } from '../../ground/text/escape.ts';
import {
  MAX_STAMP_BYTES,
  readStamp,
  STAMP_FILE,
  type Stamp,
} from '../../site/added/stamp/stamp.ts';
import { PAST_CACHES, type PageFetcher } from './page-check.ts';
import { addressBelow } from './sample.ts';

/** What a published site says about itself in its stamp: a file that names the export. */
export type SeenStamp =
  | { readonly kind: 'stamp'; readonly stamp: Stamp }
  /** `why`: one sentence without a full stop. `status`: of the reply; undefined: there was none. */
  | { readonly kind: 'none'; readonly why: string; readonly status: number | undefined }
  | { readonly kind: 'unreadable'; readonly why: string };

/** True if the site answered. */
export function isReached(seen: SeenStamp): boolean {
  return seen.kind !== 'none' || seen.status !== undefined;
}

/**
 * Fetches a stamp, past the caches as far as they allow it. Its content is from outside: only its
 * form and size are checked. `endMs`: when to give up, by the monotonic clock. Throws as
 * `PageFetcher` does.
 */
export async function fetchStamp(
  fetcher: PageFetcher,
  address: URL,
  endMs: number,
): Promise<SeenStamp> {
  const fetched = await fetcher.fetch(address, PAST_CACHES, endMs, STAMP);
  if (fetched.kind !== 'page') return { kind: 'none', why: fetched.detail, status: fetched.status };
  const { page } = fetched;
  if (page.ok) return { kind: 'stamp', stamp: page.stamp };
  return { kind: 'unreadable', why: `${STAMP_FILE} ${page.problem}` };
}

const STAMP = { read: readStamp, accept: 'application/json', maxBytes: MAX_STAMP_BYTES };

/**
 * Where a site has its stamp: at the top of the export. `siteUrl` is the address of its start page,
 * which is the file `entryPage` of the export. If that is in a folder, such as
 * `docs/index.html`, the stamp is above the folder.
 */
export function stampAddress(siteUrl: string, entryPage = 'index.html'): URL {
  const folder = `/${entryPage.replace(/\/?[^/]*$/, '')}`;
  let top = siteUrl;
  // The host may serve the folder as the top: then its address does not show the folder.
  if (folder !== '/' && siteUrl.endsWith(folder)) top = siteUrl.slice(0, -folder.length);
  return addressBelow(top, STAMP_FILE);
}

/**
 * `export job exp_1 of docs.example.com, requested 2026-03-01 09:10 UTC, 128 pages`: inert, but not
 * escaped for Markdown.
 */
export function describeStamp(stamp: Stamp): string {
  let text = `export job ${plainLine(stamp.exportJobId, 128)}`;
  if (stamp.site !== null) text += ` of ${plainLine(stamp.site, 100)}`;
  if (stamp.label !== null) text += `, version ${plainLine(stamp.label, 100)}`;
  if (stamp.exportedAt !== null) text += `, requested ${formatInstant(new Date(stamp.exportedAt))}`;
  return `${text}, ${countOf(stamp.pages, 'page')}`;
}
