import type { ExportInputs, RefreshInputs, RollbackInputs } from '../inputs/inputs.ts';
import type { Write } from '../report/report.ts';
import type { RolloutFacts } from '../rollout/facts.ts';
import type { AfterStep, DeliveredExport } from './after-step.ts';
import type { Deps } from './deps.ts';

/** What the steps find out. */
export interface AfterDeliveryFacts {
  readonly rollout?: RolloutFacts | undefined;
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
  inputs: ExportInputs | RefreshInputs | RollbackInputs,
  deps: Deps<AfterDeliveryFacts>,
): Promise<AfterDelivery> {
  const steps: AfterStep[] = [];
  if (inputs.rollout !== undefined) {
    const { RolloutStep } = await import('./rollout-step.ts');
    steps.push(await RolloutStep.open(inputs, inputs.rollout, deps));
  }
  return new AfterDelivery(steps);
}
