import { sep } from 'node:path';

// Longer names are not misspellings, and the work grows with the length.
const LONGEST_NAME = 64;
const LARGEST_DISTANCE = 3;

/**
 * The nearest of a closed list of names, for a misspelt one; case, `-`, `_` and spaces do not
 * count. undefined: none is near enough.
 */
export function guess<const T extends string>(
  name: string,
  candidates: readonly T[],
): T | undefined {
  const written = bare(name);
  if (written === '' || name.length > LONGEST_NAME) return undefined;
  // For a short name fewer edits: with three of them, almost any short name would be near.
  let mostEdits = Math.min(LARGEST_DISTANCE, Math.max(1, Math.floor(written.length / 3)));
  let nearest: T | undefined;
  for (const candidate of candidates) {
    const edits = distance(written, bare(candidate), mostEdits);
    if (edits > mostEdits) continue;
    // The next one must be nearer: of equally near ones the first counts.
    mostEdits = edits - 1;
    nearest = candidate;
  }
  return nearest;
}

/** `; did you mean NAME?`, with the name as `write` gives it; empty if no name is near. */
export function didYouMean(
  name: string,
  candidates: readonly string[],
  write: (nearest: string) => string = (nearest) => nearest,
): string {
  const nearest = guess(name, candidates);
  if (nearest === undefined) return '';
  return `; did you mean ${write(nearest)}?`;
}

/** A name without what does not count in a comparison. */
function bare(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

/**
 * How many edits make one word the other; Infinity for more than `most`. Not from a library: the
 * maintained ones (fastest-levenshtein, leven) count two swapped letters, the commonest slip, as
 * two edits, so that `exprot` is as far from `export` as from `report`.
 */
function distance(a: string, b: string, most: number): number {
  // `most` is below 0 once an equal name was found.
  if (a === b && most >= 0) return 0;
  if (most <= 0) return Number.POSITIVE_INFINITY;
  if (a[0] === b[0]) return distance(a.slice(1), b.slice(1), most);
  // The first letter of one is missing in the other, or differs, or is swapped with the next.
  const isSwap = a[0] === b[1] && a[1] === b[0];
  return (
    1 +
    Math.min(
      distance(a.slice(1), b, most - 1),
      distance(a, b.slice(1), most - 1),
      distance(a.slice(1), b.slice(1), most - 1),
      isSwap ? distance(a.slice(2), b.slice(2), most - 1) : Number.POSITIVE_INFINITY,
    )
  );
}

/** Percent-decoded; undefined if that cannot be done. */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Percent-decoded; a text with a lone percent sign stays as it is. */
export function decodeLoosely(text: string): string {
  return percentDecoded(text) ?? text;
}

/**
 * The words of a command, between spaces or in quotes, without escapes. undefined if a quote is not
 * closed.
 */
export function splitWords(text: string): readonly string[] | undefined {
  const pieces = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;
  // Only a quote that is not closed is outside of all pieces.
  if (text.replace(pieces, '').trim() !== '') return undefined;
  // `$1$2`: of the two groups, only one has matched.
  return [...text.matchAll(pieces)].map(([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

/**
 * Longest id that we put into a path, and the characters that need no escaping there (RFC 3986,
 * unreserved).
 */
const ID_PATTERN = /^[A-Za-z0-9._~-]{1,128}$/;

/**
 * True for an id that can be one path segment: unreserved characters, and not `.` or `..`, which a
 * URL resolves.
 */
export function isPathId(value: string): boolean {
  return ID_PATTERN.test(value) && !/^\.+$/.test(value);
}

/**
 * True for a path of Windows on a system that is not Windows, such as `C:\docs\link.txt`: there all
 * of it would be the name of one file.
 */
export function isWindowsPathElsewhere(path: string): boolean {
  return sep === '/' && (/^[A-Za-z]:[\\/]/.test(path) || path.includes('\\'));
}

/**
 * The address of a page of a site that is published; undefined if the site's own address is not
 * known.
 */
export type ToPageUrl = (path: string) => string | undefined;

/**
 * Gives the addresses of pages below `siteUrl`, the input `live-url`. Each part of a path is
 * encoded, so that no path can lead to another host.
 */
export function pageUrls(siteUrl: string | undefined): ToPageUrl {
  if (siteUrl === undefined) return () => undefined;
  const root = withoutSlash(siteUrl);
  return (path) => {
    // Without the names that a URL would resolve.
    const names = path.split('/').filter((name) => !['', '.', '..'].includes(name));
    // A lone half of a surrogate pair has no encoding.
    return `${root}/${names.map((name) => encodeURIComponent(name.toWellFormed())).join('/')}`;
  };
}

/**
 * An address without slashes at its end, so that paths can be added to it. Without the lookbehind,
 * a long row of slashes in it would be read again from each of its slashes.
 */
export function withoutSlash(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}

/** The decoded path of an address, without a slash at its end; undefined if there is no address. */
export function pathOf(url: string | undefined): string | undefined {
  return url && withoutSlash(decodeLoosely(new URL(url).pathname));
}

/** True for a name or address of this machine, as `URL.hostname` writes it. */
export function isLoopback(hostname: string): boolean {
  return /^((.+\.)?localhost\.?|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

/** As `URL.parse`, which Node.js 20 lacks; undefined instead of null. */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  return URL.canParse(text, base?.toString()) ? new URL(text, base) : undefined;
}

/** As `Map.groupBy`, which Node.js 20 lacks. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
