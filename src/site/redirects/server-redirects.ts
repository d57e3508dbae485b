import { byteLength, plainLine } from '../../ground/text/escape.ts';
import { decodeLoosely, parseUrl } from '../../ground/text/names.ts';
import {
  bare,
  isOutside,
  partsOf,
  type RedirectRules,
  type RuleLine,
  type RulePart,
  readRuleLines,
} from './rules.ts';

/** The web servers that the guide "Serve the site" has a configuration for. */
export const SERVERS = ['nginx', 'caddy'] as const;
type ServerName = (typeof SERVERS)[number];

/** A rule that is left out. */
interface LeftOut {
  /** Its number in the file, from 1. */
  readonly line: number;
  readonly rule: string;
  readonly why: string;
}

/** A text, or the number (from 1) of a part of the requested address. */
type Piece = string | number;

interface Target {
  /** `https://example.com`; empty for an address of the same site. */
  readonly origin: string;
  /** Decoded. */
  readonly path: readonly Piece[];
  /** The query with its `?`; empty if there is none. */
  readonly query: string;
  /** The fragment with its `#`; empty if there is none. */
  readonly fragment: string;
}

/** A rule whose characters are all known to be harmless in the configuration of both servers. */
export interface SafeRule extends Target {
  /** Decoded. */
  readonly parts: readonly RulePart[];
  readonly isPermanent: boolean;
}

// nginx tries the rules one after the other for each address that has no page.
const MOST_RULES = 5000;
// nginx does not start with a word of more than 4096 bytes, and an escaped character has four.
const MOST_BYTES = 900;
// nginx has $1 to $9.
const MOST_NAMES = 9;
/** A host that no server has: the target is an address of the same site. */
const SITE = 'https://site.invalid';
const REDIRECT = /^30[12378]!?$/;
const PERMANENT = /^30[18]/;
/**
 * What a target may take from the address that was asked for, which servers decode. A browser reads
 * a backslash as a slash and skips a tab: `//evil.example` and `/\evil.example` are another host.
 * Caddy decodes a `%` again, and cuts at a `?`.
 */
const UNSAFE = '\\x00-\\x1f\\x23\\x25\\x3f\\x5c\\x7f';
const ONE_PART = `/([^/${UNSAFE}]+)`;
const REST = `(?:/((?:[^/${UNSAFE}][^${UNSAFE}]*)?))?`;
/** The endings that `bare` takes for one address. */
const ENDINGS = '(?:/(?:index\\.html?)?|\\.html?)?';
/**
 * What a target may not have, not even encoded: nginx decodes `/%2Fevil.example`, which is then
 * another host; Caddy decodes or does not, by its version; and the others are special in a
 * configuration.
 */
const SPECIAL = /["%#?{}\\\p{Cc}]/u;
/** The only characters that a query and a fragment may have. */
const HARMLESS = /^[A-Za-z0-9\-._~!&'()*+,;=:@/?#%]*$/;
const ANY_NAME = /:([A-Za-z_]\w*)/;

/** Why a rule is left out: thrown where it shows, and caught by `readSafeRules`. */
class LeftOutError extends Error {}

/**
 * The redirects of a `_redirects` file, in their order, for addresses that have no page. The file
 * is part of the content, so a rule with anything that a server could misread is left out, with the
 * reason. `servedBelow`: the path of the site, such as `/handbook`. Rules may be written with it or
 * without it: one that is written without it gets it.
 */
export function readSafeRules(
  text: string,
  servedBelow = '',
): {
  readonly rules: readonly SafeRule[];
  readonly leftOut: readonly LeftOut[];
} {
  const rules: SafeRule[] = [];
  const leftOut: LeftOut[] = [];
  for (const line of readRuleLines(text)) {
    try {
      if (rules.length === MOST_RULES)
        throw new LeftOutError(`only the first ${MOST_RULES} rules are used`);
      rules.push(readRule(placeBelow(servedBelow, line)));
    } catch (error) {
      if (!(error instanceof LeftOutError)) throw error;
      leftOut.push({
        line: line.number,
        rule: plainLine(`${line.from} ${line.target}`, 120),
        why: error.message,
      });
    }
  }
  return { rules, leftOut };
}

/** The rule for a site below a path. If one of its addresses has the path, it is written with it. */
function placeBelow(path: string, line: RuleLine): RuleLine {
  const { from, target } = line;
  const isWithPath = isBelow(path, from) || isBelow(path, target);
  // The address of every page cannot be meant for the rest of the host.
  const isOfAll = /^\/[:*]/.test(from);
  if (isWithPath && !isOfAll) return line;
  return { ...line, from: below(path, from), target: below(path, target) };
}

function isBelow(path: string, address: string): boolean {
  return address.startsWith(path) && /^(?:[/?#]|$)/.test(address.slice(path.length));
}

function below(path: string, address: string): string {
  const isOfSite = /^\/(?!\/)/.test(address);
  if (!isOfSite || isBelow(path, address)) return address;
  return path + address;
}

/** Writes rules for the configuration of a web server; empty if there are none. */
export function writeRedirects(rules: readonly SafeRule[], server: ServerName): string {
  if (server === 'nginx') return rules.map(nginxRule).join('');
  // In Caddy, each rule needs a name.
  return rules.map((rule, index) => caddyRule(rule, `r${index + 1}`)).join('');
}

/**
 * Follows rules as the web servers do. The function takes a decoded path, and the query as it was
 * sent, with `?` or empty; undefined: no rule fits.
 */
export function redirectsOf(
  rules: readonly SafeRule[],
): (
  path: string,
  query: string,
) => { readonly status: 301 | 302; readonly location: string } | undefined {
  const compiled = rules.map((rule) => ({
    rule,
    start: startOf(rule.parts),
    pattern: new RegExp(patternOf(rule.parts)),
  }));
  return (path, query) => {
    for (const { rule, start, pattern } of compiled) {
      const match = path.startsWith(start) ? pattern.exec(path) : null;
      if (match === null) continue;
      // The rest of an address, for which a star stands, may be absent.
      const target = encodeURI(filled(rule.path, (number) => match[number] ?? ''));
      // The reader's query comes after that of the target.
      const bothQueries = rule.query === '' ? query : rule.query + query.replace('?', '&');
      const location = rule.origin + target + bothQueries + rule.fragment;
      return { status: rule.isPermanent ? 301 : 302, location };
    }
    return undefined;
  };
}

/**
 * Gives where an address without a file leads by these rules. With a base path, rules may be
 * written with or without it.
 */
export function redirectsFrom(rules: readonly SafeRule[], basePath = ''): RedirectRules {
  const find = redirectsOf(rules);
  return (address) => {
    // Without the query of a reader: only where the address leads is of interest.
    let location = find(address, '')?.location;
    if (basePath !== '') location ??= find(`${basePath}${address}`, '')?.location;
    if (location === undefined || isOutside(location)) return location;
    const path = location.replace(/[?#].*/s, '');
    // Pages are known by their address below the base path.
    const isBelowBase = path.startsWith(`${basePath}/`);
    return decodeLoosely(isBelowBase ? path.slice(basePath.length) : path);
  };
}

/**
 * Address and target of a rule, decoded, so that the target can be checked; undefined if they
 * depend on the address that a reader asks for.
 */
export function fixedRule(
  rule: SafeRule,
): { readonly from: string; readonly to: string } | undefined {
  const hasFixedTarget = rule.path.every((piece) => typeof piece === 'string');
  const hasFixedAddress = rule.parts.every((part) => part.kind === 'text');
  if (!hasFixedTarget || !hasFixedAddress) return undefined;
  return { from: shapeOf(rule.parts), to: rule.path.join('') };
}

/**
 * The text that each address of a rule begins with: up to the first part that changes. Most rules
 * are passed over by it, without their pattern.
 */
function startOf(parts: readonly RulePart[]): string {
  // Also without the slash of `/`, the whole address of the first page.
  return shapeOf(parts).replace(/\/:.*|\/$/s, '');
}

/** The rule of a line. Throws why it is left out. */
function readRule(line: RuleLine): SafeRule {
  const { from, target, status } = line;
  if (!from.startsWith('/')) throw new LeftOutError('the address does not begin with /');
  if (line.query.length > 0)
    throw new LeftOutError(`it depends on the query (${plainLine(line.query.join(' '), 60)})`);
  if (target === '') throw new LeftOutError('it has no target');
  if (!REDIRECT.test(status))
    throw new LeftOutError(`${plainLine(status, 20)} is not the status of a redirect`);
  if (line.conditions.length > 0) throw new LeftOutError('it depends on more than the address');
  if (byteLength(from) > MOST_BYTES || byteLength(target) > MOST_BYTES)
    throw new LeftOutError(`it is longer than ${MOST_BYTES} bytes`);
  const parts = partsOf(from).map(readPart);
  return { parts, ...readTarget(target, parts), isPermanent: PERMANENT.test(status) };
}

/** A part with its text decoded, as servers compare it. */
function readPart(part: RulePart): RulePart {
  if (part.kind !== 'text') return part;
  if (part.text.startsWith(':'))
    throw new LeftOutError(`${plainLine(part.text, 40)} is not understood in the address`);
  if (part.text.includes('*'))
    throw new LeftOutError('a star can only be the last part of the address');
  if (/[?#]/.test(part.text)) throw new LeftOutError('the address has a query or a fragment');
  const text = decoded(part.text);
  if (/[/\\\p{Cc}]/u.test(text))
    throw new LeftOutError('the address has an encoded slash, a backslash or a control character');
  return { kind: 'text', text };
}

/** A text of a rule as servers compare it. Throws why the rule is left out. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new LeftOutError('a % is not followed by the code of a character');
  }
}

/** The target of a rule; `parts` are those of its address, which the target may name. */
function readTarget(target: string, parts: readonly RulePart[]): Target {
  const isHere = target.startsWith('/');
  const isAddress = isHere || /^https?:\/\//.test(target);
  // Browsers read a backslash as a slash, so `/\evil.example` would be another host.
  if (!isAddress || target.includes('\\'))
    throw new LeftOutError('the target begins neither with / nor with https://');
  const url = parseUrl(target, SITE);
  // `//evil.example` begins with a slash and leads to another host.
  // So does what is left of `/a/..//evil.example`.
  const hidesHost = isHere && (url?.origin !== SITE || url.pathname.startsWith('//'));
  // In `https://acme.example@evil.example`, a reader takes the user name for the host.
  if (url === undefined || hidesHost || url.username !== '' || url.password !== '')
    throw new LeftOutError('the target is not an address of the site or of another host');
  const plainPath = decoded(url.pathname);
  const queryAndFragment = url.search + url.hash;
  // An encoded slash is not seen in the decoded path.
  if (/%2f/i.test(url.pathname) || SPECIAL.test(plainPath) || !HARMLESS.test(queryAndFragment))
    throw new LeftOutError('the target has a character that a server could misread');
  if (isHere && bare(plainPath) === shapeOf(parts))
    throw new LeftOutError('it leads to the same address');
  const names = namesOf(parts);
  const path = readPieces(plainPath, names);
  if (names.some((name) => queryAndFragment.includes(`:${name}`)))
    throw new LeftOutError('a part of the address can be put only into the path of the target');
  return { origin: isHere ? '' : url.origin, path, query: url.search, fragment: url.hash };
}

/** The names of the parts that change, in the order of their numbers. Throws if they are too many. */
function namesOf(parts: readonly RulePart[]): string[] {
  const names: string[] = [];
  for (const part of parts) if (part.kind !== 'text') names.push(part.name);
  if (names.length > MOST_NAMES)
    throw new LeftOutError(`it has more than ${MOST_NAMES} parts with a name`);
  return names;
}

/** The path of a target; a name in it becomes the number of the part of the address. */
function readPieces(pathname: string, names: readonly string[]): Piece[] {
  // `split` gives texts and, at each odd index, the name between two of them.
  const pieces = pathname.split(ANY_NAME).map((text, index): Piece => {
    if (index % 2 === 0) return text;
    // What is not a name of the address may be text, such as in `/a:b`.
    return names.includes(text) ? names.indexOf(text) + 1 : `:${text}`;
  });
  // A part that begins with a colon is meant as a name, and not as text.
  const hasName = (part: string) => names.some((name) => part.includes(`:${name}`));
  const unknown = pathname.split('/').find((part) => part.startsWith(':') && !hasName(part));
  if (unknown !== undefined)
    throw new LeftOutError(`the target has ${unknown}, but the address does not`);
  // `splat` is the name of the rest of the address. If that is empty, `/:splat/evil.example` would
  // be another host. An address without a rest has the number 0 here, which no piece has.
  const restNumber = names.indexOf('splat') + 1;
  const restAt = pieces.indexOf(restNumber);
  const endsWithRest = pieces.slice(restAt + 1).join('') === '';
  if (restAt >= 0 && !endsWithRest)
    throw new LeftOutError(':splat is understood only at the end of the path');
  return pieces;
}

/** An address with the names of its parts, as a target that takes every part would be written. */
function shapeOf(parts: readonly RulePart[]): string {
  const texts = parts.map((part) => (part.kind === 'text' ? part.text : `:${part.name}`));
  return `/${texts.join('/')}`;
}

/** The path of a target, with what `partOf` gives for each part of the address. */
function filled(path: readonly Piece[], partOf: (number: number) => string): string {
  return path.map((piece) => (typeof piece === 'number' ? partOf(piece) : piece)).join('');
}

/** The rule as nginx has it: one `rewrite`, which answers with a redirect. */
function nginxRule(rule: SafeRule): string {
  const { query, fragment } = rule;
  const path = rule.path.map((piece) => (typeof piece === 'string' ? encoded(piece) : piece));
  // nginx has the parts of the address as `$1`, `$2` and so on.
  let target = rule.origin + filled(path, (number) => `$${number}`) + query;
  // nginx adds the reader's query at the end. In front of a fragment it has to be written here, and
  // `?` at the end keeps nginx from adding it once more.
  if (fragment !== '') target += `${query === '' ? '$is_args$args' : '&$args'}${fragment}?`;
  const kind = rule.isPermanent ? 'permanent' : 'redirect';
  return `rewrite "${patternOf(rule.parts)}" "${target}" ${kind};\n`;
}

/** Encoded for nginx, where a dollar would begin a variable. */
function encoded(text: string): string {
  return encodeURI(text).replaceAll('$', '%24');
}

/**
 * First puts the target together by `rewrite`, which keeps the reader's query; then redirects to
 * `{uri}`, which is encoded, as a part of the address alone is not.
 */
function caddyRule(rule: SafeRule, name: string): string {
  // Caddy has the parts of the address by the name of the pattern.
  const target = filled(rule.path, (number) => `{re.${name}.${number}}`);
  // `rewrite` keeps the reader's query only if the target has none.
  const query = rule.query && `${rule.query}&{query}`;
  return `@${name} path_regexp ${name} "${patternOf(rule.parts)}"
route @${name} {
	rewrite * "${target}${query}"
	redir * "${rule.origin}{uri}${rule.fragment}" ${rule.isPermanent ? 'permanent' : 'temporary'}
}
`;
}

/**
 * A regular expression that both servers read in the same way, and that needs no escapes in double
 * quotes.
 */
function patternOf(parts: readonly RulePart[]): string {
  let pattern = '';
  for (const part of parts) {
    if (part.kind === 'text') pattern += `/${escaped(part.text)}`;
    if (part.kind === 'name') pattern += ONE_PART;
    if (part.kind === 'rest') pattern += REST;
  }
  // The rest takes endings as well.
  const ending = parts.at(-1)?.kind === 'rest' ? '' : ENDINGS;
  return `^${pattern}${ending}$`;
}

/** A text in a pattern; letters beyond ASCII need no escape. */
function escaped(text: string): string {
  return text.replace(/[^\w\-\u0080-\u{10ffff}]/gu, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}
