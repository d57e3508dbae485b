import type { TokenizerCallbacks } from 'htmlparser2';
import { scanCss } from './css-scan.ts';
import { type Reference, readRefresh, readSrcset, type Use } from './reference.ts';
import { scanImportMap, scanScript } from './script-scan.ts';

export interface PageScan {
  /** `href` of the first `<base>`. */
  readonly base: string | undefined;
  readonly references: readonly Reference[];
  /** What a fragment can point to. */
  readonly ids: readonly string[];
}

export type TokenizerClass = typeof import('htmlparser2').Tokenizer;

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

/** Reads one page with htmlparser2's tokenizer, from start to end and without a tree. */
export function scanPage(
  Tokenizer: TokenizerClass,
  page: { readonly text: string; readonly isXml: boolean },
): PageScan {
  const { text, isXml } = page;
  const references: Reference[] = [];
  const ids: string[] = [];
  let base: string | undefined;
  let tag = '';
  let name = '';
  let value = '';
  let isRead = false;
  const attributes: Attributes = new Map();
  // Text of a script or style element, until it ends.
  let inside: { readonly kind: 'script' | 'style' | 'importmap'; text: string } | undefined;

  function endTag(): void {
    if (attributes.size > 0) {
      const id = attributes.get('id') ?? (tag === 'a' ? attributes.get('name') : undefined);
      if (id !== undefined) ids.push(id);
      if (tag === 'base') base ??= attributes.get('href');
      else readTag(tag, attributes, references);
    }
    inside = startInside(tag, attributes);
    if (attributes.size > 0) attributes.clear();
  }

  function closeInside(): void {
    if (inside === undefined) return;
    const { kind, text: content } = inside;
    inside = undefined;
    // One by one: as arguments of one call, a page full of them would overflow the stack.
    for (const reference of SCANS[kind](content)) references.push(reference);
  }

  const nothing = () => {};
  const callbacks: TokenizerCallbacks = {
    onopentagname(start, end) {
      tag = text.slice(start, end).toLowerCase();
    },
    onattribname(start, end) {
      // `class` is the most frequent of all, and as long as `style`: told apart without a copy.
      const isClass = end - start === 5 && text.charCodeAt(start) === 0x63;
      name = isClass ? '' : text.slice(start, end).toLowerCase();
      isRead = !isClass && READ_ATTRIBUTES.has(name);
      value = '';
    },
    onattribdata(start, end) {
      if (isRead) value = value === '' ? text.slice(start, end) : value + text.slice(start, end);
    },
    onattribentity(codepoint) {
      if (isRead) value += String.fromCodePoint(codepoint);
    },
    onattribend() {
      // Of an attribute that stands twice, the first one counts.
      if (isRead && !attributes.has(name)) attributes.set(name, value);
    },
    onopentagend: endTag,
    onselfclosingtag: endTag,
    ontext(start, end) {
      if (inside !== undefined) inside.text += text.slice(start, end);
    },
    ontextentity(codepoint) {
      if (inside !== undefined) inside.text += String.fromCodePoint(codepoint);
    },
    oncdata(start, end) {
      if (inside !== undefined) inside.text += text.slice(start, end);
    },
    onclosetag: closeInside,
    onend: closeInside,
    oncomment: nothing,
    ondeclaration: nothing,
    onprocessinginstruction: nothing,
  };
  const tokenizer = new Tokenizer({ xmlMode: isXml, decodeEntities: true }, callbacks);
  tokenizer.write(text);
  tokenizer.end();
  return { base, references, ids };
}

function startInside(
  tag: string,
  attributes: Attributes,
): { kind: 'script' | 'style' | 'importmap'; text: string } | undefined {
  if (tag === 'style') return { kind: 'style', text: '' };
  if (tag !== 'script') return undefined;
  const type = attributes.get('type')?.trim().toLowerCase() ?? '';
  if (type === 'importmap') return { kind: 'importmap', text: '' };
  const isCode = type === '' || type === 'module' || /^(text|application)\/(x-)?(java|ecma)script/.test(type);
  return isCode && !attributes.has('src') ? { kind: 'script', text: '' } : undefined;
}

const LINK_TAGS: ReadonlySet<string> = new Set(['a', 'area']);
// Where a reader goes; everything else that names an address fetches it.
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
