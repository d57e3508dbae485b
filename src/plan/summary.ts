import type { Presentation } from '../run/context.ts';
import { errorSection, heading, sections } from '../run/report.ts';
import { codeSpan, escapeMarkdown } from '../text/escape.ts';
import { countOf, table } from '../text/markdown.ts';

/** A site of the configuration file, and why it is planned or not. */
export interface PlannedSite {
  readonly site: string;
  readonly isPlanned: boolean;
  /** Half a sentence; it may hold the name of a file. */
  readonly reason: string;
}

export interface PlanFacts {
  /** The commit that was compared with; undefined: there was none. */
  readonly base?: string | undefined;
  /** In the order of the file. */
  readonly sites?: readonly PlannedSite[] | undefined;
}

export const planPresentation: Presentation<PlanFacts> = {
  outputs: ({ sites }) => {
    if (sites === undefined) return {};
    const include = sites.filter(({ isPlanned }) => isPlanned).map(({ site }) => ({ site }));
    return { matrix: JSON.stringify({ include }), changed: String(include.length > 0) };
  },
  summary: ({ base, sites, status, error }) => {
    const count = sites?.filter(({ isPlanned }) => isPlanned).length;
    const subject = sites === undefined ? 'Plan' : `Plan: ${count} of ${countOf(sites.length, 'site')}`;
    const rows = (sites ?? []).map(({ site, isPlanned, reason }) => [
      codeSpan(site),
      isPlanned ? 'yes' : 'no',
      escapeMarkdown(reason, 300),
    ]);
    return sections([
      heading(subject, status),
      errorSection(error),
      base === undefined ? '' : `Compared with the commit ${codeSpan(base)}.`,
      rows.length === 0 ? '' : table(['Site', 'Planned', 'Why'], rows),
    ]);
  },
};
