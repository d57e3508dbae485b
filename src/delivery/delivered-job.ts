import { CourierError } from '../ground/errors.ts';
import type { BundleLink } from '../platform/link.ts';
import type { Destination } from './destination.ts';
import type { DeliveredBy, ExportDetails } from './history.ts';
import type { Wanted } from './protocol/place.ts';
import type { Wish } from './protocol/situation.ts';
import type { LinkOf } from './requests.ts';

/** Why a job is put in place, and how new that decision is. */
export interface Intent {
  /** `named`: a person has named the job, which may replace any other. */
  readonly kind: Wish['kind'];
  /** The order of the decision; undefined: it is made now, and newer than all known ones. */
  readonly order?: number | undefined;
  /** The job that a rollback replaces. */
  readonly from?: string | undefined;
}

/** A job whose link is put in place. */
export interface DeliveredJob {
  readonly jobId: string;
  readonly intent: Intent;
  /** undefined: no destination contains a link, see `needsLink`. */
  readonly link: BundleLink | undefined;
  /** `REGISTRY/REPOSITORY@sha256:…`, for the destination that keeps images. */
  readonly image?: string | undefined;
  /** What is known of the export besides the run. */
  readonly details?: ExportDetails | undefined;
  /** For a job whose link this run has replaced, although it stays live. */
  readonly linkOf?: LinkOf | undefined;
}

/** A job with what its run adds to it. */
export interface PlacedJob extends DeliveredJob {
  readonly by: DeliveredBy;
  readonly details: ExportDetails;
  /** Run and job, or what stands for them in a rollback that this run makes of its own export. */
  readonly key: string;
}

/**
 * What the run wants to have in place in this destination: the link, or the image. `isFirst`: no
 * destination of this run has this order yet.
 */
export function wantedIn(
  destination: Destination,
  toPlace: PlacedJob,
  order: number,
  isFirst: boolean,
  hasOthers: boolean,
): Wanted {
  const { jobId, by, details, image, key } = toPlace;
  const { kind, from } = toPlace.intent;
  const wish = { kind, job: jobId, order, isFirst, from, run: key, hasOthers };
  if (destination.store.can.keepsImage) {
    if (image === undefined) throw unknownImage(jobId);
    // Anyone who can pull the image may read its state, so that this names no person.
    const publicDetails = { ...details, by: undefined, image };
    // An image does not expire.
    return { wish, by, link: image, expiresAt: undefined, details: publicDetails };
  }
  const { link } = toPlace;
  if (link === undefined) throw new Error(`${destination.store.names.destination} needs a link.`);
  return { wish, by, link: link.url, expiresAt: link.expiresAt?.toISOString(), details };
}

/** The error of a job without an image, for the destination that keeps images. */
function unknownImage(jobId: string): CourierError {
  return new CourierError({
    code: 'not-found',
    message: `No image of export job ${jobId} is known. The tag was not moved.`,
    hint: 'Run mode: rollback with this export-job-id, which makes the image again.',
  });
}
