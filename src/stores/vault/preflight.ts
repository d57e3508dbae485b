import { CourierError } from '../../errors.ts';
import { formatAddress, type VaultAddress } from '../address.ts';
import type { VaultApi } from './api.ts';
import { capabilitiesReply, mountReply } from './contract.ts';

/**
 * The id of the secrets engine, once it is known to be a KV engine of version 2: a write in the way of version 2 to an engine of
 * version 1 succeeds, and stores the wrong thing next to the secret. Throws `config`, or `forbidden` with the policy that is needed.
 */
export async function checkMount(api: VaultApi, address: VaultAddress, token: string): Promise<string> {
  const { mount, path } = address;
  const { type, options, uuid } = await readMount(api, address, token);
  if (type === 'kv' && options?.version === '2') return uuid ?? new URL(api.address).host;
  const version = options?.version === undefined ? '' : `, version ${options.version}`;
  throw new CourierError({
    code: 'config',
    message: `The secrets engine at ${mount}/ is ${type}${version}; a KV engine of version 2 is needed for ${path}. Nothing was written.`,
    hint: `Enable versions, which keeps what is stored: vault kv enable-versioning ${mount}/`,
  });
}

async function readMount(api: VaultApi, address: VaultAddress, token: string) {
  const { mount, path } = address;
  const where = ['sys', 'internal', 'ui', 'mounts', mount, ...path.split('/')];
  try {
    return (await api.send({ method: 'GET', path: where, token, repeat: 'always' }, mountReply)).data;
  } catch (error) {
    if (!(error instanceof CourierError) || (error.httpStatus !== 403 && error.httpStatus !== 404)) throw error;
    throw error.with({
      message: `Vault shows no secrets engine at ${mount}/. ${error.message}`,
      hint: `Check the destination ${formatAddress(address)}, VAULT_NAMESPACE, and that the policy of the token allows the path:\n${policyFor(address)}`,
    });
  }
}

/** Throws `forbidden` where the token may not read the secret, or not do what a write needs. */
export async function checkCapabilities(
  api: VaultApi,
  address: VaultAddress,
  token: string,
  write: 'create' | 'patch',
): Promise<void> {
  const path = `${address.mount}/data/${address.path}`;
  const request = { method: 'POST', path: ['sys', 'capabilities-self'], body: { paths: [path] }, token } as const;
  const { capabilities } = await api.send({ ...request, repeat: 'always' }, capabilitiesReply);
  const missing = capabilities.includes('root') ? [] : ['read', write].filter((one) => !capabilities.includes(one));
  if (missing.length === 0) return;
  throw new CourierError({
    code: 'forbidden',
    message: `The policy of the Vault token lacks ${missing.join(' and ')} on ${path}. Nothing was written.`,
    hint: `This policy is enough:\n${policyFor(address)}`,
  });
}

/** The least rights: this one secret. */
export function policyFor({ mount, path }: VaultAddress): string {
  return `path "${mount}/data/${path}" {\n  capabilities = ["create", "read", "patch"]\n}`;
}
