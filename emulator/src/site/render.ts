import { setImmediate } from 'node:timers/promises';
import { FAVICON } from '../theme/favicon.ts';
import { SCRIPT } from '../theme/script.ts';
import { STYLE } from '../theme/style.ts';
import type { Build } from './build.ts';
import type { SiteMap } from './links.ts';
import { renderMarkdown } from './markdown.ts';
import { buildNavigation, isEntryPage, readingOrder } from './navigation.ts';
import { humanise, type Page, readPage, readPages } from './page.ts';
import { splitSections } from './section.ts';
import { isPagePath, type SourceFiles } from './source.ts';
import { layoutNotFound, layoutPage, layoutSitemap, themeFile } from './template.ts';

/** Which part of a site is rendered, and how its links are written. */
export interface Selection {
  /** Pages of this version and pages without a version; undefined: all pages. */
  readonly version?: string | undefined;
  /** Addresses of pages without a leading slash; undefined: all pages. */
  readonly paths?: readonly string[] | undefined;
  /** Prefix of the links; undefined: they are relative. */
  readonly basePath?: string | undefined;
}

export interface Rendering extends Selection {
  /** The site's identifier; the name in the header if the entry page has no title. */
  readonly name: string;
  readonly files: SourceFiles;
  /** Host name under which the site is published, for canonical addresses and the sitemap. */
  readonly domain?: string | undefined;
  /**
   * The build that a reader can see in the pages; undefined: none, so the same files make the same
   * site.
   */
  readonly build?: Build | undefined;
  /** Updated while pages are rendered. */
  readonly progress?: { rendered: number; total: number } | undefined;
}

// What a page may show or offer. Other scripts and HTML pages are left out: they could load from
// anywhere. The redirect rules, which some hosts of static sites read.
const RULES = '_redirects';
const ASSET =
  /\.(png|jpe?g|gif|webp|avif|svg|ico|pdf|txt|csv|json|ya?ml|toml|xml|mp4|webm|mp3|woff2?|zip|gz)$/i;

/**
 * The whole site as files of HTML, CSS and JavaScript that need neither other hosts nor a server.
 */
export async function renderSite(rendering: Rendering): Promise<Map<string, Uint8Array>> {
  const { name, files, progress, basePath, domain, build } = rendering;
  const pages = withEntryPage(name, selectPages(readPages(files), rendering));
  const assets = [...files].filter(
    ([path]) => !isPagePath(path) && (ASSET.test(path) || path === RULES),
  );
  const map: SiteMap = {
    outputs: new Map(pages.map((page) => [page.source, page.output])),
    assets: new Set(assets.map(([path]) => path)),
    basePath,
  };
  const sequence = readingOrder(pages);
  const origin = domain?.includes('.') === true ? `https://${domain}${basePath ?? ''}` : undefined;
  const site = {
    title: siteTitle(name, pages),
    navigation: buildNavigation(pages),
    basePath,
    origin,
    build,
  };
  const bundle = new Map<string, Uint8Array>();
  if (progress) progress.total = pages.length;
  for (const [at, page] of sequence.entries()) {
    const around = { previous: sequence[at - 1], next: sequence[at + 1] };
    bundle.set(
      page.output,
      Buffer.from(layoutPage({ ...site, page, ...around, rendered: renderMarkdown(page, map) })),
    );
    if (progress) progress.rendered += 1;
    // Requests can be answered between pages: a large site takes a while.
    await setImmediate();
  }
  for (const [path, text] of themeFiles(site.title, sequence, build))
    bundle.set(path, Buffer.from(text));
  if (origin !== undefined) bundle.set('sitemap.xml', Buffer.from(layoutSitemap(origin, sequence)));
  for (const [path, bytes] of assets) bundle.set(path, bytes);
  return bundle;
}

function selectPages(pages: readonly Page[], { version, paths }: Selection): Page[] {
  const isWanted = (page: Page) =>
    (version === undefined || page.meta.version === undefined || page.meta.version === version) &&
    (paths === undefined || paths.includes(page.url.slice(1)));
  return pages.filter(isWanted);
}

function themeFiles(
  title: string,
  pages: readonly Page[],
  build: Build | undefined,
): [string, string][] {
  return [
    ['404.html', layoutNotFound(title)],
    [themeFile('site.css', build), STYLE],
    [themeFile('site.js', build), SCRIPT],
    [themeFile('search.js', build), searchData(pages)],
    ['_theme/favicon.svg', FAVICON],
  ];
}

/**
 * A script and not a JSON file: from `file://` a page may run a script next to it, but not fetch a
 * file.
 */
function searchData(pages: readonly Page[]): string {
  const entries = pages.map((page) => ({
    title: page.title,
    path: page.output,
    text: searchText(page),
  }));
  return `window.siteSearch = ${JSON.stringify(entries).replaceAll('<', '\\u003c')};\n`;
}

function searchText(page: Page): string {
  const parts = splitSections(page).flatMap(({ heading, text }) =>
    heading === page.title ? [text] : [heading, text],
  );
  return parts
    .filter((part) => part !== '')
    .join(' · ')
    .slice(0, 4000);
}

function siteTitle(name: string, pages: readonly Page[]): string {
  return pages.find(isEntryPage)?.title ?? humanise(name);
}

/** A site without an index page gets one that lists its pages. */
function withEntryPage(name: string, pages: readonly Page[]): Page[] {
  if (pages.some(isEntryPage)) return [...pages];
  const list = readingOrder(pages).map(
    (page) => `- [${page.title.replace(/[[\]\\]/g, '\\$&')}](<${page.source}>)`,
  );
  return [readPage('index.md', `# ${humanise(name)}\n\n${list.join('\n')}\n`), ...pages];
}
