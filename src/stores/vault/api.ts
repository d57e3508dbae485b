import * as z from 'zod/mini';
import { configError, courierError } from '../../ground/errors.ts';
import type { Log } from '../../ground/log.ts';
import type { ApiAccess, JsonApi } from '../../http/api.ts';
import { jsonOf, type Meaning, type Service } from '../../http/service.ts';
import { hasStatus } from '../port.ts';
import { formatAddress, type VaultAddress } from './address.ts';
import type { VaultAuthInputs } from './inputs.ts';

// https://developer.hashicorp.com/vault/api-docs#error-response
const errors = z.object({ errors: z.array(z.string()) });

const MEANINGS: Readonly<Record<number, Meaning>> = {
  // Vault answers 403 to a wrong token too, never 401.
  403: { hint: 'The token has expired, or its policy does not allow this.' },
  // The node did nothing: https://developer.hashicorp.com/vault/docs/enterprise/consistency
  412: {
    code: 'network',
    hint: 'A node of the Vault cluster is behind the others. Run again.',
    retry: 'safe',
  },
  503: {
    hint: 'Vault is sealed or in maintenance. Unseal it, then run again.',
    retry: 'if-repeatable',
  },
};

/** Vault, and OpenBao. */
export const vault: Service = {
  name: 'Vault',
  addressSetting: 'vault-address',
  authoritySetting: 'VAULT_CACERT or VAULT_CACERT_BYTES',
  errorText: (reply) => {
    const parsed = errors.safeParse(jsonOf(reply));
    return parsed.data?.errors.join('; ');
  },
  meaning: (reply) => MEANINGS[reply.status],
};

export interface VaultServer {
  /** `https://vault.example.com:8200`, without a trailing slash. */
  readonly address: string;
  readonly namespace: string | undefined;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string | undefined;
}

/** How requests reach the server; `token`: undefined before the login. */
export function vaultAccess(server: VaultServer, token: string | undefined): ApiAccess {
  // Some servers are set up to refuse requests without this header: a browser that was tricked into
  // a request cannot send it.
  const headers: Record<string, string> = { 'x-vault-request': 'true' };
  if (token !== undefined) headers['x-vault-token'] = token;
  if (server.namespace !== undefined) headers['x-vault-namespace'] = server.namespace;
  return { url: `${server.address}/v1`, tls: { ca: server.ca }, headers };
}

// Replies, parsed: https://developer.hashicorp.com/vault/api-docs/secret/kv/kv-v2
const mountReply = z.object({
  data: z.object({
    type: z.string(),
    uuid: z.optional(z.string()),
    options: z.nullish(z.object({ version: z.optional(z.string()) })),
  }),
});
export const secretReply = z.object({
  data: z.object({
    data: z.nullable(z.record(z.string(), z.unknown())),
    metadata: z.object({ version: z.number() }),
  }),
});
/**
 * The body of a 404. A secret that was never written has version 0; one that was deleted has no
 * data, but its metadata.
 */
export const absentReply = z.union([
  secretReply,
  z.pipe(
    z.object({ errors: z.array(z.string()).check(z.maxLength(0)) }),
    z.transform(() => ({ data: { data: null, metadata: { version: 0 } } })),
  ),
]);
export const writtenReply = z.object({ data: z.object({ version: z.number() }) });
const capabilitiesReply = z.object({ capabilities: z.array(z.string()) });

/** A way to log in: all but a token that was given. */
type Login = Exclude<VaultAuthInputs, { readonly kind: 'token' }>;

const loginReply = z.object({
  auth: z.object({ client_token: z.string(), lease_duration: z.number() }),
});

export interface LoginInit {
  readonly auth: VaultAuthInputs;
  /** Asks the CI system for a token that says which run this is, good for some minutes. */
  readonly idToken: (audience: string) => Promise<string>;
  readonly log: Log;
}

/**
 * The Vault token of the run: the one that was given, or a new one from a login. Throws
 * `unauthorized` if Vault refuses the login.
 */
export async function logIn(api: JsonApi, init: LoginInit): Promise<string> {
  const auth = init.auth;
  if (auth.kind === 'token') return auth.token;
  const path = ['auth', ...auth.path.split('/'), 'login'];
  const body = await loginBody(auth, init);
  try {
    // Repeated after a failure, although it is a POST: a login only makes a token, and a token that
    // no run received expires.
    const token = (await api.read({ method: 'POST', path, body }, loginReply)).auth.client_token;
    init.log.mask(token);
    return token;
  } catch (error) {
    // Vault answers 400 to a role that does not exist and to an identity that the role does not
    // take, and 403 if no auth method is mounted at this path.
    if (!hasStatus(error, 400, 403)) throw error;
    throw error.with({
      code: 'unauthorized',
      message: `Vault did not accept the login by ${auth.kind}. ${error.message}`,
      hint: adviceFor(auth),
    });
  }
}

/** What a login sends: the ids of the AppRole, or a role and an id token of the run. */
async function loginBody(auth: Login, init: LoginInit): Promise<object> {
  if (auth.kind === 'approle') return { role_id: auth.roleId, secret_id: auth.secretId };
  const jwt = await init.idToken(auth.audience);
  init.log.mask(jwt);
  return { role: auth.role, jwt };
}

/** What to check if Vault refuses the login. */
function adviceFor(auth: Login): string {
  const ifElsewhere = `If the auth method is not mounted at ${auth.path}/, write vault-role:`;
  if (auth.kind === 'jwt') {
    return `Compare the role ${auth.role} with this run: vault read auth/${auth.path}/role/${auth.role} shows bound_audiences (this run asks for ${auth.audience}) and bound_claims. ${ifElsewhere} auth/MOUNT/role/${auth.role}`;
  }
  return `Check VAULT_ROLE_ID and VAULT_SECRET_ID: a SecretID can expire, or be used up. ${ifElsewhere} auth/MOUNT/login`;
}

/**
 * Checks that the secrets engine is a KV engine of version 2, and gives its id, or the host of
 * the server if it gives engines no ids. An engine of version 1 would accept a write in the
 * form of version 2, and store it under another path. Throws `config`, or `forbidden` with the
 * policy that is needed.
 */
export async function checkMount(
  api: JsonApi,
  address: VaultAddress,
  serverAddress: string,
): Promise<string> {
  const { mount, path } = address;
  const { type, options, uuid } = await readMount(api, address);
  const isVersion2 = type === 'kv' && options?.version === '2';
  if (isVersion2) return uuid ?? new URL(serverAddress).host;
  const version = options?.version === undefined ? '' : `, version ${options.version}`;
  throw configError(
    `The secrets engine at ${mount}/ is ${type}${version}; a KV engine of version 2 is needed for ${path}. Nothing was written.`,
    `Enable versions, which keeps what is stored: vault kv enable-versioning ${mount}/`,
  );
}

/**
 * What Vault says about the secrets engine. A 403 or 404 says with which right it would be shown.
 */
async function readMount(api: JsonApi, address: VaultAddress) {
  const { mount, path } = address;
  // Vault shows the engine of a path to every token that has a right on that path.
  const mountPath = ['sys', 'internal', 'ui', 'mounts', mount, ...path.split('/')];
  try {
    return (await api.read({ method: 'GET', path: mountPath }, mountReply)).data;
  } catch (error) {
    if (!hasStatus(error, 403, 404)) throw error;
    // It throws if the token is the reason; otherwise the error below is about the policy.
    if (error.httpStatus === 403) await checkToken(api);
    throw error.with({
      message: `Vault shows no secrets engine at ${mount}/. ${error.message}`,
      hint: `Check the destination ${formatAddress(address)}, VAULT_NAMESPACE, and that the policy of the token allows the path:\n${policyFor(address)}`,
    });
  }
}

/**
 * Vault answers 403 both to a token that it does not know and to one whose policy lacks a right.
 * Throws `unauthorized` if it does not know the token; returns if the policy is the reason. Every
 * token may look itself up, unless it was made without the policy `default`.
 */
async function checkToken(api: JsonApi): Promise<void> {
  try {
    await api.read({ method: 'GET', path: ['auth', 'token', 'lookup-self'] }, z.unknown());
  } catch (error) {
    if (!hasStatus(error, 403)) throw error;
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

/**
 * Throws `forbidden` if the token lacks a capability: to read the secret, for the first write
 * (`forFirstWrite`), or for the writes after it, which patch.
 */
export async function checkCapabilities(
  api: JsonApi,
  address: VaultAddress,
  forFirstWrite: 'create' | 'update' | 'patch',
): Promise<void> {
  const path = `${address.mount}/data/${address.path}`;
  const body = { paths: [path] };
  const request = { method: 'POST', path: ['sys', 'capabilities-self'], body } as const;
  const capabilities = (await api.read(request, capabilitiesReply)).capabilities;
  // A root token has only this capability, which includes all others.
  if (capabilities.includes('root')) return;
  // A set: `forFirstWrite` may be `patch` as well.
  const needed = new Set(['read', forFirstWrite, 'patch']);
  const missing = [...needed].filter((capability) => !capabilities.includes(capability));
  if (missing.length === 0) return;
  throw courierError(
    'forbidden',
    `The policy of the Vault token lacks ${missing.join(' and ')} on ${path}. Nothing was written.`,
    `This policy is enough:\n${policyFor(address)}`,
  );
}

/**
 * The policy with the least rights: those on this one secret. `update` is for a secret whose newest
 * version was deleted.
 */
export function policyFor(address: VaultAddress): string {
  return `path "${address.mount}/data/${address.path}" {\n  capabilities = ["create", "read", "update", "patch"]\n}`;
}
