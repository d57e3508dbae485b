import { join } from 'node:path';
import { fileError } from '../../bundle/disk/disk.ts';
import { isPage, type PageContent, readSiteContent } from '../../bundle/pages.ts';
import { takeTurn } from '../../clock.ts';
import type { AddedFile } from '../file.ts';
import { SEARCH_FOLDER, SEARCH_PAGE } from './format.ts';
import { PAGE, STYLE } from './page.ts';
import { OPEN_SCRIPT, SCRIPT } from './page-script.ts';
import { type IndexedPage, type IndexedSection, IndexWriter } from './writer.ts';

/** An unpacked site. */
interface SearchedSite {
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
    const content = readContentOf(root, path);
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

function readContentOf(root: string, path: string): PageContent | undefined {
  try {
    return readSiteContent(root, path);
  } catch (cause) {
    throw fileError('read', join(root, path), cause);
  }
}

/** The sections of a page. The first has what is under the title of the page, and what is before its first heading, such as a trail. */
function indexedPage(path: string, { title, language, headings, sections, blocks }: PageContent): IndexedPage {
  const starts = sections.map(({ block, id }, at) => ({ block, id, heading: headings[at] ?? '' }));
  const textOf = (at: number) => blocks.slice((starts[at]?.block ?? 0) + 1, starts[at + 1]?.block);
  const hasTitle = starts[0]?.heading === title;
  const before = blocks.slice(0, starts[0]?.block);
  const first = { heading: '', id: '', text: [...(hasTitle ? textOf(0) : []), ...before].join('\n') };
  const others = starts
    .map(({ heading, id }, at): IndexedSection => ({ heading, id, text: textOf(at).join('\n') }))
    .slice(hasTitle ? 1 : 0);
  return { path, title: title === '' ? path : title, language, sections: [first, ...others] };
}
