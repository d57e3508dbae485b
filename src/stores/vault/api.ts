import * as z from 'zod/mini';
import type { HttpReply } from '../../http/exchange.ts';
import type { Http, HttpRequest } from '../../http/http.ts';
import type { Meaning, Service } from '../../http/service.ts';
import { parseJson } from '../../text/json.ts';

// https://developer.hashicorp.com/vault/api-docs#error-response
const errors = z.object({ errors: z.array(z.string()) });

const service: Service = {
  name: 'Vault',
  addressSetting: 'vault-address',
  authoritySetting: 'VAULT_CACERT or VAULT_CACERT_BYTES',
  errorText: (reply) => {
    const parsed = errors.safeParse(parseJson(reply.body.toString('utf8')));
    return parsed.success ? parsed.data.errors.join('; ') : undefined;
  },
  meaning,
};

function meaning({ status }: HttpReply): Meaning | undefined {
  switch (status) {
    case 403:
      // Vault answers 403 to a wrong token too, never 401.
      return { hint: 'The token has expired, or its policy does not allow this.' };
    case 412:
      // https://developer.hashicorp.com/vault/docs/enterprise/consistency: nothing was done.
      return { code: 'network', hint: 'A node of the Vault cluster is behind the others. Run again.', retry: 'safe' };
    case 503:
      return { hint: 'Vault is sealed or in maintenance. Unseal it, then run again.', retry: 'if-repeatable' };
    default:
      return undefined;
  }
}

interface VaultRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below `/v1/`; each part is escaped. */
  readonly path: readonly string[];
  readonly body?: unknown;
  readonly token?: string | undefined;
  readonly repeat: HttpRequest['repeat'];
  readonly signal?: AbortSignal | undefined;
}

interface VaultApiInit {
  readonly http: Http;
  /** `https://vault.example.com:8200`, without a trailing slash. */
  readonly address: string;
  readonly namespace: string | undefined;
  /** PEM. */
  readonly ca: string | undefined;
}

/** Vault's HTTP API, and OpenBao's: requests with limits, retries and errors of the common ground. */
export class VaultApi {
  readonly address: string;
  readonly #init: VaultApiInit;

  constructor(init: VaultApiInit) {
    this.address = init.address;
    this.#init = init;
  }

  /** Throws a CourierError, and only that. `missing` is the schema of a 404 that is an answer. */
  async send<T>(request: VaultRequest, schema: z.ZodMiniType<T>, missing?: z.ZodMiniType<T>): Promise<T> {
    const { http, address, namespace, ca } = this.#init;
    const isPatch = request.method === 'PATCH';
    const { value } = await http.requestJson(
      {
        service,
        method: request.method,
        url: new URL(`${address}/v1/${request.path.map(encodeURIComponent).join('/')}`),
        repeat: request.repeat,
        signal: request.signal,
        tls: { ca },
        headers: {
          accept: 'application/json',
          // Vault refuses requests that a browser could be tricked into without it, where it is set up so.
          'x-vault-request': 'true',
          ...(request.token !== undefined && { 'x-vault-token': request.token }),
          ...(namespace !== undefined && { 'x-vault-namespace': namespace }),
          ...(request.body !== undefined && {
            'content-type': isPatch ? 'application/merge-patch+json' : 'application/json',
          }),
        },
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      },
      schema,
      missing && { status: 404, schema: missing },
    );
    return value;
  }
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
