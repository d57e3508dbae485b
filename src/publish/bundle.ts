import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Log } from '../ground/log.ts';
import { plainLine } from '../ground/text/escape.ts';
import type { PublishInputs } from '../inputs/inputs.ts';
import type { ChosenJob } from '../job/job.ts';
import type { FinishedJob } from '../job/run-job.ts';
import { type LinkMaker, linkPolicy } from '../platform/link.ts';
import type { Context, Known } from '../run/context.ts';
import type { BundleFile } from '../site/archive/sink.ts';
import type { ComparedSite } from '../site/compare/compared-site.ts';
import { readPart } from '../site/disk/disk.ts';
import type { PageReader } from '../site/pages.ts';
import type { Inspected, Received, ReceiveInit } from '../site/receive.ts';
import type { BundleFacts } from '../site/summary.ts';
import type { Opening, Step } from '../steps/step.ts';

/** Without a key no later run can know the folders of this one. */
const RUN_SECRET = randomBytes(32).toString('hex');

type BundleRecord = Known<{ bundle: BundleFacts; pageCount: number; notCompared: string }>;

/**
 * Checks the paths of the archive, the folder and the files with outputs before anything starts.
 * Throws `config` if one of them may not be written.
 */
export async function checkWrittenPaths(
  inputs: Pick<PublishInputs, 'bundle' | 'adminApiKey' | 'outputFiles'> & {
    readonly from?: string | undefined;
  },
  { github, run, signal }: Pick<Context, 'github' | 'run' | 'signal'>,
): Promise<void> {
  const [{ checkOutputPaths }, { homedir }] = await Promise.all([
    import('../site/disk/destination.ts'),
    import('node:os'),
  ]);
  await checkOutputPaths({
    bundle: inputs.bundle,
    outputFiles: inputs.outputFiles,
    workspace: github.run.workspace,
    runnerTemp: github.run.runnerTemp,
    home: homedir(),
    from: inputs.from,
    // Signs the folders of unfinished work: those of a killed run of ours are known by it.
    secret: inputs.adminApiKey || RUN_SECRET,
    env: run.env,
    signal,
  });
}

/**
 * Downloads, checks, verifies and unpacks the bundle, for its destinations and for the steps that
 * need it. `inspect`: called before anything is published; holds the export back by throwing, and
 * gives the files that it added to the site.
 */
export async function receiveSite(
  { inputs, deps, job }: Opening<BundleRecord>,
  steps: readonly Step[],
  finished: FinishedJob,
  links: LinkMaker,
  inspect: (bundle: Inspected) => Promise<readonly BundleFile[]>,
): Promise<Received> {
  const { jobId, pageCount } = finished;
  const { bundle, live } = inputs;
  const { domain } = job.api.source;
  // A job that a person names may be of another site.
  const isNamed = job.intent.kind === 'named';
  // A refresh and a rollback do not know how their export was requested.
  const basePath = inputs.mode === 'export' ? inputs.basePath : undefined;
  const needs = steps.flatMap((step) => step.needs ?? []);
  const earlier = needs.find((one) => one.earlier !== undefined)?.earlier;
  const liveUrl = bundle.servedAt?.url ?? live?.url;
  const source = await sourceOf(job, links);
  const { receiveBundle } = await import('../site/receive.ts');
  const received = await deps.log.group('Receiving the bundle', () =>
    receiveBundle({
      ...deps,
      bundle,
      source,
      // Where the link may lead: into a private network only if the platform is there, too.
      policy: linkPolicy(inputs.baseUrl, bundle.allowPrivateHosts),
      origin: { domain, jobId, pageCount, basePath, liveUrl },
      // Signs the staging folders, so that a later run recognises those of a killed run.
      secret: inputs.adminApiKey || RUN_SECRET,
      workspace: deps.github.run.workspace,
      runnerTemp: deps.github.run.runnerTemp,
      env: deps.run.env,
      inspect(inspected) {
        // Its addresses are those of `served-at` then.
        const isMoved = (bundle.servedAt?.path ?? '') !== '';
        if (isNamed && !isMoved) warnOfOtherSite(jobId, domain, inspected.site, deps.log);
        return inspect(inspected);
      },
      pageReaders: (site) => openPageReaders(site, steps, job),
      // The sitemap of a named job is read, too.
      readsPages: isNamed || needs.some((one) => one.pages),
      // A site that is unpacked to a folder is verified too.
      verifies: job.kind === 'given' || needs.some((one) => one.isServed === true),
      earlier,
      // That of a given site is packed last.
      archiveInput: job.kind === 'given' ? undefined : archiveInputOf(inputs),
      usesFingerprint: inputs.add.length > 0 || needs.some((one) => one.isServed === true),
      async onComparison(comparison) {
        for (const step of steps) await step.compared?.(comparison);
      },
      onFacts: (facts) => deps.record({ bundle: facts }),
    }),
  );
  const isComparisonMissing = earlier !== undefined && received.comparison === undefined;
  // The log has a warning by then; without this, the summary would just not mention changes.
  if (isComparisonMissing) {
    const notCompared = "The live export's bundle could not be downloaded again; see the log.";
    deps.record({ notCompared });
  }
  const { facts } = received;
  // The platform counted no pages, or was not asked: then those in the bundle count.
  deps.record({ bundle: facts, pageCount: pageCount ?? facts.pages });
  return received;
}

/** Where the bundle comes from. A link is made only if there is a job. */
async function sourceOf(job: ChosenJob, links: LinkMaker): Promise<ReceiveInit['source']> {
  if (job.kind === 'given') return job.site;
  return { kind: 'link', links, link: await links.fresh() };
}

/** The input that delivers the archive of the platform, or a link to it; undefined: none does. */
function archiveInputOf({ bundle, to }: PublishInputs): 'to' | 'bundle-path' | undefined {
  if (bundle.bundlePath !== undefined) return 'bundle-path';
  const links = to?.addresses.filter((address) => address.scheme !== 'image') ?? [];
  return links.map(() => 'to' as const)[0];
}

/** The readers of all steps, and that of a given site. Two steps may need the same one. */
async function openPageReaders(
  site: ComparedSite,
  steps: readonly Step[],
  job: ChosenJob,
): Promise<readonly PageReader[]> {
  const readers = new Set<PageReader>();
  if (job.kind === 'given') readers.add(job.site.reader(site));
  for (const step of steps) {
    for (const reader of (await step.readers?.(site)) ?? []) readers.add(reader);
  }
  return [...readers];
}

const SITEMAP = 'sitemap.xml';
const SITEMAP_BYTES = 4096;
const LONGEST_HOST = 253;

/**
 * Warns if the sitemap of a job that a person names is of another site: the platform does not say
 * which site a job exports. Not an error, as readers may know the site under another host name.
 */
export function warnOfOtherSite(
  jobId: string,
  domain: string | undefined,
  site: ComparedSite,
  log: Log,
): void {
  const isUnpacked = site.root !== undefined;
  // Without a domain in the inputs or the state, there is nothing to compare with.
  if (domain === undefined || !isUnpacked || !site.paths.includes(SITEMAP)) return;
  // It may be large, and its first address is enough.
  const beginning = readPart(join(site.root, SITEMAP), 0, SITEMAP_BYTES);
  const host = hostIn(beginning.toString());
  if (host === undefined || host.toLowerCase() === domain.toLowerCase()) return;
  log.warning(
    `The sitemap of export job ${jobId} names ${plainLine(host, LONGEST_HOST)}, and domain is ${domain}. If that is not the same site, correct export-job-id.`,
  );
}

/**
 * The host in the first address of a sitemap. Only elements with the prefix of the first element
 * count: other elements, such as those of `image:`, have a `loc`, too.
 */
function hostIn(sitemap: string): string | undefined {
  // Such as `sm:` of `<sm:urlset>`; most sitemaps have no prefix.
  const [, prefix = ''] = /<([\w-]{1,40}:)?(?:urlset|sitemapindex)[\s>]/.exec(sitemap) ?? [];
  const host = `([^\\s/<>:\\]]{1,${LONGEST_HOST}})`;
  const loc = new RegExp(`<${prefix}loc>\\s*(?:<!\\[CDATA\\[\\s*)?https?://${host}`);
  return loc.exec(sitemap)?.[1];
}
