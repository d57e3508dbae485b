import { Buffer } from 'node:buffer';
import { unescape as decodePercent } from 'node:querystring';
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { Pieces } from '../../text/pieces.ts';
import { textOfPage } from './page-bytes.ts';
import { CONTENT_ATTRIBUTES, ContentReader, type PageContent } from './page-content.ts';
import {
  type Attributes,
  isHandler,
  REFERENCE_ATTRIBUTES,
  type Reference,
  readTag,
  scanCss,
  scanImportMap,
  scanScript,
  scanSpeculationRules,
} from './references.ts';

// Only these and handlers are read; the values of all others are not even copied.
const READ_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...REFERENCE_ATTRIBUTES,
  'srcdoc',
  'id',
  'name',
  'type',
]);
const WITH_CONTENT: ReadonlySet<string> = new Set([...READ_ATTRIBUTES, ...CONTENT_ATTRIBUTES]);

type PageScan = Readonly<Pick<PageScanner, 'base' | 'references' | 'ids'>>;

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
 * `content` in the same pass.
 */
export function scanPage(text: string, isXml: boolean, content?: ContentReader): PageScan {
  return scanNested(text, { isXml, content, depth: 0 });
}

interface Scan {
  readonly isXml: boolean;
  readonly content?: ContentReader | undefined;
  /** In how many other pages this one is. */
  readonly depth: number;
}

function scanNested(text: string, { isXml, content, depth }: Scan): PageScan {
  const scanner = new PageScanner(text, content, depth);
  const tokenizer = new Tokenizer({ xmlMode: isXml, decodeEntities: true }, scanner);
  tokenizer.write(text);
  tokenizer.end();
  return scanner;
}

/** The content of a page alone. */
export function readContent(page: string | Buffer): PageContent {
  const text = typeof page === 'string' ? page : textOfPage(page);
  const content = new ContentReader();
  scanPage(text, false, content);
  return content.end();
}

class PageScanner implements TokenizerCallbacks {
  readonly references: Reference[] = [];
  /** What a fragment can point to. */
  readonly ids: string[] = [];
  /** `href` of the first `<base>`. */
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
  /** A script or style element, until it ends. */
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
    if (!this.#isRead) return;
    const piece = this.#text.slice(start, end);
    this.#value = this.#value === '' ? piece : this.#value + piece;
  }

  onattribentity(codepoint: number): void {
    if (this.#isRead) this.#value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    // Of an attribute that is given twice, the first one counts.
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
    if (this.#inside !== undefined) this.#inside.text.add(this.#text.slice(start, end));
    else this.#content?.add(this.#text.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    if (this.#inside !== undefined) this.#inside.text.add(String.fromCodePoint(codepoint));
    else this.#content?.add(String.fromCodePoint(codepoint));
  }

  // In a page it is a comment to browsers.
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

  // In a page it is a comment; as XHTML it is read.
  oncomment(start: number, end: number): void {
    this.onprocessinginstruction(start, end);
  }

  ondeclaration(): void {}

  onprocessinginstruction(start: number, end: number): void {
    const raw = /^\??xml-stylesheet\s[^>]*?\bhref\s*=\s*["']([^"'>]*)/i.exec(
      this.#text.slice(start, end),
    )?.[1];
    if (raw !== undefined) this.references.push({ raw, use: 'load', what: 'style sheet' });
  }

  #endTag(closesItself: boolean): void {
    const tag = this.#tag;
    const attributes = this.#attributes;
    // Such an image is empty; every other element of HTML stays open.
    if (!closesItself || tag !== 'svg') this.#content?.open(tag, attributes);
    if (attributes.size > 0) {
      const id = attributes.get('id') ?? (tag === 'a' ? attributes.get('name') : undefined);
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
    if (this.references.length === first && tag !== 'iframe') return;
    const srcdoc = tag === 'iframe' ? attributes.get('srcdoc') : undefined;
    for (const { raw, use, what } of this.references.slice(first)) {
      if (use === 'load' && CONTENT_IN_ADDRESS.test(raw)) this.#addContent(what, raw);
    }
    if (srcdoc === undefined) return;
    const { references, base } = this.#scanNested('frame', srcdoc, false);
    if (base !== undefined) this.references.push({ raw: base, use: 'link', what: 'base' });
    for (const reference of references) this.references.push(reference);
  }

  /**
   * Images cannot load anything, unlike frames, style sheets and scripts, even if their address is
   * their content.
   */
  #addContent(what: string, raw: string): void {
    const { isScript, isHtml, text } = readContentAddress(raw);
    // Nothing is relative to such an address.
    const add = (found: readonly Reference[]) => {
      for (const reference of found)
        if (/^\s*[a-z][a-z0-9+.-]*:/i.test(reference.raw)) this.references.push(reference);
    };
    if (isScript || what === 'script' || what === 'module') add(scanScript(text));
    else if (what === 'style sheet') add(scanCss(text));
    else if (what === 'frame' || what === 'embedded file')
      add(this.#scanNested(what, text, !isHtml).references);
  }

  #scanNested(what: string, text: string, isXml: boolean): Pick<PageScan, 'references' | 'base'> {
    if (this.#depth < DEEPEST) return scanNested(text, { isXml, depth: this.#depth + 1 });
    return { references: [{ raw: 'about:blank', use: 'unread', what }], base: undefined };
  }

  #closeInside(): void {
    if (this.#inside === undefined) return;
    const { kind, text } = this.#inside;
    this.#inside = undefined;
    // One by one: as arguments of one call, a page full of them would overflow the stack.
    for (const reference of SCANS[kind](text.text)) this.references.push(reference);
  }
}

function embeddedKind(tag: string, attributes: Attributes): Embedded | undefined {
  if (tag === 'style') return 'style';
  if (tag !== 'script') return undefined;
  const type = attributes.get('type')?.trim().toLowerCase() ?? '';
  if (type === 'importmap' || type === 'speculationrules') return type;
  const isCode =
    type === '' || type === 'module' || /^(text|application)\/(x-)?(java|ecma)script/.test(type);
  return isCode && !attributes.has('src') ? 'script' : undefined;
}

/** An address that is its content. */
const CONTENT_IN_ADDRESS = /^\s*(?:data|javascript):/i;

/** The content of a `data:` address (RFC 2397), or the script of a `javascript:` one. */
function readContentAddress(raw: string): { isScript: boolean; isHtml: boolean; text: string } {
  const isScript = /^\s*javascript:/i.test(raw);
  const start = raw.indexOf(isScript ? ':' : ',');
  const head = raw.slice(0, Math.max(0, start)).trim().toLowerCase();
  const body = decodePercent(raw.slice(start + 1));
  const text = head.endsWith(';base64') ? Buffer.from(body, 'base64').toString() : body;
  return { isScript, isHtml: head.startsWith('data:text/html'), text };
}
