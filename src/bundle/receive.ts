import { chmodSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Clock, cancelled } from '../clock.ts';
import { CourierError } from '../errors.ts';
import type { BundleInputs } from '../inputs.ts';
import type { Log } from '../log.ts';
import type { BundleLink, LinkMaker } from '../platform/link.ts';
import type { BundleFacts, Finding } from '../report/bundle-facts.ts';
import { plainLine } from '../report/escape.ts';
import { countOf, formatBytes } from '../report/markdown.ts';
import type { ArchiveFormat } from './archive.ts';
import { isInWorkspace } from './destination.ts';
import { ARCHIVE_LIMITS, type ArchiveLimits, TRANSFER_LIMITS, type TransferLimits } from './limits.ts';
import { type BundleOrigin, formatChecksums, formatManifest } from './manifest.ts';
import { freeBytes, measureSpace } from './space.ts';
import { openStaging, recoverDestination, type Staging } from './staging.ts';
import { type Fetched, fetchBundle } from './transfer.ts';
import { verifySite } from './verify.ts';

export interface ReceiveInit {
  readonly bundle: BundleInputs;
  readonly links: LinkMaker;
  /** The first link to try; it is made anew when it dies early. */
  readonly link: BundleLink;
  readonly origin: BundleOrigin;
  /** The base address is a loopback host: http and loopback links are taken. */
  readonly allowLoopback: boolean;
  /** The base address is an address instead of a name: links to one are taken. */
  readonly allowAddress?: boolean | undefined;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly runnerTemp: string;
  readonly workspace: string;
  /** Takes facts as soon as they are known: they are told also when a later step fails. */
  readonly tell?: ((facts: BundleFacts) => void) | undefined;
}

/** A bundle in its place. */
export interface Received {
  readonly facts: BundleFacts;
  /** The link that the download ended with: a later one than the first where that died early. */
  readonly link: BundleLink;
  /** With `verify: strict`, throws `checks-failed` when there are errors. Call it after the facts are told. */
  assertSound(): void;
}

/** The moments between which nothing visible changes; tests stop the process at each. */
export type ReceiveStep =
  | 'staged'
  | 'fetched'
  | 'archive-published'
  | 'manifest-written'
  | 'former-moved'
  | 'site-published'
  | 'verified';

/** What tests replace. */
export interface ReceiveInternals {
  readonly archive?: Partial<ArchiveLimits>;
  readonly transfer?: Partial<TransferLimits>;
  readonly random?: () => number;
  readonly freeBytes?: (folder: string) => Promise<number>;
  readonly reached?: (step: ReceiveStep) => void;
}

/** The three places of one bundle, each with its staging folder. */
interface Places {
  readonly archive: Staging;
  readonly site: Staging | undefined;
}

/**
 * Downloads the bundle, checks it whole, and only then puts it in its place: archive, manifest and checksums to `bundle-path`, the
 * site to `extract-to`. What stood there stays as it was until that moment. Throws a CourierError, and only that.
 */
export async function receiveBundle(init: ReceiveInit, internals: ReceiveInternals = {}): Promise<Received> {
  const { bundle, signal } = init;
  const destinations = [bundle.bundlePath ?? join(init.runnerTemp, 'docs-courier-bundle'), bundle.extractTo];
  const opened: Staging[] = [];
  try {
    for (const destination of destinations) {
      if (destination === undefined) continue;
      recoverDestination(destination, init.log);
      opened.push(openStaging(destination));
    }
    const [archive, site] = opened;
    if (archive === undefined)
      throw new CourierError({ code: 'io', message: 'No folder for the bundle could be made.' });
    internals.reached?.('staged');
    return await receiveInto(init, internals, { archive, site });
  } catch (error) {
    if (signal.aborted) throw cancelled(error);
    throw error;
  } finally {
    for (const staging of opened) staging.discard();
  }
}

async function receiveInto(init: ReceiveInit, internals: ReceiveInternals, places: Places): Promise<Received> {
  const { bundle, log, signal } = init;
  const fetched = await fetchBundle({
    ...init,
    places,
    policy: { allowLoopback: init.allowLoopback, allowAddress: init.allowAddress ?? false },
    archive: { ...ARCHIVE_LIMITS, ...internals.archive },
    transfer: { ...TRANSFER_LIMITS, ...internals.transfer },
    random: internals.random ?? Math.random,
    inWorkspace: bundle.extractTo !== undefined && (await isInWorkspace(bundle.extractTo, init.workspace)),
    onSize: await measureSpace({ ...init, free: internals.freeBytes ?? freeBytes }),
  });
  internals.reached?.('fetched');
  if (signal.aborted) throw cancelled(signal.reason);
  warnOfName(fetched.format, bundle.bundlePath ?? new URL(init.link.url).pathname, log);
  let facts = firstFacts(fetched);
  const tell = (more: Partial<BundleFacts>) => {
    facts = { ...facts, ...more };
    init.tell?.(facts);
  };
  tell(publishArchive(init, internals, { places, fetched }));
  tell(publishSite(init, internals, { places, fetched }));
  log.info(`Received the bundle: ${describe(facts)}.`);
  await verify({ init, fetched, tell, facts });
  internals.reached?.('verified');
  return { facts, link: fetched.downloaded.link, assertSound: () => assertSound(init, facts) };
}

function firstFacts({ downloaded, format, files }: Fetched): BundleFacts {
  return {
    path: undefined,
    sha256: downloaded.sha256,
    bytes: downloaded.bytes,
    manifestPath: undefined,
    checksumPath: undefined,
    sitePath: undefined,
    verifyReport: undefined,
    format,
    files: files.length,
    unpackedBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    resumed: downloaded.resumed,
    verification: undefined,
  };
}

function describe({ format, bytes, sha256, files, unpackedBytes }: BundleFacts): string {
  const packed = `${format}, ${formatBytes(bytes)}, SHA-256 ${sha256}`;
  return `${packed}; ${countOf(files, 'file')}, ${formatBytes(unpackedBytes)} unpacked`;
}

interface Publishing {
  readonly places: Places;
  readonly fetched: Fetched;
}

function publishArchive(
  { bundle, origin, clock }: ReceiveInit,
  { reached }: ReceiveInternals,
  { places, fetched }: Publishing,
): Partial<BundleFacts> {
  const { bundlePath } = bundle;
  if (bundlePath === undefined) return {};
  const { downloaded, format, files } = fetched;
  chmodSync(places.archive.fresh, 0o644);
  places.archive.publish({ replace: bundle.clean });
  reached?.('archive-published');
  const manifestPath = `${bundlePath}.manifest.json`;
  const checksumPath = `${bundlePath}.sha256`;
  const { sha256, bytes } = downloaded;
  places.archive.publishText(
    manifestPath,
    formatManifest({ bundlePath, sha256, bytes, format, origin, files, receivedAt: new Date(clock.now()) }),
  );
  places.archive.publishText(checksumPath, formatChecksums([{ name: basename(bundlePath), sha256 }]));
  reached?.('manifest-written');
  return { path: bundlePath, manifestPath, checksumPath };
}

function publishSite(
  { bundle }: ReceiveInit,
  { reached }: ReceiveInternals,
  { places, fetched }: Publishing,
): Partial<BundleFacts> {
  const { extractTo } = bundle;
  if (extractTo === undefined || places.site === undefined) return {};
  places.site.publish({ replace: bundle.clean, between: () => reached?.('former-moved') });
  reached?.('site-published');
  const folder = siteFolder(fetched);
  return { sitePath: folder === '' ? extractTo : join(extractTo, folder) };
}

/** Some archives hold the site in one folder of theirs: that folder, or empty. */
export function siteFolder({ files }: Pick<Fetched, 'files'>): string {
  const isEntry = (path: string) => files.some((file) => file.path === path);
  const top = files[0]?.path.split('/')[0] ?? '';
  if (isEntry('index.html') || !files.every(({ path }) => path.startsWith(`${top}/`))) return '';
  return isEntry(`${top}/index.html`) ? top : '';
}

// The name is only a name: what comes out of it is decided by the content.
function warnOfName(format: ArchiveFormat, path: string, log: Log): void {
  const named = /\.(tar\.gz|tgz|tar|zip)$/i.exec(path)?.[1]?.toLowerCase().replace('tgz', 'tar.gz');
  if (named === undefined || named === format) return;
  log.warning(
    `The bundle is a .${format}, although ${plainLine(basename(path), 100)} is named like a .${named}. It was read as what it is.`,
  );
}

interface Verifying {
  readonly init: ReceiveInit;
  readonly fetched: Fetched;
  readonly facts: BundleFacts;
  readonly tell: (facts: Partial<BundleFacts>) => void;
}

async function verify({ init, fetched, facts, tell }: Verifying): Promise<void> {
  const { bundle, origin, log, signal, runnerTemp } = init;
  if (facts.sitePath === undefined || bundle.verify === 'off') return;
  const folder = siteFolder(fetched);
  const { verification, reportPath } = await verifySite({
    root: facts.sitePath,
    files: fetched.files.map(({ path }) => (folder === '' ? path : path.slice(folder.length + 1))),
    pageCount: origin.pageCount,
    isAirGapped: origin.deploymentType === 'air-gapped',
    runnerTemp,
    signal,
  });
  tell({ verification, verifyReport: reportPath });
  for (const finding of verification.first) annotate(log, finding);
  const { errors, warnings, pages } = verification;
  log.info(
    `Verified ${countOf(pages, 'page')}: ${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}; all of it in ${reportPath}.`,
  );
}

function assertSound({ bundle }: ReceiveInit, { verification, verifyReport }: BundleFacts): void {
  const errors = verification?.errors ?? 0;
  if (bundle.verify === 'strict' && errors > 0) throw checksFailed(errors, verifyReport ?? '');
}

function annotate(log: Log, { level, page, target, reason }: Finding): void {
  const text = plainLine(`${page === '' ? 'The bundle' : page}: ${reason}${target === '' ? '' : ` (${target})`}`);
  if (level === 'note') log.notice(text);
  else log.warning(text);
}

function checksFailed(errors: number, reportPath: string): CourierError {
  return new CourierError({
    code: 'checks-failed',
    message: `The unpacked site has ${countOf(errors, 'error')}; the first ones are in the summary, all of them in ${reportPath}.`,
    hint: 'Correct the pages on the platform and export anew. With "verify: report" the findings are told and do not fail the run.',
  });
}
