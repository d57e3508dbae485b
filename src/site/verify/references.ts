import { type TokenString, TokenType, type TokenURL, tokenizer } from '@csstools/css-tokenizer';
import { parseSrcset } from 'srcset';
import { parseJson } from '../../ground/text/json.ts';

/**
 * What a file does with an address: `link` waits for a reader, `load` is fetched automatically,
 * `connect` opens a connection ahead of time or reports to it, `form` sends what a reader typed.
 * `unread`: what it does is not known, since it could not be read; `invalid`: no browser runs it.
 */
type Use = 'link' | 'load' | 'connect' | 'form' | 'unread' | 'invalid';

export interface Reference {
  /** As the file gives it, entities decoded. */
  readonly raw: string;
  readonly use: Use;
  /** What kind of thing it is, for the message: `script`, `image`, `style sheet`. */
  readonly what: string;
}

/**
 * The addresses in a `srcset`; candidates with a wrong descriptor count too, since browsers differ
 * in what they bear.
 */
export function readSrcset(text: string): string[] {
  return parseSrcset(text, { strict: false }).map(({ url }) => url);
}

/**
 * The address in the `content` of `<meta http-equiv="refresh">`; undefined: the page only loads
 * itself again.
 */
export function readMetaRefresh(content: string): string | undefined {
  // After the seconds, browsers accept the address with `url=` or without, in quotes or not.
  const match = /^[\d.]*(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(\S[\s\S]*))/i.exec(
    content.trim(),
  );
  const address = match?.[1] ?? match?.[2] ?? match?.[3];
  return address?.trim() || undefined;
}

/** Names in lower case to values, entities decoded. */
export type Attributes = ReadonlyMap<string, string>;

/** A table by name, of rows in which several names, separated by spaces, have one value. */
export function byName<T>(rows: readonly (readonly [T, string])[]): ReadonlyMap<string, T> {
  return new Map(
    rows.flatMap(([value, names]) => names.split(' ').map((name) => [name, value] as const)),
  );
}

/** Elements that fetch their `src`. */
const SOURCES = byName([
  ['script', 'script'],
  ['image', 'img image input mglyph'],
  ['frame', 'iframe frame fencedframe portal'],
  ['embedded file', 'embed model'],
  ['media file', 'audio video bgsound source track'],
]);

/** Whether an element loads what one of its attributes names. */
export function isLoadingTag(tag: string): boolean {
  return SOURCES.has(tag) || SVG_SOURCES.has(tag) || tag === 'link' || tag === 'object';
}

/** Elements of SVG that fetch their `href`; some of them in some browsers only. */
const SVG_SOURCES: ReadonlySet<string> = new Set(
  `script image use feimage pattern filter lineargradient radialgradient textpath mpath tref cursor font-face-uri
   color-profile animate animatemotion animatetransform set`.split(/\s+/),
);

/** Attributes of SVG that are written as the properties of CSS are. */
const STYLE_ATTRIBUTES: ReadonlySet<string> = new Set(
  'style fill stroke filter clip-path mask marker marker-start marker-mid marker-end cursor'.split(
    ' ',
  ),
);

/** What animations of SVG set an attribute to. */
const ANIMATED: readonly string[] = ['from', 'to', 'by', 'values'];

/** The attributes that `readTag` reads, besides the handlers of events. */
export const REFERENCE_ATTRIBUTES: readonly string[] = [
  ...`href xlink:href src srcset imagesrcset poster data classid codebase archive code action formaction background content
   rel disabled nomodule manifest http-equiv ping attributionsrc attributename`.split(/\s+/),
  ...STYLE_ATTRIBUTES,
  ...ANIMATED,
];

/** Whether an attribute is a script that runs at an event. */
export function isHandler(name: string): boolean {
  return name.startsWith('on');
}

/** The text after `#` in an address that leads to an element. */
export function idOf(tag: string, attributes: Attributes): string | undefined {
  const id = attributes.get('id');
  if (id === undefined && tag === 'a') return attributes.get('name');
  return id;
}

/** What browsers take for JavaScript (MIME Sniffing Standard); an empty type is JavaScript too. */
const JAVASCRIPT =
  /^(?:(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/(?:javascript1\.[0-5]|jscript|livescript))?$/;

/** How browsers take the text of a script element, or the file that it names. */
export function kindOfScript(
  attributes: Attributes,
): 'script' | 'importmap' | 'speculationrules' | undefined {
  const type = attributes.get('type')?.trim().toLowerCase() ?? '';
  if (type === 'importmap' || type === 'speculationrules') return type;
  if (type === 'module') return 'script';
  // With `nomodule`, it is for browsers without modules.
  return JAVASCRIPT.test(type) && !attributes.has('nomodule') ? 'script' : undefined;
}

/** Adds the addresses that an element names to `found`. */
export function readTag(tag: string, attributes: Attributes, found: Reference[]): void {
  readStyles(attributes, found);
  // Lists of addresses that browsers report a click or a view to.
  for (const name of ['ping', 'attributionsrc']) {
    for (const raw of attributes.get(name)?.match(/\S+/g) ?? []) add(found, raw, 'connect', name);
  }
  if (tag === 'link') readLinkElement(attributes, found);
  else if (tag === 'meta') readMeta(attributes, found);
  // Where a reader goes; every other element that names an address fetches it.
  else if (tag === 'a' || tag === 'area') add(found, hrefOf(attributes), 'link', 'link');
  else readElement(tag, attributes, found);
}

function hrefOf(attributes: Attributes): string | undefined {
  return attributes.get('href') ?? attributes.get('xlink:href');
}

/** Attributes of any element that are a style. */
function readStyles(attributes: Attributes, found: Reference[]): void {
  for (const [name, value] of attributes) {
    if (STYLE_ATTRIBUTES.has(name)) addAll(found, scanCss(value));
  }
}

/** Adds an address if it is a text: an attribute may be missing, a field of JSON be anything. */
function add(found: Reference[], raw: unknown, use: Use, what: string): void {
  if (typeof raw === 'string') found.push({ raw, use, what });
}

/**
 * Adds one by one: as arguments of one call, the references of a large page would overflow the
 * stack.
 */
export function addAll(found: Reference[], more: readonly Reference[]): void {
  for (const reference of more) found.push(reference);
}

function readElement(tag: string, attributes: Attributes, found: Reference[]): void {
  // Browsers do not fetch what they do not run, such as a script that waits for consent.
  if (tag === 'script' && kindOfScript(attributes) !== 'script') return;
  // A button may send the form that it belongs to elsewhere (`formaction`).
  add(found, attributes.get(tag === 'form' ? 'action' : 'formaction'), 'form', 'form');
  add(found, attributes.get('background'), 'load', 'image');
  if (tag === 'html') add(found, attributes.get('manifest'), 'load', 'manifest');
  if (tag === 'object' || tag === 'applet') readPlugin(attributes, found);
  const source = SOURCES.get(tag);
  if (source !== undefined) {
    add(found, attributes.get('src'), 'load', source);
    add(found, attributes.get('poster'), 'load', 'image');
    addSources(found, attributes.get('srcset'), 'image');
  }
  if (!SVG_SOURCES.has(tag)) return;
  add(found, hrefOf(attributes), 'load', tag === 'script' ? 'script' : 'image');
  readAnimation(attributes, found);
}

function addSources(found: Reference[], srcset: string | undefined, what: string): void {
  if (srcset === undefined) return;
  for (const raw of readSrcset(srcset)) add(found, raw, 'load', what);
}

// Old plug-ins. Nothing is fetched from `codebase` itself, but the other addresses are relative to
// it: if it is on another host, so are they.
function readPlugin(attributes: Attributes, found: Reference[]): void {
  for (const name of ['data', 'code', 'classid', 'archive'])
    add(found, attributes.get(name), 'load', 'embedded file');
  add(found, attributes.get('codebase'), 'connect', 'embedded file');
}

/** Adds the addresses that an animation sets an attribute to, or that are in a style it sets. */
function readAnimation(attributes: Attributes, found: Reference[]): void {
  // Most elements animate nothing, and the empty name is none of those below.
  const animated = attributes.get('attributename')?.trim().toLowerCase() ?? '';
  const isAddress = /^(?:xlink:)?href$|^src$/.test(animated);
  if (!isAddress && !STYLE_ATTRIBUTES.has(animated)) return;
  for (const name of ANIMATED) {
    // `values` is a list; the others have one value, without a semicolon.
    for (const value of attributes.get(name)?.split(';') ?? []) {
      if (isAddress) add(found, value, 'load', 'image');
      else addAll(found, scanCss(value));
    }
  }
}

/** Values of `rel` for which browsers fetch what a `link` element names. */
const LOADING_RELATIONS = byName([
  ['style sheet', 'stylesheet'],
  ['icon', 'icon apple-touch-icon apple-touch-icon-precomposed mask-icon'],
  ['image', 'apple-touch-startup-image'],
  ['preloaded file', 'preload'],
  ['module', 'modulepreload'],
  ['prefetched file', 'prefetch'],
  ['prefetched page', 'prerender'],
  ['manifest', 'manifest'],
  ['dictionary', 'compression-dictionary'],
  ['description of a search', 'search'],
]);

const CONNECTING_RELATIONS: readonly string[] = ['preconnect', 'dns-prefetch'];

function readLinkElement(attributes: Attributes, found: Reference[]): void {
  if (attributes.has('disabled')) return;
  addSources(found, attributes.get('imagesrcset'), 'preloaded file');
  const href = attributes.get('href');
  // Without `rel`, the only relation is the empty text, which is in none of the lists.
  const relations = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
  const whatIsLoaded = relations
    .map((relation) => LOADING_RELATIONS.get(relation))
    .find((what) => what !== undefined);
  const connecting = CONNECTING_RELATIONS.find((relation) => relations.includes(relation));
  // The pages before and after this one, which a reader may go to. Other relations do nothing.
  const isNeighbor = relations.includes('next') || relations.includes('prev');
  // Of several relations, the one that does most counts.
  if (whatIsLoaded !== undefined) add(found, href, 'load', whatIsLoaded);
  else if (connecting !== undefined) add(found, href, 'connect', connecting);
  else if (isNeighbor) add(found, href, 'link', 'link');
}

function readMeta(attributes: Attributes, found: Reference[]): void {
  if (attributes.get('http-equiv')?.toLowerCase() !== 'refresh') return;
  add(found, readMetaRefresh(attributes.get('content') ?? ''), 'load', 'refresh');
}

// The tokenizer is a tenth as fast as this test, which most style attributes fail.
// A backslash may write any of these names.
const MAY_FETCH = /\\|url\(|src\(|@import|image(?:-set)?\(/i;
const TAKES_ADDRESS = /^(?:url|src|image|(?:-webkit-)?image-set)$/;

/** Every address that a style sheet, a `style` element or a `style` attribute fetches. */
export function scanCss(css: string): Reference[] {
  const found: Reference[] = [];
  forEachAddress(css, (token, what) => add(found, token[4].value, 'load', what));
  return found;
}

/** Calls `action` for each such address, with its token and with what it is the address of. */
export function forEachAddress(
  css: string,
  action: (token: TokenString | TokenURL, what: string) => void,
): void {
  if (!MAY_FETCH.test(css)) return;
  // Names of the functions that are open; empty for plain brackets.
  const open: string[] = [];
  // The at-rule whose address has not come yet. The address of a name space is never fetched.
  let rule: string | undefined;
  const addAddress = (token: TokenString | TokenURL) => {
    const what = rule === 'import' ? 'imported style sheet' : 'file of a style';
    if (rule !== 'namespace') action(token, what);
    // An at-rule has one address.
    rule = undefined;
  };
  const tokens = tokenizer({ css });
  while (!tokens.endOfFile()) {
    const token = tokens.nextToken();
    switch (token[0]) {
      case TokenType.AtKeyword:
        // No other at-rule begins with an address.
        rule = /^(?:import|namespace)$/.exec(token[4].value.toLowerCase())?.[0];
        break;
      // The end of the at-rule, or the start of its block: it had no address.
      case TokenType.Semicolon:
      case TokenType.OpenCurly:
        rule = undefined;
        break;
      case TokenType.Function:
        open.push(token[4].value.toLowerCase());
        break;
      case TokenType.OpenParen:
        open.push('');
        break;
      case TokenType.CloseParen:
        open.pop();
        break;
      // `url(…)` without quotes is one token.
      case TokenType.URL:
        addAddress(token);
        break;
      case TokenType.String: {
        // In brackets, such as those of `supports(…)`, a text is not the address of the rule.
        const isOfRule = open.length === 0 && rule !== undefined;
        // Empty also if no function is open.
        const caller = open.at(-1) ?? '';
        if (isOfRule || TAKES_ADDRESS.test(caller)) addAddress(token);
        break;
      }
    }
  }
}

/**
 * The addresses of an import map: what each name is mapped to, in all scopes. A name that ends with
 * a slash is mapped to a folder, from which nothing is loaded as it is. None if it is not JSON.
 */
export function scanImportMap(text: string): Reference[] {
  const map = fieldsOf(parseJson(text));
  const found: Reference[] = [];
  for (const names of [map.imports, ...Object.values(fieldsOf(map.scopes))]) {
    for (const [name, address] of Object.entries(fieldsOf(names)))
      add(found, address, name.endsWith('/') ? 'connect' : 'load', 'module of the import map');
  }
  return found;
}

/**
 * The addresses that speculation rules fetch ahead of time. Rules about the links of the page have
 * none.
 */
export function scanSpeculationRules(text: string): Reference[] {
  const rules = fieldsOf(parseJson(text));
  const found: Reference[] = [];
  for (const kind of ['prefetch', 'prerender', 'prefetch_with_subresources']) {
    for (const rule of entriesOf(rules[kind])) {
      for (const url of entriesOf(fieldsOf(rule).urls))
        add(found, url, 'load', 'page of the speculation rules');
    }
  }
  return found;
}

function entriesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return [];
}

/** The addresses in a web app manifest: icons, also of its shortcuts, screenshots, start page. */
export function scanWebManifest(text: string): Reference[] {
  const manifest = fieldsOf(parseJson(text));
  const found: Reference[] = [];
  const shortcutIcons = entriesOf(manifest.shortcuts).map((shortcut) => fieldsOf(shortcut).icons);
  for (const images of [manifest.icons, manifest.screenshots, ...shortcutIcons]) {
    for (const image of entriesOf(images)) add(found, fieldsOf(image).src, 'load', 'icon');
  }
  add(found, manifest.start_url, 'link', 'start page');
  return found;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value));
}
