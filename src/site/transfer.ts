import { rmSync } from 'node:fs';
import { hasCode } from '../ground/errors.ts';
import { plainLine } from '../ground/text/escape.ts';
import type { BundleLink, LinkMaker } from '../platform/link.ts';
import { Admission, type ArchiveLimits } from './archive/admission.ts';
import { readArchive } from './archive/archive.ts';
import { type BundleFile, HashSink } from './archive/sink.ts';
import type { Disk } from './disk/disk.ts';
import { GrowingFile, Restarted } from './disk/growing-file.ts';
import type { Staging } from './disk/staging.ts';
import { TreeWriter } from './disk/tree-writer.ts';
import { Download, type Downloaded, type DownloadRequest } from './download/download.ts';
import type { BundleFacts } from './summary.ts';

/**
 * The staging folders: what is at their path `fresh` is moved to its destination once the bundle
 * is checked.
 */
export interface StagingFolders {
  readonly archive: Staging;
  /** undefined: the bundle is not unpacked. */
  readonly site: Staging | undefined;
}

/** A bundle of the platform, which is downloaded. */
export interface LinkSource {
  readonly kind: 'link';
  readonly links: LinkMaker;
  /** The first link to try; `links` makes another one when it dies early. */
  readonly link: BundleLink;
}

interface TransferInit extends DownloadRequest {
  readonly staging: StagingFolders;
  readonly archive: ArchiveLimits;
  /** Whether the archive itself is kept. */
  readonly keepsArchive: boolean;
  /** Whether the hash of each file is wanted: for a manifest, or for a comparison. */
  readonly hashesFiles: boolean;
  readonly inWorkspace: boolean;
  readonly disk: Disk;
}

interface Unpacked {
  readonly format: BundleFacts['format'];
  readonly files: readonly BundleFile[];
}

/** A bundle that was checked from the first byte to the last; still in the staging folders. */
export interface Transferred extends Unpacked {
  /** Without a link, the site was there already. */
  readonly downloaded: Omit<Downloaded, 'link'> & { readonly link?: BundleLink | undefined };
  readonly leftOut?: BundleFacts['leftOut'];
}

/** Downloads the archive and unpacks it at the same time, into the staging folders. */
export async function transfer(init: TransferInit): Promise<Transferred> {
  const file = new GrowingFile(init.staging.archive.fresh, init.disk);
  const stop = new AbortController();
  const signal = AbortSignal.any([init.signal, stop.signal]);
  try {
    const download = new Download({
      ...init,
      file,
      signal,
      maxBytes: init.archive.archiveBytes,
    });
    const downloading = download.run();
    const unpacking = unpack({ ...init, signal }, file);
    // A failure of one ends the other: after a broken download nothing is left to unpack, and the
    // rest of a bad archive is not needed.
    downloading.catch((error) => file.fail(error));
    unpacking.catch(() => stop.abort());
    // Waits for both: neither may still write when the folders are removed.
    const [downloaded, unpacked] = await Promise.allSettled([downloading, unpacking]);
    // First the error of the unpacking: it is the cause in any case. A failed download makes the
    // unpacking fail with the same error; a failed unpacking only aborts the download.
    if (unpacked.status === 'rejected') throw explainEncoding(unpacked.reason, download.encoding);
    if (downloaded.status === 'rejected') throw downloaded.reason;
    // An archive that is not kept may be lost in a crash.
    if (init.keepsArchive) await file.flush();
    return { downloaded: downloaded.value, ...unpacked.value };
  } finally {
    file.close();
  }
}

/**
 * Adds to the error of a damaged archive that the storage may have encoded it once more, if the
 * storage announced an encoding.
 */
function explainEncoding(error: unknown, encoding: string | undefined): unknown {
  // `identity` is the word for not encoded.
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return error;
  // What was encoded once more is not read as an archive at all (`protocol`), or as a damaged one.
  if (!hasCode(error, 'integrity', 'protocol')) return error;
  const name = plainLine(encoding, 80);
  return error.with({
    message: `${error.message} The storage announced Content-Encoding: ${name}, so it may have encoded the archive once more.`,
    hint: `Let the storage, and any proxy in front of it, serve the archive as it is stored, without Content-Encoding: ${name}. Then run again with export-job-id, which does not start a second export.`,
  });
}

/** Unpacks the archive, and starts over whenever the download does. */
async function unpack(init: TransferInit, file: GrowingFile): Promise<Unpacked> {
  for (;;) {
    try {
      return await unpackOnce(init, file);
    } catch (error) {
      if (!(error instanceof Restarted)) throw error;
      // Perhaps another archive comes: nothing of the first one may stay.
      const site = init.staging.site;
      if (site !== undefined) rmSync(site.fresh, { recursive: true, force: true });
    }
  }
}

/** Unpacks the archive as it arrives. Throws `Restarted` if the download starts over. */
async function unpackOnce(init: TransferInit, source: GrowingFile): Promise<Unpacked> {
  const { staging, inWorkspace, signal, hashesFiles } = init;
  const admission = new Admission({ limits: init.archive, inWorkspace });
  const site = staging.site;
  const writer = site && new TreeWriter(site.makeFresh(), init.disk, { hashesFiles });
  // Without a folder, the archive is read all the same: to check it, and to list its files.
  const sink = writer ?? new HashSink({ hashesFiles });
  try {
    const format = await readArchive({ source, admission, sink, signal });
    return { format, files: sink.files };
  } finally {
    // If the reading failed within a file, that is still open.
    writer?.close();
  }
}
