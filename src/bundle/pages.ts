import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../errors.ts';
import { type PageText, readPageText } from './verify/page-text.ts';

export { isPage } from './page-names.ts';
export type { PageContent } from './verify/page-content.ts';
export { type PageText, readPageText } from './verify/page-text.ts';
export type { PageReader } from './verify/site-check.ts';
/** What other rooms may know of the pages of a site. Load it with `import()`: it brings the reader of HTML. */
export { findEntryPage } from './verify/site-index.ts';

/** Larger ones are not read, here and in the verification. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** The text of a page of an unpacked site; undefined if it only sends its readers on, is too large, or cannot be read. */
export function readSitePage(root: string, path: string): PageText | undefined {
  const html = readHtml(join(root, path));
  const page = html === undefined ? undefined : readPageText(html);
  return page?.isRedirect === true ? undefined : page;
}

function readHtml(path: string): string | undefined {
  try {
    return statSync(path).size <= MAX_PAGE_BYTES ? new TextDecoder().decode(readFileSync(path)) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
