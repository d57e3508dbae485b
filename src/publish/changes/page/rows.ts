import type { Comparison, Excerpt, LostAddress } from '../../../bundle/compare/comparison.ts';
import { cut, stripInvisible } from '../../../text/escape.ts';
import { countOf } from '../../../text/markdown.ts';
import type { ToPageUrl } from '../../../text/names.ts';

export const KINDS = ['added', 'changed', 'moved', 'removed'] as const;
export type Kind = (typeof KINDS)[number];

/** One line of the page. */
export interface Entry {
  readonly kind: Kind;
  readonly path: string;
  readonly title: string;
  /** Where a page moved to, or where the address of one that is gone leads. */
  readonly target?: string | undefined;
  readonly words?: { readonly added: number; readonly removed: number } | undefined;
  readonly headings: readonly { readonly text: string; readonly isNew: boolean }[];
  readonly excerpts: readonly Excerpt[];
}

const NOTHING = { headings: [], excerpts: [] } as const;

/** Everything that changed, by path. */
export function entriesOf({ added, changed, moved, removed }: Comparison): Entry[] {
  const found: Entry[] = [
    ...added.map(({ path, title }) => ({ ...NOTHING, kind: 'added' as const, path, title })),
    ...changed.map(toEntry),
    ...moved.map(({ from, to, title }) => ({ ...NOTHING, kind: 'moved' as const, path: from, title, target: to })),
    ...removed.map(({ path, title, redirect }) => ({
      ...NOTHING,
      kind: 'removed' as const,
      path,
      title,
      target: redirect,
    })),
  ];
  return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function toEntry(page: Comparison['changed'][number]): Entry {
  const { path, title, wordsAdded, wordsRemoved = 0, headings, excerpts = [] } = page;
  return {
    kind: 'changed',
    path,
    title,
    words: wordsAdded === undefined ? undefined : { added: wordsAdded, removed: wordsRemoved },
    headings: [
      ...(headings?.added ?? []).map((text) => ({ text, isNew: true })),
      ...(headings?.removed ?? []).map((text) => ({ text, isNew: false })),
    ],
    excerpts,
  };
}

export interface Section {
  /** Such as `/guide`; `/` for pages at the top of the site. */
  readonly name: string;
  /** Pages that it has now. */
  readonly pages: number;
  readonly entries: readonly Entry[];
}

/** The sections of the comparison that have an entry, by name. */
export function sectionsOf(entries: readonly Entry[], { sections }: Comparison): Section[] {
  const pages = new Map(sections.map(({ section, pages: count }) => [section, count]));
  const found = new Map<string, Entry[]>();
  for (const entry of entries) {
    const name = sectionOf(entry, pages);
    const own = found.get(name);
    if (own === undefined) found.set(name, [entry]);
    else own.push(entry);
  }
  return [...found]
    .map(([name, own]) => ({ name, pages: pages.get(name) ?? 0, entries: own }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The nearest folder above the page that is a section; a page that moved belongs to where it is now. */
function sectionOf({ kind, path, target }: Entry, sections: ReadonlyMap<string, unknown>): string {
  const parts = (kind === 'moved' ? (target ?? path) : path).split('/').slice(1, -1);
  for (let depth = parts.length; depth > 0; depth -= 1) {
    const name = `/${parts.slice(0, depth).join('/')}`;
    if (sections.has(name)) return name;
  }
  return '/';
}

export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  added: 'Added',
  changed: 'Changed',
  moved: 'Moved',
  removed: 'Removed',
};

const MAX_PATH = 300;
const MAX_TITLE = 200;
const MAX_EXCERPT = 1200;
const MAX_LINKS = 5;

/** One entry of the list, without what can be unfolded below it. */
export function plainRow(entry: Entry, toUrl: ToPageUrl): Html {
  return html`<li data-kind="${entry.kind}"><div class="row">${line(entry, toUrl)}</div></li>`;
}

/** One entry with its excerpts; undefined where there is nothing to unfold. */
export function unfoldingRow(entry: Entry, toUrl: ToPageUrl): Html | undefined {
  const { excerpts, headings } = entry;
  if (excerpts.length + headings.length === 0) return undefined;
  return html`<li data-kind="${entry.kind}"><details><summary class="row">${line(entry, () => undefined)}</summary>\
<div class="more">${openLink(entry, toUrl)}${headingList(headings)}${excerpts.map(excerpt)}</div></details></li>`;
}

function line(entry: Entry, toUrl: ToPageUrl): Html {
  const { kind, title, target, words } = entry;
  const name = title === '' ? undefined : html`<bdi class="title">${short(title, MAX_TITLE)}</bdi> `;
  return html`<span class="kind ${kind}">${KIND_NAMES[kind]}</span><span class="what">${name}${address(entry, toUrl)}\
${target === undefined ? undefined : html` <span class="muted">→</span> ${path(target, toUrl)}`}</span>${words && wordCounts(words)}`;
}

function address({ kind, path: own }: Entry, toUrl: ToPageUrl): Html {
  return path(own, kind === 'added' || kind === 'changed' ? toUrl : () => undefined);
}

function path(text: string, toUrl: ToPageUrl): Html {
  const shown = html`<bdi class="path">${short(text, MAX_PATH)}</bdi>`;
  const url = toUrl(text);
  return url === undefined ? shown : html`<a href="${url}" rel="noreferrer">${shown}</a>`;
}

function openLink({ kind, path: own }: Entry, toUrl: ToPageUrl): Html | undefined {
  const url = kind === 'changed' ? toUrl(own) : undefined;
  return url === undefined ? undefined : html`<p><a href="${url}" rel="noreferrer">Open the published page</a></p>`;
}

function wordCounts({ added, removed }: { added: number; removed: number }): Html {
  if (added + removed === 0) return html`<span class="words">structure only</span>`;
  const up = added === 0 ? undefined : html`<span class="up">+${added.toLocaleString('en-US')}</span> `;
  const down = removed === 0 ? undefined : html`<span class="down">−${removed.toLocaleString('en-US')}</span> `;
  return html`<span class="words">${up}${down}${added + removed === 1 ? 'word' : 'words'}</span>`;
}

function headingList(headings: Entry['headings']): Html | undefined {
  if (headings.length === 0) return undefined;
  const items = headings.map(({ text, isNew }) => {
    const shown = short(text, MAX_TITLE);
    return isNew ? html`<li><ins>${shown}</ins></li>` : html`<li><del>${shown}</del></li>`;
  });
  return html`<p class="label">Headings</p><ul class="heads">${items}</ul>`;
}

function excerpt({ before, after }: { before: string; after: string }): Html {
  const marked = markWords(short(before, MAX_EXCERPT), short(after, MAX_EXCERPT));
  return html`<div class="both"><div><p class="label">Before</p><p dir="auto">${pieces(marked.before, 'del')}</p></div>\
<div><p class="label">After</p><p dir="auto">${pieces(marked.after, 'ins')}</p></div></div>`;
}

function pieces(found: readonly Piece[], tag: 'ins' | 'del'): Html {
  if (found.length === 0) return html`<span class="muted">nothing</span>`;
  return join(
    found.map(({ text, changed }) => {
      if (!changed) return html`${text}`;
      return tag === 'ins' ? html`<ins>${text}</ins>` : html`<del>${text}</del>`;
    }),
    ' ',
  );
}

/** An address that leads nowhere now, or to another one. */
export function lostRow({ path: own, title, redirect, movedTo, links, linkedFrom }: LostAddress): Html {
  const target =
    redirect === undefined ? undefined : html` <span class="muted">→</span> ${path(redirect, () => undefined)}`;
  const elsewhere =
    redirect !== undefined || movedTo === undefined
      ? undefined
      : html`<br><span class="muted">The page is at ${path(movedTo, () => undefined)} now, but there is no redirect to it.</span>`;
  const name = title === '' ? undefined : html` <bdi>${short(title, MAX_TITLE)}</bdi>`;
  return html`<li>${path(own, () => undefined)}${target}${name}${elsewhere}${linksText(links, linkedFrom)}</li>`;
}

function linksText(links: number, linkedFrom: readonly string[]): Html | undefined {
  if (links === 0) return undefined;
  const shown = linkedFrom.slice(0, MAX_LINKS).map((from) => path(from, () => undefined));
  const more = links > shown.length ? ` and ${countOf(links - shown.length, 'more page')}` : undefined;
  return html`<br><span class="muted">Linked from ${join(shown, ', ')}${more}</span>`;
}

/** Some words of a text; `changed` where the other version does not have it. */
export interface Piece {
  readonly text: string;
  readonly changed: boolean;
}

interface Marked {
  readonly before: readonly Piece[];
  readonly after: readonly Piece[];
}

// A table of this many cells takes some milliseconds; longer texts are marked from their first to their last difference.
const MAX_CELLS = 250_000;

/** Two versions of a text, each in pieces, with the words marked that the other one does not have. */
export function markWords(before: string, after: string): Marked {
  const from = wordsOf(before);
  const to = wordsOf(after);
  const head = commonStart(from, to);
  const tail = commonStart(from.slice(head).reverse(), to.slice(head).reverse());
  const left = from.slice(head, from.length - tail);
  const right = to.slice(head, to.length - tail);
  const kept = left.length * right.length > MAX_CELLS ? NOTHING_KEPT : commonWords(left, right);
  return {
    before: splitPieces(from, (index) => index < head || index >= from.length - tail || kept.left.has(index - head)),
    after: splitPieces(to, (index) => index < head || index >= to.length - tail || kept.right.has(index - head)),
  };
}

function wordsOf(text: string): string[] {
  return text.match(/\S+/g) ?? [];
}

function commonStart(from: readonly string[], to: readonly string[]): number {
  const most = Math.min(from.length, to.length);
  let count = 0;
  while (count < most && from[count] === to[count]) count += 1;
  return count;
}

interface Kept {
  readonly left: ReadonlySet<number>;
  readonly right: ReadonlySet<number>;
}

const NOTHING_KEPT: Kept = { left: new Set(), right: new Set() };

/** The positions of a longest common subsequence. */
function commonWords(left: readonly string[], right: readonly string[]): Kept {
  const width = right.length + 1;
  const longest = new Uint16Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      longest[at] =
        left[row] === right[column]
          ? (longest[at + width + 1] ?? 0) + 1
          : Math.max(longest[at + width] ?? 0, longest[at + 1] ?? 0);
    }
  }
  const kept = { left: new Set<number>(), right: new Set<number>() };
  for (let row = 0, column = 0; row < left.length && column < right.length; ) {
    const at = row * width + column;
    if (left[row] === right[column]) {
      kept.left.add(row++);
      kept.right.add(column++);
    } else if ((longest[at + width] ?? 0) >= (longest[at + 1] ?? 0)) row += 1;
    else column += 1;
  }
  return kept;
}

function splitPieces(words: readonly string[], isKept: (index: number) => boolean): Piece[] {
  const found: { text: string; changed: boolean }[] = [];
  for (const [index, word] of words.entries()) {
    const changed = !isKept(index);
    const last = found.at(-1);
    if (last?.changed === changed) last.text += ` ${word}`;
    else found.push({ text: word, changed });
  }
  return found;
}

/** Markup that was made by `html`: what is put into it was escaped. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = string | number | Html | readonly Html[] | undefined;

/** A template whose values are text, unless they are markup of this very function. `undefined` is nothing. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, index) => text + toMarkup(parts[index])).join(''));
}

function toMarkup(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.markup;
  return typeof part === 'object' ? part.map(({ markup }) => markup).join('') : escapeHtml(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// Characters without ink could make an address look like another one.
function escapeHtml(text: string): string {
  return stripInvisible(text).text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** One line of at most so many characters. */
export function short(text: string, chars: number): string {
  return cut(text.replace(/\s+/g, ' ').trim(), { chars });
}

function join(parts: readonly Html[], between: string): Html {
  return new Html(parts.map(({ markup }) => markup).join(escapeHtml(between)));
}
