import { createHash, type Hash } from 'node:crypto';
import { chmodSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { basename, join } from 'node:path';
import { type Clock, cancelled, takeTurn } from '../clock.ts';
import { CourierError } from '../errors.ts';
import type { BundleInputs } from '../inputs/inputs.ts';
import type { Log } from '../log.ts';
import type { BundleLink, LinkMaker, LinkPolicy } from '../platform/link.ts';
import { ARCHIVE_LIMITS, type ArchiveLimits } from './archive/admission.ts';
import type { BundleFile } from './archive/sink.ts';
import { type ComparedSite, makeComparedSite } from './compare/compared-site.ts';
import type { Comparison } from './compare/comparison.ts';
import type { SiteComparison } from './compare/site-comparison.ts';
import { companionsOf, formatChecksum } from './disk/companions.ts';
import { isInWorkspace } from './disk/destination.ts';
import { type Disk, fileError, freeBytes, measureSpace, systemDisk } from './disk/disk.ts';
import { checkReplaceable } from './disk/replaceable.ts';
import { recoverDestination, Staging } from './disk/staging.ts';
import { TRANSFER_LIMITS, type TransferLimits } from './download/request.ts';
import {
  assertSound,
  type BundleOrigin,
  describe,
  formatManifest,
  inspect,
  warnOfName,
} from './inspection.ts';
import type { BundleFacts } from './summary.ts';
import { type Places, type TransferInit, type Transferred, transfer } from './transfer.ts';
import type { PageReader } from './verify/site-check.ts';

/**
 * What a bundle is compared with: the files that a manifest lists, or an earlier export, whose
 * bundle is downloaded for it.
 */
export type EarlierExport =
  | { readonly kind: 'files'; readonly site: ComparedSite }
  | { readonly kind: 'job'; readonly jobId: string; readonly links: LinkMaker };

/** All that is known of a bundle before anything is published. */
export interface Inspected {
  readonly facts: BundleFacts;
  /** Its files, and its pages by address. */
  readonly site: ComparedSite;
  readonly comparison: Comparison | undefined;
}

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
  /** Of the run, for git. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Called when all that will be published is known and nothing is yet: what it throws leaves every
   * place as it is.
   */
  readonly guard?: ((inspected: Inspected) => void | Promise<void>) | undefined;
  /**
   * Reads the pages of an unpacked site in the same pass as the verification and the comparison.
   */
  readonly pageReaders?: ((site: ComparedSite) => Promise<readonly PageReader[]>) | undefined;
  /**
   * Called once nothing holds the bundle back: adds files of ours to the folder of the site, and
   * gives them for its manifest.
   */
  readonly add?: ((inspected: Inspected) => Promise<readonly BundleFile[]>) | undefined;
  /**
   * The guard reads pages: the bundle is unpacked even if it has no folder to go to, and removed
   * afterwards.
   */
  readonly readsPages?: boolean | undefined;
  /** The site is verified even if it has no folder to go to. */
  readonly verifies?: boolean | undefined;
  /** Compare with it; then the bundle is unpacked even if it has no folder to go to. */
  readonly earlier?: EarlierExport | undefined;
  /**
   * Called before the guard, so that a bundle that is held back shows what changed. Throws `io` if
   * that cannot be kept.
   */
  readonly onComparison?: ((comparison: Comparison) => void | Promise<void>) | undefined;
  /**
   * Called with the facts as soon as they are known, so that they are reported even when a later
   * step fails.
   */
  readonly onFacts?: ((facts: BundleFacts) => void) | undefined;
}

/** A bundle at its destinations. */
export interface Received {
  readonly facts: BundleFacts;
  /** The link that the download ended with: a later one than the first if that died early. */
  readonly link: BundleLink;
  readonly comparison: Comparison | undefined;
}

/** The moments between which nothing visible changes; tests stop the process at each. */
export type ReceiveStep =
  | 'staged'
  | 'fetched'
  | 'verified'
  | 'archive-published'
  | 'manifest-written'
  | 'former-moved'
  | 'site-published';

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
 * Downloads the bundle, checks and verifies it, and only then puts it to its destinations: archive,
 * manifest and checksums to `bundle-path`, the site to `extract-to`. Until that moment these stay
 * as they were. Throws a CourierError, and only that; with `verify: strict` or `air-gapped`,
 * `checks-failed` when the verification finds errors.
 */
export async function receiveBundle(
  init: ReceiveInit,
  internals: ReceiveInternals = {},
): Promise<Received> {
  const receipt = new Receipt(init, internals);
  try {
    return await receipt.run();
  } catch (error) {
    if (init.signal.aborted) throw cancelled(error);
    // A file system may refuse any call at any time.
    const isFromSystem = error instanceof Error && 'syscall' in error;
    const { extractTo, bundlePath } = init.bundle;
    throw isFromSystem
      ? fileError('move the bundle to', extractTo ?? bundlePath ?? '', error)
      : error;
  } finally {
    receipt.discard();
  }
}

/** All that is put to its destinations. */
interface Complete {
  readonly facts: BundleFacts;
  readonly files: readonly BundleFile[];
  /** Files of ours, below `folder`. */
  readonly added: readonly BundleFile[];
  /** The folder of the archive that has the site; empty if that is the archive itself. */
  readonly folder: string;
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
    const { bundle, origin, link, links, guard, add, onFacts, onComparison, log, signal } =
      this.#init;
    const { reached } = this.#internals;
    const places = this.#open();
    reached?.('staged');
    const keepsArchive = bundle.bundlePath !== undefined;
    const transferred = await this.#transfer({ places, links, link, keepsArchive });
    reached?.('fetched');
    if (signal.aborted) throw cancelled(signal.reason);
    warnOfName(transferred.format, bundle.bundlePath ?? new URL(link.url).pathname, log);
    const site = makeComparedSite(origin.jobId, transferred.files, places.site?.fresh);
    const { link: lastLink, ...downloaded } = transferred.downloaded;
    const { format, files } = transferred;
    const { pageCount: pages, bytes: unpackedBytes } = site;
    let facts: BundleFacts = { ...downloaded, format, files: files.length, pages, unpackedBytes };
    onFacts?.(facts);
    log.info(`Received the bundle: ${describe(facts)}.`);
    const inspected = await this.#inspect(site);
    facts = { ...facts, ...inspected.facts };
    onFacts?.(facts);
    if (inspected.comparison !== undefined) await onComparison?.(inspected.comparison);
    reached?.('verified');
    assertSound(bundle, facts);
    const { comparison } = inspected;
    await guard?.({ facts, site, comparison });
    const added = (await add?.({ facts, site, comparison })) ?? [];
    await takeTurn(signal);
    facts = {
      ...facts,
      ...(await this.#publish(places, { facts, files, added, folder: site.folder })),
    };
    onFacts?.(facts);
    return { facts, link: lastLink, comparison };
  }

  /** Removes what is not at its destination. Never throws. */
  discard(): void {
    for (const staging of this.#opened) staging.discard();
  }

  #open(): Places {
    const { bundle, runnerTemp, earlier, readsPages = false } = this.#init;
    // Pages can be read only if they are unpacked.
    const folder =
      bundle.extractTo ??
      (readsPages || earlier !== undefined ? join(runnerTemp, 'docs-courier-site') : undefined);
    return {
      archive: this.#stage(bundle.bundlePath ?? join(runnerTemp, 'docs-courier-bundle')),
      site: folder === undefined ? undefined : this.#stage(folder),
    };
  }

  async #inspect(site: ComparedSite) {
    const { bundle, verifies = bundle.extractTo !== undefined } = this.#init;
    if (site.root === undefined) return { facts: {}, comparison: undefined };
    const verify = verifies ? bundle.verify : 'off';
    const comparison = await this.#openComparison(site);
    const pageReaders = (await this.#init.pageReaders?.(site)) ?? [];
    return inspect({ ...this.#init, root: site.root, site, verify, comparison, pageReaders });
  }

  async #openComparison(to: ComparedSite): Promise<SiteComparison | undefined> {
    const { earlier, log, origin } = this.#init;
    if (earlier === undefined) return undefined;
    const from = earlier.kind === 'files' ? earlier.site : await this.#fetchEarlier(earlier, to);
    if (from === undefined) return undefined;
    const { SiteComparison: Compare } = await import('./compare/site-comparison.ts');
    return new Compare({ from, to, basePath: origin.basePath, redact: (text) => log.redact(text) });
  }

  /**
   * The bundle of an earlier export in a separate folder; undefined if it cannot be downloaded
   * again, with a warning.
   */
  async #fetchEarlier(
    earlier: EarlierExport & { kind: 'job' },
    to: ComparedSite,
  ): Promise<ComparedSite | undefined> {
    const { runnerTemp, log } = this.#init;
    const { jobId, links } = earlier;
    // A re-run continues with the job that is live already: it is compared with itself.
    if (jobId === to.jobId) return to;
    log.info(`Downloading the bundle of export job ${jobId}, which is live, to compare with it.`);
    try {
      const link = await links.fresh();
      const places = {
        archive: this.#stage(join(runnerTemp, 'docs-courier-earlier-bundle')),
        site: this.#stage(join(runnerTemp, 'docs-courier-earlier-site')),
      };
      const { files } = await this.#transfer({ places, links, link, keepsArchive: false });
      return makeComparedSite(jobId, files, places.site.fresh);
    } catch (error) {
      if (!(error instanceof CourierError) || error.code === 'cancelled' || error.code === 'io')
        throw error;
      log.warning(
        `The export could not be compared with the one that is live (job ${jobId}). ${error.message}`,
      );
      return undefined;
    }
  }

  #stage(destination: string): Staging {
    const { secret, log } = this.#init;
    recoverDestination(destination, secret, log);
    const staging = new Staging(destination, secret);
    this.#opened.push(staging);
    return staging;
  }

  async #transfer(
    wish: Pick<TransferInit, 'places' | 'links' | 'link' | 'keepsArchive'>,
  ): Promise<Transferred> {
    const { bundle, earlier, workspace, runnerTemp, ...init } = this.#init;
    const { allowLoopback = false, allowAddress = false, allowPrivateHosts = allowLoopback } = init;
    const {
      archive,
      transfer: limits,
      random = Math.random,
      disk,
      freeBytes: free = freeBytes,
    } = this.#internals;
    const { bundlePath, extractTo = wish.places.site && join(runnerTemp, 'site') } = bundle;
    return transfer({
      ...{ ...this.#internals, ...init, ...wish },
      policy: { allowLoopback, allowAddress, allowPrivateHosts },
      archive: { ...ARCHIVE_LIMITS, ...archive },
      limits: { ...TRANSFER_LIMITS, ...limits },
      random,
      disk: { ...systemDisk, ...disk },
      // For a manifest, or for the comparison.
      hashesFiles: wish.keepsArchive || bundle.extractTo !== undefined || earlier !== undefined,
      inWorkspace:
        bundle.extractTo !== undefined && (await isInWorkspace(bundle.extractTo, workspace)),
      onSize: await measureSpace({ bundlePath, extractTo, runnerTemp, free }),
    });
  }

  async #publish(
    { archive, site }: Places,
    { facts, files, added, folder }: Complete,
  ): Promise<Partial<BundleFacts>> {
    const { bundle, clock, origin } = this.#init;
    const { reached } = this.#internals;
    const { bundlePath, extractTo } = bundle;
    const receivedAt = new Date(clock.now());
    const manifest = { facts, files, origin, receivedAt };
    // Checked again, with all that takes time done before: what is found now is what is replaced.
    const found = await checkReplaceable(this.#init);
    let published: Partial<BundleFacts> = {};
    if (bundlePath !== undefined) {
      const hash = createHash('sha256');
      const { manifest: manifestPath, checksums: checksumPath } = companionsOf(bundlePath);
      chmodSync(archive.fresh, 0o644);
      archive.writeCompanion('manifest', hashed(formatManifest({ ...manifest, bundlePath }), hash));
      archive.writeCompanion('checksums', [formatChecksum(basename(bundlePath), facts.sha256)]);
      archive.publish(found, { moved: () => reached?.('archive-published') });
      reached?.('manifest-written');
      published = {
        path: bundlePath,
        manifestPath,
        manifestSha256: hash.digest('hex'),
        checksumPath,
      };
    }
    if (extractTo !== undefined && site !== undefined) {
      // So that the next run knows which files an export made.
      const named = { ...manifest, bundlePath: bundlePath ?? extractTo };
      const inFolder = added.map((file) =>
        folder === '' ? file : { ...file, path: `${folder}/${file.path}` },
      );
      site.writeCompanion('manifest', formatManifest({ ...named, added: inFolder }));
      site.publish(found, {
        away: () => reached?.('former-moved'),
        moved: () => reached?.('site-published'),
      });
      published = { ...published, sitePath: folder === '' ? extractTo : join(extractTo, folder) };
    }
    return published;
  }
}

function* hashed(pieces: Iterable<string>, hash: Hash): Generator<string> {
  for (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}
