import { ownText } from './copied-text.ts';

/** Where an address in a page leads. */
export type Target =
  | { readonly kind: 'inside'; readonly path: string; readonly file: string | undefined; readonly fragment: string }
  | { readonly kind: 'outside'; readonly host: string }
  /** On the reader's own disk. */
  | { readonly kind: 'local' }
  /** Nothing is fetched: `mailto:`, `data:`, an empty address. */
  | { readonly kind: 'none' }
  | { readonly kind: 'bad' };

/** The files of a site, found as a static host finds them. */
export interface SiteIndex {
  /** `from`: path of the file that the address stands in; `base`: its `<base>`. */
  resolve(raw: string, from: string, base: string | undefined): Target;
  /** A file whose name differs only in case or accents. */
  similar(path: string): string | undefined;
}

// A name that no host can have (RFC 6761): whatever resolves to it stays inside.
const ORIGIN = 'https://site.invalid';
const CACHE_ENTRIES = 50_000;
// Longer ones are data URLs, which seldom come twice.
const LONGEST_CACHED = 500;

export function createSiteIndex(files: readonly string[]): SiteIndex {
  const known = new Set(files);
  let folded: Map<string, string> | undefined;
  const cache = new Map<string, Target>();

  // As static hosts do: a folder is its index page, and a name without an ending is a page or a folder.
  function findFile(path: string): string | undefined {
    const forms =
      path === '' || path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`, `${path}/index.html`];
    return forms.find((form) => known.has(form));
  }

  function look(raw: string, baseUrl: string): Target {
    const url = URL.parse(raw, baseUrl);
    if (url === null) return { kind: 'bad' };
    if (url.protocol === 'file:') return { kind: 'local' };
    if (url.origin !== ORIGIN)
      return /^(https?|wss?|ftp):$/.test(url.protocol) ? { kind: 'outside', host: url.host } : { kind: 'none' };
    const path = decode(url.pathname.slice(1));
    // An encoded slash is part of a name to some hosts and a separator to others.
    if (path === undefined || /%2f|%5c/i.test(url.pathname)) return { kind: 'bad' };
    return { kind: 'inside', path, file: findFile(path), fragment: url.hash.slice(1) };
  }

  return {
    resolve(raw, from, base) {
      const text = raw.trim();
      if (text === '') return { kind: 'none' };
      const isAbsolute = base === undefined && text.startsWith('/') && !text.startsWith('//');
      const home = isAbsolute ? '' : text.startsWith('#') ? from : from.slice(0, from.lastIndexOf('/') + 1);
      const key = isAbsolute ? text : `${home}\n${base ?? ''}\n${text}`;
      const seen = cache.get(key);
      if (seen !== undefined) return seen;
      const target = look(text, baseOf(from, base));
      if (cache.size >= CACHE_ENTRIES) cache.clear();
      if (key.length <= LONGEST_CACHED) cache.set(ownText(key), target);
      return target;
    },
    similar(path) {
      folded ??= new Map(files.map((file) => [fold(file), file]));
      const forms =
        path === '' || path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`, `${path}/index.html`];
      return forms.map((form) => folded?.get(fold(form))).find((file) => file !== undefined);
    },
  };
}

function baseOf(from: string, base: string | undefined): string {
  const own = `${ORIGIN}/${from.split('/').map(encodeURIComponent).join('/')}`;
  return base === undefined ? own : (URL.parse(base.trim(), own)?.href ?? own);
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Percent-decoded; undefined where that cannot be done. */
export function decode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
