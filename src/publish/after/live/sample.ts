import { addressOfPage, isPage } from '../../../bundle/page-names.ts';
import { groupBy, pageUrls } from '../../../text/names.ts';

/** Most pages that are fetched of a published site. */
export const SAMPLE_SIZE = 20;

/** A page of the sample. */
interface SamplePage {
  /** In the site's folder. */
  readonly file: string;
  /** Below the start page: `/`, `/guide/start`. */
  readonly path: string;
}

interface SampleInit {
  /** Paths of all files of the site, joined by `/`. */
  readonly files: readonly string[];
  /** The page that readers see first, such as `index.html` or `docs/index.html`. */
  readonly entryPage: string | undefined;
  /** Addresses of pages that the export changed, such as `/guide/start`: they are fetched first. */
  readonly changed?: readonly string[] | undefined;
}

/**
 * The pages that stand for the site: the start page, then those that changed, then some of every
 * section. The same files give the same sample.
 */
export function chooseSample({ files, entryPage, changed = [] }: SampleInit): SamplePage[] {
  const folder = entryPage?.slice(0, entryPage.lastIndexOf('/') + 1) ?? '';
  const pages = files
    .filter((file) => file.startsWith(folder) && isPage(file.slice(folder.length)))
    .map((file) => ({
      file,
      path: addressOfPage(file.slice(folder.length)),
      address: addressOfPage(file),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const isChanged = new Set(changed);
  const first = pages.filter(({ file }) => file === entryPage);
  const next = pages.filter(({ file, address }) => file !== entryPage && isChanged.has(address));
  const rest = pages.filter(({ file, address }) => file !== entryPage && !isChanged.has(address));
  const chosen = [...first, ...spread(next, SAMPLE_SIZE - first.length)];
  return [...chosen, ...spread(rest, SAMPLE_SIZE - chosen.length)].map(({ file, path }) => ({
    file,
    path,
  }));
}

/**
 * At most `count` of the pages, as evenly over the sections as they allow, and within a section
 * evenly over its pages.
 */
function spread<T extends SamplePage>(pages: readonly T[], count: number): T[] {
  if (pages.length <= count) return [...pages];
  const sections = [
    ...groupBy(pages, ({ path }) => path.split('/').slice(1, -1)[0] ?? '').values(),
  ];
  let left = count;
  // What a small section does not need of its share is for the larger ones after it.
  return sections
    .sort((a, b) => a.length - b.length)
    .flatMap((section, index) => {
      const shown = evenly(section, Math.floor(left / (sections.length - index)));
      left -= shown.length;
      return shown;
    });
}

function evenly<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  return items.filter(
    (_, index) =>
      Math.floor(((index + 1) * count) / items.length) > Math.floor((index * count) / items.length),
  );
}

/**
 * The addresses under which hosts serve a page, the likeliest first. Built by segments, each
 * escaped: whatever a name in a bundle looks like, the address stays on the site and below its
 * start page.
 */
export function addressesOf({ path, file }: SamplePage, siteUrl: string): URL[] {
  const ending = /\.x?html?$/i.exec(file)?.[0] ?? '';
  const isFolder = /(^|\/)index\.x?html?$/i.test(file);
  const bare = path === '/' ? '' : path.slice(1);
  const folder = bare === '' ? '' : `${bare}/`;
  const forms = isFolder ? [folder, `${folder}index${ending}`] : [`${bare}${ending}`, bare];
  return forms.map((form) => addressBelow(siteUrl, form));
}

export function addressBelow(siteUrl: string, path: string): URL {
  return new URL(`${pageUrls(siteUrl)(path) ?? siteUrl}${path.endsWith('/') ? '/' : ''}`);
}
