import * as z from 'zod/mini';
import { plainLine } from '../../ground/text/escape.ts';
import { fieldOf, parseJson } from '../../ground/text/json.ts';
import { ARCHIVE_LIMITS, judgePath } from '../archive/admission.ts';
import { readManifest } from './compared-site.ts';
import type { PageEntry } from './comparison.ts';
import { type Unreadable, unreadable } from './own-file.ts';
import { LONGEST_TITLE, MOST_BROKEN, type PageList } from './site-pages.ts';

/** Where a site lists its pages, below its root. */
export const PAGE_MANIFEST = 'docs-courier.manifest.json';

const address = z.string().check(z.startsWith('/'));
const manifestSchema = z.object({
  version: z.literal(1),
  pages: z
    .array(
      z.object({
        path: address,
        title: z.string().check(z.maxLength(LONGEST_TITLE)),
        content: z.string().check(z.regex(/^[\w-]{43}$/)),
      }),
    )
    .check(z.maxLength(ARCHIVE_LIMITS.entries)),
  broken: z.optional(
    z.array(z.object({ target: address, pages: z.array(address) })).check(z.maxLength(MOST_BROKEN)),
  ),
});

/** The same text for the same pages. It is not signed: it may decide nothing. */
export function formatPageManifest({ pages, broken }: PageList): string {
  const entries = Array.from(pages.values(), ({ path, title, fingerprint }) => ({
    path,
    title,
    content: fingerprint,
  }));
  entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  return `${JSON.stringify({ version: 1, pages: entries, broken })}\n`;
}

type ReadPages = Unreadable | { readonly ok: true; readonly list: PageList };

/** A manifest of either kind: of the pages of a site, or of the files of an export. */
export function readEitherManifest(text: string): ReadPages | ReturnType<typeof readManifest> {
  if (Array.isArray(fieldOf(parseJson(text), 'pages'))) return readPageManifest(text);
  return readManifest(text);
}

/** The pages that a site lists: a text from outside. Escape what it says where it is shown. */
export function readPageManifest(text: string): ReadPages {
  const json = parseJson(text);
  if (json === undefined) return unreadable('is not JSON');
  const parsed = manifestSchema.safeParse(json);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') ?? '';
    return unreadable(`is not a list of pages of Docs Courier${field && `: ${field} is invalid`}`);
  }
  const { broken } = parsed.data;
  const pages = new Map<string, PageEntry>();
  for (const { path, title, content } of parsed.data.pages) {
    if (!isAddress(path))
      return unreadable(`has an address that no page has: ${plainLine(path, 100)}`);
    pages.set(path, { path, title, fingerprint: content });
  }
  if (pages.size < parsed.data.pages.length) return unreadable('names a page twice');
  return { ok: true, list: { pages, broken } };
}

/** As a page in a bundle has: then its length and its depth have limits, too. */
function isAddress(path: string): boolean {
  if (path === '/') return true;
  return (
    judgePath(`${path.slice(1)}.html`, { limits: ARCHIVE_LIMITS, inWorkspace: false }) === undefined
  );
}
