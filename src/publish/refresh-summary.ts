import { bundleOutputs, bundleSections } from '../bundle/summary.ts';
import type { Presentation } from '../run/context.ts';
import {
  documentation,
  dryRunHeading,
  errorSection,
  heading,
  plannedSection,
  type Report,
  sections,
} from '../run/report.ts';
import { codeSpan, escapeMarkdown } from '../text/escape.ts';
import { factList, formatBytes, formatInstant, formatRelative } from '../text/markdown.ts';
import { liveChecks, liveOutputs, liveSection, liveText } from './after/live/summary.ts';
import { rolloutText } from './after/rollout/facts.ts';
import type { LinkFacts } from './renew.ts';
import { deliveryLabel, deliveryText, historySection, type LiveExport } from './state/summary.ts';

export interface RefreshFacts extends LinkFacts {
  readonly baseUrl?: string | undefined;
  readonly domain?: string | undefined;
  readonly jobId?: string | undefined;
  readonly changed: boolean;
  /** When a fresh link will be due, where it is not yet. */
  readonly dueAt?: string | undefined;
  /** Of the link that was stored before this run, as the state says. ISO 8601, UTC. */
  readonly storedLinkExpiresAt?: string | undefined;
  /** The live export is an earlier one, which a rollback has put in place of this one. */
  readonly rolledBackFrom?: string | undefined;
  /** The secret that the step names. */
  readonly secretName?: string | undefined;
  /** What is and was live, newest first. */
  readonly exports?: readonly LiveExport[] | undefined;
}

export const refreshPresentation: Presentation<RefreshFacts> = {
  outputs: (facts) => ({
    'job-id': facts.jobId,
    'expires-at': facts.expiresAt,
    'bundle-url': facts.bundleUrl,
    changed: String(facts.changed ?? false),
    ...bundleOutputs(facts.bundle),
    ...liveOutputs(facts.live),
  }),
  checks: ({ live }) => liveChecks(live),
  summary: (report, nowMs) =>
    sections([
      report.planned === undefined
        ? heading(`Refresh of ${escapeMarkdown(report.domain ?? 'a bundle link', 260)}`, report.status)
        : dryRunHeading('refreshed'),
      report.reason && `${escapeMarkdown(report.reason)}.`,
      errorSection(report.error),
      facts(report, nowMs),
      liveSection(report.live),
      bundleSections(report.bundle),
      plannedSection(report.planned),
      historySection(report.exports),
      report.changed === true
        ? `**Next**: deploy with \`bundle-url\` in a later step of this job; the content is the same as before, see [the life of a link](${documentation('explanation/life-of-a-link.md')}).`
        : undefined,
    ]),
};

function facts(report: Report<RefreshFacts>, nowMs: number): string {
  const { domain, jobId, rolledBackFrom, expiresAt, dueAt, bundleBytes, bundleUrl, changed } = report;
  const time = (iso: string | undefined) =>
    iso && `${formatInstant(new Date(iso))} (${formatRelative(new Date(iso), nowMs)})`;
  const rolledBack = rolledBackFrom === undefined ? '' : `, which was put back in place of ${codeSpan(rolledBackFrom)}`;
  return factList([
    ['Site', domain && codeSpan(domain)],
    ['Export job', jobId && `${codeSpan(jobId)}${rolledBack}`],
    ['Fresh link', changed === true ? 'made' : bundleUrl === undefined ? 'not made' : 'made, not delivered'],
    ['Link expires', time(expiresAt)],
    ['Next refresh due', time(dueAt)],
    ['Size', bundleBytes === undefined ? undefined : formatBytes(bundleBytes)],
    [
      deliveryLabel(report.secret),
      dueAt === undefined ? deliveryText(report.secret, report.secretName !== undefined) : 'holds the stored link',
    ],
    ['Rollout', rolloutText(report.rollout)],
    ['Live', liveText(report.live)],
  ]);
}
