import { rmSync } from 'node:fs';
import type { BundleInputs } from '../inputs/inputs.ts';
import { type ArchiveFormat, readArchive } from './archive/archive.ts';
import { createAdmission } from './archive/policy.ts';
import type { BundleFile } from './archive/sink.ts';
import type { Disk } from './disk/disk.ts';
import { makeFreshFolder, type Staging } from './disk/staging.ts';
import { createHashSink, createTreeWriter } from './disk/tree-writer.ts';
import { downloadArchive } from './download/download.ts';
import { createGrowingFile, type GrowingFile, Restarted } from './download/growing-file.ts';
import type { Downloaded, DownloadInit } from './download/state.ts';

export interface FetchInit extends Omit<DownloadInit, 'file'> {
  readonly bundle: BundleInputs;
  readonly places: { readonly archive: Staging; readonly site: Staging | undefined };
  readonly inWorkspace: boolean;
  readonly disk: Disk;
}

/** A bundle that was checked from the first byte to the last; still in the staging folders. */
export interface Fetched {
  readonly downloaded: Downloaded;
  readonly format: ArchiveFormat;
  readonly files: readonly BundleFile[];
}

interface Unpacked {
  readonly format: ArchiveFormat;
  readonly files: readonly BundleFile[];
}

/** Downloads the archive and unpacks it at the same time, into the staging folders. */
export async function fetchBundle(init: FetchInit): Promise<Fetched> {
  const file = createGrowingFile(init.places.archive.fresh, init.disk);
  const stop = new AbortController();
  const signal = AbortSignal.any([init.signal, stop.signal]);
  try {
    const downloading = downloadArchive({ ...init, file, signal });
    const unpacking = unpack({ ...init, signal }, file);
    // Each ends the other: a broken download leaves nothing to unpack, and of a bad archive the rest is not wanted.
    downloading.catch((error) => file.fail(error));
    unpacking.catch(() => stop.abort());
    // Both are waited for: nothing of either may still be under way when the folders are removed.
    const [download, reading] = await Promise.allSettled([downloading, unpacking]);
    if (reading.status === 'rejected') throw reading.reason;
    if (download.status === 'rejected') throw download.reason;
    if (init.bundle.bundlePath !== undefined) await file.flush();
    return { downloaded: download.value, ...reading.value };
  } finally {
    file.close();
  }
}

async function unpack(init: FetchInit, file: GrowingFile): Promise<Unpacked> {
  for (;;) {
    try {
      return await unpackOnce(init, file);
    } catch (error) {
      if (!(error instanceof Restarted)) throw error;
      // Another archive comes: nothing of the first one may stay.
      if (init.places.site !== undefined) rmSync(init.places.site.fresh, { recursive: true, force: true });
    }
  }
}

async function unpackOnce(init: FetchInit, file: GrowingFile): Promise<Unpacked> {
  const { places, archive: limits, inWorkspace, signal, disk } = init;
  const admission = createAdmission({ limits, inWorkspace });
  const writer =
    places.site === undefined
      ? undefined
      : createTreeWriter(makeFreshFolder(places.site), { hashFiles: init.bundle.bundlePath !== undefined, disk });
  const sink = writer ?? createHashSink();
  try {
    const format = await readArchive({ source: file, admission, sink, limits, signal });
    return { format, files: sink.files };
  } finally {
    writer?.close();
  }
}
