import type { BundleFile } from '../archive/sink.ts';
import { addressOfPage } from '../page-names.ts';
import { followRedirects, isOutside, type RedirectRules } from '../redirects/rules.ts';
import { BuildIds } from './build-ids.ts';
import { addressOfFile, type ComparedSite } from './compared-site.ts';
import {
  type AssetChanges,
  type ChangedPage,
  type Comparison,
  changesIn,
  type MovedPage,
  type PageChanges,
  type PageEntry,
  type SectionChanges,
} from './comparison.ts';
import { withoutPair } from './same-content.ts';
import { similarPairs } from './similar.ts';

/** A file that is not a page. */
export interface AssetEntry {
  readonly path: string;
  /** Equal for equal content. */
  readonly content: string;
}

/** What one export contains, apart from pages that are known to be the same in both. */
export interface SiteEntries {
  /** The pages by address, without those that are only a redirect. */
  readonly pages: ReadonlyMap<string, PageEntry>;
  /** The other files, and the pages that are only a redirect, as far as they differ. */
  readonly assets: readonly AssetEntry[];
  /**
   * Where an address without a page leads: by a page that is only a redirect, or by a rule of the
   * bundle. undefined: the export has no redirects.
   */
  readonly redirects?: RedirectRules | undefined;
}

interface CompareInit {
  readonly from: SiteEntries;
  readonly to: SiteEntries;
  /** The addresses of pages that are known to be the same in both exports. */
  readonly same?: ReadonlySet<string>;
  /** The links to pages that are gone; none if they were not looked for. */
  readonly links?: LostLinks | undefined;
  /** All pages of the new export, also those that are only a redirect. */
  readonly addresses?: Iterable<string>;
  readonly signal: AbortSignal;
}

/**
 * Compares two exports page by page, as far as fingerprints and hashes show it: no file is read.
 * Throws `cancelled` only.
 */
export async function compareExports(
  init: CompareInit,
): Promise<Omit<Comparison, 'from' | 'to' | 'basis'>> {
  const { from, to, same = new Set(), addresses = to.pages.keys() } = init;
  const { links = new LostLinks([]) } = init;
  const gonePages = pagesOnlyIn(from, to);
  const newPages = pagesOnlyIn(to, from);
  const changed: ChangedPage[] = [];
  for (const page of to.pages.values()) {
    const earlierPage = from.pages.get(page.path);
    // Without one, the page is one of `newPages`.
    if (earlierPage === undefined || earlierPage.fingerprint === page.fingerprint) continue;
    changed.push(nameOf(page));
  }
  const unchanged = same.size + to.pages.size - newPages.length - changed.length;
  const redirectOf = findRedirects(gonePages, to, same);
  const moves = await findMoves(gonePages, newPages, redirectOf, init.signal);
  const movedTo = new Map<string, string>();
  const moved: MovedPage[] = [];
  for (const { from: gonePage, to: newPage, similarity } of moves) {
    movedTo.set(gonePage.path, newPage.path);
    const { path, title } = newPage;
    moved.push({ from: gonePage.path, to: path, title, similarity });
    const wasEdited = gonePage.fingerprint !== newPage.fingerprint;
    if (wasEdited) changed.push({ path, title, movedFrom: gonePage.path });
  }
  // What moved is neither added nor removed, but its former address is lost.
  const newAddresses = new Set(movedTo.values());
  const lost = gonePages.map((page) => ({
    ...nameOf(page),
    redirect: redirectOf.get(page.path),
    movedTo: movedTo.get(page.path),
  }));
  const changes = {
    added: newPages.filter((page) => !newAddresses.has(page.path)).map(nameOf),
    removed: lost.filter((page) => !movedTo.has(page.path)),
    moved: moved.sort((a, b) => compareText(a.from, b.from)),
    changed: changed.sort(byPath),
  };
  return {
    version: 1,
    ...changes,
    unchanged,
    assets: compareAssets(from.assets, to.assets),
    lost: lost.map((page) => ({ ...page, ...links.linksTo(page.path) })),
    sections: findSections([...addresses], changes),
  };
}

/** The pages at addresses where the other export has none, in their order. */
function pagesOnlyIn(site: SiteEntries, other: SiteEntries): PageEntry[] {
  return [...site.pages.values()].filter((page) => !other.pages.has(page.path)).sort(byPath);
}

/**
 * Where the addresses that are gone lead in the end, by address: to something in the new export, or
 * to another host. Addresses that lead to nothing, or in a circle, are left out.
 */
function findRedirects(
  gone: readonly PageEntry[],
  to: SiteEntries,
  same: ReadonlySet<string>,
): Map<string, string> {
  const leadsTo = new Map<string, string>();
  const redirects = to.redirects;
  if (redirects === undefined) return leadsTo;
  const files = new Set(to.assets.map((file) => `/${file.path}`));
  // A redirect may lead to any page, changed or not, and to another file such as a PDF.
  const isThere = (target: string) =>
    [to.pages, same, files].some((places) => places.has(addressOf(target)));
  for (const page of gone) {
    const target = followRedirects(page.path, (from) => redirects(addressOf(from)), isThere);
    if (target !== undefined) leadsTo.set(page.path, addressOf(target));
  }
  return leadsTo;
}

/** The address of a page for a target as a rule writes it. */
function addressOf(target: string): string {
  if (isOutside(target)) return target;
  return addressOfPage(target.replace(/^\/|\/$/g, ''));
}

interface Move {
  readonly from: PageEntry;
  readonly to: PageEntry;
  readonly similarity: number | undefined;
}

/**
 * Pairs pages that are gone with new ones: a page has moved if its old address leads to the new
 * page; if each is the only one with their fingerprint; or, of the rest, if most of the text is the
 * same. Pages with equal fingerprints (empty pages, stubs) could be any of each other: they count
 * as removed and added.
 */
async function findMoves(
  gonePages: readonly PageEntry[],
  newPages: readonly PageEntry[],
  redirectOf: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<Move[]> {
  const moves: Move[] = [];
  const unpairedNew = new Map(newPages.map((page) => [page.path, page]));
  // A page with a redirect has moved to where that leads, or not at all: it is not looked for.
  const unpairedGone = new Set(gonePages.filter((page) => !redirectOf.has(page.path)));
  const pair = (from: PageEntry, target: string | undefined, similarity?: number) => {
    // No redirect leads from the page, or no new page has its fingerprint.
    if (target === undefined) return;
    const to = unpairedNew.get(target);
    // It is not the address of a new page, or that page has its pair.
    if (to === undefined) return;
    moves.push({ from, to, similarity });
    unpairedNew.delete(to.path);
    unpairedGone.delete(from);
  };
  // Several addresses may lead to one page: it has moved from the first, and the others are gone.
  for (const page of gonePages) pair(page, redirectOf.get(page.path));
  const targets = uniquePages(unpairedNew.values());
  for (const [fingerprint, page] of uniquePages(unpairedGone))
    pair(page, targets.get(fingerprint)?.path);
  const similar = await similarPairs([...unpairedGone], [...unpairedNew.values()], signal);
  // A page can be similar to several: the most similar pairs come first.
  for (const { from, to, similarity } of similar) {
    if (unpairedGone.has(from)) pair(from, to.path, similarity);
  }
  return moves;
}

/** The pages whose fingerprint is unique in the list, by fingerprint. */
function uniquePages(pages: Iterable<PageEntry>): Map<string, PageEntry> {
  const unique = new Map<string, PageEntry>();
  const repeated = new Set<string>();
  for (const page of pages) {
    if (unique.has(page.fingerprint)) repeated.add(page.fingerprint);
    unique.set(page.fingerprint, page);
  }
  for (const fingerprint of repeated) unique.delete(fingerprint);
  return unique;
}

/**
 * Counts changed files. Files with the same content are the same, whatever their name; the rest is
 * paired by names without a build hash.
 */
function compareAssets(from: readonly AssetEntry[], to: readonly AssetEntry[]): AssetChanges {
  const newNames = stableNames(
    withoutPair(to, from, ({ content }) => content),
    to,
  );
  const goneNames = stableNames(
    withoutPair(from, to, ({ content }) => content),
    from,
  );
  // A new file with the stable name of one that is gone is that file, changed.
  const added = withoutPair(newNames, goneNames).length;
  const changed = newNames.length - added;
  return { added, removed: goneNames.length - changed, changed };
}

function stableNames(files: readonly AssetEntry[], all: readonly AssetEntry[]): readonly string[] {
  if (files.length === 0) return [];
  const ids = new BuildIds(all.map(({ path }) => path));
  return files.map(({ path }) => ids.stable(path));
}

function nameOf(page: PageEntry): { path: string; title: string } {
  return { path: page.path, title: page.title };
}

export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return compareText(a.path, b.path);
}

// Compares code units, not by the locale: the same exports must give the same text on every
// machine.
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const MOST_LINKING_PAGES = 20;

/** Links of the new export to addresses at which the earlier one had a page. */
export class LostLinks {
  /** The forms of a link to each lost page, to the address of the page. */
  readonly #targets = new Map<string, string>();
  /**
   * The pages that link to a lost page, by its address: their number, the last that was counted,
   * and the first ones.
   */
  readonly #linking = new Map<string, { pages: number; last: string; readonly first: string[] }>();

  constructor(pages: Iterable<readonly [address: string, file: Pick<BundleFile, 'path'>]>) {
    for (const [address, file] of pages) {
      // Targets of links have no slash in front.
      const bare = address.slice(1);
      // Names of files and links may be in different Unicode forms: both are compared in NFC.
      for (const target of [bare, `${bare}/`, `${bare}.html`, `${bare}/index.html`, file.path]) {
        this.#targets.set(target.normalize('NFC'), address);
      }
    }
  }

  /**
   * `path`: the file of the page with the link, in the new site. The links of one page come one after
   * the other.
   */
  add(site: ComparedSite, path: string, target: string): void {
    const address = this.#targets.get(target.normalize('NFC'));
    // Most lead to a page that is there.
    if (address === undefined) return;
    const from = addressOfFile(site, path);
    const linking = this.#linking.get(address) ?? { pages: 0, last: '', first: [] };
    this.#linking.set(address, linking);
    // A page with several links counts once.
    if (linking.last === from) return;
    linking.last = from;
    linking.pages += 1;
    if (linking.first.length < MOST_LINKING_PAGES) linking.first.push(from);
  }

  /** How many pages link to a lost page, and the first of them. */
  linksTo(address: string): { readonly links: number; readonly linkedFrom: readonly string[] } {
    const linking = this.#linking.get(address);
    return { links: linking?.pages ?? 0, linkedFrom: linking?.first.toSorted() ?? [] };
  }
}

/**
 * Where changes are: by the first part of the addresses, or the second where all pages have the
 * first in common.
 */
function findSections(pages: readonly string[], changes: PageChanges): SectionChanges[] {
  // `pages` are those of the new export; the sections of removed pages count too.
  const depth = commonDepth([...pages, ...changes.removed.map((page) => page.path)]);
  const zeros = { pages: 0, added: 0, removed: 0, moved: 0, changed: 0 };
  const sections = new Map<string, typeof zeros>();
  const count = (column: keyof typeof zeros, path: string) => {
    const section = sectionOf(path, depth);
    const counts = sections.get(section) ?? { ...zeros };
    counts[column] += 1;
    sections.set(section, counts);
  };
  for (const path of pages) count('pages', path);
  for (const page of changes.added) count('added', page.path);
  for (const page of changes.removed) count('removed', page.path);
  for (const page of changes.moved) count('moved', page.to);
  for (const page of changes.changed) count('changed', page.path);
  // Those with the most changes first.
  return Array.from(sections, ([section, counts]) => ({ section, ...counts })).sort(
    (a, b) => changesIn(b) - changesIn(a) || compareText(a.section, b.section),
  );
}

/** How many parts all addresses begin with: such as 1 if every page is below `/docs`. */
function commonDepth(paths: readonly string[]): number {
  // The entry page is in no folder, whatever folder the others are in.
  const inner = paths.filter((path) => path !== '/');
  const [first = '/'] = inner;
  let prefix = '/';
  let depth = 0;
  for (const folder of first.split('/').slice(1, -1)) {
    prefix += `${folder}/`;
    if (!inner.every((path) => path.startsWith(prefix))) break;
    depth += 1;
  }
  return depth;
}

/** The first `depth + 1` folders of an address; `/` for a page in no folder. */
function sectionOf(path: string, depth: number): string {
  let end = 0;
  for (let folder = 0; folder <= depth; folder += 1) {
    const next = path.indexOf('/', end + 1);
    if (next < 0) break;
    end = next;
  }
  return path.slice(0, end) || '/';
}
