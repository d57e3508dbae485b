import { join } from 'node:path';
import type { ComparedSite } from '../compare/compared-site.ts';
import { isHtml } from '../page-names.ts';
import { addressesOf, hitsOf, SiteIndex } from '../verify/site-index.ts';
import { WholeFile } from '../verify/verify-site.ts';
import { NO_HOST } from './host-exchange.ts';

/** What an unpacked site says of the address that it was built for. */
export interface SiteOrigin {
  /**
   * What its addresses begin with, such as `/documentation`; empty: it was built for the top of a
   * host; undefined: no address that begins with a slash leads to one of its files.
   */
  readonly basePath: string | undefined;
  /** An address that begins with a slash; undefined: all are relative. */
  readonly absolute: string | undefined;
  /** The hosts that it names as its own. */
  readonly hosts: readonly string[];
  /** True: what it names as its own address has no host, since it was built without one. */
  readonly lacksHost: boolean;
}

/** Enough for a menu, and for pages whose own links are relative. */
const MOST_PAGES = 40;
/** The path that `served-at` may have too: anything else would be written in several forms. */
const PLAIN_PATH = /^(?:\/[\w.~-]+)*$/;
const CANONICAL =
  /<link\b[^>]{0,500}\brel=["']?canonical\b[^>]{0,500}>|<meta\b[^>]{0,500}\bproperty=["']?og:url\b[^>]{0,500}>/gi;
/** An address in such an element, or in a sitemap: its host and its path. */
const OWN_ADDRESS =
  /(?:\b(?:href|content)=["']?|<loc>\s{0,20})https?:\/\/([^\s/<>"'?#]{1,253})([^\s<>"'?#]{0,200})/gi;
const MOST_HOSTS = 10;
const SITEMAP_CHARS = 4096;

/**
 * Reads the base path and the hosts of a site from some of its pages: the longest path of whole
 * folders that its addresses share, if each names a file without it. A few links to other parts of
 * the host change nothing.
 */
export function readSiteOrigin({ root, paths }: ComparedSite): SiteOrigin {
  const file = new WholeFile();
  const textOf = (path: string) => file.text(join(root ?? '', path));
  const addresses = new Set<string>();
  const own: string[] = [];
  for (const path of samplePages(paths)) {
    const html = textOf(path);
    for (const address of addressesOf(html)) addresses.add(address);
    for (const [element] of html.matchAll(CANONICAL)) own.push(element);
  }
  for (const path of paths.filter((one) => /(?:^|\/)sitemap[^/]*\.xml$/.test(one)))
    own.push(textOf(path).slice(0, SITEMAP_CHARS));
  const basePath = sharedPath(addresses, new SiteIndex(paths, ''));
  const hosts = new Set<string>();
  // An address without the base path may be that of a page on another site.
  for (const [, host = '', path = ''] of own.join('\n').matchAll(OWN_ADDRESS))
    if (`${path}/`.startsWith(`${basePath}/`)) hosts.add(host);
  const lacksHost = own.some((text) => text.includes(NO_HOST));
  const [absolute] = addresses;
  return { basePath, absolute, hosts: [...hosts].slice(0, MOST_HOSTS), lacksHost };
}

/** The entry page, those for what is not found, and some of the others from all over the site. */
function samplePages(paths: readonly string[]): string[] {
  const pages = paths.filter(isHtml).sort();
  const first = pages.filter((path) => !path.includes('/'));
  const every = Math.ceil(pages.length / MOST_PAGES);
  const spread = pages.filter((_, index) => index % every === 0);
  return [...new Set([...first.slice(0, MOST_PAGES), ...spread])];
}

function sharedPath(addresses: ReadonlySet<string>, index: SiteIndex): string | undefined {
  const hits = hitsOf(addresses, index);
  let best: string | undefined;
  for (const [path, count] of hits) {
    const most = hits.get(best ?? path) ?? 0;
    // Of two, the longer one, unless the site has a page or a folder of that name itself.
    const isLonger = path.length > (best ?? '').length && !index.has(path.slice(1));
    const isBetter = best === undefined || count > most || (count === most && isLonger);
    if (isBetter && isFolderOf(addresses, path)) best = path;
  }
  return best;
}

// Without its path, any address of one name would be that of the start page.
function isFolderOf(addresses: ReadonlySet<string>, path: string): boolean {
  return PLAIN_PATH.test(path) && [...addresses].some((one) => one.startsWith(`${path}/`));
}
