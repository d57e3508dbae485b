import type { AssetEntry, PageEntry, PageIndex } from './page-index.ts';
import { stableName } from './stable-name.ts';

/** What changed from one export to another, in the form of the output `changes`. Lists are sorted by path. */
interface Changes {
  readonly version: 1;
  readonly from: { readonly jobId: string; readonly pages: number };
  readonly to: { readonly jobId: string; readonly pages: number };
  readonly added: readonly { readonly path: string; readonly title: string }[];
  /** `redirect`: where the old address leads now; without one it is lost. */
  readonly removed: readonly { readonly path: string; readonly title: string; readonly redirect?: string }[];
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  readonly changed: readonly { readonly path: string; readonly title: string }[];
  readonly unchanged: number;
  readonly assets: AssetChanges;
}

interface AssetChanges {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/** Compares two exports page by page. Pure: fingerprints and hashes decide, no file is read. */
export function compareExports(from: PageIndex, to: PageIndex): Changes {
  const before = pagesByPath(from);
  const after = pagesByPath(to);
  const gone = [...before.values()].filter(({ path }) => !after.has(path));
  const fresh = [...after.values()].filter(({ path }) => !before.has(path));
  const stayed = [...after.values()].filter(({ path }) => before.has(path));
  const changed = stayed.filter(({ path, fingerprint }) => before.get(path)?.fingerprint !== fingerprint);
  const redirects = redirectsOf(to);
  const moved = findMoved(gone, fresh, redirects);
  const targets = new Set(moved.values());
  return {
    version: 1,
    from: { jobId: from.jobId, pages: before.size },
    to: { jobId: to.jobId, pages: after.size },
    added: fresh
      .filter(({ path }) => !targets.has(path))
      .map(shown)
      .sort(byPath),
    removed: gone
      .filter(({ path }) => !moved.has(path))
      .map((page) => withRedirect(page, redirects))
      .sort(byPath),
    moved: [...moved].map(([path, target]) => ({ from: path, to: target })).sort((a, b) => compareText(a.from, b.from)),
    changed: changed.map(shown).sort(byPath),
    unchanged: stayed.length - changed.length,
    assets: compareAssets(from.assets, to.assets),
  };
}

function pagesByPath({ pages }: PageIndex): Map<string, PageEntry> {
  return new Map(pages.filter(({ redirect }) => redirect === undefined).map((page) => [page.path, page]));
}

function redirectsOf({ pages, redirects }: PageIndex): ReadonlyMap<string, string> {
  const own = pages.flatMap(({ path, redirect }) => (redirect === undefined ? [] : [[path, redirect] as const]));
  return new Map([...(redirects ?? []), ...own]);
}

/**
 * A page has moved where its old address leads to a new one, or where exactly one page is gone and exactly one is new with
 * the same fingerprint. Several alike (empty pages, stubs) could be any of each other: they count as removed and added.
 */
function findMoved(
  gone: readonly PageEntry[],
  fresh: readonly PageEntry[],
  redirects: ReadonlyMap<string, string>,
): Map<string, string> {
  const moved = new Map<string, string>();
  const isFresh = new Set(fresh.map(({ path }) => path));
  for (const { path } of gone) {
    const target = followRedirects(path, redirects);
    if (target !== undefined && isFresh.has(target)) moved.set(path, target);
  }
  const taken = new Set(moved.values());
  const sources = singles(gone.filter(({ path }) => !moved.has(path)));
  const targets = singles(fresh.filter(({ path }) => !taken.has(path)));
  for (const [fingerprint, source] of sources) {
    const target = targets.get(fingerprint);
    if (target !== undefined && !redirects.has(source)) moved.set(source, target);
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
  for (let next = target; next !== undefined; next = redirects.get(next)) {
    if (seen.has(next)) return undefined;
    seen.add(next);
    target = next;
  }
  return target;
}

function withRedirect(page: PageEntry, redirects: ReadonlyMap<string, string>) {
  const redirect = followRedirects(page.path, redirects);
  return redirect === undefined ? shown(page) : { ...shown(page), redirect };
}

/** Content decides first, so that a file with a new name is no change; what is left is paired by its name without a hash. */
function compareAssets(from: readonly AssetEntry[], to: readonly AssetEntry[]): AssetChanges {
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
