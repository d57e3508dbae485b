import type { Comparison } from '../../bundle/compare/comparison.ts';
import type { Inspected } from '../../bundle/receive.ts';
import type { PublishInputs } from '../../inputs/inputs.ts';
import type { Deps } from '../../run/context.ts';
import type { Write } from '../../run/report.ts';
import type { LiveFacts } from './live/summary.ts';
import type { RolloutFacts } from './rollout/summary.ts';
import type { AfterStep, DeliveredExport } from './step.ts';

/** What the steps find out. */
export interface AfterDeliveryFacts {
  readonly rollout?: RolloutFacts | undefined;
  readonly live?: LiveFacts | undefined;
}

/** The steps after delivery, in their order. */
function inOrder(steps: readonly AfterStep[], signal: AbortSignal) {
  // A step reads the exported site: its bundle is downloaded even if it has no destination to go
  // to.
  const readsSite = steps.some((step) => step.readSite !== undefined);
  return {
    readsSite,
    plan: (): Write[] => steps.flatMap((step) => step.plan()),
    /** Call it before the delivery, with the site once nothing holds it back. */
    async readSite({ site, comparison }: Inspected, basePath: string | undefined): Promise<void> {
      if (site.root === undefined || !readsSite) return;
      const fingerprint = async () => {
        const { fingerprintSite } = await import('../../bundle/compare/fingerprint.ts');
        return fingerprintSite(site, signal);
      };
      const exported = {
        root: site.root,
        files: site.paths,
        basePath,
        changed: changedPages(comparison),
        fingerprint,
      };
      for (const step of steps) await step.readSite?.(exported);
    },
    /** Each step begins when the one before it has succeeded. */
    async run(delivered: DeliveredExport): Promise<void> {
      for (const step of steps)
        await step.run({ ...delivered, isLive: steps.some(({ isLive }) => isLive === true) });
    },
  };
}

export type AfterDelivery = ReturnType<typeof inOrder>;

/**
 * The addresses at which an export differs from the one before; undefined: they were not compared.
 */
function changedPages(comparison: Comparison | undefined): string[] | undefined {
  if (comparison === undefined) return undefined;
  const { added, changed, moved } = comparison;
  return [
    ...changed.map(({ path }) => path),
    ...added.map(({ path }) => path),
    ...moved.map(({ to }) => to),
  ];
}

/**
 * Checks, before an export starts, what is done after its delivery: the rollout, then whether the
 * site is live, and a comment about what changed. Each of them is loaded only if its input is set.
 * Writes nothing.
 */
export async function openAfterDelivery(
  inputs: PublishInputs,
  deps: Deps<AfterDeliveryFacts>,
): Promise<AfterDelivery> {
  const steps: AfterStep[] = [];
  if (inputs.rollout !== undefined) {
    const { Rollout } = await import('./rollout/step.ts');
    const rollout = new Rollout(inputs, inputs.rollout, deps);
    await rollout.check();
    steps.push(rollout);
  }
  if (inputs.live !== undefined) {
    const { LiveCheck } = await import('./live/step.ts');
    const check = new LiveCheck(inputs, inputs.live, deps);
    await check.preflight();
    steps.push(check);
  }
  if (inputs.comment !== undefined) {
    const { commentStep } = await import('./comment/step.ts');
    steps.push(commentStep(inputs, inputs.comment, deps));
  }
  return inOrder(steps, deps.signal);
}
