import type { BundleFile } from '../archive/sink.ts';
import type { Changes } from './compare.ts';
import type { LostAddress } from './comparison.ts';

const MOST_SHOWN = 20;

interface Found {
  pages: number;
  last: string;
  readonly first: string[];
}

/** Links of the new export to addresses at which the earlier one had a page. */
export class LostLinks {
  /** What a link to such a page may end in, to the page's address. */
  readonly #targets = new Map<string, string>();
  readonly #found = new Map<string, Found>();
  readonly count: number;

  constructor(pages: readonly (readonly [address: string, file: BundleFile])[]) {
    this.count = pages.length;
    for (const [address, { path }] of pages) {
      const bare = address.slice(1);
      for (const target of [bare, `${bare}/`, `${bare}.html`, `${bare}/index.html`, path]) {
        this.#targets.set(target, address);
      }
    }
  }

  /** `from`: the address of the page with the link. The links of one page come one after the other. */
  add(from: string, target: string): void {
    const address = this.#targets.get(target);
    if (address === undefined || address === from) return;
    const found = this.#found.get(address) ?? { pages: 0, last: '', first: [] };
    this.#found.set(address, found);
    if (found.last === from) return;
    found.last = from;
    found.pages += 1;
    if (found.first.length < MOST_SHOWN) found.first.push(from);
  }

  to(address: string): Pick<LostAddress, 'links' | 'linkedFrom'> {
    const { pages, first } = this.#found.get(address) ?? { pages: 0, first: [] };
    return { links: pages, linkedFrom: first.toSorted() };
  }
}

/** Every address that had a page and has none, sorted by path. */
export function lostAddresses(
  { removed, moved, redirectOf }: Changes,
  links: LostLinks,
  titleOf: (path: string) => string,
): LostAddress[] {
  const gone = [
    ...removed.map(({ path }) => ({ path })),
    ...moved.map(({ from, to }) => ({ path: from, movedTo: to })),
  ];
  return gone
    .map(({ path, ...move }) => {
      const redirect = redirectOf.get(path);
      return { path, title: titleOf(path), ...(redirect !== undefined && { redirect }), ...move, ...links.to(path) };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
