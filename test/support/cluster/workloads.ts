import { setTimeout as delay } from 'node:timers/promises';
import type { Workload } from '../../../src/inputs/inputs.ts';
import { type ApiOptions, type ApiReply, TOKENS } from '../real-servers/kubernetes.ts';

interface Api {
  api(method: string, path: string, body?: unknown, options?: ApiOptions): Promise<ApiReply>;
}

const RESOURCES = {
  deployment: 'deployments',
  statefulset: 'statefulsets',
  daemonset: 'daemonsets',
} as const;
const APPS = '/apis/apps/v1/namespaces/default';
const RBAC = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
const MERGE = { type: 'application/merge-patch+json' };

export function pathOf({ kind, name }: Workload): string {
  return `${APPS}/${RESOURCES[kind]}/${name}`;
}

/** A workload with pods that fetch a site and serve it. `spec` overrides its fields. */
export async function createWorkload(
  cluster: Api,
  workload: Workload,
  spec: object = {},
): Promise<void> {
  const { kind, name } = workload;
  const labels = { app: name };
  const container = { image: 'registry.example.com/docs:1' };
  const template = {
    metadata: { labels, annotations: { 'example.com/owner': 'docs-team' } },
    spec: {
      initContainers: [{ name: 'fetch', ...container }],
      containers: [{ name: 'serve', ...container }],
    },
  };
  const reply = await cluster.api('POST', `${APPS}/${RESOURCES[kind]}`, {
    metadata: { name, labels },
    spec: {
      selector: { matchLabels: labels },
      template,
      ...(kind === 'statefulset' && {
        serviceName: name,
        updateStrategy: { type: 'RollingUpdate' },
      }),
      ...(kind !== 'daemonset' && { replicas: 2 }),
      ...spec,
    },
  });
  if (reply.status !== 201 && reply.status !== 200)
    throw new Error(`no workload: ${JSON.stringify(reply.body)}`);
}

export async function patchWorkload(cluster: Api, workload: Workload, spec: object): Promise<void> {
  const { status } = await cluster.api('PATCH', pathOf(workload), { spec }, MERGE);
  if (status !== 200) throw new Error(`the workload was not changed: ${status}`);
}

export type Rights = 'all' | 'no-patch';

/** The rules of the guide, or some of them, for the user `courier` and these workloads. */
export async function grantRollout(
  cluster: Api,
  workloads: readonly Workload[],
  rights: Rights,
): Promise<void> {
  const name = `rollout-${rights}-${workloads.map((one) => one.name).join('-')}`;
  await cluster.api('DELETE', `${RBAC}/rolebindings`);
  await cluster.api('POST', `${RBAC}/roles`, {
    metadata: { name },
    rules: [
      {
        apiGroups: ['apps'],
        resources: [...new Set(workloads.map(({ kind }) => RESOURCES[kind]))],
        resourceNames: workloads.map((one) => one.name),
        verbs: rights === 'no-patch' ? ['get'] : ['get', 'patch'],
      },
    ],
  });
  await cluster.api('POST', `${RBAC}/rolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: ['courier'].map((user) => ({
      kind: 'User',
      apiGroup: 'rbac.authorization.k8s.io',
      name: user,
    })),
  });
  // In a real API server, new permissions apply a moment later.
  for (const workload of workloads) await untilReadable(cluster, pathOf(workload));
}

async function untilReadable(cluster: Api, path: string): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    const { status } = await cluster.api('GET', path, undefined, COURIER);
    if (status === 200) return;
    await delay(20);
  }
  throw new Error(`${path} cannot be read by the courier`);
}

export const COURIER = { token: TOKENS.courier };
