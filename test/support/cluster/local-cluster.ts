import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { fieldOf } from '../../../src/ground/text/json.ts';
import { kubeconfigOf } from '../kubernetes-scenarios.ts';
import { TOKENS } from '../real-servers/kubernetes.ts';
import { SmallCluster } from '../small-servers/kubernetes.ts';
import { ClusterController } from './controller.ts';
import { ProcessPods } from './process-pods.ts';

const MANIFESTS = join(import.meta.dirname, '../../../examples/kubernetes/docs.yaml');
const NAMESPACE = 'docs';
const PATHS: Readonly<Record<string, string>> = {
  Role: `/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACE}/roles`,
  RoleBinding: `/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACE}/rolebindings`,
  Deployment: `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`,
};
const STEP_MS = 300;

/**
 * The small API server with what the guide to Kubernetes creates, a controller, and pods that are
 * processes of this machine: they run the command of the init container, and serve what it has
 * unpacked.
 */
export class LocalCluster implements AsyncDisposable {
  /** Of the account of the guide, with the rights of its Role. */
  readonly kubeconfig: string;
  /** Where readers see the site. */
  readonly url: string;
  readonly #parts: AsyncDisposableStack;

  private constructor(
    { cluster, pods }: { cluster: SmallCluster; pods: ProcessPods },
    parts: AsyncDisposableStack,
  ) {
    this.kubeconfig = kubeconfigOf(
      { url: cluster.url, ca: cluster.authority.cert },
      { token: TOKENS.courier },
    );
    this.url = pods.url;
    this.#parts = parts;
  }

  static async start(): Promise<LocalCluster> {
    await using parts = new AsyncDisposableStack();
    const cluster = parts.use(await SmallCluster.start());
    const pods = parts.use(await ProcessPods.start((method, path) => cluster.api(method, path)));
    await create(cluster, `/api/v1/namespaces/${NAMESPACE}/secrets`, {
      metadata: { name: 'docs-link' },
      stringData: { url: '' },
    });
    for (const document of parseAllDocuments(readFileSync(MANIFESTS, 'utf8'))) {
      const manifest = document.toJS();
      const path = PATHS[String(fieldOf(manifest, 'kind'))];
      if (path !== undefined) await create(cluster, path, asUser(manifest));
    }
    const now = () => performance.now();
    const init = { cluster, runtime: pods, now, namespace: NAMESPACE };
    const controller = new ClusterController(init);
    const stop = new AbortController();
    const work = (async () => {
      while (!stop.signal.aborted) {
        await controller.step();
        await delay(STEP_MS);
      }
    })();
    parts.defer(async () => {
      stop.abort();
      await work;
    });
    return new LocalCluster({ cluster, pods }, parts.move());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.disposeAsync();
  }
}

async function create(cluster: SmallCluster, path: string, body: unknown): Promise<void> {
  const { status } = await cluster.api('POST', path, body);
  if (status >= 300) throw new Error(`${path} answered ${status}`);
}

/** The account has the token of the user `courier`. */
function asUser(manifest: unknown): unknown {
  const isBinding = fieldOf(manifest, 'kind') === 'RoleBinding';
  return isBinding
    ? { ...Object(manifest), subjects: [{ kind: 'User', name: 'courier' }] }
    : manifest;
}
