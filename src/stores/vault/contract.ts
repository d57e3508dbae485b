/** Replies of Vault, parsed: https://developer.hashicorp.com/vault/api-docs/secret/kv/kv-v2 */
import * as z from 'zod/mini';

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
