import { KINDS, type Kind, type Section } from './entries.ts';
import { type Html, html, short } from './html.ts';
import { KIND_NAMES } from './rows.ts';

const MAX_BARS = 40;
const WIDTH = 1000;
const MAX_NAME = 80;

export function sectionName(name: string): string {
  return name === '/' ? 'Top of the site' : short(name, MAX_NAME);
}

/** A table of the sections with most changes, a bar in each row. The bars say nothing that the numbers do not. */
export function sectionChart(sections: readonly Section[]): Html {
  const counted = sections.map((section, index) => ({ section, index, counts: count(section.entries) }));
  const shown = counted.toSorted((a, b) => b.section.entries.length - a.section.entries.length).slice(0, MAX_BARS);
  const most = shown[0]?.section.entries.length ?? 1;
  const left = counted.length - shown.length;
  return html`<table><thead><tr><th scope="col">Section</th><th scope="col" class="num">Pages</th>\
${KINDS.map((kind) => html`<th scope="col" class="num">${KIND_NAMES[kind]}</th>`)}<td class="bar"></td></tr></thead><tbody>
${shown.map((row) => sectionRow(row, most))}</tbody></table>\
${left > 0 ? html`<p class="muted">and ${left} more, none with more changes</p>` : undefined}`;
}

interface Row {
  readonly section: Section;
  readonly index: number;
  readonly counts: Counts;
}

function sectionRow({ section: { name, pages }, index, counts }: Row, most: number): Html {
  const link = html`<a href="#s${index}" data-section="${index}"><bdi>${sectionName(name)}</bdi></a>`;
  return html`<tr><th scope="row">${link}</th>${numberCell(pages)}${KINDS.map((kind) => numberCell(counts[kind]))}\
<td class="bar">${bar(counts, most)}</td></tr>
`;
}

type Counts = Readonly<Record<Kind, number>>;

function count(entries: Section['entries']): Counts {
  const counts = { added: 0, changed: 0, moved: 0, removed: 0 };
  for (const { kind } of entries) counts[kind] += 1;
  return counts;
}

function numberCell(value: number): Html {
  return html`<td class="num${value === 0 ? ' zero' : ''}">${value.toLocaleString('en-US')}</td>`;
}

// Attributes alone: the page's policy allows no style in an element.
function bar(counts: Counts, most: number): Html {
  let x = 0;
  const parts = KINDS.filter((kind) => counts[kind] > 0).map((kind) => {
    const width = (counts[kind] / most) * WIDTH;
    const part = html`<rect class="${kind}" x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="14"/>`;
    x += width;
    return part;
  });
  return html`<svg class="bars" viewBox="0 0 ${WIDTH} 14" preserveAspectRatio="none" aria-hidden="true" focusable="false">${parts}</svg>`;
}
