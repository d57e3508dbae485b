import { reject } from '../../values/values.ts';
import type { Parts } from '../address-parts.ts';

/** A key of a Kubernetes Secret. */
export interface KubernetesAddress {
  readonly scheme: 'k8s';
  readonly namespace: string;
  readonly secret: string;
  readonly key: string;
  /**
   * Of the kubeconfig; undefined: its current one. Not a part of the destination: a run writes to
   * one cluster.
   */
  readonly context?: string | undefined;
}

export const KUBERNETES_FORMS = 'k8s:NAMESPACE/SECRET#KEY';

const DNS_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const DNS_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

export function formatAddress({ namespace, secret, key }: KubernetesAddress): string {
  return `k8s:${namespace}/${secret}#${key}`;
}

export function parseKubernetes(
  { parts, query, key = '' }: Parts,
  forms: string,
): KubernetesAddress {
  const [namespace = '', secret = '', ...more] = parts;
  if (more.length > 0 || parts.length < 2 || key === '') return reject(forms);
  const wrong = wrongPart(namespace, secret, key);
  if (wrong !== undefined) return reject(`${forms}; ${wrong}`);
  return { scheme: 'k8s', namespace, secret, key, context: query.context };
}

/** Which part Kubernetes would refuse; undefined: none. */
function wrongPart(namespace: string, secret: string, key: string): string | undefined {
  if (!DNS_LABEL.test(namespace)) return 'NAMESPACE has lower-case letters, digits and hyphens';
  if (!DNS_NAME.test(secret)) return 'SECRET has lower-case letters, digits, hyphens and dots';
  return /^[-._A-Za-z0-9]{1,253}$/.test(key)
    ? undefined
    : 'KEY has letters, digits, hyphens, dots and underscores';
}
