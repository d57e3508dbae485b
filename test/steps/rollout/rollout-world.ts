import { fieldOf } from '../../../src/ground/text/json.ts';
import type { Workload } from '../../../src/inputs/inputs.ts';
import { readInputs } from '../../../src/inputs/read.ts';
import { ClusterController } from '../../support/cluster/controller.ts';
import { fatedPods, type PodFate } from '../../support/cluster/pod-fate.ts';
import { COURIER, createWorkload, grantRollout } from '../../support/cluster/workloads.ts';
import {
  type Cluster,
  createSecret,
  grantSecret,
  kubeconfigOf,
} from '../../support/kubernetes-scenarios.ts';
import { ADMIN_KEY } from '../../support/make-inputs.ts';
import { SmallCluster } from '../../support/small-servers/kubernetes.ts';
import { DOMAIN } from '../../support/world/names.ts';
import { startWorld, type World } from '../../support/world.ts';

const SECRET = '/api/v1/namespaces/default/secrets/docs-link';
const ANNOTATION = 'docs-courier/export.docs-link_url';

/**
 * A deployment that reads the link from a Secret, a platform that exports, and the runs that
 * connect them.
 */
export class RolloutWorld implements AsyncDisposable {
  static async start(): Promise<RolloutWorld> {
    await using parts = new AsyncDisposableStack();
    const world = parts.use(await startWorld());
    const cluster = parts.use(await SmallCluster.start());
    const rolling = new RolloutWorld(world, cluster, parts.move());
    await createSecret(cluster, 'docs-link', { url: '' });
    await createWorkload(cluster, rolling.workload);
    await rolling.grantRights();
    await rolling.#controller.settle();
    return rolling;
  }

  readonly world: World;
  readonly workload: Workload = { kind: 'deployment', name: 'docs' };
  readonly cluster: Cluster;
  readonly #controller: ClusterController;
  readonly #parts: AsyncDisposableStack;
  /** The digests of exports with which pods were ready. */
  readonly #good = new Set<string>();
  /** Called before each step of the cluster, which waits for it. */
  onStep: (() => void | Promise<void>) | undefined;
  /** Pods start only with exports that a pod has started with before. */
  isBroken = false;

  private constructor(world: World, cluster: Cluster, parts: AsyncDisposableStack) {
    this.world = world;
    this.cluster = cluster;
    this.#parts = parts;
    const fateOf = (annotations: Readonly<Record<string, string>>): PodFate => {
      const digest = annotations[ANNOTATION];
      if (digest !== undefined && !this.isBroken) this.#good.add(digest);
      if (digest === undefined || this.#good.has(digest)) return { kind: 'ready' };
      return { kind: 'broken' };
    };
    const runtime = fatedPods(fateOf);
    const now = () => world.clock.monotonicMs();
    this.#controller = new ClusterController({ cluster, runtime, now });
  }

  /** Pods do not start with this export any more. */
  forget(digest: string): void {
    this.#good.delete(digest);
  }

  /** Gives the account its rights. */
  async grantRights(): Promise<void> {
    await grantRollout(this.cluster, [this.workload], 'all');
    await grantSecret(this.cluster, 'docs-link');
  }

  /** Inputs of a step, read as the action reads them. */
  inputsOf(
    mode: 'export' | 'refresh' | 'rollback' | 'doctor',
    more: Readonly<Record<string, string>> = {},
  ) {
    const given: Readonly<Record<string, string>> = {
      mode,
      'base-url': this.world.platform.url,
      'admin-api-key': ADMIN_KEY,
      ...(mode === 'export' && { domain: DOMAIN }),
      to: 'k8s:default/docs-link#url',
      kubeconfig: kubeconfigOf({ url: this.cluster.url, ca: this.cluster.authority.cert }, COURIER),
      rollout: 'deployment/docs',
      'rollout-timeout': '20s',
      ...more,
    };
    const source = { value: (name: string) => given[name] ?? '', unknownNames: () => [] };
    return readInputs(source, { repository: 'acme/docs', workspace: this.world.workspace });
  }

  export(
    more?: Readonly<Record<string, string>>,
    run: { runId?: string; runAttempt?: number } = {},
  ) {
    const inputs = this.inputsOf('export', more);
    if (inputs.mode !== 'export') throw new Error('not an export');
    return this.world.export(inputs, { clock: this.#clock, run });
  }

  refresh(more?: Readonly<Record<string, string>>) {
    const inputs = this.inputsOf('refresh', more);
    if (inputs.mode !== 'refresh') throw new Error('not a refresh');
    return this.world.refresh(inputs, { clock: this.#clock });
  }

  rollback(more?: Readonly<Record<string, string>>) {
    const inputs = this.inputsOf('rollback', more);
    if (inputs.mode !== 'rollback') throw new Error('not a rollback');
    return this.world.rollback(inputs, { clock: this.#clock });
  }

  doctor() {
    const inputs = this.inputsOf('doctor');
    if (inputs.mode !== 'doctor') throw new Error('not a doctor');
    return this.world.doctor(inputs, { keys: { admin: ADMIN_KEY }, clock: this.#clock });
  }

  /** Each sleep of a run is a step of the cluster. */
  get #clock() {
    const { clock } = this.world;
    return {
      ...clock,
      sleep: async (ms: number, signal?: AbortSignal) => {
        await this.onStep?.();
        await this.#controller.step();
        await clock.sleep(ms, signal);
      },
    };
  }

  /** The link in the cluster and the job of its state. */
  async stored(): Promise<{ readonly link: string; readonly state: unknown }> {
    const { body } = await this.cluster.api('GET', SECRET);
    const link = String(fieldOf(body, 'data', 'url'));
    const state = String(fieldOf(body, 'metadata', 'annotations', 'docs-courier/state.url'));
    return { link: Buffer.from(link, 'base64').toString(), state: JSON.parse(state) };
  }

  /** The digest in the pod template. */
  async named(): Promise<unknown> {
    const { body } = await this.cluster.api(
      'GET',
      '/apis/apps/v1/namespaces/default/deployments/docs',
    );
    return fieldOf(body, 'spec', 'template', 'metadata', 'annotations', ANNOTATION);
  }

  /** The digests of the pods, each once. */
  async running(): Promise<readonly unknown[]> {
    const { body } = await this.cluster.api(
      'GET',
      '/api/v1/namespaces/default/pods?labelSelector=app=docs',
    );
    const items = fieldOf(body, 'items');
    const found = Array.isArray(items) ? items : [];
    return [...new Set(found.map((pod) => fieldOf(pod, 'metadata', 'annotations', ANNOTATION)))];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.disposeAsync();
  }
}
