/** Where an address of the site leads by the rules of the host; undefined: nowhere. */
export type RedirectRules = (address: string) => string | undefined;

/** At the top of a site: the rules in the form of Netlify and Cloudflare Pages. */
export const RULES_FILE = '_redirects';

const MOST_EXACT = 50_000;
const MOST_PATTERNS = 1000;
// 200 shows another page at this address, which is no loss either.
const COVERING = /^(?:200|301|302|303|307|308)!?$/;

interface Pattern {
  readonly matches: RegExp;
  readonly target: string;
}

/**
 * Reads a `_redirects` file: a line has an address, its target, and a status (301 where it is left out). What depends on the
 * reader (query, country, language) leads some readers nowhere, and is no rule here; neither is a line that is not understood.
 */
export function readRedirectRules(text: string): RedirectRules {
  const exact = new Map<string, string>();
  const patterns: Pattern[] = [];
  for (const line of text.split('\n')) {
    const [from = '', target = '', status = '301', ...rest] = line
      .replace(/(^|\s)#.*$/, '')
      .trim()
      .split(/\s+/);
    if (!from.startsWith('/') || !/^(\/|https?:\/\/)/.test(target) || !COVERING.test(status) || rest.length > 0)
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

/** A star at the end takes the rest of the address, a name after a colon one part of it. */
function patternOf(from: string): RegExp {
  const parts = bare(from)
    .split('/')
    .map((part, index, all) => {
      if (part === '*' && index === all.length - 1) return '(?<splat>.*)';
      const name = /^:([A-Za-z_]\w*)$/.exec(part)?.[1];
      const isFirst = name !== undefined && name !== 'splat' && !all.slice(0, index).includes(part);
      return isFirst ? `(?<${name}>[^/]+)` : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    });
  return new RegExp(`^${parts.join('/').replace(/\/\(\?<splat>/, '(?:/|$)(?<splat>')}$`);
}

/** Hosts take `/guide`, `/guide/`, `/guide.html` and `/guide/index.html` for one address. */
function bare(address: string): string {
  const path = address.replace(/\.html?$/i, '').replace(/\/index$/i, '/');
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path;
}
