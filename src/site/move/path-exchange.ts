import type { ServedAt } from '../../inputs/read-served-at.ts';
import { MAX_PAGE_BYTES } from '../pages.ts';
import { parseScript } from '../verify/script/parse.ts';
import type { Exchange, Patch, TextKind } from './exchange.ts';

interface PathExchangeInit {
  /** The base path of the site, such as `/documentation`. */
  readonly from: string;
  readonly to: ServedAt;
  /** The hosts that the site has had, whose addresses become those of `to`. */
  readonly hosts: readonly string[];
  /** Called for an occurrence that is perhaps an address, and stays. */
  readonly onUnsure: (text: string) => void;
}

/** A slash as pages, scripts, data and addresses in addresses write it. */
const SLASH = String.raw`(?:\\{0,3}/|\\{1,3}u002[fF]|\\{1,3}x2[fF]|%(?:25)?2[fF]|&#47;|&#x2[fF];|&sol;)`;
const COLON = '(?::|%(?:25)?3[aA]|&#58;|&colon;)';
/** What cannot follow the path if it ends there: more of the last name. */
const NAME_GOES_ON = String.raw`(?![\w~@+\x80-\xff-]|\.\w|%(?!25|2[0-9cCfF]|3[a-fA-F]|5[bdBD]))`;

/** What comes before an address: a quotation mark, a bracket, an equals sign or a comma. */
const BEGINS =
  /(?:["'`([{=,]|\]\(<|&(?:quot|apos|lpar|lsqb|equals|comma);|&#(?:34|39|40|44|61|91);|&#x(?:22|27|28|2c|3d|5b);|%(?:25)?(?:22|27|28|2c|3d|5b|7b)|\\(?:u00|x)(?:22|27|28|2c|3d|5b))$/i;
/** What comes before a word, or in the middle of another address. */
const IS_PROSE = /[\s>\w.~@#/-]$/;
const LONGEST_BEFORE = 8;
const EXCERPT = 40;
/** After the path: the end of a regular expression, and what may follow one. */
const ENDS_PATTERN = /^\/[dgimsuvy]{0,8}(?:[.,;)\]}\s]|$)/;
/** Before and after the path to the start page, in a link of Markdown or an attribute of HTML. */
const BEGINS_LINK = /(?:\]\(|\b(?:href|src)=)$/;
const ENDS_LINK = /^\/[)\s]/;

/** Finds the addresses that begin with one base path, and gives them another one. */
export class PathExchange implements Exchange {
  readonly #init: PathExchangeInit;
  readonly #pattern: RegExp;
  /** The new path by how it writes a slash: a large page may have a million addresses. */
  readonly #paths = new Map<string, string>();
  readonly name: string;

  constructor(init: PathExchangeInit) {
    this.#init = init;
    const names = init.from.split('/').slice(1);
    this.name = names.at(-1) ?? '';
    const [first = '', ...rest] = names.map(escapePattern);
    const path = `(${SLASH})${[first, ...rest].join(SLASH)}`;
    this.#pattern = new RegExp(`(${originPattern(init.hosts)})?${path}${NAME_GOES_ON}`, 'g');
  }

  find(text: string, kind: TextKind): Patch[] {
    const patches: Patch[] = [];
    if (!text.includes(this.name)) return patches;
    const mayBePattern = patternsOf(text, kind);
    for (const match of text.matchAll(this.#pattern)) {
      const [whole, origin = '', slash = '/'] = match;
      const start = match.index;
      const end = start + whole.length;
      const before = text.slice(Math.max(0, start - LONGEST_BEFORE), start);
      const isFirst = start <= LONGEST_BEFORE && before.trim() === '';
      const isCertain = isFirst || BEGINS.test(before) || beginsIn(kind, before, origin);
      const isAddress = isCertain && !(slash === '/' && mayBePattern(start, end));
      if (isAddress) patches.push({ start, end, text: this.#moved(origin, slash) });
      else if (kind !== 'prose' && !IS_PROSE.test(before))
        this.#init.onUnsure(text.slice(Math.max(0, start - LONGEST_BEFORE), end + EXCERPT));
    }
    return patches;
  }

  /**
   * The new address, in the spelling of the old one: `slash` and `origin` are as the text has them.
   * `\u002Fold` becomes `\u002Fnew`, and `https:\/\/a.example\/old` `https:\/\/b.example\/new`.
   */
  #moved(origin: string, slash: string): string {
    const { url, path } = this.#init.to;
    const moved = this.#paths.get(slash) ?? path.replaceAll('/', () => slash);
    this.#paths.set(slash, moved);
    if (origin === '') return moved;
    const { protocol, host } = new URL(url);
    // Without it, the address has no scheme.
    const colon = new RegExp(`^https?(${COLON})`).exec(origin)?.[1];
    const withoutScheme = `${slash}${slash}${host}${moved}`;
    if (colon === undefined) return withoutScheme;
    return `${protocol.replace(':', () => colon)}${withoutScheme}`;
  }
}

function beginsIn(kind: TextKind, before: string, origin: string): boolean {
  const isWhole = origin !== '' && !['code', 'data', 'value'].includes(kind);
  if (kind === 'markup' && />\s{0,7}$/.test(before)) return true;
  // `Link: </x>` and `Disallow:/x`
  if (kind === 'words' || kind === 'rules' || isWhole) return /(?:[\s<]|allow:)$/i.test(before);
  return false;
}

/**
 * `x.replace(/documentation/g, …)`: whether a script may compare with the path. A link such as
 * `[Home](/documentation/)` or `<a href=/documentation/ >` looks the same, and is text: in data
 * always, and in a script if its tokens say so.
 */
function patternsOf(text: string, kind: TextKind): (start: number, end: number) => boolean {
  if (kind !== 'code' && kind !== 'data') return () => false;
  let isPattern: ((at: number) => boolean) | undefined;
  return (start, end) => {
    const before = text.slice(Math.max(0, start - LONGEST_BEFORE), start);
    const after = text.slice(end, end + LONGEST_BEFORE);
    if (!/[([{=,]$/.test(before) || !ENDS_PATTERN.test(after)) return false;
    const isLink = BEGINS_LINK.test(before) && ENDS_LINK.test(after);
    if (!isLink) return true;
    if (kind === 'data') return false;
    isPattern ??= readPatterns(text);
    return isPattern(start);
  };
}

/** Tells where the regular expressions of a script are; anywhere if it cannot be read. */
function readPatterns(script: string): (at: number) => boolean {
  if (script.length > MAX_PAGE_BYTES) return () => true;
  const starts = new Set<number>();
  const onToken = (token: string, start: number) => {
    if (token === 'RegularExpression') starts.add(start);
  };
  const parsed = parseScript(script, { onToken });
  if (parsed === 'unread' || parsed === 'invalid') return () => true;
  return (at) => starts.has(at);
}

/** An address of one of the hosts up to its path; never matches without a host. */
function originPattern(hosts: readonly string[]): string {
  if (hosts.length === 0) return '(?!)';
  return `(?:https?${COLON})?${SLASH}${SLASH}(?:${hosts.map(escapePattern).join('|')})`;
}

function escapePattern(text: string): string {
  return text.replace(/[^\w-]/g, '\\$&');
}
