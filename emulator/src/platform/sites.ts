import { packSite } from '../site/pack.ts';
import { type Page, readPages } from '../site/page.ts';
import { type Rendering, renderSite } from '../site/render.ts';
import { readSource, type SiteContent } from '../site/source.ts';
import type { Behaviour, EmulatorClock } from './options.ts';
import { createSearchIndex, type SearchIndex } from './search-index.ts';

interface Site {
  readonly content: SiteContent;
  visible: Promise<SearchIndex>;
  pending: { readonly index: Promise<SearchIndex>; readonly at: number; searches: number } | undefined;
}

const EMPTY = Promise.resolve(createSearchIndex([]));

async function readContent(content: SiteContent): Promise<Page[]> {
  return readPages(await readSource(content));
}

async function buildIndex(content: SiteContent): Promise<SearchIndex> {
  return createSearchIndex(await readContent(content));
}

interface SitesInit {
  readonly contents: Readonly<Record<string, SiteContent>>;
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
    for (const [id, content] of Object.entries(this.#init.contents)) {
      this.#sites.set(id, { content, visible: EMPTY, pending: undefined });
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
    const site = this.#sites.get(id);
    const pages = site ? await readContent(site.content) : [];
    const versions = new Set(pages.flatMap(({ meta }) => meta.version ?? []));
    if (version !== undefined && !versions.has(version)) return `version ${version} does not exist`;
    const known = new Set(pages.map(({ url }) => url.slice(1)));
    const missing = paths.find((path) => !known.has(path));
    return missing === undefined ? undefined : `page ${missing} does not exist`;
  }

  /** Renders the site's current content into a .tar.gz; `progress` is updated meanwhile. */
  async export(id: string, rendering: Omit<Rendering, 'name' | 'files'>): Promise<Uint8Array> {
    const site = this.#sites.get(id);
    if (!site) throw new Error(`Site ${id} does not exist.`);
    return packSite(await renderSite({ ...rendering, name: id, files: await readSource(site.content) }));
  }

  /** Indexes the site's current content; search finds it once the lag is over. */
  publish(id: string): void {
    const site = this.#sites.get(id);
    if (!site) return;
    const index = buildIndex(site.content);
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
    await Promise.all([...this.#sites.values()].flatMap((site) => [site.visible, site.pending?.index]));
  }

  #lags(): boolean {
    const { ms = 0, searches = 0 } = this.#init.behaviour.searchLag;
    return ms > 0 || searches > 0;
  }

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
