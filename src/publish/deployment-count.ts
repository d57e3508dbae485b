import * as z from 'zod/mini';
import { sign, verify } from '../signature.ts';
import { parseJson } from '../text/json.ts';

/** What the count of a deployment is bound to. */
interface Signing {
  readonly adminApiKey: string;
  readonly repository: string;
  readonly environment: string;
  /** Of the first destination; undefined: the link is written nowhere. */
  readonly destination: string | undefined;
}

const PURPOSE = 'docs-courier/deployment/v1';
const payload = z.object({ version: z.literal(1), count: z.int(), signature: z.string() });

/**
 * What is stored with a deployment: the count that the state has once it has succeeded. Who can write the state cannot make
 * one up, and has to take the deployment away as well to hide that a state is an earlier one.
 */
export function countedPayload(count: number | undefined, { adminApiKey, ...bound }: Signing) {
  if (count === undefined || bound.destination === undefined) return { version: 1 };
  const signature = sign({ secret: adminApiKey, purpose: PURPOSE, payload: { count, ...bound } });
  return { version: 1, count, signature };
}

/** undefined: there is none that was signed with this key for this destination. */
export function readCount(stored: unknown, { adminApiKey, ...bound }: Signing): number | undefined {
  // GitHub gives a payload as it was sent: an object, or a text.
  const parsed = payload.safeParse(typeof stored === 'string' ? parseJson(stored) : stored);
  if (!parsed.success) return undefined;
  const { count, signature } = parsed.data;
  const isValid = verify({ secret: adminApiKey, purpose: PURPOSE, payload: { count, ...bound }, signature });
  return isValid ? count : undefined;
}
