import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Addition } from '../added/add.ts';
import type { StampFacts } from '../added/stamp/stamp.ts';
import type { BundleFile } from '../bundle/archive/sink.ts';
import type { ComparedSite } from '../bundle/compare/compared-site.ts';
import type { PageReader } from '../bundle/pages.ts';
import type { Inspected, Received, ReceiveInit } from '../bundle/receive.ts';
import type { BundleFacts } from '../bundle/summary.ts';
import type { BundleInputs, PublishInputs } from '../inputs/inputs.ts';
import type { Log } from '../log.ts';
import { linkPolicy } from '../platform/link.ts';
import type { Context, Deps } from '../run/context.ts';
import type { Write } from '../run/report.ts';
import { plainLine } from '../text/escape.ts';
import type { ExportContent } from './content/content.ts';
import type { ChosenJob } from './job.ts';
import type { Delivery } from './state/delivery.ts';

type ReceiveInputs = Pick<PublishInputs, 'bundle' | 'baseUrl' | 'adminApiKey'>;

/** Whether the archive or the site has a destination. */
export function isReceived({ bundlePath, extractTo }: BundleInputs): boolean {
  return bundlePath !== undefined || extractTo !== undefined;
}

/** Checks the destinations before anything starts. Throws `config` if they may not be written. */
export async function checkReceipt(
  {
    bundle,
    adminApiKey,
    outputFiles,
  }: Pick<PublishInputs, 'bundle' | 'adminApiKey' | 'outputFiles'>,
  { github, run, signal }: Pick<Context, 'github' | 'run' | 'signal'>,
): Promise<void> {
  if (!isReceived(bundle) && outputFiles.length === 0) return;
  const [{ checkOutputPaths }, { homedir }] = await Promise.all([
    import('../bundle/disk/destination.ts'),
    import('node:os'),
  ]);
  const { workspace, runnerTemp } = github.run;
  await checkOutputPaths({
    bundle,
    outputFiles,
    workspace,
    runnerTemp,
    home: homedir(),
    secret: adminApiKey,
    env: run.env,
    signal,
  });
}

type BundleChecks = Pick<
  ReceiveInit,
  'guard' | 'add' | 'pageReaders' | 'readsPages' | 'verifies' | 'earlier' | 'onComparison'
>;
type ReceiveRequest = BundleChecks & Pick<ReceiveInit, 'links' | 'link' | 'origin'>;

/** Downloads, checks, verifies and unpacks the bundle. */
export async function receive(
  inputs: ReceiveInputs,
  deps: Deps<{ bundle: BundleFacts }>,
  receipt: ReceiveRequest,
): Promise<Received> {
  const { receiveBundle } = await import('../bundle/receive.ts');
  const { bundle, baseUrl, adminApiKey: secret } = inputs;
  const { github, run, log, clock, signal, record } = deps;
  const { env } = run;
  const { workspace, runnerTemp } = github.run;
  const policy = linkPolicy(baseUrl, bundle.allowPrivateHosts);
  const onFacts = (facts: BundleFacts) => record({ bundle: facts });
  return log.group('Receiving the bundle', () =>
    receiveBundle({
      bundle,
      secret,
      log,
      clock,
      signal,
      workspace,
      runnerTemp,
      env,
      ...policy,
      ...receipt,
      onFacts,
    }),
  );
}

/** What `add` names, for the site of this run; undefined: nothing. */
export async function openAddition({ add }: PublishInputs): Promise<Addition | undefined> {
  if (add.length === 0) return undefined;
  const { Addition: Parts } = await import('../added/add.ts');
  return Parts.open(add);
}

/** What reads the pages of a site while it is verified, so that they are read once. */
export async function openPageReaders(
  site: ComparedSite,
  {
    addition,
    needsFingerprint,
  }: { readonly addition: Addition | undefined; readonly needsFingerprint: boolean },
): Promise<readonly PageReader[]> {
  const readers = addition?.reader === undefined ? [] : [addition.reader];
  if (!needsFingerprint) return readers;
  const { fingerprintReader } = await import('../bundle/compare/fingerprint.ts');
  return [...readers, fingerprintReader(site)];
}

interface Named {
  readonly delivery: Delivery | undefined;
  readonly log: Log;
}

/**
 * What a run without the bundle takes for granted of a job that a person names, unless its
 * destinations know it.
 */
export function noteNamedSite(
  { intent, api }: ChosenJob,
  jobId: string | undefined,
  { delivery, log }: Named,
): void {
  const { domain } = api.source;
  if (intent.kind !== 'named' || domain === undefined) return;
  if (delivery?.exports?.some(({ job }) => job === jobId) === true) return;
  log.notice(
    `The platform does not say which site export job ${jobId} exports. This run takes it for ${domain}. The log of the run that started it names its site.`,
  );
}

const SITEMAP = 'sitemap.xml';
const SITEMAP_BYTES = 4096;

/**
 * The platform does not say which site a job exports, so that the id of another site's job is not
 * refused. The sitemap names the site, unless readers know it under another host name: a warning,
 * and no error.
 */
export function warnOfOtherSite(
  { intent, api }: ChosenJob,
  jobId: string,
  { root, paths }: ComparedSite,
  log: Log,
): void {
  const { domain } = api.source;
  if (
    intent.kind !== 'named' ||
    domain === undefined ||
    root === undefined ||
    !paths.includes(SITEMAP)
  )
    return;
  const host = hostIn(readBegin(join(root, SITEMAP)));
  if (host === undefined || host.toLowerCase() === domain.toLowerCase()) return;
  log.warning(
    `The sitemap of export job ${jobId} names ${plainLine(host, 253)}, and domain is ${domain}. If that is not the same site, correct export-job-id.`,
  );
}

/**
 * The prefix of a sitemap's names is that of its first element: others, such as `image:`, have a
 * `loc` too.
 */
function hostIn(sitemap: string): string | undefined {
  const [, prefix = ''] = /<([\w-]{1,40}:)?(?:urlset|sitemapindex)[\s>]/.exec(sitemap) ?? [];
  const loc = new RegExp(`<${prefix}loc>\\s*(?:<!\\[CDATA\\[\\s*)?https?://([^\\s/<>:\\]]{1,253})`);
  return loc.exec(sitemap)?.[1];
}

function readBegin(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(SITEMAP_BYTES);
    return bytes.toString('utf8', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

interface Adding {
  readonly addition: Addition | undefined;
  readonly site: Inspected['site'];
  readonly job: ChosenJob;
  readonly jobId: string;
  /** When the export was requested; undefined: not known. */
  readonly exportedAt: Date | undefined;
  readonly delivery: Delivery | undefined;
  /** undefined: this is not an export. */
  readonly content: ExportContent | undefined;
}

/** Adds what `add` names to the folder of the unpacked site, and gives the added files. */
export async function addParts(
  inputs: PublishInputs,
  { log, signal }: Pick<Deps<unknown>, 'log' | 'signal'>,
  adding: Adding,
): Promise<readonly BundleFile[]> {
  const { addition, site, job, jobId, exportedAt } = adding;
  const { root } = site;
  if (addition === undefined || root === undefined) return [];
  const { domain, projectId } = job.api.source;
  const label = inputs.mode === 'export' ? inputs.exportVersion : undefined;
  const facts = { domain, projectId, jobId, exportedAt, commit: publishedCommit(adding), label };
  const added = await addition.write({ site, root, facts, signal });
  log.info(`Added to the site: ${added.map(({ path }) => path).join(', ')}.`);
  for (const note of addition.notes) log.notice(note);
  return added;
}

/**
 * The commit that was published for the export. A refresh and a rollback have it from the history.
 */
function publishedCommit({ job, jobId, delivery, content }: Adding): StampFacts['commit'] {
  if (content?.commit !== undefined) return { id: content.commit, from: content.commitFrom };
  if (job.kind !== 'finished') return undefined;
  const { contentCommit, contentFrom } = delivery?.exports?.find((one) => one.job === jobId) ?? {};
  return contentCommit === undefined ? undefined : { id: contentCommit, from: contentFrom };
}

export function planReceipt({ bundle, add }: PublishInputs): Write[] {
  const { bundlePath, extractTo } = bundle;
  const archive =
    bundlePath === undefined
      ? []
      : [{ action: 'download the archive, with manifest and checksums', target: bundlePath }];
  const site = extractTo === undefined ? [] : [{ action: 'unpack the site', target: extractTo }];
  const added =
    add.length === 0 ? [] : [{ action: 'add files to the site', target: add.join(', ') }];
  return [...archive, ...site, ...added];
}
