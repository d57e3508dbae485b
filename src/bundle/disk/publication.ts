import { chmodSync } from 'node:fs';
import type { Staging } from './staging.ts';

/** The moments of a publication between which nothing visible changes. */
export type PublicationStep = 'archive-published' | 'manifest-written' | 'former-moved' | 'site-published';

interface Publication {
  readonly staging: Staging;
  /** Whether what is at the destination may be replaced. */
  readonly replace: boolean;
  readonly reached: ((step: PublicationStep) => void) | undefined;
}

/** The files that are kept with an archive: `docs.tar.gz` has `docs.tar.gz.manifest.json` and `docs.tar.gz.sha256`. */
export function companionsOf(bundlePath: string): { readonly manifest: string; readonly checksums: string } {
  return { manifest: `${bundlePath}.manifest.json`, checksums: `${bundlePath}.sha256` };
}

/** Moves the archive to `bundle-path`, then its manifest and its checksums next to it. Throws `config` and `io`. */
export function publishArchive(
  bundlePath: string,
  texts: { readonly manifest: string; readonly checksums: string },
  { staging, replace, reached }: Publication,
): void {
  chmodSync(staging.fresh, 0o644);
  staging.publish({ replace });
  reached?.('archive-published');
  const paths = companionsOf(bundlePath);
  staging.publishText(paths.manifest, texts.manifest, { replace });
  staging.publishText(paths.checksums, texts.checksums, { replace });
  reached?.('manifest-written');
}

/** Moves the unpacked site to its destination. Throws `config` and `io`. */
export function publishSite({ staging, replace, reached }: Publication): void {
  staging.publish({ replace, between: () => reached?.('former-moved') });
  reached?.('site-published');
}
