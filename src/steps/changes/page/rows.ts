import { countOf } from '../../../ground/text/amounts.ts';
import { cut, escapeMarkup, stripInvisible } from '../../../ground/text/escape.ts';
import type { ToPageUrl } from '../../../ground/text/names.ts';
import { groupBy } from '../../../ground/text/names.ts';
import { byPath } from '../../../site/compare/compare.ts';
import type {
  BrokenLink,
  Comparison,
  Excerpt,
  LostAddress,
} from '../../../site/compare/comparison.ts';

export const KINDS = ['added', 'changed', 'moved', 'removed'] as const;
export type ChangeKind = (typeof KINDS)[number];

/** One changed page in the list. */
export interface ChangeRow {
  readonly kind: ChangeKind;
  readonly path: string;
  readonly title: string;
  /** Where a page moved to, or where the address of a removed page leads. */
  readonly target?: string | undefined;
  /** What else is known of a move, in a few words. */
  readonly note?: string | undefined;
  readonly words?: { readonly added: number; readonly removed: number } | undefined;
  readonly headings: readonly { readonly text: string; readonly isNew: boolean }[];
  readonly excerpts: readonly Excerpt[];
}

const NO_DETAILS = { headings: [], excerpts: [] } as const;

/** All changed pages, sorted by path. */
export function changeRowsOf(comparison: Comparison): ChangeRow[] {
  const rows: ChangeRow[] = [];
  for (const { path, title } of comparison.added)
    rows.push({ ...NO_DETAILS, kind: 'added', path, title });
  for (const page of comparison.changed) rows.push(changedRow(page));
  for (const { from, to, title, similarity } of comparison.moved) {
    let note: string | undefined;
    if (similarity !== undefined)
      note = `and changed: ${Math.round(similarity * 100)} % of the text is the same`;
    rows.push({ ...NO_DETAILS, kind: 'moved', path: from, title, target: to, note });
  }
  for (const { path, title, redirect } of comparison.removed)
    rows.push({ ...NO_DETAILS, kind: 'removed', path, title, target: redirect });
  return rows.sort(byPath);
}

function changedRow(page: Comparison['changed'][number]): ChangeRow {
  // A page that moved and was edited has two rows; its text was compared with that at `movedFrom`.
  const { path, title, movedFrom, wordsAdded, wordsRemoved = 0 } = page;
  const { added = [], removed = [] } = page.headings ?? {};
  return {
    kind: 'changed',
    path,
    title,
    note: movedFrom && `was at ${movedFrom}`,
    // Words, headings and excerpts are unknown if only hashes were compared.
    words: wordsAdded === undefined ? undefined : { added: wordsAdded, removed: wordsRemoved },
    headings: [
      ...added.map((text) => ({ text, isNew: true })),
      ...removed.map((text) => ({ text, isNew: false })),
    ],
    excerpts: page.excerpts ?? [],
  };
}

export interface Section {
  /** Such as `/guide`; `/` for pages at the top of the site. */
  readonly name: string;
  /** How many pages the section has now. */
  readonly pages: number;
  readonly entries: readonly ChangeRow[];
}

/** The sections of the comparison that have an entry, by name. */
export function sectionsOf(entries: readonly ChangeRow[], comparison: Comparison): Section[] {
  const pages = new Map(comparison.sections.map((one) => [one.section, one.pages]));
  return [...groupBy(entries, (entry) => sectionOf(entry, pages))]
    .map(([name, inSection]) => ({ name, pages: pages.get(name) ?? 0, entries: inSection }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The section of a changed page: the nearest folder above it that is a section. A moved page
 * belongs to the section where it is now.
 */
function sectionOf(row: ChangeRow, sections: ReadonlyMap<string, unknown>): string {
  let address = row.path;
  if (row.kind === 'moved' && row.target !== undefined) address = row.target;
  const parts = address.split('/').slice(1, -1);
  for (let depth = parts.length; depth > 0; depth -= 1) {
    const name = `/${parts.slice(0, depth).join('/')}`;
    if (sections.has(name)) return name;
  }
  return '/';
}

/** Such as `Added`. */
export function kindName(kind: ChangeKind): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}

const MAX_PATH = 300;
const MAX_TITLE = 200;
const MAX_EXCERPT = 1200;
const MAX_LINKS = 5;

/** For addresses that get no link. */
const toNowhere: ToPageUrl = () => undefined;

/** One entry of the list, without what can be unfolded below it. */
export function plainRow(entry: ChangeRow, toUrl: ToPageUrl): Html {
  return html`<li data-kind="${entry.kind}"><div class="row">${rowText(entry, toUrl)}</div></li>`;
}

/** One entry with its excerpts. */
export function unfoldingRow(entry: ChangeRow, toUrl: ToPageUrl): Html {
  // Only changed pages have excerpts, and they are still at their address.
  const url = toUrl(entry.path);
  const open = url && html`<p><a href="${url}" rel="noreferrer">Open the published page</a></p>`;
  const headings = entry.headings.map((heading) => {
    const mark = heading.isNew ? inserted : deleted;
    return html`<li>${mark(short(heading.text, MAX_TITLE))}</li>`;
  });
  const list = html`<p class="label">Headings</p><ul class="heads">${headings}</ul>`;
  // A click on the row unfolds it, so its addresses are not links.
  return html`<li data-kind="${entry.kind}"><details><summary class="row">${rowText(entry, toNowhere)}</summary>\
<div class="more">${open}${headings.length > 0 && list}${entry.excerpts.map(excerpt)}</div></details></li>`;
}

/** What a row shows: kind, title, address, where the page is now, and how many words changed. */
function rowText(entry: ChangeRow, toUrl: ToPageUrl): Html {
  const { kind, title, target, note, words } = entry;
  const name = title && html`<bdi class="title">${short(title, MAX_TITLE)}</bdi> `;
  // The address of a moved or removed page no longer leads to it.
  const isThere = kind === 'added' || kind === 'changed';
  return html`<span class="kind ${kind}">${kindName(kind)}</span><span class="what">${name}${path(entry.path, isThere ? toUrl : toNowhere)}\
${target && html` <span class="muted">→</span> ${path(target, toUrl)}`}\
${note && html` <bdi class="muted">${short(note, MAX_PATH)}</bdi>`}</span>${words && wordCounts(words)}`;
}

function path(text: string, toUrl: ToPageUrl): Html {
  const shown = html`<bdi class="path">${short(text, MAX_PATH)}</bdi>`;
  const url = toUrl(text);
  return url === undefined ? shown : html`<a href="${url}" rel="noreferrer">${shown}</a>`;
}

function wordCounts({ added, removed }: NonNullable<ChangeRow['words']>): Html {
  // The page has changed, but not its words: a paragraph became a list item, for example.
  if (added + removed === 0) return html`<span class="words">structure only</span>`;
  const up = html`<span class="up">+${number(added)}</span> `;
  const down = html`<span class="down">−${number(removed)}</span> `;
  const words = added + removed === 1 ? 'word' : 'words';
  return html`<span class="words">${added > 0 && up}${removed > 0 && down}${words}</span>`;
}

function inserted(text: string): Html {
  return html`<ins>${text}</ins>`;
}

function deleted(text: string): Html {
  return html`<del>${text}</del>`;
}

function excerpt({ before, after }: Excerpt): Html {
  const texts = markWords(short(before, MAX_EXCERPT), short(after, MAX_EXCERPT));
  return html`<div class="both"><div><p class="label">Before</p><p dir="auto">${pieces(texts.before, deleted)}</p></div>\
<div><p class="label">After</p><p dir="auto">${pieces(texts.after, inserted)}</p></div></div>`;
}

function pieces(found: readonly Piece[], mark: (text: string) => Html): Html {
  if (found.length === 0) return html`<span class="muted">nothing</span>`;
  const shown = found.map(({ text, changed }) => (changed ? mark(text) : html`${text}`));
  return join(shown, ' ');
}

const MAX_LOST = 500;

/** The first of these entries as a list. `where`: the rest is named, such as `, in the list of pages`. */
export function cutList<T>(all: readonly T[], rowOf: (one: T) => Html, where = ''): Html {
  const more = all.length - MAX_LOST;
  return html`<ul>${all.slice(0, MAX_LOST).map(rowOf)}</ul>${more > 0 && html`<p class="muted">and ${number(more)} more${where}</p>`}`;
}

/** An address that had a page, and now leads nowhere or redirects. */
export function lostRow(address: LostAddress): Html {
  const { title, redirect, movedTo } = address;
  const target = redirect && html` <span class="muted">→</span> ${path(redirect, toNowhere)}`;
  const elsewhere =
    redirect === undefined &&
    movedTo !== undefined &&
    html`<br><span class="muted">The page is at ${path(movedTo, toNowhere)} now, but there is no redirect to it.</span>`;
  const name = title && html` <bdi>${short(title, MAX_TITLE)}</bdi>`;
  return html`<li>${path(address.path, toNowhere)}${target}${name}${elsewhere}${linksText(address)}</li>`;
}

/** A link that leads to nothing since. */
export function brokenRow({ target, pages }: BrokenLink): Html {
  return html`<li>${path(target, toNowhere)}${linksText({ links: pages.length, linkedFrom: pages })}</li>`;
}

/** The pages with a link, as a person has to correct them. */
function linksText({
  links,
  linkedFrom,
}: Pick<LostAddress, 'links' | 'linkedFrom'>): Html | undefined {
  if (links === 0) return undefined;
  const shown = linkedFrom.slice(0, MAX_LINKS).map((from) => path(from, toNowhere));
  const rest = links - shown.length;
  const more = rest > 0 && ` and ${countOf(rest, 'more page')}`;
  return html`<br><span class="muted">Linked from ${join(shown, ', ')}${more}</span>`;
}

/** Some words of a text. `changed`: the other version does not have them. */
export interface Piece {
  text: string;
  readonly changed: boolean;
}

/**
 * Two versions of a text, each in pieces: the words that are not in their longest common
 * subsequence are marked as changed. Word by word, both versions are read side by side.
 */
export function markWords(
  before: string,
  after: string,
): Record<'before' | 'after', readonly Piece[]> {
  const [from, to] = [before.match(/\S+/g) ?? [], after.match(/\S+/g) ?? []];
  const commonFrom = countCommon(from, to);
  // The positions of the common words.
  const kept = { before: new Set<number>(), after: new Set<number>() };
  let [oldIndex, newIndex] = [0, 0];
  while (oldIndex < from.length && newIndex < to.length) {
    if (from[oldIndex] === to[newIndex]) {
      kept.before.add(oldIndex);
      kept.after.add(newIndex);
      oldIndex += 1;
      newIndex += 1;
      continue;
    }
    // Two different words: passing over which of them leaves more common words?
    if (commonFrom(oldIndex + 1, newIndex) >= commonFrom(oldIndex, newIndex + 1)) oldIndex += 1;
    else newIndex += 1;
  }
  return { before: piecesOf(from, kept.before), after: piecesOf(to, kept.after) };
}

/**
 * Gives a function: how many words two texts have in common, in the same order, from a word of each
 * on. All numbers are calculated once, from the end of the texts: each follows from those after it.
 */
function countCommon(
  from: readonly string[],
  to: readonly string[],
): (oldIndex: number, newIndex: number) => number {
  const width = to.length + 1;
  // 16 bits are enough: an excerpt has fewer words than `MAX_EXCERPT` characters.
  const counts = new Uint16Array((from.length + 1) * width);
  const commonFrom = (oldIndex: number, newIndex: number) =>
    counts[oldIndex * width + newIndex] ?? 0;
  for (let oldIndex = from.length - 1; oldIndex >= 0; oldIndex -= 1) {
    for (let newIndex = to.length - 1; newIndex >= 0; newIndex -= 1) {
      let longest = Math.max(
        commonFrom(oldIndex + 1, newIndex),
        commonFrom(oldIndex, newIndex + 1),
      );
      if (from[oldIndex] === to[newIndex]) longest = commonFrom(oldIndex + 1, newIndex + 1) + 1;
      counts[oldIndex * width + newIndex] = longest;
    }
  }
  return commonFrom;
}

/** The words in pieces: a word is added to the last one if both are common, or both changed. */
function piecesOf(words: readonly string[], common: ReadonlySet<number>): Piece[] {
  const found: Piece[] = [];
  for (const [index, text] of words.entries()) {
    const changed = !common.has(index);
    const last = found.at(-1);
    if (last?.changed === changed) last.text += ` ${text}`;
    else found.push({ text, changed });
  }
  return found;
}

/** Markup that `html` has made: all values in it were escaped. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type HtmlValue = string | number | Html | readonly Html[] | false | undefined;

/**
 * Markup from a template. Its values are escaped as text, unless this function has made them;
 * `undefined` and `false` add nothing.
 */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlValue[]): Html {
  return new Html(texts.map((text, index) => text + toMarkup(parts[index])).join(''));
}

function toMarkup(part: HtmlValue): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.markup;
  if (typeof part === 'object') return part.map((one) => one.markup).join('');
  return escapeShown(String(part));
}

// Invisible characters could make an address look like another address.
function escapeShown(text: string): string {
  return escapeMarkup(stripInvisible(text).text);
}

/** The text as one line of at most this many characters. */
export function short(text: string, chars: number): string {
  return cut(text.replace(/\s+/g, ' ').trim(), { chars });
}

export function join(parts: readonly Html[], between: string): Html {
  return new Html(parts.map((part) => part.markup).join(escapeShown(between)));
}

/** `1,234`. */
export function number(value: number): string {
  return value.toLocaleString('en-US');
}
