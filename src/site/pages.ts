/**
 * What other folders of the source may know of the pages of a site. Load it with `import()`: it
 * brings the reader of HTML.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../ground/errors.ts';
import { textOfPage } from './verify/page-bytes.ts';
import { readContent } from './verify/page-scan.ts';

export { isPage } from './page-names.ts';
export { textOfPage } from './verify/page-bytes.ts';
export type { PageContent } from './verify/page-content.ts';
export type { PageReader } from './verify/site-check.ts';
export { findEntryPage } from './verify/site-index.ts';

/** Larger ones are not read, here and in the verification. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/**
 * What a reader sees of a page, without any script having run. Comes from pages: escape it where
 * you show it.
 */
export interface PageText {
  /** The text of the page's `<title>`. */
  readonly title: string;
  /** The text of the page's content, with a space between two blocks. */
  readonly text: string;
}

export function readPageText(html: string): PageText & { readonly isRedirect: boolean } {
  const page = readContent(html);
  const text = page.blocks.join(' ');
  return { title: page.documentTitle, text, isRedirect: page.redirect !== undefined };
}

/**
 * The text of a page of an unpacked site; undefined if the page is only a redirect, is too large,
 * or is not there any more.
 */
export function readSitePage(root: string, path: string): PageText | undefined {
  const html = readSmallText(join(root, path));
  if (html === undefined) return undefined;
  const page = readPageText(html);
  return page.isRedirect ? undefined : page;
}

/** The text of a file of a site; undefined if it is larger than what is read, or not there. */
export function readSmallText(path: string): string | undefined {
  try {
    if (statSync(path).size <= MAX_PAGE_BYTES) return textOfPage(readFileSync(path));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return undefined;
}
