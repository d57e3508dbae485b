import { posix } from 'node:path';
import { isHtml } from '../page-names.ts';
import { findEntryPage } from '../verify/site-index.ts';
import { WholeFile } from '../verify/verify-site.ts';
import type { ComparedSite } from './compared-site.ts';

/**
 * A whole name that may be or contain a build id. No id is shorter, and no file has a longer name.
 */
const NAME = /[\w-]{8,255}/g;
/** In a text also the query behind the name of an asset, which no static server looks at. */
const NAME_OR_QUERY =
  /\?(?<=\.(?:m?js|css|map|json|svg|png|jpe?g|gif|webp|avif|ico|woff2?|wasm)\?)[\w%=&.~-]+|[\w-]{8,255}/g;
/** What is behind a name in a text if it is that of an asset, which may be on another host. */
const ENDING =
  /(?:\.[\w-]{1,20}){0,2}\.(?:m?js|css|map|json|html?|txt|xml|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|otf|mp4|webm|pdf|wasm)(?![\w~.-])/y;
/** An asset with a query that has a letter in its value. */
const ASSET_WITH_QUERY =
  /(?<![\w.~-])([\w.~-]{1,255}\.(?:m?js|css))\?(?:[\w-]{1,40}=)?(?=[\d_-]{0,64}[A-Za-z])([\w-]{6,64})/g;
const LEAST_LENGTH = 8;
const MOST_LENGTH = 64;
const LONGEST_SEEN = 300;
const MOST_SEEN = 1000;

const LETTERS_AND_DIGITS = /^(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]+$/;
/** Such as `bootstrap5`, `docs2026` and `OAuth2Flow`. */
const WORD_AND_NUMBER =
  /^(?:[A-Za-z]+\d{1,4}|(?![\da-f]+$)[A-Z]{0,2}[a-z]{2,}(?:[A-Z]{1,2}[a-z]{2,})*\d{1,4}[A-Z]?[a-z]{2,}(?:[A-Z][a-z]{2,})*)$/;
const ALTERNATING = /\d[A-Za-z]+\d|[A-Za-z]\d+[A-Za-z]/;
const MIXED_CASE = /[a-z][A-Z]|[A-Z]{2}[a-z]/;
const CAMEL_CASE_PARTS = /[A-Z]?[a-z]{2,}/g;
const VOWEL = /[aeiouy]/i;
const CONSONANTS = /[^aeiouy]{4}/i;

/**
 * What each build of a site makes up: the hash of a file in its name, the id of the build as the
 * name of a folder, the id of the deployment in the query of each asset. These are random letters
 * and digits in an address of the site. Wherever one of them is in a text, it is left out: equal for
 * two builds of the same source. The paths of one export decide, so that it has one fingerprint.
 */
export class BuildIds {
  readonly #paths: readonly string[];
  readonly #deployments: readonly string[];
  /**
   * A whole name with a build id, and each id alone, to the name without it. Found for the first
   * text: most comparisons have none to look at, and the names of all files take long.
   */
  #stable: ReadonlyMap<string, string> | undefined;
  /** Short texts that were looked at: each page has the tag of the same script. */
  readonly #seen = new Map<string, string>();

  /** `deployments`: ids that are in no path. */
  constructor(paths: readonly string[], deployments: readonly string[] = []) {
    this.#paths = paths;
    this.#deployments = deployments;
  }

  /** A text or a path without build ids. */
  stable(text: string): string {
    const seen = this.#seen.get(text);
    if (seen !== undefined) return seen;
    const stable = this.#withoutIds(text);
    if (text.length > LONGEST_SEEN) return stable;
    if (this.#seen.size >= MOST_SEEN) this.#seen.clear();
    this.#seen.set(text, stable);
    return stable;
  }

  #withoutIds(text: string): string {
    this.#stable ??= stableNames(this.#paths, this.#deployments);
    const stable = this.#stable;
    return text.replace(NAME_OR_QUERY, (found, at: number) => {
      if (found.startsWith('?')) return '';
      const known = stable.get(found);
      if (known !== undefined) return known;
      ENDING.lastIndex = at + found.length;
      if (ENDING.test(text)) return withoutId(found, randomEnd(found));
      return found;
    });
  }
}

function stableNames(
  paths: readonly string[],
  deployments: readonly string[],
): ReadonlyMap<string, string> {
  const stable = new Map<string, string>();
  for (const names of similarNames(paths)) {
    const length = usualLength(names);
    for (const name of names) {
      const id = idAtEnd(name, length);
      const withoutIds = withoutId(name, id);
      if (withoutIds === name) continue;
      stable.set(name, withoutIds);
      // Data and scripts contain it without the rest of the name.
      if (id !== '') stable.set(id, '*');
    }
  }
  for (const id of deployments) stable.set(id, '*');
  return stable;
}

const idsOfSites = new WeakMap<ComparedSite, BuildIds>();

export function buildIdsOf(site: ComparedSite): BuildIds {
  const ids = idsOfSites.get(site) ?? new BuildIds(site.paths, deploymentsOf(site));
  idsOfSites.set(site, ids);
  return ids;
}

/** What two assets of the entry page have in their queries. */
function deploymentsOf(site: ComparedSite): readonly string[] {
  const entry = findEntryPage(site.paths, undefined);
  if (site.root === undefined || entry === undefined) return [];
  const page = new WholeFile().readIfPossible(`${site.root}/${entry}`)?.toString('latin1') ?? '';
  const assets = new Map<string, string>();
  const deployments = new Set<string>();
  for (const [, asset = '', id = ''] of page.matchAll(ASSET_WITH_QUERY)) {
    const other = assets.get(id) ?? asset;
    assets.set(id, other);
    if (other !== asset) deployments.add(id);
  }
  return [...deployments];
}

/**
 * The names in the paths of assets, of those that a build names in one way: the files with one
 * ending in a folder, and the folders in a folder. What is in the address of a page is not a build id.
 */
function similarNames(paths: readonly string[]): ReadonlySet<string>[] {
  const [pages, assets] = [paths.filter(isHtml), paths.filter((path) => !isHtml(path))];
  const foldersOfPages = foldersOf(pages);
  const groups = new Map<string, Set<string>>();
  const add = (group: string, text: string) => {
    const names = groups.get(group) ?? new Set();
    groups.set(group, names);
    for (const name of text.match(NAME) ?? []) names.add(name);
  };
  for (const path of assets) {
    const at = path.lastIndexOf('/') + 1;
    const [, name = '', ending = ''] = /^(.*?)(\.[^.]*)?$/.exec(path.slice(at)) ?? [];
    add(path.slice(0, at) + ending, name);
  }
  for (const folder of foldersOf(assets)) {
    if (foldersOfPages.has(folder)) continue;
    const at = folder.lastIndexOf('/') + 1;
    add(`${folder.slice(0, at)}/`, folder.slice(at));
  }
  // Sorted: the result must not depend on the order of the files.
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, names]) => names);
}

/** A name without the id at its end, and without others before it. */
function withoutId(name: string, id: string): string {
  const start = name.slice(0, name.length - id.length);
  const stable = start.replace(/[A-Za-z0-9]{8,}/g, (part) => (isRandom(part) ? '*' : part));
  if (id === '') return stable;
  return `${stable}*`;
}

/** All folders that files are in. */
function foldersOf(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    let folder = posix.dirname(path);
    // Those above a known folder are known.
    while (!folders.has(folder)) {
      folders.add(folder);
      folder = posix.dirname(folder);
    }
  }
  return folders;
}

/**
 * How long the build ids of similar names are: the length that most of them have, if half of the
 * names with an end of that length have one; 0 if there is none.
 */
function usualLength(names: ReadonlySet<string>): number {
  const counts = new Map<number, number>();
  for (const name of names) {
    const { length } = randomEnd(name);
    if (length > 0) counts.set(length, (counts.get(length) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  if (most === undefined) return 0;
  const [length, count] = most;
  const possible = [...names].filter((name) => mayBeId(endOf(name, length)));
  if (count * 2 >= possible.length) return length;
  return 0;
}

/** The build id at the end of a name; empty if there is none. */
function idAtEnd(name: string, usual: number): string {
  const end = endOf(name, usual);
  // Some ids look like a word: those of the other names show that they are ids.
  if (mayBeId(end)) return end;
  return randomEnd(name);
}

/** The last characters of a name, if a separator is before them. */
function endOf(name: string, length: number): string {
  const start = name.length - length;
  return length > 0 && (start === 0 || /[-_]/.test(name[start - 1] ?? '')) ? name.slice(start) : '';
}

function mayBeId(text: string): boolean {
  return /\d|^[A-Z]+$/.test(text) || MIXED_CASE.test(text);
}

/** The longest end of a name that only a machine writes. */
function randomEnd(name: string): string {
  let end = name;
  while (end.length >= LEAST_LENGTH) {
    if (end.length <= MOST_LENGTH && isRandom(end)) return end;
    const separator = end.search(/[-_]/);
    if (separator < 0) return '';
    end = end.slice(separator + 1);
  }
  return '';
}

/** Whether a text is what only a machine writes: no word, number, or several of these. */
function isRandom(text: string): boolean {
  if (LETTERS_AND_DIGITS.test(text)) return !WORD_AND_NUMBER.test(text);
  const parts = text.split(/[-_]/);
  if (/^\d+$/.test(parts[0] ?? '') || parts.some(isWord)) return false;
  if (parts.length > 1 && parts.some((part) => ALTERNATING.test(part))) return true;
  const letters = parts.join('');
  return parts.some((part) => MIXED_CASE.test(part)) && 2 * lettersOfWords(letters) < text.length;
}

function isWord(part: string): boolean {
  return /^[A-Za-z]?[a-z]{2,}$/.test(part) && VOWEL.test(part);
}

/** How many letters belong to words of three letters or more: 9 in `getHTTPAnswer`. */
function lettersOfWords(text: string): number {
  const words = (text.match(CAMEL_CASE_PARTS) ?? []).filter(
    (part) => part.length > 2 && VOWEL.test(part) && !CONSONANTS.test(part),
  );
  return words.join('').length;
}
