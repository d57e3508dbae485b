import { Parser } from 'htmlparser2';
import { BlockWriter } from './block-writer.ts';
import type { Block } from './blocks.ts';
import { FOOTNOTE, FOOTNOTE_REF, type HtmlWriter } from './html-writer.ts';
import type { Losses, RemovedKind } from './removed.ts';

/**
 * What GitHub shows as text or takes as layout. Every other tag is taken out and its text stays, as
 * GitHub does it.
 */
const SHOWN: ReadonlySet<string> = new Set(
  `${FOOTNOTE} ${FOOTNOTE_REF} a abbr b bdo blockquote br caption center cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i
   img ins kbd li mark ol p picture pre q rp rt ruby s samp small source span strike strong sub summary sup table tbody td tfoot
   th thead time tr tt ul var wbr`.split(/\s+/),
);
// Taken out with their content: GitHub's sanitizer does so, or no page shows it as text.
const WITH_CONTENT: ReadonlySet<string> = new Set(
  'head iframe math noembed noframes noscript plaintext rp script style svg template textarea title xmp'.split(
    ' ',
  ),
);
const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
// Each of these makes the text smaller: text in four of them cannot be read.
const SMALLER: ReadonlySet<string> = new Set(['sub', 'sup', 'small']);
const MOST_SMALLER = 3;
// No page nests like this, and the parser's work for one more element grows with the depth.
const DEEPEST = 200;

// GitHub removes these and shows the text. Other readers of the same text do not show it.
const HIDING_ATTRIBUTES = ['hidden', 'aria-hidden', 'popover', 'inert'] as const;
const HIDING_CLASS = /hid|sr-only|screen-?reader|invisible|collapse|none|transparent/i;
const HARMLESS_STYLE =
  /^(\s*(text-align|font-weight|font-style|text-decoration|vertical-align|list-style(-type)?|border[a-z-]*|padding[a-z-]*)\s*:[^;]*(;|$))*\s*$/i;
const LAYOUT: ReadonlySet<string> = new Set(
  'align border class colspan height id name open rowspan start style type valign width'.split(' '),
);

type Attributes = Readonly<Record<string, string>>;

/** What the content of an element is counted as when it is left out; undefined if it is shown. */
function hidingOf(name: string, attributes: Attributes): RemovedKind | undefined {
  if (WITH_CONTENT.has(name)) return 'scripts and styles';
  if (name === 'details' && !('open' in attributes)) return 'folded parts';
  if (
    HIDING_ATTRIBUTES.some((attribute) => attribute in attributes) ||
    HIDING_CLASS.test(attributes['class'] ?? '') ||
    !HARMLESS_STYLE.test(attributes['style'] ?? '')
  )
    return 'hidden elements';
  return undefined;
}

/** Counts what GitHub does not show of a tag itself. Its content is counted where it is read. */
function countTag(name: string, attributes: Attributes, length: number, losses: Losses): void {
  const isKnown = SHOWN.has(name) || WITH_CONTENT.has(name);
  if (!isKnown) {
    losses.add('tags', length);
    return;
  }
  if (name === 'img') {
    losses.add('images', Object.values(attributes).join('').length);
    return;
  }
  for (const [attribute, value] of Object.entries(attributes)) {
    if (attribute === 'href') losses.add('link addresses', value.length);
    else if (!LAYOUT.has(attribute)) losses.add('attributes', value.length);
  }
}

/**
 * A hiding tag without its end: everything after it is hidden. Line and column are those of the
 * source, from 1.
 */
export interface Unclosed {
  readonly tag: string;
  readonly line: number;
  readonly column: number;
}

interface Element {
  readonly name: string;
  /** What its content is counted as if the element hides it; undefined if it does not. */
  readonly hides: RemovedKind | undefined;
  /** The summary of a folded part, which is shown although it is in that part. */
  readonly reveals: boolean;
  /** Its summary was shown: a folded part shows only the first one. */
  hasSummary: boolean;
  /** Where its tag begins. */
  readonly at: number;
}

/**
 * The text of a page that a reader sees: the parser reports tags and texts, and those that nothing
 * hides go to the `BlockWriter`. `losses` takes what is hidden, or may be.
 */
export class VisibleText {
  readonly #source: HtmlWriter;
  readonly #losses: Losses;
  readonly #page: BlockWriter;
  readonly #parser: Parser;
  readonly #stack: Element[] = [];
  /** How many open elements hide what is read now. */
  #hidden = 0;
  /** How many open elements make the text smaller. */
  #smaller = 0;
  /** Offset behind what was read. A tag that never ends is not reported by the parser. */
  #read = 0;
  /** The text since the last tag: entities cut it into several events. */
  #pending = '';
  /** Set once nothing more is read: what the rest is counted as. */
  #ended: RemovedKind | undefined;
  #unclosed: Unclosed | undefined;

  constructor(source: HtmlWriter, losses: Losses) {
    this.#source = source;
    this.#losses = losses;
    this.#page = new BlockWriter(losses);
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#open(name, attributes),
        // `isImplied`: the end of another element, or of the page, ends this one.
        onclosetag: (_name, isImplied) => this.#close(isImplied),
        ontext: (data) => this.#text(data),
        oncomment: (data) => this.#comment(data.length),
        // Such as `<!DOCTYPE …>`, which no page shows.
        onprocessinginstruction: (_name, data) => {
          this.#beginTag();
          losses.add('comments', data.length);
        },
      },
      { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
    );
  }

  /** Reads the whole page. */
  read(): { readonly blocks: Block[]; readonly unclosed: Unclosed | undefined } {
    const { html } = this.#source;
    // The parser keeps back what could become an entity, as in `AT&T`, up to a character that ends
    // one. At the end of the page that is a line end, which no reader sees.
    const endOfEntity = /&[#\w]*$/.test(html) ? '\n' : '';
    this.#parser.write(html + endOfEntity);
    // Asked before `end`, which reports the ends of all open elements at the end of the page.
    const isOver = this.#ended !== undefined || this.#read >= html.length;
    this.#parser.end();
    this.#endText();
    // What the parser has not reported is within the last tag, which never ends. The tag begins at
    // or before the place up to which the parser has read.
    if (!isOver) this.#cutOff(html.lastIndexOf('<', this.#read));
    return { blocks: this.#page.end(), unclosed: this.#unclosed };
  }

  /** Notes how far the parser has read. */
  #advance(): void {
    if (this.#ended === undefined) this.#read = Math.max(this.#read, this.#parser.endIndex + 1);
  }

  /** Ends the text before a tag. Gives where the tag begins. */
  #beginTag(): number {
    this.#endText();
    this.#advance();
    return this.#parser.startIndex;
  }

  /** An element begins: it may hide its content, or show the summary of a folded part. */
  #open(name: string, attributes: Attributes): void {
    const at = this.#beginTag();
    // After `#stopReading`, the parser still reports what it has read.
    if (this.#ended !== undefined) return;
    // The tag is what was read since its beginning.
    countTag(name, attributes, this.#read - at, this.#losses);
    const reveals = this.#takeFirstSummary(name);
    if (SMALLER.has(name)) this.#smaller += 1;
    const hides =
      this.#smaller > MOST_SMALLER ? 'too deeply nested text' : hidingOf(name, attributes);
    this.#stack.push({ name, hides, reveals, hasSummary: false, at });
    // While the summary is open, its folded part does not count as hiding.
    if (reveals) this.#hidden -= 1;
    if (hides !== undefined) this.#hidden += 1;
    if (this.#stack.length > DEEPEST) this.#stopReading('too deeply nested text');
    else if (this.#hidden === 0) this.#page.open(name, attributes);
  }

  /**
   * True for the first summary of a folded part, which is all that a reader sees of that part;
   * false if something else hides the part too. Notes that the part has it.
   */
  #takeFirstSummary(name: string): boolean {
    const parent = this.#stack.at(-1);
    if (name !== 'summary' || parent?.hides !== 'folded parts' || parent.hasSummary) return false;
    parent.hasSummary = true;
    // 1: nothing but the folded part itself hides the summary.
    return this.#hidden === 1;
  }

  /** The innermost element ends, and with it what it hides, shows or makes smaller. */
  #close(isImplied: boolean): void {
    this.#beginTag();
    const top = this.#stack.pop();
    if (top === undefined || this.#ended !== undefined) return;
    const { name, hides } = top;
    if (SMALLER.has(name)) this.#smaller -= 1;
    // Without its end tag, a browser opens some elements again in the next paragraph: one that
    // hides then hides the rest. Elements in `VOID` never have an end tag.
    if (hides !== undefined && isImplied && !VOID.has(name)) this.#stopReading(hides, name, top.at);
    // Before the count changes: the page gets the end of an element whose beginning it got.
    if (this.#hidden === 0) this.#page.close(name);
    if (hides !== undefined) this.#hidden -= 1;
    if (top.reveals) this.#hidden += 1;
  }

  /** Ends the reading at a tag that has no end: GitHub shows nothing from there on. */
  #cutOff(at: number): void {
    // At its end, the parser has closed an element that hides the rest.
    if (this.#ended !== undefined) return;
    const tagAndRest = this.#source.html.slice(at);
    this.#losses.add('hidden elements', tagAndRest.length);
    // Counted here, and not once more as the rest.
    this.#read = this.#source.html.length;
    const name = /^<[/!?]?([A-Za-z0-9-]*)/.exec(tagAndRest)?.[1];
    // A tag may have no name, as in `<!`.
    this.#stopReading('hidden elements', name || '<', at);
  }

  /**
   * Nothing more is shown: the rest of the page is counted as `kind`. If a tag is the reason, it is
   * named, with where it begins.
   */
  #stopReading(kind: RemovedKind, tag?: string, at = 0): void {
    this.#ended = kind;
    if (tag !== undefined) this.#unclosed = { tag, ...this.#source.placeOf(at) };
    this.#losses.add(kind, this.#source.html.length - this.#read);
    this.#parser.pause();
  }

  #comment(length: number): void {
    const at = this.#beginTag();
    if (this.#ended !== undefined) return;
    this.#losses.add('comments', length);
    // A comment that is never closed hides the rest. Its last character is the last that was read.
    const isClosed = this.#source.html.startsWith('>', this.#read - 1);
    if (!isClosed) this.#stopReading('comments', '<!--', at);
  }

  #text(data: string): void {
    this.#advance();
    if (this.#ended === undefined) this.#pending += data;
  }

  /** Shows the text since the last tag, or counts it as what the innermost hiding element hides. */
  #endText(): void {
    const text = this.#pending;
    this.#pending = '';
    if (this.#hidden === 0) {
      this.#page.text(text);
      return;
    }
    const innermost = this.#stack.findLast((element) => element.hides !== undefined)?.hides;
    if (innermost !== undefined) this.#losses.add(innermost, text.trim().length);
  }
}
