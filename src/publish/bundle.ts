import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Addition } from '../added/add.ts';
import type { StampFacts } from '../added/stamp/stamp.ts';
import type { BundleFile } from '../bundle/archive/sink.ts';
import type { ComparedSite } from '../bundle/compare/compared-site.ts';
import type { PageReader } from '../bundle/pages.ts';
import type { Inspected, Received } from '../bundle/receive.ts';
import type { PublishInputs } from '../inputs/inputs.ts';
import type { Log } from '../log.ts';
import { type LinkMaker, linkPolicy } from '../platform/link.ts';
import type { Context } from '../run/context.ts';
import { plainLine } from '../text/escape.ts';
import { withoutSlash } from '../text/names.ts';
import { giveSiteToSteps } from './after/after.ts';
import { namedBy } from './content/summary.ts';
import type { Finished, Publication } from './publication.ts';

/**
 * Checks the paths of the archive, the folder and the files with outputs before anything starts.
 * Throws `config` if one of them may not be written.
 */
export async function checkWrittenPaths(
  inputs: Pick<PublishInputs, 'bundle' | 'adminApiKey' | 'outputFiles'>,
  { github, run, signal }: Pick<Context, 'github' | 'run' | 'signal'>,
): Promise<void> {
  const [{ checkOutputPaths }, { homedir }] = await Promise.all([
    import('../bundle/disk/destination.ts'),
    import('node:os'),
  ]);
  await checkOutputPaths({
    bundle: inputs.bundle,
    outputFiles: inputs.outputFiles,
    workspace: github.run.workspace,
    runnerTemp: github.run.runnerTemp,
    home: homedir(),
    // Signs the folders of unfinished work: those of a killed run of ours are known by it.
    secret: inputs.adminApiKey,
    env: run.env,
    signal,
  });
}

/** A site that was downloaded, and that nothing held back. */
export interface ReceivedSite extends Received {
  /** A check failed, and `force` let the export pass. */
  readonly forced: true | undefined;
}

/**
 * Downloads, checks, verifies and unpacks the bundle, adds to it, and pushes it as an image. Throws
 * `checks-failed` before the last two if the export is held back.
 */
export async function receiveSite(
  inputs: PublishInputs,
  publication: Publication,
  finished: Finished,
  links: LinkMaker,
): Promise<ReceivedSite> {
  const { deps, job, gate, image, after } = publication;
  const { jobId, pageCount } = finished;
  const { bundle, live } = inputs;
  const { domain } = job.api.source;
  // A job that a person names may be of another site.
  const isNamed = job.intent.kind === 'named';
  const makesImage = image?.needsSite === true;
  // A refresh and a rollback do not know how their export was requested.
  const basePath = inputs.mode === 'export' ? inputs.basePath : undefined;
  const label = inputs.mode === 'export' ? inputs.exportVersion : undefined;
  const addition = await openAddition(inputs.add);
  // Set by `guard`, which the receiver calls while nothing has been published.
  let forced: true | undefined;
  const guard = async (inspected: Inspected) => {
    if (isNamed) warnOfOtherSite(jobId, domain, inspected.site, deps.log);
    forced = await gate?.checkExport(pageCount, inspected);
    await giveSiteToSteps(after, inspected, basePath, deps.signal);
  };
  // Called after `guard`: an export that is held back gets no additions and no image.
  const add = async (inspected: Inspected) => {
    const facts = stampFacts(publication, finished, label);
    const added = await addParts(addition, inspected.site, facts, deps);
    const contentCommit = finished.content?.published?.commit;
    await image?.push(inspected.site, added, { jobId, contentCommit });
    return added;
  };
  // Image and stamp name the content of the site by its fingerprint.
  const needsFingerprint = makesImage || inputs.add.includes('stamp');
  // What links of the site are taken to begin with if `basePath` is not known.
  const livePath = live && withoutSlash(new URL(live.url).pathname);
  // The first link to try; `links` makes another one if it dies before the download ends.
  const link = await links.fresh();
  const { receiveBundle } = await import('../bundle/receive.ts');
  const received = await deps.log.group('Receiving the bundle', () =>
    receiveBundle({
      bundle,
      links,
      link,
      // Where the link may lead: into a private network only if the platform is there, too.
      policy: linkPolicy(inputs.baseUrl, bundle.allowPrivateHosts),
      origin: { domain, jobId, pageCount, basePath, livePath },
      // Signs the staging folders, so that a later run recognises those of a killed run.
      secret: inputs.adminApiKey,
      log: deps.log,
      clock: deps.clock,
      signal: deps.signal,
      workspace: deps.github.run.workspace,
      runnerTemp: deps.github.run.runnerTemp,
      env: deps.run.env,
      guard,
      add,
      pageReaders: (site) => openPageReaders(site, addition, needsFingerprint),
      // For the sitemap of a named job, the image, and the steps that compare pages.
      readsPages: isNamed || makesImage || after.some((step) => step.readSite !== undefined),
      // A site that is unpacked is verified too.
      verifies: makesImage,
      // Only an export has a gate: a refresh and a rollback compare nothing.
      earlier: gate?.comparesWith,
      onComparison: (comparison) => gate?.noteChanges(comparison),
      onFacts: (facts) => deps.record({ bundle: facts }),
    }),
  );
  const isComparisonMissing = gate?.comparesWith !== undefined && received.comparison === undefined;
  // The log has a warning by then; without this, the summary would just not mention changes.
  if (isComparisonMissing) {
    const notCompared = "The live export's bundle could not be downloaded again; see the log.";
    deps.record({ notCompared });
  }
  const { facts } = received;
  // The platform counted no pages, or was not asked: then those in the bundle count.
  deps.record({ bundle: facts, pageCount: pageCount ?? facts.pages });
  return { ...received, forced };
}

/** What the input `add` adds to the site; undefined: nothing. */
async function openAddition(add: PublishInputs['add']): Promise<Addition | undefined> {
  if (add.length === 0) return undefined;
  const { Addition } = await import('../added/add.ts');
  return Addition.open(add);
}

/**
 * The readers that get each page of the site while it is verified, so that pages are read once: one
 * for additions made of pages, such as a search, and one for the fingerprint.
 */
async function openPageReaders(
  site: ComparedSite,
  addition: Addition | undefined,
  needsFingerprint: boolean,
): Promise<readonly PageReader[]> {
  const readers = addition?.reader === undefined ? [] : [addition.reader];
  if (!needsFingerprint) return readers;
  const { fingerprintReader } = await import('../bundle/compare/fingerprint.ts');
  return [...readers, fingerprintReader(site)];
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
  const host = hostIn(readBeginning(join(site.root, SITEMAP)));
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

/** The beginning of a file: a sitemap may be large, and its first address is enough. */
function readBeginning(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(SITEMAP_BYTES);
    return bytes.toString('utf8', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/**
 * Adds what `add` names to the folder of the unpacked site, and gives the added files. Only a site
 * that goes to a folder or an image gets additions, and such a site is unpacked.
 */
async function addParts(
  addition: Addition | undefined,
  site: ComparedSite,
  facts: StampFacts,
  { log, signal }: Context,
): Promise<readonly BundleFile[]> {
  if (addition === undefined || site.root === undefined) return [];
  const added = await addition.write({ site, root: site.root, facts, signal });
  log.info(`Added to the site: ${added.map((file) => file.path).join(', ')}.`);
  for (const note of addition.notes) log.notice(note);
  return added;
}

/** What the stamp says of the export. A stamp is a file of the site that names its export. */
function stampFacts(
  publication: Publication,
  finished: Finished,
  label: string | undefined,
): StampFacts {
  return {
    ...publication.job.api.source,
    jobId: finished.jobId,
    exportedAt: finished.requestedAt,
    commit: publishedCommit(publication, finished),
    label,
  };
}

/**
 * The commit that was published for the export; a refresh or a rollback reads it from the history,
 * the list of exports in the state. undefined: not known.
 */
function publishedCommit(publication: Publication, finished: Finished): StampFacts['commit'] {
  const published = finished.content?.published;
  if (published !== undefined) return { id: published.commit, from: namedBy(published) };
  // The job of an export, which is started or followed: whatever is known of it was in `content`.
  if (publication.job.kind !== 'finished') return undefined;
  const entry = publication.delivery?.exports?.find(({ job }) => job === finished.jobId);
  if (entry?.contentCommit === undefined) return undefined;
  return { id: entry.contentCommit, from: entry.contentFrom };
}
