import type { Delivery } from '../../delivery/delivery.ts';
import { assertFailure, CourierError, courierError, hasCode } from '../../ground/errors.ts';
import { writeDuration } from '../../ground/text/amounts.ts';
import { isTlsError } from '../../http/codes.ts';
import type { PublishInputs, RolloutInputs, Workload } from '../../inputs/inputs.ts';
import { KubernetesApi } from '../../kubernetes/api.ts';
import { ClusterLogin } from '../../kubernetes/login.ts';
import type { ExportApi } from '../../platform/export-api.ts';
import { type BundleLink, CheckedLinks } from '../../platform/link.ts';
import type { Write } from '../../run/report.ts';
import { formatAddress } from '../../stores/kinds.ts';
import type { DeliveredExport, Found, Step, StepDeps } from '../step.ts';
import {
  annotationsFor,
  assertRestartable,
  hasMarks,
  type Marks,
  namedImage,
  progressOf,
  reportOf,
  WorkloadClient,
  type WorkloadState,
  whyNotAllRestart,
  workloadName,
} from './cluster.ts';
import { OTHER_WRITER, overwrittenError } from './other-writer.ts';
import type { RolloutFacts, WorkloadFacts } from './summary.ts';

type RolloutDeps = StepDeps<{ rollout: RolloutFacts }>;

/** The inputs about the link. */
type LinkInputs = Pick<PublishInputs, 'to' | 'baseUrl'>;

/**
 * A workload with what names the export in its pod template. A change of these marks makes the
 * cluster restart its pods.
 */
interface MarkedWorkload {
  readonly workload: Workload;
  readonly marks: Marks;
}

/** One workload on its way to the new template. */
interface Followed {
  /** As long as the pod template has these marks, no other writer has replaced the change. */
  readonly marks: Marks;
  /** True if this run has changed the template. */
  readonly isRestarted: boolean;
  state: WorkloadState;
  /** What the log says of it last; undefined: nothing yet. */
  line?: string;
}

const POLL_MS = 2000;
const LONGEST_POLL_MS = 8000;
// An API server that is being upgraded is away for a while.
const MAX_FAILURES_IN_A_ROW = 10;
/** Failures of a poll that may pass. An API server that is starting refuses every login. */
const PASSING = ['network', 'protocol', 'rate-limited', 'unauthorized', 'forbidden'] as const;

const NOT_UNDONE =
  'Nothing was taken back: only a rollout that the cluster reports as failed is undone.';

/**
 * Restarts the pods that read the link when they start, by the cluster's own rules, and follows
 * them until they are ready. If they do not become ready, takes link and rollout back, as
 * `on-rollout-failure` says.
 */
export class Rollout implements Step {
  readonly #inputs: LinkInputs;
  readonly #rollout: RolloutInputs;
  readonly #deps: RolloutDeps;
  readonly #client: WorkloadClient;
  /** True once a pod template was changed: the cluster continues with the rollout. */
  #isUnderway = false;

  /** Sends nothing yet. */
  constructor(inputs: LinkInputs, rollout: RolloutInputs, deps: RolloutDeps) {
    const login = new ClusterLogin(
      {
        // Without these inputs, the service account of the pod that the run is in.
        kubeconfig: undefined,
        context: undefined,
        allowExec: false,
        ...inputs.to?.credentials.kubernetes,
        workspace: deps.run.workspace,
        env: deps.run.env,
      },
      (secret) => deps.log.mask(secret),
    );
    this.#inputs = inputs;
    this.#rollout = rollout;
    this.#deps = deps;
    const api = new KubernetesApi(deps.http, login);
    const image = inputs.to?.addresses.find((address) => address.scheme === 'image');
    this.#client = new WorkloadClient(api, rollout, image);
  }

  /**
   * Checks that each workload exists, restarts its pods when its template changes, and may be
   * patched. Changes nothing. Throws `config`, `not-found` and `forbidden`.
   */
  async check(): Promise<void> {
    for (const workload of this.#rollout.workloads) {
      const state = await this.#client.read(workload);
      assertRestartable(state);
      const whyNotAll = whyNotAllRestart(state);
      if (whyNotAll !== undefined) this.#deps.log.warning(`${workloadName(state)}: ${whyNotAll}`);
      await this.#tryPatch(state);
    }
  }

  /**
   * Checks the right to patch a workload with a dry run. A reply of 400, such as from a webhook
   * that supports no dry run, says nothing about the right.
   */
  async #tryPatch(state: WorkloadState): Promise<void> {
    let marks: Marks;
    if (state.image === undefined) {
      // Any job does, as nothing is stored.
      const annotations = annotationsFor(this.#rollout.destinations, 'none');
      marks = { kind: 'annotations', annotations };
    } else {
      // `state.image` names a volume or container. Its new image is not known yet, so the present
      // one is tried.
      const { name, reference } = namedImage(state, state.image);
      marks = { kind: 'image', name, reference };
    }
    try {
      await this.#client.mark(state, marks, { dryRun: 'All' });
    } catch (error) {
      if (!(error instanceof CourierError) || error.httpStatus !== 400) throw error;
    }
  }

  plan(): Write[] {
    return this.#rollout.workloads.map((workload) => {
      const change = workload.image === undefined ? 'restart the pods with' : 'set the image of';
      const action = `${change} the new export, and follow the rollout`;
      return {
        action,
        target: `${workloadName(workload)} in namespace ${this.#rollout.namespace}`,
      };
    });
  }

  async after(delivered: DeliveredExport): Promise<Found> {
    try {
      await this.rollOut(delivered.jobId, delivered.image);
      return {};
    } catch (error) {
      if (!(error instanceof CourierError)) throw error;
      if (error.code === 'cancelled') throw this.#cancelled(error);
      // A rollout always has a delivery: the check is for the compiler.
      const { delivery } = delivered;
      if (this.#rollout.onFailure === 'fail' || delivery === undefined) throw error;
      // The cluster says that the pods did not become ready.
      if (error.code === 'checks-failed') throw await this.#undo(error, delivered, delivery);
      // After a conflict another run has written the destination and restarted the pods.
      if (error.code === 'conflict') throw error;
      throw error.with({ message: `${error.message} ${NOT_UNDONE}` });
    }
  }

  /** The error of a cancelled run, with what the cluster still does. */
  #cancelled(error: CourierError): CourierError {
    const { workloads, namespace } = this.#rollout;
    const names = workloads.map(workloadName);
    let state = `The export is delivered; ${names.join(', ')} was not restarted.`;
    if (this.#isUnderway)
      state = `The export is delivered, and the rollout of ${names.join(', ')} continues in the cluster.`;
    return error.with({
      message: `${error.message} ${state}`,
      // The command shows one workload, and the inputs name at least one.
      hint: `See how it ends: kubectl --namespace ${namespace} rollout status ${names[0]}`,
    });
  }

  /**
   * Goes back to the former export: writes its link back, and restarts the pods with it. Gives the
   * failure of the rollout, with what became of that.
   */
  async #undo(
    failure: CourierError,
    { jobId, api }: DeliveredExport,
    delivery: Delivery,
  ): Promise<CourierError> {
    const failureWith = (outcome: string, hint = failure.hint) =>
      failure.with({ message: `${failure.message}\n${outcome}`, hint });
    if (delivery.former === undefined)
      return failureWith(
        'There is no previous export with other content to restore, so the new export stays in place.',
      );
    const former = delivery.former.export.job;
    let plan = `Going back to export job ${former}, as on-rollout-failure says.`;
    if (!delivery.former.isKnownToDiffer) plan += ' Whether its content differs is not known.';
    this.#deps.log.warning(`${failure.message}\n${plan}`);
    // The addresses of the destinations that contain the link of the former export again.
    let restored: readonly string[] = [];
    try {
      const link = await this.#freshLink(former, api, delivery);
      const change = await delivery.putBack({ jobId: former, link, replaces: jobId });
      restored = change.restored;
      // Pods whose Secret was not restored are not restarted: they would read the new link again.
      const facts = await this.rollOut(former, delivery.imageOf(former), restored);
      // Recorded once more: `rollOut` does not know that it undoes another rollout.
      if (facts !== undefined) this.#deps.record({ rollout: { ...facts, undoneTo: former } });
      // Some destinations still have the new link. The pods of the others run with the former.
      if (change.failure !== undefined) throw change.failure;
    } catch (error) {
      if (!(error instanceof CourierError)) throw error;
      if (error.code === 'cancelled') throw this.#cancelled(error);
      // By this run: another one may have replaced it.
      let inPlace = `The delivery of export job ${jobId} was not taken back.`;
      if (restored.length > 0)
        inPlace = `Export job ${former} was restored in ${restored.join(', ')}.`;
      // Left out: it would sound as if this run had written no link at all.
      const why = error.message.replaceAll(' Nothing was written.', '');
      const runAgain = {
        text: 'Correct what both messages report, and run again with the job of this export, which does not start a second one:',
        inputs: { 'export-job-id': jobId },
      };
      // A hint with inputs is that of `rollOut`, and names the job of the former export.
      const hint = typeof error.hint === 'string' ? error.hint : runAgain;
      return failureWith(
        `Going back to export job ${former} failed as well: ${why}\n${inPlace}`,
        hint,
      );
    }
    return failureWith(`Export job ${former} was restored, and the pods run with it.`, {
      text: 'Correct what keeps the pods from becoming ready. The next export replaces it again. To try this one once more, name its job:',
      inputs: { 'export-job-id': jobId },
    });
  }

  /** A link of the former export; undefined: its image is restored, which needs no link. */
  async #freshLink(
    jobId: string,
    api: ExportApi,
    delivery: Delivery,
  ): Promise<BundleLink | undefined> {
    if (!delivery.needsLink) return undefined;
    const { baseUrl } = this.#inputs;
    // The former job may have been started for another project, or for the domain.
    const apiOfFormer = api.ofJob(delivery.formOf(jobId));
    return new CheckedLinks({ ...this.#deps, api: apiOfFormer, jobId, baseUrl }).fresh();
  }

  /**
   * Restarts the pods if they do not run with this export yet, and follows them until all are
   * ready. undefined: no workload reads what was written, so nothing was done. Throws
   * `checks-failed` with what the cluster reports; `conflict` if another run was faster. `image`: of
   * this export; undefined: none is known. `written`: the addresses of the destinations that
   * contain the link of this export; undefined: all of them.
   */
  async rollOut(
    jobId: string,
    image?: string,
    written?: readonly string[],
  ): Promise<RolloutFacts | undefined> {
    const marked = this.#markedWorkloads(jobId, image, written);
    if (marked.length === 0) return undefined;
    const names = marked.map(({ workload }) => workloadName(workload)).join(', ');
    return this.#deps.log.group(`Rolling out ${names}`, async () => {
      const startMs = this.#deps.clock.monotonicMs();
      const started: Followed[] = [];
      for (const one of marked) started.push(await this.#restartIfNeeded(one, jobId));
      const facts = await this.#follow(started, startMs);
      const failed = started.filter(isPending);
      if (failed.length > 0) throw this.#rolloutFailed(failed, jobId);
      return facts;
    });
  }

  /** The workloads that read what was written, with the marks of this export; see `rollOut`. */
  #markedWorkloads(
    jobId: string,
    image: string | undefined,
    written: readonly string[] | undefined,
  ): readonly MarkedWorkload[] {
    const writtenSecrets = this.#rollout.destinations.filter(
      (secret) => written === undefined || written.includes(formatAddress(secret)),
    );
    const annotations = annotationsFor(writtenSecrets, jobId);
    const marked: MarkedWorkload[] = [];
    for (const workload of this.#rollout.workloads) {
      // The volume or container that has the site as an image: such pods read no Secret.
      const imageUser = workload.image;
      if (imageUser === undefined && writtenSecrets.length > 0)
        marked.push({ workload, marks: { kind: 'annotations', annotations } });
      if (imageUser !== undefined && image !== undefined)
        marked.push({ workload, marks: { kind: 'image', name: imageUser, reference: image } });
    }
    return marked;
  }

  /** Restarts one workload, unless its template names the export already. */
  async #restartIfNeeded({ workload, marks }: MarkedWorkload, jobId: string): Promise<Followed> {
    const { log } = this.#deps;
    const name = workloadName(workload);
    const before = await this.#patiently(() => this.#client.read(workload));
    if (hasMarks(before.spec.template, marks)) {
      log.info(`${name}: its pod template already names export job ${jobId}; no pod is restarted.`);
      return { marks, isRestarted: false, state: before };
    }
    const state = await this.#restart(before, marks);
    this.#isUnderway = true;
    log.info(`${name}: its pods are restarted with export job ${jobId}.`);
    return { marks, isRestarted: true, state };
  }

  /** Marks the pod template. The error of a failure says that the export is delivered. */
  async #restart(state: WorkloadState, marks: Marks): Promise<WorkloadState> {
    try {
      return await this.#markWithRetry(state, marks);
    } catch (error) {
      assertFailure(error);
      throw error.with({
        message: `${error.message} The export is delivered; the pods of ${workloadName(state)} were not restarted.`,
        hint: error.code === 'conflict' ? OTHER_WRITER : error.hint,
      });
    }
  }

  /** Marks the template, once more if another writer was faster, unless that made the same mark. */
  async #markWithRetry(state: WorkloadState, marks: Marks): Promise<WorkloadState> {
    try {
      return await this.#patiently(() => this.#client.mark(state, marks));
    } catch (error) {
      if (!hasCode(error, 'conflict')) throw error;
      const now = await this.#client.read(state);
      return hasMarks(now.spec.template, marks) ? now : this.#client.mark(now, marks);
    }
  }

  /**
   * Repeats a call that is refused: an API server that is starting answers before it has loaded its
   * access rules.
   */
  async #patiently<T>(call: () => Promise<T>): Promise<T> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await call();
      } catch (error) {
        const mayPass = hasCode(error, 'unauthorized', 'forbidden');
        if (!mayPass || failures === MAX_FAILURES_IN_A_ROW) throw error;
        await this.#deps.clock.sleep(POLL_MS, this.#deps.signal);
      }
    }
  }

  /**
   * Polls the workloads until all are complete, the cluster gives up one of them, or the time is
   * over.
   */
  async #follow(all: readonly Followed[], startMs: number): Promise<RolloutFacts> {
    const { clock, signal } = this.#deps;
    const endMs = clock.monotonicMs() + this.#rollout.timeoutMs;
    let failures = 0;
    for (;;) {
      const facts = this.#recordProgress(all, clock.monotonicMs() - startMs);
      const pending = all.filter(isPending);
      const leftMs = endMs - clock.monotonicMs();
      // After a failed poll the last known state is old: polls are made until one succeeds.
      const isOver = leftMs <= 0 && failures === 0;
      if (isOver || pending.length === 0 || pending.some(isGivenUp)) return facts;
      await clock.sleep(leftMs <= 0 ? POLL_MS : Math.min(POLL_MS, leftMs), signal);
      const failure = await this.#poll(pending);
      failures = failure === undefined ? 0 : failures + 1;
      if (failure !== undefined && failures >= MAX_FAILURES_IN_A_ROW) {
        throw failure.with({
          message: `Polling the rollout failed ${MAX_FAILURES_IN_A_ROW} times in a row. The last time: ${failure.message}`,
        });
      }
    }
  }

  /**
   * Reads each workload again. Gives a failure that may pass; throws any other, such as `conflict`
   * if another writer has changed a template.
   */
  async #poll(pending: readonly Followed[]): Promise<CourierError | undefined> {
    try {
      for (const one of pending) {
        one.state = await this.#client.read(one.state, LONGEST_POLL_MS);
        if (!hasMarks(one.state.spec.template, one.marks)) throw overwrittenError(one.state);
      }
      return undefined;
    } catch (error) {
      // A certificate that is not trusted has the code `network`, and stays so.
      if (!hasCode(error, ...PASSING) || isTlsError(error)) throw error;
      return error;
    }
  }

  /** Records how far the rollout has come, and logs what has changed. */
  #recordProgress(all: readonly Followed[], elapsedMs: number): RolloutFacts {
    const workloads: WorkloadFacts[] = [];
    for (const followed of all) {
      const { isRestarted, state } = followed;
      const workload = workloadName(state);
      const { ready, updated, wanted, waitingFor } = progressOf(state);
      const isComplete = waitingFor === undefined;
      workloads.push({ workload, isRestarted, isComplete, updated, ready, wanted });
      const line = `${workload}: ${updated} of ${wanted} pods updated, ${ready} ready; ${waitingFor ?? 'complete'}`;
      if (line !== followed.line) this.#deps.log.info(line);
      followed.line = line;
    }
    const { namespace } = this.#rollout;
    const rollout = { namespace, workloads, elapsedMs: Math.round(elapsedMs) };
    this.#deps.record({ rollout });
    return rollout;
  }

  /** The error of workloads that did not become ready, with what the cluster reports. */
  #rolloutFailed(failed: readonly Followed[], jobId: string): CourierError {
    const { namespace, timeoutMs } = this.#rollout;
    const lines: string[] = [];
    for (const one of failed) {
      const { waitingFor } = progressOf(one.state);
      let why = `it did not finish within ${writeDuration(timeoutMs)}`;
      if (isGivenUp(one)) why = 'it exceeded its progress deadline';
      lines.push(
        `The rollout of ${workloadName(one.state)} in namespace ${namespace} failed: ${why} (${waitingFor}).`,
      );
      lines.push(...reportOf(one.state, namespace, this.#deps.log.redact));
    }
    return courierError('checks-failed', lines.join('\n'), {
      text: 'To restore the previous export, run mode: rollback. Or correct what keeps the pods from becoming ready, and run again with the job of this export: that does not start a second export, and follows the rollout again:',
      inputs: { 'export-job-id': jobId },
    });
  }
}

function isPending(followed: Followed): boolean {
  return progressOf(followed.state).waitingFor !== undefined;
}

/**
 * True if the cluster has given up a rollout of this run. One that an earlier run has started is
 * followed on: a person may have corrected it, and repeats the run for that.
 */
function isGivenUp(followed: Followed): boolean {
  return followed.isRestarted && progressOf(followed.state).isGivenUp;
}
