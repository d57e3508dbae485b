import { packSite } from '../site/pack.ts';
import { type Page, readPages } from '../site/page.ts';
import { type Rendering, renderSite } from '../site/render.ts';
import type { Behaviour, EmulatorClock } from './options.ts';
import type { Publishing } from './publishing.ts';
import { createSearchIndex, type SearchIndex } from './search-index.ts';

interface Site {
  /** The index that searches use. */
  visible: Promise<SearchIndex>;
  /** The index of newer content, until the lag is over. */
  pending:
    | { readonly index: Promise<SearchIndex>; readonly at: number; searches: number }
    | undefined;
}

const EMPTY = Promise.resolve(createSearchIndex([]));

interface SitesInit {
  readonly ids: readonly string[];
  readonly publishing: Publishing;
  readonly behaviour: Behaviour;
  readonly clock: EmulatorClock;
}

/** The sites that the platform hosts: what an export renders, and what search finds. */
export class Sites {
  readonly #init: SitesInit;
  readonly #sites = new Map<string, Site>();

  constructor(init: SitesInit) {
    this.#init = init;
    this.clear();
  }

  /** Restores and publishes the initial contents. */
  clear(): void {
    this.#sites.clear();
    for (const id of this.#init.ids) {
      this.#sites.set(id, { visible: EMPTY, pending: undefined });
      this.publish(id);
    }
  }

  ids(): string[] {
    return [...this.#sites.keys()];
  }

  /** The site of a domain: its id, or a host name that begins with the id as its first label. */
  resolve(domain: string): string | undefined {
    const id = this.#sites.has(domain) ? domain : domain.split('.')[0];
    return id !== undefined && this.#sites.has(id) ? id : undefined;
  }

  /** What does not exist in a selection, as a sentence. */
  async findMissing(
    id: string,
    { version, paths = [] }: Pick<Rendering, 'version' | 'paths'>,
  ): Promise<string | undefined> {
    if (version === undefined && paths.length === 0) return undefined;
    const pages = this.#sites.has(id) ? await this.#pages(id) : [];
    const versions = new Set(pages.flatMap(({ meta }) => meta.version ?? []));
    if (version !== undefined && !versions.has(version)) return `version ${version} does not exist`;
    const known = new Set(pages.map(({ url }) => url.slice(1)));
    const missing = paths.find((path) => !known.has(path));
    return missing === undefined ? undefined : `page ${missing} does not exist`;
  }

  /** Renders the site's published content into a .tar.gz; `progress` is updated meanwhile. */
  async export(id: string, rendering: Omit<Rendering, 'name' | 'files'>): Promise<Uint8Array> {
    const files = await this.#init.publishing.files(id);
    return packSite(await renderSite({ ...rendering, name: id, files }));
  }

  /** Indexes the site's published content; search finds it once the lag is over. */
  publish(id: string): void {
    const site = this.#sites.get(id);
    if (!site) return;
    const index = this.#pages(id).then(createSearchIndex);
    // Prevents an unhandled rejection; a search, or a wait until ready, gets the error.
    index.catch(() => undefined);
    if (this.#lags()) site.pending = { index, at: this.#init.clock.now(), searches: 0 };
    else Object.assign(site, { visible: index, pending: undefined });
  }

  /** The index that a search uses now; counts as a search. */
  async searched(id: string): Promise<SearchIndex> {
    const site = this.#sites.get(id);
    if (!site) return EMPTY;
    this.#reveal(site);
    return site.visible;
  }

  /** Settles when every pending index is built. */
  async ready(): Promise<void> {
    await Promise.all(
      [...this.#sites.values()].flatMap((site) => [site.visible, site.pending?.index]),
    );
  }

  async #pages(id: string): Promise<Page[]> {
    return readPages(await this.#init.publishing.files(id));
  }

  #lags(): boolean {
    const { ms = 0, searches = 0 } = this.#init.behaviour.searchLag;
    return ms > 0 || searches > 0;
  }

  /** Makes the newer index visible once the lag is over, in time and in searches. */
  #reveal(site: Site): void {
    const { pending } = site;
    if (!pending) return;
    const { ms = 0, searches = 0 } = this.#init.behaviour.searchLag;
    if (this.#init.clock.now() - pending.at >= ms && pending.searches >= searches) {
      Object.assign(site, { visible: pending.index, pending: undefined });
    }
    pending.searches += 1;
  }
}
