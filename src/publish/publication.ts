import type { Deps } from '../run/context.ts';
import type { AfterStep } from './after/step.ts';
import type { ExportContent } from './content/content.ts';
import type { Gate } from './guard/gate.ts';
import type { ImagePush } from './image.ts';
import type { ChosenJob } from './job.ts';
import type { FinishedJob } from './run-job.ts';
import type { Delivery } from './state/delivery.ts';
import type { PublishFacts } from './summary.ts';

/** What is opened and checked before an export is started. `publish.ts` makes the only one. */
export interface Publication {
  readonly deps: Deps<PublishFacts>;
  readonly job: ChosenJob;
  /** The destinations of the link; undefined: the link is only an output. */
  readonly delivery: Delivery | undefined;
  /** What holds an export back; undefined in the other modes. */
  readonly gate: Gate | undefined;
  /** The push of the site as an image; undefined: no image is asked for. */
  readonly image: ImagePush | undefined;
  readonly after: readonly AfterStep[];
  /** True if the bundle itself has a destination, or a step reads it. */
  readonly needsBundle: boolean;
  /**
   * False for a rollback to an image that the registry still has: it asks the platform for nothing,
   * which may have forgotten the job.
   */
  readonly needsLink: boolean;
}

/** The export whose link is made. */
export interface Finished extends FinishedJob {
  /** What is known about the content of an export; undefined in the other modes. */
  readonly content: ExportContent | undefined;
}
