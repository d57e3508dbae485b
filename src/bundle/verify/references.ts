import { TokenType, tokenizer } from '@csstools/css-tokenizer';
import { parseSrcset } from 'srcset';
import { parseJson } from '../../text/json.ts';

/**
 * What a file does with an address: `link` waits for a reader, `load` is fetched automatically,
 * `connect` opens a connection ahead of time or reports to it, `form` sends what a reader typed.
 * `unread`: what it does is not known.
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
  const match = /^[\d.]*(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(\S[\s\S]*))/i.exec(
    content.trim(),
  );
  return (match?.[1] ?? match?.[2] ?? match?.[3])?.trim();
}

/** Names in lower case to values, entities decoded. */
export type Attributes = ReadonlyMap<string, string>;

// Where a reader goes; every other element that names an address fetches it.
const LINK_TAGS: ReadonlySet<string> = new Set(['a', 'area']);
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
const SVG_SOURCES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    script: 'script',
    ...Object.fromEntries(
      `image use feimage pattern filter lineargradient radialgradient textpath mpath tref cursor font-face-uri color-profile
     animate animatemotion animatetransform set`
        .split(/\s+/)
        .map((tag) => [tag, 'image']),
    ),
  }),
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

/** The addresses that an element names. */
export function readTag(tag: string, attributes: Attributes, found: Reference[]): void {
  readScriptsAndStyles(attributes, found);
  for (const name of ['ping', 'attributionsrc']) {
    for (const raw of wordsOf(attributes.get(name)))
      found.push({ raw, use: 'connect', what: name });
  }
  const href = attributes.get('href') ?? attributes.get('xlink:href');
  if (tag === 'link') readLinkElement(attributes, found);
  else if (tag === 'meta') readMeta(attributes, found);
  else if (LINK_TAGS.has(tag)) add(found, href, { use: 'link', what: 'link' });
  else readElement(tag, attributes, found);
}

/** Attributes of any element that are a script or a style. */
function readScriptsAndStyles(attributes: Attributes, found: Reference[]): void {
  for (const [name, value] of attributes) {
    if (isHandler(name))
      for (const reference of scanScript(value, name !== 'onload')) found.push(reference);
    if (STYLE_ATTRIBUTES.includes(name))
      for (const reference of scanCss(value)) found.push(reference);
  }
}

function wordsOf(text: string | undefined): readonly string[] {
  return text?.match(/\S+/g) ?? [];
}

function add(
  found: Reference[],
  raw: string | undefined,
  as: { readonly use: Use; readonly what: string },
): void {
  if (raw !== undefined) found.push({ raw, ...as });
}

function readElement(tag: string, attributes: Attributes, found: Reference[]): void {
  const image = { use: 'load', what: 'image' } as const;
  const form = { use: 'form', what: 'form' } as const;
  add(found, attributes.get(tag === 'form' ? 'action' : 'formaction'), form);
  add(found, attributes.get('background'), image);
  if (tag === 'html') add(found, attributes.get('manifest'), { use: 'load', what: 'manifest' });
  if (tag === 'object' || tag === 'applet') readPlugin(attributes, found);
  const source = SOURCES.get(tag);
  if (source !== undefined) {
    add(found, attributes.get('src'), { use: 'load', what: source });
    add(found, attributes.get('poster'), image);
    for (const raw of readSrcset(attributes.get('srcset') ?? '')) add(found, raw, image);
  }
  const svgSource = SVG_SOURCES.get(tag);
  if (svgSource === undefined) return;
  add(found, attributes.get('href') ?? attributes.get('xlink:href'), {
    use: 'load',
    what: svgSource,
  });
  readAnimation(attributes, found);
}

// Of the old ones, `codebase` is what the others are relative to: from another host, all of them
// are.
function readPlugin(attributes: Attributes, found: Reference[]): void {
  const plugin = { use: 'load', what: 'embedded file' } as const;
  for (const name of ['data', 'code', 'classid', 'archive'])
    add(found, attributes.get(name), plugin);
  add(found, attributes.get('codebase'), { use: 'connect', what: 'embedded file' });
}

/** Animations of an address or of a style. */
function readAnimation(attributes: Attributes, found: Reference[]): void {
  const animated = attributes.get('attributename')?.trim().toLowerCase() ?? '';
  for (const value of ANIMATED.flatMap((name) => attributes.get(name)?.split(';') ?? [])) {
    if (/^(?:xlink:)?href$|^src$/.test(animated))
      found.push({ raw: value, use: 'load', what: 'image' });
    else if (STYLE_ATTRIBUTES.includes(animated))
      for (const reference of scanCss(value)) found.push(reference);
  }
}

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

function readLinkElement(attributes: Attributes, found: Reference[]): void {
  const relations = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
  const raw = attributes.get('href');
  for (const address of readSrcset(attributes.get('imagesrcset') ?? ''))
    found.push({ raw: address, use: 'load', what: 'preloaded file' });
  if (raw === undefined) return;
  const loading = relations
    .map((relation) => LOADING_RELATIONS.get(relation))
    .find((what) => what !== undefined);
  if (loading !== undefined) found.push({ raw, use: 'load', what: loading });
  else if (relations.includes('preconnect') || relations.includes('dns-prefetch')) {
    found.push({
      raw,
      use: 'connect',
      what: relations.includes('preconnect') ? 'preconnect' : 'dns-prefetch',
    });
  } else if (relations.includes('next') || relations.includes('prev'))
    found.push({ raw, use: 'link', what: 'link' });
}

function readMeta(attributes: Attributes, found: Reference[]): void {
  if (attributes.get('http-equiv')?.toLowerCase() !== 'refresh') return;
  const raw = readMetaRefresh(attributes.get('content') ?? '');
  if (raw !== undefined && raw !== '') found.push({ raw, use: 'load', what: 'refresh' });
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
  // Until the rule's address has come. A name space is a name that is not fetched.
  let rule: string | undefined;
  const take = (raw: string) => {
    if (rule !== 'namespace') {
      found.push({
        raw,
        use: 'load',
        what: rule === undefined ? 'file of a style' : 'imported style sheet',
      });
    }
    rule = undefined;
  };
  const tokens = tokenizer({ css });
  while (!tokens.endOfFile()) {
    const token = tokens.nextToken();
    const within = open.at(-1);
    switch (token[0]) {
      case TokenType.AtKeyword:
        rule = /^(?:import|namespace)$/.exec(token[4].value.toLowerCase())?.[0];
        break;
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
      case TokenType.URL:
        take(token[4].value);
        break;
      case TokenType.String:
        if (within === undefined ? rule !== undefined : TAKES_ADDRESS.test(within))
          take(token[4].value);
        break;
    }
  }
  return found;
}

// What precedes a text that is an address, when the script fetches it.
const CALLS =
  /(?:\b(?:fetch|import|importScripts|require)\s*\(|\bimport(?:\s|[\w${},*\s]*\bfrom\b|)\s*|\bexport\s*(?:\*|\{[\w$,\s]*\})[\w$\s]*from\s*|\bnew\s+(?:WebSocket|EventSource|Worker|SharedWorker|Request)\s*\(|\.open\s*\(\s*["'`][A-Za-z]+["'`]\s*,|\.sendBeacon\s*\(|\.register\s*\(|\.(?:src|href)\s*=)\s*$/;
/**
 * Where a reader goes, and not the page automatically, once an event calls the function that has
 * it.
 */
const NAVIGATION = /\blocation\s*\.href\s*=\s*$/;
const FUNCTION = /=>|\bfunction\b/;
const ADDRESS = /^(?:https?:|wss?:|file:)?\/\//i;
const LOCAL_MODULE = /^\.{0,2}\//;
const MODULE_CALLS = /(?:\bimport\s*\(|\bimport(?:\s|[\w${},*\s]*\bfrom\b|)\s*|\bfrom\s*)\s*$/;
const LOOK_BACK = 120;
const LONGEST_REGEXP = 4000;
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
 * `isAwaited`: it runs when a reader does something.
 */
export function scanScript(code: string, isAwaited = false): Reference[] {
  if (!code.includes('//') && !/\bimport\b/.test(code)) return [];
  const found: Reference[] = [];
  const awaitedFrom = isAwaited ? 0 : FUNCTION.exec(code)?.index;
  const special = /["'`/]/g;
  for (let match = special.exec(code); match !== null; match = special.exec(code)) {
    const at = match.index;
    const end = match[0] === '/' ? skipSlash(code, at) : skipText(code, at);
    if (match[0] !== '/')
      collect(code, { at, end, isAwaited: at >= (awaitedFrom ?? Infinity) }, found);
    special.lastIndex = end;
  }
  return found;
}

interface Quoted {
  readonly at: number;
  readonly end: number;
  readonly isAwaited: boolean;
}

function collect(code: string, { at, end, isAwaited }: Quoted, found: Reference[]): void {
  const text = code.slice(at + 1, Math.min(end - 1, at + 2000));
  const isAddress = ADDRESS.test(text);
  if (!isAddress && !LOCAL_MODULE.test(text)) return;
  const before = code.slice(Math.max(0, at - LOOK_BACK), at);
  if (isAwaited && NAVIGATION.test(before)) return;
  const isModule = MODULE_CALLS.test(before);
  if (!isModule && !(isAddress && CALLS.test(before))) return;
  // A template with a gap in it is an address only up to there: enough to see the host, not the
  // file.
  const raw = text.split('${')[0] ?? '';
  if (isAddress || raw === text)
    found.push({ raw, use: 'load', what: isModule ? 'module' : 'request of a script' });
}

/**
 * Where the text that begins at `at` ends: after its closing quote, or at the line's end for a
 * broken one.
 */
function skipText(code: string, at: number): number {
  const quote = code[at];
  for (let index = at + 1; index < code.length; index += 1) {
    const char = code[index];
    if (char === '\\') index += 1;
    else if (char === quote) return index + 1;
    else if (char === '\n' && quote !== '`') return index;
  }
  return code.length;
}

function skipSlash(code: string, at: number): number {
  const next = code[at + 1];
  if (next === '/') return endOr(code.indexOf('\n', at), code);
  if (next === '*') return endOr(code.indexOf('*/', at + 2), code) + 2;
  const before = code.slice(Math.max(0, at - 12), at);
  const isRegexp = before.trim() === '' || BEFORE_REGEXP.test(before);
  return isRegexp ? skipRegexp(code, at) : at + 1;
}

function endOr(index: number, code: string): number {
  return index === -1 ? code.length : index;
}

function skipRegexp(code: string, at: number): number {
  let inClass = false;
  // One that is longer does not count: looking for its end again and again would take too long.
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

/** The addresses of an import map: what each name is mapped to, in all scopes. Not JSON: none. */
export function scanImportMap(text: string): Reference[] {
  const map: unknown = parseJson(text);
  const scopes = Object.values(fieldsOf(fieldsOf(map).scopes));
  return [fieldsOf(map).imports, ...scopes]
    .flatMap((names) => Object.values(fieldsOf(names)))
    .filter((address) => typeof address === 'string')
    .map((raw) => ({ raw, use: 'load', what: 'module of the import map' }));
}

/**
 * The addresses that speculation rules fetch ahead of time. Rules about the links of the page have
 * none.
 */
export function scanSpeculationRules(text: string): Reference[] {
  const rules = fieldsOf(parseJson(text));
  return ['prefetch', 'prerender', 'prefetch_with_subresources']
    .flatMap((field) => entriesOf(rules[field]).flatMap((rule) => entriesOf(fieldsOf(rule).urls)))
    .filter((raw) => typeof raw === 'string')
    .map((raw) => ({ raw, use: 'load', what: 'page of the speculation rules' }));
}

function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The addresses in a web app manifest: icons, screenshots and the start page. */
export function scanWebManifest(text: string): Reference[] {
  const manifest = fieldsOf(parseJson(text));
  const lists = [
    manifest.icons,
    manifest.screenshots,
    ...entriesOf(manifest.shortcuts).map((one) => fieldsOf(one).icons),
  ];
  const images = lists.flatMap((list) => entriesOf(list).map((entry) => fieldsOf(entry).src));
  const start = typeof manifest.start_url === 'string' ? [manifest.start_url] : [];
  return [
    ...images
      .filter((raw) => typeof raw === 'string')
      .map((raw) => ({ raw, use: 'load', what: 'icon' }) as const),
    ...start.map((raw) => ({ raw, use: 'link', what: 'start page' }) as const),
  ];
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}
