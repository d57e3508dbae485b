import { createHmac, timingSafeEqual } from 'node:crypto';

interface LinkFacts {
  /** Path of the object, which contains the job's id. */
  readonly path: string;
  /** Epoch milliseconds after which the link stops working. */
  readonly expires: number;
  /** Makes each link different. */
  readonly nonce: string;
}

/** Lower-case hexadecimal HMAC-SHA-256 over every part of the link. */
function signLink(secret: string, { path, expires, nonce }: LinkFacts): string {
  return createHmac('sha256', secret).update(`${path}\n${expires}\n${nonce}`).digest('hex');
}

/**
 * Path and query of a signed link; the query is `name=value` joined by `&`, in characters that need
 * no escaping.
 */
export function formatLink(secret: string, facts: LinkFacts): string {
  return `${facts.path}?X-Expires=${facts.expires}&X-Id=${facts.nonce}&X-Signature=${signLink(secret, facts)}`;
}

export type LinkVerdict = 'valid' | 'expired' | 'unsigned' | 'wrong-signature';

export function judgeLink(secret: string, url: URL, now: number): LinkVerdict {
  const [expires, nonce, signature] = ['X-Expires', 'X-Id', 'X-Signature'].map((name) =>
    url.searchParams.get(name),
  );
  if (!expires || !nonce || !signature) return 'unsigned';
  if (!/^\d{1,15}$/.test(expires)) return 'wrong-signature';
  const expected = Buffer.from(
    signLink(secret, { path: url.pathname, expires: Number(expires), nonce }),
  );
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given))
    return 'wrong-signature';
  return now < Number(expires) ? 'valid' : 'expired';
}
