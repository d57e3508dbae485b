import { CourierError, hasCode } from '../../../errors.ts';
import type { ExportInputs, RefreshInputs, RollbackInputs } from '../../../inputs/inputs.ts';
import type { RolloutInputs } from '../../../inputs/read-rollout.ts';
import { createLinkMaker } from '../../../platform/link.ts';
import type { Deps } from '../../../run/context.ts';
import type { Write } from '../../../run/report.ts';
import type { Delivery } from '../../state/delivery.ts';
import type { AfterStep, DeliveredExport } from '../step.ts';
import type { RolloutFacts } from './facts.ts';
import { Rollout } from './rollout.ts';

type RolloutDeps = Deps<{ rollout: RolloutFacts }>;

/** The rollout of the inputs, with nothing sent yet. */
export function makeRollout(
  { to, adminApiKey }: Pick<ExportInputs, 'to' | 'adminApiKey'>,
  rollout: RolloutInputs,
  { run, ...deps }: RolloutDeps,
): Rollout {
  const given = to?.credentials.kubernetes ?? { kubeconfig: undefined, context: undefined, allowExec: false };
  const credentials = { ...given, workspace: run.workspace, env: run.env };
  return new Rollout({ inputs: rollout, credentials, adminApiKey, ...deps });
}

/** Restarts the pods that read the link, and takes both back where they do not become ready. */
export class RolloutStep implements AfterStep {
  readonly #inputs: ExportInputs | RefreshInputs | RollbackInputs;
  readonly #deps: RolloutDeps;
  readonly #rollout: Rollout;
  readonly #onFailure: RolloutInputs['onFailure'];
  #facts: RolloutFacts | undefined;

  /** Throws where the rollout could not work; nothing is changed. */
  static async open(
    inputs: ExportInputs | RefreshInputs | RollbackInputs,
    rollout: RolloutInputs,
    deps: RolloutDeps,
  ): Promise<RolloutStep> {
    const step = new RolloutStep(inputs, rollout, deps);
    await step.#rollout.check();
    return step;
  }

  private constructor(
    inputs: ExportInputs | RefreshInputs | RollbackInputs,
    rollout: RolloutInputs,
    deps: RolloutDeps,
  ) {
    this.#inputs = inputs;
    this.#deps = deps;
    this.#onFailure = rollout.onFailure;
    const record = (facts: Partial<{ rollout: RolloutFacts }>) => {
      this.#facts = facts.rollout;
      deps.record(facts);
    };
    this.#rollout = makeRollout(inputs, rollout, { ...deps, record });
  }

  plan(): Write[] {
    return this.#rollout.plan();
  }

  async run({ jobId, api, delivery }: DeliveredExport): Promise<void> {
    try {
      await this.#rollout.run(jobId);
    } catch (error) {
      // After a conflict the destination and the pods are another run's.
      const isOurs = error instanceof CourierError && !hasCode(error, 'cancelled', 'conflict');
      if (this.#onFailure === 'fail' || !isOurs || delivery === undefined) throw error;
      throw await this.#undo(error, { jobId, api, delivery });
    }
  }

  /** Gives the failure, with what became of the undoing. */
  async #undo(failure: CourierError, undo: Undo): Promise<CourierError> {
    const { log } = this.#deps;
    const { jobId, delivery } = undo;
    const former = delivery.formerJob;
    if (former === undefined) {
      return failure.with({
        message: `${failure.message}\nThere is no former export to go back to, so that the new link stays.`,
      });
    }
    log.warning(`${failure.message}\nGoing back to export job ${former}, as on-rollout-failure says.`);
    try {
      await this.#goBack(former, undo);
    } catch (error) {
      if (!(error instanceof CourierError)) throw error;
      if (error.code === 'cancelled') throw error;
      return failure.with({
        message: `${failure.message}\nGoing back to export job ${former} failed as well: ${error.message}`,
        hint: error.hint,
      });
    }
    return failure.with({
      message: `${failure.message}\nThe link of export job ${former} was written back, and the pods run with it.`,
      hint: {
        text: 'Correct what the pods report. The next export replaces the link again. To try this one once more, name its job:',
        inputs: { 'export-job-id': jobId },
      },
    });
  }

  async #goBack(former: string, { jobId, api, delivery }: Undo): Promise<void> {
    const { baseUrl } = this.#inputs;
    const link = await createLinkMaker({ ...this.#deps, api, jobId: former, baseUrl }).fresh();
    const failure = await delivery.putBack({ jobId: former, link, replaces: jobId });
    // Another run's export is in place now, and its pods are its own.
    if (hasCode(failure, 'conflict')) throw failure;
    await this.#rollout.run(former);
    if (this.#facts !== undefined) this.#deps.record({ rollout: { ...this.#facts, undoneTo: former } });
    if (failure !== undefined) throw failure;
  }
}

type Undo = DeliveredExport & { readonly delivery: Delivery };
