import { Pieces, replaceBlanks } from '../../text/pieces.ts';
import { type PageListener, scanPage } from './page-scan.ts';
import type { Attributes } from './references.ts';

/** What a reader sees of a page, without any script having run. Comes from pages: escape it where you show it. */
export interface PageText {
  /** Of the page's `<title>`. */
  readonly title: string;
  /** Words of one block are apart from those of the next by a space. */
  readonly text: string;
}

/** Elements whose content no reader sees, or only one without scripts. */
const HIDDEN: ReadonlySet<string> = new Set('script style noscript template iframe noembed noframes'.split(' '));

/** Elements that are part of a line: a word may continue after their tags. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

const FOREIGN: ReadonlySet<string> = new Set(['svg', 'math']);

/** Reads the visible text of a page with the scan that verification uses. Comments and entities do not part a word. */
export function readPageText(html: string): PageText & { readonly isRedirect: boolean } {
  const reader = new TextReader();
  const { references } = scanPage(html, false, reader);
  const [title, text] = [reader.title, reader.text].map((pieces) => replaceBlanks(pieces.text, ' ').trim());
  return { title: title ?? '', text: text ?? '', isRedirect: references.some(({ what }) => what === 'refresh') };
}

class TextReader implements PageListener {
  readonly title = new Pieces();
  readonly text = new Pieces();
  /** The hidden element that is open, and how many of its name are open in each other. */
  #hidden: { readonly tag: string; depth: number } | undefined;
  /** How many pictures and formulas are open. */
  #foreign = 0;
  #isTitle = false;
  #hasTitle = false;

  get isForeign(): boolean {
    return this.#foreign > 0;
  }

  open(tag: string, _attributes: Attributes, closesItself: boolean): void {
    if (this.#hidden !== undefined) {
      if (this.#hidden.tag === tag && !(closesItself && this.isForeign)) this.#hidden.depth += 1;
      return;
    }
    this.#part(tag);
    // Browsers ignore the slash of `<script/>`; only inside of pictures and formulas it closes an element.
    if (closesItself && this.isForeign) return;
    if (HIDDEN.has(tag)) this.#hidden = { tag, depth: 1 };
    if (FOREIGN.has(tag)) this.#foreign += 1;
    if (tag === 'title') this.#isTitle = true;
  }

  close(tag: string): void {
    if (this.#hidden !== undefined) {
      if (this.#hidden.tag === tag) this.#hidden.depth -= 1;
      if (this.#hidden.depth === 0) this.#hidden = undefined;
      return;
    }
    if (FOREIGN.has(tag)) this.#foreign = Math.max(0, this.#foreign - 1);
    // Pictures have titles, which are not text of the page: only the first one counts.
    if (tag === 'title') [this.#isTitle, this.#hasTitle] = [false, true];
    this.#part(tag);
  }

  add(piece: string): void {
    if (this.#hidden !== undefined) return;
    if (!this.#isTitle) this.text.add(piece);
    else if (!this.#hasTitle) this.title.add(piece);
  }

  #part(tag: string): void {
    if (!INLINE.has(tag)) this.text.add(' ');
  }
}
