import { hash } from 'node:crypto';
import { copyText } from '../../ground/text/pieces.ts';
import { Content, type ContentMark, type SectionStart, visible } from './content.ts';
import { BLOCKS, endsParagraph, OpenElement } from './open-element.ts';
import { type Attributes, readMetaRefresh } from './references.ts';
import { readBoundaryComment } from './streamed-pieces.ts';

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
  /** The language of most of the text, by the nearest `lang`; empty if there is none. */
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
  /** True without any text: then nothing can be said of what readers see. */
  readonly isEmpty: boolean;
  /**
   * True if that is because scripts fill the page: it has a place for that, or only what is shown
   * until a part of it comes.
   */
  readonly isFilledLater: boolean;
  /** Equal for equal text and structure; undefined for an empty page. */
  readonly fingerprint: string | undefined;
}

/** The attributes that the content is read from, besides those of references. */
export const CONTENT_ATTRIBUTES: readonly string[] = [
  'role',
  'class',
  'hidden',
  'aria-hidden',
  'aria-controls',
  'alt',
  'style',
  'lang',
];

// Elements that surround the content, that readers do not see, or that say when the page was built.
const SKIPPED: ReadonlySet<string> = new Set(
  `script style template noscript nav footer svg time iframe object button select textarea dialog datalist progress meter
   audio video canvas rp annotation noembed noframes`.split(/\s+/),
);
// The header of an article contains its title, and its asides are notes; those of a site are its
// menu and its sidebar.
const SKIPPED_AROUND: ReadonlySet<string> = new Set(['header', 'aside']);
/** Where the content is, the best last. */
const REGIONS: readonly string[] = ['body', 'article', 'main'];
const MAIN = REGIONS.indexOf('main');
/** Nothing in these is shown. */
const INERT = /^(?:template|noscript)$/;
// The page, and elements without content: `hidden` does not matter on these.
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
const NEVER_HIDDEN = new RegExp(`^(?:html|body|main)$|${VOID.source}`);
// Styles that hide an element. `hidden="until-found"` does not: a reader can search for the
// content.
const NOT_DISPLAYED = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!|;|$)/i;
/**
 * The classes by which generators and style libraries give a text to screen readers alone, in the
 * value of an attribute or in a tag.
 */
export const FOR_SCREEN_READERS =
  /(?:^|[\s"'=_-])(?<!not-)(?:sr[-_]?only|visually[-_]?hidden|hidden-visually|screen-?reader(?:-?(?:text|only))?|show-for-sr|assistive-text|element-invisible|katex-mathml)(?![a-z])/i;
/** All that a page shows until its scripts fill it. */
export const WAITING =
  /^(?:(?:page |content |docs? )?(?:is )?loading(?: (?:the )?(?:page|content|docs?|documentation))?|please wait|initiali[sz]ing|(?:wird |seite wird )?geladen|lädt|chargement(?: en cours)?|cargando|carregando|caricamento(?: in corso)?|загрузка|(?:正在)?(?:加载|載入)中?|読み込み中(?:です)?|로딩 ?중)[\s.…]*$/i;
/** The style that such classes have, where a component writes it itself. */
const CLIPPED = /(?:^|[;\s])clip(?:-path)?\s*:\s*(?:rect\(\s*[01](?:px)?\b|inset\(\s*(?:50|100)%)/i;
const NO_INDEX = /(?:^|,)\s*(?:noindex|none)\s*(?:,|$)/i;
// A redirect that takes longer is a page that loads itself again.
const LONGEST_DELAY_S = 10;

/** An element that is hidden from screen readers, while it is open, and the content before it. */
interface Silent {
  readonly element: OpenElement;
  readonly before: ContentMark;
}

/**
 * Takes the elements and texts of one page in their order, and gives its content. The rule of what
 * counts is written down in docs/explanation/comparing-exports.md: the text and the structure of
 * `main`, else of `article`, else of `body`, without navigation, footers, times, and what is
 * hidden. Attributes count for nothing but the text instead of an image.
 */
export class ContentReader {
  #documentTitle = '';
  #isNoIndex = false;
  #inTitle = false;
  #redirect: string | undefined;
  /** The language of the page, and the open elements with another one, the innermost last. */
  #pageLanguage = '';
  readonly #languages: { readonly element: OpenElement; readonly language: string }[] = [];
  /** The ids of what a control opens. */
  readonly #controlled: Set<string>;
  /** The ids of hidden elements that no control had named before. */
  readonly #hiddenIds = new Set<string>();
  #hasScript = false;
  /** Whether a part of the page comes later, or by a script. */
  #hasFallback = false;
  /** How many boundaries are open in what is shown until a piece comes, that one included. */
  #fallbacks = 0;
  /** The index in `REGIONS` of the best region so far: 0 until there is an article or a main. */
  #rank = 0;
  /**
   * The open element that contains the content, and how many elements with its tag are open.
   * undefined before the first one, while the body is the content, and after it has ended.
   */
  #region: { readonly tag: string; depth: number } | undefined;
  /** The open element that is skipped, with everything in it. */
  #skip: OpenElement | undefined;
  /** Whether a paragraph is open that is content. */
  #isInParagraph = false;
  /** The outermost open element that is hidden from screen readers alone. */
  #silent: Silent | undefined;
  /** The content before such an element that has just ended: its twin may follow. */
  #beforeTwin: ContentMark | undefined;
  #content = new Content('');

  /** `controlled`: the ids that controls of the page are known to name. */
  constructor(controlled = new Set<string>()) {
    this.#controlled = controlled;
  }

  /** A reader for the same page that knows all of its controls; undefined if it would read no more. */
  get withAllControls(): ContentReader | undefined {
    for (const id of this.#hiddenIds)
      if (this.#controlled.has(id)) return new ContentReader(this.#controlled);
    return undefined;
  }

  /** True in a picture (SVG), where scripts and titles are elements like all others. */
  get isForeign(): boolean {
    return this.#skip?.tag === 'svg';
  }

  open(tag: string, attributes: Attributes): void {
    if (this.#fallbacks > 0) return;
    if (tag === 'meta') this.#readMeta(attributes);
    if (tag === 'script') this.#hasScript = true;
    const isFirstTitle = tag === 'title' && this.#documentTitle === '';
    // Pictures have titles too.
    if (isFirstTitle && !this.isForeign) this.#inTitle = true;
    this.#endAtStartTag(tag, attributes);
    if (attributes.size > 0) this.#noteAttributes(tag, attributes);
    this.#enterRegion(tag, attributes);
    if (this.#skip === undefined && !this.#isOver) this.#openContent(tag, attributes);
  }

  add(text: string): void {
    if (this.#fallbacks > 0) return;
    if (this.#inTitle) this.#documentTitle += text;
    else if (this.#skip === undefined && !this.#isOver) {
      this.#content.add(text);
      if (this.#beforeTwin !== undefined && /\S/.test(text)) this.#beforeTwin = undefined;
    }
  }

  close(tag: string): void {
    if (this.#fallbacks > 0) return;
    if (tag === 'title') this.#inTitle = false;
    const skippedTag = this.#skip?.tag;
    if (this.#skip?.endsAtEndTag(tag)) this.#skip = undefined;
    // Its own end tag is skipped too; that of an element around it, which may end it, is not.
    if (this.#skip === undefined && skippedTag !== tag) this.#closeContent(tag);
    if (this.#silent?.element.endsAtEndTag(tag)) this.#endSilent();
    this.#closeLanguage(tag);
    this.#leaveRegion(tag);
  }

  /** Takes a comment: some are the limits of a part that comes later. */
  comment(text: string): void {
    const kind = readBoundaryComment(text);
    if (kind === 'fallback') this.#hasFallback = true;
    if (kind === 'end' && this.#fallbacks > 0) this.#fallbacks -= 1;
    else if (kind === 'fallback' || (kind === 'content' && this.#fallbacks > 0))
      this.#fallbacks += 1;
  }

  end(): PageContent {
    this.#content.endBlock();
    if (this.#isWaiting) {
      this.#hasFallback = true;
      this.#content = new Content('');
    }
    const { blocks, headings, sections, structure, firstHeading } = this.#content;
    const isEmpty = blocks.length === 0 && this.#redirect === undefined;
    const hasPlace = this.#hasScript && structure === '' && this.#content.hasPlace;
    // Copied as the ids of headings are: callers keep these texts of all pages of a site.
    const documentTitle = copyText(visible(this.#documentTitle));
    return {
      title: copyText(firstHeading) || documentTitle,
      documentTitle,
      redirect: this.#redirect && copyText(this.#redirect),
      headings,
      language: copyText(this.#content.language ?? this.#pageLanguage),
      isNoIndex: this.#isNoIndex,
      sections,
      blocks,
      isEmpty,
      isFilledLater: isEmpty && (this.#hasFallback || hasPlace),
      // Computed only on demand: the search does not need it.
      get fingerprint() {
        return fingerprintOf(structure, blocks);
      },
    };
  }

  /** Scripts put the content in place of the one text that is there. */
  get #isWaiting(): boolean {
    const [first = '', ...others] = this.#content.blocks;
    return this.#hasScript && others.length === 0 && WAITING.test(first);
  }

  /** Ends the elements that this start tag ends. */
  #endAtStartTag(tag: string, attributes: Attributes): void {
    // These are content wherever they are: in a header, or in an element whose end tag is missing.
    // A heading in a button is one for readers.
    const isShown = tag === 'body' || isMain(tag, attributes);
    const isInButton = this.#skip?.tag === 'button' && /^h[1-6]$/.test(tag);
    const isRead = isInButton || (isShown && !INERT.test(this.#skip?.tag ?? ''));
    const endsSkip = isRead || this.#skip?.endsAtStartTag(tag) === true;
    if (endsSkip) this.#skip = undefined;
    if (this.#silent?.element.endsAtStartTag(tag)) this.#endSilent();
    if (this.#languages.at(-1)?.element.endsAtStartTag(tag)) this.#endLanguage();
  }

  #openContent(tag: string, attributes: Attributes): void {
    // The text after the start of a block belongs to another block than the text before.
    if (BLOCKS.has(tag)) this.#content.endBlock();
    if (endsParagraph(tag)) this.#isInParagraph = false;
    if (this.#isSkipped(tag, attributes)) {
      this.#skip = new OpenElement(tag, this.#isInParagraph);
      this.#content.pass(tag, attributes);
      return;
    }
    const isSilent = this.#silent === undefined && keywordOf(attributes, 'aria-hidden') === 'true';
    if (isSilent && !NEVER_HIDDEN.test(tag))
      this.#silent = { element: new OpenElement(tag), before: this.#content.mark() };
    this.#content.open(tag, attributes);
    if (tag === 'p') this.#isInParagraph = true;
  }

  #closeContent(tag: string): void {
    this.#content.close(tag);
    if (endsParagraph(tag)) this.#isInParagraph = false;
  }

  /** The element that contained the content has ended. */
  get #isOver(): boolean {
    return this.#rank > 0 && this.#region === undefined;
  }

  /** True if the element and everything in it are not content. */
  #isSkipped(tag: string, attributes: Attributes): boolean {
    // No article or main has begun.
    const isInBody = this.#rank === 0;
    const isQuestion = tag === 'button' && this.#content.isInLabel;
    if (SKIPPED.has(tag) && !isQuestion) return true;
    if (isInBody && SKIPPED_AROUND.has(tag)) return true;
    // Most tags have no attribute of use.
    if (attributes.size === 0 || NEVER_HIDDEN.test(tag)) return false;
    // `contentinfo` is the role of a footer.
    if (keywordOf(attributes, 'role') === 'contentinfo' || this.#isHidden(attributes)) return true;
    return this.#isForScreenReaders(attributes);
  }

  #isHidden(attributes: Attributes): boolean {
    const hidden = keywordOf(attributes, 'hidden');
    const isHidden = hidden !== undefined && hidden !== 'until-found';
    if (!isHidden && !NOT_DISPLAYED.test(attributes.get('style') ?? '')) return false;
    // A reader can choose the tab of a hidden panel, or the question above it, and then sees it.
    const isPanel = /^(?:tabpanel|region)$/.test(keywordOf(attributes, 'role') ?? '');
    if (isPanel) return false;
    const id = attributes.get('id');
    if (id === undefined) return true;
    const isOpened = this.#controlled.has(id);
    if (!isOpened) this.#hiddenIds.add(id);
    return !isOpened;
  }

  /** Of two texts with one meaning, the one for screen readers counts. Without the other, neither. */
  #isForScreenReaders(attributes: Attributes): boolean {
    const before = this.#beforeTwin;
    this.#beforeTwin = undefined;
    const isNamed = FOR_SCREEN_READERS.test(attributes.get('class') ?? '');
    if (!isNamed && !CLIPPED.test(attributes.get('style') ?? '')) return false;
    if (before === undefined) return true;
    this.#content.goBack(before);
    return false;
  }

  /** Ends an element that is hidden from screen readers: a sign alone, such as `#`, is not a text. */
  #endSilent(): void {
    const before = this.#silent?.before;
    this.#silent = undefined;
    if (before === undefined) return;
    if (this.#content.hasWordsSince(before)) this.#beforeTwin = before;
    else this.#content.goBack(before);
  }

  #endMarks(): void {
    this.#silent = undefined;
    this.#beforeTwin = undefined;
  }

  #closeLanguage(tag: string): void {
    if (this.#languages.at(-1)?.element.endsAtEndTag(tag)) this.#endLanguage();
  }

  #endLanguage(): void {
    this.#languages.pop();
    this.#content.speak(this.#language);
  }

  /** The language of the text that comes next. */
  get #language(): string {
    return this.#languages.at(-1)?.language ?? this.#pageLanguage;
  }

  /** Notes what a control opens, and the language of an element. */
  #noteAttributes(tag: string, attributes: Attributes): void {
    for (const id of attributes.get('aria-controls')?.match(/\S+/g) ?? []) this.#controlled.add(id);
    const language = attributes.get('lang')?.trim();
    if (language === undefined || VOID.test(tag)) return;
    if (tag === 'html' || tag === 'body') this.#pageLanguage = language;
    else this.#languages.push({ element: new OpenElement(tag), language });
    this.#content.speak(language);
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
    if (isBetter) this.#content = new Content(this.#language);
    this.#endMarks();
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
    this.#endMarks();
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
