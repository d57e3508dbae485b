import { createHash } from 'node:crypto';
import { countOf, formatBytes, formatInstant } from '../../../ground/text/amounts.ts';
import { pageUrls, type ToPageUrl } from '../../../ground/text/names.ts';
import {
  type BrokenLink,
  type Comparison,
  type LostAddress,
  lostWithoutRedirect,
} from '../../../site/compare/comparison.ts';
import { EARLY_SCRIPT, SCRIPT, STYLE } from './assets.ts';
import {
  brokenRow,
  type ChangeKind,
  type ChangeRow,
  changeRowsOf,
  cutList,
  Html,
  html,
  join,
  KINDS,
  kindName,
  lostRow,
  number,
  plainRow,
  type Section,
  sectionsOf,
  short,
  unfoldingRow,
} from './rows.ts';

export interface ExportNote {
  /** Such as `received 2026-03-01 12:00 UTC`. */
  readonly when?: string | undefined;
  /** The commit that the run was for. */
  readonly commit?: string | undefined;
}

interface ChangesPage {
  readonly changes: Comparison;
  /** The name under which the platform knows the site. */
  readonly site: string | undefined;
  /** Where the site is published, to link to its pages. */
  readonly siteUrl?: string | undefined;
  /** What is known of both exports besides their files. */
  readonly to?: ExportNote | undefined;
  readonly from?: ExportNote | undefined;
  readonly comparedAt: Date;
}

/**
 * How large the parts of the page may become, in characters: browsers, mail servers and artifact
 * viewers accept a file of this size.
 */
interface PageLimits {
  readonly rows: number;
  readonly excerpts: number;
}

const PAGE_LIMITS: PageLimits = { rows: 10 * 1024 ** 2, excerpts: 6 * 1024 ** 2 };

/**
 * One HTML file that shows a comparison. It loads nothing, and nothing in it runs but its own
 * script: all other text is escaped, and its policy names the script by hash. Works from a `file:`
 * address, and without scripts.
 */
export function renderChangesPage(page: ChangesPage, limits: PageLimits = PAGE_LIMITS): string {
  const { changes, comparedAt, to = {}, from = {} } = page;
  const name = short(page.site ?? 'Documentation', 120);
  const entries = changeRowsOf(changes);
  const list = listOf(sectionsOf(entries, changes), pageUrls(page.siteUrl), limits);
  const body = html`<a class="skip" href="#pages">Skip to the pages</a>
<header class="head"><div><p class="eyebrow">What changed</p><h1><bdi>${name}</bdi></h1>
<dl class="exports">${exportLine('Now', changes.to, to)}${exportLine('Before', changes.from, from)}</dl>
${jobIds(changes)}</div>
<button class="theme" type="button" data-theme-switch hidden>Dark colours</button></header>
<main>
${tiles(entries, changes)}${factLines(changes)}
${list.notes.length > 0 && html`<ul class="notes">${list.notes.map((note) => html`<li>${note}</li>`)}</ul>`}
${lostSection(changes)}${brokenSection(changes.newlyBroken ?? [])}
${entries.length === 0 ? html`<p class="empty">Every page is the same in both exports.</p>` : pagesSection(list)}
</main>
<footer>Compared on ${formatInstant(comparedAt)}. This file is self-contained: it loads nothing.</footer>`;
  return documentOf(`${name}: what changed`, body);
}

/** The jobs of both; nothing if only the pages of the earlier site are known. */
function jobIds({ from, to }: Comparison): Html | false {
  if (from.jobId === undefined) return false;
  return html`<details class="ids"><summary>Export jobs</summary>Now <code>${short(to.jobId, 128)}</code>, before \
<code>${short(from.jobId, 128)}</code></details>`;
}

/** Such as `Before: commit 1a2b3c4, in place since 2026-03-01 12:00 UTC, 89 pages`. */
function exportLine(
  name: string,
  { pages }: Comparison['from'],
  { when, commit }: ExportNote,
): Html {
  const parts: Html[] = [];
  if (commit !== undefined) parts.push(html`commit <code>${commit.slice(0, 12)}</code>`);
  if (when !== undefined) parts.push(html`${when}`);
  parts.push(html`${countOf(pages, 'page')}`);
  return html`<div><dt>${name}</dt><dd>${join(parts, ', ')}</dd></div>`;
}

/**
 * The whole file. Its policy lets nothing load but the icon, and no script run but those of this
 * file: their text is not escaped, as the policy names it by its hash.
 */
function documentOf(title: string, body: Html): string {
  const policy = [
    "default-src 'none'",
    'img-src data:',
    `style-src ${hashOf(STYLE)}`,
    `script-src ${hashOf(EARLY_SCRIPT)} ${hashOf(SCRIPT)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<script>${new Html(EARLY_SCRIPT)}</script>
<style>${new Html(STYLE)}</style>
</head>
<body>
${body}
<script>${new Html(SCRIPT)}</script>
</body>
</html>
`.markup;
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** How many pages changed, for each kind of change, and how many did not. */
function tiles(entries: readonly ChangeRow[], changes: Comparison): Html {
  const kinds = KINDS.map((kind) => {
    const count = countOfKind(entries, kind);
    return tile(count, `${count === 1 ? 'page' : 'pages'} ${kind}`, kind);
  });
  return html`<ul class="tiles">${kinds}\
${tile(changes.unchanged, 'unchanged', 'unchanged')}</ul>`;
}

/** One number with its text. A 0 gets no class, and with that no colour. */
function tile(value: number, text: string, className: string): Html {
  return html`<li class="${value > 0 && className}"><b>${number(value)}</b><span>${text}</span></li>`;
}

/** Lines below the tiles: the other files, and how pages were compared if that is not obvious. */
function factLines(comparison: Comparison): Html {
  const { basis, moved } = comparison;
  const aboutMoves =
    moved.some((one) => one.similarity !== undefined) &&
    html`<p class="facts">A page at another address has moved and changed if at least half of its text is the same, measured in runs of three words.</p>`;
  const aboutHashes =
    basis === 'hashes' &&
    html`<p class="facts">Only the manifest of the earlier export was available, so every file that differs is a change, without words and excerpts.</p>`;
  return html`${fileLine(comparison)}${aboutMoves}${aboutHashes}`;
}

function fileLine({ from, to, assets }: Comparison): Html {
  if (from.jobId === undefined || assets === undefined)
    return html`<p class="facts">Only the list of pages of the earlier site was available, so other files were not compared, and there are no words and excerpts.</p>`;
  const grownBytes = to.bytes - from.bytes;
  const more = grownBytes > 0 ? 'more' : 'less';
  const growth = grownBytes !== 0 && `, ${formatBytes(Math.abs(grownBytes))} ${more} than before`;
  return html`<p class="facts">Other files: ${assets.added} added, ${assets.changed} changed, ${assets.removed} removed. All files together: ${formatBytes(to.bytes)}${growth}.</p>`;
}

/** Addresses that worked before and lead nowhere now: a person should see them first. */
function lostSection(comparison: Comparison): Html {
  const lost = lostWithoutRedirect(comparison);
  const redirected = comparison.lost.filter((address) => address.redirect !== undefined);
  const redirects =
    redirected.length > 0 &&
    html`<details><summary>${countOf(redirected.length, 'address', 'addresses')} with a redirect</summary>${lostList(redirected)}</details>`;
  if (lost.length === 0) {
    return html`<section class="panel fine" aria-labelledby="lost"><h2 id="lost">No address was lost</h2>\
<p class="muted">${comparison.from.pages === 0 ? 'There was no page before.' : 'Every address that worked before works now, or has a redirect.'}</p>${redirects}</section>`;
  }
  return html`<section class="panel lost" aria-labelledby="lost"><h2 id="lost">${countOf(lost.length, 'lost address', 'lost addresses')}</h2>\
<p class="muted">There was a page before. Now there is neither a page nor a redirect.</p>${lostList(lost)}${redirects}</section>`;
}

/** Links that lead to nothing since. */
function brokenSection(broken: readonly BrokenLink[]): Html | false {
  if (broken.length === 0) return false;
  return html`<section class="panel lost" aria-labelledby="broken"><h2 id="broken">${countOf(broken.length, 'newly broken link')}</h2>\
<p class="muted">Nothing is at the address, and no link of these pages led there before.</p>${cutList(broken, brokenRow)}</section>`;
}

function lostList(addresses: readonly LostAddress[]): Html {
  return cutList(addresses, lostRow, ', in the list of pages');
}

interface List {
  readonly sections: readonly Section[];
  readonly groups: readonly Html[];
  /** Sentences about what did not fit on the page. */
  readonly notes: readonly string[];
}

/** The rows and excerpts that fit within the limits. */
function listOf(all: readonly Section[], toUrl: ToPageUrl, limits: PageLimits): List {
  const charsLeft = { ...limits };
  const missing = { rows: 0, excerpts: 0 };
  // The row of an entry; undefined: it does not fit. Also counts what is left and what is missing.
  const rowOf = (entry: ChangeRow): Html | undefined => {
    const plain = plainRow(entry, toUrl);
    if (plain.markup.length > charsLeft.rows) {
      missing.rows += 1;
      // The list ends here, as 0 lets no later row in: a gap in the middle would not be noticed.
      charsLeft.rows = 0;
      return undefined;
    }
    charsLeft.rows -= plain.markup.length;
    if (entry.excerpts.length + entry.headings.length === 0) return plain;
    // Once the excerpts of one row did not fit, no others are tried: rendering them takes time.
    if (charsLeft.excerpts > 0) {
      const full = unfoldingRow(entry, toUrl);
      charsLeft.excerpts -= full.markup.length - plain.markup.length;
      if (charsLeft.excerpts > 0) return full;
    }
    missing.excerpts += 1;
    return plain;
  };
  const sections: Section[] = [];
  const groups: Html[] = [];
  for (const section of all) {
    const rows = section.entries.map(rowOf).filter((row) => row !== undefined);
    if (rows.length === 0) continue;
    groups.push(groupOf(section.name, sections.length, rows));
    sections.push(section);
  }
  return { sections, groups, notes: notesOf(missing, limits) };
}

/** What is missing, in sentences. `rows` and `excerpts`: for how many pages they were left out. */
function notesOf(
  { rows, excerpts }: Record<keyof PageLimits, number>,
  limits: PageLimits,
): string[] {
  const size = formatBytes(limits.rows + limits.excerpts);
  const leftOut = `left out, so that this file stays below ${size}`;
  const file = 'The file at changes-path';
  const are = rows === 1 ? 'is' : 'are';
  const notes: string[] = [];
  if (rows > 0)
    notes.push(
      `${countOf(rows, 'page')} of the list ${are} ${leftOut}. ${file} names all of them.`,
    );
  if (excerpts > 0)
    notes.push(
      `The excerpts of ${countOf(excerpts, 'page')} are ${leftOut}. ${file} has all of them.`,
    );
  return notes;
}

/** The rows of a section. `index`: of the section, by which chart and filter find it. */
function groupOf(name: string, index: number, rows: readonly Html[]): Html {
  return html`<section class="group" id="s${index}" data-group><h3><bdi>${sectionName(name)}</bdi> \
<span class="n" data-count>${number(rows.length)}</span></h3><ol class="rows">
${join(rows, '\n')}
</ol></section>
`;
}

/** Chart, filter and rows. What needs a script is hidden: the script of the page shows it. */
function pagesSection(list: List): Html {
  return html`<section aria-labelledby="sections"><h2 id="sections">By section</h2>${sectionChart(list.sections)}</section>
<section aria-labelledby="pages"><h2 id="pages">Pages</h2>
<div class="tools" role="search" data-tools hidden>
<input type="search" placeholder="Filter by address, title or text" aria-label="Filter the pages" aria-keyshortcuts="/" autocomplete="off" spellcheck="false">
<select aria-label="Section"><option value="">All sections</option>${list.sections.map((section, index) => html`<option value="${index}">${sectionName(section.name)}</option>`)}</select>
<div class="chips" role="group" aria-label="Kind of change">${KINDS.map((kind) => html`<button type="button" class="${kind}" data-chip="${kind}" aria-pressed="false">${kindName(kind)}</button>`)}</div>
<button type="button" class="plain" data-unfold>Show excerpts</button>
<output aria-live="polite"></output>
</div>
<p class="keys" data-keys hidden><kbd>/</kbd> filter, <kbd>↓</kbd> <kbd>↑</kbd> from page to page, <kbd>Enter</kbd> shows its excerpts, <kbd>Esc</kbd> clears the filter</p>
${list.groups}<p class="empty" data-empty hidden>No page fits the filter.</p></section>`;
}

const MAX_BARS = 40;
const WIDTH = 1000;
const MAX_NAME = 80;

function sectionName(name: string): string {
  return name === '/' ? 'Top of the site' : short(name, MAX_NAME);
}

/**
 * A table of the sections with the most changes, with a bar in each row. The bars show the same as
 * the numbers.
 */
function sectionChart(sections: readonly Section[]): Html {
  const indexed = sections.map((section, index) => ({ section, index }));
  const sorted = indexed.sort((a, b) => b.section.entries.length - a.section.entries.length);
  // The longest bar; if all rows were left out, there is no section and no bar.
  const most = sorted[0]?.section.entries.length ?? 0;
  const rows = sorted.slice(0, MAX_BARS).map((one) => sectionRow(one.section, one.index, most));
  const hidden = sections.length - rows.length;
  return html`<table><thead><tr><th scope="col">Section</th><th scope="col" class="num">Pages</th>\
${KINDS.map((kind) => html`<th scope="col" class="num">${kindName(kind)}</th>`)}<th scope="col" class="bar">Changed pages</th></tr></thead><tbody>
${rows}</tbody></table>\
${hidden > 0 && html`<p class="muted">and ${hidden} more, none with more changes</p>`}`;
}

function sectionRow(section: Section, index: number, most: number): Html {
  const cells = KINDS.map((kind) => numberCell(countOfKind(section.entries, kind)));
  const link = html`<a href="#s${index}" data-section="${index}"><bdi>${sectionName(section.name)}</bdi></a>`;
  return html`<tr><th scope="row">${link}</th>${numberCell(section.pages)}${cells}\
<td class="bar">${bar(section.entries, most)}</td></tr>
`;
}

function countOfKind(entries: readonly ChangeRow[], kind: ChangeKind): number {
  return entries.filter((entry) => entry.kind === kind).length;
}

function numberCell(value: number): Html {
  return html`<td class="num${value === 0 && ' zero'}">${number(value)}</td>`;
}

/**
 * A bar with a part for each kind of change. Only attributes: the policy of the page allows no
 * style in an element. `most`: the number of changes that fills the whole width.
 */
function bar(entries: readonly ChangeRow[], most: number): Html {
  const parts: Html[] = [];
  let x = 0;
  for (const kind of KINDS) {
    const width = (countOfKind(entries, kind) / most) * WIDTH;
    if (width === 0) continue;
    parts.push(
      html`<rect class="${kind}" x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="14"/>`,
    );
    x += width;
  }
  return html`<svg class="bars" viewBox="0 0 ${WIDTH} 14" preserveAspectRatio="none" aria-hidden="true" focusable="false">${parts}</svg>`;
}
