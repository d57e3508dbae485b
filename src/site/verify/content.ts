import { withoutIgnorable } from '../../ground/text/ignorable.ts';
import { copyText } from '../../ground/text/pieces.ts';
import { BLOCKS } from './open-element.ts';
import { type Attributes, idOf } from './references.ts';
import { isDateAlone, isUpdateLabel, isUpdateLine } from './update-lines.ts';

/** A heading of a page, which begins a section. */
export interface SectionStart {
  /**
   * Index of its first line in `blocks`; each line of a heading in preformatted text is a block.
   */
  readonly block: number;
  /**
   * The text after `#` in an address that leads to the heading, as the page writes it; empty if
   * there is none.
   */
  readonly id: string;
}

// Without the elements that only contain others or carry a style: a new theme changes those on
// every page.
const STRUCTURE: ReadonlySet<string> = new Set(
  `a audio blockquote caption code dd del details dl dt em figure h1 h2 h3 h4 h5 h6 hr img ins kbd li math ol p pre s strong sub
   summary sup table td th tr ul video`.split(/\s+/),
);
/** A question that a button in it opens is the heading of its answer. */
const LABELS = /^(?:h[1-6]|dt|summary)$/;
/** In these, what stands side by side is one word: `get` and `User`. */
const CODE: ReadonlySet<string> = new Set(['pre', 'code', 'kbd', 'samp', 'math']);
/** Two of the same kind are never parts of one word. */
const NEVER_JOINED: ReadonlySet<string> = new Set(['a', 'code', 'kbd']);
const MEDIA = /^(?:audio|video)$/;
/** A script draws in these. */
const DRAWN = /^(?:canvas|meter|progress)$/;
/** Words on both sides of what has an area are two words. */
const WITH_AREA =
  /^(?:audio|button|canvas|iframe|img|input|meter|object|progress|select|svg|textarea|video)$/;
const LETTER = /[\p{L}\p{N}]/u;

/** A point in the content, to go back to. */
export interface ContentMark {
  readonly blocks: number;
  readonly headings: number;
  readonly firstHeading: string;
  readonly structure: string;
  readonly block: string;
}

/** The content of one region of a page, while it is read. */
export class Content {
  readonly blocks: string[] = [];
  readonly headings: string[] = [];
  readonly sections: SectionStart[] = [];
  /** The text of the first `h1`; empty if there is none yet. */
  firstHeading = '';
  /** The names of the elements so far, and the texts instead of images. */
  structure = '';
  /** Whether it has an element that a script can fill: one with an id, or with its own name. */
  hasPlace = false;
  /** The text so far of the block that is being read. */
  #block = '';
  /** The tag of the heading that is open; empty if none is. */
  #heading = '';
  /** The tag of the heading, term or summary that is open; empty if none is. */
  #label = '';
  /** The id of the open heading, of an element around it, or of one in it. */
  #headingId = '';
  /**
   * The last id since the last text. If a section with an id begins with a heading, that id leads
   * to the heading.
   */
  #lastId = '';
  /** How many elements with preformatted text are open, with code, and with a link. */
  #preformatted = 0;
  #code = 0;
  #links = 0;
  /** The element that has just ended; empty if a text or a start tag came since. */
  #endedTag = '';
  /** True after a line such as `Last updated`, whose date may be the next line. */
  #isDateNext = false;
  /** How many characters are in which language. */
  readonly #languages = new Map<string, { chars: number }>();
  #language: { chars: number };

  constructor(language: string) {
    this.#language = this.#countOf(language);
  }

  /** True in a heading, a term or a summary. */
  get isInLabel(): boolean {
    return this.#label !== '';
  }

  /** The language of most of the text; undefined without a text. */
  get language(): string | undefined {
    let main: string | undefined;
    let most = 0;
    for (const [name, { chars }] of this.#languages) {
      if (chars <= most) continue;
      main = name;
      most = chars;
    }
    return main;
  }

  /** The language of the texts from here on. */
  speak(language: string): void {
    this.#language = this.#countOf(language);
  }

  open(tag: string, attributes: Attributes): void {
    this.#separate(tag, attributes);
    if (tag === 'img') this.structure += `img ${visible(attributes.get('alt') ?? '')},`;
    else if (STRUCTURE.has(tag)) this.structure += `${tag},`;
    if (tag === 'pre') this.#preformatted += 1;
    if (CODE.has(tag)) this.#code += 1;
    if (tag === 'a') this.#links += 1;
    // An empty id leads nowhere, as if there were none.
    const id = idOf(tag, attributes) ?? '';
    if (id !== '') this.#lastId = id;
    if (id !== '' || tag.includes('-')) this.hasPlace = true;
    // Its end tag may be left out.
    if (tag === 'dd') this.#label = '';
    if (LABELS.test(tag)) this.#openLabel(tag);
    // An id inside a heading counts if there is none before.
    if (this.#heading !== '') this.#headingId ||= id;
  }

  /** Notes an element that is passed over. */
  pass(tag: string, attributes: Attributes): void {
    if (DRAWN.test(tag) && attributes.get('id')) this.hasPlace = true;
    if (MEDIA.test(tag)) this.structure += `${tag},`;
    if (WITH_AREA.test(tag)) this.#block += ' ';
  }

  add(text: string): void {
    this.#block += text;
    this.#endedTag = '';
    this.#language.chars += text.length;
  }

  close(tag: string): void {
    if (BLOCKS.has(tag)) this.endBlock();
    if (tag === 'pre' && this.#preformatted > 0) this.#preformatted -= 1;
    if (CODE.has(tag) && this.#code > 0) this.#code -= 1;
    if (tag === 'a' && this.#links > 0) this.#links -= 1;
    if (tag === this.#heading) this.#heading = '';
    if (tag === this.#label) this.#label = '';
    this.#endedTag = tag;
  }

  endBlock(): void {
    const text = withoutIgnorable(this.#block);
    this.#block = '';
    if (this.#preformatted === 0) this.#addBlock(collapse(text));
    else for (const line of text.split('\n')) this.#addBlock(line.trimEnd());
  }

  /** The point that has been reached. */
  mark(): ContentMark {
    return {
      blocks: this.blocks.length,
      headings: this.headings.length,
      firstHeading: this.firstHeading,
      structure: this.structure,
      block: this.#block,
    };
  }

  /** Whether a letter or a digit has come since. */
  hasWordsSince(mark: ContentMark): boolean {
    const blocks = this.blocks.slice(mark.blocks);
    const rest = blocks.length > 0 ? this.#block : this.#block.slice(mark.block.length);
    return LETTER.test(rest) || blocks.some((block) => LETTER.test(block));
  }

  /** Forgets what has come since. */
  goBack(mark: ContentMark): void {
    this.blocks.length = mark.blocks;
    this.headings.length = mark.headings;
    this.sections.length = mark.headings;
    this.firstHeading = mark.firstHeading;
    this.structure = mark.structure;
    this.#block = mark.block;
  }

  #openLabel(tag: string): void {
    this.#label = tag;
    if (!tag.startsWith('h')) return;
    this.#heading = tag;
    this.#headingId = this.#lastId;
  }

  /** Keeps two words apart between which a page has no space, as style sheets do. */
  #separate(tag: string, attributes: Attributes): void {
    const ended = this.#endedTag;
    this.#endedTag = '';
    if (WITH_AREA.test(tag)) this.#block += ' ';
    const isNextToOther = ended !== '' && this.#code === 0;
    if (!isNextToOther) return;
    const isTwoOfAKind = ended === tag && NEVER_JOINED.has(tag);
    // The parts of a card, of a tab, of a badge have classes; those of a word have not.
    const isPart = attributes.has('class') || attributes.has('role') || this.#links > 0;
    if (isTwoOfAKind || isPart) this.#block += ' ';
  }

  #addBlock(text: string): void {
    if (text === '') return;
    // It changes with every build, also if nothing else does.
    const isDate = this.#isDateNext && isDateAlone(text);
    this.#isDateNext = isUpdateLabel(text);
    if (isDate || isUpdateLine(text)) return;
    this.blocks.push(text);
    this.#lastId = '';
    if (this.#heading === '') return;
    // Copied: a piece of a text keeps the whole text in memory, here that of the page.
    this.sections.push({ block: this.blocks.length - 1, id: copyText(this.#headingId) });
    // Without the sign of the link to the heading, which many generators put behind it. The look
    // behind keeps the search from starting again at each of many spaces.
    const heading = text.replace(/(?<!\s)\s*[#¶§]$/u, '');
    this.headings.push(heading);
    if (this.#heading === 'h1') this.firstHeading ||= heading;
  }

  #countOf(language: string): { chars: number } {
    const count = this.#languages.get(language) ?? { chars: 0 };
    this.#languages.set(language, count);
    return count;
  }
}

/** A text without the characters that nothing shows, and without the spaces that browsers do not show. */
export function visible(text: string): string {
  return collapse(withoutIgnorable(text));
}

/** Without the spaces and line ends that browsers do not show. */
function collapse(text: string): string {
  // A single space, as most are, stays as it is.
  return text.replace(/\s{2,}|[^\S ]/g, ' ').trim();
}
