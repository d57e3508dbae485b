import { parseUrl, percentDecoded, withoutSlash } from '../../ground/text/names.ts';
import { copyText } from '../../ground/text/pieces.ts';
import { scanPage } from './page-scan.ts';
import type { Reference } from './references.ts';

/** Where an address in a page leads. */
export type Target =
  | {
      readonly kind: 'inside';
      readonly path: string;
      readonly file: string | undefined;
      /**
       * The name of the file has the same letters in another Unicode form: a server that compares
       * bytes does not find it.
       */
      readonly isOtherForm: boolean;
      readonly fragment: string;
    }
  | { readonly kind: 'outside'; readonly host: string }
  /**
   * On the same host, outside of the site's base path. `file`: what it would be if the base path
   * came first.
   */
  | { readonly kind: 'outside-base'; readonly file: string | undefined }
  /** On the reader's own disk. */
  | { readonly kind: 'local' }
  /** Nothing is fetched: `mailto:`, `data:`, an empty address. */
  | { readonly kind: 'none' }
  | { readonly kind: 'bad' };

// A name that no host can have (RFC 6761): whatever resolves to it stays inside.
const ORIGIN = 'https://site.invalid';
const IS_ASCII = /^[\x00-\x7f]*$/;
const CACHE_ENTRIES = 20_000;
// Longer ones are data URLs, which seldom come twice.
const LONGEST_CACHED = 500;

/** The files of a site, found as a static host finds them. */
export class SiteIndex {
  readonly #files: readonly string[];
  readonly #fileSet: ReadonlySet<string>;
  /** The path below which the site is published, such as `/docs`; empty for the top of its host. */
  readonly #basePath: string;
  /** What stands for the address of the site, with a slash at the end. */
  readonly #top: string;
  /** The address at which it is published, with a slash at the end; undefined: not known. */
  readonly #liveUrl: string | undefined;
  readonly #cache = new Map<string, Target>();
  #composed: ReadonlyMap<string, string> | undefined;
  #folded: ReadonlyMap<string, string> | undefined;

  constructor(files: readonly string[], basePath: string, liveUrl?: string) {
    this.#files = files;
    this.#fileSet = new Set(files);
    this.#basePath = basePath;
    this.#top = `${ORIGIN}${encodePath(basePath)}/`;
    this.#liveUrl = liveUrl && `${withoutSlash(liveUrl)}/`;
  }

  /**
   * Where an address in a file leads. `from`: path of the file; `base`: its `<base>`. Cached, since
   * every page of a site repeats the links of its menu.
   */
  resolve(raw: string, from: string, base: string | undefined): Target {
    const text = raw.trim();
    if (text === '') return { kind: 'none' };
    // Equal keys lead to the same target: an address with one slash in front in all files, a
    // fragment or a query in its own file, any other in all files of a folder with the same base.
    // Two slashes begin a host.
    const startsAtTop = text.startsWith('/') && !text.startsWith('//');
    const isOfFile = text.startsWith('#') || text.startsWith('?');
    const home = isOfFile ? from : from.slice(0, from.lastIndexOf('/') + 1);
    const key = startsAtTop && base === undefined ? text : `${home}\n${base ?? ''}\n${text}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const target = this.#targetOf(text, this.#baseOf(from, base));
    if (this.#cache.size >= CACHE_ENTRIES) this.#cache.clear();
    if (key.length <= LONGEST_CACHED) this.#cache.set(copyText(key), target);
    return target;
  }

  /** Whether a server finds a file at this decoded path below the base path. */
  has(path: string): boolean {
    return this.#fileAt(path) !== undefined;
  }

  /** A file whose name differs only in case. */
  similar(path: string): string | undefined {
    this.#folded ??= new Map(this.#files.map((file) => [fold(file), file]));
    return firstIn(this.#folded, formsOf(path).map(fold));
  }

  #targetOf(raw: string, baseUrl: string): Target {
    const url = parseUrl(raw, baseUrl);
    if (url === undefined) return { kind: 'bad' };
    if (url.protocol === 'file:') return { kind: 'local' };
    if (url.origin === ORIGIN) return this.#onOwnHost(url);
    const isFetched = /^(https?|wss?|ftp):$/.test(url.protocol);
    if (!isFetched) return { kind: 'none' };
    return this.#published(url) ?? { kind: 'outside', host: url.host };
  }

  /** For an address with the host of the published site that leads to one of its files. */
  #published(url: URL): Target | undefined {
    const own = this.#onSite(url);
    const target = own && this.#onOwnHost(own);
    return target?.kind === 'inside' && target.file !== undefined ? target : undefined;
  }

  /** An address below that of the published site as one of the files; undefined: any other. */
  #onSite({ href }: URL): URL | undefined {
    if (this.#liveUrl === undefined || !href.startsWith(this.#liveUrl)) return undefined;
    return parseUrl(`${this.#top}${href.slice(this.#liveUrl.length)}`);
  }

  #onOwnHost(url: URL): Target {
    const path = percentDecoded(url.pathname);
    // An encoded slash is part of a name to some hosts and a separator to others.
    if (path === undefined || /%2f|%5c/i.test(url.pathname)) return { kind: 'bad' };
    const isBelowBase = path === this.#basePath || path.startsWith(`${this.#basePath}/`);
    if (!isBelowBase) {
      const atTop = path.slice(1);
      return { kind: 'outside-base', file: this.#fileAt(atTop) ?? this.#otherForm(atTop) };
    }
    const inSite = path.slice(this.#basePath.length + 1);
    const exact = this.#fileAt(inSite);
    const file = exact ?? this.#otherForm(inSite);
    return {
      kind: 'inside',
      path: inSite,
      file,
      isOtherForm: file !== exact,
      fragment: url.hash.slice(1),
    };
  }

  #fileAt(path: string): string | undefined {
    return formsOf(path).find((form) => this.#fileSet.has(form));
  }

  /** As `#fileAt`, but finds a file whose name has the same letters in another Unicode form. */
  #otherForm(path: string): string | undefined {
    if (IS_ASCII.test(path)) return undefined;
    this.#composed ??= new Map(this.#files.map((name) => [name.normalize('NFC'), name]));
    return firstIn(this.#composed, formsOf(path.normalize('NFC')));
  }

  /** The URL that the addresses in a file are relative to; a base that is not a URL is ignored. */
  #baseOf(from: string, base: string | undefined): string {
    const fileUrl = `${this.#top}${encodePath(from)}`;
    if (base === undefined) return fileUrl;
    const url = parseUrl(base.trim(), fileUrl);
    if (url === undefined) return fileUrl;
    // Below the published site, relative addresses lead to its files, or to nothing.
    return (this.#onSite(url) ?? url).href;
  }
}

// The files that static hosts serve for a path: for a folder its index page, for a name without an
// ending a page or a folder.
function formsOf(path: string): string[] {
  if (path === '' || path.endsWith('/')) return [`${path}index.html`];
  return [path, `${path}.html`, `${path}/index.html`];
}

/** The file for the first of the names that is known. */
function firstIn(files: ReadonlyMap<string, string>, names: readonly string[]): string | undefined {
  return names.map((name) => files.get(name)).find((file) => file !== undefined);
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** The paths below which the platform publishes a site that is not at the top of its host. */
const PREFIXES = ['/docs', '/documentation'] as const;

/**
 * The page that a reader of the site sees first: at the top, or in the folder of the base path if
 * the archive has that in its own paths. undefined if there is none.
 */
export function findEntryPage(
  files: readonly string[],
  basePath: string | undefined,
): string | undefined {
  const prefixes = basePath === undefined ? PREFIXES : [basePath];
  const pages = ['index.html', ...prefixes.map((prefix) => `${prefix.slice(1)}/index.html`)];
  return pages.find((page) => files.includes(page));
}

/** Far deeper than sites are published: an address may have a million slashes. */
export const MOST_PARTS = 20;

interface BasePath {
  /** What links begin with; empty if the site is at the top of its host. */
  readonly path: string;
  /** No input names it: only the links show it. */
  readonly isGuessed: boolean;
}

/**
 * The path that links in the site begin with, as the inputs name it; if most links of the entry page
 * lead to a file only below another path, that one. `textOf`: gives a file of the site; empty if there
 * is none.
 */
export function findBasePath(
  files: readonly string[],
  given: string | undefined,
  entry: string,
  textOf: (path: string) => string,
): BasePath {
  // The archive has the prefix in its own paths: then links and files agree as they are.
  if (entry !== 'index.html') return { path: '', isGuessed: false };
  const index = new SiteIndex(files, '');
  const addresses = addressesIn(textOf(entry));
  if (given !== undefined || addresses.size > 0) return basePathOf(addresses, given, index);
  // The page for what is not found is shown at any address, so it is the one page that generators
  // of relative addresses write with the path. A single link there may lead anywhere.
  return basePathOf(addressesIn(textOf('404.html')), '', index);
}

function addressesIn(page: string): ReadonlySet<string> {
  const { references, base } = scanPage(page);
  return addressesOf(references, base);
}

function basePathOf(
  addresses: ReadonlySet<string>,
  given: string | undefined,
  index: SiteIndex,
): BasePath {
  const hits = hitsOf(addresses, index);
  const hitsBelow = (path: string) => hits.get(path) ?? 0;
  const best = (paths: readonly string[]) =>
    // Of two with equally many, the first stays.
    paths.reduce((one, other) => (hitsBelow(other) > hitsBelow(one) ? other : one), '');
  const named = given ?? best(PREFIXES);
  const path = best([...PREFIXES, ...hits.keys()]);
  const isMost = hitsBelow(path) > 1 && hitsBelow(path) * 2 > addresses.size;
  const isGuessed = path !== '' && isMost && hitsBelow(path) > hitsBelow(named);
  return { path: isGuessed ? path : named, isGuessed };
}

/** No site has a longer path, and a page may have very many addresses below its base. */
const LONGEST_BASE = 200;

/**
 * The paths of the addresses that begin with a slash. With a `base` that does, all of its page do,
 * unless it is the top of the host alone: that is not the path of a site.
 */
export function addressesOf(references: readonly Reference[], base = ''): ReadonlySet<string> {
  const isBased = /^\/[^/]/.test(base) && base.length <= LONGEST_BASE;
  const baseUrl = (isBased ? parseUrl(base, ORIGIN) : undefined)?.href ?? ORIGIN;
  const all = references.map(({ raw }) => raw.trim());
  const texts = isBased ? [base, ...all] : all.filter((text) => text.startsWith('/'));
  const addresses = new Set<string>();
  for (const text of texts) {
    const url = parseUrl(text, baseUrl);
    const path = url?.origin === ORIGIN ? percentDecoded(url.pathname) : undefined;
    if (path !== undefined) addresses.add(path);
  }
  return addresses;
}

/** Below each path with which they begin, how many of the addresses lead to a file. */
export function hitsOf(
  addresses: ReadonlySet<string>,
  index: SiteIndex,
): ReadonlyMap<string, number> {
  const hits = new Map<string, number>();
  for (const address of addresses) {
    const parts = address.slice(1).split('/');
    for (let count = 0; count <= Math.min(parts.length, MOST_PARTS); count += 1) {
      if (!index.has(parts.slice(count).join('/'))) continue;
      const path = parts
        .slice(0, count)
        .map((part) => `/${part}`)
        .join('');
      hits.set(path, (hits.get(path) ?? 0) + 1);
    }
  }
  return hits;
}
