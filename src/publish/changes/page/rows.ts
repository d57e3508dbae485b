import type { LostAddress } from '../../../bundle/compare/comparison.ts';
import { countOf } from '../../../text/markdown.ts';
import type { ToPageUrl } from '../../../text/names.ts';
import type { Entry, Kind } from './entries.ts';
import { type Html, html, join, short } from './html.ts';
import { markWords, type Piece } from './mark-words.ts';

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
