import * as z from 'zod/mini';
import { CourierError } from '../../errors.ts';
import { formatAddress, type VaultAddress } from '../address.ts';
import { capabilitiesReply, mountReply, type VaultApi } from './api.ts';

/** How a run identifies itself to Vault. */
export type VaultAuth =
  /** By the run's own id token: no secret is stored anywhere. */
  | {
      readonly kind: 'jwt';
      /** Where the auth method is mounted, below `auth/`. */
      readonly path: string;
      readonly role: string;
      readonly audience: string;
      /** Asks the CI system for a token that says which run this is, good for some minutes. */
      readonly idToken: (audience: string) => Promise<string>;
    }
  | { readonly kind: 'approle'; readonly path: string; readonly roleId: string; readonly secretId: string }
  | { readonly kind: 'token'; readonly token: string };

const loginReply = z.object({ auth: z.object({ client_token: z.string(), lease_duration: z.number() }) });

/** Gives a Vault token: logs in where that is how the run identifies itself. The token is masked before it is returned. */
export async function logIn(api: VaultApi, auth: VaultAuth, mask: (secret: string) => void): Promise<string> {
  if (auth.kind === 'token') {
    mask(auth.token);
    return auth.token;
  }
  try {
    const body = auth.kind === 'jwt' ? await jwtBody(auth, mask) : { role_id: auth.roleId, secret_id: auth.secretId };
    // A login makes a token and changes nothing else: one too many expires.
    const path = ['auth', ...auth.path.split('/'), 'login'];
    const reply = await api.send({ method: 'POST', path, body, repeat: 'always' }, loginReply);
    mask(reply.auth.client_token);
    return reply.auth.client_token;
  } catch (error) {
    throw explained(error, auth);
  }
}

async function jwtBody({ role, audience, idToken }: VaultAuth & { kind: 'jwt' }, mask: (secret: string) => void) {
  const jwt = await idToken(audience);
  mask(jwt);
  return { role, jwt };
}

function explained(error: unknown, auth: VaultAuth & { kind: 'jwt' | 'approle' }): unknown {
  // Vault answers 400 to a role that does not exist and to an identity that the role does not take.
  const isRefused = error instanceof CourierError && (error.httpStatus === 400 || error.httpStatus === 403);
  if (!isRefused) return error;
  return error.with({
    code: 'unauthorized',
    message: `Vault did not accept the login by ${auth.kind}. ${error.message}`,
    hint: adviceFor(auth),
  });
}

function adviceFor(auth: VaultAuth & { kind: 'jwt' | 'approle' }): string {
  const elsewhere = `Where the auth method is not mounted at ${auth.path}/, write vault-role: auth/MOUNT/`;
  return auth.kind === 'jwt'
    ? `Compare the role ${auth.role} with this run: vault read auth/${auth.path}/role/${auth.role} shows bound_audiences (this run asks for ${auth.audience}) and bound_claims. ${elsewhere}role/${auth.role}`
    : `Check VAULT_ROLE_ID and VAULT_SECRET_ID: a SecretID can expire, or be used up. ${elsewhere}login`;
}

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
    if (error.httpStatus === 403) await checkToken(api, token);
    throw error.with({
      message: `Vault shows no secrets engine at ${mount}/. ${error.message}`,
      hint: `Check the destination ${formatAddress(address)}, VAULT_NAMESPACE, and that the policy of the token allows the path:\n${policyFor(address)}`,
    });
  }
}

/** Vault answers 403 to a token that it does not know, as it does to a policy. Throws `unauthorized` where it is the token. */
async function checkToken(api: VaultApi, token: string): Promise<void> {
  try {
    await api.send({ method: 'GET', path: ['auth', 'token', 'lookup-self'], token, repeat: 'always' }, z.unknown());
  } catch (error) {
    if (!(error instanceof CourierError) || error.httpStatus !== 403) throw error;
    throw error.with({
      code: 'unauthorized',
      message: `Vault does not accept the token: it has expired or was revoked, is of another server or namespace, or lacks the policy default. ${error.message}`,
      hint: {
        text: 'vault token lookup shows whether a token is good. Give a new one:',
        inputs: { 'vault-token': '' },
      },
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
