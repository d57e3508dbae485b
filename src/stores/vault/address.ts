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

export function formatAddress(address: VaultAddress): string {
  const path = address.path.split('/').map(encodeURIComponent).join('/');
  return `vault:${encodeURIComponent(address.mount)}/${path}#${encodeURIComponent(address.key)}`;
}

/** The address in these parts. Throws with the form of an address if they are not one. */
export function parseVault(given: Parts): VaultAddress {
  const [mount = '', ...parts] = given.parts;
  const path = parts.join('/');
  // Nothing, `.` or `..` between slashes would lead to another path. Nothing is also what a missing
  // mount or path becomes here.
  const leadsElsewhere = /(^|\/)\.{0,2}(\/|$)/.test(`${mount}/${path}`);
  if (given.key === undefined || leadsElsewhere) return reject(VAULT_FORMS);
  return { scheme: 'vault', mount, path, key: given.key };
}
