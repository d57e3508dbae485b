import { posix } from 'node:path';
import { humanise, type Page } from './page.ts';

/** A folder or a page in the navigation; a folder without an index page has no page. */
export interface NavigationNode {
  readonly title: string;
  readonly page: Page | undefined;
  readonly children: readonly NavigationNode[];
}

interface Placed extends NavigationNode {
  readonly order: number;
}

export function isEntryPage(page: Page): boolean {
  return page.output === 'index.html';
}

/**
 * The site's pages in their folders; siblings by `order`, then by title. Without the entry page.
 */
export function buildNavigation(pages: readonly Page[]): NavigationNode[] {
  return childrenOf('', pages);
}

function childrenOf(folder: string, pages: readonly Page[]): Placed[] {
  const inside = pages.filter((page) => page.output.startsWith(folder));
  // Not in a folder below; the index page is the node of the folder itself.
  const directly = inside.filter(
    (page) => !page.output.slice(folder.length).includes('/') && !isIndex(page),
  );
  const names = new Set(
    inside.flatMap((page) => /^([^/]+)\//.exec(page.output.slice(folder.length))?.[1] ?? []),
  );
  const folders = [...names].map((name) => folderNode(`${folder}${name}/`, pages));
  const leaves = directly.map((page) => ({
    title: page.title,
    page,
    children: [],
    order: page.meta.order,
  }));
  return [...leaves, ...folders].sort(bySequence);
}

function bySequence(a: Placed, b: Placed): number {
  if (a.order !== b.order) return a.order < b.order ? -1 : 1;
  return a.title.localeCompare(b.title, 'en');
}

function folderNode(folder: string, pages: readonly Page[]): Placed {
  const page = pages.find(({ output }) => output === `${folder}index.html`);
  const children = childrenOf(folder, pages);
  const title = page?.title ?? humanise(posix.basename(folder));
  return { title, page, children, order: page?.meta.order ?? Number.POSITIVE_INFINITY };
}

function isIndex(page: Page): boolean {
  return posix.basename(page.output) === 'index.html';
}

/** Pages in reading order. */
export function readingOrder(pages: readonly Page[]): Page[] {
  const flat = (node: NavigationNode): Page[] => [
    ...(node.page ? [node.page] : []),
    ...node.children.flatMap(flat),
  ];
  return [...pages.filter(isEntryPage), ...buildNavigation(pages).flatMap(flat)];
}
