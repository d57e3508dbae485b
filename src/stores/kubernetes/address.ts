import { reject } from '../../values/values.ts';
import type { Parts } from '../address-parts.ts';

/** A key of a Kubernetes Secret. */
export interface KubernetesAddress {
  readonly scheme: 'k8s';
  readonly namespace: string;
  readonly secret: string;
  readonly key: string;
  /**
   * The context of the kubeconfig; undefined: its current one. Not a part of the destination, since
   * a run writes to one cluster.
   */
  readonly context?: string | undefined;
}

export const KUBERNETES_FORMS = 'k8s:NAMESPACE/SECRET#KEY';

const DNS_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const DNS_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

export function formatAddress(address: KubernetesAddress): string {
  return `k8s:${address.namespace}/${address.secret}#${address.key}`;
}

/** The address in these parts. Throws with the form of an address if they are not one. */
export function parseKubernetes(given: Parts): KubernetesAddress {
  const [namespace, secret, ...others] = given.parts;
  const key = given.key;
  if (namespace === undefined || secret === undefined || others.length > 0 || !key)
    return reject(KUBERNETES_FORMS);
  if (!DNS_LABEL.test(namespace)) {
    return reject(`${KUBERNETES_FORMS}; NAMESPACE has lower-case letters, digits and hyphens`);
  }
  if (!DNS_NAME.test(secret)) {
    return reject(`${KUBERNETES_FORMS}; SECRET has lower-case letters, digits, hyphens and dots`);
  }
  if (!/^[-._A-Za-z0-9]{1,253}$/.test(key)) {
    return reject(`${KUBERNETES_FORMS}; KEY has letters, digits, hyphens, dots and underscores`);
  }
  return { scheme: 'k8s', namespace, secret, key, context: given.query.context };
}
