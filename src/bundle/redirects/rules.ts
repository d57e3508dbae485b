/** At the top of a site: the rules in the form of Netlify and Cloudflare Pages. */
export const RULES_FILE = '_redirects';

/** Where an address of the site leads by the rules of the host; undefined: nowhere. */
export type RedirectRules = (address: string) => string | undefined;

/** A line with a rule, as it is written. */
export interface RuleLine {
  /** From 1. */
  readonly number: number;
  readonly from: string;
  readonly target: string;
  /** Three digits and possibly `!`; 301 if the line has none. */
  readonly status: string;
  /** Words after the status, such as `Country=de`. */
  readonly conditions: readonly string[];
}

/** A part of an address between slashes: its text, a name for one part, or the star for the rest of the address. */
export type RulePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'rest' };

const MOST_EXACT = 50_000;
const MOST_PATTERNS = 1000;
// 200 shows another page at this address, which is not a loss either.
const COVERING = /^(?:200|301|302|303|307|308)!?$/;

interface Pattern {
  readonly matches: RegExp;
  readonly target: string;
}

/** The lines of a `_redirects` file that are neither empty nor a comment. */
export function* readRuleLines(text: string): Generator<RuleLine> {
  for (const [index, line] of text.split('\n').entries()) {
    // First without the line end of Windows, which a dot does not match.
    const words = line
      .trim()
      .replace(/(^|\s)#.*/s, '')
      .trim();
    if (words === '') continue;
    const [from = '', target = '', status = '301', ...conditions] = words.split(/\s+/);
    yield { number: index + 1, from, target, status, conditions };
  }
}

/**
 * Reads a `_redirects` file: a line has an address, its target, and a status (301 if it is left out). What depends on the
 * reader (query, country, language) leads some readers nowhere, and is not a rule here; neither is a line that is not understood.
 */
export function readRedirectRules(text: string): RedirectRules {
  const exact = new Map<string, string>();
  const patterns: Pattern[] = [];
  for (const { from, target, status, conditions } of readRuleLines(text)) {
    if (!from.startsWith('/') || !/^(\/|https?:\/\/)/.test(target) || !COVERING.test(status) || conditions.length > 0)
      continue;
    if (/[*:]/.test(from)) {
      if (patterns.length < MOST_PATTERNS) patterns.push({ matches: patternOf(from), target });
    } else if (exact.size < MOST_EXACT && !exact.has(bare(from))) exact.set(bare(from), target);
  }
  return (address) => exact.get(bare(address)) ?? firstMatch(patterns, bare(address));
}

function firstMatch(patterns: readonly Pattern[], address: string): string | undefined {
  for (const { matches, target } of patterns) {
    const found = matches.exec(address);
    if (found === null) continue;
    const groups = found.groups ?? {};
    return target.replace(/:([A-Za-z_]\w*)/g, (whole, name: string) => groups[name] ?? whole);
  }
  return undefined;
}

/** The parts of the address of a rule. A star is special only as the last part, and a name only the first time. */
export function partsOf(from: string): RulePart[] {
  return bare(from)
    .split('/')
    .slice(1)
    .map((part, index, all): RulePart => {
      if (part === '*' && index === all.length - 1) return { kind: 'rest' };
      const name = /^:([A-Za-z_]\w*)$/.exec(part)?.[1];
      const isFirst = name !== undefined && name !== 'splat' && !all.slice(0, index).includes(part);
      return isFirst ? { kind: 'name', name } : { kind: 'text', text: part };
    });
}

function patternOf(from: string): RegExp {
  const parts = partsOf(from).map((part) => {
    if (part.kind === 'rest') return '(?:/|$)(?<splat>.*)';
    if (part.kind === 'name') return `/(?<${part.name}>[^/]+)`;
    return `/${part.text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`;
  });
  return new RegExp(`^${parts.join('')}$`);
}

/** Hosts take `/guide`, `/guide/`, `/guide.html` and `/guide/index.html` for one address. */
export function bare(address: string): string {
  const path = address.replace(/\.html?$/i, '').replace(/\/index$/i, '/');
  return path.length > 1 ? path.replace(/(?<!\/)\/+$/, '') || '/' : path;
}
