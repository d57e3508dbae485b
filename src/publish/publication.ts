import type { PublishInputs } from '../inputs/inputs.ts';
import type { Deps } from '../run/context.ts';
import type { ChosenJob } from './job.ts';
import type { Delivery } from './state/delivery.ts';

/**
 * What the steps of a run share once its job is chosen. `publish.ts` makes the only one; each step
 * records its own facts.
 */
export interface Publication<Facts, Inputs extends PublishInputs = PublishInputs> {
  readonly inputs: Inputs;
  readonly deps: Deps<Facts>;
  readonly job: ChosenJob;
  /** undefined: the link is an output and nothing more. */
  readonly delivery: Delivery | undefined;
}
