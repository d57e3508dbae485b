import * as z from 'zod/mini';
import { CourierError } from '../../errors.ts';
import type { JsonApi } from '../../http/api.ts';
import { formatAddress, type VaultAddress } from '../address.ts';
import type { VaultAuthInputs } from '../credentials.ts';
import { capabilitiesReply, mountReply } from './api.ts';

type Login = Exclude<VaultAuthInputs, { readonly kind: 'token' }>;

const loginReply = z.object({ auth: z.object({ client_token: z.string(), lease_duration: z.number() }) });

export interface LoginInit {
  readonly auth: VaultAuthInputs;
  /** Asks the CI system for a token that says which run this is, good for some minutes. */
  readonly idToken: (audience: string) => Promise<string>;
  readonly mask: (secret: string) => void;
}

/** A Vault token: logs in where that is how the run identifies itself. */
export async function logIn(api: JsonApi, { auth, idToken, mask }: LoginInit): Promise<string> {
  if (auth.kind === 'token') return auth.token;
  const jwt = auth.kind === 'jwt' ? await idToken(auth.audience) : '';
  if (jwt !== '') mask(jwt);
  const body = auth.kind === 'jwt' ? { role: auth.role, jwt } : { role_id: auth.roleId, secret_id: auth.secretId };
  try {
    // A login makes a token and changes nothing else: one too many expires.
    const path = ['auth', ...auth.path.split('/'), 'login'];
    const { auth: made } = await api.read({ method: 'POST', path, body }, loginReply);
    mask(made.client_token);
    return made.client_token;
  } catch (error) {
    // Vault answers 400 to a role that does not exist and to an identity that the role does not take.
    if (!(error instanceof CourierError) || (error.httpStatus !== 400 && error.httpStatus !== 403)) throw error;
    throw error.with({
      code: 'unauthorized',
      message: `Vault did not accept the login by ${auth.kind}. ${error.message}`,
      hint: adviceFor(auth),
    });
  }
}

function adviceFor(auth: Login): string {
  const elsewhere = `Where the auth method is not mounted at ${auth.path}/, write vault-role: auth/MOUNT/`;
  return auth.kind === 'jwt'
    ? `Compare the role ${auth.role} with this run: vault read auth/${auth.path}/role/${auth.role} shows bound_audiences (this run asks for ${auth.audience}) and bound_claims. ${elsewhere}role/${auth.role}`
    : `Check VAULT_ROLE_ID and VAULT_SECRET_ID: a SecretID can expire, or be used up. ${elsewhere}login`;
}

/**
 * The id of the secrets engine (of a server without ids the host of `server`), once it is known to be a KV engine of version 2: a write in the way of version 2 to an engine of
 * version 1 succeeds, and stores the wrong thing next to the secret. Throws `config`, or `forbidden` with the policy that is needed.
 */
export async function checkMount(api: JsonApi, address: VaultAddress, server: string): Promise<string> {
  const { mount, path } = address;
  const { type, options, uuid } = await readMount(api, address);
  if (type === 'kv' && options?.version === '2') return uuid ?? new URL(server).host;
  const version = options?.version === undefined ? '' : `, version ${options.version}`;
  throw new CourierError({
    code: 'config',
    message: `The secrets engine at ${mount}/ is ${type}${version}; a KV engine of version 2 is needed for ${path}. Nothing was written.`,
    hint: `Enable versions, which keeps what is stored: vault kv enable-versioning ${mount}/`,
  });
}

async function readMount(api: JsonApi, address: VaultAddress) {
  const { mount, path } = address;
  const where = ['sys', 'internal', 'ui', 'mounts', mount, ...path.split('/')];
  try {
    return (await api.read({ method: 'GET', path: where }, mountReply)).data;
  } catch (error) {
    if (!(error instanceof CourierError) || (error.httpStatus !== 403 && error.httpStatus !== 404)) throw error;
    if (error.httpStatus === 403) await checkToken(api);
    throw error.with({
      message: `Vault shows no secrets engine at ${mount}/. ${error.message}`,
      hint: `Check the destination ${formatAddress(address)}, VAULT_NAMESPACE, and that the policy of the token allows the path:\n${policyFor(address)}`,
    });
  }
}

/** Vault answers 403 to a token that it does not know, as it does to a policy. Throws `unauthorized` where it is the token. */
async function checkToken(api: JsonApi): Promise<void> {
  try {
    await api.read({ method: 'GET', path: ['auth', 'token', 'lookup-self'] }, z.unknown());
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
export async function checkCapabilities(api: JsonApi, address: VaultAddress, write: 'create' | 'patch'): Promise<void> {
  const path = `${address.mount}/data/${address.path}`;
  const request = { method: 'POST', path: ['sys', 'capabilities-self'], body: { paths: [path] } } as const;
  const { capabilities } = await api.read(request, capabilitiesReply);
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
