import type { Check } from '../../ci/port.ts';
import { type CourierError, courierError } from '../../ground/errors.ts';
import {
  countOf,
  firstLines,
  formatDuration,
  formatInstant,
  writeDuration,
} from '../../ground/text/amounts.ts';
import { codeSpan, escapeMarkdown, plainLine } from '../../ground/text/escape.ts';
import { table } from '../../ground/text/markdown.ts';
import type { Known } from '../../run/context.ts';
import { sections } from '../../run/report.ts';

/**
 * What is known about the check of the published site. Everything in it may be printed; escape
 * texts of pages.
 */
export interface LiveFacts {
  /** The address of its start page. */
  readonly url: string;
  /** True if every page of the sample showed the export in the same round. */
  readonly live: boolean;
  /** True if the site is not live, and `on-not-live` makes that a warning instead of a failure. */
  readonly isWarning?: boolean | undefined;
  /** The time from `since` until the site was live; undefined: it is not. */
  readonly afterSeconds?: number | undefined;
  /**
   * What `afterSeconds` counts from: merge or push, if a published commit is named, else the
   * delivery.
   */
  readonly since: 'merge' | 'push' | 'delivery';
  /** ISO 8601, UTC. */
  readonly sinceTime: string;
  /** How often pages were fetched, with waits between. */
  readonly rounds: number;
  /**
   * True if every page of the sample showed the export before the delivery: the check cannot
   * distinguish it from the export before.
   */
  readonly sameBefore?: boolean | undefined;
  /** How many pages of the sample have no text before scripts run, and are not in `pages`. */
  readonly notJudged?: number | undefined;
  /** What the site said about itself in the last round; undefined: it was not asked. */
  readonly stamp?: LiveStamp | undefined;
  readonly pages: readonly LivePage[];
}

/**
 * The stamp of a published site: a file in it that names its export. It comes from outside, and
 * proves nothing.
 */
interface LiveStamp {
  /**
   * Decided by the fingerprint of the content, so that an unchanged image counts as this export.
   * `none`: there is no readable stamp.
   */
  readonly of: 'this export' | 'another export' | 'none';
  /** The export job that it names. */
  readonly jobId?: string | undefined;
  /** The export that it names, or why there is none. */
  readonly text: string;
}

/** What the site said about itself, as a sentence: inert, but not escaped for Markdown. */
export function stampSentence({ of, text }: LiveStamp): string {
  if (of === 'none') return `The site has no stamp that can be read: ${plainLine(text, 300)}.`;
  const names = of === 'this export' ? 'has the content of this export' : 'names another export';
  return `Its stamp ${names}: ${plainLine(text, 600)}.`;
}

/** One page of the sample, as the last fetch showed it. */
export interface LivePage
  extends Known<{
    status: number;
    /** One sentence without a full stop; undefined for a page that is live. */
    detail: string;
    /** Share of the exported words that the page has, 0 to 1. */
    found: number;
    /** Parts of the exported text that the page lacks. */
    missing: readonly string[];
    /** Parts of its text that the export lacks. */
    extra: readonly string[];
    /** What caches on the way said about themselves, by header. */
    cache: Readonly<Record<string, string>>;
  }> {
  /** Its address below the start page, such as `/guide/start`. */
  readonly path: string;
  /**
   * `live`: readers get the export. `cached`: the site has it, and a cache on the way hands out
   * something else. `differs`: another text. `status`: an error. `redirect`: to another origin, to
   * a login page, or too many. `unreachable`: no reply.
   */
  readonly outcome: 'live' | 'cached' | 'differs' | 'status' | 'redirect' | 'unreachable';
}

/** What `since` says, in a sentence: `3 min after the merge`. */
export const SINCE: Readonly<Record<LiveFacts['since'], string>> = {
  merge: 'the merge',
  push: 'the push',
  delivery: 'the delivery',
};

/** The end of a sentence about a live site that had not changed visibly. */
export const SAME_BEFORE =
  'did so before the delivery: none of the pages that were fetched has changed, so they cannot show when the site starts to serve the new export.';

/**
 * What is wrong with a page, in one line: inert, but not escaped for Markdown. Without a page to
 * compare, no words are known, and without a reply no headers.
 */
function describePage({ detail = '', missing = [], extra = [], cache = {} }: LivePage): string {
  const parts = [detail];
  if (missing.length > 0) parts.push(`missing: ${quoted(missing)}`);
  // If words are missing, the others are mostly those that they replaced.
  if (extra.length > 0) parts.push(`not in the export: ${quoted(extra)}`);
  const headers = Object.entries(cache).map(([name, value]) => `${name}: ${plainLine(value, 100)}`);
  parts.push(headers.join(', '));
  return parts.filter((part) => part !== '').join('; ');
}

function quoted(parts: readonly string[]): string {
  return parts.map((part) => `"${plainLine(part, 100)}"`).join(', ');
}

const MOST_PAGES = 5;

/** What became of the export in this run. */
interface Handover {
  /** False for an export that the run delivers nowhere. */
  readonly isHandedOver: boolean;
  /** True for the site of `from`: no other run can refresh it or roll it back. */
  readonly isGiven: boolean;
}

/**
 * The error of a site that does not show the export: how pages differ, and what to do about it.
 * `basePath`: that of the export, as far as it is known.
 */
export function notLiveError(
  { url, pages, stamp }: LiveFacts,
  timeoutMs: number,
  basePath = '',
  handover: Handover = { isHandedOver: true, isGiven: false },
): CourierError {
  if (pages.length === 0) {
    return courierError(
      'checks-failed',
      `${url} was not compared with the export: none of its pages has a visible text.`,
      'Open a page of the bundle with scripts switched off. Without live-url nothing is compared.',
    );
  }
  const wrong = pages.filter(isWrong);
  // Such as `1 of 3 pages differs`; if all are wrong, `3 pages differ`.
  let count = `${countOf(pages.length, 'page')} ${wrong.length === 1 ? 'differs' : 'differ'}`;
  if (wrong.length < pages.length) count = `${wrong.length} of ${count}`;
  const described = wrong.map((page) => `- ${plainLine(page.path, 100)}: ${describePage(page)}`);
  const lines = [
    `${url} did not show the export within ${writeDuration(timeoutMs)}: ${count}.`,
    ...firstLines(described, MOST_PAGES),
  ];
  if (stamp !== undefined) lines.push(`- ${stampSentence(stamp)}`);
  const hint = hintAfter(handover, adviceOnPages({ pages, url }, basePath));
  return courierError('checks-failed', lines.join('\n'), hint);
}

function hintAfter({ isHandedOver, isGiven }: Handover, advice: string): string {
  if (isHandedOver) {
    const hint = `What was delivered stays. ${advice}`;
    if (isGiven) return hint;
    return `${hint} To restore the previous export, run mode: rollback.`;
  }
  let how = 'compare after that, in a step with mode: refresh, export-job-id and live-url';
  if (isGiven) how = 'repeat this step after that';
  return `This run delivers the site to no deployment. If a later step or job deploys it, ${how}. ${advice}`;
}

function isWrong(page: LivePage): boolean {
  return page.outcome !== 'live';
}

/** A page with a smaller share of the exported words is of another site. */
const LEAST_WORDS = 0.1;

/** Whether most pages are of another site. */
function haveHardlyAWord(pages: readonly LivePage[]): boolean {
  // Without `found`, the page was not compared, so nothing is known of its words.
  const few = pages.filter(({ found = 1 }) => found < LEAST_WORDS);
  return few.length > pages.length / 2;
}

/** What to do, by the likeliest cause. */
function adviceOnPages({ pages, url }: Pick<LiveFacts, 'pages' | 'url'>, basePath: string): string {
  const wrong = pages.filter(isWrong);
  const has = (outcome: LivePage['outcome']) => wrong.some((page) => page.outcome === outcome);
  const isRefused = wrong.some(({ status = 0 }) => [401, 403, 407].includes(status));
  if (isRefused || has('redirect')) {
    return 'A site behind a login needs live-headers, with a token or cookie that it accepts, such as "Authorization: Bearer …".';
  }
  if (has('cached')) {
    return 'The site itself has the export: purge the cache in front of it after each deployment, or set live-timeout to longer than it keeps a page.';
  }
  if (has('unreachable'))
    return 'Check live-url, and that this machine reaches it: behind a proxy set HTTPS_PROXY, for a private authority NODE_EXTRA_CA_CERTS.';
  // All links of the site lead nowhere if its address lacks the path that they begin with.
  if (!new URL(url).pathname.startsWith(basePath)) {
    return `The links of the site begin with ${basePath}: set live-url to the address of its start page, with ${basePath}.`;
  }
  if (wrong.every((one) => one.status === 404)) {
    return 'Check that live-url is the address of the start page of the site, with its path.';
  }
  if (haveHardlyAWord(pages)) {
    return 'Hardly a word of the export is there: check that live-url is the address of the published site, and not of a dashboard or another site. A site behind a login needs live-headers.';
  }
  return 'Check that the deployment loads this export within live-timeout: one that reads the link only when it starts must be restarted, for example with rollout.';
}

/** Each page as a check, for CI systems that show checks. None is failed if the step only warns. */
export function liveChecks(facts: LiveFacts): readonly Check[] {
  const outcomeOfWrong = facts.isWarning ? 'warning' : 'failed';
  return facts.pages.map((page) => {
    const check = { group: 'live', name: page.path };
    if (!isWrong(page)) return { ...check, outcome: 'passed' };
    return { ...check, outcome: outcomeOfWrong, message: describePage(page) };
  });
}

/** Whether the site is live, as one line of the facts of a run. */
export function liveText({ url, live, afterSeconds = 0, since, sinceTime }: LiveFacts): string {
  if (!live) return `no: ${codeSpan(url)} does not show the export`;
  const at = formatInstant(new Date(sinceTime));
  return `${codeSpan(url)} shows the export, **${formatDuration(afterSeconds * 1000)}** after ${SINCE[since]} (${at})`;
}

/** What is not known of a site that is live. */
export function notJudgedText(count: number): string {
  const have = count === 1 ? 'has' : 'have';
  return `${countOf(count, 'more page')} of the sample ${have} no text before scripts run, and could not be compared.`;
}

/** The pages that were fetched, those that show the export in a fold; undefined if none was. */
export function liveSection(facts: LiveFacts): string | undefined {
  const { pages, rounds, stamp, notJudged } = facts;
  if (pages.length === 0) return undefined;
  const right = pages.filter((page) => !isWrong(page));
  const show = right.length === 1 ? 'shows' : 'show';
  const fetched = rounds === 1 ? 'fetched once' : `fetched ${rounds} times`;
  let verdict = `${facts.live ? '✅' : '❌'} ${right.length} of ${countOf(pages.length, 'page')} ${show} the export, ${fetched}.`;
  const list = right.map((one) => `- ${codeSpan(one.path, 120)}`).join('\n');
  if (list !== '') verdict = `<details><summary>${verdict}</summary>\n\n${list}\n\n</details>`;
  // A site that showed the export before may have changed since, and show another one now.
  const isUnchanged = facts.live && facts.sameBefore;
  return sections([
    '### Published site',
    verdict,
    notJudged === undefined ? undefined : notJudgedText(notJudged),
    stamp && escapeMarkdown(stampSentence(stamp), 700),
    isUnchanged ? `All of them ${SAME_BEFORE}` : undefined,
    wrongPagesTable(pages.filter(isWrong)),
  ]);
}

function wrongPagesTable(pages: readonly LivePage[]): string | undefined {
  if (pages.length === 0) return undefined;
  const rows = pages.map((page) => [
    codeSpan(page.path, 120),
    page.status?.toString() ?? '',
    escapeMarkdown(describePage(page), 700),
  ]);
  return table(['Page', 'Status', 'Found'], rows);
}
