import type { LinkStore } from '../stores/port.ts';
import type { LiveExport } from './summary.ts';

/** What a registry still has of the images that a tag and its history name. */
export interface StoredImages {
  /** True if the image of the tag can be pulled. */
  readonly isLiveWhole: boolean;
  /** The exports to go back to whose images cannot be pulled any more. */
  readonly lostJobs: readonly string[];
}

/**
 * Asks for every part of these images: a registry that is cleaned up keeps an index with a tag and
 * may delete its manifests, which have none. undefined: the store keeps no images, or has no tag.
 */
export async function readStoredImages(
  store: LinkStore,
  exports: readonly LiveExport[] = [],
): Promise<StoredImages | undefined> {
  if (store.has === undefined) return undefined;
  const { link } = await store.read();
  if (link?.version === undefined) return undefined;
  const isLiveWhole = await store.has(link.version);
  const lostJobs: string[] = [];
  for (const { job, image, live, withdrawn } of exports) {
    const isTarget = live !== true && withdrawn === undefined;
    if (isTarget && image !== undefined && !(await store.has(image))) lostJobs.push(job);
  }
  return { isLiveWhole, lostJobs };
}

export const LOST_IMAGE =
  'The registry no longer has all of the image of this tag, so it cannot be pulled.';
export const KEEP_MANIFESTS =
  'Let what cleans up the registry keep manifests without a tag: those of an image for each platform have none.';
export const LOST_IMAGE_FIX = `Run an export, which pushes what is missing. ${KEEP_MANIFESTS}`;

/** That the images of these exports are gone, as a sentence. */
export function lostImagesText(jobs: readonly string[]): string {
  return `The registry no longer has all of the image of ${jobs.join(', ')}: a rollback needs the bundle from the platform.`;
}
