import type { Comparison } from '../../../bundle/compare/comparison.ts';
import type { ChangesNotice } from '../../../comment/pull-comments.ts';
import { sections } from '../../../run/report.ts';
import { countOf, formatInstant } from '../../../text/amounts.ts';
import { codeSpan, escapeMarkdown, link } from '../../../text/escape.ts';
import type { ToPageUrl } from '../../../text/names.ts';

interface PublishedChanges {
  /** The name under which the platform knows the site. */
  readonly site: string;
  readonly notice: ChangesNotice;
  /** The pages, if they may be shown; undefined: only numbers are shown. */
  readonly pages: Comparison | undefined;
  readonly toUrl: ToPageUrl;
  /** The commit that was published for the export. */
  readonly contentCommit?: string | undefined;
}

const MAX_LISTED = 20;

/** The comment as Markdown. Titles and addresses come from pages, so all of them are escaped. */
export function changesText({
  site,
  notice,
  pages,
  toUrl,
  contentCommit,
}: PublishedChanges): string {
  const when = `${notice.isLive ? 'live since' : 'link stored on'} ${formatInstant(new Date(notice.since))}`;
  return sections([
    `**Documentation ${codeSpan(site, 200)}**: ${countsText(notice.counts)}; ${when}${publishedPhrase(contentCommit)}.`,
    lostText(notice.counts?.lost ?? 0),
    pages && lists(pages, toUrl),
  ]);
}

function publishedPhrase(commit: string | undefined): string {
  return commit === undefined ? '' : `; published: commit ${codeSpan(commit.slice(0, 7))}`;
}

/** `3 pages added, 12 changed, 2 removed`. */
export function countsText(counts: ChangesNotice['counts']): string {
  if (counts === undefined) return 'exported, with no earlier export to compare with';
  const parts = (['added', 'changed', 'moved', 'removed'] as const)
    .filter((kind) => counts[kind] > 0)
    .map(
      (kind, at) =>
        `${at === 0 ? countOf(counts[kind], 'page') : counts[kind].toLocaleString('en-US')} ${kind}`,
    );
  return parts.length === 0 ? 'no page changed' : parts.join(', ');
}

function lostText(lost: number): string | undefined {
  if (lost === 0) return undefined;
  return `⚠️ ${countOf(lost, 'address was', 'addresses were')} lost: the page is gone and has no redirect.`;
}

interface Listed {
  readonly path: string;
  readonly title: string;
}

function lists(comparison: Comparison, toUrl: ToPageUrl): string {
  const nowhere = () => undefined;
  const arrived = comparison.moved.map((one) => ({ path: one.to, title: one.title }));
  const open = comparison.lost.filter((one) => one.redirect === undefined);
  return sections([
    pageList('Added', comparison.added, toUrl),
    pageList('Changed', comparison.changed, toUrl),
    pageList('Moved', arrived, toUrl),
    pageList('Removed', comparison.removed, nowhere),
    pageList('Lost addresses', open, nowhere),
  ]);
}

function pageList(name: string, pages: readonly Listed[], toUrl: ToPageUrl): string | undefined {
  if (pages.length === 0) return undefined;
  const items = pages.slice(0, MAX_LISTED).map((page) => `- ${pageText(page, toUrl(page.path))}`);
  const rest = pages.length - items.length;
  const more = rest > 0 ? [`- and ${rest.toLocaleString('en-US')} more`] : [];
  return `<details><summary>${name} (${pages.length.toLocaleString('en-US')})</summary>\n\n${[...items, ...more].join('\n')}\n\n</details>`;
}

function pageText({ path, title }: Listed, url: string | undefined): string {
  const name = escapeMarkdown(title === '' ? path : title, 120);
  const linked = url === undefined ? '' : link(name, url);
  // An address with unusual letters is shown as code instead of a link.
  return linked.startsWith('[') ? linked : `${name} ${codeSpan(path, 160)}`;
}

const STATUS = /\n\n<sub>[^\n]*<\/sub>$/;

/** The comment with this status as its last line. A later run replaces only that line. */
export function withStatus(text: string, status: string): string {
  return `${text.replace(STATUS, '')}\n\n<sub>${status}</sub>`;
}
