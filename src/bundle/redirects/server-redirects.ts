import { byteLength, plainLine } from '../../text/escape.ts';
import { decodeLoosely, parseUrl } from '../../text/names.ts';
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

/** The rules that can be followed, and the others. */
interface SafeRules {
  readonly rules: readonly SafeRule[];
  readonly leftOut: readonly LeftOut[];
}

/** A rule that is left out. */
interface LeftOut {
  /** Its number in the file, from 1. */
  readonly line: number;
  readonly rule: string;
  readonly why: string;
}

/** A text, or the number of a part of the address that was asked for, from 1. */
type Piece = string | number;

interface Target {
  /** `https://example.com`; empty for an address of the same site. */
  readonly origin: string;
  /** Decoded. */
  readonly path: readonly Piece[];
  /** With `?`; empty if there is none. */
  readonly query: string;
  /** With `#`; empty if there is none. */
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
/** As `bare` takes them for one address. */
const ENDINGS = '(?:/(?:index\\.html?)?|\\.html?)?';
/**
 * What a target may not have, not even encoded: nginx decodes `/%2Fevil.example`, which is then
 * another host; Caddy decodes or does not, by its version; and the others are special in a
 * configuration.
 */
const SPECIAL = /["%#?{}\\\p{Cc}]/u;
/** All that a query and a fragment may have. */
const HARMLESS = /^[A-Za-z0-9\-._~!&'()*+,;=:@/?#%]*$/;
const ANY_NAME = /:([A-Za-z_]\w*)/;

/** Why a rule cannot be written. */
class Unfit extends Error {}

/**
 * The redirects of a `_redirects` file, in their order, for addresses that have no page. The file
 * is part of the content, so a rule with anything that a server could misread is left out, with the
 * reason.
 */
export function readSafeRules(text: string): SafeRules {
  const rules: SafeRule[] = [];
  const leftOut: LeftOut[] = [];
  for (const line of readRuleLines(text)) {
    try {
      if (rules.length === MOST_RULES)
        throw new Unfit(`only the first ${MOST_RULES} rules are used`);
      rules.push(readRule(line));
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      leftOut.push({
        line: line.number,
        rule: plainLine(`${line.from} ${line.target}`, 120),
        why: error.message,
      });
    }
  }
  return { rules, leftOut };
}

/** Writes rules for the configuration of a web server; empty if there are none. */
export function writeRedirects(rules: readonly SafeRule[], server: ServerName): string {
  return rules
    .map((rule, index) => (server === 'nginx' ? nginxRule(rule) : caddyRule(rule, index + 1)))
    .join('');
}

/** Where a rule leads. */
interface Redirect {
  readonly status: 301 | 302;
  readonly location: string;
}

/**
 * Follows rules as the web servers do. The function takes a decoded path, and the query as it was
 * sent, with `?` or empty; undefined: no rule fits.
 */
export function redirectsOf(
  rules: readonly SafeRule[],
): (path: string, query: string) => Redirect | undefined {
  const compiled = rules.map((rule) => ({
    rule,
    start: startOf(rule),
    pattern: new RegExp(patternOf(rule.parts)),
  }));
  return (path, query) => {
    for (const { rule, start, pattern } of compiled) {
      const found = path.startsWith(start) ? pattern.exec(path) : null;
      if (found === null) continue;
      const target = rule.path
        .map((piece) => (typeof piece === 'number' ? (found[piece] ?? '') : piece))
        .join('');
      const both = rule.query === '' ? query : rule.query + query.replace('?', '&');
      const location = rule.origin + encodeURI(target) + both + rule.fragment;
      return { status: rule.isPermanent ? 301 : 302, location };
    }
    return undefined;
  };
}

/**
 * Where an address without a file leads by these rules. Below a path, rules may be written with it
 * or without.
 */
export function redirectsFrom(rules: readonly SafeRule[], basePath = ''): RedirectRules {
  const find = redirectsOf(rules);
  return (address) => {
    const found = find(address, '') ?? (basePath && find(`${basePath}${address}`, ''));
    const location = found ? found.location : undefined;
    if (location === undefined || isOutside(location)) return location;
    const path = location.replace(/[?#].*/s, '');
    return decodeLoosely(path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path);
  };
}

/**
 * The address and the target of a rule that are the same for each reader: decoded; undefined if a
 * part of them is not.
 */
export function fixedRule({
  parts,
  path,
}: SafeRule): { readonly from: string; readonly to: string } | undefined {
  const isFixed =
    parts.every(({ kind }) => kind === 'text') && path.every((piece) => typeof piece === 'string');
  return isFixed ? { from: shapeOf(parts), to: path.join('') } : undefined;
}

/**
 * What each address of a rule begins with, so that most rules are passed over without their
 * pattern.
 */
function startOf({ parts }: SafeRule): string {
  const changing = parts.findIndex(({ kind }) => kind !== 'text');
  return shapeOf(changing < 0 ? parts : parts.slice(0, changing)).replace(/\/$/, '');
}

function readRule({ from, query, target, status, conditions }: RuleLine): SafeRule {
  if (!from.startsWith('/')) throw new Unfit('the address does not begin with /');
  if (query.length > 0)
    throw new Unfit(`it depends on the query (${plainLine(query.join(' '), 60)})`);
  if (target === '') throw new Unfit('it has no target');
  if (!REDIRECT.test(status))
    throw new Unfit(`${plainLine(status, 20)} is not the status of a redirect`);
  if (conditions.length > 0) throw new Unfit('it depends on more than the address');
  if (byteLength(from) > MOST_BYTES || byteLength(target) > MOST_BYTES)
    throw new Unfit(`it is longer than ${MOST_BYTES} bytes`);
  const parts = partsOf(from).map(readPart);
  return { parts, ...readTarget(target, parts), isPermanent: PERMANENT.test(status) };
}

/** Servers compare the decoded address. */
function readPart(part: RulePart): RulePart {
  if (part.kind !== 'text') return part;
  if (part.text.startsWith(':'))
    throw new Unfit(`${plainLine(part.text, 40)} is not understood in the address`);
  if (part.text.includes('*')) throw new Unfit('a star can only be the last part of the address');
  if (/[?#]/.test(part.text)) throw new Unfit('the address has a query or a fragment');
  const text = decoded(part.text);
  if (/[/\\\p{Cc}]/u.test(text))
    throw new Unfit('the address has an encoded slash, a backslash or a control character');
  return { kind: 'text', text };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Unfit('a % is not followed by the code of a character');
  }
}

function readTarget(target: string, parts: readonly RulePart[]): Target {
  const isHere = target.startsWith('/');
  if (!(isHere || /^https?:\/\//.test(target)) || target.includes('\\'))
    throw new Unfit('the target begins neither with / nor with https://');
  const url = parseUrl(target, 'https://site.invalid');
  if (
    url === undefined ||
    (isHere && url.host !== 'site.invalid') ||
    url.username !== '' ||
    url.password !== ''
  )
    throw new Unfit('the target is not an address of the site or of another host');
  const plainPath = decoded(url.pathname);
  if (
    /%2f/i.test(url.pathname) ||
    SPECIAL.test(plainPath) ||
    [url.search, url.hash].some((text) => !HARMLESS.test(text))
  )
    throw new Unfit('the target has a character that a server could misread');
  if (isHere && bare(plainPath) === shapeOf(parts)) throw new Unfit('it leads to the same address');
  const path = readPieces(plainPath, parts);
  if (
    [url.search, url.hash].some((text) => namesOf(parts).some((name) => text.includes(`:${name}`)))
  )
    throw new Unfit('a part of the address can be put only into the path of the target');
  return { origin: isHere ? '' : url.origin, path, query: url.search, fragment: url.hash };
}

/** The names of the parts that change, in the order of their numbers. */
function namesOf(parts: readonly RulePart[]): string[] {
  const names = parts.flatMap((part) => {
    if (part.kind === 'text') return [];
    return part.kind === 'name' ? [part.name] : ['splat'];
  });
  if (names.length > MOST_NAMES)
    throw new Unfit(`it has more than ${MOST_NAMES} parts with a name`);
  return names;
}

function readPieces(pathname: string, parts: readonly RulePart[]): Piece[] {
  const names = namesOf(parts);
  const pieces = pathname.split(ANY_NAME).map((text, index): Piece => {
    if (index % 2 === 0) return text;
    return names.includes(text) ? names.indexOf(text) + 1 : `:${text}`;
  });
  const unknown = pathname
    .split('/')
    .find((part) => part.startsWith(':') && !names.some((name) => part.includes(`:${name}`)));
  if (unknown !== undefined) throw new Unfit(`the target has ${unknown}, but the address does not`);
  // Without a rest, `/:splat/evil.example` would be another host.
  const splat = pieces.indexOf(names.indexOf('splat') + 1);
  if (splat >= 0 && pieces.slice(splat + 1).join('') !== '')
    throw new Unfit(':splat is understood only at the end of the path');
  return pieces;
}

/** As a target that takes every part would be written. */
function shapeOf(parts: readonly RulePart[]): string {
  const texts = parts.map((part) => {
    if (part.kind === 'rest') return ':splat';
    return part.kind === 'name' ? `:${part.name}` : part.text;
  });
  return `/${texts.join('/')}`;
}

function nginxRule({ parts, origin, path, query, fragment, isPermanent }: SafeRule): string {
  const target =
    origin +
    path.map((piece) => (typeof piece === 'number' ? `$${piece}` : encoded(piece))).join('');
  // nginx adds the reader's query at the end, so not in front of a fragment. `?` at the end says
  // that it is there already.
  const readers = query === '' ? '$is_args$args' : '&$args';
  const whole = fragment === '' ? `${target}${query}` : `${target}${query}${readers}${fragment}?`;
  return `rewrite "${patternOf(parts)}" "${whole}" ${isPermanent ? 'permanent' : 'redirect'};\n`;
}

/** A dollar would begin a variable. */
function encoded(text: string): string {
  return encodeURI(text).replaceAll('$', '%24');
}

/**
 * `rewrite` keeps the reader's query, and `{uri}` is encoded, which a part of the address alone is
 * not.
 */
function caddyRule(
  { parts, origin, path, query, fragment, isPermanent }: SafeRule,
  number: number,
): string {
  const name = `r${number}`;
  const target = path
    .map((piece) => (typeof piece === 'number' ? `{re.${name}.${piece}}` : piece))
    .join('');
  return `@${name} path_regexp ${name} "${patternOf(parts)}"
route @${name} {
	rewrite * "${target}${query === '' ? '' : `${query}&{query}`}"
	redir * "${origin}{uri}${fragment}" ${isPermanent ? 'permanent' : 'temporary'}
}
`;
}

/**
 * A regular expression that both servers read in the same way, and that needs no escapes in double
 * quotes.
 */
function patternOf(parts: readonly RulePart[]): string {
  const texts = parts.map((part) => {
    if (part.kind === 'rest') return REST;
    return part.kind === 'name' ? ONE_PART : `/${escaped(part.text)}`;
  });
  return `^${texts.join('')}${parts.at(-1)?.kind === 'rest' ? '' : ENDINGS}$`;
}

function escaped(text: string): string {
  return text.replace(/[^\w\-\u0080-\u{10ffff}]/gu, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}
