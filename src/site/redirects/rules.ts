/** A file at the top of a site, with redirects in the form of Netlify and Cloudflare Pages. */
export const RULES_FILE = '_redirects';
/** What hosts read and never serve: headers may contain passwords. */
export const HOST_FILES = [RULES_FILE, '_headers'];

/**
 * Gives where an address of the site leads: to a decoded address of the site, or to another host.
 * undefined or empty: nowhere.
 */
export type RedirectRules = (address: string) => string | undefined;

/** A line with a rule, as it is written. */
export interface RuleLine {
  /** From 1. */
  readonly number: number;
  readonly from: string;
  /** Parameters that the query must have, such as `id=:id`. */
  readonly query: readonly string[];
  /** Empty: the line has none. */
  readonly target: string;
  /** Three digits and possibly `!`; 301 if the line has none. */
  readonly status: string;
  /** Words after the status, such as `Country=de`. */
  readonly conditions: readonly string[];
}

/**
 * A part of an address between slashes: its text, a name for one part, or the star for the rest of
 * the address.
 */
export type RulePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'name' | 'rest'; readonly name: string };

// An address begins with a slash or a scheme.
const PARAMETER = /^[^/:=]+=/;

/** The lines of a `_redirects` file that are neither empty nor a comment. */
export function* readRuleLines(text: string): Generator<RuleLine> {
  for (const [index, line] of text.split('\n').entries()) {
    // Without a comment. `#` inside of a word is the fragment of an address.
    const rule = line.replace(/(^|\s)#.*/s, '').trim();
    if (rule === '') continue;
    const [from = '', ...words] = rule.split(/\s+/);
    // Parameters are between the address and the target.
    let targetAt = 0;
    while (PARAMETER.test(words[targetAt] ?? '')) targetAt += 1;
    const query = words.slice(0, targetAt);
    const [target = '', status = '301', ...conditions] = words.slice(targetAt);
    yield { number: index + 1, from, query, target, status, conditions };
  }
}

// Browsers follow no more than 20.
const MOST_REDIRECTS = 20;

/**
 * Where an address leads in the end: to an address that is there, or to another host. undefined: to
 * nothing, or in a circle.
 */
export function followRedirects(
  start: string,
  redirects: RedirectRules,
  isThere: (address: string) => boolean,
): string | undefined {
  let address = redirects(start);
  // `address` is also empty for a redirect to nothing that is known.
  for (let count = 0; address && count < MOST_REDIRECTS; count += 1) {
    if (isOutside(address) || isThere(address)) return address;
    address = redirects(address);
  }
  return undefined;
}

export function isOutside(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(address);
}

/** The name by which a target takes what the star stands for: it is not a name for another part. */
const STAR_NAME = 'splat';

/**
 * The parts of the address of a rule. A star is special only as the last part, and a name only the
 * first time.
 */
export function partsOf(from: string): RulePart[] {
  const path = bare(from);
  // The first page has no part.
  const texts = path === '/' ? [] : path.split('/').slice(1);
  return texts.map((text, index) => {
    const isLast = index === texts.length - 1;
    if (text === '*' && isLast) return { kind: 'rest', name: STAR_NAME };
    const name = /^:([A-Za-z_]\w*)$/.exec(text)?.[1];
    // Of a name that comes twice, the target could take either part.
    const isRepeated = texts.indexOf(text) < index;
    if (name === undefined || name === STAR_NAME || isRepeated) return { kind: 'text', text };
    return { kind: 'name', name };
  });
}

/** Hosts take `/guide`, `/guide/`, `/guide.html` and `/guide/index.html` for one address. */
export function bare(address: string): string {
  const path = address.replace(/\.x?html?$/i, '').replace(/\/index$/i, '/');
  // Nothing is left of the address `/`. The lookbehind keeps many slashes from taking long.
  return path.replace(/(?<!\/)\/+$/, '') || '/';
}
