import type { BundleFacts } from '../../bundle/facts.ts';
import { bundleOutputs, bundleSections } from '../../bundle/summary.ts';
import { type DeliveryFacts, deliveryText } from '../../delivery/summary.ts';
import type { DeploymentType } from '../../inputs/inputs.ts';
import { deploymentSection } from '../../report/deployment.ts';
import { plannedSection } from '../../report/planned.ts';
import type { Report } from '../../report/report.ts';
import { errorSection, heading, sections } from '../../report/summary.ts';
import { codeBlock, codeSpan, escapeMarkdown } from '../../text/escape.ts';
import { countOf, factTable, formatBytes, formatDuration, formatInstant, formatRelative } from '../../text/markdown.ts';
import type { Presentation } from '../mode.ts';
import { type ProgressPoint, pagesChart } from './progress.ts';

export interface ExportFacts {
  readonly baseUrl?: string | undefined;
  readonly domain?: string | undefined;
  readonly deploymentType?: DeploymentType | undefined;
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
  readonly bundleBytes?: number | undefined;
  readonly bundle?: BundleFacts | undefined;
  readonly secret?: DeliveryFacts | undefined;
}

export const exportPresentation: Presentation<ExportFacts> = {
  outputs: (facts) => ({
    'job-id': facts.jobId,
    'page-count': facts.pageCount?.toString(),
    'bundle-bytes': facts.bundleBytes?.toString(),
    'expires-at': facts.expiresAt,
    'bundle-url': facts.bundleUrl,
    'secret-updated': String(facts.secret?.updated ?? false),
    ...bundleOutputs(facts.bundle),
  }),
  summary: (report, nowMs) =>
    sections([
      heading(`Export of ${escapeMarkdown(report.domain ?? 'a documentation site', 260)}`, report.status),
      // The next steps say it of a run that has detached.
      report.status !== 'detached' && report.reason ? escapeMarkdown(report.reason) : undefined,
      errorSection(report.error),
      facts(report, nowMs),
      report.progress && pagesChart(report.progress),
      bundleSections(report.bundle),
      plannedSection(report.planned),
      nextSteps(report),
      deploymentSection(report.deploymentType),
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
  return factTable([
    ['Site', report.domain && codeSpan(report.domain)],
    ['Export job', jobId && `${codeSpan(jobId)}${origin === undefined ? '' : ` (${ORIGINS[origin]})`}`],
    ['Pages', pagesText(report)],
    ['Followed for', jobElapsedMs === undefined || jobElapsedMs < 100 ? undefined : formatDuration(jobElapsedMs)],
    ['Size', bundleBytes === undefined ? undefined : formatBytes(bundleBytes)],
    ['Link expires', expiryText({ expiry, hasLink: bundleUrl !== undefined, nowMs })],
    ['Secret', deliveryText(report.secret, { hasLink: bundleUrl !== undefined })],
  ]);
}

// Jobs tell pages while they run: the last word of one that was over between two looks came before its end.
function pagesText({ pageCount, progress }: Report<ExportFacts>): string | undefined {
  if (pageCount === undefined) return undefined;
  const last = progress?.findLast(({ pages }) => pages !== undefined);
  const share = last?.fraction === undefined ? 1 : last.fraction;
  const at = share < 1 ? ` when last told, at ${Math.floor(share * 100)} %` : '';
  return `${countOf(pageCount, 'page')}${at}`;
}

function expiryText({
  expiry,
  hasLink,
  nowMs,
}: {
  expiry: Date | undefined;
  hasLink: boolean;
  nowMs: number;
}): string | undefined {
  if (expiry !== undefined) return `${formatInstant(expiry)} (${formatRelative(expiry, nowMs)})`;
  return hasLink ? 'the platform did not say' : undefined;
}

function attachYaml(jobId: string): string {
  return codeBlock(`with:\n  export-job-id: ${jobId}`, { language: 'yaml' });
}

function nextSteps(report: Report<ExportFacts>): string | undefined {
  const { status, jobId, secret, bundleUrl } = report;
  if (report.planned !== undefined) return '**Next**: run again without `dry-run`.';
  if (status === 'completed' && secret?.updated === true) {
    return [
      "**Next**: a workflow reads the secret when its run is queued (an environment's when the job starts), so deploy in a later run, or in this job with `bundle-url`; a deployment does not notice a new value by itself.",
      'Schedule `mode: refresh` so that the link never goes stale.',
    ].join(' ');
  }
  if (status === 'completed') {
    return '**Next**: use `steps.<id>.outputs.bundle-url` in a later step of this job, by environment; to keep the link for other runs, give `secret-name` and `secret-token`.';
  }
  // The advice of a timeout says it already; a failed job is no use to attach to.
  if (jobId === undefined || report.error?.code === 'job-failed' || report.error?.code === 'timed-out')
    return undefined;
  const why = bundleUrl === undefined ? 'The export itself goes on or is done' : 'The export is done';
  return `**Next**: ${why}. Attach to it, which starts no second export:\n\n${attachYaml(jobId)}`;
}
