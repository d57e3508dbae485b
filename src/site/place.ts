import { createHash } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import type { Clock } from '../ground/clock.ts';
import type { BundleFile } from './archive/sink.ts';
import { companionsOf, formatChecksum } from './disk/companions.ts';
import { checkReplaceable, type ReplaceCheck } from './disk/replaceable.ts';
import { type BundleOrigin, formatManifest } from './inspection.ts';
import type { BundleFacts } from './summary.ts';
import type { StagingFolders } from './transfer.ts';

/** The moments of the moves between which nothing visible changes; tests stop the process at each. */
export type PlaceStep =
  | 'archive-published'
  | 'manifest-written'
  | 'former-moved'
  | 'site-published';

interface Placing extends ReplaceCheck {
  readonly origin: BundleOrigin;
  readonly clock: Clock;
  readonly source: { readonly kind: 'link' | 'given' };
}

/** A bundle in its staging folders that nothing holds back. */
export interface CheckedBundle {
  readonly staging: StagingFolders;
  readonly facts: BundleFacts;
  /** The folder of the archive that contains the site; empty if it is at the top. */
  readonly folder: string;
  readonly files: readonly BundleFile[];
  /** Files of the site that got another base path. */
  readonly moved: readonly BundleFile[];
  /** Files of ours in the folder of the site. */
  readonly added: readonly BundleFile[];
}

/**
 * Moves the archive and the site to their destinations, each with its manifest. Gives the facts
 * that are known only then: where everything is, and the hash of the archive's manifest.
 */
export async function placeBundle(
  checked: CheckedBundle,
  init: Placing,
  reached?: (step: PlaceStep) => void,
): Promise<Partial<BundleFacts>> {
  const { facts, files, folder, moved } = checked;
  const { archive, site } = checked.staging;
  const { bundlePath, extractTo } = init.bundle;
  const receivedAt = new Date(init.clock.now());
  // What the manifests of both contain.
  const manifest = { facts, files, origin: init.origin, receivedAt };
  // Checked again now that all slow work is done: exactly what is there now is replaced.
  const fingerprints = await checkReplaceable(init);
  let paths: Partial<BundleFacts> = {};
  if (bundlePath !== undefined) {
    const hash = createHash('sha256');
    const companions = companionsOf(bundlePath);
    // While it was downloaded, only this user could read it.
    chmodSync(archive.fresh, 0o644);
    // `hash` takes what is written, for `manifestSha256`.
    archive.writeCompanion(
      'manifest',
      formatManifest({ ...manifest, bundlePath, added: packedWith(checked, init) }),
      hash,
    );
    archive.writeCompanion('checksums', [formatChecksum(basename(bundlePath), facts.sha256)]);
    archive.publish(fingerprints, { moved: () => reached?.('archive-published') });
    reached?.('manifest-written');
    paths = {
      path: bundlePath,
      manifestPath: companions.manifest,
      manifestSha256: hash.digest('hex'),
      checksumPath: companions.checksums,
    };
  }
  if (extractTo !== undefined && site !== undefined) {
    // The paths of a manifest begin at the top of the archive.
    const added = checked.added.map((file) => ({ ...file, path: posix.join(folder, file.path) }));
    // A manifest names its archive; if that is not kept, by the folder that it was unpacked to.
    const archiveName = bundlePath ?? extractTo;
    const siteManifest = formatManifest({
      ...manifest,
      bundlePath: archiveName,
      moved,
      added,
    });
    // By this manifest, the next run knows which files of the folder it may replace.
    site.writeCompanion('manifest', siteManifest);
    site.publish(fingerprints, {
      away: () => reached?.('former-moved'),
      moved: () => reached?.('site-published'),
    });
    paths = {
      // Without an archive, the one beside the folder is the manifest of the run.
      manifestPath: companionsOf(extractTo).manifest,
      ...paths,
      sitePath: folder === '' ? extractTo : join(extractTo, folder),
    };
  }
  return paths;
}

/** What was added and is in the archive: that of the platform is never changed. */
function packedWith({ added }: CheckedBundle, { source }: Placing): readonly BundleFile[] {
  if (source.kind === 'link') return [];
  return added;
}
