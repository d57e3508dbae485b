import * as z from 'zod/mini';
import type { ApiAccess } from '../../http/api.ts';
import type { Meaning, Service } from '../../http/service.ts';
import { parseJson } from '../../text/json.ts';

// https://developer.hashicorp.com/vault/api-docs#error-response
const errors = z.object({ errors: z.array(z.string()) });

const MEANINGS: Readonly<Record<number, Meaning>> = {
  // Vault answers 403 to a wrong token too, never 401.
  403: { hint: 'The token has expired, or its policy does not allow this.' },
  // https://developer.hashicorp.com/vault/docs/enterprise/consistency: nothing was done.
  412: { code: 'network', hint: 'A node of the Vault cluster is behind the others. Run again.', retry: 'safe' },
  503: { hint: 'Vault is sealed or in maintenance. Unseal it, then run again.', retry: 'if-repeatable' },
};

/** Vault, and OpenBao. */
export const vault: Service = {
  name: 'Vault',
  addressSetting: 'vault-address',
  authoritySetting: 'VAULT_CACERT or VAULT_CACERT_BYTES',
  errorText: (reply) => {
    const parsed = errors.safeParse(parseJson(reply.body.toString('utf8')));
    return parsed.success ? parsed.data.errors.join('; ') : undefined;
  },
  meaning: ({ status }) => MEANINGS[status],
};

export interface VaultServer {
  /** `https://vault.example.com:8200`, without a trailing slash. */
  readonly address: string;
  readonly namespace: string | undefined;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string | undefined;
}

export function vaultAccess({ address, namespace, ca }: VaultServer, token: string | undefined): ApiAccess {
  return {
    url: `${address}/v1`,
    tls: { ca },
    headers: {
      // Vault refuses requests that a browser could be tricked into without it, where it is set up so.
      'x-vault-request': 'true',
      ...(token !== undefined && { 'x-vault-token': token }),
      ...(namespace !== undefined && { 'x-vault-namespace': namespace }),
    },
  };
}

// Replies, parsed: https://developer.hashicorp.com/vault/api-docs/secret/kv/kv-v2
export const mountReply = z.object({
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
/** The reply to a secret that was never written; one that was deleted answers with its metadata. */
export const absentReply = z.union([
  secretReply,
  z.pipe(
    z.object({ errors: z.array(z.string()).check(z.maxLength(0)) }),
    z.transform(() => ({ data: { data: null, metadata: { version: 0 } } })),
  ),
]);
export const writtenReply = z.object({ data: z.object({ version: z.number() }) });
export const capabilitiesReply = z.object({ capabilities: z.array(z.string()) });
