import type { Comparison } from '../bundle/compare/comparison.ts';
import type { BundleFacts } from '../bundle/facts.ts';
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
import { countOf, factList, formatBytes, formatDuration, formatInstant, formatRelative } from '../text/markdown.ts';
import type { AfterDeliveryFacts } from './after/after.ts';
import { liveChecks, liveOutputs, liveSection, liveText } from './after/live/summary.ts';
import { rolloutText } from './after/rollout/facts.ts';
import { type ChangeCounts, changesSections } from './changes/changes-summary.ts';
import type { GuardFacts } from './guard/guard.ts';
import { guardChecks, guardSection } from './guard/guard-summary.ts';
import { type ProgressPoint, progressChart } from './progress.ts';
import { type DeliveryFacts, deliveryLabel, deliveryText, historySection, type LiveExport } from './state/summary.ts';

export interface ExportFacts extends AfterDeliveryFacts {
  readonly baseUrl?: string | undefined;
  readonly domain?: string | undefined;
  readonly jobId?: string | undefined;
  /** Where the job came from: this run, the input, or an earlier attempt of this run. */
  readonly origin?: 'started' | 'attached' | 'resumed' | undefined;
  readonly pageCount?: number | undefined;
  /** How long this run followed the job. */
  readonly jobElapsedMs?: number | undefined;
  readonly progress?: readonly ProgressPoint[] | undefined;
  /** A secret: an output, never part of report or summary. */
  readonly bundleUrl?: string | undefined;
  /** ISO 8601, UTC. */
  readonly expiresAt?: string | undefined;
  /** Of the link that was stored before this run, as the state says. ISO 8601, UTC. */
  readonly storedLinkExpiresAt?: string | undefined;
  readonly bundleBytes?: number | undefined;
  readonly bundle?: BundleFacts | undefined;
  /** What changed since the export before. It is in files of its own, and no part of the report. */
  readonly comparison?: Comparison | undefined;
  readonly changesPath?: string | undefined;
  /** The same for a browser: one HTML file that loads nothing. */
  readonly changesPage?: string | undefined;
  /** How much changed, for the report. */
  readonly changes?: ChangeCounts | undefined;
  /** One sentence: why nothing was compared although that was asked for. */
  readonly notCompared?: string | undefined;
  readonly guard?: GuardFacts | undefined;
  /** The secret that the step names. */
  readonly secretName?: string | undefined;
  readonly secret?: DeliveryFacts | undefined;
  /** What is and was live, newest first. */
  readonly exports?: readonly LiveExport[] | undefined;
}

export const exportPresentation: Presentation<ExportFacts> = {
  unreported: ['comparison'],
  outputs: (facts) => ({
    'job-id': facts.jobId,
    'page-count': facts.pageCount?.toString(),
    'expires-at': facts.expiresAt,
    'bundle-url': facts.bundleUrl,
    ...bundleOutputs(facts.bundle),
    'changes-path': facts.changesPath,
    'changes-page': facts.changesPage,
    ...liveOutputs(facts.live),
  }),
  checks: ({ guard, live }) => [...guardChecks(guard), ...liveChecks(live)],
  summary: (report, nowMs) =>
    sections([
      report.planned === undefined
        ? heading(`Export of ${escapeMarkdown(report.domain ?? 'a documentation site', 260)}`, report.status)
        : dryRunHeading('exported'),
      // The next step says it of a run that has detached.
      report.status !== 'detached' && report.reason ? escapeMarkdown(report.reason) : undefined,
      errorSection(report.error),
      facts(report, nowMs),
      report.progress && progressChart(report.progress),
      guardSection(report.guard, report.planned !== undefined),
      changesSections(report),
      liveSection(report.live),
      bundleSections(report.bundle),
      plannedSection(report.planned),
      historySection(report.exports),
      nextStep(report),
    ]),
};

const ORIGINS = {
  started: 'started by this run',
  attached: 'attached to, as `export-job-id` asked',
  resumed: 'resumed: started by an earlier attempt of this run; a new export needs a new run',
} as const;

function facts(report: Report<ExportFacts>, nowMs: number): string {
  const { jobId, origin, jobElapsedMs, expiresAt, bundleBytes, bundleUrl } = report;
  const expiry = expiresAt === undefined ? undefined : new Date(expiresAt);
  return factList([
    ['Site', report.domain && codeSpan(report.domain)],
    ['Export job', jobId && `${codeSpan(jobId)}${origin === undefined ? '' : ` (${ORIGINS[origin]})`}`],
    ['Pages', pagesText(report)],
    ['Followed for', jobElapsedMs === undefined || jobElapsedMs < 100 ? undefined : formatDuration(jobElapsedMs)],
    ['Size', bundleBytes === undefined ? undefined : formatBytes(bundleBytes)],
    ['Link expires', expiryText(expiry, bundleUrl !== undefined, nowMs)],
    [deliveryLabel(report.secret), deliveryText(report.secret, report.secretName !== undefined)],
    ['Rollout', rolloutText(report.rollout)],
    ['Live', liveText(report.live)],
  ]);
}

// Jobs report pages while they run: the last count of one that ended between two polls is from before its end.
function pagesText({ pageCount, progress }: Report<ExportFacts>): string | undefined {
  if (pageCount === undefined) return undefined;
  const last = progress?.findLast(({ pages }) => pages !== undefined);
  const share = last?.fraction === undefined ? 1 : last.fraction;
  const at = share < 1 ? ` when last reported, at ${Math.floor(share * 100)} %` : '';
  return `${countOf(pageCount, 'page')}${at}`;
}

function expiryText(expiry: Date | undefined, hasLink: boolean, nowMs: number): string | undefined {
  if (expiry !== undefined) return `${formatInstant(expiry)} (${formatRelative(expiry, nowMs)})`;
  return hasLink ? 'the platform did not say' : undefined;
}

/** One sentence, with the page that says more. */
function nextStep(report: Report<ExportFacts>): string | undefined {
  const { status, jobId, secret, live } = report;
  if (report.planned !== undefined) {
    return `**Next**: run again without \`dry-run\`; see [what a dry run does](${documentation('explanation/dry-run.md')}).`;
  }
  if (status === 'completed' && live?.live === true) {
    return `**Next**: [keep the link fresh](${documentation('how-to/refresh-on-a-schedule.md')}).`;
  }
  if (status === 'completed' && secret?.updated === true && deliveryLabel(secret) === 'Link') {
    return `**Next**: deploy with the link, and [keep it fresh](${documentation('how-to/refresh-on-a-schedule.md')}).`;
  }
  if (status === 'completed' && secret?.updated === true) {
    return `**Next**: deploy with \`bundle-url\` in a later step of this job, or in a later run, since a workflow reads the secret when its run is queued (an environment's when the job starts), and [keep the link fresh](${documentation('how-to/refresh-on-a-schedule.md')}).`;
  }
  if (status === 'completed') {
    return `**Next**: use \`bundle-url\` in a later step of this job, or [keep the link in a secret](${documentation('how-to/secret-in-an-environment.md')}) for other runs.`;
  }
  // The advice of a timeout says it already; attaching to a job that failed, or that the platform does not know, is of no use.
  const { code } = report.error ?? {};
  if (jobId === undefined || code === 'job-failed' || code === 'timed-out' || code === 'not-found') return undefined;
  return `**Next**: [attach to the job](${documentation('how-to/resume-an-export.md')}) with ${codeSpan(`export-job-id: ${jobId}`)}, which starts no second export.`;
}
