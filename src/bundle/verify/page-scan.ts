import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { scanCss } from './css-scan.ts';
import { type Reference, readRefresh, readSrcset, type Use } from './reference.ts';
import { scanImportMap, scanScript } from './script-scan.ts';

interface PageScan {
  /** `href` of the first `<base>`. */
  readonly base: string | undefined;
  readonly references: readonly Reference[];
  /** What a fragment can point to. */
  readonly ids: readonly string[];
}

// Only these are read; the values of all others are not even copied.
const READ_ATTRIBUTES: ReadonlySet<string> = new Set([
  'href',
  'xlink:href',
  'src',
  'srcset',
  'imagesrcset',
  'poster',
  'data',
  'action',
  'formaction',
  'background',
  'content',
  'style',
  'rel',
  'id',
  'name',
  'type',
  'manifest',
  'http-equiv',
]);

type Attributes = Map<string, string>;

const SCANS = { script: scanScript, style: scanCss, importmap: scanImportMap } as const;
type Embedded = keyof typeof SCANS;

/** Reads one page from start to end with htmlparser2's tokenizer, without building a tree. */
export function scanPage(text: string, isXml: boolean): PageScan {
  const scanner = new PageScanner(text);
  const tokenizer = new Tokenizer({ xmlMode: isXml, decodeEntities: true }, scanner);
  tokenizer.write(text);
  tokenizer.end();
  return scanner;
}

class PageScanner implements PageScan, TokenizerCallbacks {
  readonly references: Reference[] = [];
  readonly ids: string[] = [];
  base: string | undefined;
  readonly #text: string;
  readonly #attributes: Attributes = new Map();
  #tag = '';
  #name = '';
  #value = '';
  #isRead = false;
  /** A script or style element, until it ends. */
  #inside: { readonly kind: Embedded; text: string } | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#text.slice(start, end).toLowerCase();
  }

  onattribname(start: number, end: number): void {
    // `class` is the most frequent of all, and as long as `style`: recognized without a copy.
    const isClass = end - start === 5 && this.#text.charCodeAt(start) === 0x63;
    this.#name = isClass ? '' : this.#text.slice(start, end).toLowerCase();
    this.#isRead = !isClass && READ_ATTRIBUTES.has(this.#name);
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    if (!this.#isRead) return;
    const piece = this.#text.slice(start, end);
    this.#value = this.#value === '' ? piece : this.#value + piece;
  }

  onattribentity(codepoint: number): void {
    if (this.#isRead) this.#value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    // Of an attribute that is given twice, the first one counts.
    if (this.#isRead && !this.#attributes.has(this.#name)) this.#attributes.set(this.#name, this.#value);
  }

  onopentagend(): void {
    this.#endTag();
  }

  onselfclosingtag(): void {
    this.#endTag();
  }

  ontext(start: number, end: number): void {
    if (this.#inside !== undefined) this.#inside.text += this.#text.slice(start, end);
  }

  ontextentity(codepoint: number): void {
    if (this.#inside !== undefined) this.#inside.text += String.fromCodePoint(codepoint);
  }

  oncdata(start: number, end: number): void {
    this.ontext(start, end);
  }

  onclosetag(): void {
    this.#closeInside();
  }

  onend(): void {
    this.#closeInside();
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  #endTag(): void {
    const tag = this.#tag;
    const attributes = this.#attributes;
    if (attributes.size > 0) {
      const id = attributes.get('id') ?? (tag === 'a' ? attributes.get('name') : undefined);
      if (id !== undefined) this.ids.push(id);
      if (tag === 'base') this.base ??= attributes.get('href');
      else readTag(tag, attributes, this.references);
    }
    const kind = embeddedKind(tag, attributes);
    this.#inside = kind && { kind, text: '' };
    if (attributes.size > 0) attributes.clear();
  }

  #closeInside(): void {
    if (this.#inside === undefined) return;
    const { kind, text } = this.#inside;
    this.#inside = undefined;
    // One by one: as arguments of one call, a page full of them would overflow the stack.
    for (const reference of SCANS[kind](text)) this.references.push(reference);
  }
}

function embeddedKind(tag: string, attributes: Attributes): Embedded | undefined {
  if (tag === 'style') return 'style';
  if (tag !== 'script') return undefined;
  const type = attributes.get('type')?.trim().toLowerCase() ?? '';
  if (type === 'importmap') return 'importmap';
  const isCode = type === '' || type === 'module' || /^(text|application)\/(x-)?(java|ecma)script/.test(type);
  return isCode && !attributes.has('src') ? 'script' : undefined;
}

// Where a reader goes; every other element that names an address fetches it.
const LINK_TAGS: ReadonlySet<string> = new Set(['a', 'area']);
const SOURCES: Readonly<Record<string, string>> = {
  script: 'script',
  img: 'image',
  iframe: 'frame',
  frame: 'frame',
  embed: 'embedded file',
  audio: 'media file',
  video: 'media file',
  source: 'media file',
  track: 'media file',
  input: 'image',
  image: 'image',
  use: 'image',
  feimage: 'image',
  object: 'embedded file',
};

function readTag(tag: string, attributes: Attributes, found: Reference[]): void {
  const style = attributes.get('style');
  if (style !== undefined) for (const reference of scanCss(style)) found.push(reference);
  const href = attributes.get('href') ?? attributes.get('xlink:href');
  if (tag === 'link') readLink(attributes, found);
  else if (tag === 'meta') readMeta(attributes, found);
  else if (LINK_TAGS.has(tag)) add(found, href, { use: 'link', what: 'link' });
  else readElement(tag, attributes, found);
}

function add(found: Reference[], raw: string | undefined, as: { readonly use: Use; readonly what: string }): void {
  if (raw !== undefined) found.push({ raw, ...as });
}

function readElement(tag: string, attributes: Attributes, found: Reference[]): void {
  const image = { use: 'load', what: 'image' } as const;
  const form = { use: 'form', what: 'form' } as const;
  add(found, attributes.get(tag === 'form' ? 'action' : 'formaction'), form);
  if (tag === 'body' || tag === 'table' || tag === 'td') add(found, attributes.get('background'), image);
  if (tag === 'html') add(found, attributes.get('manifest'), { use: 'load', what: 'manifest' });
  const what = SOURCES[tag];
  if (what === undefined) return;
  const href = attributes.get('href') ?? attributes.get('xlink:href');
  add(found, attributes.get('src') ?? href, { use: 'load', what });
  add(found, attributes.get('poster'), image);
  if (tag === 'object') add(found, attributes.get('data'), { use: 'load', what });
  for (const raw of readSrcset(attributes.get('srcset') ?? '')) add(found, raw, image);
}

const LOADING_RELATIONS: Readonly<Record<string, string>> = {
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
};

function readLink(attributes: Attributes, found: Reference[]): void {
  const relations = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
  const raw = attributes.get('href');
  for (const address of readSrcset(attributes.get('imagesrcset') ?? ''))
    found.push({ raw: address, use: 'load', what: 'preloaded file' });
  if (raw === undefined) return;
  const loading = relations.map((relation) => LOADING_RELATIONS[relation]).find((what) => what !== undefined);
  if (loading !== undefined) found.push({ raw, use: 'load', what: loading });
  else if (relations.includes('preconnect') || relations.includes('dns-prefetch')) {
    found.push({ raw, use: 'connect', what: relations.includes('preconnect') ? 'preconnect' : 'dns-prefetch' });
  } else if (relations.includes('next') || relations.includes('prev')) found.push({ raw, use: 'link', what: 'link' });
}

function readMeta(attributes: Attributes, found: Reference[]): void {
  if (attributes.get('http-equiv')?.toLowerCase() !== 'refresh') return;
  const raw = readRefresh(attributes.get('content') ?? '');
  if (raw !== undefined && raw !== '') found.push({ raw, use: 'load', what: 'refresh' });
}
