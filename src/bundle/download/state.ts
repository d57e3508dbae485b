import { createHash, type Hash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { BundleLink, LinkMaker, LinkPolicy } from '../../platform/link.ts';
import { damaged } from '../archive/fault.ts';
import type { ArchiveLimits, TransferLimits } from '../archive/limits.ts';
import type { GrowingFile } from './growing-file.ts';

export interface DownloadInit {
  readonly link: BundleLink;
  readonly links: LinkMaker;
  readonly policy: LinkPolicy;
  readonly file: GrowingFile;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly transfer: TransferLimits;
  readonly archive: ArchiveLimits;
  /** Called once the size is known, before the first byte is taken: throws when the disk cannot hold it. */
  readonly onSize: (bytes: number) => void;
}

export interface Downloaded {
  readonly bytes: number;
  readonly sha256: string;
  /** How often the download was taken up again after a cut. */
  readonly resumed: number;
  /** The link that the last byte came from. */
  readonly link: BundleLink;
}

/** How far the download has come, over all attempts. */
export interface DownloadState {
  link: BundleLink;
  etag: string | undefined;
  totalBytes: number | undefined;
  hash: Hash;
  resumed: number;
  restarts: number;
  renewals: number;
}

const MAX_RESTARTS = 1;

export function createDownloadState({ link }: DownloadInit): DownloadState {
  return {
    link,
    etag: undefined,
    totalBytes: link.sizeBytes,
    hash: createHash('sha256'),
    resumed: 0,
    restarts: 0,
    renewals: 0,
  };
}

// Two archives under one link must never be joined. Once may be a new export; twice is a storage that cannot be relied on.
export function restart({ file, link }: DownloadInit, state: DownloadState): void {
  state.restarts += 1;
  if (state.restarts > MAX_RESTARTS) throw damaged('the archive at the link changed twice while it was downloaded');
  startOver(file, state);
  state.totalBytes = link.sizeBytes;
}

/** The next attempt begins with the first byte. */
export function startOver(file: GrowingFile, state: DownloadState): void {
  if (file.sizeBytes > 0) file.restart();
  state.hash = createHash('sha256');
  state.etag = undefined;
}
