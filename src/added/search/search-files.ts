import { isPage, type PageContent, readSiteContent } from '../../bundle/pages.ts';
import { takeTurn } from '../../clock.ts';
import type { AddedFile } from '../file.ts';
import { SEARCH_FOLDER, SEARCH_PAGE } from './format.ts';
import { PAGE, STYLE } from './page.ts';
import { OPEN_SCRIPT, SCRIPT } from './page-script.ts';
import { type IndexedPage, type IndexedSection, IndexWriter } from './writer.ts';

/** An unpacked site. */
export interface SearchedSite {
  /** The folder with the site. */
  readonly root: string;
  /** Paths below it, joined by `/`. */
  readonly files: readonly string[];
  readonly signal: AbortSignal;
}

// How long other work waits for its turn.
const LONGEST_TURN_MS = 20;

/**
 * The page that searches a site, its script and style, and the index. What is indexed is the main content of each page, with
 * an entry for each heading: without navigation, what is hidden, and pages that search engines are asked to leave out. The
 * same site gives the same bytes. Throws `io` and `cancelled`.
 */
export async function searchFiles({ root, files, signal }: SearchedSite): Promise<AddedFile[]> {
  const index = new IndexWriter();
  let turnStart = performance.now();
  for (const path of files.filter((file) => isPage(file) && !file.startsWith('docs-courier/')).sort()) {
    const content = readSiteContent(root, path);
    if (content !== undefined && !content.isNoIndex) index.add(indexedPage(path, content));
    if (performance.now() - turnStart < LONGEST_TURN_MS) continue;
    await takeTurn(signal);
    turnStart = performance.now();
  }
  return [
    { path: SEARCH_PAGE, content: Buffer.from(PAGE) },
    { path: `${SEARCH_FOLDER}/search.css`, content: Buffer.from(STYLE) },
    { path: `${SEARCH_FOLDER}/search.js`, content: Buffer.from(SCRIPT) },
    { path: `${SEARCH_FOLDER}/open.js`, content: Buffer.from(OPEN_SCRIPT) },
    ...index.finish(),
  ];
}

/** The sections of a page: the text before the first heading of a lower level is that of the page. */
function indexedPage(path: string, { title, language, headings, sections, blocks }: PageContent): IndexedPage {
  const starts = sections.map(({ block, id }, at) => ({ block, id, heading: headings[at] ?? '' }));
  const first = starts[0];
  // A page that begins with its title has nothing before it.
  const hasTitle = first?.block === 0 && first.heading === title;
  const begin = hasTitle ? { block: 0, id: '', heading: '', skip: 1 } : { block: 0, id: '', heading: '', skip: 0 };
  const all = [begin, ...starts.filter((_, at) => !(hasTitle && at === 0)).map((start) => ({ ...start, skip: 1 }))];
  const indexed = all.map(({ block, id, heading, skip }, at): IndexedSection => {
    const text = blocks.slice(block + skip, all[at + 1]?.block).join('\n');
    return { heading, id, text };
  });
  return { path, title: title === '' ? path : title, language, sections: indexed };
}
