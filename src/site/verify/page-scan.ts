import { Buffer } from 'node:buffer';
import { unescape as decodePercent } from 'node:querystring';
import { decodeHTML, decodeHTMLAttribute, decodeXML } from 'entities/decode';
import type { TokenizerCallbacks } from 'htmlparser2';
import { Pieces } from '../../ground/text/pieces.ts';
import { textOfPage } from './page-bytes.ts';
import { CONTENT_ATTRIBUTES, ContentReader, type PageContent } from './page-content.ts';
import {
  type Attributes,
  addAll,
  isHandler,
  kindOfScript,
  REFERENCE_ATTRIBUTES,
  type Reference,
  readTag,
  scanCss,
  scanImportMap,
  scanSpeculationRules,
} from './references.ts';
import { withStreamedPieces } from './streamed-pieces.ts';
import { tokenize } from './tokenize.ts';

// Only these attributes and handlers are read; the values of all others are not even copied.
const READ_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...REFERENCE_ATTRIBUTES,
  'srcdoc',
  'shadowrootmode',
  'id',
  'name',
  'type',
]);
const WITH_CONTENT: ReadonlySet<string> = new Set([...READ_ATTRIBUTES, ...CONTENT_ATTRIBUTES]);

/** What was found in a page. */
interface PageScan {
  readonly references: Reference[];
  /** What a fragment can point to. */
  readonly ids: string[];
  /** `href` of the first `<base>`. */
  readonly base: string | undefined;
  /** How many references come before it: what these load is not relative to it. */
  readonly beforeBase: number;
}

/** How the scripts of a page are read: `scanScript`, unless only its content is asked for. */
export type ScriptScan = (
  code: string,
  options: { readonly runsOnEvent?: boolean; readonly depth?: number },
) => readonly Reference[];

/** How the text of a `script` or `style` element is read, by its kind. */
const SCANS = {
  style: scanCss,
  importmap: scanImportMap,
  speculationrules: scanSpeculationRules,
} as const;
type Embedded = keyof typeof SCANS | 'script';

// Pages in the attributes of pages: no one writes more, and reading each of thousands would take
// too long.
const DEEPEST = 4;

interface ScanOptions {
  /** The page is XML, as an SVG is, and not HTML. */
  readonly isXml?: boolean;
  /** Is given the elements and texts of the page in the same pass. */
  readonly content?: ContentReader | undefined;
  /** undefined: scripts are not read. */
  readonly scan?: ScriptScan | undefined;
  /** In how many other pages this one is. */
  readonly depth?: number;
}

/** Reads one page from start to end with htmlparser2's tokenizer, without a tree. */
export function scanPage(page: string, options: ScanOptions = {}): PageScan {
  const { isXml = false } = options;
  const text = isXml ? page : withStreamedPieces(page);
  const scanner = new PageScanner(text, options);
  tokenize(text, isXml, scanner);
  return scanner;
}

/** The content of a page alone. */
export function readContent(page: Buffer | string): PageContent {
  const text = typeof page === 'string' ? page : textOfPage(page);
  const content = new ContentReader();
  scanPage(text, { content });
  return endContent(text, content);
}

/** The content of a page that `reader` has read; the page is read again if a control came too late. */
export function endContent(page: string, reader: ContentReader): PageContent {
  const content = reader.withAllControls;
  if (content === undefined) return reader.end();
  scanPage(page, { content });
  return content.end();
}

/** What the tokenizer calls, in the order of the page: its methods begin with `on`. */
class PageScanner implements TokenizerCallbacks, PageScan {
  readonly references: Reference[] = [];
  readonly ids: string[] = [];
  base: string | undefined;
  beforeBase = 0;
  readonly #text: string;
  readonly #content: ContentReader | undefined;
  readonly #scan: ScriptScan | undefined;
  readonly #depth: number;
  readonly #namesRead: ReadonlySet<string>;
  readonly #isXml: boolean;
  /** The start tag that is being read, or was read last: its name, and its attributes so far. */
  #tag = '';
  readonly #attributes = new Map<string, string>();
  /** The attribute that is being read; empty: its value is of no use. */
  #name = '';
  #value = '';
  /** The kind and the text so far of the open script or style element. */
  #embedded: { readonly kind: Embedded; readonly text: Pieces } | undefined;

  /** How many templates are open whose content is inert. */
  #templates = 0;
  /** The element around `source` elements that is open: it decides which attribute is used. */
  #media = '';

  constructor(text: string, { content, scan, isXml = false, depth = 0 }: ScanOptions) {
    this.#text = text;
    this.#isXml = isXml;
    this.#depth = depth;
    this.#content = content;
    this.#scan = scan;
    this.#namesRead = content === undefined ? READ_ATTRIBUTES : WITH_CONTENT;
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#text.slice(start, end).toLowerCase();
  }

  onattribname(start: number, end: number): void {
    // The most frequent of all, recognized without a copy: no other name of five letters has these.
    const isClass = end - start === 'class'.length && this.#text.startsWith('cla', start);
    const name = isClass ? 'class' : this.#text.slice(start, end).toLowerCase();
    this.#name = '';
    this.#value = '';
    if (this.#namesRead.has(name) || isHandler(name)) this.#name = name;
  }

  onattribdata(start: number, end: number): void {
    if (this.#name !== '') this.#value = this.#text.slice(start, end);
  }

  onattribentity(): void {}

  onattribend(): void {
    // If an attribute is given twice, the first one counts.
    if (this.#name === '' || this.#attributes.has(this.#name)) return;
    if (this.#isXml) this.#attributes.set(this.#name, decodeXML(this.#value));
    else this.#attributes.set(this.#name, decodeHTMLAttribute(this.#value));
  }

  onopentagend(): void {
    this.#content?.open(this.#tag, this.#attributes);
    this.#readStartTag();
  }

  onselfclosingtag(): void {
    // A picture that closes itself has no content to skip, so the reader of content does not hear
    // of it. To browsers, every other element of HTML stays open.
    if (this.#tag === 'svg') this.#readStartTag();
    else this.onopentagend();
  }

  ontext(start: number, end: number): void {
    // Only a text that is read is copied: most are not.
    if (this.#embedded === undefined && this.#content === undefined) return;
    const text = this.#decode(this.#text.slice(start, end));
    if (this.#embedded !== undefined) this.#embedded.text.add(text);
    else this.#content?.add(text);
  }

  ontextentity(): void {}

  /** Decodes the entities in a text; behind a start tag, it is the text of that element. */
  #decode(text: string): string {
    if (!text.includes('&')) return text;
    if (this.#isXml) return decodeXML(text);
    if (RAW_TEXT.test(this.#tag) && !this.isInForeignContext()) return text;
    return decodeHTML(text);
  }

  // In a page, CDATA is a comment to browsers; in a script or style it is part of the text.
  oncdata(start: number, end: number): void {
    this.#embedded?.text.add(this.#text.slice(start, end));
  }

  isInForeignContext(): boolean {
    return this.#content?.isForeign === true;
  }

  onclosetag(start: number, end: number): void {
    this.#closeEmbedded();
    this.#tag = '';
    // Most end tags say nothing else, and each takes a copy.
    const isRead = this.#content !== undefined || this.#templates > 0 || this.#media !== '';
    if (!isRead) return;
    const tag = this.#text.slice(start, end).toLowerCase();
    if (tag === 'template' && this.#templates > 0) this.#templates -= 1;
    if (tag === this.#media) this.#media = '';
    this.#content?.close(tag);
  }

  onend(): void {
    this.#closeEmbedded();
  }

  // In HTML, and so to the tokenizer, `<?xml-stylesheet …?>` is a comment. In a browser that reads
  // the page as XHTML, it loads a style sheet.
  oncomment(start: number, end: number, endOffset: number): void {
    this.onprocessinginstruction(start, end);
    this.#content?.comment(this.#text.slice(start, end - endOffset));
  }

  ondeclaration(): void {}

  onprocessinginstruction(start: number, end: number): void {
    const sheet = /^\??xml-stylesheet\s[^>]*?\bhref\s*=\s*["']([^"'>]*)/i;
    const raw = sheet.exec(this.#text.slice(start, end))?.[1];
    if (raw !== undefined) this.references.push({ raw, use: 'load', what: 'style sheet' });
  }

  #readStartTag(): void {
    const tag = this.#tag;
    const attributes = this.#attributes;
    // Nothing in a template is loaded, run or shown until a script copies it.
    const isInert = this.#templates > 0;
    if (tag === 'template' && (isInert || !isShadowRoot(attributes))) this.#templates += 1;
    if (MEDIA.has(tag)) this.#media = tag;
    if (!isInert) this.#readActive(tag, attributes);
    // Most tags have none, and clearing takes time.
    if (attributes.size > 0) attributes.clear();
  }

  #readActive(tag: string, attributes: Map<string, string>): void {
    const kind = embeddedKind(tag, attributes);
    const isRead = kind !== undefined && (kind !== 'script' || this.#scan !== undefined);
    // Its text is read until its end tag.
    this.#embedded = isRead ? { kind, text: new Pieces() } : undefined;
    // Most tags have no attribute of use, and the rest takes time.
    if (attributes.size === 0) return;
    const id = attributes.get('id');
    if (id !== undefined) this.ids.push(id);
    const name = tag === 'a' ? attributes.get('name') : undefined;
    if (name !== undefined) this.ids.push(name);
    // Of `source`, browsers use one of the two, by the element around it.
    if (tag === 'source' && this.#media !== '')
      attributes.delete(this.#media === 'picture' ? 'src' : 'srcset');
    if (tag === 'base') this.#readBase(attributes.get('href'));
    else this.#readReferences(tag, attributes);
  }

  #readBase(href: string | undefined): void {
    if (href === undefined || this.base !== undefined) return;
    this.base = href;
    this.beforeBase = this.references.length;
  }

  #readReferences(tag: string, attributes: Attributes): void {
    const { references } = this;
    const firstOfTag = references.length;
    readTag(tag, attributes, references);
    for (const { raw, use, what } of references.slice(firstOfTag)) {
      if (use === 'load' && CONTENT_IN_ADDRESS.test(raw)) this.#addContent(what, raw);
    }
    for (const [name, value] of attributes) {
      // `onload` runs at once; every other handler waits for something that a reader does.
      if (isHandler(name)) addAll(this.references, this.#scanScript(value, name !== 'onload'));
    }
    // A frame may have its page in an attribute.
    const srcdoc = tag === 'iframe' ? attributes.get('srcdoc') : undefined;
    if (srcdoc === undefined) return;
    const page = this.#scanNested('frame', srcdoc);
    // A base on another host would send every relative address of the frame there.
    if (page.base !== undefined)
      this.references.push({ raw: page.base, use: 'link', what: 'base' });
    addAll(this.references, page.references);
  }

  #scanScript(code: string, runsOnEvent = false): readonly Reference[] {
    return this.#scan?.(code, { runsOnEvent, depth: this.#depth }) ?? [];
  }

  /**
   * Adds what the content of a `data:` or `javascript:` address loads. Images load nothing, unlike
   * frames, style sheets and scripts.
   */
  #addContent(what: string, raw: string): void {
    for (const reference of this.#scanContent(what, readContentAddress(raw))) {
      // Only an absolute address leads anywhere: no other can be relative to `data:`.
      if (/^\s*[a-z][a-z0-9+.-]*:/i.test(reference.raw)) this.references.push(reference);
    }
  }

  /** Reads the content as what the element (`what`) takes it for. */
  #scanContent(what: string, { isScript, isHtml, text }: AddressContent): readonly Reference[] {
    if (isScript || what === 'script' || what === 'module') return this.#scanScript(text);
    if (what === 'style sheet') return scanCss(text);
    if (what !== 'frame' && what !== 'embedded file') return [];
    // Of all that is not HTML, only an SVG loads something: so everything else is read as one.
    return this.#scanNested(what, text, { isXml: !isHtml }).references;
  }

  #scanNested(what: string, text: string, options?: ScanOptions): PageScan {
    const depth = this.#depth + 1;
    if (depth <= DEEPEST) return scanPage(text, { ...options, scan: this.#scan, depth });
    // One reference that says that the page was not read.
    const references: Reference[] = [{ raw: 'about:blank', use: 'unread', what }];
    return { references, ids: [], base: undefined, beforeBase: 0 };
  }

  #closeEmbedded(): void {
    if (this.#embedded === undefined) return;
    const { kind, text } = this.#embedded;
    this.#embedded = undefined;
    const found = kind === 'script' ? this.#scanScript(text.text) : SCANS[kind](text.text);
    addAll(this.references, found);
  }
}

/** How the text of an element is read; undefined if browsers do not run or use it. */
function embeddedKind(tag: string, attributes: Attributes): Embedded | undefined {
  if (tag === 'style') return 'style';
  if (tag !== 'script') return undefined;
  // With `src`, browsers run that file instead of the text.
  if (attributes.has('src')) return undefined;
  return kindOfScript(attributes);
}

const MEDIA: ReadonlySet<string> = new Set(['picture', 'audio', 'video']);
/** Elements of HTML whose text has neither tags nor entities. */
const RAW_TEXT = /^(?:script|style|iframe|noembed|noframes|plaintext|xmp)$/;

/** Whether the content of a template is shown at once, as that of the element around it. */
function isShadowRoot(attributes: Attributes): boolean {
  return /^(?:open|closed)$/i.test(attributes.get('shadowrootmode') ?? '');
}

/** An address that contains its content. */
const CONTENT_IN_ADDRESS = /^\s*(?:data|javascript):/i;

interface AddressContent {
  /** It is the script of a `javascript:` address. */
  readonly isScript: boolean;
  readonly isHtml: boolean;
  readonly text: string;
}

/** The content of a `data:` address (RFC 2397), or the script of a `javascript:` one. */
function readContentAddress(raw: string): AddressContent {
  const isScript = /^\s*javascript:/i.test(raw);
  const markAt = raw.indexOf(isScript ? ':' : ',');
  // Without a comma the address is malformed: then all of it is read, to be on the safe side.
  const head = raw.slice(0, Math.max(0, markAt)).trim().toLowerCase();
  const isHtml = head.startsWith('data:text/html');
  const body = decodePercent(raw.slice(markAt + 1));
  const isEncoded = head.endsWith(';base64');
  return { isScript, isHtml, text: isEncoded ? Buffer.from(body, 'base64').toString() : body };
}
