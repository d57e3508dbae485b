import * as z from 'zod/mini';
import { CourierError } from '../../errors.ts';
import type { VaultApi } from './api.ts';

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
    // A login makes a token and changes nothing else: one too many expires by itself.
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
