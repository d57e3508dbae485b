import { hash } from 'node:crypto';
import { cut } from '../../ground/text/escape.ts';
import { copyText } from '../../ground/text/pieces.ts';
import { isPage } from '../page-names.ts';
import type { PageContent } from '../verify/page-content.ts';
import type { PageReader } from '../verify/site-check.ts';
import type { Target } from '../verify/site-index.ts';
import type { PageEntry } from './compare.ts';
import type { ComparedSite } from './compared-site.ts';
import type { BrokenLink } from './comparison.ts';
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
  readonly fingerprint: string;
  /** The address to which the page only redirects; empty: to nothing that is known. */
  readonly leadsTo: string | undefined;
}

/** A page that is larger than what is read. */
const UNREAD: SeenPage = { title: '', fingerprint: fingerprintOf('unread'), leadsTo: undefined };

export const LONGEST_TITLE = 300;
const LONGEST_TARGET = 1000;
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
    const { redirect: raw } = content;
    // Of a page that a script fills, a reader sees only the title; its file has addresses.
    const { fingerprint = fingerprintOf(`empty ${title}`) } = content;
    const leadsTo = raw && addressOfTarget(redirect, raw);
    this.#seen.set(path, { title, fingerprint, leadsTo });
  }

  link(): void {
    // Only broken ones are noted.
  }

  broken(path: string, target: string): void {
    if (this.#brokenCount >= MOST_BROKEN) return;
    const address = copyText(cut(target, { chars: LONGEST_TARGET }));
    const pages = this.#broken.get(address) ?? new Set<string>();
    if (pages.has(path)) return;
    this.#brokenCount += 1;
    pages.add(path);
    this.#broken.set(address, pages);
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
   * that all broken links are known.
   */
  list({ isVerified }: { readonly isVerified: boolean }): PageList {
    const pages = new Map<string, PageEntry>();
    for (const [path, { path: file }] of this.#site.pages) {
      const seen = this.#seen.get(file) ?? UNREAD;
      if (seen.leadsTo !== undefined) continue;
      pages.set(path, { path, title: seen.title || path, fingerprint: seen.fingerprint });
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

function fingerprintOf(text: string): string {
  return hash('sha256', text, 'base64url');
}
