import { Buffer } from 'node:buffer';
import { Tokenizer } from 'htmlparser2';
import { Pieces, replaceBlanks } from '../../text/pieces.ts';

/** What a reader sees of a page, without any script having run. Comes from pages: escape it where you show it. */
export interface PageText {
  /** Of the page's `<title>`. */
  readonly title: string;
  /** Words of one block are apart from those of the next by a blank. */
  readonly text: string;
}

/** Elements whose content no reader sees, or only one without scripts. */
const HIDDEN: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'iframe',
  'noembed',
  'noframes',
]);

/** Elements that are part of a line: a word may continue behind their tags. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

const FOREIGN: ReadonlySet<string> = new Set(['svg', 'math']);

/** Reads the visible text of a page with the tokenizer that verification uses. Comments and entities do not part a word. */
export function readPageText(html: string): PageText {
  const reader = new TextReader(html);
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, reader);
  tokenizer.write(html);
  tokenizer.end();
  return { title: replaceBlanks(reader.title.text, ' ').trim(), text: replaceBlanks(reader.text.text, ' ').trim() };
}

class TextReader {
  readonly title = new Pieces();
  readonly text = new Pieces();
  readonly #html: string;
  #tag = '';
  /** The hidden element that is open, and how many of its name are open in each other. */
  #hidden: { readonly tag: string; depth: number } | undefined;
  /** How many pictures and formulas are open. */
  #foreign = 0;
  #isTitle = false;
  #hasTitle = false;

  constructor(html: string) {
    this.#html = html;
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#html.slice(start, end).toLowerCase();
  }

  onopentagend(): void {
    const tag = this.#tag;
    if (this.#hidden !== undefined) {
      if (this.#hidden.tag === tag) this.#hidden.depth += 1;
      return;
    }
    if (HIDDEN.has(tag)) this.#hidden = { tag, depth: 1 };
    if (FOREIGN.has(tag)) this.#foreign += 1;
    if (tag === 'title') this.#isTitle = true;
    this.#part(tag);
  }

  /** For the tokenizer, which reads scripts and titles there as it reads every other element. */
  isInForeignContext(): boolean {
    return this.#foreign > 0;
  }

  // Browsers ignore the slash of `<script/>`; only inside of pictures and formulas it closes an element.
  onselfclosingtag(): void {
    if (this.#foreign === 0) this.onopentagend();
    else if (this.#hidden === undefined) this.#part(this.#tag);
  }

  onclosetag(start: number, end: number): void {
    const tag = this.#html.slice(start, end).toLowerCase();
    if (this.#hidden !== undefined) {
      if (this.#hidden.tag === tag) this.#hidden.depth -= 1;
      if (this.#hidden.depth === 0) this.#hidden = undefined;
      return;
    }
    if (FOREIGN.has(tag)) this.#foreign = Math.max(0, this.#foreign - 1);
    if (tag === 'title') this.#closeTitle();
    this.#part(tag);
  }

  ontext(start: number, end: number): void {
    if (this.#hidden === undefined) this.#add(this.#html.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    if (this.#hidden === undefined) this.#add(String.fromCodePoint(codepoint));
  }

  oncdata(): void {}
  onattribname(): void {}
  onattribdata(): void {}
  onattribentity(): void {}
  onattribend(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  // Pictures have titles, which are not text of the page: only the first one counts.
  #closeTitle(): void {
    this.#isTitle = false;
    this.#hasTitle = true;
  }

  #add(piece: string): void {
    if (!this.#isTitle) this.text.add(piece);
    else if (!this.#hasTitle) this.title.add(piece);
  }

  #part(tag: string): void {
    if (!INLINE.has(tag)) this.text.add(' ');
  }
}

/**
 * A copy of a text that was cut out of a larger one. What V8 cuts out keeps holding the whole of it: a link that is
 * remembered would keep its page in memory, and a site has many thousands of both.
 */
export function copyText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
