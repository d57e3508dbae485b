import { countOf, formatBytes } from '../../ground/text/amounts.ts';
import { codeSpan, cut, escapeMarkdown } from '../../ground/text/escape.ts';
import { table } from '../../ground/text/markdown.ts';
import type { Known } from '../../run/context.ts';
import { sections } from '../../run/report.ts';
import {
  type BrokenLink,
  type ChangedPage,
  type Comparison,
  changesIn,
  lostWithoutRedirect,
  type SectionChanges,
} from '../../site/compare/comparison.ts';

/** What is known of the changes since another export. */
export type ChangesFacts = Known<{
  /** The whole comparison. It is in files, and not in the report. */
  comparison: Comparison;
  /** The comparison as JSON. */
  changesPath: string;
  /** The comparison for a browser: one HTML file that loads nothing. */
  changesPage: string;
  /** How much changed. */
  changes: ReturnType<typeof countChanges>;
  /** One sentence: why nothing was compared although that was asked for. */
  notCompared: string;
}>;

const MAX_ROWS = 50;
const MAX_LOST = 25;
const MAX_BARS = 12;
const SHOWN_LINKS = 3;

/** How much changed from one export to another. */
export function countChanges(comparison: Comparison) {
  const { from, to, basis, unchanged, assets } = comparison;
  return {
    from,
    to,
    basis,
    added: comparison.added.length,
    removed: comparison.removed.length,
    moved: comparison.moved.length,
    changed: comparison.changed.length,
    unchanged,
    lost: lostWithoutRedirect(comparison).length,
    /** Links that lead to nothing since; undefined: not known. */
    newlyBroken: comparison.newlyBroken?.length,
    assets,
  };
}

/** `3 pages added, 12 changed, 2 removed`. */
export function countsText(
  counts: Readonly<Record<'added' | 'changed' | 'moved' | 'removed', number>> | undefined,
): string {
  if (counts === undefined) return 'exported, and not compared with an earlier export';
  const parts: string[] = [];
  for (const kind of ['added', 'changed', 'moved', 'removed'] as const) {
    const count = counts[kind];
    if (count === 0) continue;
    // Only the first number says that pages are counted.
    const number = parts.length === 0 ? countOf(count, 'page') : count.toLocaleString('en-US');
    parts.push(`${number} ${kind}`);
  }
  return parts.length === 0 ? 'no page changed' : parts.join(', ');
}

/** Why nothing was compared although that was asked for. */
export function notComparedSection(why: string): string {
  return `### Changes\n\nNot compared. ${escapeMarkdown(why)}`;
}

/**
 * What changed: numbers, pages, lost addresses, and a chart by section. Every text in it comes from
 * pages.
 */
export function changesSections(comparison: Comparison): string {
  return sections([
    '### Changes',
    numbersPart(comparison),
    pagesPart(comparison),
    lostPart(comparison),
    brokenPart(comparison.newlyBroken ?? []),
    chartPart(comparison.sections),
  ]);
}

/** How much changed, and since which export. */
function numbersPart(comparison: Comparison): string {
  const { added, changed, moved, removed, unchanged } = countChanges(comparison);
  return sections([
    comparedText(comparison),
    table(
      ['Added', 'Changed', 'Moved', 'Removed', 'Unchanged'],
      [[added, changed, moved, removed, unchanged].map((count) => count.toLocaleString('en-US'))],
    ),
    filesText(comparison),
  ]);
}

/** Since which export. */
function comparedText({ from, to, basis }: Comparison): string {
  const pages = countOf(from.pages, 'page');
  if (from.jobId === undefined) return `Compared with the list of pages of the site (${pages}).`;
  let compared = `Compared with export job ${codeSpan(from.jobId)} (${pages}).`;
  if (from.jobId === to.jobId) compared += ' It is the export that is already live.';
  if (basis === 'hashes')
    compared += ' By the hashes of a manifest: each page whose file differs counts as changed.';
  return compared;
}

/** The other files; undefined: only pages are known. */
function filesText({ from, to, assets }: Comparison): string | undefined {
  if (from.jobId === undefined || assets === undefined) return undefined;
  const size = `${formatBytes(to.bytes)} in ${countOf(to.files, 'file')}, before ${formatBytes(from.bytes)} in ${countOf(from.files, 'file')}`;
  return `Other files: ${assets.added} added, ${assets.changed} changed, ${assets.removed} removed. Size: ${size}.`;
}

type PageRow = readonly [what: string, path: string, title: string, detail: string | undefined];

/** The pages that changed; removed pages come first, as the site does not show them any more. */
function pagesPart(comparison: Comparison): string {
  const rows: PageRow[] = [];
  for (const { path, title, redirect } of comparison.removed)
    rows.push(['removed', path, title, redirect && `now leads to ${redirect}`]);
  for (const { from, to, title } of comparison.moved)
    rows.push(['moved', from, title, `now at ${to}`]);
  for (const { path, title } of comparison.added) rows.push(['added', path, title, undefined]);
  for (const page of comparison.changed)
    rows.push(['changed', page.path, page.title, wordsText(page)]);
  if (rows.length === 0) return '';
  const shown = rows
    .slice(0, MAX_ROWS)
    .map(([what, path, title, detail = '']) => [
      what,
      codeSpan(path, 160),
      escapeMarkdown(title, 120),
      escapeMarkdown(detail, 200),
    ]);
  const rest = moreText(rows.length - MAX_ROWS, 'page');
  return sections([table(['', 'Page', 'Title', ''], shown), rest]);
}

/** How many words changed; undefined: only hashes were compared, so words are not known. */
function wordsText(page: ChangedPage): string | undefined {
  const { wordsAdded: added, wordsRemoved: removed = 0 } = page;
  if (added === undefined) return undefined;
  if (added === 0 && removed === 0) return 'structure only';
  if (removed === 0) return `words: ${added} more`;
  if (added === 0) return `words: ${removed} fewer`;
  return `words: ${added} more, ${removed} fewer`;
}

/** The addresses without a page and without a redirect. */
function lostPart(comparison: Comparison): string {
  const lost = lostWithoutRedirect(comparison);
  if (lost.length === 0) return '';
  const rows = lost
    .slice(0, MAX_LOST)
    .map(({ path, movedTo, links, linkedFrom }) => [
      codeSpan(path, 160),
      movedTo === undefined ? 'removed' : `moved to ${codeSpan(movedTo, 160)}`,
      linksText(links, linkedFrom),
    ]);
  return sections([
    `**${countOf(lost.length, 'address', 'addresses')} lost**: the page is gone and has no redirect.`,
    table(['Address', 'What happened to the page', 'Pages that still link there'], rows),
    moreText(lost.length - MAX_LOST, 'address', 'addresses'),
  ]);
}

/** Links that lead to nothing since. */
function brokenPart(broken: readonly BrokenLink[]): string {
  if (broken.length === 0) return '';
  const rows = broken
    .slice(0, MAX_LOST)
    .map(({ target, pages }) => [codeSpan(target, 160), linksText(pages.length, pages)]);
  return sections([
    `**${countOf(broken.length, 'link')} newly broken**: nothing is at the address, and no link led there before.`,
    table(['Address', 'Pages with the link'], rows),
    moreText(broken.length - MAX_LOST, 'address', 'addresses'),
  ]);
}

/** The pages that still link to a lost address. */
function linksText(links: number, linkedFrom: readonly string[]): string {
  if (links === 0) return 'none';
  const shown = linkedFrom.slice(0, SHOWN_LINKS).map((path) => codeSpan(path, 100));
  const rest = links - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.join(', ');
}

/** The end of a list that is cut off; empty if it has all. */
function moreText(count: number, one: string, several?: string): string {
  if (count <= 0) return '';
  return `And ${countOf(count, one, several)} more: see the file at \`changes-path\`.`;
}

/**
 * A Mermaid chart of the sections with changes. Names of sections come from addresses, so only
 * their letters, digits and a few signs are shown. Empty if it would show a single bar.
 */
function chartPart(all: readonly SectionChanges[]): string {
  const shown = all.filter((one) => changesIn(one) > 0).slice(0, MAX_BARS);
  if (shown.length < 2) return '';
  const labels = shown.map(
    (one) => `"${cut(one.section.replace(/[^\p{L}\p{N}/._-]/gu, '_'), { chars: 24 })}"`,
  );
  return [
    '```mermaid',
    'xychart-beta',
    '  title "Changed pages by section"',
    `  x-axis [${labels.join(', ')}]`,
    '  y-axis "pages"',
    `  bar [${shown.map(changesIn).join(', ')}]`,
    '```',
  ].join('\n');
}
