import { scanCss } from './css-scan.ts';
import { type Reference, readRefresh, readSrcset, type Use } from './reference.ts';

/** Names in lower case to values, entities decoded. */
export type Attributes = ReadonlyMap<string, string>;

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

/** The addresses that an element names. */
export function readTag(tag: string, attributes: Attributes, found: Reference[]): void {
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
