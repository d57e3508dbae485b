import { hash } from 'node:crypto';
import { cut } from '../../ground/text/escape.ts';
import { copyText } from '../../ground/text/pieces.ts';
import { addressOfPage, isPage } from '../page-names.ts';
import type { PageContent } from '../verify/page-content.ts';
import type { PageReader } from '../verify/site-check.ts';
import type { Target } from '../verify/site-index.ts';
import { addressOfFile, type ComparedSite } from './compared-site.ts';
import type { BrokenLink, PageEntry } from './comparison.ts';

/** What a site says of its pages, and what `docs-courier.manifest.json` contains. */
export interface PageList {
  /** By address, without those that are only a redirect. */
  readonly pages: ReadonlyMap<string, PageEntry>;
  /** undefined: the site was not verified, or has too many of them. */
  readonly broken: readonly BrokenLink[] | undefined;
}

/** That of a page that is larger than what is read. */
const UNREAD = fingerprintOf('unread');

export const LONGEST_TITLE = 300;
const LONGEST_TARGET = 1000;
/** Pairs of a link and a page; usually far fewer. */
export const MOST_BROKEN = 50_000;

/** Notes what a reader sees of each page, in the pass over the pages of a site. */
export class SitePages implements PageReader {
  /** Where pages that are only a redirect lead, by address; empty: to nothing that is known. */
  readonly redirects = new Map<string, string>();
  readonly #site: ComparedSite;
  readonly #pages = new Map<string, PageEntry>();
  /** The addresses of the pages that have each broken link, by where it leads. */
  readonly #broken = new Map<string, Set<string>>();
  #brokenCount = 0;

  constructor(site: ComparedSite) {
    this.#site = site;
  }

  reads(path: string): boolean {
    return isPage(path);
  }

  page(path: string, content: PageContent, redirect: Target | undefined): void {
    const address = addressOfFile(this.#site, path);
    if (content.redirect !== undefined) {
      this.redirects.set(address, addressOfTarget(redirect, content.redirect));
      return;
    }
    const title = copyText(cut(content.title, { chars: LONGEST_TITLE }));
    // Of a page that a script fills, a reader sees only the title; its file has addresses.
    const { fingerprint = fingerprintOf(`empty ${title}`) } = content;
    this.#pages.set(address, { path: address, title: title || address, fingerprint });
  }

  broken(path: string, target: string): void {
    if (this.#brokenCount >= MOST_BROKEN) return;
    const leadsTo = copyText(`/${cut(target, { chars: LONGEST_TARGET })}`);
    const pages = this.#broken.get(leadsTo) ?? new Set<string>();
    const address = addressOfFile(this.#site, path);
    if (pages.has(address)) return;
    this.#brokenCount += 1;
    pages.add(address);
    this.#broken.set(leadsTo, pages);
  }

  /**
   * What was noted, once the pass is over. `isVerified`: all files were read, and not only pages, so
   * that all broken links are known.
   */
  list({ isVerified }: { readonly isVerified: boolean }): PageList {
    const pages = new Map<string, PageEntry>();
    for (const path of this.#site.pages.keys()) {
      if (this.redirects.has(path)) continue;
      pages.set(path, this.#pages.get(path) ?? { path, title: path, fingerprint: UNREAD });
    }
    const isKnown = isVerified && this.#brokenCount < MOST_BROKEN;
    if (!isKnown) return { pages, broken: undefined };
    const broken = Array.from(this.#broken, ([target, on]) => ({ target, pages: [...on] }));
    return { pages, broken };
  }
}

/** Where a redirect leads; empty: to nothing that is known. `raw`: the target as the page gives it. */
export function addressOfTarget(target: Target | undefined, raw: string): string {
  if (target?.kind === 'outside') return raw;
  // At a path without a file, a rule may lead on.
  if (target?.kind === 'inside') return addressOfPage(target.file ?? target.path);
  return '';
}

function fingerprintOf(text: string): string {
  return hash('sha256', text, 'base64url');
}
