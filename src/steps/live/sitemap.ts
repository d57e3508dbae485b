import { join } from 'node:path';
import { unescape as decodePercent } from 'node:querystring';
import { parseUrl } from '../../ground/text/names.ts';
import { addressOfPage } from '../../site/page-names.ts';
import { readSmallText } from '../../site/pages.ts';
import { bare, RULES_FILE } from '../../site/redirects/rules.ts';
import { fixedRule, readSafeRules } from '../../site/redirects/server-redirects.ts';
import { addressBelow } from './sample.ts';

const SITEMAP = /(?:^|\/)sitemap[\w.-]{0,60}\.xml$/i;
const ADDRESS = /<loc>\s*(?:<!\[CDATA\[)?\s*([^<>\s\]]{1,2000})/gi;

/** A site on this disk, as it was exported. */
interface ExportedSite {
  readonly root: string;
  /** Paths of its files below `root`, joined by `/`. */
  readonly files: readonly string[];
  /** What links of the site begin with, such as `/docs`; undefined: not known. */
  readonly basePath: string | undefined;
}

/**
 * The addresses in the sitemap of an exported site, on the published one, of these pages. `pages`:
 * as in the sample, such as `/guide/start`; the start page, which every host finds, is left out.
 */
export function addressesInSitemap(
  site: ExportedSite,
  siteUrl: string,
  pages: readonly string[],
): URL[] {
  const wanted = new Set(pages.filter((page) => page !== '/'));
  const base = baseOf(site, siteUrl);
  const found = new Map<string, URL>();
  for (const file of site.files.filter((name) => SITEMAP.test(name))) {
    for (const [, written = ''] of (readSmallText(join(site.root, file)) ?? '').matchAll(ADDRESS)) {
      const path = pathBelow(written, base);
      if (path === undefined) continue;
      const page = addressOfPage(path.replace(/\/$/, ''));
      if (wanted.has(page)) found.set(page, addressBelow(siteUrl, path));
    }
  }
  return [...found.values()];
}

/**
 * The addresses on the published site that only a rule of `_redirects` answers, each with a page or
 * file of the export as its target.
 */
export function addressesOfRules(site: ExportedSite, siteUrl: string): URL[] {
  const base = baseOf(site, siteUrl);
  const there = new Set(site.files.map((file) => bare(`/${file}`)));
  const addresses: URL[] = [];
  for (const rule of readSafeRules(readSmallText(join(site.root, RULES_FILE)) ?? '').rules) {
    const fixed = fixedRule(rule);
    if (fixed === undefined || rule.origin !== '') continue;
    const [from, to] = [fixed.from, fixed.to].map((path) => pathBelow(path, base));
    if (from === undefined || there.has(bare(`/${from}`)) || !there.has(bare(`/${to}`))) continue;
    addresses.push(addressBelow(siteUrl, from));
  }
  return addresses;
}

function baseOf({ basePath }: ExportedSite, siteUrl: string): string {
  return basePath ?? new URL(siteUrl).pathname.replace(/\/$/, '');
}

/** The path of an address below the start page, without a slash in front. */
function pathBelow(address: string, base: string): string | undefined {
  // It may be a path alone, and the host does not matter: a preview has another one.
  const url = parseUrl(address.replaceAll('&amp;', '&'), new URL('http://site.invalid'));
  if (url === undefined) return undefined;
  const path = decodePercent(url.pathname);
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path.slice(1);
}
