/**
 * What changed from one export to another: what the file at `changes-path` contains. Every title,
 * heading, excerpt and address in it comes from pages, and may be made to do harm: escape it where
 * you show it. Lists are sorted by path, in the order of code units.
 */
export interface Comparison extends PageChanges {
  readonly version: 1;
  readonly from: ComparedExport | ListedPages;
  readonly to: ComparedExport;
  /**
   * `content`: pages were read, and a build hash or a date in a footer is not a change. `hashes`:
   * only a manifest of the earlier export was there, so that every file that differs is a change,
   * and there are no words, headings and excerpts. `pages`: only the list of pages was there that a
   * site has in `docs-courier.manifest.json`, so that nothing is known of other files, and there
   * are no words, headings and excerpts.
   */
  readonly basis: 'content' | 'hashes' | 'pages';
  /** Pages that are the same. */
  readonly unchanged: number;
  /** The other files; absent if only the pages of the earlier export are known. */
  readonly assets?: AssetChanges | undefined;
  /**
   * Links that lead to nothing, with the pages that had none to there before; absent if the broken
   * links are not known of both.
   */
  readonly newlyBroken?: readonly BrokenLink[] | undefined;
  /**
   * Every address at which a page was and none is now: pages that were removed, and the former
   * addresses of moved ones.
   */
  readonly lost: readonly LostAddress[];
  /**
   * Where the pages are, those with the most changes first. Sections without a change are among
   * them.
   */
  readonly sections: readonly SectionChanges[];
}

/**
 * One page of an export, as the comparison needs it. Titles come from pages: escape it where you
 * show it.
 */
export interface PageEntry {
  /** Its address in the site, such as `/guide/start`. */
  readonly path: string;
  readonly title: string;
  /**
   * Equal for two pages that look the same to a reader. If only a manifest is known, the hash of
   * the whole file.
   */
  readonly fingerprint: string;
  /** A sample of the text, to compare it with pages at other addresses. */
  readonly sketch?: Uint32Array | undefined;
}

export interface PageChanges {
  readonly added: readonly NamedPage[];
  readonly removed: readonly RemovedPage[];
  readonly moved: readonly MovedPage[];
  readonly changed: readonly ChangedPage[];
}

export interface ComparedExport {
  readonly jobId: string;
  readonly pages: number;
  readonly files: number;
  /** The size of all files together, unpacked. */
  readonly bytes: number;
}

/** A site of which only the list of its pages is known. */
interface ListedPages {
  readonly pages: number;
  readonly jobId?: undefined;
}

/** A link that leads to nothing. */
export interface BrokenLink {
  /** Where it leads: an address in the site. */
  readonly target: string;
  /** The addresses of the pages that have it. */
  readonly pages: readonly string[];
}

interface NamedPage {
  /** The page's address in the site, such as `/guide/start`; `/` for the first one. */
  readonly path: string;
  /**
   * Its first heading, or else what the browser shows as its title. If nothing was read, the path.
   */
  readonly title: string;
}

interface RemovedPage extends NamedPage {
  /**
   * Where the address leads now: another one of the site, or of another host. Absent: nowhere, a
   * reader gets 404.
   */
  readonly redirect?: string | undefined;
}

export interface MovedPage {
  readonly from: string;
  readonly to: string;
  /** The title of the page at its new address. */
  readonly title: string;
  /** How much of the text is the same, from 0 to 1, if the move shows by that alone. */
  readonly similarity?: number | undefined;
}

export interface ChangedPage extends NamedPage, PageDifference {
  /** It has moved as well: its address before. */
  readonly movedFrom?: string;
}

export interface PageDifference {
  readonly words?: number;
  /** Both are 0 if only the structure changed: a paragraph that became a list item, an image. */
  readonly wordsAdded?: number;
  readonly wordsRemoved?: number;
  /** Headings that came and went; at most 20 of each. */
  readonly headings?: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** The first places where the visible text differs, at most 3. */
  readonly excerpts?: readonly Excerpt[];
}

/** One place of a page. Empty: there was nothing before, or there is nothing now. */
export interface Excerpt {
  readonly before: string;
  readonly after: string;
}

export interface AssetChanges {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/** An address at which a page was and none is now. */
export interface LostAddress extends RemovedPage {
  /** The same page at another address. Without `redirect`, readers are not led there. */
  readonly movedTo?: string | undefined;
  /** How many pages of the new export still link there. */
  readonly links: number;
  /** The first of them, at most 20. */
  readonly linkedFrom: readonly string[];
}

export interface SectionChanges {
  /** The first part of the addresses, such as `/guide`; `/` for pages at the top. */
  readonly section: string;
  /** Pages of the new export. */
  readonly pages: number;
  readonly added: number;
  readonly removed: number;
  /** Counted where the page is now. */
  readonly moved: number;
  readonly changed: number;
}

/** The addresses that had a page, and lead nowhere now: the page is gone and has no redirect. */
export function lostWithoutRedirect(comparison: Comparison): readonly LostAddress[] {
  return comparison.lost.filter((address) => address.redirect === undefined);
}

/** How many pages of a section are not what they were. */
export function changesIn(section: SectionChanges): number {
  return section.added + section.removed + section.moved + section.changed;
}

/**
 * Whether two exports have the same content: no page and no other file was added, removed, moved or
 * changed.
 */
export function isUnchanged(comparison: Comparison): boolean {
  const { assets = NO_FILES, added, removed, moved, changed } = comparison;
  const pageChanges = added.length + removed.length + moved.length + changed.length;
  return pageChanges + assets.added + assets.removed + assets.changed === 0;
}

const NO_FILES: AssetChanges = { added: 0, removed: 0, changed: 0 };
