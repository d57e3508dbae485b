import { Buffer } from 'node:buffer';
import { unescape as decodePercent } from 'node:querystring';
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { Pieces } from '../../text/pieces.ts';
import { textOfPage } from './page-bytes.ts';
import { CONTENT_ATTRIBUTES, ContentReader, type PageContent } from './page-content.ts';
import {
  type Attributes,
  addAll,
  idOf,
  isHandler,
  REFERENCE_ATTRIBUTES,
  type Reference,
  readTag,
  scanCss,
  scanImportMap,
  scanScript,
  scanSpeculationRules,
} from './references.ts';

// Only these attributes and handlers are read; the values of all others are not even copied.
const READ_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...REFERENCE_ATTRIBUTES,
  'srcdoc',
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
}

const SCANS = {
  script: scanScript,
  style: scanCss,
  importmap: scanImportMap,
  speculationrules: scanSpeculationRules,
} as const;
type Embedded = keyof typeof SCANS;

// Pages in the attributes of pages: no one writes more, and reading each of thousands would take
// too long.
const DEEPEST = 4;

/**
 * Reads one page from start to end with htmlparser2's tokenizer, without a tree, and gives it to
 * `content` in the same pass. `depth`: in how many other pages this one is.
 */
export function scanPage(
  text: string,
  isXml: boolean,
  content?: ContentReader,
  depth = 0,
): PageScan {
  const scanner = new PageScanner(text, content, depth);
  const tokenizer = new Tokenizer({ xmlMode: isXml, decodeEntities: true }, scanner);
  tokenizer.write(text);
  tokenizer.end();
  return scanner;
}

/** The content of a page alone. */
export function readContent(page: Buffer | string): PageContent {
  const text = typeof page === 'string' ? page : textOfPage(page);
  const content = new ContentReader();
  scanPage(text, false, content);
  return content.end();
}

class PageScanner implements TokenizerCallbacks, PageScan {
  readonly references: Reference[] = [];
  readonly ids: string[] = [];
  base: string | undefined;
  readonly #text: string;
  readonly #content: ContentReader | undefined;
  readonly #depth: number;
  readonly #read: ReadonlySet<string>;
  readonly #attributes = new Map<string, string>();
  #tag = '';
  #name = '';
  #value = '';
  #isRead = false;
  /** The kind and the text so far of the open script or style element. */
  #inside: { readonly kind: Embedded; readonly text: Pieces } | undefined;

  constructor(text: string, content: ContentReader | undefined, depth: number) {
    this.#text = text;
    this.#depth = depth;
    this.#content = content;
    this.#read = content === undefined ? READ_ATTRIBUTES : WITH_CONTENT;
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#text.slice(start, end).toLowerCase();
  }

  onattribname(start: number, end: number): void {
    // `class` is the most frequent of all, and as long as `style`: recognized without a copy.
    const isClass = end - start === 5 && this.#text.charCodeAt(start) === 0x63;
    this.#name = isClass ? '' : this.#text.slice(start, end).toLowerCase();
    this.#isRead = !isClass && (this.#read.has(this.#name) || isHandler(this.#name));
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    if (this.#isRead) this.#value += this.#text.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    if (this.#isRead) this.#value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    // If an attribute is given twice, the first one counts.
    if (this.#isRead && !this.#attributes.has(this.#name))
      this.#attributes.set(this.#name, this.#value);
  }

  onopentagend(): void {
    this.#endTag(false);
  }

  onselfclosingtag(): void {
    this.#endTag(true);
  }

  ontext(start: number, end: number): void {
    if (this.#inside !== undefined || this.#content !== undefined)
      this.#addText(this.#text.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    this.#addText(String.fromCodePoint(codepoint));
  }

  #addText(text: string): void {
    if (this.#inside !== undefined) this.#inside.text.add(text);
    else this.#content?.add(text);
  }

  // In a page, CDATA is a comment to browsers; in a script or style it is part of the text.
  oncdata(start: number, end: number): void {
    if (this.#inside !== undefined) this.ontext(start, end);
  }

  isInForeignContext(): boolean {
    return this.#content?.isForeign === true;
  }

  onclosetag(start: number, end: number): void {
    this.#closeInside();
    this.#content?.close(this.#text.slice(start, end).toLowerCase());
  }

  onend(): void {
    this.#closeInside();
  }

  // In a page this is a comment; if the file is read as XHTML, it loads a style sheet.
  oncomment(start: number, end: number): void {
    this.onprocessinginstruction(start, end);
  }

  ondeclaration(): void {}

  onprocessinginstruction(start: number, end: number): void {
    const sheet = /^\??xml-stylesheet\s[^>]*?\bhref\s*=\s*["']([^"'>]*)/i;
    const raw = sheet.exec(this.#text.slice(start, end))?.[1];
    if (raw !== undefined) this.references.push({ raw, use: 'load', what: 'style sheet' });
  }

  #endTag(closesItself: boolean): void {
    const tag = this.#tag;
    const attributes = this.#attributes;
    // A picture that closes itself is empty; every other element of HTML stays open.
    if (!closesItself || tag !== 'svg') this.#content?.open(tag, attributes);
    if (attributes.size > 0) {
      const id = idOf(tag, attributes);
      if (id !== undefined) this.ids.push(id);
      if (tag === 'base') this.base ??= attributes.get('href');
      else this.#readReferences(tag, attributes);
    }
    const kind = embeddedKind(tag, attributes);
    this.#inside = kind && { kind, text: new Pieces() };
    if (attributes.size > 0) attributes.clear();
  }

  #readReferences(tag: string, attributes: Attributes): void {
    const first = this.references.length;
    readTag(tag, attributes, this.references);
    for (const { raw, use, what } of this.references.slice(first)) {
      if (use === 'load' && CONTENT_IN_ADDRESS.test(raw)) this.#addContent(what, raw);
    }
    const srcdoc = tag === 'iframe' ? attributes.get('srcdoc') : undefined;
    if (srcdoc === undefined) return;
    const page = this.#scanNested('frame', srcdoc, false);
    if (page.base !== undefined)
      this.references.push({ raw: page.base, use: 'link', what: 'base' });
    addAll(this.references, page.references);
  }

  /**
   * Adds what the content of a `data:` or `javascript:` address loads. Images load nothing, unlike
   * frames, style sheets and scripts.
   */
  #addContent(what: string, raw: string): void {
    for (const reference of this.#scanContent(what, readContentAddress(raw))) {
      // Only absolute addresses count: nothing is relative to such an address.
      if (/^\s*[a-z][a-z0-9+.-]*:/i.test(reference.raw)) this.references.push(reference);
    }
  }

  #scanContent(what: string, { isScript, isHtml, text }: AddressContent): readonly Reference[] {
    if (isScript || what === 'script' || what === 'module') return scanScript(text);
    if (what === 'style sheet') return scanCss(text);
    if (what !== 'frame' && what !== 'embedded file') return [];
    return this.#scanNested(what, text, !isHtml).references;
  }

  #scanNested(what: string, text: string, isXml: boolean): PageScan {
    if (this.#depth < DEEPEST) return scanPage(text, isXml, undefined, this.#depth + 1);
    return { references: [{ raw: 'about:blank', use: 'unread', what }], ids: [], base: undefined };
  }

  #closeInside(): void {
    if (this.#inside === undefined) return;
    const scan = SCANS[this.#inside.kind];
    addAll(this.references, scan(this.#inside.text.text));
    this.#inside = undefined;
  }
}

function embeddedKind(tag: string, attributes: Attributes): Embedded | undefined {
  if (tag === 'style') return 'style';
  if (tag !== 'script') return undefined;
  const type = attributes.get('type')?.trim().toLowerCase() ?? '';
  if (type === 'importmap' || type === 'speculationrules') return type;
  const isCode = /^$|^module$|^(text|application)\/(x-)?(java|ecma)script/.test(type);
  if (!isCode || attributes.has('src')) return undefined;
  return 'script';
}

/** An address that contains its content. */
const CONTENT_IN_ADDRESS = /^\s*(?:data|javascript):/i;

interface AddressContent {
  readonly isScript: boolean;
  readonly isHtml: boolean;
  readonly text: string;
}

/** The content of a `data:` address (RFC 2397), or the script of a `javascript:` one. */
function readContentAddress(raw: string): AddressContent {
  const isScript = /^\s*javascript:/i.test(raw);
  const start = raw.indexOf(isScript ? ':' : ',');
  const head = raw.slice(0, Math.max(0, start)).trim().toLowerCase();
  const isHtml = head.startsWith('data:text/html');
  const body = decodePercent(raw.slice(start + 1));
  if (!head.endsWith(';base64')) return { isScript, isHtml, text: body };
  return { isScript, isHtml, text: Buffer.from(body, 'base64').toString() };
}
