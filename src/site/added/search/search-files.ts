import { countOf } from '../../../ground/text/amounts.ts';
import { isPage, type PageContent, type PageReader } from '../../pages.ts';
import type { AddedFile } from '../file.ts';
import { SEARCH_FOLDER, SEARCH_PAGE } from './format.ts';
import { PAGE, STYLE } from './page.ts';
import { OPEN_SCRIPT, SCRIPT } from './page-script.ts';
import { type IndexedPage, type IndexedSection, IndexWriter } from './writer.ts';

/**
 * Indexes the pages of a site while they are read for the verification. What is indexed is the main
 * content of each page, with an entry for each heading: without navigation, what is hidden, and
 * pages that search engines are asked to leave out, unless all pages ask for that. A page that the
 * verification reports as too large or unreadable is left out too.
 */
export class SiteSearch implements PageReader {
  readonly adds = SEARCH_PAGE;
  #index = new IndexWriter();
  /**
   * True as long as every page asks search engines to leave it out: then the site is for the people
   * who can reach it, and all pages are indexed.
   */
  #isInternal = true;
  #noIndexPages = 0;
  #emptyPages = 0;

  reads(path: string): boolean {
    return isPage(path);
  }

  page(path: string, content: PageContent): void {
    // Of a redirect, the page that it leads to is indexed.
    if (content.redirect !== undefined) return;
    if (content.isNoIndex) this.#noIndexPages += 1;
    // The first page that search engines may show: the site is not internal.
    else if (this.#isInternal) this.#leaveOutNoIndex();
    const isIndexed = this.#isInternal || !content.isNoIndex;
    if (!isIndexed) return;
    if (content.isEmpty) this.#emptyPages += 1;
    this.#index.add(indexedPage(path, content));
  }

  /** Leaves such pages out from now on, and begins again: all pages that were read were such. */
  #leaveOutNoIndex(): void {
    this.#isInternal = false;
    this.#emptyPages = 0;
    if (this.#noIndexPages > 0) this.#index = new IndexWriter();
  }

  /** How many pages are not in the index, in a sentence; undefined: all are. */
  get note(): string | undefined {
    const notes: string[] = [];
    if (!this.#isInternal && this.#noIndexPages > 0)
      notes.push(
        `The added search leaves out ${countOf(this.#noIndexPages, 'page')} with noindex in the meta element robots.`,
      );
    if (this.#emptyPages > 0)
      notes.push(
        `The added search knows only the titles of ${countOf(this.#emptyPages, 'page')}, which ${this.#emptyPages === 1 ? 'has' : 'have'} no text before scripts run.`,
      );
    return notes.length > 0 ? notes.join(' ') : undefined;
  }

  /**
   * The page that searches the site, its script and style, and the index of the pages that were
   * read. The same site gives the same bytes.
   */
  files(): AddedFile[] {
    return [
      { path: SEARCH_PAGE, content: Buffer.from(PAGE) },
      { path: `${SEARCH_FOLDER}/search.css`, content: Buffer.from(STYLE) },
      { path: `${SEARCH_FOLDER}/search.js`, content: Buffer.from(SCRIPT) },
      { path: `${SEARCH_FOLDER}/open.js`, content: Buffer.from(OPEN_SCRIPT) },
      ...this.#index.finish(),
    ];
  }
}

/**
 * The sections of a page. The first has the text under the title, and the text before the first
 * heading, such as a breadcrumb trail.
 */
function indexedPage(path: string, content: PageContent): IndexedPage {
  const { title, headings, blocks } = content;
  const starts = content.sections;
  // The text before the first heading; all of the page if it has none.
  let first = blocks.slice(0, starts[0]?.block);
  const sections: IndexedSection[] = [];
  for (const [at, { block, id }] of starts.entries()) {
    const heading = headings[at] ?? '';
    // The block at which a section starts is its heading.
    const lines = blocks.slice(block + 1, starts[at + 1]?.block);
    // The results show the title of each page: a section with that heading would only repeat it.
    const isTitle = at === 0 && heading === title;
    if (isTitle) first = [...lines, ...first];
    else sections.push({ heading, id, text: lines.join('\n') });
  }
  sections.unshift({ heading: '', id: '', text: first.join('\n') });
  return { path, title: title || path, language: content.language, sections };
}
