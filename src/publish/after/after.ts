import type { Inspected } from '../../bundle/receive.ts';
import type { PublishInputs } from '../../inputs/inputs.ts';
import type { Deps, Known } from '../../run/context.ts';
import type { LiveFacts } from './live/summary.ts';
import type { RolloutFacts } from './rollout/summary.ts';
import type { AfterStep, ExportedSite } from './step.ts';

/** What the steps find out. */
export type AfterDeliveryFacts = Known<{
  rollout: RolloutFacts;
  live: LiveFacts;
}>;

/**
 * Prepares and checks, before an export starts, the steps after its delivery: the rollout, then the
 * check of the published site, which its pods may serve, then the comment on what changed, which
 * says whether the site is live. Each is loaded only if its input is set. Writes nothing.
 */
export async function openAfterDelivery(
  inputs: PublishInputs,
  deps: Deps<AfterDeliveryFacts>,
): Promise<readonly AfterStep[]> {
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
  return steps;
}

/**
 * Gives the exported site to the steps that read it. Call it after the checks that may end
 * the run, and before the delivery: a step looks at what the published site shows until then.
 */
export async function giveSiteToSteps(
  steps: readonly AfterStep[],
  { site, comparison }: Inspected,
  basePath: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  // The site is not on this disk: no step reads it.
  if (site.root === undefined) return;
  const exported: ExportedSite = {
    root: site.root,
    files: site.paths,
    basePath,
    // A removed page is not in the site, so it cannot be fetched.
    changed: comparison && [
      ...comparison.changed.map((page) => page.path),
      ...comparison.added.map((page) => page.path),
      ...comparison.moved.map((page) => page.to),
    ],
    fingerprint: async () => {
      const { fingerprintSite } = await import('../../bundle/compare/fingerprint.ts');
      return fingerprintSite(site, signal);
    },
  };
  for (const step of steps) await step.readSite?.(exported);
}
