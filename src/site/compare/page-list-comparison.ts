import { isPage } from '../page-names.ts';
import { compareExports, LostLinks, type SiteEntries } from './compare.ts';
import type { ComparedSite } from './compared-site.ts';
import type { BrokenLink, Comparison } from './comparison.ts';
import { rulesOf, sizesOf } from './site-comparison.ts';
import { type PageList, SitePages } from './site-pages.ts';

interface PageListComparisonInit {
  /** What the earlier site said of its pages. */
  readonly from: PageList;
  /** The new site, which is unpacked. */
  readonly to: ComparedSite;
  /** What links of the site begin with, if it is known. */
  readonly basePath: string | undefined;
  /** The site is verified in the same pass, so that all of its broken links are found. */
  readonly isVerified: boolean;
}

/** Compares a site with the list of pages of an earlier one. */
export class PageListComparison extends SitePages {
  readonly watchesLinks: boolean;
  readonly watchesFiles: boolean;
  readonly #init: PageListComparisonInit;
  readonly #links: LostLinks;

  constructor(init: PageListComparisonInit) {
    const { from, to } = init;
    super(to);
    this.#init = init;
    const gone = [...from.pages.keys()].filter((address) => !to.pages.has(address));
    this.#links = new LostLinks(gone.map((address) => [address, { path: address.slice(1) }]));
    this.watchesLinks = gone.length > 0;
    this.watchesFiles = init.isVerified;
  }

  /** Notes a link, in case it leads to a page that is gone. */
  link(path: string, target: string): void {
    this.#links.add(this.#init.to, path, target);
  }

  /** Gives the comparison, once the pass is over. */
  async finish(signal: AbortSignal): Promise<Comparison> {
    const { from, to, basePath, isVerified } = this.#init;
    const after = this.list({ isVerified });
    const rules = rulesOf(to, basePath);
    const redirects = (address: string) => this.redirects.get(address) ?? rules(address);
    // A redirect may lead to another file, such as a PDF.
    const assets = to.paths.filter((path) => !isPage(path)).map((path) => ({ path, content: '' }));
    const links = this.#links;
    const compared = await comparePageLists(from, after, signal, { redirects, assets, links });
    // Pages that are only a redirect are in neither list.
    return { ...compared, to: { ...sizesOf(to), pages: after.pages.size } };
  }
}

/** What else is known of the new site. */
type NewSite = Pick<SiteEntries, 'redirects' | 'assets'> & { readonly links?: LostLinks };

/** Compares two lists of pages. Throws `cancelled` only. */
export async function comparePageLists(
  from: PageList,
  to: PageList,
  signal: AbortSignal,
  { links, ...newSite }: NewSite = { assets: [] },
): Promise<Omit<Comparison, 'to'>> {
  const changes = await compareExports({
    from: { pages: from.pages, assets: [] },
    to: { pages: to.pages, ...newSite },
    links,
    signal,
  });
  return {
    ...changes,
    from: { pages: from.pages.size },
    basis: 'pages',
    assets: undefined,
    newlyBroken: from.broken && to.broken && newlyBroken(from, from.broken, to.broken),
  };
}

/**
 * The broken links that their pages did not have before. On a new page, and in a script or a style,
 * which gets a new name with each build, an address that was broken before is not new: it may be
 * that of a menu.
 */
function newlyBroken(
  { pages: former }: PageList,
  before: readonly BrokenLink[],
  after: readonly BrokenLink[],
): BrokenLink[] {
  const known = new Map(before.map(({ target, pages }) => [target, new Set(pages)]));
  const broken: BrokenLink[] = [];
  for (const { target, pages } of after) {
    const had = known.get(target);
    const isNew = (page: string) => had === undefined || (former.has(page) && !had.has(page));
    const newPages = pages.filter(isNew);
    if (newPages.length > 0) broken.push({ target, pages: newPages });
  }
  return broken;
}
