// Tags in their usual form, as sources of regular expressions: no other form is understood.
const BLANK = String.raw`[\t\n\f\r ]`;
const NAME = String.raw`[a-z][^\t\n\f\r />]*`;
const ATTRIBUTE = String.raw`[^\t\n\f\r "'<>/=]+(?:${BLANK}*=${BLANK}*(?:"[^"]*"|'[^']*'|[^\t\n\f\r "'<>]+))?`;
const START_TAG = `(?:${BLANK}+${ATTRIBUTE})*${BLANK}*/?>`;
/** There are no tags in these. */
const RAW = 'script|style|title|textarea|iframe|noembed|noframes|plaintext|xmp';
const RAW_TEXT = new RegExp(`^(?:${RAW})$`);
/**
 * A comment, a declaration, an end tag (its name is the first group), or a start tag (the second).
 * A `<` alone is one that may begin markup of another kind.
 */
const MARKUP = new RegExp(
  String.raw`<(?:!--(?!-?>)[\s\S]*?--!?>|[!?](?!--|\[)[^>]*>|/(${NAME})${BLANK}*>|(${NAME})${START_TAG}|(?=[a-z/!?]))`,
  'gi',
);
/** Some tags, with the texts before them, that say nothing about where a difference is. */
const OTHER_TAGS = new RegExp(
  String.raw`(?:[^<]*<(?:/(?!svg[\s>])${NAME}${BLANK}*>|(?!(?:footer|time|svg|${RAW})[\s/>])${NAME}${START_TAG})){1,16}`,
  'iy',
);
/** What follows `<` or `</` may become a tag if it differs. */
const MAY_BEGIN_TAG = /<(?:\/[a-z]*)?$/i;
/** The call with which a page puts a piece into its place, up to a difference in it. */
const MOVE = /\$R(?:[A-Z]\([^()]*)?$/;
const LONGEST_MOVE = 500;
/** What may be content in a footer, or may end what is around the footer; `li` only outside of a list. */
const LEAVES_FOOTER =
  /^<(?:!--|(?:main|article|body|h[1-6]|d[dt]|t[dhr]|thead|tbody|tfoot|caption|col|colgroup|r[bpt]|rtc)[\s/>])|\brole\b(?!=["']?(?!main)[a-z]+["'\s/>])|S:[\da-f]/i;

/** Where a byte of a page is: in a tag, or in a text that no reader counts as content. */
interface Place {
  /** The whole tag; empty in a text. */
  readonly tag: string;
  /** Where the tag begins. */
  readonly start: number;
}

/**
 * Reads the markup of a page once, in its order, as the reader of pages does: whether something is
 * in a script, a time or the footer is certain only from the start on, since a `<footer>` may be in
 * a comment, or in the value of an attribute. `page`: each byte is one character.
 */
export class MarkupReader {
  readonly #page: string;
  readonly #markup = new RegExp(MARKUP);
  #next: RegExpExecArray | null;
  /** Where the last piece of markup ends, and its name if it is a start tag. */
  #end = 0;
  #name = '';
  /** How many elements of each name are open in the open footer; undefined outside of one. */
  #footer: Map<string, number> | undefined;
  /** In a picture, scripts and titles may contain tags. */
  #pictures = 0;

  constructor(page: string) {
    this.#page = page;
    this.#next = this.#markup.exec(page);
  }

  /** undefined if the place may be content, or is not understood. No place may be before the last. */
  placeOf(at: number): Place | undefined {
    while (this.#next !== null && this.#next.index + this.#next[0].length <= at)
      if (!this.#pass(this.#next, at)) return undefined;
    const { index = at, 0: tag = '' } = this.#next ?? {};
    if (index >= at) return this.#isOutsideOfContent(at) ? { tag: '', start: at } : undefined;
    return /^<\/?[a-z]/i.test(tag) ? { tag, start: index } : undefined;
  }

  #isOutsideOfContent(at: number): boolean {
    const before = this.#page.slice(Math.max(this.#end, at - LONGEST_MOVE), at);
    if (MAY_BEGIN_TAG.test(before) || MOVE.test(before)) return false;
    if (/^(?:script|style|time)$/.test(this.#name)) return true;
    return this.#footer !== undefined && !RAW_TEXT.test(this.#name);
  }

  /** Goes behind a piece of markup. False if it is not certain what follows. */
  #pass(found: RegExpExecArray, at: number): boolean {
    const [tag, endName = '', name = ''] = found;
    this.#end = found.index + tag.length;
    this.#name = name.toLowerCase();
    if (this.#name === 'footer') this.#footer ??= new Map();
    if (this.#footer !== undefined && this.#leavesFooter(this.#footer, tag, endName.toLowerCase()))
      this.#footer = undefined;
    if (this.#name === 'svg') this.#pictures += 1;
    if (/^svg$/i.test(endName) && this.#pictures > 0) this.#pictures -= 1;
    const isUnclear = tag === '<' || (this.#name === 'svg' && tag.endsWith('/>'));
    if (isUnclear || !this.#passRawText()) return false;
    if (this.#footer === undefined) this.#passOtherTags(at);
    this.#next = this.#markup.exec(this.#page);
    return true;
  }

  /** Passes most of a page, many tags at once. */
  #passOtherTags(at: number): void {
    OTHER_TAGS.lastIndex = this.#markup.lastIndex;
    while (OTHER_TAGS.test(this.#page) && OTHER_TAGS.lastIndex <= at) {
      this.#name = '';
      this.#end = OTHER_TAGS.lastIndex;
      this.#markup.lastIndex = this.#end;
    }
  }

  /** False if the end of a raw text is not certain. */
  #passRawText(): boolean {
    if (!RAW_TEXT.test(this.#name)) return true;
    const endTag = new RegExp(`</${this.#name}(?=[\\t\\n\\f\\r />])`, 'gi');
    endTag.lastIndex = this.#end;
    const end = endTag.exec(this.#page)?.index ?? -1;
    if (end < 0) return false;
    this.#markup.lastIndex = end;
    return this.#pictures === 0 || !this.#page.slice(this.#end, end).includes('<');
  }

  /** Counts what is open in the footer. True if what was passed may end it, or is not of it. */
  #leavesFooter(open: Map<string, number>, tag: string, endName: string): boolean {
    if (LEAVES_FOOTER.test(tag)) return true;
    if (this.#name === 'li' && !open.get('ul') && !open.get('ol')) return true;
    if (this.#name !== '') open.set(this.#name, (open.get(this.#name) ?? 0) + 1);
    if (endName === '') return false;
    // What did not begin in the footer is around it.
    const count = open.get(endName) ?? 0;
    open.set(endName, count - 1);
    return count < 1 || (endName === 'footer' && count === 1);
  }
}
