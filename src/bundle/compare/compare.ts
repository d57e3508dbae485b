import type { Comparison } from './comparison.ts';
import { type AssetEntry, addressOfPage, type PageEntry, type PageIndex } from './page-index.ts';
import { stableName } from './stable-name.ts';

/** What changed, as far as fingerprints and hashes show it. */
export interface Changes
  extends Pick<Comparison, 'version' | 'added' | 'removed' | 'moved' | 'changed' | 'unchanged' | 'assets'> {
  /** Of every address that is gone, where it leads now. */
  readonly redirectOf: ReadonlyMap<string, string>;
}

/** Compares two exports page by page. Pure: fingerprints and hashes decide, no file is read. */
export function compareExports(from: PageIndex, to: PageIndex): Changes {
  const before = pagesByPath(from);
  const after = pagesByPath(to);
  const gone = [...before.values()].filter(({ path }) => !after.has(path)).sort(byPath);
  const fresh = [...after.values()].filter(({ path }) => !before.has(path));
  const stayed = [...after.values()].filter(({ path }) => before.has(path));
  const changed = stayed.filter(({ path, fingerprint }) => before.get(path)?.fingerprint !== fingerprint);
  const redirectOf = findRedirects(gone, to, new Set(after.keys()));
  const moved = findMoved(gone, fresh, redirectOf);
  const targets = new Set(moved.values());
  return {
    version: 1,
    redirectOf,
    added: fresh
      .filter(({ path }) => !targets.has(path))
      .map(shown)
      .sort(byPath),
    removed: gone
      .filter(({ path }) => !moved.has(path))
      .map((page) => withRedirect(page, redirectOf))
      .sort(byPath),
    moved: [...moved]
      .map(([path, target]) => ({ from: path, to: target, title: after.get(target)?.title ?? target }))
      .sort((a, b) => compareText(a.from, b.from)),
    changed: changed.map(shown).sort(byPath),
    unchanged: stayed.length - changed.length,
    assets: compareAssets(from.assets, to.assets),
  };
}

function pagesByPath({ pages }: PageIndex): Map<string, PageEntry> {
  return new Map(pages.filter(({ redirect }) => redirect === undefined).map((page) => [page.path, page]));
}

/** Where addresses that are gone lead in the end. What leads to nothing covers nothing. */
function findRedirects(
  gone: readonly PageEntry[],
  { pages, redirects, assets }: PageIndex,
  there: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const own = pages.flatMap(({ path, redirect }) => (redirect === undefined ? [] : [[path, redirect] as const]));
  const all = new Map([...(redirects ?? []), ...own]);
  if (all.size === 0) return all;
  const files = new Set(assets.map(({ path }) => `/${path}`));
  const found = new Map<string, string>();
  for (const { path } of gone) {
    const target = followRedirects(path, all);
    if (target !== undefined && (isOutside(target) || there.has(target) || files.has(target))) found.set(path, target);
  }
  return found;
}

function isOutside(target: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(target);
}

/**
 * A page has moved where its old address leads to a new one, or where exactly one page is gone and exactly one is new with
 * the same fingerprint. Several alike (empty pages, stubs) could be any of each other: they count as removed and added.
 */
function findMoved(
  gone: readonly PageEntry[],
  fresh: readonly PageEntry[],
  redirectOf: ReadonlyMap<string, string>,
): Map<string, string> {
  const moved = new Map<string, string>();
  const free = new Set(fresh.map(({ path }) => path));
  // Several addresses may lead to one page: it has moved from the first, and the others are gone.
  for (const { path } of gone) {
    const target = redirectOf.get(path);
    if (target !== undefined && free.delete(target)) moved.set(path, target);
  }
  const sources = singles(gone.filter(({ path }) => !redirectOf.has(path)));
  const targets = singles(fresh.filter(({ path }) => free.has(path)));
  for (const [fingerprint, source] of sources) {
    const target = targets.get(fingerprint);
    if (target !== undefined) moved.set(source, target);
  }
  return moved;
}

/** The paths of pages whose fingerprint no other page of the list has. */
function singles(pages: readonly PageEntry[]): Map<string, string> {
  const found = new Map<string, string>();
  const several = new Set<string>();
  for (const { path, fingerprint } of pages) {
    if (found.has(fingerprint)) several.add(fingerprint);
    found.set(fingerprint, path);
  }
  for (const fingerprint of several) found.delete(fingerprint);
  return found;
}

/** Where an address leads in the end; undefined where it leads nowhere, or in a circle. */
function followRedirects(path: string, redirects: ReadonlyMap<string, string>): string | undefined {
  const seen = new Set<string>([path]);
  let target = redirects.get(path);
  for (let next = target; next !== undefined; next = redirects.get(addressOf(next))) {
    if (seen.has(addressOf(next))) return undefined;
    seen.add(addressOf(next));
    target = next;
  }
  return target && addressOf(target);
}

/** Of a target as a rule writes it: without what follows the path. */
function addressOf(target: string): string {
  if (isOutside(target)) return target;
  const [path = ''] = target.split(/[?#]/);
  return addressOfPage(path.replace(/^\/|\/$/g, ''));
}

function withRedirect(page: PageEntry, redirectOf: ReadonlyMap<string, string>) {
  const redirect = redirectOf.get(page.path);
  return redirect === undefined ? shown(page) : { ...shown(page), redirect };
}

/** Content decides first, so that a file with a new name is no change; what is left is paired by its name without a hash. */
function compareAssets(from: readonly AssetEntry[], to: readonly AssetEntry[]): Comparison['assets'] {
  const before = countBy(from, ({ sha256 }) => sha256);
  const fresh = to.filter(({ sha256 }) => !takeOne(before, sha256));
  const after = countBy(to, ({ sha256 }) => sha256);
  const gone = from.filter(({ sha256 }) => !takeOne(after, sha256));
  const names = countBy(gone, ({ path }) => stableName(path));
  const changed = fresh.filter(({ path }) => takeOne(names, stableName(path))).length;
  return { added: fresh.length - changed, removed: gone.length - changed, changed };
}

function countBy<T>(entries: readonly T[], keyOf: (entry: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(keyOf(entry), (counts.get(keyOf(entry)) ?? 0) + 1);
  return counts;
}

function takeOne(counts: Map<string, number>, key: string): boolean {
  const left = counts.get(key) ?? 0;
  if (left > 0) counts.set(key, left - 1);
  return left > 0;
}

function shown({ path, title }: PageEntry): { path: string; title: string } {
  return { path, title };
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return compareText(a.path, b.path);
}

// Not by the locale: the same exports must give the same text on every machine.
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
