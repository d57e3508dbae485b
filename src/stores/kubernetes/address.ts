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

export const KUBERNETES_FORMS = 'k8s:NAMESPACE/SECRET#KEY';

export const KUBERNETES_REWRITES: readonly Rewrite[] = [
  [/^(?!secret\/|kv\/)([a-z0-9-]+\/[a-z0-9.-]+#[\w.-]+)$/, 'k8s:$1'],
  [/^k8s:(?:secrets?\/(?=[^/]+\/))?/i, 'k8s:'],
  [/^k8s:([^/?#]+)\/secrets?\/(?=[^/])/i, 'k8s:$1/'],
  [/^k8s:([^?#]+)\?key=/, 'k8s:$1#'],
  [/^k8s:([^/?#]+)\?(?:namespace|ns)=([^&#]+)(?=#|$)/, 'k8s:$2/$1'],
  [/^k8s:([^/?#]+\/[^/?#]+)[/:]([^/?#]+)$/, 'k8s:$1#$2'],
  [/^k8s:([^/?#]+)\/([^/?#]+\/[^/?#]+)#/, 'k8s:$2?context=$1#'],
  [/^k8s:[^#?]*/, (names = '') => names.toLowerCase().replaceAll('_', '-')],
];

const DNS_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const DNS_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

export function formatAddress({ namespace, secret, key }: KubernetesAddress): string {
  return `k8s:${namespace}/${secret}#${key}`;
}

export function parseKubernetes({ path, parts, query, key = '' }: Parts, forms: string): KubernetesAddress {
  refuseEmpty(path, key, forms);
  const [namespace = '', secret = '', ...more] = parts;
  if (more.length === 0 && DNS_LABEL.test(namespace) && !looksSecret(`${namespace} ${secret}`)) {
    if (parts.length === 1)
      return reject(`${forms}; the namespace is missing`, `k8s:NAMESPACE/${namespace}#${key || 'KEY'}`);
    if (key === '' && DNS_NAME.test(secret)) {
      return reject(`${forms}; the key in the Secret is missing`, `k8s:${namespace}/${secret}#KEY`);
    }
  }
  const wrong = wrongPart(namespace, secret, key);
  if (wrong !== undefined) return reject(`${forms}; ${wrong}`);
  if (more.length > 0) return reject(forms);
  return { scheme: 'k8s', namespace, secret, key, context: query.context };
}

/** A part before or after the slash that is missing. */
function refuseEmpty(path: string, key: string, forms: string): void {
  const [, secret] = /^\/+([\w.-]+)$/.exec(path) ?? [];
  if (secret !== undefined) reject(`${forms}; the namespace is missing`, `k8s:NAMESPACE/${secret}#${key || 'KEY'}`);
  const [, namespace] = /^([\w.-]+)\/+$/.exec(path) ?? [];
  if (namespace !== undefined) reject(`${forms}; the Secret is missing`, `k8s:${namespace}/SECRET#${key || 'KEY'}`);
}

/** Which part Kubernetes would refuse; undefined: none. */
function wrongPart(namespace: string, secret: string, key: string): string | undefined {
  if (!DNS_LABEL.test(namespace)) return 'NAMESPACE has lower-case letters, digits and hyphens';
  if (!DNS_NAME.test(secret)) return 'SECRET has lower-case letters, digits, hyphens and dots';
  return /^[-._A-Za-z0-9]{1,253}$/.test(key) ? undefined : 'KEY has letters, digits, hyphens, dots and underscores';
}
