import { chmodSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Clock } from '../../clock.ts';
import type { BundleInputs } from '../../inputs/inputs.ts';
import type { BundleFile } from '../archive/sink.ts';
import type { BundleFacts } from '../facts.ts';
import { type BundleOrigin, formatChecksums, formatManifest } from '../manifest.ts';
import type { Fetched } from '../transfer.ts';
import type { Staging } from './staging.ts';

/** The moments of a publication between which nothing visible changes. */
export type PublicationStep = 'archive-published' | 'manifest-written' | 'former-moved' | 'site-published';

export interface PublicationInit {
  readonly bundle: BundleInputs;
  readonly fetched: Fetched;
  readonly reached: ((step: PublicationStep) => void) | undefined;
}

interface ArchivePublication extends PublicationInit {
  readonly staging: Staging;
  readonly origin: BundleOrigin;
  readonly clock: Clock;
}

/** Moves the archive to `bundle-path`, with its manifest and checksum beside it. */
export function publishArchive(init: ArchivePublication): Partial<BundleFacts> {
  const { bundle, fetched, reached, staging, origin, clock } = init;
  const { bundlePath } = bundle;
  if (bundlePath === undefined) return {};
  const { downloaded, format, files } = fetched;
  chmodSync(staging.fresh, 0o644);
  staging.publish({ replace: bundle.clean });
  reached?.('archive-published');
  const manifestPath = `${bundlePath}.manifest.json`;
  const checksumPath = `${bundlePath}.sha256`;
  const { sha256, bytes } = downloaded;
  staging.publishText(
    manifestPath,
    formatManifest({ bundlePath, sha256, bytes, format, origin, files, receivedAt: new Date(clock.now()) }),
  );
  staging.publishText(checksumPath, formatChecksums([{ name: basename(bundlePath), sha256 }]));
  reached?.('manifest-written');
  return { path: bundlePath, manifestPath, checksumPath };
}

interface SitePublication extends PublicationInit {
  readonly staging: Staging | undefined;
}

/** Moves the unpacked site to `extract-to`. */
export function publishSite({ bundle, fetched, reached, staging }: SitePublication): Partial<BundleFacts> {
  const { extractTo } = bundle;
  if (extractTo === undefined || staging === undefined) return {};
  staging.publish({ replace: bundle.clean, between: () => reached?.('former-moved') });
  reached?.('site-published');
  const folder = siteFolder(fetched.files);
  return { sitePath: folder === '' ? extractTo : join(extractTo, folder) };
}

/** Some archives hold the site in one folder of theirs: that folder, or empty. */
export function siteFolder(files: readonly BundleFile[]): string {
  const isEntry = (path: string) => files.some((file) => file.path === path);
  const top = files[0]?.path.split('/')[0] ?? '';
  if (isEntry('index.html') || !files.every(({ path }) => path.startsWith(`${top}/`))) return '';
  return isEntry(`${top}/index.html`) ? top : '';
}
