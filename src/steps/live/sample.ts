import { groupBy, pageUrls } from '../../ground/text/names.ts';
import { addressOfPage, isPage } from '../../site/page-names.ts';

/** At most this many pages of a published site are fetched. */
export const SAMPLE_SIZE = 20;

/** A page of the sample. */
interface SamplePage {
  /** Its path in the site's folder. */
  readonly file: string;
  /** Its address below the start page: `/`, `/guide/start`. */
  readonly path: string;
  /** The export has changed it. */
  readonly isChanged: boolean;
}

/**
 * The pages that stand for the site: the start page, then those that changed, then some of every
 * section. The same files give the same sample. `files`: all of the site, joined by `/`.
 * `entryPage`: the page that readers see first, such as `index.html` or `docs/index.html`.
 * `changed`: addresses, such as `/guide/start`.
 */
export function chooseSample(
  files: readonly string[],
  entryPage: string | undefined,
  changed: readonly string[] = [],
): SamplePage[] {
  // Readers have no address for pages beside the folder of the start page, such as `docs/`.
  const folder = entryPage?.slice(0, entryPage.lastIndexOf('/') + 1) ?? '';
  const changedAddresses = new Set(changed);
  const pages: SamplePage[] = [];
  for (const file of files) {
    const name = file.slice(folder.length);
    if (!file.startsWith(folder) || !isPage(name)) continue;
    // Changed pages are named from the top of the export, not from the start page.
    const isChanged = changedAddresses.has(addressOfPage(file));
    pages.push({ file, path: addressOfPage(name), isChanged });
  }
  pages.sort((a, b) => (a.path < b.path ? -1 : 1));
  const chosen = pages.filter((page) => page.file === entryPage);
  const others = pages.filter((page) => page.file !== entryPage);
  for (const isChanged of [true, false]) {
    const next = others.filter((page) => page.isChanged === isChanged);
    chosen.push(...spread(next, SAMPLE_SIZE - chosen.length));
  }
  return chosen;
}

/**
 * At most `count` of the pages, as evenly over the sections as they allow, and within a section
 * evenly over its pages.
 */
function spread(pages: readonly SamplePage[], count: number): readonly SamplePage[] {
  if (pages.length <= count) return pages;
  // Pages at the top of the site are a section as well, under the empty name.
  const sections = groupBy(pages, (one) => one.path.split('/').slice(1, -1)[0] ?? '').values();
  const sorted = [...sections].sort((a, b) => a.length - b.length);
  const chosen: SamplePage[] = [];
  // Small sections come first: what they do not need of their share is left for larger ones.
  for (const [index, section] of sorted.entries()) {
    const share = Math.floor((count - chosen.length) / (sorted.length - index));
    chosen.push(...evenly(section, share));
  }
  return chosen;
}

/** At most `count` of the items, evenly taken. */
function evenly<T>(items: readonly T[], count: number): readonly T[] {
  if (items.length <= count) return items;
  /** How many of the first `length` items are taken. */
  const takenOf = (length: number) => Math.floor((length * count) / items.length);
  return items.filter((_, index) => takenOf(index + 1) > takenOf(index));
}

/**
 * The addresses under which hosts serve a page, the likeliest first: `/guide/start.html` before
 * `/guide/start`, and `/guide/` before `/guide/index.html`.
 */
export function addressesOf(
  { path, file }: Pick<SamplePage, 'path' | 'file'>,
  siteUrl: string,
): URL[] {
  const ending = /\.x?html?$/i.exec(file)?.[0] ?? '';
  const isIndex = /(^|\/)index\.x?html?$/i.test(file);
  // The address without its first slash, for `addressBelow`. It has no ending, and no `index`.
  const name = path.slice(1);
  let forms = [`${name}${ending}`, name];
  if (isIndex) {
    const folder = path === '/' ? '' : `${name}/`;
    forms = [folder, `${folder}index${ending}`];
  }
  return forms.map((form) => addressBelow(siteUrl, form));
}

/**
 * The address of a path below the start page of the site; `''` is the start page itself. Each
 * segment is escaped: whatever a name in a bundle looks like, the address stays below that page.
 */
export function addressBelow(siteUrl: string, path: string): URL {
  // The fallback is for the compiler: `pageUrls` takes any http address, as live-url always is.
  const url = pageUrls(siteUrl)(path) ?? siteUrl;
  // `pageUrls` has removed the slash at the end, by which hosts know a folder.
  return new URL(path.endsWith('/') ? `${url}/` : url);
}
