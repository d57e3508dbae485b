import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { Pieces } from '../../text/pieces.ts';
import { CONTENT_ATTRIBUTES, ContentReader, type PageContent } from './page-content.ts';
import { type Attributes, type Reference, readTag, scanCss, scanImportMap, scanScript } from './references.ts';

/** Takes the elements and texts of one page in their order. */
export interface PageListener {
  open(tag: string, attributes: Attributes, closesItself: boolean): void;
  add(text: string): void;
  close(tag: string): void;
  /** In a picture or formula, where scripts and titles are elements like every other. */
  readonly isForeign?: boolean;
}

// Only these are read; the values of all others are not even copied.
const READ_ATTRIBUTES: ReadonlySet<string> = new Set(
  `href xlink:href src srcset imagesrcset poster data action formaction background content style rel id name type
   manifest http-equiv`.split(/\s+/),
);
const WITH_CONTENT: ReadonlySet<string> = new Set([...READ_ATTRIBUTES, ...CONTENT_ATTRIBUTES]);

type PageScan = Readonly<Pick<PageScanner, 'base' | 'references' | 'ids'>>;

const SCANS = { script: scanScript, style: scanCss, importmap: scanImportMap } as const;
type Embedded = keyof typeof SCANS;

/** Reads one page from start to end with htmlparser2's tokenizer, without a tree, and gives it to `content` in the same pass. */
export function scanPage(text: string, isXml: boolean, content?: PageListener): PageScan {
  const scanner = new PageScanner(text, content);
  const tokenizer = new Tokenizer({ xmlMode: isXml, decodeEntities: true }, scanner);
  tokenizer.write(text);
  tokenizer.end();
  return scanner;
}

/** The content of a page alone. */
export function readContent(text: string): PageContent {
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
  readonly #content: PageListener | undefined;
  readonly #read: ReadonlySet<string>;
  readonly #attributes = new Map<string, string>();
  #tag = '';
  #name = '';
  #value = '';
  #isRead = false;
  /** A script or style element, until it ends. */
  #inside: { readonly kind: Embedded; readonly text: Pieces } | undefined;

  constructor(text: string, content: PageListener | undefined) {
    this.#text = text;
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
    this.#isRead = !isClass && this.#read.has(this.#name);
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

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  #endTag(closesItself: boolean): void {
    const tag = this.#tag;
    const attributes = this.#attributes;
    // Such an image is empty; every other element of HTML stays open all the same.
    if (!closesItself || tag !== 'svg') this.#content?.open(tag, attributes, closesItself);
    if (attributes.size > 0) {
      const id = attributes.get('id') ?? (tag === 'a' ? attributes.get('name') : undefined);
      if (id !== undefined) this.ids.push(id);
      if (tag === 'base') this.base ??= attributes.get('href');
      else readTag(tag, attributes, this.references);
    }
    const kind = embeddedKind(tag, attributes);
    this.#inside = kind && { kind, text: new Pieces() };
    if (attributes.size > 0) attributes.clear();
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
  if (type === 'importmap') return 'importmap';
  const isCode = type === '' || type === 'module' || /^(text|application)\/(x-)?(java|ecma)script/.test(type);
  return isCode && !attributes.has('src') ? 'script' : undefined;
}
