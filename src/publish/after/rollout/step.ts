import type { Clock } from '../../../clock.ts';
import { CourierError, hasCode } from '../../../errors.ts';
import type { Http } from '../../../http/http.ts';
import type { ExportInputs, PublishInputs, RolloutInputs, Workload } from '../../../inputs/inputs.ts';
import { KubernetesApi } from '../../../kubernetes/api.ts';
import { ClusterLogin, type KubernetesCredentials } from '../../../kubernetes/login.ts';
import type { Log } from '../../../log.ts';
import { createLinkMaker } from '../../../platform/link.ts';
import type { Deps } from '../../../run/context.ts';
import type { Write } from '../../../run/report.ts';
import { formatAddress } from '../../../stores/address.ts';
import { writeDuration } from '../../../text/markdown.ts';
import type { Delivery } from '../../state/delivery.ts';
import type { AfterStep, DeliveredExport } from '../step.ts';
import {
  annotationsFor,
  carries,
  imageIn,
  limitOf,
  type Marks,
  progressOf,
  WorkloadClient,
  type WorkloadState,
  whyNeverRestarted,
} from './cluster.ts';
import { Diagnosis } from './diagnosis.ts';
import { type Followed, followRollout, isGivenUp } from './follow.ts';
import type { RolloutFacts } from './summary.ts';

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
  readonly #inputs: PublishInputs;
  readonly #deps: RolloutDeps;
  readonly #rollout: Rollout;
  readonly #onFailure: RolloutInputs['onFailure'];
  #facts: RolloutFacts | undefined;

  /** Throws where the rollout could not work; nothing is changed. */
  static async open(inputs: PublishInputs, rollout: RolloutInputs, deps: RolloutDeps): Promise<RolloutStep> {
    const step = new RolloutStep(inputs, rollout, deps);
    await step.#rollout.check();
    return step;
  }

  private constructor(inputs: PublishInputs, rollout: RolloutInputs, deps: RolloutDeps) {
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

  async run({ jobId, api, delivery, image }: DeliveredExport): Promise<void> {
    try {
      await this.#rollout.run(jobId, { image });
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
        message: `${failure.message}\nThere is no previous export to restore, so the new link stays in place.`,
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
    const links = createLinkMaker({ ...this.#deps, api, jobId: former, baseUrl });
    const link = delivery.needsLink ? await links.fresh() : undefined;
    const { restored, failure } = await delivery.putBack({ jobId: former, link, replaces: jobId });
    // Pods name the export whose link their Secret has: they stay where that is this run's export, or another run's.
    const isOurs = await this.#rollout.run(former, { image: delivery.imageOf(former), written: restored });
    if (!isOurs) throw failure;
    if (this.#facts !== undefined) this.#deps.record({ rollout: { ...this.#facts, undoneTo: former } });
    if (failure !== undefined) throw failure;
  }
}

type Undo = Pick<DeliveredExport, 'jobId' | 'api'> & { readonly delivery: Delivery };

interface RolloutInit {
  readonly inputs: RolloutInputs;
  readonly credentials: KubernetesCredentials;
  /** Its credentials are taken out of the lines of logs of pods. */
  readonly adminApiKey: string;
  readonly http: Http;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly record: (facts: { rollout: RolloutFacts }) => void;
}

/** What is known of an export besides its job. */
interface RolledOut {
  /** `REGISTRY/REPOSITORY@sha256:…`, for workloads that run it. */
  readonly image?: string | undefined;
  /** The addresses of the destinations that have it. */
  readonly written?: readonly string[] | undefined;
}

/** Workloads whose pods read the link when they start: restarted by the cluster's own rules, and followed until they are ready. */
export class Rollout {
  readonly #init: RolloutInit;
  readonly #api: KubernetesApi;
  readonly #client: WorkloadClient;
  /** A pod template was changed: the cluster continues with it. */
  #isUnderway = false;

  constructor(init: RolloutInit) {
    const { credentials, http, log, inputs } = init;
    this.#init = init;
    this.#api = new KubernetesApi(http, new ClusterLogin(credentials, (secret) => log.mask(secret)));
    this.#client = new WorkloadClient(this.#api, inputs);
  }

  /**
   * Proves that each workload exists, restarts its pods when its template changes, and may be patched. Changes nothing.
   * Throws `config`, `not-found` and `forbidden`.
   */
  async check(): Promise<void> {
    for (const workload of this.#init.inputs.workloads) {
      const state = await this.#client.read(workload);
      const never = whyNeverRestarted(workload, state);
      if (never !== undefined) throw neverRestarted(workload, never);
      const limit = limitOf(workload, state);
      if (limit !== undefined) this.#init.log.warning(`${nameOf(workload)}: ${limit}`);
      await this.#tryPatch(workload, state);
    }
  }

  /** What the account may not read of what says why pods fail, such as `list events`. Changes nothing. */
  missingRights(): Promise<readonly string[]> {
    const { inputs, log } = this.#init;
    return new Diagnosis({ api: this.#api, namespace: inputs.namespace, redact: log.redact }).missingRights();
  }

  /** For a dry run. */
  plan(): Write[] {
    const { workloads, namespace } = this.#init.inputs;
    return workloads.map((workload) => ({
      action: `${workload.image === undefined ? 'restart the pods with the new export' : 'set the image of the new export'}, and follow the rollout`,
      target: `${nameOf(workload)} in namespace ${namespace}`,
    }));
  }

  /**
   * Restarts the pods where they do not run with this export yet, and follows them until all are ready. `written`: the destinations
   * that have it, all of them where it is not given; false: no workload reads one of them, and nothing was done. Throws
   * `checks-failed` with what the pods report; `conflict` where another run was faster.
   */
  async run(jobId: string, { image, written }: RolledOut = {}): Promise<boolean> {
    const { log } = this.#init;
    const inputs = readersOf(this.#init.inputs, written);
    if (inputs.workloads.length === 0) return false;
    const names = inputs.workloads.map(nameOf).join(', ');
    try {
      await log.group(`Rolling out ${names}`, () => this.#roll({ inputs, jobId, image }));
      return true;
    } catch (error) {
      if (!hasCode(error, 'cancelled')) throw error;
      const [first] = inputs.workloads;
      throw error.with({
        message: this.#isUnderway
          ? `${error.message} The link is written, and the rollout of ${names} continues in the cluster.`
          : `${error.message} The link is written; ${names} was not restarted.`,
        hint: `See how it ends: kubectl --namespace ${inputs.namespace} rollout status ${first && nameOf(first)}`,
      });
    }
  }

  async #roll(marked: Marked): Promise<void> {
    const { inputs, jobId } = marked;
    const { log, clock, signal } = this.#init;
    const startMs = clock.monotonicMs();
    const all: Followed[] = [];
    for (const workload of inputs.workloads) {
      const before = await this.#client.read(workload);
      const marks = marksFor(workload, marked);
      const isNew = !carries(before.spec.template, marks);
      const state = isNew ? await this.#restart(workload, { state: before, marks }) : before;
      this.#isUnderway ||= isNew;
      log.info(
        isNew
          ? `${nameOf(workload)}: its pods are restarted with export job ${jobId}.`
          : `${nameOf(workload)}: its pod template names export job ${jobId} already; no pod is restarted.`,
      );
      all.push({ workload, marks, state, isRestarted: isNew, progress: progressOf(workload, state) });
    }
    const onProgress = () => this.#record(all, clock.monotonicMs() - startMs);
    await followRollout(all, inputs.timeoutMs, { client: this.#client, clock, log, signal, onProgress });
    const failed = all.filter(({ progress }) => !progress.isComplete);
    if (failed.length > 0) throw await this.#failure(failed, jobId);
  }

  async #restart(
    workload: Workload,
    change: { readonly state: WorkloadState; readonly marks: Marks },
  ): Promise<WorkloadState> {
    const { marks } = change;
    const mark = (state: WorkloadState) => this.#client.mark(workload, { state, marks }, { isTrial: false });
    try {
      return await mark(change.state).catch(async (error) => {
        // Another writer was faster: what is there now decides.
        if (!hasCode(error, 'conflict')) throw error;
        const now = await this.#client.read(workload);
        return carries(now.spec.template, marks) ? now : mark(now);
      });
    } catch (error) {
      if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
      throw error.with({
        message: `${error.message} The link is written; the pods of ${nameOf(workload)} were not restarted.`,
      });
    }
  }

  /** Proves the right to write without writing. A webhook that takes no dry runs says nothing about it. */
  async #tryPatch(workload: Workload, state: WorkloadState): Promise<void> {
    const { image } = workload;
    const present = image === undefined ? undefined : imageIn(state.spec.template, image)?.reference;
    if (image !== undefined && present === undefined) throw noImage(workload, state);
    try {
      const marks = marksFor(workload, { inputs: this.#init.inputs, jobId: 'none', image: present });
      await this.#client.mark(workload, { state, marks }, { isTrial: true });
    } catch (error) {
      if (!(error instanceof CourierError) || error.httpStatus !== 400) throw error;
    }
  }

  async #failure(failed: readonly Followed[], jobId: string): Promise<CourierError> {
    const { inputs, adminApiKey, log } = this.#init;
    const { createCredentialRedact } = await import('../../../prompt/credentials.ts');
    const hideFormats = createCredentialRedact(adminApiKey, []);
    const redact = (text: string) => hideFormats(log.redact(text));
    const diagnosis = new Diagnosis({ api: this.#api, namespace: inputs.namespace, redact });
    const lines: string[] = [];
    for (const one of failed) {
      const { givenUp, waitingFor } = one.progress;
      const late = `it did not finish within ${writeDuration(inputs.timeoutMs)}`;
      const why = (isGivenUp(one) && givenUp) || late;
      lines.push(
        `The rollout of ${nameOf(one.workload)} in namespace ${inputs.namespace} failed: ${why}${waitingFor === undefined ? '' : ` (${waitingFor})`}.`,
      );
      lines.push(...(await diagnosis.of(one)).map((line) => `- ${line}`));
    }
    return new CourierError({
      code: 'checks-failed',
      message: lines.join('\n'),
      hint: {
        text: 'To go back to the export before it, run mode: rollback. Or correct what the pods report, and run again with the job of this export: that starts no second export, and follows the rollout again:',
        inputs: { 'export-job-id': jobId },
      },
    });
  }

  #record(all: readonly Followed[], elapsedMs: number): void {
    const { inputs, record } = this.#init;
    const workloads = all.map(({ workload, isRestarted, progress }) => {
      const { updated, ready, wanted, isComplete } = progress;
      return { workload: nameOf(workload), isRestarted, isComplete, updated, ready, wanted };
    });
    record({ rollout: { namespace: inputs.namespace, workloads, elapsedMs: Math.round(elapsedMs) } });
  }
}

/** The workloads that read one of these destinations, and the destinations. Pods of an image read it by its digest, not by a tag. */
function readersOf(inputs: RolloutInputs, written?: readonly string[]): RolloutInputs {
  const destinations = inputs.destinations.filter((one) => written?.includes(formatAddress(one)) ?? true);
  const workloads = inputs.workloads.filter(({ image }) => image !== undefined || destinations.length > 0);
  return { ...inputs, destinations, workloads };
}

interface Marked {
  readonly inputs: RolloutInputs;
  readonly jobId: string;
  readonly image: string | undefined;
}

function marksFor({ image: name }: Workload, { inputs, jobId, image = '' }: Marked): Marks {
  if (name !== undefined) return { kind: 'image', name, reference: image };
  return { kind: 'annotations', annotations: annotationsFor(inputs.destinations, jobId) };
}

function nameOf({ kind, name }: Workload): string {
  return `${kind}/${name}`;
}

function noImage(workload: Workload, { spec }: WorkloadState): CourierError {
  const { volumes, containers, initContainers } = spec.template.spec ?? {};
  const all = [
    ...(volumes ?? []).filter(({ image }) => image != null),
    ...(containers ?? []),
    ...(initContainers ?? []),
  ];
  return new CourierError({
    code: 'config',
    message: `${nameOf(workload)} has no volume with an image and no container named ${workload.image}. It has: ${all.map(({ name }) => name).join(', ') || 'none'}.`,
    hint: 'Correct the name behind # in rollout. A volume must be one with image.reference.',
  });
}

function neverRestarted(workload: Workload, [why, hint]: readonly [string, string]): CourierError {
  return new CourierError({
    code: 'config',
    message: `${nameOf(workload)} of the input rollout cannot be rolled out: ${why}.`,
    hint,
  });
}
