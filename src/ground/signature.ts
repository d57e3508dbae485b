import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * Signatures that show that the writer of a record had the admin key. Others can write where
 * records are stored (an Actions variable, a comment by the workflow's token), but without the key
 * they cannot forge a record or move it elsewhere.
 */

interface Signing {
  /** The admin key. It is never used itself: each purpose has a key derived from it. */
  readonly secret: string;
  /**
   * What the signature is for, such as `docs-courier/record/v1`: a signature for one purpose is not
   * valid for another.
   */
  readonly purpose: string;
  /**
   * The record and its place, as a JSON value. The order of keys does not matter; `undefined`
   * counts as absent.
   */
  readonly payload: unknown;
}

const KEY_BYTES = 32;

/** The HMAC-SHA-256 of the payload as base64url without padding, 43 characters. */
export function sign(signing: Signing): string {
  // RFC 5869, without a salt: the secret itself has enough entropy.
  const key = Buffer.from(hkdfSync('sha256', signing.secret, '', signing.purpose, KEY_BYTES));
  return createHmac('sha256', key).update(canonicalJson(signing.payload)).digest('base64url');
}

/** True if the signature is the one that `sign` gives for this secret, purpose and payload. */
export function verify(signed: Signing & { readonly signature: string }): boolean {
  const expected = Buffer.from(sign(signed));
  const given = Buffer.from(signed.signature);
  // `timingSafeEqual` throws if the lengths differ.
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** JSON with the keys of every object in order, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  const sortKeys = (_key: string, part: unknown) => {
    if (!isRecord(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  // `undefined` has no JSON.
  return JSON.stringify(value, sortKeys) ?? 'null';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
