import { hash } from 'node:crypto';
import { copyText } from '../../text/pieces.ts';
import { type Attributes, idOf, readMetaRefresh } from './references.ts';

/**
 * What a reader sees of a page: for the comparison of two exports, the search that is added, and
 * the live check.
 */
export interface PageContent {
  /**
   * The first heading of the first level, else the title of the document; empty if there is
   * neither.
   */
  readonly title: string;
  /** The title of the document (`<title>`); empty if it has none. */
  readonly documentTitle: string;
  /**
   * The address to which the page sends its readers at once (meta refresh), as the page gives it.
   * Such a page is a redirect, and not a page.
   */
  readonly redirect: string | undefined;
  readonly headings: readonly string[];
  /** The language of the page (`<html lang>`); empty if it has none. */
  readonly language: string;
  /** Whether the page asks search engines to leave it out (`<meta name="robots">`). */
  readonly isNoIndex: boolean;
  /** Where each heading is in `blocks`. */
  readonly sections: readonly SectionStart[];
  /**
   * The visible text, a paragraph, an item, a cell or a line of code each; without what changes
   * with every build.
   */
  readonly blocks: readonly string[];
  /** Equal for equal text and structure; undefined for an empty page. */
  readonly fingerprint: string | undefined;
}

/** A heading of a page, which begins a section. */
interface SectionStart {
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

/** The attributes that the content is read from, besides those of references. */
export const CONTENT_ATTRIBUTES: readonly string[] = [
  'role',
  'hidden',
  'aria-hidden',
  'alt',
  'style',
  'lang',
];

// Elements that surround the content, that readers do not see, or that say when the page was built.
const SKIPPED: ReadonlySet<string> = new Set(
  'script style template noscript nav footer svg time iframe object button select textarea dialog'.split(
    ' ',
  ),
);
// The header of an article contains its title, and its asides are notes; those of a site are its
// menu and its sidebar.
const SKIPPED_AROUND: ReadonlySet<string> = new Set(['header', 'aside']);
const BLOCKS: ReadonlySet<string> = new Set(
  `address article aside blockquote br caption dd details div dl dt fieldset figcaption figure form h1 h2 h3 h4 h5 h6 header hr li main
   ol p pre section summary table tbody td tfoot th thead tr ul`.split(/\s+/),
);
// Without the elements that only contain others or carry a style: a new theme changes those on
// every page.
const STRUCTURE: ReadonlySet<string> = new Set(
  `a audio blockquote caption code dd del details dl dt em figure h1 h2 h3 h4 h5 h6 hr img ins kbd li math ol p pre s strong sub
   summary sup table td th tr ul video`.split(/\s+/),
);
/** Where the content is, the best last. */
const REGIONS: readonly string[] = ['body', 'article', 'main'];
const MAIN = REGIONS.indexOf('main');
// The page, and elements without content: `hidden` does not matter on these.
const NEVER_HIDDEN =
  /^(?:html|body|main|area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
/**
 * Elements whose end tag may be left out: the tags that end them, and the elements in which these
 * tags do not (HTML Standard, "Optional tags").
 */
const OPTIONAL_ENDS = new Map([
  [
    'p',
    optionalEnd(
      `address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5
       h6 header hgroup hr li dt dd main menu nav ol p pre search section table ul`,
      '',
    ),
  ],
  ['li', optionalEnd('li', 'ul ol menu')],
  ['dt', optionalEnd('dt dd', 'dl')],
  ['dd', optionalEnd('dt dd', 'dl')],
  ['td', optionalEnd('td th tr tbody tfoot', 'table')],
  ['th', optionalEnd('td th tr tbody tfoot', 'table')],
  ['tr', optionalEnd('tr tbody tfoot', 'table')],
]);

/**
 * A start tag of `enders` ends the element, unless it is inside one of `within` that is itself in
 * the element.
 */
function optionalEnd(enders: string, within: string) {
  return { enders: enders.split(/\s+/), within: within.split(' ') };
}

// Styles that hide an element. `hidden="until-found"` does not: a reader can search for the
// content.
const NOT_DISPLAYED = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!|;|$)/i;
const NO_INDEX = /(?:^|,)\s*(?:noindex|none)\s*(?:,|$)/i;
// A redirect that takes longer is a page that loads itself again.
const LONGEST_DELAY_S = 10;

const DATE = String.raw`(?:\p{L}+,?\s+)?(?:\d{1,2}\.?\s+\p{L}{3,9}\.?,?\s+\d{4}|\p{L}{3,9}\.?\s+\d{1,2},?\s+\d{4}|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})`;
/** A line such as `Last updated on Nov 21, 2026, 14:02` and nothing more. */
const BUILD_DATE = new RegExp(
  String.raw`^(?:page\s+)?(?:last\s+)?(?:updated|modified|edited|built|generated)(?:\s+(?:on|at))?\s*:?\s+${DATE}(?:[T,]?\s*(?:at\s+)?\d{1,2}:\d\d[^.!?]{0,20})?(?:\s+by\s[^.!?]{1,60})?\.?$`,
  'iu',
);
const LONGEST_BUILD_DATE = 160;

/** An element that is left out of the content, while it is open. Finds out where it ends. */
class Skipped {
  readonly tag: string;
  /**
   * How many elements of each name are open in it, itself included. Counted are only its own name
   * and, if its end tag may be left out, all others.
   */
  readonly #openCounts = new Map<string, number>();

  constructor(tag: string) {
    this.tag = tag;
    this.#openCounts.set(tag, 1);
  }

  /** Takes a start tag. Gives whether it ends the element, whose end tag was left out. */
  endsAtStartTag(tag: string): boolean {
    const ends = OPTIONAL_ENDS.get(this.tag);
    if (ends?.enders.includes(tag) === true) {
      // Such as an item of a list that is in this item.
      const isWithin = ends.within.some((name) => this.#openCount(name) > 0);
      if (!isWithin) return true;
    }
    if (tag === this.tag || ends !== undefined) this.#openCounts.set(tag, this.#openCount(tag) + 1);
    return false;
  }

  /**
   * Takes an end tag. Gives whether it ends the element: it is the element's end tag, or, if that
   * was left out, the end tag of an element around it.
   */
  endsAtEndTag(tag: string): boolean {
    const count = this.#openCount(tag);
    if (count > 0) this.#openCounts.set(tag, count - 1);
    // Of several with its name, the others are in it.
    if (tag === this.tag) return count === 1;
    if (!OPTIONAL_ENDS.has(this.tag)) return false;
    // A block that did not begin in the element is around it. The end tag of anything else that did
    // not is a mistake of the page, and ends nothing.
    return count === 0 && BLOCKS.has(tag);
  }

  #openCount(tag: string): number {
    return this.#openCounts.get(tag) ?? 0;
  }
}

/** The content of one region of a page, while it is read. */
class Content {
  readonly blocks: string[] = [];
  readonly headings: string[] = [];
  readonly sections: SectionStart[] = [];
  /** The text of the first `h1`; empty if there is none yet. */
  firstHeading = '';
  /** The names of the elements so far, and the texts instead of images. */
  structure = '';
  /** The text so far of the block that is being read. */
  #block = '';
  /** The tag of the heading that is open; empty if none is. */
  #heading = '';
  /** The id of the open heading, of an element around it, or of one in it. */
  #headingId = '';
  /**
   * The last id since the last text. If a section with an id begins with a heading, that id leads
   * to the heading.
   */
  #lastId = '';
  /** How many elements with preformatted text are open. */
  #preformatted = 0;

  open(tag: string, attributes: Attributes): void {
    if (tag === 'img') this.structure += `img ${attributes.get('alt') ?? ''},`;
    else if (STRUCTURE.has(tag)) this.structure += `${tag},`;
    if (tag === 'pre') this.#preformatted += 1;
    // An empty id leads nowhere, as if there were none.
    const id = idOf(tag, attributes) ?? '';
    if (id !== '') this.#lastId = id;
    if (/^h[1-6]$/.test(tag)) {
      this.#heading = tag;
      this.#headingId = this.#lastId;
    }
    // An id inside a heading counts if there is none before.
    if (this.#heading !== '') this.#headingId ||= id;
  }

  add(text: string): void {
    this.#block += text;
  }

  close(tag: string): void {
    if (BLOCKS.has(tag)) this.endBlock();
    if (tag === 'pre' && this.#preformatted > 0) this.#preformatted -= 1;
    if (tag === this.#heading) this.#heading = '';
  }

  endBlock(): void {
    const text = this.#block;
    this.#block = '';
    if (this.#preformatted === 0) this.#addBlock(collapse(text));
    else for (const line of text.split('\n')) this.#addBlock(line.trimEnd());
  }

  #addBlock(text: string): void {
    if (text === '') return;
    // It changes with every build, also if nothing else does.
    if (text.length <= LONGEST_BUILD_DATE && BUILD_DATE.test(text)) return;
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
}

/**
 * Takes the elements and texts of one page in their order, and gives its content. The rule of what
 * counts is written down in docs/explanation/comparing-exports.md: the text and the structure of
 * `main`, else of `article`, else of `body`, without navigation, footers, times, and what is
 * hidden. Attributes count for nothing but the text instead of an image.
 */
export class ContentReader {
  #documentTitle = '';
  #language = '';
  #isNoIndex = false;
  #inTitle = false;
  #redirect: string | undefined;
  /** The index in `REGIONS` of the best region so far: 0 until there is an article or a main. */
  #rank = 0;
  /**
   * The open element that contains the content, and how many elements with its tag are open.
   * undefined before the first one, while the body is the content, and after it has ended.
   */
  #region: { readonly tag: string; depth: number } | undefined;
  /** The open element that is skipped, with everything in it. */
  #skip: Skipped | undefined;
  #content = new Content();

  /** True in a picture (SVG), where scripts and titles are elements like all others. */
  get isForeign(): boolean {
    return this.#skip?.tag === 'svg';
  }

  open(tag: string, attributes: Attributes): void {
    if (tag === 'meta') this.#readMeta(attributes);
    if (tag === 'html') this.#language ||= attributes.get('lang')?.trim() ?? '';
    const isFirstTitle = tag === 'title' && this.#documentTitle === '';
    // Pictures have titles too.
    if (isFirstTitle && !this.isForeign) this.#inTitle = true;
    // These are content wherever they are: in a header, or in an element whose end tag is missing.
    if (tag === 'body' || isMain(tag, attributes)) this.#skip = undefined;
    if (this.#skip?.endsAtStartTag(tag) === true) this.#skip = undefined;
    this.#enterRegion(tag, attributes);
    if (this.#skip !== undefined || this.#isOver) return;
    // The text after the start of a block belongs to another block than the text before.
    if (BLOCKS.has(tag)) this.#content.endBlock();
    if (this.#isSkipped(tag, attributes)) this.#skip = new Skipped(tag);
    else this.#content.open(tag, attributes);
  }

  add(text: string): void {
    if (this.#inTitle) this.#documentTitle += text;
    else if (this.#skip === undefined && !this.#isOver) this.#content.add(text);
  }

  close(tag: string): void {
    if (tag === 'title') this.#inTitle = false;
    const skippedTag = this.#skip?.tag;
    if (this.#skip?.endsAtEndTag(tag) === true) this.#skip = undefined;
    // Its own end tag is skipped too; that of an element around it, which may end it, is not.
    if (this.#skip === undefined && skippedTag !== tag) this.#content.close(tag);
    this.#leaveRegion(tag);
  }

  end(): PageContent {
    this.#content.endBlock();
    const { blocks, headings, sections, structure, firstHeading } = this.#content;
    // Copied as the ids of headings are: callers keep these texts of all pages of a site.
    const documentTitle = copyText(collapse(this.#documentTitle));
    return {
      title: copyText(firstHeading) || documentTitle,
      documentTitle,
      redirect: this.#redirect && copyText(this.#redirect),
      headings,
      language: copyText(this.#language),
      isNoIndex: this.#isNoIndex,
      sections,
      blocks,
      // Computed only on demand: the search does not need it.
      get fingerprint() {
        return fingerprintOf(structure, blocks);
      },
    };
  }

  /** The element that contained the content has ended. */
  get #isOver(): boolean {
    return this.#rank > 0 && this.#region === undefined;
  }

  /** True if the element and everything in it are not content. */
  #isSkipped(tag: string, attributes: Attributes): boolean {
    // No article or main has begun.
    const isInBody = this.#rank === 0;
    if (SKIPPED.has(tag) || (isInBody && SKIPPED_AROUND.has(tag))) return true;
    if (NEVER_HIDDEN.test(tag)) return false;
    // `contentinfo` is the role of a footer.
    return isHidden(attributes) || keywordOf(attributes, 'role') === 'contentinfo';
  }

  /** Notes that the content is in this element, if it is a better region than the last one. */
  #enterRegion(tag: string, attributes: Attributes): void {
    if (this.#region?.tag === tag) this.#region.depth += 1;
    const rank = isMain(tag, attributes) ? MAIN : REGIONS.indexOf(tag);
    // The body, where all content is from the start, or an element that is not a region.
    if (rank <= 0) return;
    const isBetter = rank > this.#rank;
    // A second article (or main) after the end of the first is content too.
    const isNext = rank === this.#rank && this.#region === undefined;
    if (!isBetter && !isNext) return;
    // An article in the menu or in a dialog is not content.
    if (this.#skip !== undefined) return;
    // What was read until now, in a worse region, is not content.
    if (isBetter) this.#content = new Content();
    this.#rank = rank;
    this.#region = { tag, depth: 1 };
  }

  #leaveRegion(tag: string): void {
    if (this.#region?.tag !== tag) return;
    this.#region.depth -= 1;
    if (this.#region.depth > 0) return;
    this.#content.endBlock();
    this.#region = undefined;
    // What is open in the region ends with it.
    this.#skip = undefined;
  }

  #readMeta(attributes: Attributes): void {
    const content = attributes.get('content');
    if (content === undefined) return;
    const isForRobots = attributes.get('name')?.toLowerCase() === 'robots';
    if (isForRobots && NO_INDEX.test(content)) this.#isNoIndex = true;
    if (attributes.get('http-equiv')?.toLowerCase() !== 'refresh') return;
    // The text begins with the delay. If it has none, the redirect is at once: NaN is not too long.
    const delayS = Number.parseFloat(content);
    if (delayS > LONGEST_DELAY_S) return;
    // Of several with an address, the first counts, as in browsers.
    this.#redirect ??= readMetaRefresh(content);
  }
}

/** Whether an element is the main content by its name or its role. */
function isMain(tag: string, attributes: Attributes): boolean {
  return tag === 'main' || keywordOf(attributes, 'role') === 'main';
}

/** A role or a state, as a word: case and the spaces around it do not matter. */
function keywordOf(attributes: Attributes, name: string): string | undefined {
  return attributes.get(name)?.trim().toLowerCase();
}

/** Equal for equal text and structure; undefined for an empty page. */
function fingerprintOf(structure: string, blocks: readonly string[]): string | undefined {
  if (blocks.length === 0 && structure === '') return undefined;
  return hash('sha256', `${structure}\n${blocks.join('\n')}`, 'base64url');
}

function isHidden(attributes: Attributes): boolean {
  // A reader can choose the tab of a hidden panel, and then sees it.
  if (keywordOf(attributes, 'role') === 'tabpanel') return false;
  const hidden = keywordOf(attributes, 'hidden');
  if (hidden !== undefined && hidden !== 'until-found') return true;
  if (keywordOf(attributes, 'aria-hidden') === 'true') return true;
  return NOT_DISPLAYED.test(attributes.get('style') ?? '');
}

/** Without the spaces and line ends that browsers do not show. */
function collapse(text: string): string {
  // A single space, as most are, stays as it is.
  return text.replace(/\s{2,}|[^\S ]/g, ' ').trim();
}
