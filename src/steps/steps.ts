import type { ExportInputs } from '../inputs/inputs.ts';
import type { Known } from '../run/context.ts';
import type { ChangesFacts } from './changes/changes-summary.ts';
import type { Earlier } from './changes/earlier.ts';
import type { ContentFacts } from './content/summary.ts';
import type { GuardFacts } from './guard/guard.ts';
import type { ImageFacts } from './image.ts';
import type { LiveFacts } from './live/summary.ts';
import type { RolloutFacts } from './rollout/summary.ts';
import type { Opening, Step } from './step.ts';

/** What all steps record. */
export type StepFacts = ContentFacts &
  ChangesFacts &
  ImageFacts &
  Known<{ guard: GuardFacts; rollout: RolloutFacts; live: LiveFacts }>;

type RunOpening = Opening<StepFacts>;
type ExportOpening = Opening<StepFacts, ExportInputs>;

/**
 * The steps of a run in the order in which each question is asked of them. Each is loaded only if
 * an input asks for it, and checks now what can be checked before an export is started. Writes
 * nothing.
 */
export async function openSteps(opening: RunOpening): Promise<readonly Step[]> {
  const opened: Step[] = [];
  // A new step is one more line here, where it takes its turn.
  for (const open of [exportSteps, addition, image, rollout, liveCheck, comment]) {
    opened.push(...(await open(opening)));
  }
  return opened;
}

/** The steps of an export alone: a refresh and a rollback publish an export that is there. */
async function exportSteps(opening: RunOpening): Promise<readonly Step[]> {
  const { inputs } = opening;
  if (inputs.mode !== 'export') return [];
  const ofExport = { ...opening, inputs };
  // The platform has nothing to publish first.
  if (inputs.from !== undefined) return checks(ofExport);
  const { openContent } = await import('./content/step.ts');
  return [openContent(ofExport), ...(await checks(ofExport))];
}

/** What changed, and whether the export may be published. Both know the export before it. */
async function checks(opening: ExportOpening): Promise<readonly Step[]> {
  const { inputs, deps, job, delivery } = opening;
  let earlier: Earlier | undefined;
  if (inputs.compareWith.kind !== 'none' || inputs.maxPageDrop !== undefined) {
    const { findEarlier } = await import('./changes/earlier.ts');
    earlier = await findEarlier(inputs, deps, job.api, delivery);
  }
  const steps: Step[] = [];
  if (earlier?.with !== undefined) {
    const { openChanges } = await import('./changes/step.ts');
    steps.push(openChanges(opening, earlier.with, earlier.live));
  }
  if (!isGuarded(inputs)) return [...steps, emptyGuard(opening)];
  return [...steps, await openGuard(opening, earlier)];
}

async function openGuard(opening: ExportOpening, earlier: Earlier | undefined): Promise<Step> {
  const guard = await import('./guard/step.ts');
  return guard.openGuard(opening, earlier);
}

/** The value of `min-pages` without an input. */
const LEAST_PAGES = 1;

/** True if an input says what holds the export back. */
function isGuarded(inputs: ExportInputs): boolean {
  const { minPages, maxPageDrop, requiredPages, maxSizeBytes, forbidLostAddresses } = inputs;
  if (minPages !== LEAST_PAGES || forbidLostAddresses !== 'off' || inputs.force) return true;
  return [maxPageDrop, requiredPages, maxSizeBytes].some((one) => one !== undefined);
}

/** Without an input, only an export without pages is held back: the guard is loaded only then. */
function emptyGuard(opening: ExportOpening): Step {
  const ifEmpty = async (pages: number | undefined) =>
    pages === 0 ? await openGuard(opening, undefined) : undefined;
  return {
    async plan(pageCount) {
      const guard = await ifEmpty(pageCount);
      return (await guard?.plan?.(pageCount)) ?? [];
    },
    async inspect(exported, found) {
      const guard = await ifEmpty(exported.bundle?.facts.pages ?? exported.pageCount);
      return (await guard?.inspect?.(exported, found)) ?? {};
    },
  };
}

/** The search and the stamp that `add` names. */
async function addition(opening: RunOpening): Promise<readonly Step[]> {
  if (opening.inputs.add.length === 0) return [];
  const { openAddition } = await import('./addition.ts');
  return [await openAddition(opening)];
}

/** The site as an image in a registry. */
async function image(opening: RunOpening): Promise<readonly Step[]> {
  const { inputs, delivery } = opening;
  const isAsked = inputs.to?.addresses.some((address) => address.scheme === 'image') === true;
  if (isAsked && opening.job.kind === 'given') {
    const { openGivenImage } = await import('./given-image.ts');
    return [await openGivenImage(opening)];
  }
  if (!isAsked || delivery === undefined) return [];
  const { ImagePush } = await import('./image.ts');
  return [await ImagePush.open(opening, delivery)];
}

/** The restart of the pods that read the link. */
async function rollout({ inputs, deps }: RunOpening): Promise<readonly Step[]> {
  if (inputs.rollout === undefined) return [];
  const { Rollout } = await import('./rollout/step.ts');
  const step = new Rollout(inputs, inputs.rollout, deps);
  await step.check();
  return [step];
}

/** The check of the published site, which the restarted pods may serve. */
async function liveCheck({ inputs, deps }: RunOpening): Promise<readonly Step[]> {
  if (inputs.live === undefined) return [];
  const { LiveCheck } = await import('./live/step.ts');
  const step = new LiveCheck(inputs, inputs.live, deps);
  await step.preflight();
  return [step];
}

/** The comment on what changed, which says whether the site is live. */
async function comment({ inputs, deps, job }: RunOpening): Promise<readonly Step[]> {
  if (inputs.comment === undefined) return [];
  if (job.kind === 'given' && job.isOfFork) {
    deps.log.info('No comment: a fork may have built this site. See the summary.');
    return [];
  }
  const { commentStep } = await import('./comment/step.ts');
  return [commentStep(inputs, inputs.comment, deps)];
}
