import { looksSecret } from '../../text/credentials.ts';
import { reject } from '../../values/values.ts';
import type { Parts, Rewrite } from '../address-parts.ts';

/** A key of a Kubernetes Secret. */
export interface KubernetesAddress {
  readonly scheme: 'k8s';
  readonly namespace: string;
  readonly secret: string;
  readonly key: string;
  /** Of the kubeconfig; undefined: its current one. Not a part of the destination: a run writes to one cluster. */
  readonly context?: string | undefined;
}

export const KUBERNETES_FORMS = 'k8s:NAMESPACE/SECRET#KEY, each in the form that Kubernetes allows';

export const KUBERNETES_REWRITES: readonly Rewrite[] = [
  [/^k8s:([^?#]+)\?key=/, 'k8s:$1#'],
  [/^k8s:[^#?]*/, (names = '') => names.toLowerCase().replaceAll('_', '-')],
];

const DNS_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const DNS_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

export function formatAddress({ namespace, secret, key }: KubernetesAddress): string {
  return `k8s:${namespace}/${secret}#${key}`;
}

export function parseKubernetes({ parts, query, key = '' }: Parts, forms: string): KubernetesAddress {
  const [namespace = '', secret = '', ...more] = parts;
  if (more.length === 0 && DNS_LABEL.test(namespace) && !looksSecret(`${namespace} ${secret}`)) {
    if (parts.length === 1)
      return reject(`${forms}; the namespace is missing`, `k8s:NAMESPACE/${namespace}#${key || 'KEY'}`);
    if (key === '' && DNS_NAME.test(secret)) {
      return reject(`${forms}; the key in the Secret is missing`, `k8s:${namespace}/${secret}#KEY`);
    }
  }
  const fits = DNS_LABEL.test(namespace) && DNS_NAME.test(secret) && /^[-._A-Za-z0-9]{1,253}$/.test(key);
  if (!fits || more.length > 0) return reject(forms);
  return { scheme: 'k8s', namespace, secret, key, context: query.context };
}
