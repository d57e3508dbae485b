import type { InputName } from './catalog.ts';
import { type DestinationInputs, type RolloutInputs, WORKLOAD_KINDS, type Workload } from './inputs.ts';
import { asksForDestinations } from './read-destinations.ts';
import type { InputReader } from './reader.ts';
import * as values from './values.ts';
import { accept, type Parser, reject } from './values.ts';

const OPTIONS = ['rollout-timeout', 'on-rollout-failure'] as const satisfies readonly InputName[];
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/** `deployment/docs`. */
const workload: Parser<Workload> = (text) => {
  const [kind, name, ...more] = text.split('/');
  const found = WORKLOAD_KINDS.find((one) => one === kind);
  if (found !== undefined && name !== undefined && more.length === 0 && NAME.test(name)) {
    return accept({ kind: found, name });
  }
  return reject('deployment/NAME, statefulset/NAME or daemonset/NAME, of the namespace of the k8s: destination');
};

/** What is restarted once the link is written; undefined where nothing is. */
export function readRollout(reader: InputReader, to: DestinationInputs | undefined): RolloutInputs | undefined {
  const workloads = reader.optional('rollout', values.lines(workload));
  const timeoutMs = reader.required('rollout-timeout', values.duration);
  const onFailure = reader.required('on-rollout-failure', values.oneOf(['fail', 'undo']));
  if (!reader.isGiven('rollout')) {
    reader.forbid(OPTIONS, 'is read only together with rollout');
    return undefined;
  }
  if (timeoutMs === 0) reader.problem('rollout-timeout must be 1s or more: pods need time to start');
  // A destination that is wrong is reported, and may be the one in the cluster.
  if (to === undefined && asksForDestinations(reader)) return undefined;
  const destinations = (to?.addresses ?? []).flatMap((address) => (address.scheme === 'k8s' ? [address] : []));
  const namespaces = [...new Set(destinations.map(({ namespace }) => namespace))];
  const [namespace] = namespaces;
  if (namespace === undefined) {
    reader.problem('rollout is read only together with a k8s: address in to, whose Secret the pods read');
  } else if (namespaces.length > 1) {
    reader.problem(
      `rollout belongs to one namespace, and to names Secrets of ${namespaces.join(', ')}; use a step for each`,
    );
  }
  const names = workloads?.map(({ kind, name }) => `${kind}/${name}`) ?? [];
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) reader.problem(`rollout names ${double} twice; name it once`);
  if (workloads === undefined || namespace === undefined || timeoutMs === undefined || onFailure === undefined) {
    return undefined;
  }
  return { workloads, namespace, destinations, timeoutMs, onFailure };
}
