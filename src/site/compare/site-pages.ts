import { createHash } from 'node:crypto';
import { cut } from '../../ground/text/escape.ts';
import { copyText } from '../../ground/text/pieces.ts';
import type { BundleFile } from '../archive/sink.ts';
import { hashFile } from '../disk/hash-file.ts';
import { isPage } from '../page-names.ts';
import type { PageContent } from '../verify/page-content.ts';
import type { PageReader } from '../verify/site-check.ts';
import type { Target } from '../verify/site-index.ts';
import { inTurns, WholeFile } from '../verify/verify-site.ts';
import { buildIdsOf } from './build-ids.ts';
import type { PageEntry } from './compare.ts';
import type { ComparedSite } from './compared-site.ts';
import type { BrokenLink } from './comparison.ts';
import { contentOfEmptyPage } from './same-content.ts';
import { addressOfTarget } from './site-comparison.ts';

/** What a site says of its pages, and what `docs-courier.manifest.json` contains. */
export interface PageList {
  /** By address, without those that are only a redirect. */
  readonly pages: ReadonlyMap<string, PageEntry>;
  /** undefined: the site was not verified, or has too many of them. */
  readonly broken: readonly BrokenLink[] | undefined;
}

interface SeenPage {
  readonly title: string;
  /** undefined: a page without text, such as one that a script fills. */
  readonly fingerprint: string | undefined;
  /** The address to which the page only redirects; empty: to nothing that is known. */
  readonly leadsTo: string | undefined;
}

export const LONGEST_TITLE = 300;
/** Pairs of a link and a page; usually far fewer. */
export const MOST_BROKEN = 50_000;

/** Notes what a reader sees of each page, in the pass over the pages of a site. */
export class SitePages implements PageReader {
  readonly watchesLinks = false;
  readonly #site: ComparedSite;
  readonly #seen = new Map<string, SeenPage>();
  /** The pages that have each broken link, by where it leads. */
  readonly #broken = new Map<string, Set<string>>();
  #brokenCount = 0;

  constructor(site: ComparedSite) {
    this.#site = site;
  }

  reads(path: string): boolean {
    return isPage(path);
  }

  wants(path: string): boolean {
    return isPage(path);
  }

  page(path: string, content: PageContent, redirect: Target | undefined): void {
    const title = copyText(cut(content.title, { chars: LONGEST_TITLE }));
    const { fingerprint, redirect: raw } = content;
    const leadsTo = raw && addressOfTarget(redirect, raw);
    this.#seen.set(path, { title, fingerprint, leadsTo });
  }

  link(): void {
    // Only broken ones are noted.
  }

  broken(path: string, target: string): void {
    if (this.#brokenCount >= MOST_BROKEN) return;
    const pages = this.#broken.get(target) ?? new Set<string>();
    if (pages.has(path)) return;
    this.#brokenCount += 1;
    pages.add(path);
    this.#broken.set(copyText(target), pages);
  }

  /** Where pages that are only a redirect lead, by address. */
  get redirects(): ReadonlyMap<string, string> {
    const redirects = new Map<string, string>();
    for (const [address, { path }] of this.#site.pages) {
      const leadsTo = this.#seen.get(path)?.leadsTo;
      if (leadsTo !== undefined) redirects.set(address, leadsTo);
    }
    return redirects;
  }

  /**
   * What was noted, once the pass is over. `isVerified`: all files were read, and not only pages, so
   * that all broken links are known. Throws `cancelled`, and the error of the file system.
   */
  async list(isVerified: boolean, signal: AbortSignal): Promise<PageList> {
    const pages = new Map<string, PageEntry>();
    const unread: (readonly [address: string, file: BundleFile])[] = [];
    const file = new WholeFile();
    const ids = buildIdsOf(this.#site);
    const readEmpty = (path: string) => {
      const html = file.readIfPossible(`${this.#site.root}/${path}`);
      return html && contentOfEmptyPage(html, ids);
    };
    await inTurns(this.#site.pages, signal, ([address, one]) => {
      const seen = this.#seen.get(one.path);
      if (seen?.leadsTo !== undefined) return;
      const fingerprint = seen?.fingerprint ?? readEmpty(one.path);
      if (fingerprint === undefined) unread.push([address, one]);
      else pages.set(address, { path: address, title: seen?.title || address, fingerprint });
    });
    // Larger than what is read: the whole file counts.
    for (const [address, { path }] of unread) {
      const fingerprint = await hashFile(
        `${this.#site.root}/${path}`,
        createHash('sha256'),
        signal,
      );
      pages.set(address, { path: address, title: address, fingerprint });
    }
    const isKnown = isVerified && this.#brokenCount < MOST_BROKEN;
    if (!isKnown) return { pages, broken: undefined };
    return { pages, broken: this.#brokenLinks() };
  }

  #brokenLinks(): BrokenLink[] {
    const addresses = new Map(
      Array.from(this.#site.pages, ([address, { path }]) => [path, address]),
    );
    return Array.from(this.#broken, ([target, paths]) => ({
      target: `/${target}`,
      pages: Array.from(paths, (path) => addresses.get(path) ?? `/${path}`),
    }));
  }
}
