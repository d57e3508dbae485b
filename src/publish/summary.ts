import {
  type DeliveryRecord,
  deliveryLabel,
  deliveryText,
  historySection,
} from '../delivery/summary.ts';
import {
  countOf,
  formatBytes,
  formatDuration,
  formatInstant,
  formatRelative,
} from '../ground/text/amounts.ts';
import { codeSpan, escapeMarkdown, link } from '../ground/text/escape.ts';
import { factList } from '../ground/text/markdown.ts';
import type { JobFacts } from '../job/job.ts';
import type { Known, Presentation } from '../run/context.ts';
import {
  dryRunHeading,
  errorSection,
  heading,
  pageLink,
  plannedSection,
  type Report,
  sections,
} from '../run/report.ts';
import { type BundleFacts, bundleSections } from '../site/summary.ts';
import { changesSections, notComparedSection } from '../steps/changes/changes-summary.ts';
import { contentFact } from '../steps/content/summary.ts';
import { guardChecks, guardSection } from '../steps/guard/guard.ts';
import { liveChecks, liveSection, liveText } from '../steps/live/summary.ts';
import { rolloutText } from '../steps/rollout/summary.ts';
import type { StepFacts } from '../steps/steps.ts';

/** All that a run of `export`, `refresh` or `rollback` finds out; each step adds its own part. */
export type PublishFacts = JobFacts &
  StepFacts &
  Known<{
    delivery: DeliveryRecord['delivery'];
    exports: NonNullable<DeliveryRecord['exports']>;
    baseUrl: string;
    /** The destinations that the step names. */
    to: string;
    /** True if the inputs ask for the site, in a folder or an archive. */
    keepsSite: boolean;
    /** Where readers open the copy. */
    servedAt: string;
    /** False if the link is not an output of the step, as on the command line. */
    handsOnLink: boolean;
    /** When the link that was stored before this run expires, as the state says. ISO 8601, UTC. */
    storedLinkExpiresAt: string;
    /** A secret: an output, never part of report or summary. */
    bundleUrl: string;
    bundleBytes: number;
    bundle: BundleFacts;
    /** True if a fresh link was made, and every destination contains it. */
    changed: boolean;
  }>;

const FROM_FORK =
  '⚠️ A fork may have built this site, so it may have scripts of a stranger: do not deploy this copy.';

type PublishReport = Report<PublishFacts>;

type Fact = readonly [label: string, text: string | undefined];

export const publishPresentation: Presentation<PublishFacts> = {
  unreported: ['comparison', 'stage', 'keepsSite', 'servedAt', 'handsOnLink', 'countedAt'],
  leaves,
  checks: (facts) => [
    ...(facts.guard ? guardChecks(facts.guard) : []),
    ...(facts.live ? liveChecks(facts.live) : []),
  ],
  // What readers have now, until when, what changed, and what is next; then how it came to it.
  summary: (report, nowMs) =>
    sections([
      headingOf(report),
      // For a run that has detached, the next step says the same.
      report.status === 'detached'
        ? undefined
        : report.reason && `${escapeMarkdown(report.reason)}.`,
      errorSection(report.error),
      report.fromFork && FROM_FORK,
      resultFacts(report, nowMs),
      report.notCompared && notComparedSection(report.notCompared),
      report.comparison && changesSections(report.comparison),
      report.guard && guardSection(report.guard, { isDryRun: report.planned !== undefined }),
      nextStep(report),
      runFacts(report),
      report.live && liveSection(report.live),
      report.bundle && bundleSections(report.bundle),
      plannedSection(report.planned),
      historySection(report.exports),
    ]),
  closing,
};

/**
 * The last lines of the log: where the site is, until when the link works, and what comes next. A
 * dry run has written nothing, and an error says itself what comes next.
 */
function closing(report: PublishReport, nowMs: number): readonly string[] {
  if (report.planned !== undefined || report.status !== 'completed') return [];
  const links = linksIn(report.to).join(', ');
  const lines: string[] = [];
  const say = (label: string, text: string | undefined) => {
    if (text !== undefined && text !== '') lines.push(`${label}: ${text}`);
  };
  say('Site', report.bundle?.sitePath);
  say('Archive', report.bundle?.path);
  say('Image', report.image?.reference);
  const isNotDue = report.dueAt !== undefined;
  if (isNotDue) say('Link', `still in ${links}`);
  else if (report.delivery?.updated && links !== '') say('Link', `written to ${links}`);
  if (hasLink(report)) say('Link works until', timeText(report.expiresAt, nowMs));
  say('Next refresh due', timeText(report.dueAt, nowMs));
  if (report.live?.live) say('Live', report.live.url);
  say('Next', plainStep(nextStep(report)));
  return lines;
}

/** The destinations that get a link: all but images. */
function linksIn(to = ''): readonly string[] {
  return to.split(', ').filter((address) => address !== '' && !address.startsWith('image:'));
}

/**
 * True if the user gets a link. A run that only writes images or a folder needs its link only to
 * download the bundle.
 */
function hasLink({ to, from, keepsSite }: Partial<PublishFacts>): boolean {
  if (from !== undefined) return false;
  if (to !== undefined) return linksIn(to).length > 0;
  // Without a destination the link is an output, unless the step keeps the site itself.
  return keepsSite !== true;
}

/** A next step, which is Markdown, as plain text for the log: addresses are in parentheses. */
function plainStep(step: string | undefined): string | undefined {
  return step
    ?.replace('**Next**: ', '')
    .replace(/\[([^[\]]+)\]\(([^()]+)\)/g, '$1 ($2)')
    .replaceAll('`', '');
}

/** What a run that ends early leaves behind, by its stage. From `running` on, its job has an id. */
function leaves(facts: Partial<PublishFacts>): string {
  const { jobId = '', content } = facts;
  const written = hasLink(facts) ? 'link' : 'site';
  switch (facts.stage) {
    case undefined:
      if (facts.from !== undefined) return 'No site was written.';
      // The run asked the platform to publish first, and ends while it does so.
      if (content?.update !== undefined && content.elapsedMs === undefined)
        return `Update ${content.update} keeps running on the platform. No export was started.`;
      return `No export was started, and no ${written} was written.`;
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

/** The modes of this file, as what a dry run of them has not done. */
const DONE: Readonly<Record<string, string>> = {
  export: 'exported',
  refresh: 'refreshed',
  rollback: 'rolled back',
};

function headingOf(report: PublishReport): string {
  // A run that is given a job or a project need not know the domain.
  const { mode, domain = report.from ?? 'a documentation site' } = report;
  const isDryRun = report.planned !== undefined;
  // The fallback is only for the compiler, to which a mode is any text.
  if (isDryRun) return dryRunHeading(DONE[mode] ?? 'done');
  const name = mode.charAt(0).toUpperCase() + mode.slice(1);
  return heading(`${name} of ${escapeMarkdown(domain, LONGEST_DOMAIN)}`, report.status);
}

/** Longer than any host name: the domain of a state may be any text. */
const LONGEST_DOMAIN = 260;

/** What readers have now: where it is, and for how long. A row without a text is left out. */
function resultFacts(report: PublishReport, nowMs: number): string {
  const { dueAt, image, bundleUrl, expiresAt } = report;
  const rows = copyFacts(report);
  if (report.mode === 'refresh') rows.push(['Fresh link', freshLink(report)]);
  const hasDestination = report.to !== undefined;
  const isLink = hasLink(report);
  // Destinations without a link are images, whose tag is moved.
  const label = isLink ? deliveryLabel(report.delivery) : 'Tag';
  const isNotDue = dueAt !== undefined;
  if (isNotDue) rows.push([label, 'contains the stored link']);
  else if (!keepsOnlySite(report))
    rows.push([label, deliveryText(report.delivery, hasDestination)]);
  const isExpiryUnknown = bundleUrl !== undefined && expiresAt === undefined;
  const expiry = isExpiryUnknown ? 'the platform did not say' : timeText(expiresAt, nowMs);
  if (isLink) rows.push(['Link expires', expiry]);
  rows.push(['Next refresh due', timeText(dueAt, nowMs)]);
  if (image !== undefined) {
    const unchanged = image.unchanged ? ' (unchanged)' : '';
    rows.push(['Image', `${codeSpan(image.reference)}, tag ${codeSpan(image.tag)}${unchanged}`]);
    rows.push(['Image before', image.former && codeSpan(image.former)]);
  }
  rows.push(['Rollout', report.rollout && rolloutText(report.rollout)]);
  rows.push(['Live', report.live && liveText(report.live)]);
  return factList(rows);
}

function copyFacts({ bundle, image, servedAt }: PublishReport): Fact[] {
  const rows: Fact[] = [['Site in', bundle?.sitePath && codeSpan(bundle.sitePath)]];
  const isThere = (bundle?.sitePath ?? image) !== undefined;
  if (isThere && servedAt !== undefined)
    rows.push(['Served at', link(codeSpan(servedAt), servedAt)]);
  return rows;
}

/** True if the run writes neither a link nor a state: what is kept is a folder or an archive. */
function keepsOnlySite(report: PublishReport): boolean {
  if (report.from !== undefined) return true;
  return !hasLink(report) && report.to === undefined;
}

/** Whether a refresh made a link. It does not if the stored one is still good, or if it fails. */
function freshLink(report: PublishReport): string {
  if (report.changed) return 'made';
  return report.bundleUrl === undefined ? 'not made' : 'made, not delivered';
}

/** What the run did, and with which job. */
function runFacts(report: PublishReport): string {
  const { domain, formerJobId, jobElapsedMs = 0, bundleBytes } = report;
  const rows: Fact[] = [
    ['Site', domain && codeSpan(domain)],
    ['Update', report.content?.update && codeSpan(report.content.update)],
    ['From', report.from && codeSpan(report.from)],
    ['Export job', jobText(report)],
    contentFact(report.content, report.jobId),
    ['Export that was live', formerJobId && codeSpan(formerJobId)],
    ['Pages', pagesText(report)],
  ];
  // Shorter: the job had finished already, or was not followed at all.
  if (jobElapsedMs >= 100) rows.push(['Followed for', formatDuration(jobElapsedMs)]);
  if (bundleBytes !== undefined) rows.push(['Size', formatBytes(bundleBytes)]);
  return factList(rows);
}

const ORIGINS = {
  started: 'started by this run',
  attached: 'attached to, as `export-job-id` asked',
  resumed: 'resumed: started by an earlier attempt of this run; a new export needs a new run',
} as const;

function jobText({ jobId, from, origin, rolledBackFrom }: PublishReport): string | undefined {
  if (jobId === undefined || from !== undefined) return undefined;
  let text = codeSpan(jobId);
  if (origin !== undefined) text += ` (${ORIGINS[origin]})`;
  if (rolledBackFrom !== undefined)
    text += `, which was put back instead of ${codeSpan(rolledBackFrom)}`;
  return text;
}

/**
 * The number of pages. A job that ended between two polls may have given its last count before its
 * end, at `countedAt`; undefined: the count is that of the finished job.
 */
function pagesText({ pageCount, countedAt = 1 }: PublishReport): string | undefined {
  if (pageCount === undefined) return undefined;
  const pages = countOf(pageCount, 'page');
  if (countedAt >= 1) return pages;
  return `${pages} when last reported, at ${Math.floor(countedAt * 100)} %`;
}

function timeText(iso: string | undefined, nowMs: number): string | undefined {
  if (iso === undefined) return undefined;
  const time = new Date(iso);
  return `${formatInstant(time)} (${formatRelative(time, nowMs)})`;
}

/** What to do now, in one sentence, with the page that says more; undefined: nothing. */
function nextStep(report: PublishReport): string | undefined {
  const isDone = report.status === 'completed';
  const isDryRun = report.planned !== undefined;
  if (isDryRun) {
    // Nothing is due yet, so a run without `dry-run` would do nothing either.
    if (report.dueAt !== undefined) return undefined;
    return '**Next**: run again without `dry-run`.';
  }
  if (report.from !== undefined) return afterGiven(report);
  if (report.mode === 'refresh') {
    // Without a change, readers of the link keep what they have.
    return report.changed ? `**Next**: ${afterRefresh(report)}.` : undefined;
  }
  // Its advice is whole sentences, with their full stops.
  if (report.mode === 'rollback') return isDone ? `**Next**: ${afterRollback(report)}` : undefined;
  if (isDone) return `**Next**: ${afterExport(report)}.`;
  if (report.jobId === undefined) return undefined;
  // The advice of a timeout names the job already. A job that failed, or that the platform does not
  // know, cannot be attached to, and a check that failed would fail again.
  const withoutAttach = ['job-failed', 'timed-out', 'not-found', 'checks-failed'];
  if (withoutAttach.includes(report.error?.code ?? '')) return undefined;
  return `**Next**: ${pageLink('attach to the job', 'how-to/resume-an-export.md')} with ${codeSpan(`export-job-id: ${report.jobId}`)}, which does not start a second export.`;
}

/** The next step after the copy of a site that was there already: there is no link to keep. */
function afterGiven({ status, bundle, image, fromFork }: PublishReport): string | undefined {
  const path = bundle?.sitePath ?? bundle?.path ?? image?.reference;
  if (status !== 'completed' || path === undefined || fromFork) return undefined;
  return `**Next**: deploy ${codeSpan(path)}.`;
}

/** The next step after an export: deploy it, and keep its link from expiring. */
function afterExport(report: PublishReport): string {
  if (report.delivery?.updated) {
    const deploy = deployment(report);
    if (!hasLink(report))
      return deploy ?? 'nothing until the next export: an image does not expire';
    const keep = pageLink('keep the link fresh', 'how-to/refresh-on-a-schedule.md');
    return deploy === undefined ? keep : `${deploy}, and ${keep}`;
  }
  // The step itself keeps the site, or only its archive.
  const path = report.bundle?.sitePath ?? report.bundle?.path;
  if (path !== undefined) return `deploy ${codeSpan(path)}`;
  // Neither path nor destination, which a completed export has written.
  if (report.handsOnLink === false)
    return `${pageLink('choose where the link goes', 'how-to/choose-where-the-link-goes.md')} for other runs`;
  const secret = pageLink('keep the link in a secret', 'how-to/write-a-github-secret.md');
  return `use \`bundle-url\` in a later step of this job, or ${secret} for other runs`;
}

/** The next step after a refresh, whose link leads to the same content as the link before. */
function afterRefresh(report: PublishReport): string {
  // A person has named another job, so the content is new.
  if (report.formerJobId !== undefined) return afterExport(report);
  if (report.delivery?.updated && isOutsideSecrets(report)) {
    return `nothing has to be deployed: whatever reads the link from now on gets the fresh one, and the content is the same as before`;
  }
  const how =
    report.handsOnLink === false
      ? 'deploy with the link'
      : 'deploy with `bundle-url` in a later step of this job';
  return `${how}; the content is the same as before`;
}

/**
 * True if the link is not only in secrets of repositories: such a secret is read only by later
 * runs, so this run has to deploy with the output `bundle-url`.
 */
function isOutsideSecrets({ delivery }: PublishReport): boolean {
  return deliveryLabel(delivery) === 'Link';
}

/** The next step after a rollback: deploy, and correct what was wrong before the next export. */
function afterRollback(report: PublishReport): string {
  const deploy = deployment(report);
  // The next export has what was wrong again, unless it is corrected before.
  let text = 'correct the content on the platform. The next export replaces this one';
  if (deploy !== undefined) text = `${deploy}; then ${text}`;
  if (hasLink(report)) text += '; until then, refreshes renew it';
  text += '.';
  if (report.formerJobId === undefined) return text;
  return `${text} To restore the previous one: ${codeSpan(`export-job-id: ${report.formerJobId}`)}.`;
}

/**
 * How to bring the new content to readers; undefined: they have it already, or nothing was written.
 */
function deployment(report: PublishReport): string | undefined {
  const { delivery, to = '' } = report;
  // The run itself has restarted the pods, or has seen the export on the site.
  const isDeployed = report.rollout !== undefined || report.live?.live === true;
  if (!delivery?.updated || isDeployed) return undefined;
  // The namespace of the first Secret in `to`: one example is enough.
  const namespace = /(?:^|, )k8s:([^/,\s]+)\//.exec(to)?.[1];
  if (namespace !== undefined) {
    const restart = codeSpan(`kubectl --namespace ${namespace} rollout restart deployment/NAME`);
    return `restart the pods, which read the Secret when they start: ${restart}, or give ${pageLink('`rollout`', 'how-to/deliver-to-kubernetes.md')}`;
  }
  if (!hasLink(report)) {
    // The deployment has an image with this content already.
    if (report.image?.unchanged) return undefined;
    return `deploy ${pageLink('the image', 'how-to/publish-an-image.md')} by its digest, which does not expire`;
  }
  if (isOutsideSecrets(report)) return 'deploy with the link';
  const later =
    "in a later run, since a workflow reads the secret when its run is queued (an environment's when the job starts)";
  if (report.handsOnLink === false) return `deploy ${later}`;
  return `deploy with \`bundle-url\` in a later step of this job, or ${later}`;
}
