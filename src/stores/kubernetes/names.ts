import { CourierError } from '../../errors.ts';

// RFC 1123: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const KEY = /^[-._a-zA-Z0-9]{1,253}$/;

/** Throws `config` for what cannot be the name of a namespace, a Secret or a key, before anything is sent. */
export function checkNames(names: { namespace: string; secret: string; key: string }): void {
  const { namespace, secret, key } = names;
  const wrong = !LABEL.test(namespace)
    ? `${namespace} is not the name of a namespace`
    : !SUBDOMAIN.test(secret) || secret.length > 253
      ? `${secret} is not the name of a Secret`
      : !KEY.test(key) || /^\.\.?$/.test(key)
        ? `${key} is not the name of a key`
        : undefined;
  if (wrong === undefined) return;
  throw new CourierError({
    code: 'config',
    message: `${wrong}.`,
    hint: 'Write the destination as k8s:NAMESPACE/SECRET#KEY. Namespace and Secret take small letters, digits and hyphens (a Secret also dots), a key takes letters, digits, -, _ and dots.',
  });
}
