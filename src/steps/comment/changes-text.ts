import type { ChangesNotice } from '../../comment/pull-comments.ts';
import { countOf, formatInstant } from '../../ground/text/amounts.ts';
import { codeSpan, escapeMarkdown, link } from '../../ground/text/escape.ts';
import type { ToPageUrl } from '../../ground/text/names.ts';
import { sections } from '../../run/report.ts';
import {
  type BrokenLink,
  type Comparison,
  lostWithoutRedirect,
} from '../../site/compare/comparison.ts';
import { countsText } from '../changes/changes-summary.ts';

interface PublishedChanges {
  /** The name under which the platform knows the site. */
  readonly site: string;
  readonly notice: ChangesNotice;
  /** It is what an open pull request would change. */
  readonly isProposed?: boolean;
  /** How many links lead to nothing since; undefined: not known. */
  readonly newlyBroken?: number | undefined;
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
  isProposed = false,
  newlyBroken = 0,
  pages,
  toUrl,
  contentCommit,
}: PublishedChanges): string {
  let when = whenText(notice);
  if (isProposed) when = `compared on ${formatInstant(new Date(notice.since))}`;
  return sections([
    `**Documentation ${codeSpan(site, 200)}**: ${countsText(notice.counts)}; ${when}${publishedPhrase(contentCommit)}.`,
    lostText(notice.counts?.lost ?? 0),
    newlyBrokenText(newlyBroken),
    pages && pageLists(pages, toUrl),
  ]);
}

/** Since when the export is live. Without a check of the site, it is only known to be delivered. */
export function whenText({ isLive, since }: ChangesNotice): string {
  return `${isLive ? 'live since' : 'delivered on'} ${formatInstant(new Date(since))}`;
}

function publishedPhrase(commit: string | undefined): string {
  return commit === undefined ? '' : `; published: commit ${codeSpan(commit.slice(0, 7))}`;
}

function lostText(lost: number): string | undefined {
  if (lost === 0) return undefined;
  return `⚠️ ${countOf(lost, 'address was', 'addresses were')} lost: the page is gone and has no redirect.`;
}

function newlyBrokenText(links: number): string | undefined {
  if (links === 0) return undefined;
  return `⚠️ ${countOf(links, 'link')} newly broken.`;
}

interface Listed {
  readonly path: string;
  readonly title: string;
}

/**
 * The pages by what became of them. Those that are gone get no link: it would lead nowhere. Lost
 * addresses are again those of removed and moved pages, if they have no redirect.
 */
function pageLists(comparison: Comparison, toUrl: ToPageUrl): string {
  const toNowhere = () => undefined;
  const movedPages = comparison.moved.map((one) => ({ path: one.to, title: one.title }));
  return sections([
    pageList('Added', comparison.added, toUrl),
    pageList('Changed', comparison.changed, toUrl),
    pageList('Moved', movedPages, toUrl),
    pageList('Removed', comparison.removed, toNowhere),
    pageList('Lost addresses', lostWithoutRedirect(comparison), toNowhere),
    unfolding('Newly broken links', (comparison.newlyBroken ?? []).map(brokenText)),
  ]);
}

/** A list that unfolds. A comment has a limit, so it has only the first pages. */
function pageList(name: string, pages: readonly Listed[], toUrl: ToPageUrl): string | undefined {
  return unfolding(
    name,
    pages.map((page) => pageText(page, toUrl(page.path))),
  );
}

function unfolding(name: string, texts: readonly string[]): string | undefined {
  if (texts.length === 0) return undefined;
  const items = texts.slice(0, MAX_LISTED).map((text) => `- ${text}`);
  const rest = texts.length - items.length;
  if (rest > 0) items.push(`- and ${rest.toLocaleString('en-US')} more`);
  return `<details><summary>${name} (${texts.length.toLocaleString('en-US')})</summary>\n\n${items.join('\n')}\n\n</details>`;
}

/** A link that leads to nothing, with the first page that has it. */
function brokenText({ target, pages }: BrokenLink): string {
  const [first = ''] = pages;
  const rest = pages.length - 1;
  const text = `${codeSpan(target, 160)} on ${codeSpan(first, 160)}`;
  if (rest === 0) return text;
  return `${text} and ${countOf(rest, 'more page')}`;
}

function pageText({ path, title }: Listed, url: string | undefined): string {
  const name = escapeMarkdown(title === '' ? path : title, 120);
  const plain = `${name} ${codeSpan(path, 160)}`;
  if (url === undefined) return plain;
  const linked = link(name, url);
  // `link` gives code instead of a link for an address with unusual letters.
  return linked.startsWith('[') ? linked : plain;
}

/** The last line of a comment: the run that has written it, and until when its link works. */
const STATUS = /\n\n<sub>[^\n]*<\/sub>$/;

/** The comment with this status as its last line. A later run replaces only that line. */
export function withStatus(text: string, status: string): string {
  return `${text.replace(STATUS, '')}\n\n<sub>${status}</sub>`;
}
