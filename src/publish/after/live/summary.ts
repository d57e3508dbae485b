import type { Check } from '../../../ci/port.ts';
import { codeSpan, escapeMarkdown } from '../../../text/escape.ts';
import { countOf, formatDuration, formatInstant, table } from '../../../text/markdown.ts';
import { describePage } from './describe.ts';
import { type LiveFacts, type LivePage, SINCE } from './facts.ts';

/** The outputs about the published site; empty where it was not checked. */
export function liveOutputs(facts: LiveFacts | undefined): Readonly<Record<'live', string | undefined>> {
  return { live: facts && String(facts.live) };
}

/** Each page as a check, for CI systems that show them; a site that only warns has no failed one. */
export function liveChecks(facts: LiveFacts | undefined): readonly Check[] {
  return (facts?.pages ?? []).map((page) => ({
    group: 'live',
    name: page.path,
    outcome: page.outcome === 'live' ? 'passed' : facts?.isWarning === true ? 'warning' : 'failed',
    message: page.outcome === 'live' ? undefined : describePage(page),
  }));
}

/** One line of the facts of a run; undefined where the site was not checked. */
export function liveText(facts: LiveFacts | undefined): string | undefined {
  if (facts === undefined) return undefined;
  const { url, live, afterSeconds = 0, since, sinceTime } = facts;
  if (!live) return `no: ${codeSpan(url)} does not show the export`;
  const at = formatInstant(new Date(sinceTime));
  return `${codeSpan(url)} shows the export, **${formatDuration(afterSeconds * 1000)}** after ${SINCE[since]} (${at})`;
}

/** The pages that were fetched, those that differ first; nothing where the site was not checked. */
export function liveSection(facts: LiveFacts | undefined): string | undefined {
  if (facts === undefined || facts.pages.length === 0) return undefined;
  const { pages, rounds, sameBefore, live } = facts;
  const right = pages.filter(({ outcome }) => outcome === 'live').length;
  const verdict = live ? '✅' : '❌';
  const lines = [
    `### Published site\n\n${verdict} ${right} of ${countOf(pages.length, 'page')} ${right === 1 ? 'shows' : 'show'} the export, fetched ${rounds === 1 ? 'once' : `${rounds} times`}.`,
    sameBefore === true && live
      ? 'All of them did so before the link was delivered: none of these pages has changed, so that they do not show when the site takes it up.'
      : '',
    pageTable(pages),
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

function pageTable(pages: readonly LivePage[]): string {
  const wrong = pages.filter(({ outcome }) => outcome !== 'live');
  const right = pages.filter(({ outcome }) => outcome === 'live');
  const rows = [...wrong, ...right].map((page) => [
    page.outcome === 'live' ? '✅' : '❌',
    codeSpan(page.path, 120),
    page.status?.toString() ?? '',
    page.outcome === 'live' ? 'shows the export' : escapeMarkdown(describePage(page), 700),
  ]);
  return table(['', 'Page', 'Status', 'Found'], rows);
}
