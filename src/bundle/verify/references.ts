import { TokenType, tokenizer } from '@csstools/css-tokenizer';
import { parseSrcset } from 'srcset';
import { parseJson } from '../../text/json.ts';

/**
 * What a file does with an address: `link` waits for a reader, `load` is fetched automatically,
 * `connect` opens a connection ahead of time or reports to it, `form` sends what a reader typed.
 * `unread`: what it does is not known, since it contains pages that are nested too deep to be read.
 */
type Use = 'link' | 'load' | 'connect' | 'form' | 'unread';

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

// Where a reader goes; every other element that names an address fetches it.
const LINK_TAGS: readonly string[] = ['a', 'area'];
/** Elements that fetch their `src`. */
const SOURCES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    script: 'script',
    img: 'image',
    image: 'image',
    iframe: 'frame',
    frame: 'frame',
    fencedframe: 'frame',
    portal: 'frame',
    embed: 'embedded file',
    audio: 'media file',
    video: 'media file',
    bgsound: 'media file',
    source: 'media file',
    track: 'media file',
    input: 'image',
    mglyph: 'image',
    model: 'embedded file',
  }),
);

/** Elements of SVG that fetch their `href`; some of them in some browsers only. */
const SVG_SOURCES: ReadonlySet<string> = new Set(
  `script image use feimage pattern filter lineargradient radialgradient textpath mpath tref cursor font-face-uri
   color-profile animate animatemotion animatetransform set`.split(/\s+/),
);

/** Attributes of SVG that are written as the properties of CSS are. */
const STYLE_ATTRIBUTES: readonly string[] =
  'style fill stroke filter clip-path mask marker marker-start marker-mid marker-end cursor'.split(
    ' ',
  );

/** What animations of SVG set an attribute to. */
const ANIMATED: readonly string[] = ['from', 'to', 'by', 'values'];

/** The attributes that `readTag` reads, besides the handlers of events. */
export const REFERENCE_ATTRIBUTES: readonly string[] = [
  ...`href xlink:href src srcset imagesrcset poster data classid codebase archive code action formaction background content
   rel manifest http-equiv ping attributionsrc attributename`.split(/\s+/),
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

/** Adds the addresses that an element names to `found`. */
export function readTag(tag: string, attributes: Attributes, found: Reference[]): void {
  readScriptsAndStyles(attributes, found);
  // Lists of addresses that browsers report a click or a view to.
  for (const name of ['ping', 'attributionsrc']) {
    for (const raw of attributes.get(name)?.match(/\S+/g) ?? []) add(found, raw, 'connect', name);
  }
  if (tag === 'link') readLinkElement(attributes, found);
  else if (tag === 'meta') readMeta(attributes, found);
  else if (LINK_TAGS.includes(tag)) add(found, hrefOf(attributes), 'link', 'link');
  else readElement(tag, attributes, found);
}

function hrefOf(attributes: Attributes): string | undefined {
  return attributes.get('href') ?? attributes.get('xlink:href');
}

/** Attributes of any element that are a script or a style. */
function readScriptsAndStyles(attributes: Attributes, found: Reference[]): void {
  for (const [name, value] of attributes) {
    // `onload` runs at once; every other handler waits for something that a reader does.
    if (isHandler(name)) addAll(found, scanScript(value, { runsOnEvent: name !== 'onload' }));
    if (STYLE_ATTRIBUTES.includes(name)) addAll(found, scanCss(value));
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
  if (!isAddress && !STYLE_ATTRIBUTES.includes(animated)) return;
  for (const name of ANIMATED) {
    // `values` is a list; the others have one value, without a semicolon.
    for (const value of attributes.get(name)?.split(';') ?? []) {
      if (isAddress) add(found, value, 'load', 'image');
      else addAll(found, scanCss(value));
    }
  }
}

/** Values of `rel` for which browsers fetch what a `link` element names. */
const LOADING_RELATIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    stylesheet: 'style sheet',
    icon: 'icon',
    'apple-touch-icon': 'icon',
    'mask-icon': 'icon',
    preload: 'preloaded file',
    modulepreload: 'module',
    prefetch: 'prefetched file',
    prerender: 'prefetched page',
    manifest: 'manifest',
    'apple-touch-startup-image': 'image',
    'apple-touch-icon-precomposed': 'icon',
    'fluid-icon': 'icon',
    'compression-dictionary': 'dictionary',
    search: 'description of a search',
    subresource: 'preloaded file',
    import: 'imported page',
    monetization: 'payment address',
  }),
);

const CONNECTING_RELATIONS: readonly string[] = ['preconnect', 'dns-prefetch'];

function readLinkElement(attributes: Attributes, found: Reference[]): void {
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
  if (!MAY_FETCH.test(css)) return [];
  const found: Reference[] = [];
  // Names of the functions that are open; empty for plain brackets.
  const open: string[] = [];
  // The at-rule whose address has not come yet. The address of a name space is never fetched.
  let rule: string | undefined;
  const addAddress = (raw: string) => {
    const what = rule === 'import' ? 'imported style sheet' : 'file of a style';
    if (rule !== 'namespace') add(found, raw, 'load', what);
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
        addAddress(token[4].value);
        break;
      case TokenType.String: {
        // In brackets, such as those of `supports(…)`, a text is not the address of the rule.
        const isOfRule = open.length === 0 && rule !== undefined;
        // Empty also if no function is open.
        const caller = open.at(-1) ?? '';
        if (isOfRule || TAKES_ADDRESS.test(caller)) addAddress(token[4].value);
        break;
      }
    }
  }
  return found;
}

// Code in front of a text that shows that the script fetches the address in the text.
const CALLS =
  /(?:\b(?:fetch|import|importScripts|require)\s*\(|\bimport(?:\s|[\w${},*\s]*\bfrom\b|)\s*|\bexport\s*(?:\*|\{[\w$,\s]*\})[\w$\s]*from\s*|\bnew\s+(?:WebSocket|EventSource|Worker|SharedWorker|Request)\s*\(|\.open\s*\(\s*["'`][A-Za-z]+["'`]\s*,|\.sendBeacon\s*\(|\.register\s*\(|\.(?:src|href)\s*=)\s*$/;
/** Code that sends a reader to an address, once an event calls the function that contains it. */
const NAVIGATION = /\blocation\s*\.href\s*=\s*$/;
const FUNCTION = /=>|\bfunction\b/;
const ADDRESS = /^(?:https?:|wss?:|file:)?\/\//i;
const LOCAL_MODULE = /^\.{0,2}\//;
const MODULE_CALLS = /(?:\bimport\s*\(|\bimport(?:\s|[\w${},*\s]*\bfrom\b|)\s*|\bfrom\s*)\s*$/;
// How far in front of a text its call is looked for, and how much of a text is read.
const LOOK_BACK = 120;
const LONGEST_ADDRESS = 2000;
const LONGEST_REGEXP = 4000;
// Enough for the longest of the words below, with some spaces.
const BEFORE_REGEXP_CHARS = 12;
// A slash after one of these begins a regular expression; after anything else it divides.
const BEFORE_REGEXP = /(?:[=([{,;:!&|?+\-*%<>~^]|\b(?:return|typeof|case|in|of|void|delete))\s*$/;

/**
 * Addresses that a script fetches, as far as they can be seen: texts written where a call takes
 * them. Texts inside other texts (a code sample in a search index) are passed over. What a script
 * builds at run time cannot be seen.
 *
 * Our own, since requests matter as much as imports: es-module-lexer 3.0.5 finds imports only, and
 * stops at the first syntax error. Of 5 MB of script it takes 190 ms for the imports, this takes
 * 250 ms for both.
 *
 * `runsOnEvent`: the script runs only when a reader does something; without it, this is so for the
 * code in its functions.
 */
export function scanScript(code: string, { runsOnEvent = false } = {}): Reference[] {
  // Most scripts have neither an address nor an import, and need not be read.
  if (!code.includes('//') && !/\bimport\b/.test(code)) return [];
  const found: Reference[] = [];
  // Code from the first function on may wait for an event; a script without a function does not.
  const firstFunctionAt = FUNCTION.exec(code)?.index ?? Infinity;
  const onEventFrom = runsOnEvent ? 0 : firstFunctionAt;
  const special = /["'`/]/g;
  for (let match = special.exec(code); match !== null; match = special.exec(code)) {
    const at = match.index;
    if (match[0] === '/') special.lastIndex = skipSlash(code, at);
    else {
      const end = skipText(code, at);
      const mayWait = at >= onEventFrom;
      readText(code, at, end, mayWait, found);
      special.lastIndex = end;
    }
  }
  return found;
}

/**
 * Adds the text between two quotation marks if it is an address that the script fetches. `mayWait`:
 * the code around it may run only when a reader does something.
 */
function readText(
  code: string,
  at: number,
  end: number,
  mayWait: boolean,
  found: Reference[],
): void {
  // Without its quotation marks.
  const text = code.slice(at + 1, Math.min(end - 1, at + LONGEST_ADDRESS));
  const namesHost = ADDRESS.test(text);
  if (!namesHost && !LOCAL_MODULE.test(text)) return;
  const before = code.slice(Math.max(0, at - LOOK_BACK), at);
  // Like a link: a reader chooses to go there, and nothing is fetched automatically.
  if (mayWait && NAVIGATION.test(before)) return;
  const isModule = MODULE_CALLS.test(before);
  // A request to the site's own host may be answered by a server: no file need be there.
  const isFetched = isModule || (namesHost && CALLS.test(before));
  if (!isFetched) return;
  // Of a template, only the part before the first `${` is known: enough for the host of an address,
  // not for the path of a module.
  const raw = text.split('${')[0];
  const isWholeText = raw === text;
  if (namesHost || isWholeText)
    add(found, raw, 'load', isModule ? 'module' : 'request of a script');
}

/**
 * Where the text that begins at `at` ends: after its closing quote, or at the line's end for a
 * broken one.
 */
function skipText(code: string, at: number): number {
  const quote = code[at];
  for (let index = at + 1; index < code.length; index += 1) {
    const char = code[index];
    // The character after a backslash ends nothing.
    if (char === '\\') index += 1;
    else if (char === quote) return index + 1;
    else if (char === '\n' && quote !== '`') return index;
  }
  return code.length;
}

/**
 * Where to read on after a slash: behind the comment or the regular expression that it begins, in
 * which a quotation mark begins no text, else right after it.
 */
function skipSlash(code: string, at: number): number {
  const next = code[at + 1];
  if (next === '/') return indexOrEnd(code, '\n', at);
  if (next === '*') return indexOrEnd(code, '*/', at + 2) + '*/'.length;
  const before = code.slice(Math.max(0, at - BEFORE_REGEXP_CHARS), at);
  const isAtStart = before.trim() === '';
  if (isAtStart || BEFORE_REGEXP.test(before)) return skipRegexp(code, at);
  // A division.
  return at + 1;
}

function indexOrEnd(code: string, mark: string, from: number): number {
  const at = code.indexOf(mark, from);
  if (at === -1) return code.length;
  return at;
}

/** Where a regular expression ends; after its slash if it has no end, since it is none then. */
function skipRegexp(code: string, at: number): number {
  // In a class such as `[/]`, a slash is a character.
  let inClass = false;
  // A longer one is not recognized: looking for its end again and again would take too long.
  const limit = Math.min(code.length, at + LONGEST_REGEXP);
  for (let index = at + 1; index < limit; index += 1) {
    const char = code[index];
    if (char === '\\') index += 1;
    else if (char === '\n') return at + 1;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) return index + 1;
  }
  return at + 1;
}

/**
 * The addresses of an import map: what each name is mapped to, in all scopes. None if it is not
 * JSON.
 */
export function scanImportMap(text: string): Reference[] {
  const map = fieldsOf(parseJson(text));
  const found: Reference[] = [];
  for (const names of [map.imports, ...Object.values(fieldsOf(map.scopes))]) {
    for (const address of Object.values(fieldsOf(names)))
      add(found, address, 'load', 'module of the import map');
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
