/** Elements that begin a line, and end it. */
export const BLOCKS: ReadonlySet<string> = new Set(
  `address article aside blockquote br caption center dd details dir div dl dt fieldset figcaption figure form h1 h2 h3 h4 h5 h6 header
   hgroup hr label legend li main menu ol optgroup option p pre search section summary table tbody td tfoot th thead tr ul`.split(
    /\s+/,
  ),
);

/** A paragraph ends with a cell of a table too. */
const PARAGRAPH = optionalEnd(
  `address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5
   h6 header hgroup hr li dt dd main menu nav ol p pre search section summary table ul caption tbody td tfoot th thead tr`,
  '',
);

/**
 * Elements whose end tag may be left out: the tags that end them, and the elements in which these
 * tags do not (HTML Standard, "Optional tags").
 */
const OPTIONAL_ENDS = new Map([
  ['p', PARAGRAPH],
  ['li', optionalEnd('li', 'ul ol menu')],
  ['dt', optionalEnd('dt dd', 'dl')],
  ['dd', optionalEnd('dt dd', 'dl')],
  ['td', optionalEnd('td th tr tbody tfoot', 'table')],
  ['th', optionalEnd('td th tr tbody tfoot', 'table')],
  ['tr', optionalEnd('tr tbody tfoot', 'table')],
  ['thead', optionalEnd('tbody tfoot', 'table')],
  ['tbody', optionalEnd('tbody tfoot', 'table')],
  ['caption', optionalEnd('col colgroup tbody td tfoot th thead tr', 'table')],
  ['rt', optionalEnd('rt rp rb rtc', '')],
  ['rp', optionalEnd('rt rp rb rtc', '')],
]);

/** In these, no end tag of an element around them counts. */
const CLOSED = /^(?:template|noscript)$/;
/** In these, only those of the table around them. */
const CLOSED_BY_TABLE = /^(?:caption|object|tbody|td|tfoot|th|thead|tr)$/;
const TABLE_TAG = /^(?:table|tbody|tfoot|thead|tr)$/;
/** In these, of the end tags of elements around them, only that of a block counts, as in blocks. */
const CLOSED_TO_INLINE =
  /^(?:button|iframe|noembed|noframes|noscript|object|select|svg|template|textarea)$/;
/** These do not end with the paragraph around them: browsers open them again behind it. */
const OPENED_AGAIN = /^(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)$/;
/** Elements without an end. */
const WITHOUT_END = /^[bh]r$/;

/**
 * A start tag of `enders` ends the element, unless it is inside one of `within` that is itself in
 * the element.
 */
function optionalEnd(enders: string, within: string) {
  return { enders: new Set(enders.split(/\s+/)), within: within.split(' ') };
}

/** Whether a start tag ends a paragraph. An end tag of such an element does too, if it is open. */
export function endsParagraph(tag: string): boolean {
  return PARAGRAPH.enders.has(tag);
}

/** Whether browsers end the element with any element around it. */
function isInline(tag: string): boolean {
  return !endsParagraph(tag) && !CLOSED_TO_INLINE.test(tag);
}

/** An element while it is open. Finds out where it ends. */
export class OpenElement {
  readonly tag: string;
  readonly #endsWithParagraph: boolean;
  /** How many elements of each name are open in it, itself included. */
  readonly #openCounts = new Map<string, number>();

  /** `isInParagraph`: a paragraph is open around it. */
  constructor(tag: string, isInParagraph = false) {
    this.tag = tag;
    this.#endsWithParagraph = isInParagraph && isInline(tag) && !OPENED_AGAIN.test(tag);
    this.#openCounts.set(tag, 1);
  }

  /** Takes a start tag. Gives whether it ends the element, whose end tag was left out. */
  endsAtStartTag(tag: string): boolean {
    if (this.#endsWithParagraph && endsParagraph(tag)) return true;
    const ends = OPTIONAL_ENDS.get(this.tag);
    if (ends?.enders.has(tag)) {
      // Such as an item of a list that is in this item.
      const isWithin = ends.within.some((name) => this.#openCount(name) > 0);
      if (!isWithin) return true;
    }
    this.#openCounts.set(tag, this.#openCount(tag) + 1);
    return false;
  }

  /**
   * Takes an end tag. Gives whether it ends the element: it is the element's end tag, or, if that
   * is missing, the end tag of an element around it.
   */
  endsAtEndTag(tag: string): boolean {
    const count = this.#openCount(tag);
    if (count > 0) this.#openCounts.set(tag, count - 1);
    // Of several with its name, the others are in it.
    if (tag === this.tag) return count === 1;
    // What did not begin in the element is around it.
    return count === 0 && this.#mayEndWith(tag);
  }

  /** Whether browsers end the element with one around it. */
  #mayEndWith(tag: string): boolean {
    if (CLOSED.test(this.tag) || WITHOUT_END.test(tag)) return false;
    if (!BLOCKS.has(tag)) return isInline(this.tag);
    if (CLOSED_BY_TABLE.test(this.tag)) return TABLE_TAG.test(tag);
    // A block ends a paragraph when it begins, so none is around it.
    return tag !== 'p' || !endsParagraph(this.tag);
  }

  #openCount(tag: string): number {
    return this.#openCounts.get(tag) ?? 0;
  }
}
