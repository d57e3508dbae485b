import type { BundleFile } from '../archive/sink.ts';
import { addressOfPage } from '../page-names.ts';
import { followRedirects, isOutside, type RedirectRules } from '../redirects/rules.ts';
import { type Comparison, changesIn, type LostAddress, type SectionChanges } from './comparison.ts';
import { stableName, withoutPair } from './same-content.ts';
import { similarPairs } from './similar.ts';

/**
 * One page of an export, as the comparison needs it. Titles come from pages: escape it where you
 * show it.
 */
export interface PageEntry {
  /** Its address in the site, such as `/guide/start`. */
  readonly path: string;
  readonly title: string;
  /**
   * Of what a reader sees, equal for equal content. Of the whole file if nothing but a manifest is
   * known.
   */
  readonly fingerprint: string;
  /** By which its text is compared with that of pages at other addresses, if that is done. */
  readonly sketch?: Uint32Array | undefined;
}

/** A file that is not a page. */
export interface AssetEntry {
  readonly path: string;
  /** Equal for equal content. */
  readonly content: string;
}

/** What one export contains, apart from pages that are known to be the same in both. */
export interface SiteEntries {
  /** By address, without those that only send their readers on. */
  readonly pages: ReadonlyMap<string, PageEntry>;
  readonly assets: readonly AssetEntry[];
  /**
   * Pages that only send their readers on, as far as they differ: they are not pages, and count as
   * other files.
   */
  readonly redirectPages?: readonly AssetEntry[];
  /**
   * Where an address without a page leads: by a page that sends its readers on, or by a rule of the
   * bundle.
   */
  readonly redirects?: RedirectRules;
}

/** What changed, as far as fingerprints and hashes show it. */
interface Changes
  extends Pick<
    Comparison,
    'version' | 'added' | 'removed' | 'moved' | 'changed' | 'unchanged' | 'assets'
  > {
  /** Every address that had a page and has none. */
  readonly lost: readonly Omit<LostAddress, 'links' | 'linkedFrom'>[];
}

/** The addresses of pages that are known to be the same in both exports. */
type SamePages = Pick<ReadonlySet<string>, 'size' | 'has'>;

interface CompareInit {
  readonly from: SiteEntries;
  readonly to: SiteEntries;
  readonly same?: SamePages;
  readonly signal: AbortSignal;
}

/**
 * Compares two exports page by page. Fingerprints and hashes decide, no file is read. Throws
 * `cancelled` only.
 */
export async function compareExports({
  from,
  to,
  same = new Set(),
  signal,
}: CompareInit): Promise<Changes> {
  const gone = [...from.pages.values()].filter(({ path }) => !to.pages.has(path)).sort(byPath);
  const fresh = [...to.pages.values()].filter(({ path }) => !from.pages.has(path)).sort(byPath);
  const stayed = [...to.pages.values()].filter(({ path }) => from.pages.has(path));
  const changed = stayed.filter(
    ({ path, fingerprint }) => from.pages.get(path)?.fingerprint !== fingerprint,
  );
  const redirectOf = findRedirects(gone, to, same);
  const moves = await findMoves({ gone, fresh, redirectOf, signal });
  const movedTo = new Map(moves.map((move) => [move.from.path, move.to.path]));
  const targets = new Set(movedTo.values());
  const edited = moves.filter(
    ({ from: source, to: target }) => source.fingerprint !== target.fingerprint,
  );
  const lost = gone.map((page) => {
    const [redirect, target] = [redirectOf.get(page.path), movedTo.get(page.path)];
    return {
      ...shown(page),
      ...(redirect !== undefined && { redirect }),
      ...(target && { movedTo: target }),
    };
  });
  return {
    version: 1,
    added: fresh.filter(({ path }) => !targets.has(path)).map(shown),
    removed: lost.filter(({ path }) => !movedTo.has(path)),
    moved: moves
      .map(({ from: { path }, to: { path: target, title }, similarity }) => ({
        ...{ from: path, to: target, title },
        ...(similarity !== undefined && { similarity }),
      }))
      .sort((a, b) => compareText(a.from, b.from)),
    changed: [
      ...changed.map(shown),
      ...edited.map(({ from: { path }, to: target }) => ({ ...shown(target), movedFrom: path })),
    ].sort(byPath),
    unchanged: same.size + stayed.length - changed.length,
    assets: compareAssets(otherFiles(from), otherFiles(to)),
    lost,
  };
}

/**
 * Where addresses that are gone lead in the end. What leads to nothing, or in a circle, covers
 * nothing.
 */
function findRedirects(
  gone: readonly PageEntry[],
  { pages, assets, redirects }: SiteEntries,
  same: SamePages,
): Map<string, string> {
  const found = new Map<string, string>();
  if (redirects === undefined) return found;
  const files = new Set(assets.map(({ path }) => `/${path}`));
  const isThere = (target: string) =>
    [pages, same, files].some((known) => known.has(addressOf(target)));
  for (const { path } of gone) {
    const target = followRedirects(path, (address) => redirects(addressOf(address)), isThere);
    if (target !== undefined) found.set(path, addressOf(target));
  }
  return found;
}

/** Of a target as a rule writes it. */
function addressOf(target: string): string {
  return isOutside(target) ? target : addressOfPage(target.replace(/^\/|\/$/g, ''));
}

interface Move {
  readonly from: PageEntry;
  readonly to: PageEntry;
  readonly similarity?: number;
}

/**
 * A page has moved if its old address leads to a new one; if exactly one page is gone and exactly
 * one is new with the same fingerprint; or, of those that are left, if most of the text is the
 * same. Several equal ones (empty pages, stubs) could be any of each other: they count as removed
 * and added.
 */
async function findMoves({
  gone,
  fresh,
  redirectOf,
  signal,
}: {
  readonly gone: readonly PageEntry[];
  readonly fresh: readonly PageEntry[];
  readonly redirectOf: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
}): Promise<Move[]> {
  const free = new Map(fresh.map((page) => [page.path, page]));
  const take = (from: PageEntry, target: string | undefined, similarity?: number): Move[] => {
    const to = free.get(target ?? '');
    free.delete(target ?? '');
    return to === undefined ? [] : [{ from, to, ...(similarity !== undefined && { similarity }) }];
  };
  // Several addresses may lead to one page: it has moved from the first, and the others are gone.
  const led = gone.flatMap((page) => take(page, redirectOf.get(page.path)));
  const others = gone.filter(({ path }) => !redirectOf.has(path));
  const [sources, targets] = [singles(others), singles([...free.values()])];
  const same = [...sources].flatMap(([fingerprint, page]) =>
    take(page, targets.get(fingerprint)?.path),
  );
  const left = new Set(others);
  for (const { from } of same) left.delete(from);
  const pairs = await similarPairs([...left], [...free.values()], signal);
  const similar = pairs.flatMap(({ from, to, similarity }) => {
    return left.delete(from) ? take(from, to.path, similarity) : [];
  });
  return [...led, ...same, ...similar];
}

/** The pages whose fingerprint no other page of the list has, by that. */
function singles(pages: readonly PageEntry[]): Map<string, PageEntry> {
  const found = new Map<string, PageEntry>();
  const several = new Set<string>();
  for (const page of pages) {
    if (found.has(page.fingerprint)) several.add(page.fingerprint);
    found.set(page.fingerprint, page);
  }
  for (const fingerprint of several) found.delete(fingerprint);
  return found;
}

function otherFiles({ assets, redirectPages = [] }: SiteEntries): readonly AssetEntry[] {
  return [...assets, ...redirectPages];
}

/**
 * Content decides first, so that a file with a new name is not a change; what is left is paired by
 * its name without a hash.
 */
function compareAssets(
  from: readonly AssetEntry[],
  to: readonly AssetEntry[],
): Comparison['assets'] {
  const fresh = withoutPair(to, from, ({ content }) => content);
  const gone = withoutPair(from, to, ({ content }) => content);
  const added = withoutPair(fresh, gone, ({ path }) => stableName(path)).length;
  const changed = fresh.length - added;
  return { added, removed: gone.length - changed, changed };
}

function shown({ path, title }: PageEntry): { path: string; title: string } {
  return { path, title };
}

export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return compareText(a.path, b.path);
}

// Not by the locale: the same exports must give the same text on every machine.
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const MOST_SHOWN = 20;

/** Links of the new export to addresses at which the earlier one had a page. */
export class LostLinks {
  /** What a link to such a page may end in, to the page's address. */
  readonly #targets = new Map<string, string>();
  readonly #found = new Map<string, { pages: number; last: string; readonly first: string[] }>();

  constructor(pages: readonly (readonly [address: string, file: BundleFile])[]) {
    for (const [address, { path }] of pages) {
      const bare = address.slice(1);
      for (const target of [bare, `${bare}/`, `${bare}.html`, `${bare}/index.html`, path]) {
        this.#targets.set(target.normalize('NFC'), address);
      }
    }
  }

  /**
   * `from`: the address of the page with the link. The links of one page come one after the other.
   */
  add(from: string, target: string): void {
    const address = this.#targets.get(target.normalize('NFC'));
    if (address === undefined || address === from) return;
    const found = this.#found.get(address) ?? { pages: 0, last: '', first: [] };
    this.#found.set(address, found);
    if (found.last === from) return;
    found.last = from;
    found.pages += 1;
    if (found.first.length < MOST_SHOWN) found.first.push(from);
  }

  to(address: string): Pick<LostAddress, 'links' | 'linkedFrom'> {
    const { pages = 0, first = [] } = this.#found.get(address) ?? {};
    return { links: pages, linkedFrom: first.toSorted() };
  }
}

/**
 * Where changes are: by the first part of the addresses, or the second where all pages have the
 * first in common.
 */
export function findSections(
  pages: readonly string[],
  { added, removed, moved, changed }: Pick<Comparison, 'added' | 'removed' | 'moved' | 'changed'>,
): SectionChanges[] {
  const [addedAt, removedAt, changedAt] = [added, removed, changed].map((list) =>
    list.map(({ path }) => path),
  );
  const lists = {
    pages,
    added: addedAt,
    removed: removedAt,
    moved: moved.map(({ to }) => to),
    changed: changedAt,
  };
  const depth = commonDepth([...pages, ...(removedAt ?? [])]);
  const sections = new Map<
    string,
    { -readonly [field in keyof SectionChanges]: SectionChanges[field] }
  >();
  for (const what of ['pages', 'added', 'removed', 'moved', 'changed'] as const) {
    for (const path of lists[what] ?? []) {
      const section = sectionOf(path, depth);
      const counts = sections.get(section) ?? {
        section,
        pages: 0,
        added: 0,
        removed: 0,
        moved: 0,
        changed: 0,
      };
      counts[what] += 1;
      sections.set(section, counts);
    }
  }
  return [...sections.values()].sort(
    (a, b) => changesIn(b) - changesIn(a) || compareText(a.section, b.section),
  );
}

/** How many parts all addresses begin with: such as 1 if every page is below `/docs`. */
function commonDepth(paths: readonly string[]): number {
  const inner = paths.filter((path) => path !== '/');
  const folders = inner[0]?.split('/').slice(1, -1) ?? [];
  let prefix = '/';
  const depth = folders.findIndex((folder) => {
    prefix += `${folder}/`;
    return !inner.every((path) => path.startsWith(prefix));
  });
  return depth < 0 ? folders.length : depth;
}

/** A page that is in no folder is at the top, unless other pages are below it. */
function sectionOf(path: string, depth: number): string {
  let end = 0;
  for (let part = 0; part <= depth; part += 1) {
    const next = path.indexOf('/', end + 1);
    if (next < 0) break;
    end = next;
  }
  return path.slice(0, end) || '/';
}
