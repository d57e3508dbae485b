import { type BundleFacts, bundleSections } from '../bundle/summary.ts';
import type { Presentation } from '../run/context.ts';
import {
  dryRunHeading,
  errorSection,
  heading,
  pageLink,
  plannedSection,
  type Report,
  sections,
} from '../run/report.ts';
import {
  countOf,
  formatBytes,
  formatDuration,
  formatInstant,
  formatRelative,
} from '../text/amounts.ts';
import { codeSpan, escapeMarkdown } from '../text/escape.ts';
import { factList } from '../text/markdown.ts';
import type { AfterDeliveryFacts } from './after/after.ts';
import { liveChecks, liveSection, liveText } from './after/live/summary.ts';
import { rolloutText } from './after/rollout/summary.ts';
import {
  type ChangesFacts,
  changesSections,
  notComparedSection,
} from './changes/changes-summary.ts';
import { type ContentFacts, contentFact } from './content/summary.ts';
import { type GuardFacts, guardChecks, guardSection } from './guard/guard.ts';
import type { JobFacts } from './job.ts';
import {
  type DeliveryRecord,
  deliveryLabel,
  deliveryText,
  historySection,
} from './state/summary.ts';

/** All that a run of `export`, `refresh` or `rollback` finds out; each step adds its own part. */
export interface PublishFacts extends JobFacts, ContentFacts, ChangesFacts, AfterDeliveryFacts {
  readonly delivery?: DeliveryRecord['delivery'] | undefined;
  readonly exports?: DeliveryRecord['exports'];
  readonly baseUrl?: string | undefined;
  /** The destinations that the step names. */
  readonly to?: string | undefined;
  /** The site is asked for, in a folder or an archive. */
  readonly keepsSite?: boolean | undefined;
  /** Of the link that was stored before this run, as the state says. ISO 8601, UTC. */
  readonly storedLinkExpiresAt?: string | undefined;
  readonly guard?: GuardFacts | undefined;
  /** A secret: an output, never part of report or summary. */
  readonly bundleUrl?: string | undefined;
  readonly bundleBytes?: number | undefined;
  readonly bundle?: BundleFacts | undefined;
  /** A fresh link was made, and every destination contains it. */
  readonly changed?: boolean | undefined;
  /** The site as an image in a registry. */
  readonly image?: ImageFact | undefined;
}

interface ImageFact {
  /** `REGISTRY/REPOSITORY@sha256:…`. */
  readonly reference: string;
  /** `REGISTRY/REPOSITORY:TAG`. */
  readonly tag: string;
  /** The tag had the same files before: nothing was pushed, and the tag was not moved. */
  readonly unchanged: boolean;
}

type PublishReport = Report<PublishFacts>;

export const publishPresentation: Presentation<PublishFacts> = {
  unreported: ['comparison', 'stage', 'keepsSite'],
  leaves,
  outputs: (facts) => ({
    'job-id': facts.jobId,
    'page-count': facts.pageCount?.toString(),
    'bundle-url': facts.bundleUrl,
    'expires-at': facts.expiresAt,
    changed: String(facts.changed ?? false),
    'bundle-path': facts.bundle?.path,
    'manifest-path': facts.bundle?.manifestPath,
    'site-path': facts.bundle?.sitePath,
    'changes-path': facts.changesPath,
    'changes-page': facts.changesPage,
    live: facts.live && String(facts.live.live),
    'image-digest': facts.image?.reference,
  }),
  checks: ({ guard, live }) => [
    ...(guard ? guardChecks(guard) : []),
    ...(live ? liveChecks(live) : []),
  ],
  summary: (report, nowMs) =>
    sections([
      headingOf(report),
      // The next step says it of a run that has detached.
      report.reason && report.status !== 'detached'
        ? `${escapeMarkdown(report.reason)}.`
        : undefined,
      errorSection(report.error),
      results(report, nowMs),
      nextStep(report),
      report.notCompared && notComparedSection(report.notCompared),
      report.comparison && changesSections(report.comparison),
      report.guard && guardSection(report.guard, report.planned !== undefined),
      facts(report),
      report.live && liveSection(report.live),
      report.bundle && bundleSections(report.bundle),
      plannedSection(report.planned),
      historySection(report.exports),
    ]),
  closing,
};

/** Where the site is, until when the link works, and what comes next. */
function closing(report: PublishReport, nowMs: number): readonly string[] {
  const { status, planned, bundle, image, delivery, live, expiresAt, dueAt } = report;
  if (planned !== undefined || status !== 'completed') return [];
  const links = linksIn(report.to).join(', ');
  const written = delivery?.updated === true && links !== '' ? `written to ${links}` : undefined;
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['Site', bundle?.sitePath],
    ['Archive', bundle?.path],
    ['Image', image?.reference],
    ['Link', dueAt === undefined ? written : `still in ${links}`],
    ['Link works until', hasLink(report) ? expiresAt && timeText(expiresAt, nowMs) : undefined],
    ['Next refresh due', dueAt && timeText(dueAt, nowMs)],
    ['Live', live?.live === true ? live.url : undefined],
    ['Next', plainStep(nextStep(report))],
  ];
  return lines.flatMap(([label, text]) =>
    text === undefined || text === '' ? [] : [`${label}: ${text}`],
  );
}

/** The destinations that get a link: all but images. */
function linksIn(to = ''): readonly string[] {
  return to.split(', ').filter((address) => address !== '' && !address.startsWith('image:'));
}

/**
 * A run that only writes images or a folder downloads the bundle by a link that no one else asked
 * for.
 */
function hasLink({ to = '', keepsSite = false }: Partial<PublishFacts>): boolean {
  return to === '' ? !keepsSite : linksIn(to).length > 0;
}

/** A next step as a line of the log: the address of a page is behind its words. */
function plainStep(step: string | undefined): string | undefined {
  return step
    ?.replace('**Next**: ', '')
    .replace(/\[([^[\]]+)\]\(([^()]+)\)/g, '$1 ($2)')
    .replaceAll('`', '');
}

/** One sentence for each stage, in the order of a run. */
function leaves({ stage, jobId = '', to, keepsSite, content }: Partial<PublishFacts>): string {
  const written = hasLink({ to, keepsSite }) ? 'link' : 'site';
  switch (stage) {
    case undefined:
      return content?.update === undefined
        ? `No export was started, and no ${written} was written.`
        : `Update ${content.update} keeps running on the platform. No export was started.`;
    case 'starting':
      return 'An export may have been started: the reply of the platform has not come yet.';
    case 'running':
      return `Export job ${jobId} keeps running on the platform.`;
    case 'finished':
      return `Export job ${jobId} has finished. Its ${written} was not written.`;
    case 'writing':
      return `The ${written} of export job ${jobId} is being written; the end of this log says to which destinations.`;
    case 'written':
      return `The ${written} of export job ${jobId} is written. Only the steps after that end early.`;
  }
}

const DONE: Readonly<Record<string, string>> = {
  export: 'exported',
  refresh: 'refreshed',
  rollback: 'rolled back',
};

function headingOf({
  mode,
  domain = 'a documentation site',
  status,
  planned,
}: PublishReport): string {
  if (planned !== undefined) return dryRunHeading(DONE[mode] ?? 'done');
  const name = mode.charAt(0).toUpperCase() + mode.slice(1);
  return heading(`${name} of ${escapeMarkdown(domain, 260)}`, status);
}

/** What the run has made: where it is, and for how long. */
function results(report: PublishReport, nowMs: number): string {
  const { mode, dueAt, bundleUrl, changed, delivery, image, bundle } = report;
  const undelivered = bundleUrl === undefined ? 'not made' : 'made, not delivered';
  const made = changed === true ? 'made' : undelivered;
  const isLink = hasLink(report);
  const label = isLink ? deliveryLabel(delivery) : 'Tag';
  const delivered =
    isLink || report.to !== undefined ? deliveryText(delivery, report.to !== undefined) : undefined;
  return factList([
    ['Site in', bundle?.sitePath && codeSpan(bundle.sitePath)],
    ['Fresh link', mode === 'refresh' ? made : undefined],
    [label, dueAt === undefined ? delivered : 'contains the stored link'],
    ['Link expires', isLink ? expiryText(report, nowMs) : undefined],
    ['Next refresh due', dueAt && timeText(dueAt, nowMs)],
    [
      'Image',
      image &&
        `${codeSpan(image.reference)}, tag ${codeSpan(image.tag)}${image.unchanged ? ' (unchanged)' : ''}`,
    ],
    ['Rollout', report.rollout && rolloutText(report.rollout)],
    ['Live', report.live && liveText(report.live)],
  ]);
}

/** How the run came to it. */
function facts(report: PublishReport): string {
  const { domain, formerJobId, jobElapsedMs, bundleBytes } = report;
  return factList([
    ['Site', domain && codeSpan(domain)],
    ['Update', report.content?.update && codeSpan(report.content.update)],
    ['Export job', jobText(report)],
    contentFact(report.content, report.jobId),
    ['Export that was live', formerJobId && codeSpan(formerJobId)],
    ['Pages', pagesText(report)],
    [
      'Followed for',
      jobElapsedMs === undefined || jobElapsedMs < 100 ? undefined : formatDuration(jobElapsedMs),
    ],
    ['Size', bundleBytes === undefined ? undefined : formatBytes(bundleBytes)],
  ]);
}

const ORIGINS = {
  started: 'started by this run',
  attached: 'attached to, as `export-job-id` asked',
  resumed: 'resumed: started by an earlier attempt of this run; a new export needs a new run',
} as const;

function jobText({ jobId, origin, rolledBackFrom }: PublishReport): string | undefined {
  if (jobId === undefined) return undefined;
  const from = origin === undefined ? '' : ` (${ORIGINS[origin]})`;
  const instead =
    rolledBackFrom === undefined
      ? ''
      : `, which was put back instead of ${codeSpan(rolledBackFrom)}`;
  return `${codeSpan(jobId)}${from}${instead}`;
}

// Jobs report pages while they run: the last count of one that ended between two polls is from
// before its end.
function pagesText({ pageCount, progress }: PublishReport): string | undefined {
  if (pageCount === undefined) return undefined;
  const last = progress?.findLast(({ pages }) => pages !== undefined);
  const share = last?.fraction === undefined ? 1 : last.fraction;
  const at = share < 1 ? ` when last reported, at ${Math.floor(share * 100)} %` : '';
  return `${countOf(pageCount, 'page')}${at}`;
}

function expiryText({ expiresAt, bundleUrl }: PublishReport, nowMs: number): string | undefined {
  if (expiresAt !== undefined) return timeText(expiresAt, nowMs);
  return bundleUrl === undefined ? undefined : 'the platform did not say';
}

function timeText(iso: string, nowMs: number): string {
  const time = new Date(iso);
  return `${formatInstant(time)} (${formatRelative(time, nowMs)})`;
}

/** One sentence, with the page that says more. */
function nextStep(report: PublishReport): string | undefined {
  const { mode, status, planned, jobId, changed } = report;
  if (planned !== undefined) {
    if (report.dueAt !== undefined) return undefined;
    return `**Next**: run again without \`dry-run\`; see ${pageLink('what a dry run does', 'explanation/dry-run.md')}.`;
  }
  if (mode === 'refresh')
    return changed === true ? `**Next**: ${afterRefresh(report)}.` : undefined;
  if (mode === 'rollback')
    return status === 'completed' ? `**Next**: ${afterRollback(report)}` : undefined;
  if (status === 'completed') return `**Next**: ${afterExport(report)}.`;
  // The advice of a timeout says it already; attaching to a job that failed, or that the platform
  // does not know, is of no use.
  const { code } = report.error ?? {};
  if (jobId === undefined || code === 'job-failed' || code === 'timed-out' || code === 'not-found')
    return undefined;
  return `**Next**: ${pageLink('attach to the job', 'how-to/resume-an-export.md')} with ${codeSpan(`export-job-id: ${jobId}`)}, which does not start a second export.`;
}

function afterExport(report: PublishReport): string {
  const { delivery, bundle } = report;
  const secret = `${pageLink('keep the link in a secret', 'how-to/write-a-github-secret.md')} for other runs`;
  if (delivery?.updated === true) {
    const first = deployment(report);
    if (!hasLink(report)) return first ?? 'nothing until the next export: an image does not expire';
    const keep = pageLink('keep the link fresh', 'how-to/refresh-on-a-schedule.md');
    return first === undefined ? keep : `${first}, and ${keep}`;
  }
  const place = bundle?.sitePath ?? bundle?.path;
  if (place !== undefined) return `deploy ${codeSpan(place)}`;
  return `use \`bundle-url\` in a later step of this job, or ${secret}`;
}

function afterRefresh(report: PublishReport): string {
  // A person has named another job: its content is new here.
  if (report.formerJobId !== undefined) return afterExport(report);
  const life = `see ${pageLink('the life of a link', 'explanation/life-of-a-link.md')}`;
  if (report.delivery?.updated === true && deliveryLabel(report.delivery) === 'Link') {
    return `nothing has to be deployed: whatever reads the link from now on gets the fresh one, and the content is the same as before, ${life}`;
  }
  return `deploy with \`bundle-url\` in a later step of this job; the content is the same as before, ${life}`;
}

function afterRollback(report: PublishReport): string {
  const { formerJobId } = report;
  const first = deployment(report);
  const then = first === undefined ? '' : `${first}; then `;
  const renewed = hasLink(report)
    ? `; until then, ${pageLink('refreshes renew it', 'how-to/roll-back.md')}`
    : `; see ${pageLink('roll back', 'how-to/roll-back.md')}`;
  const again =
    formerJobId === undefined
      ? ''
      : ` To restore the previous one: ${codeSpan(`export-job-id: ${formerJobId}`)}.`;
  return `${then}correct the content on the platform. The next export replaces this one${renewed}.${again}`;
}

/**
 * What brings the new content to readers; undefined: they have it already, or nothing was written.
 */
function deployment({
  delivery,
  live,
  to = '',
  rollout,
  image,
}: PublishReport): string | undefined {
  if (delivery?.updated !== true || rollout !== undefined || live?.live === true) return undefined;
  const namespace = /(?:^|, )k8s:([^/,\s]+)\//.exec(to)?.[1];
  if (namespace !== undefined) {
    const restart = codeSpan(`kubectl --namespace ${namespace} rollout restart deployment/NAME`);
    return `restart the pods, which read the Secret when they start: ${restart}, or give ${pageLink('`rollout`', 'how-to/deliver-to-kubernetes.md')}`;
  }
  if (!hasLink({ to })) {
    if (image?.unchanged === true) return undefined;
    return `deploy ${pageLink('the image', 'how-to/publish-an-image.md')} by its digest, which does not expire`;
  }
  if (deliveryLabel(delivery) === 'Link') return 'deploy with the link';
  return "deploy with `bundle-url` in a later step of this job, or in a later run, since a workflow reads the secret when its run is queued (an environment's when the job starts)";
}
