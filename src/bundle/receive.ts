import { createHash } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { basename, join } from 'node:path';
import { type Clock, cancelled } from '../clock.ts';
import { CourierError } from '../errors.ts';
import type { BundleInputs } from '../inputs/inputs.ts';
import type { Log } from '../log.ts';
import type { BundleLink, LinkMaker, LinkPolicy } from '../platform/link.ts';
import { plainLine } from '../text/escape.ts';
import { countOf, formatBytes } from '../text/markdown.ts';
import type { ArchiveFormat } from './archive/archive.ts';
import { ARCHIVE_LIMITS, type ArchiveLimits } from './archive/limits.ts';
import { isInWorkspace } from './disk/destination.ts';
import { type Disk, systemDisk } from './disk/disk.ts';
import { fileError } from './disk/errors.ts';
import { companionsOf, type PublicationStep, publishArchive, publishSite } from './disk/publication.ts';
import { freeBytes, measureSpace } from './disk/space.ts';
import { recoverDestination, Staging } from './disk/staging.ts';
import { TRANSFER_LIMITS, type TransferLimits } from './download/limits.ts';
import type { BundleFacts } from './facts.ts';
import { type BundleOrigin, formatChecksums, formatManifest } from './manifest.ts';
import { findSite, type Site } from './site.ts';
import { type Places, type Transferred, transfer } from './transfer.ts';

export interface ReceiveInit extends Partial<LinkPolicy> {
  readonly bundle: BundleInputs;
  readonly links: LinkMaker;
  /** The first link to try; a fresh one is made when it dies early. */
  readonly link: BundleLink;
  readonly origin: BundleOrigin;
  /** The admin key: proves that what a killed run left was left by one with the same key. */
  readonly secret: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly runnerTemp: string;
  readonly workspace: string;
  /** Called when all that will be published is known and nothing is yet: what it throws leaves every place as it is. */
  readonly guard?: ((facts: BundleFacts) => void) | undefined;
  /** Called with the facts as soon as they are known, so that they are reported also when a later step fails. */
  readonly onFacts?: ((facts: BundleFacts) => void) | undefined;
}

/** A bundle at its destinations. */
export interface Received {
  readonly facts: BundleFacts;
  /** The link that the download ended with: a later one than the first where that died early. */
  readonly link: BundleLink;
}

/** The moments between which nothing visible changes; tests stop the process at each. */
export type ReceiveStep = 'staged' | 'fetched' | 'verified' | PublicationStep;

/** What tests replace. */
export interface ReceiveInternals {
  readonly archive?: Partial<ArchiveLimits>;
  readonly transfer?: Partial<TransferLimits>;
  readonly random?: () => number;
  readonly lookup?: LookupFunction;
  readonly disk?: Partial<Disk>;
  readonly freeBytes?: (folder: string) => Promise<number>;
  readonly reached?: (step: ReceiveStep) => void;
}

/**
 * Downloads the bundle, checks and verifies it, and only then puts it to its destinations: archive, manifest and checksums
 * to `bundle-path`, the site to `extract-to`. Until that moment these stay as they were. Throws a CourierError, and only
 * that; with `verify: strict`, `checks-failed` when the verification finds errors.
 */
export async function receiveBundle(init: ReceiveInit, internals: ReceiveInternals = {}): Promise<Received> {
  const receipt = new Receipt(init, internals);
  try {
    return await receipt.run();
  } catch (error) {
    if (init.signal.aborted) throw cancelled(error);
    // A file system may refuse any call at any time.
    const isFromSystem = error instanceof Error && 'syscall' in error;
    const { extractTo, bundlePath } = init.bundle;
    throw isFromSystem ? fileError('move the bundle to', extractTo ?? bundlePath ?? '', error) : error;
  } finally {
    receipt.discard();
  }
}

class Receipt {
  readonly #init: ReceiveInit;
  readonly #internals: ReceiveInternals;
  readonly #opened: Staging[] = [];

  constructor(init: ReceiveInit, internals: ReceiveInternals) {
    this.#init = init;
    this.#internals = internals;
  }

  async run(): Promise<Received> {
    const { bundle, origin, link, guard, onFacts, log, signal } = this.#init;
    const { reached } = this.#internals;
    const places = this.#open();
    reached?.('staged');
    const transferred = await this.#transfer(places);
    reached?.('fetched');
    if (signal.aborted) throw cancelled(signal.reason);
    warnOfName(transferred.format, bundle.bundlePath ?? new URL(link.url).pathname, log);
    const site = findSite(transferred.files);
    let facts = factsOf(transferred, site);
    onFacts?.(facts);
    log.info(`Received the bundle: ${describe(facts)}.`);
    if (places.site !== undefined && bundle.verify !== 'off') {
      facts = { ...facts, ...(await this.#verify(places.site, site)) };
      onFacts?.(facts);
    }
    reached?.('verified');
    assertSound(bundle, facts);
    guard?.(facts);
    facts = { ...facts, ...this.#publish(places, transferred, site, origin) };
    onFacts?.(facts);
    return { facts, link: transferred.downloaded.link };
  }

  /** Removes what is not at its destination. Never throws. */
  discard(): void {
    for (const staging of this.#opened) staging.discard();
  }

  #open(): Places {
    const { bundle, runnerTemp } = this.#init;
    const archive = this.#stage(bundle.bundlePath ?? join(runnerTemp, 'docs-courier-bundle'));
    return { archive, site: bundle.extractTo === undefined ? undefined : this.#stage(bundle.extractTo) };
  }

  #stage(destination: string): Staging {
    const { secret, log } = this.#init;
    recoverDestination(destination, secret, log);
    const staging = new Staging(destination, secret);
    this.#opened.push(staging);
    return staging;
  }

  async #transfer(places: Places): Promise<Transferred> {
    const {
      bundle,
      workspace,
      allowLoopback = false,
      allowAddress = false,
      allowPrivateHosts = allowLoopback,
    } = this.#init;
    const { archive, transfer: limits, random = Math.random, disk, freeBytes: free = freeBytes } = this.#internals;
    return transfer({
      ...{ ...this.#internals, ...this.#init },
      places,
      policy: { allowLoopback, allowAddress, allowPrivateHosts },
      archive: { ...ARCHIVE_LIMITS, ...archive },
      limits: { ...TRANSFER_LIMITS, ...limits },
      random,
      disk: { ...systemDisk, ...disk },
      keepsArchive: bundle.bundlePath !== undefined,
      inWorkspace: bundle.extractTo !== undefined && (await isInWorkspace(bundle.extractTo, workspace)),
      onSize: await measureSpace({ ...this.#init, free }),
    });
  }

  async #verify(staging: Staging, site: Site): Promise<Partial<BundleFacts>> {
    const { origin, log, signal, runnerTemp } = this.#init;
    const { verifySite } = await import('./verify/verify-site.ts');
    const { verification, reportPath } = await verifySite({
      root: join(staging.fresh, site.folder),
      files: site.files,
      basePath: origin.basePath,
      pageCount: origin.pageCount,
      isAirGapped: origin.deploymentType === 'air-gapped',
      runnerTemp,
      signal,
    });
    for (const { level, page, reason, target } of verification.first) {
      const text = plainLine(`${page === '' ? 'The bundle' : page}: ${reason}${target === '' ? '' : ` (${target})`}`);
      if (level === 'note') log.notice(text);
      else log.warning(text);
    }
    const { errors, warnings, pages } = verification;
    log.info(
      `Verified ${countOf(pages, 'page')}: ${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}. All findings are in ${reportPath}.`,
    );
    return { verification, verifyReport: reportPath };
  }

  #publish(places: Places, { downloaded, format, files }: Transferred, site: Site, origin: BundleOrigin) {
    const { bundle, clock } = this.#init;
    const { bundlePath, extractTo } = bundle;
    const publication = { replace: bundle.clean, reached: this.#internals.reached };
    let facts: Partial<BundleFacts> = {};
    if (bundlePath !== undefined) {
      const { sha256, bytes } = downloaded;
      const counted = { sha256, bytes, format, files, pages: site.pages };
      const manifest = formatManifest({ ...counted, bundlePath, origin, receivedAt: new Date(clock.now()) });
      const checksums = formatChecksums([{ name: basename(bundlePath), sha256 }]);
      publishArchive(bundlePath, { manifest, checksums }, { ...publication, staging: places.archive });
      const paths = companionsOf(bundlePath);
      const manifestSha256 = createHash('sha256').update(manifest).digest('hex');
      facts = { path: bundlePath, manifestPath: paths.manifest, manifestSha256, checksumPath: paths.checksums };
    }
    if (extractTo !== undefined && places.site !== undefined) {
      publishSite({ ...publication, staging: places.site });
      facts = { ...facts, sitePath: site.folder === '' ? extractTo : join(extractTo, site.folder) };
    }
    return facts;
  }
}

function factsOf({ downloaded, format, files }: Transferred, { pages }: Site): BundleFacts {
  return {
    sha256: downloaded.sha256,
    bytes: downloaded.bytes,
    format,
    files: files.length,
    pages,
    unpackedBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    resumed: downloaded.resumed,
  };
}

function describe({ format, bytes, sha256, files, pages, unpackedBytes }: BundleFacts): string {
  const packed = `${format}, ${formatBytes(bytes)}, SHA-256 ${sha256}`;
  return `${packed}; ${countOf(pages, 'page')}, ${countOf(files, 'file')}, ${formatBytes(unpackedBytes)} unpacked`;
}

// The name is only a name: what is unpacked is decided by the content.
function warnOfName(format: ArchiveFormat, path: string, log: Log): void {
  const named = /\.(tar\.gz|tgz|tar|zip)$/i.exec(path)?.[1]?.toLowerCase().replace('tgz', 'tar.gz');
  if (named === undefined || named === format) return;
  log.warning(
    `The bundle is a .${format}, although ${plainLine(basename(path), 100)} is named like a .${named}. It was read as a .${format}.`,
  );
}

function assertSound({ verify }: BundleInputs, { verification, verifyReport }: BundleFacts): void {
  const errors = verification?.errors ?? 0;
  if (verify !== 'strict' || errors === 0) return;
  throw new CourierError({
    code: 'checks-failed',
    message: `The site has ${countOf(errors, 'error')}, and verify is strict: bundle-path, extract-to and the secret were left as they are. The first ones are in the summary, all of them in ${verifyReport ?? ''}.`,
    hint: 'Correct the pages on the platform and export again. With "verify: report" findings are reported and do not fail the run.',
  });
}
