import { CourierError } from '../../../errors.ts';
import type { RolloutInputs, Workload } from '../../../inputs/read-rollout.ts';
import type { KubernetesApi } from '../../../kubernetes/api.ts';
import { type WorkloadState, workloadReply } from './workload.ts';

const RESOURCES = { deployment: 'deployments', statefulset: 'statefulsets', daemonset: 'daemonsets' } as const;

/** The workloads of one namespace: read, and their pod template annotated. */
export class WorkloadClient {
  readonly #api: KubernetesApi;
  readonly #inputs: RolloutInputs;

  constructor(api: KubernetesApi, inputs: RolloutInputs) {
    this.#api = api;
    this.#inputs = inputs;
  }

  async read(workload: Workload, poll: { readonly timeLimitMs?: number } = {}): Promise<WorkloadState> {
    // Whoever polls counts failures and polls again.
    const repeat = poll.timeLimitMs === undefined ? 'always' : 'never';
    const request = { method: 'GET', path: this.#path(workload), repeat, ...poll } as const;
    try {
      return await this.#api.send(request, workloadReply);
    } catch (error) {
      throw this.#explained(error, workload);
    }
  }

  /** A patch of the pod template's annotations and of nothing else. Repeating it changes nothing. */
  async annotate(
    workload: Workload,
    annotations: Readonly<Record<string, string>>,
    { isTrial }: { readonly isTrial: boolean },
  ): Promise<WorkloadState> {
    // The manager's name is what keeps a GitOps controller from taking the field for a change by hand.
    const query = { fieldManager: 'docs-courier', ...(isTrial && { dryRun: 'All' }) };
    const patch = { spec: { template: { metadata: { annotations } } } };
    const request = { method: 'PATCH', path: this.#path(workload), query, patch, repeat: 'always' } as const;
    try {
      return await this.#api.send(request, workloadReply);
    } catch (error) {
      throw this.#explained(error, workload);
    }
  }

  #path({ kind, name }: Workload): readonly string[] {
    return ['apis', 'apps', 'v1', 'namespaces', this.#inputs.namespace, RESOURCES[kind], name];
  }

  #explained(error: unknown, { kind, name }: Workload): unknown {
    if (!(error instanceof CourierError)) return error;
    const { namespace } = this.#inputs;
    switch (error.code) {
      case 'not-found':
        return error.with({
          message: `There is no ${kind}/${name} in namespace ${namespace}. ${error.message}`,
          hint: `Correct the input rollout. kubectl --namespace ${namespace} get ${RESOURCES[kind]} lists what is there.`,
        });
      case 'forbidden':
        return error.with({
          hint: / cannot \w+ resource /.test(error.message)
            ? `The account lacks a right, or the name in rollout is wrong: rights that are given by name do not show which. These rules belong to its Role:\n${rolloutRules(this.#inputs)}`
            : `The cluster refuses the change by a rule of its own, which the message names. Ask whoever owns the namespace ${namespace}.`,
        });
      default:
        return error;
    }
  }
}

/** The least rights: the workloads by their names, and reading what says why pods fail. */
function rolloutRules({ workloads }: RolloutInputs): string {
  const kinds = [...new Set(workloads.map(({ kind }) => RESOURCES[kind]))];
  const names = [...new Set(workloads.map(({ name }) => name))];
  return [
    '- apiGroups: [apps]',
    `  resources: [${kinds.join(', ')}]`,
    `  resourceNames: [${names.join(', ')}]`,
    '  verbs: [get, patch]',
    '- apiGroups: [""]',
    '  resources: [pods, events]',
    '  verbs: [list]',
    '- apiGroups: [""]',
    '  resources: [pods/log]',
    '  verbs: [get]',
  ].join('\n');
}
