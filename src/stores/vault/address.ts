import { reject } from '../../values/values.ts';
import type { Parts } from '../address-parts.ts';

/** A key of a secret in a KV engine. */
export interface VaultAddress {
  readonly scheme: 'vault';
  readonly mount: string;
  /** Below the mount, without a slash at either end. */
  readonly path: string;
  readonly key: string;
}

export const VAULT_FORMS = 'vault:MOUNT/PATH#KEY; a slash in MOUNT is written %2F';

export function formatAddress({ mount, path, key }: VaultAddress): string {
  const encode = encodeURIComponent;
  return `vault:${encode(mount)}/${path.split('/').map(encode).join('/')}#${encode(key)}`;
}

export function parseVault({ parts: [mount, ...parts], key }: Parts, forms: string): VaultAddress {
  // A dot or nothing between slashes would lead to another path.
  const steps = [mount ?? '', ...parts].flatMap((part) => part.split('/'));
  if (
    mount === undefined ||
    key === undefined ||
    parts.length === 0 ||
    steps.some((step) => /^\.{0,2}$/.test(step))
  ) {
    return reject(forms);
  }
  return { scheme: 'vault', mount, path: parts.join('/'), key };
}
