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
import { countOf, factList, formatBytes, formatInstant, formatRelative } from '../text/markdown.ts';
import { liveChecks, liveOutputs, liveSection, liveText } from './after/live/summary.ts';
import { rolloutText } from './after/rollout/facts.ts';
import type { LinkFacts } from './renew.ts';
import { deliveryLabel, deliveryText, historySection, type LiveExport } from './state/summary.ts';

export interface RollbackFacts extends LinkFacts {
  readonly baseUrl?: string | undefined;
  readonly domain?: string | undefined;
  /** The export that is live again. */
  readonly jobId?: string | undefined;
  /** The export that was live before. */
  readonly formerJobId?: string | undefined;
  /** When it was exported. */
  readonly pageCount?: number | undefined;
  /** The secret that the step names. */
  readonly secretName?: string | undefined;
  /** What is and was live, newest first. */
  readonly exports?: readonly LiveExport[] | undefined;
}

export const rollbackPresentation: Presentation<RollbackFacts> = {
  outputs: (facts) => ({
    'job-id': facts.jobId,
    'expires-at': facts.expiresAt,
    'bundle-url': facts.bundleUrl,
    ...bundleOutputs(facts.bundle),
    ...liveOutputs(facts.live),
  }),
  checks: ({ live }) => liveChecks(live),
  summary: (report, nowMs) =>
    sections([
      report.planned === undefined
        ? heading(`Rollback of ${escapeMarkdown(report.domain ?? 'a documentation site', 260)}`, report.status)
        : dryRunHeading('rolled back'),
      report.reason && `${escapeMarkdown(report.reason)}.`,
      errorSection(report.error),
      facts(report, nowMs),
      liveSection(report.live),
      bundleSections(report.bundle),
      plannedSection(report.planned),
      historySection(report.exports),
      nextStep(report),
    ]),
};

function facts(report: Report<RollbackFacts>, nowMs: number): string {
  const { domain, jobId, formerJobId, pageCount, expiresAt, bundleBytes, secret, secretName } = report;
  const expiry = expiresAt === undefined ? undefined : new Date(expiresAt);
  return factList([
    ['Site', domain && codeSpan(domain)],
    ['Export put back', jobId && codeSpan(jobId)],
    ['Export that was live', formerJobId && codeSpan(formerJobId)],
    ['Pages', pageCount === undefined ? undefined : countOf(pageCount, 'page')],
    ['Link expires', expiry && `${formatInstant(expiry)} (${formatRelative(expiry, nowMs)})`],
    ['Size', bundleBytes === undefined ? undefined : formatBytes(bundleBytes)],
    ['Live', liveText(report.live)],
    [deliveryLabel(secret), report.planned === undefined ? deliveryText(secret, secretName !== undefined) : undefined],
    ['Rollout', rolloutText(report.rollout)],
  ]);
}

function nextStep({ status, planned, formerJobId }: Report<RollbackFacts>): string | undefined {
  if (planned !== undefined) {
    return '**Next**: run again without `dry-run`.';
  }
  if (status !== 'completed') return undefined;
  const again =
    formerJobId === undefined ? '' : ` To put the former one back: ${codeSpan(`export-job-id: ${formerJobId}`)}.`;
  return `**Next**: correct the content on the platform. The next export replaces this one; until then, [refreshes renew it](${documentation('how-to/roll-back.md')}).${again}`;
}
