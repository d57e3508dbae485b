import { statSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { join } from 'node:path';
import { type Clock, cancelled, takeTurn } from '../ground/clock.ts';
import { CourierError } from '../ground/errors.ts';
import type { Log } from '../ground/log.ts';
import { pathOf } from '../ground/text/names.ts';
import type { BundleInputs } from '../inputs/inputs.ts';
import type { BundleLink, LinkMaker, LinkPolicy } from '../platform/link.ts';
import { ARCHIVE_LIMITS, type ArchiveLimits } from './archive/admission.ts';
import type { BundleFile } from './archive/sink.ts';
import { type ComparedSite, makeComparedSite } from './compare/compared-site.ts';
import type { Comparison } from './compare/comparison.ts';
import type { PageList } from './compare/site-pages.ts';
import { isInWorkspace } from './disk/destination.ts';
import { type Disk, fileError, freeBytes, measureSpace, systemDisk } from './disk/disk.ts';
import { recoverDestination, Staging } from './disk/staging.ts';
import { TRANSFER_LIMITS, type TransferLimits } from './download/request.ts';
import type { GivenSite } from './given/given.ts';
import {
  assertNoErrors,
  type BundleOrigin,
  type ComparingReader,
  describeBundle,
  type InspectedSite,
  inspect,
  warnOfName,
} from './inspection.ts';
import { type CheckedBundle, type PlaceStep, placeBundle } from './place.ts';
import type { BundleFacts } from './summary.ts';
import { type LinkSource, type StagingFolders, type Transferred, transfer } from './transfer.ts';
import type { PageReader } from './verify/site-check.ts';

/**
 * What a bundle is compared with: the files in the manifest (the list of files) that was kept of an
 * earlier export, the pages that a site lists, or an earlier export itself, whose bundle is
 * downloaded for it.
 */
export type EarlierExport =
  /** `decides`: false for what the published site says, which is not signed. */
  | { readonly kind: 'pages'; readonly list: PageList; readonly decides: boolean }
  | { readonly kind: 'files'; readonly site: ComparedSite }
  | { readonly kind: 'job'; readonly jobId: string; readonly links: LinkMaker };

/** All that is known of a bundle before anything is published. */
export interface Inspected {
  readonly facts: BundleFacts;
  /** Its files, and its pages by address. */
  readonly site: ComparedSite;
  readonly comparison: Comparison | undefined;
}

export interface ReceiveInit {
  readonly bundle: BundleInputs;
  /** Where the bundle comes from. */
  readonly source: LinkSource | GivenSite;
  readonly policy: LinkPolicy;
  readonly origin: BundleOrigin;
  /**
   * Signs the staging folders. With the admin key, a later run recognises those of a killed run.
   */
  readonly secret: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly runnerTemp: string;
  readonly workspace: string;
  /** The environment of the run, for git. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Called when everything that will be published is known and nothing has been published. If it
   * throws, every destination stays as it is. Gives files of ours that it added to the folder of
   * the site, for its manifest.
   */
  readonly inspect?: ((inspected: Inspected) => Promise<readonly BundleFile[]>) | undefined;
  /**
   * Reads the pages of an unpacked site in the same pass as the verification and the comparison.
   */
  readonly pageReaders?: ((site: ComparedSite) => Promise<readonly PageReader[]>) | undefined;
  /**
   * Pages are read: the bundle is unpacked even if it has no folder to go to, and removed
   * afterwards.
   */
  readonly readsPages?: boolean | undefined;
  /** The site is verified even if it has no folder to go to, such as for an image. */
  readonly verifies?: boolean | undefined;
  /** The export to compare with. Then the bundle is unpacked even if it has no folder to go to. */
  readonly earlier?: EarlierExport | undefined;
  /**
   * Called before `inspect`, so that a bundle that is held back shows what changed. Throws `io` if
   * that cannot be kept.
   */
  readonly onComparison?: ((comparison: Comparison) => void | Promise<void>) | undefined;
  /**
   * Called with the facts as soon as they are known, so that they are reported even when a later
   * step fails.
   */
  readonly onFacts?: ((facts: BundleFacts) => void) | undefined;
  /** The input that delivers the archive as it is; undefined: none does. */
  readonly archiveInput?: 'to' | 'bundle-path' | undefined;
  /** Whether a step asks for the fingerprint of the site. */
  readonly usesFingerprint?: boolean | undefined;
}

/** A bundle at its destinations. */
export interface Received {
  readonly facts: BundleFacts;
  /**
   * The link that the download ended with: a later one than the first if that died early;
   * undefined: the site was there already.
   */
  readonly link: BundleLink | undefined;
  readonly comparison: Comparison | undefined;
}

/** The moments between which nothing visible changes; tests stop the process at each. */
export type ReceiveStep = 'staged' | 'fetched' | 'verified' | PlaceStep;

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
 * Downloads the bundle, checks and verifies it, and only then moves it to its destinations:
 * archive, manifest and checksums to `bundle-path`, the site to `extract-to`. Until then the
 * destinations stay as they were. Throws a CourierError, and only that; with `verify: strict` or
 * `air-gapped`, `checks-failed` if the verification finds errors.
 */
export async function receiveBundle(
  init: ReceiveInit,
  internals: ReceiveInternals = {},
): Promise<Received> {
  const receipt = new Receipt(init, internals);
  try {
    return await receipt.run();
  } catch (error) {
    // A step that is stopped may fail with any error.
    if (init.signal.aborted) throw cancelled(error);
    // Node names the system call in an error of the file system, here one of a step that does not
    // explain its errors itself, such as giving the archive its mode before it is moved.
    const isFromFileSystem = error instanceof Error && 'syscall' in error;
    if (!isFromFileSystem) throw error;
    // Which destination it was is not known: most runs have one.
    const { extractTo, bundlePath } = init.bundle;
    const destination = extractTo ?? bundlePath ?? init.runnerTemp;
    throw fileError('move the bundle to', destination, error);
  } finally {
    for (const staging of receipt.opened) staging.discard();
  }
}

interface TransferSource extends Omit<LinkSource, 'kind'> {
  /** In each of them, `fresh` is the path of the new content until it is moved to its place. */
  readonly staging: StagingFolders;
  /** False for an archive that is only read. */
  readonly keepsArchive: boolean;
}

// The archive needs its size and some room. A site needs this many times the size of its archive:
// what it usually unpacks to.
const PACKED_FACTOR = 1.25;
const UNPACKED_FACTOR = 2.5;

/** One call of `receiveBundle`. */
class Receipt {
  /**
   * The staging folders of this run: whatever has not been moved to its destination is in one of
   * them.
   */
  readonly opened: Staging[] = [];
  readonly #init: ReceiveInit;
  readonly #internals: ReceiveInternals;

  constructor(init: ReceiveInit, internals: ReceiveInternals) {
    this.#init = init;
    this.#internals = internals;
  }

  /** All that `receiveBundle` does, except to explain errors and to remove the staging folders. */
  async run(): Promise<Received> {
    const { bundle, earlier, onFacts, log, signal } = this.#init;
    const reached = this.#internals.reached;
    const staging = this.#makeStagingFolders();
    reached?.('staged');
    const transferred = await this.#obtain(staging);
    reached?.('fetched');
    // The transfer may have ended just before the signal came.
    if (signal.aborted) throw cancelled(signal.reason);
    const { format, files } = transferred;
    const exported = makeComparedSite(this.#init.origin.jobId, files, staging.site?.fresh);
    const { bytes, sha256, resumed, link: lastLink } = transferred.downloaded;
    // Each later step adds to these.
    let facts: BundleFacts = {
      bytes,
      sha256,
      resumed,
      format,
      files: files.length,
      pages: exported.pageCount,
      unpackedBytes: exported.bytes,
      leftOut: transferred.leftOut,
    };
    onFacts?.(facts);
    log.info(`Received the bundle: ${describeBundle(facts)}.`);
    const {
      facts: factsOfVerification,
      comparison,
      site,
      moved,
    } = await this.#inspectSite(exported);
    facts = { ...facts, ...factsOfVerification };
    onFacts?.(facts);
    if (comparison !== undefined) await this.#init.onComparison?.(comparison);
    reached?.('verified');
    // It ends the run before anything is added to the bundle.
    const decides = earlier?.kind === 'pages' && earlier.decides;
    assertNoErrors(bundle.verify, facts, decides ? comparison : undefined);
    const added = (await this.#init.inspect?.({ facts, site, comparison })) ?? [];
    const checked = { staging, facts, folder: site.folder, files, moved, added };
    facts = { ...facts, ...(await this.#pack(checked)) };
    // The last moment at which a signal stops the run: nothing stops the moves to the destinations.
    await takeTurn(signal);
    const paths = await placeBundle({ ...checked, facts }, this.#init, this.#internals.reached);
    facts = { ...facts, ...paths };
    onFacts?.(facts);
    return { facts, link: lastLink, comparison };
  }

  /** Downloads the bundle, or copies the site that is there already. */
  async #obtain(staging: StagingFolders): Promise<Transferred> {
    const { bundle, source, log } = this.#init;
    if (source.kind === 'given') return this.#copyGiven(source, staging);
    const keepsArchive = bundle.bundlePath !== undefined;
    const transferred = await this.#transfer({ ...source, staging, keepsArchive });
    // Without bundle-path, the name of the archive is the one in its link.
    warnOfName(transferred.format, bundle.bundlePath ?? new URL(source.link.url).pathname, log);
    return transferred;
  }

  /**
   * Copies a given site, if the disks have room for its files, and for the archive that is made of
   * them. It is always unpacked.
   */
  async #copyGiven(source: GivenSite, { site, archive }: StagingFolders): Promise<Transferred> {
    if (site === undefined) throw new TypeError('no folder for a given site');
    const folders = [site.parent];
    if (this.#init.bundle.bundlePath !== undefined) folders.push(archive.parent);
    const disks = new Set(folders.map((folder) => statSync(folder).dev));
    // An archive of files that cannot be compressed is as large as they are. One disk takes both.
    const factor = folders.length / disks.size;
    const rooms = folders.map((folder) => ({ folder, factor }));
    const checkSpace = await measureSpace(rooms, this.#internals.freeBytes ?? freeBytes);
    checkSpace(source.bytes);
    const disk = { ...systemDisk, ...this.#internals.disk };
    return source.copy(site.makeFresh(), disk, this.#init.signal);
  }

  /** What has no destination goes to the runner's temporary folder, to be read and removed. */
  #makeStagingFolders(): StagingFolders {
    const { bundle, source, runnerTemp, earlier, readsPages = false } = this.#init;
    const archive = this.#stage(bundle.bundlePath ?? join(runnerTemp, 'docs-courier-bundle'));
    if (bundle.extractTo !== undefined) return { archive, site: this.#stage(bundle.extractTo) };
    // Pages can be read and compared only if they are unpacked.
    const isUnpacked = readsPages || earlier !== undefined || source.kind === 'given';
    if (!isUnpacked) return { archive, site: undefined };
    return { archive, site: this.#stage(join(runnerTemp, 'docs-courier-site')) };
  }

  /**
   * Compares the unpacked site, exchanges its base path if `served-at` needs that, and verifies it.
   * Finds nothing if the bundle stays packed.
   */
  async #inspectSite(site: ComparedSite): Promise<InspectedSite> {
    const { bundle, source, origin, log, signal, runnerTemp } = this.#init;
    const root = site.root;
    if (root === undefined) return { facts: {}, comparison: undefined, site, moved: [] };
    // A site that goes nowhere, and is unpacked only to be read, need not be verified.
    const isServed = bundle.extractTo !== undefined || this.#init.verifies === true;
    const verify = isServed ? bundle.verify : 'off';
    // As the verification does: the rules for redirects may have the path of the published site.
    const openComparison = (basePath = pathOf(origin.liveUrl)) =>
      this.#openComparison(site, { basePath, isVerified: verify !== 'off' });
    const inspection = { root, site, origin, verify, log, signal, runnerTemp };
    const openReaders = async (to: ComparedSite) => (await this.#init.pageReaders?.(to)) ?? [];
    const servedAt = bundle.servedAt;
    // At the top of a host, only a site that was built without an address changes.
    const mayChange = servedAt?.path !== '' || source.kind === 'given';
    if (isServed && servedAt !== undefined && mayChange) {
      const { inspectMoved } = await import('./move/inspect-moved.ts');
      return inspectMoved({ ...this.#init, inspection, servedAt, openReaders, openComparison });
    }
    const comparison = await openComparison(origin.basePath);
    const pageReaders = await openReaders(site);
    const result = await inspect({ ...inspection, comparison, pageReaders });
    return { ...result, site, moved: [] };
  }

  /** undefined if there is no earlier export to compare with, or it cannot be downloaded again. */
  async #openComparison(
    to: ComparedSite,
    of: { readonly basePath: string | undefined; readonly isVerified: boolean },
  ): Promise<ComparingReader | undefined> {
    const { earlier, log } = this.#init;
    if (earlier === undefined) return undefined;
    if (earlier.kind === 'pages') {
      const { PageListComparison } = await import('./compare/page-list-comparison.ts');
      return new PageListComparison({ from: earlier.list, to, ...of });
    }
    const from = earlier.kind === 'files' ? earlier.site : await this.#fetchEarlier(earlier, to);
    if (from === undefined) return undefined;
    // Loaded only here: it brings the reader of HTML, and most runs compare nothing.
    const { SiteComparison: Compare } = await import('./compare/site-comparison.ts');
    return new Compare({ from, to, basePath: of.basePath, redact: (text) => log.redact(text) });
  }

  /**
   * Downloads the bundle of an earlier export into separate folders. undefined, with a warning, if
   * it cannot be downloaded again.
   */
  async #fetchEarlier(
    earlier: EarlierExport & { kind: 'job' },
    to: ComparedSite,
  ): Promise<ComparedSite | undefined> {
    const { runnerTemp, log } = this.#init;
    const { jobId, links } = earlier;
    // A re-run continues with the job that is live already: it compares the site with itself.
    if (jobId === to.jobId) return to;
    log.info(`Downloading the bundle of export job ${jobId}, which is live, to compare with it.`);
    try {
      const link = await links.fresh();
      const archive = this.#stage(join(runnerTemp, 'docs-courier-earlier-bundle'));
      const site = this.#stage(join(runnerTemp, 'docs-courier-earlier-site'));
      const staging = { archive, site };
      const { files } = await this.#transfer({ staging, links, link, keepsArchive: false });
      return makeComparedSite(jobId, files, site.fresh);
    } catch (error) {
      if (!(error instanceof CourierError)) throw error;
      // The run is stopped, or a disk of this machine fails: the new bundle would fail too.
      if (error.code === 'cancelled' || error.code === 'io') throw error;
      log.warning(
        `The export could not be compared with the one that is live (job ${jobId}). ${error.message}`,
      );
      return undefined;
    }
  }

  /** Makes a staging folder, after it has cleaned up what a killed run left at the destination. */
  #stage(destination: string): Staging {
    const { secret, log } = this.#init;
    recoverDestination(destination, secret, log);
    const staging = new Staging(destination, secret);
    this.opened.push(staging);
    return staging;
  }

  /** Downloads a bundle, the new one or the earlier one, into staging folders. */
  async #transfer(source: TransferSource): Promise<Transferred> {
    const { staging, keepsArchive } = source;
    const { bundle, earlier, workspace, policy, log, clock, signal } = this.#init;
    const internals = this.#internals;
    const extractTo = bundle.extractTo;
    const rooms = [{ folder: staging.archive.parent, factor: PACKED_FACTOR }];
    if (staging.site !== undefined)
      rooms.push({ folder: staging.site.parent, factor: UNPACKED_FACTOR });
    return transfer({
      staging,
      keepsArchive,
      link: source.link,
      links: source.links,
      policy,
      log,
      clock,
      signal,
      lookup: internals.lookup,
      archive: { ...ARCHIVE_LIMITS, ...internals.archive },
      limits: { ...TRANSFER_LIMITS, ...internals.transfer },
      random: internals.random ?? Math.random,
      disk: { ...systemDisk, ...internals.disk },
      // The hashes are for the manifests, and for the comparison.
      hashesFiles: keepsArchive || extractTo !== undefined || earlier !== undefined,
      // In the workspace, files with some names (`.npmrc`) would act on later steps: refused.
      inWorkspace: extractTo !== undefined && (await isInWorkspace(extractTo, workspace)),
      // Throws for a bundle that the disks have no room for, once its size is known.
      onSize: await measureSpace(rooms, internals.freeBytes ?? freeBytes),
    });
  }

  /** Packs a given site, with what was added to it, for `bundle-path`. */
  async #pack({ staging, files, moved, added }: CheckedBundle): Promise<Partial<BundleFacts>> {
    const { bundle, source, signal } = this.#init;
    if (source.kind !== 'given' || bundle.bundlePath === undefined) return {};
    const root = staging.site?.fresh ?? '';
    // The last of two with the same path is what is there now.
    const packed = new Map([...files, ...moved, ...added].map((file) => [file.path, file]));
    const path = staging.archive.fresh;
    return source.pack({ path, root, files: [...packed.values()], signal });
  }
}
