import { CourierError, hasCode } from '../../../errors.ts';
import { isTlsError } from '../../../http/service.ts';
import type { PublishInputs, RolloutInputs, Workload } from '../../../inputs/inputs.ts';
import { KubernetesApi } from '../../../kubernetes/api.ts';
import { ClusterLogin } from '../../../kubernetes/login.ts';
import { CheckedLinks } from '../../../platform/link.ts';
import type { Write } from '../../../run/report.ts';
import { formatAddress } from '../../../stores/kinds.ts';
import { writeDuration } from '../../../text/amounts.ts';
import { apiOfJob } from '../../job.ts';
import type { Delivery } from '../../state/delivery.ts';
import type { AfterStep, DeliveredExport, StepDeps } from '../step.ts';
import {
  annotationsFor,
  carries,
  imageIn,
  imagesIn,
  limitOf,
  type Marks,
  neverRestarted,
  progressOf,
  WorkloadClient,
  type WorkloadState,
  workloadName,
} from './cluster.ts';
import { Diagnosis } from './diagnosis.ts';
import type { RolloutFacts } from './summary.ts';

type RolloutDeps = StepDeps<{ rollout: RolloutFacts }>;

/** Its admin key is taken out of the lines of logs of pods. */
type LinkInputs = Pick<PublishInputs, 'to' | 'adminApiKey' | 'baseUrl'>;

/** One workload on its way to the new template. */
interface Followed {
  /** While the pod template has them, this run's change is the present one. */
  readonly marks: Marks;
  /** This run has changed the template. */
  readonly isRestarted: boolean;
  state: WorkloadState;
}

/** What is known of an export besides its job. */
interface RolledOut {
  /** `REGISTRY/REPOSITORY@sha256:…`, for workloads that run it. */
  readonly image?: string | undefined;
  /** The addresses of the destinations that have it; undefined: all of them. */
  readonly written?: readonly string[] | undefined;
}

type Undo = Pick<DeliveredExport, 'jobId' | 'api'> & { readonly delivery: Delivery };

const POLL_MS = 2000;
const LONGEST_POLL_MS = 8000;
// An API server that is being upgraded is away for a while.
const MAX_FAILURES_IN_A_ROW = 10;

const NOT_KNOWN =
  'Nothing was taken back: only a rollout that the cluster reports as failed is undone.';
const OTHER_WRITER =
  'It may be a run for a newer export: let only one run at a time write a destination, with a concurrency group. Or it may be a GitOps controller that owns the annotations of the pod template: let it ignore those that begin with docs-courier/.';

/**
 * Restarts the pods that read the link when they start, by the cluster's own rules, follows them
 * until they are ready, and takes both back if they do not become ready.
 */
export class Rollout implements AfterStep {
  readonly #inputs: LinkInputs;
  readonly #rollout: RolloutInputs;
  readonly #deps: RolloutDeps;
  readonly #api: KubernetesApi;
  readonly #client: WorkloadClient;
  /** A pod template was changed: the cluster continues with it. */
  #isUnderway = false;

  /** Sends nothing yet. */
  constructor(inputs: LinkInputs, rollout: RolloutInputs, deps: RolloutDeps) {
    const { run, http, log } = deps;
    const given = inputs.to?.credentials.kubernetes ?? {
      kubeconfig: undefined,
      context: undefined,
      allowExec: false,
    };
    const login = new ClusterLogin({ ...given, workspace: run.workspace, env: run.env }, (secret) =>
      log.mask(secret),
    );
    this.#inputs = inputs;
    this.#rollout = rollout;
    this.#deps = deps;
    this.#api = new KubernetesApi(http, login);
    const image = inputs.to?.addresses.find((address) => address.scheme === 'image');
    this.#client = new WorkloadClient(this.#api, rollout, image);
  }

  /**
   * Checks that each workload exists, restarts its pods when its template changes, and may be
   * patched. Changes nothing. Throws `config`, `not-found` and `forbidden`.
   */
  async check(): Promise<void> {
    for (const workload of this.#rollout.workloads) {
      const state = await this.#client.read(workload);
      const never = neverRestarted(state);
      if (never !== undefined) throw never;
      const limit = limitOf(state);
      if (limit !== undefined) this.#deps.log.warning(`${workloadName(state)}: ${limit}`);
      await this.#tryPatch(state);
    }
  }

  /**
   * What the account may not read of what says why pods fail, such as `list events`. Changes
   * nothing.
   */
  missingRights(): Promise<readonly string[]> {
    return this.#diagnosis(this.#deps.log.redact).missingRights();
  }

  plan(): Write[] {
    const { workloads, namespace } = this.#rollout;
    return workloads.map((workload) => ({
      action: `${workload.image === undefined ? 'restart the pods with the new export' : 'set the image of the new export'}, and follow the rollout`,
      target: `${workloadName(workload)} in namespace ${namespace}`,
    }));
  }

  async run({ jobId, api, delivery, image }: DeliveredExport): Promise<void> {
    try {
      await this.rollOut(jobId, { image });
    } catch (error) {
      if (
        this.#rollout.onFailure === 'fail' ||
        !(error instanceof CourierError) ||
        delivery === undefined
      )
        throw error;
      const own = apiOfJob(api, delivery.former?.export.job ?? jobId, delivery);
      if (error.code === 'checks-failed')
        throw await this.#undo(error, { jobId, api: own, delivery });
      // After a conflict the destination and the pods are another run's.
      if (error.code === 'cancelled' || error.code === 'conflict') throw error;
      throw error.with({ message: `${error.message} ${NOT_KNOWN}` });
    }
  }

  /** Gives the failure, with what became of the undoing. */
  async #undo(failure: CourierError, undo: Undo): Promise<CourierError> {
    const { jobId, delivery } = undo;
    const { export: { job: former } = {}, isOther } = delivery.former ?? {};
    const ended = (text: string, hint = failure.hint) =>
      failure.with({ message: `${failure.message}\n${text}`, hint });
    if (former === undefined)
      return ended(
        'There is no previous export with other content to restore, so the new link stays in place.',
      );
    const doubt = isOther === true ? '' : ' Whether its content differs is not known.';
    this.#deps.log.warning(
      `${failure.message}\nGoing back to export job ${former}, as on-rollout-failure says.${doubt}`,
    );
    const done: { restored: readonly string[] } = { restored: [] };
    try {
      await this.#goBack(former, undo, done);
    } catch (error) {
      if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
      const live =
        done.restored.length === 0
          ? `The link of export job ${jobId} stays in place.`
          : `The link of export job ${former} was written back to ${done.restored.join(', ')}.`;
      // Of its own write; the link of this run was written before.
      const why = error.message.replaceAll(' Nothing was written.', '');
      const next = {
        text: 'Correct what both messages report, and run again with the job of this export, which does not start a second one:',
        inputs: { 'export-job-id': jobId },
      };
      return ended(
        `Going back to export job ${former} failed as well: ${why}\n${live}`,
        typeof error.hint === 'string' ? error.hint : next,
      );
    }
    return ended(`The link of export job ${former} was written back, and the pods run with it.`, {
      text: 'Correct what the pods report. The next export replaces the link again. To try this one once more, name its job:',
      inputs: { 'export-job-id': jobId },
    });
  }

  async #goBack(
    former: string,
    { jobId, api, delivery }: Undo,
    done: { restored: readonly string[] },
  ): Promise<void> {
    const links = new CheckedLinks({
      ...this.#deps,
      api,
      jobId: former,
      baseUrl: this.#inputs.baseUrl,
    });
    const link = delivery.needsLink ? await links.fresh() : undefined;
    const { restored, failure } = await delivery.putBack({ jobId: former, link, replaces: jobId });
    done.restored = restored;
    // Pods name the export whose link their Secret has: they stay if that is this run's export, or
    // another run's.
    const facts = await this.rollOut(former, {
      image: delivery.imageOf(former),
      written: restored,
    });
    if (facts === undefined) throw failure;
    this.#deps.record({ rollout: { ...facts, undoneTo: former } });
    if (failure !== undefined) throw failure;
  }

  /**
   * Restarts the pods if they do not run with this export yet, and follows them until all are
   * ready. Gives undefined if no workload reads one of the destinations that have it, and nothing
   * was done. Throws `checks-failed` with what the pods report; `conflict` if another run was
   * faster.
   */
  async rollOut(
    jobId: string,
    { image = '', written }: RolledOut = {},
  ): Promise<RolloutFacts | undefined> {
    const { namespace, destinations, workloads: all } = this.#rollout;
    const read = destinations.filter((one) => written?.includes(formatAddress(one)) ?? true);
    // Pods of an image read it by its digest, not by a tag.
    const workloads = all.filter((one) => one.image !== undefined || read.length > 0);
    const [first] = workloads;
    if (first === undefined) return undefined;
    const names = workloads.map(workloadName).join(', ');
    const annotations = annotationsFor(read, jobId);
    const marksOf = ({ image: name }: Workload): Marks =>
      name === undefined
        ? { kind: 'annotations', annotations }
        : { kind: 'image', name, reference: image };
    try {
      return await this.#deps.log.group(`Rolling out ${names}`, async () => {
        const followed: Followed[] = [];
        const startMs = this.#deps.clock.monotonicMs();
        for (const workload of workloads)
          followed.push(await this.#begin(workload, { jobId, marks: marksOf(workload) }));
        const facts = await this.#follow(followed, startMs);
        const failed = followed.filter(({ state }) => progressOf(state).waitingFor !== undefined);
        if (failed.length > 0) throw await this.#failure(failed, jobId);
        return facts;
      });
    } catch (error) {
      if (!hasCode(error, 'cancelled')) throw error;
      throw error.with({
        message: this.#isUnderway
          ? `${error.message} The link is written, and the rollout of ${names} continues in the cluster.`
          : `${error.message} The link is written; ${names} was not restarted.`,
        hint: `See how it ends: kubectl --namespace ${namespace} rollout status ${workloadName(first)}`,
      });
    }
  }

  async #begin(
    workload: Workload,
    { jobId, marks }: { jobId: string; marks: Marks },
  ): Promise<Followed> {
    const before = await this.#patiently(() => this.#client.read(workload));
    const isRestarted = !carries(before.spec.template, marks);
    const state = isRestarted ? await this.#restart(before, marks) : before;
    this.#isUnderway ||= isRestarted;
    this.#deps.log.info(
      isRestarted
        ? `${workloadName(workload)}: its pods are restarted with export job ${jobId}.`
        : `${workloadName(workload)}: its pod template already names export job ${jobId}; no pod is restarted.`,
    );
    return { marks, isRestarted, state };
  }

  async #restart(state: WorkloadState, marks: Marks): Promise<WorkloadState> {
    try {
      const mark = () => this.#client.mark(state, { marks, isTrial: false });
      return await this.#patiently(mark).catch(async (error) => {
        // Another writer was faster: what is there now decides.
        if (!hasCode(error, 'conflict')) throw error;
        const now = await this.#client.read(state);
        return carries(now.spec.template, marks)
          ? now
          : this.#client.mark(now, { marks, isTrial: false });
      });
    } catch (error) {
      if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
      throw error.with({
        message: `${error.message} The link is written; the pods of ${workloadName(state)} were not restarted.`,
        hint: error.code === 'conflict' ? OTHER_WRITER : error.hint,
      });
    }
  }

  /**
   * An API server that starts answers before it has its rules: it refuses what the checks were
   * allowed.
   */
  async #patiently<T>(call: () => Promise<T>): Promise<T> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await call();
      } catch (error) {
        if (!hasCode(error, 'unauthorized', 'forbidden') || failures === MAX_FAILURES_IN_A_ROW)
          throw error;
        await this.#deps.clock.sleep(POLL_MS, this.#deps.signal);
      }
    }
  }

  /** Logs a line for each workload whose progress has changed. */
  #progressLog(): (all: readonly Followed[]) => void {
    const lines = new Map<Followed, string>();
    return (all) => {
      for (const one of all) {
        const line = progressLine(one.state);
        if (lines.get(one) !== line) this.#deps.log.info(line);
        lines.set(one, line);
      }
    };
  }

  /**
   * Polls all workloads until each is complete, one is given up by the cluster, or the time is
   * over.
   */
  async #follow(all: readonly Followed[], startMs: number): Promise<RolloutFacts> {
    const { clock, signal } = this.#deps;
    const endMs = clock.monotonicMs() + this.#rollout.timeoutMs;
    const logProgress = this.#progressLog();
    let failures = 0;
    for (;;) {
      logProgress(all);
      const facts = this.#record(all, clock.monotonicMs() - startMs);
      const pending = all.filter(({ state }) => progressOf(state).waitingFor !== undefined);
      const leftMs = endMs - clock.monotonicMs();
      const isOver = leftMs <= 0 && failures === 0;
      if (isOver || pending.length === 0 || pending.some(isGivenUp)) return facts;
      // What is known is from before the failures: they are waited for, even if the time is over.
      await clock.sleep(leftMs <= 0 ? POLL_MS : Math.min(POLL_MS, leftMs), signal);
      const failure = await this.#pollAll(pending);
      failures = failure === undefined ? 0 : failures + 1;
      if (failure !== undefined && failures >= MAX_FAILURES_IN_A_ROW) {
        throw failure.with({
          message: `Polling the rollout failed ${MAX_FAILURES_IN_A_ROW} times in a row. The last time: ${failure.message}`,
        });
      }
    }
  }

  /** Gives a failure that may pass; throws any other. */
  async #pollAll(pending: readonly Followed[]): Promise<CourierError | undefined> {
    try {
      for (const one of pending) await this.#poll(one);
      return undefined;
    } catch (error) {
      const mayPass = hasCode(
        error,
        'network',
        'protocol',
        'rate-limited',
        'unauthorized',
        'forbidden',
      );
      if (!mayPass || isTlsError(error)) throw error;
      return error;
    }
  }

  async #poll(one: Followed): Promise<void> {
    one.state = await this.#client.read(one.state, LONGEST_POLL_MS);
    if (carries(one.state.spec.template, one.marks)) return;
    throw new CourierError({
      code: 'conflict',
      message: `Another writer has changed the pod template of ${workloadName(one.state)}: it no longer names the export of this run.`,
      hint: OTHER_WRITER,
    });
  }

  #record(all: readonly Followed[], elapsedMs: number): RolloutFacts {
    const workloads = all.map(({ state, isRestarted }) => {
      const { updated, ready, wanted, waitingFor } = progressOf(state);
      return {
        workload: workloadName(state),
        isRestarted,
        isComplete: waitingFor === undefined,
        updated,
        ready,
        wanted,
      };
    });
    const rollout = {
      namespace: this.#rollout.namespace,
      workloads,
      elapsedMs: Math.round(elapsedMs),
    };
    this.#deps.record({ rollout });
    return rollout;
  }

  /**
   * Checks the right to write without writing. A webhook that takes no dry runs says nothing about
   * it.
   */
  async #tryPatch(state: WorkloadState): Promise<void> {
    const { image: name } = state;
    const image = name === undefined ? undefined : imageIn(state.spec.template, name);
    if (name !== undefined && image === undefined) throw noImage(state);
    const marks: Marks =
      image === undefined
        ? { kind: 'annotations', annotations: annotationsFor(this.#rollout.destinations, 'none') }
        : { kind: 'image', ...image };
    try {
      await this.#client.mark(state, { marks, isTrial: true });
    } catch (error) {
      if (!(error instanceof CourierError) || error.httpStatus !== 400) throw error;
    }
  }

  async #failure(failed: readonly Followed[], jobId: string): Promise<CourierError> {
    const { namespace, timeoutMs } = this.#rollout;
    const { createCredentialRedact } = await import('../../../prompt/credentials.ts');
    // Of the whole text, before its last line is taken: a line of a private key alone has no form.
    const hideFormats = createCredentialRedact(this.#inputs.adminApiKey, []);
    const diagnosis = this.#diagnosis((text) => hideFormats(this.#deps.log.redact(text)));
    const lines: string[] = [];
    for (const one of failed) {
      const { waitingFor } = progressOf(one.state);
      const late = `it did not finish within ${writeDuration(timeoutMs)}`;
      const why = isGivenUp(one) ? 'it exceeded its progress deadline' : late;
      lines.push(
        `The rollout of ${workloadName(one.state)} in namespace ${namespace} failed: ${why} (${waitingFor}).`,
      );
      lines.push(...(await diagnosis.of(one)).map((line) => `- ${line}`));
    }
    return new CourierError({
      code: 'checks-failed',
      message: lines.join('\n'),
      hint: {
        text: 'To restore the previous export, run mode: rollback. Or correct what the pods report, and run again with the job of this export: that does not start a second export, and follows the rollout again:',
        inputs: { 'export-job-id': jobId },
      },
    });
  }

  #diagnosis(redact: (text: string) => string): Diagnosis {
    return new Diagnosis({ api: this.#api, namespace: this.#rollout.namespace, redact });
  }
}

/**
 * What an earlier run has seen given up is waited for: that it was corrected meanwhile is why the
 * run is repeated.
 */
function isGivenUp({ isRestarted, state }: Followed): boolean {
  return isRestarted && progressOf(state).isGivenUp;
}

function progressLine(state: WorkloadState): string {
  const { ready, updated, wanted, waitingFor = 'complete' } = progressOf(state);
  return `${workloadName(state)}: ${updated} of ${wanted} pods updated, ${ready} ready; ${waitingFor}`;
}

function noImage(state: WorkloadState): CourierError {
  const names = imagesIn(state.spec.template).map(({ name }) => name);
  return new CourierError({
    code: 'config',
    message: `${workloadName(state)} has no volume with an image and no container named ${state.image}. It has: ${names.join(', ') || 'none'}.`,
    hint: 'Correct the name after # in rollout. A volume must be one with image.reference.',
  });
}
