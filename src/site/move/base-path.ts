import { join } from 'node:path';
import type { ComparedSite } from '../compare/compared-site.ts';
import { isHtml } from '../page-names.ts';
import { scanPage } from '../verify/page-scan.ts';
import { scanCss } from '../verify/references.ts';
import { addressesOf, hitsOf, MOST_PARTS, SiteIndex } from '../verify/site-index.ts';
import { WholeFile } from '../verify/verify-site.ts';
import { NO_HOST } from './host-exchange.ts';

/** What an unpacked site says of the address that it was built for. */
export interface SiteOrigin {
  /**
   * What its addresses begin with, such as `/documentation`; empty: it was built for the top of a
   * host; undefined: no address that begins with a slash leads to one of its files.
   */
  readonly basePath: string | undefined;
  /** True: no page shows a base path, so that pages and scripts work below any. */
  readonly isOfStyles: boolean;
  /** An address that begins with a slash; undefined: none was found. */
  readonly absolute: string | undefined;
  /** The hosts that it names as its own. */
  readonly hosts: readonly string[];
  /** True: what it names as its own address has no host, since it was built without one. */
  readonly lacksHost: boolean;
}

/** Enough for a menu, and for pages whose own links are relative. Of style sheets as many. */
const MOST_FILES = 40;
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
 * Reads the base path and the hosts of a site from some of its pages, and if these show no base path
 * from style sheets: the longest path of whole folders that its addresses share, if each names a
 * file without it. A few links to other parts of the host change nothing.
 */
export function readSiteOrigin({ root, paths }: ComparedSite): SiteOrigin {
  const file = new WholeFile();
  const textOf = (path: string) => file.text(join(root ?? '', path));
  const addresses = new Set<string>();
  const own: string[] = [];
  for (const path of sample(paths.filter(isHtml))) {
    const html = textOf(path);
    const { references, base } = scanPage(html);
    for (const address of addressesOf(references, base)) addresses.add(address);
    for (const [element] of html.matchAll(CANONICAL)) own.push(element);
  }
  for (const path of paths.filter((one) => /(?:^|\/)sitemap[^/]*\.xml$/.test(one)))
    own.push(textOf(path).slice(0, SITEMAP_CHARS));
  const index = new SiteIndex(paths, '');
  let basePath = sharedPath(addresses, index);
  const isOfStyles = basePath === undefined;
  if (isOfStyles) {
    for (const path of sample(paths.filter((one) => /\.css$/i.test(one))))
      for (const address of addressesOf(scanCss(textOf(path)))) addresses.add(address);
    basePath = sharedPath(addresses, index);
  }
  const hosts = new Set<string>();
  // An address without the base path may be that of a page on another site.
  for (const [, host = '', path = ''] of own.join('\n').matchAll(OWN_ADDRESS))
    if (`${path}/`.startsWith(`${basePath}/`)) hosts.add(host);
  const lacksHost = own.some((text) => text.includes(NO_HOST));
  const [absolute] = addresses;
  return { basePath, isOfStyles, absolute, hosts: [...hosts].slice(0, MOST_HOSTS), lacksHost };
}

/**
 * Those at the top, such as the entry page and that for what is not found, and some of the others
 * from all over the site.
 */
function sample(paths: readonly string[]): string[] {
  const files = paths.toSorted();
  const first = files.filter((path) => !path.includes('/'));
  const every = Math.ceil(files.length / MOST_FILES);
  const spread = files.filter((_, index) => index % every === 0);
  return [...new Set([...first.slice(0, MOST_FILES), ...spread])];
}

function sharedPath(addresses: ReadonlySet<string>, index: SiteIndex): string | undefined {
  const hits = hitsOf(addresses, index);
  const folders = foldersOf(addresses);
  let best: string | undefined;
  for (const [path, count] of hits) {
    const most = hits.get(best ?? path) ?? 0;
    // Of two, the longer one, unless what it has more is a page or a folder of the site itself.
    const isBelow = path.startsWith(`${best ?? ''}/`);
    const more = path.slice(isBelow ? (best ?? '').length + 1 : 1);
    const isLonger = path.length > (best ?? '').length && !index.has(more);
    const isBetter = best === undefined || count > most || (count === most && isLonger);
    // Without its path, any address of one name would be that of the start page.
    if (isBetter && PLAIN_PATH.test(path) && folders.has(path)) best = path;
  }
  return best;
}

/** The folders in which the addresses are. */
function foldersOf(addresses: ReadonlySet<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const address of addresses) {
    let end = address.indexOf('/');
    for (let depth = 0; end >= 0 && depth <= MOST_PARTS; depth += 1) {
      folders.add(address.slice(0, end));
      end = address.indexOf('/', end + 1);
    }
  }
  return folders;
}
