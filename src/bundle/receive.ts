import { basename, join } from 'node:path';
import { type Clock, cancelled } from '../clock.ts';
import { CourierError } from '../errors.ts';
import type { BundleInputs } from '../inputs/inputs.ts';
import type { Log } from '../log.ts';
import type { BundleLink, LinkMaker } from '../platform/link.ts';
import { plainLine } from '../text/escape.ts';
import { countOf, formatBytes } from '../text/markdown.ts';
import type { ArchiveFormat } from './archive/archive.ts';
import { fileFault } from './archive/fault.ts';
import { ARCHIVE_LIMITS, type ArchiveLimits, TRANSFER_LIMITS, type TransferLimits } from './archive/limits.ts';
import { isInWorkspace } from './disk/destination.ts';
import { type Disk, systemDisk } from './disk/disk.ts';
import { type PublicationStep, publishArchive, publishSite } from './disk/publication.ts';
import { freeBytes, measureSpace } from './disk/space.ts';
import { openStaging, recoverDestination, type Staging } from './disk/staging.ts';
import type { BundleFacts } from './facts.ts';
import type { BundleOrigin } from './manifest.ts';
import { type Fetched, fetchBundle } from './transfer.ts';
import { assertSound, verifyReceived } from './verify/verify-received.ts';

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
export type ReceiveStep = 'staged' | 'fetched' | PublicationStep | 'verified';

/** What tests replace. */
export interface ReceiveInternals {
  readonly archive?: Partial<ArchiveLimits>;
  readonly transfer?: Partial<TransferLimits>;
  readonly random?: () => number;
  readonly disk?: Partial<Disk>;
  readonly freeBytes?: (folder: string) => Promise<number>;
  readonly reached?: (step: ReceiveStep) => void;
}

/** The staging folders beside the two places of a bundle. */
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
    // A file system may refuse any call at any time.
    const isFromSystem = error instanceof Error && 'syscall' in error;
    throw isFromSystem ? fileFault('put the bundle to', bundle.extractTo ?? bundle.bundlePath ?? '', error) : error;
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
    disk: { ...systemDisk, ...internals.disk },
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
  const publication = { ...init, fetched, reached: internals.reached };
  tell(publishArchive({ ...publication, staging: places.archive }));
  tell(publishSite({ ...publication, staging: places.site }));
  log.info(`Received the bundle: ${describe(facts)}.`);
  tell(await verifyReceived({ ...init, files: fetched.files, sitePath: facts.sitePath }));
  internals.reached?.('verified');
  return { facts, link: fetched.downloaded.link, assertSound: () => assertSound(bundle, facts) };
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

// The name is only a name: what comes out of it is decided by the content.
function warnOfName(format: ArchiveFormat, path: string, log: Log): void {
  const named = /\.(tar\.gz|tgz|tar|zip)$/i.exec(path)?.[1]?.toLowerCase().replace('tgz', 'tar.gz');
  if (named === undefined || named === format) return;
  log.warning(
    `The bundle is a .${format}, although ${plainLine(basename(path), 100)} is named like a .${named}. It was read as what it is.`,
  );
}
