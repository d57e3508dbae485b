import type { Clock } from '../../../clock.ts';
import { CourierError, hasCode } from '../../../errors.ts';
import type { Http } from '../../../http/http.ts';
import type { RolloutInputs, Workload } from '../../../inputs/read-rollout.ts';
import { KubernetesApi } from '../../../kubernetes/api.ts';
import { ClusterLogin, type KubernetesCredentials } from '../../../kubernetes/login.ts';
import type { Log } from '../../../log.ts';
import type { Write } from '../../../run/report.ts';
import { writeDuration } from '../../../text/markdown.ts';
import { annotationsFor } from './annotation.ts';
import { WorkloadClient } from './cluster.ts';
import { Diagnosis } from './diagnosis.ts';
import type { RolloutFacts } from './facts.ts';
import { type Followed, followRollout, isGivenUp } from './follow.ts';
import { carries, limitOf, progressOf, whyNeverRestarted } from './workload.ts';

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

/** Workloads whose pods read the link when they start: restarted by the cluster's own rules, and followed until they are ready. */
export class Rollout {
  readonly #init: RolloutInit;
  readonly #api: KubernetesApi;
  readonly #client: WorkloadClient;
  /** A pod template was changed: the cluster goes on by itself. */
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
      await this.#tryPatch(workload);
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
      action: 'restart the pods with the new export, and follow the rollout',
      target: `${nameOf(workload)} in namespace ${namespace}`,
    }));
  }

  /**
   * Restarts the pods where they do not run with this export yet, and follows them until all are ready. Throws
   * `checks-failed` with what the pods report; `conflict` where another run was faster.
   */
  async run(jobId: string): Promise<void> {
    const { inputs, log } = this.#init;
    const names = inputs.workloads.map(nameOf).join(', ');
    try {
      await log.group(`Rolling out ${names}`, () => this.#roll(jobId));
    } catch (error) {
      if (!hasCode(error, 'cancelled')) throw error;
      const [first] = inputs.workloads;
      throw error.with({
        message: this.#isUnderway
          ? `${error.message} The link is written, and the rollout of ${names} goes on in the cluster.`
          : `${error.message} The link is written; ${names} was not restarted.`,
        hint: `See how it ends: kubectl --namespace ${inputs.namespace} rollout status ${first && nameOf(first)}`,
      });
    }
  }

  async #roll(jobId: string): Promise<void> {
    const { inputs, log, clock, signal } = this.#init;
    const startMs = clock.monotonicMs();
    const annotations = annotationsFor(inputs.destinations, jobId);
    const all: Followed[] = [];
    for (const workload of inputs.workloads) {
      const before = await this.#client.read(workload);
      const isNew = !carries(before, annotations);
      const state = isNew ? await this.#client.annotate(workload, annotations, { isTrial: false }) : before;
      this.#isUnderway ||= isNew;
      log.info(
        isNew
          ? `${nameOf(workload)}: its pods are restarted with export job ${jobId}.`
          : `${nameOf(workload)}: its pod template names export job ${jobId} already; no pod is restarted.`,
      );
      all.push({ workload, annotations, state, isRestarted: isNew, progress: progressOf(workload, state) });
    }
    const onProgress = () => this.#record(all, clock.monotonicMs() - startMs);
    await followRollout(all, inputs.timeoutMs, { client: this.#client, clock, log, signal, onProgress });
    const failed = all.filter(({ progress }) => !progress.isComplete);
    if (failed.length > 0) throw await this.#failure(failed, jobId);
  }

  /** Proves the right to write without writing. A webhook that takes no dry runs says nothing about it. */
  async #tryPatch(workload: Workload): Promise<void> {
    const annotations = annotationsFor(this.#init.inputs.destinations, 'none');
    try {
      await this.#client.annotate(workload, annotations, { isTrial: true });
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

function nameOf({ kind, name }: Workload): string {
  return `${kind}/${name}`;
}

function neverRestarted(workload: Workload, [why, hint]: readonly [string, string]): CourierError {
  return new CourierError({
    code: 'config',
    message: `${nameOf(workload)} of the input rollout cannot be rolled out: ${why}.`,
    hint,
  });
}
