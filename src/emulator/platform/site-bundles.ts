import { packSite } from '../site/pack.ts';
import { readPages } from '../site/page.ts';
import { renderSite } from '../site/render.ts';
import { readSource } from '../site/source.ts';
import type { Behaviour, EmulatorClock, SiteContent } from './options.ts';
import { createSearchIndex, type SearchIndex } from './search-index.ts';

/** The sites that the platform hosts: what an export renders, and what search finds. */
export interface SiteShelf {
  ids(): string[];
  /** The site that a domain means: its id, or a host name whose leading label is the id. */
  resolve(domain: string): string | undefined;
  /** Renders the site as it is now into a .tar.gz; `progress` is kept up to date meanwhile. */
  export(site: string, progress: { rendered: number; total: number }): Promise<Uint8Array>;
  /** Indexes the site as it is now; search sees it once the lag is over. */
  publish(site: string): void;
  /** The index that a search made now sees; counts as a search. */
  searched(site: string): Promise<SearchIndex>;
  /** Settles when every index under way is built. */
  ready(): Promise<void>;
  clear(): void;
}

interface Shelved {
  readonly content: SiteContent;
  visible: Promise<SearchIndex>;
  pending: { readonly index: Promise<SearchIndex>; readonly at: number; searches: number } | undefined;
}

const EMPTY = Promise.resolve(createSearchIndex([]));

async function buildIndex(content: SiteContent): Promise<SearchIndex> {
  return createSearchIndex(readPages(await readSource(content)));
}

interface ShelfInit {
  readonly sites: Readonly<Record<string, SiteContent>>;
  readonly behaviour: Behaviour;
  readonly clock: EmulatorClock;
}

export function createSiteShelf({ sites, behaviour, clock }: ShelfInit): SiteShelf {
  const shelf = new Map<string, Shelved>();
  const lags = () => (behaviour.searchLag.ms ?? 0) > 0 || (behaviour.searchLag.searches ?? 0) > 0;

  function publish(site: string): void {
    const entry = shelf.get(site);
    if (!entry) return;
    const index = buildIndex(entry.content);
    // Kept from being an unhandled rejection; whoever searches, or waits until ready, is told.
    index.catch(() => undefined);
    if (lags()) entry.pending = { index, at: clock.now(), searches: 0 };
    else Object.assign(entry, { visible: index, pending: undefined });
  }

  function reveal(entry: Shelved): void {
    const { pending } = entry;
    if (!pending) return;
    const { ms = 0, searches = 0 } = behaviour.searchLag;
    if (clock.now() - pending.at >= ms && pending.searches >= searches) {
      Object.assign(entry, { visible: pending.index, pending: undefined });
    }
    pending.searches += 1;
  }

  function load(): void {
    for (const [site, content] of Object.entries(sites))
      shelf.set(site, { content, visible: EMPTY, pending: undefined });
    for (const site of shelf.keys()) publish(site);
  }
  load();

  return {
    ids: () => [...shelf.keys()],
    resolve(domain) {
      const site = shelf.has(domain) ? domain : domain.split('.')[0];
      return site !== undefined && shelf.has(site) ? site : undefined;
    },
    async export(site, progress) {
      const entry = shelf.get(site);
      if (!entry) throw new Error(`There is no site ${site}.`);
      return packSite(await renderSite({ name: site, files: await readSource(entry.content), progress }));
    },
    publish,
    async searched(site) {
      const entry = shelf.get(site);
      if (!entry) return EMPTY;
      reveal(entry);
      return entry.visible;
    },
    async ready() {
      await Promise.all([...shelf.values()].flatMap((entry) => [entry.visible, entry.pending?.index]));
    },
    clear: load,
  };
}
