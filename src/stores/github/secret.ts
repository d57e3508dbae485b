import * as z from 'zod/mini';
import { MAY_BE_ABSENT, ONCE, readReply } from '../../github/client.ts';
import type { Clock } from '../../ground/clock.ts';
import {
  amended,
  assertFailure,
  CourierError,
  courierError,
  ERROR_CODES,
  protocolError,
} from '../../ground/errors.ts';
import { readTime } from '../../ground/text/instants.ts';
import { accessFields, type GitHubSettings, type SettingAccess } from './settings.ts';

const publicKeyReply = z.object({ key_id: z.string(), key: z.string() });
type PublicKey = z.infer<typeof publicKeyReply>;
const metadata = z.object({
  updated_at: z.string(),
  visibility: z.optional(z.enum(['all', 'private', 'selected'])),
});
export type SecretMetadata = z.infer<typeof metadata>;

const KEY_BYTES = 32;

// Replicas of GitHub show a write with a delay; its timestamps have whole seconds, of another
// machine's clock.
const VISIBLE_WITHIN_MS = 10_000;
const READ_EVERY_MS = 1000;
const CLOCK_SLACK_MS = 5000;
// How long to wait for a new date if it may be equal to the former one: longer than a second, since
// timestamps have whole seconds.
const SAME_DATE_FOR_MS = 2000;
const SECOND_MS = 1000;

interface SecretWrite {
  readonly value: string;
  readonly access: SettingAccess | undefined;
  /** undefined: the secret is new. */
  readonly formerSecret: { readonly writtenAtMs?: number | undefined } | undefined;
}

/**
 * The public key with which new values are sealed. Throws if the token cannot reach the secret.
 * `scopes`: the scopes that GitHub lists for a classic token.
 */
export async function readPublicKey(settings: GitHubSettings) {
  const reply = await settings.call('read the public key', 'GET /secrets/public-key');
  const publicKey = readReply(publicKeyReply, reply.data);
  // Throws for an unusable key now, and not only after the export.
  keyBytes(publicKey.key);
  return { publicKey, scopes: reply.headers['x-oauth-scopes'] };
}

/** One Actions secret. All failures are CourierErrors that name the permission that is missing. */
export class GitHubSecret {
  readonly #settings: GitHubSettings;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  /** The public key with which new values are sealed; undefined: it was not read yet. */
  publicKey: PublicKey | undefined;

  constructor(settings: GitHubSettings, clock: Clock, signal: AbortSignal) {
    this.#settings = settings;
    this.#clock = clock;
    this.#signal = signal;
  }

  /**
   * What GitHub shows of the secret, which is not its value; undefined: there is no such secret.
   */
  async readMetadata(signal?: AbortSignal): Promise<SecretMetadata | undefined> {
    const name = this.#settings.name;
    const settings = this.#settings.withSignal(signal);
    const action = `read the date of secret ${name}`;
    const route = 'GET /secrets/{secret_name}';
    const reply = await settings.call(action, route, { secret_name: name }, MAY_BE_ABSENT);
    if (reply.status === 404) return undefined;
    return readReply(metadata, reply.data);
  }

  /**
   * Seals and writes the value, confirms that it arrived, and gives the time of the write by
   * GitHub's clock. An error without `mayHaveActed` is a refusal: the secret has its previous
   * value.
   */
  async write(wanted: SecretWrite): Promise<number | undefined> {
    await this.#awaitNextSecond(wanted.formerSecret?.writtenAtMs);
    const { status, repliedAtMs } = await this.#put(wanted);
    // GitHub answers 201 only once it has created the secret, which confirms the write: it is read
    // only for its date, which a replica without the secret does not show yet. If a secret was there
    // before, a replica may still show the former date. 204 says only that the value was accepted.
    const isCreated = status === 201 && wanted.formerSecret === undefined;
    const date = isCreated ? this.#readDate(repliedAtMs) : this.#confirm(wanted, repliedAtMs);
    // GitHub has accepted the write: only its confirmation can fail.
    return amended(ERROR_CODES, date, () => ({ mayHaveActed: true }));
  }

  /**
   * Waits until the second of the last write has passed: two writes within one second have the same
   * date, and the date is all that shows the second write.
   */
  async #awaitNextSecond(formerMs: number | undefined): Promise<void> {
    if (formerMs === undefined) return;
    const waitMs = formerMs + SECOND_MS - this.#clock.now();
    // More than a second: this machine's clock is behind GitHub's, and cannot say when it ends.
    if (waitMs > 0 && waitMs <= SECOND_MS) await this.#clock.sleep(waitMs, this.#signal);
  }

  /** Writes the secret, and once more with a new public key if GitHub refuses the first write. */
  async #put(wanted: SecretWrite) {
    try {
      return await this.#putOnce(wanted);
    } catch (error) {
      // The secret may have been written: the caller reads it before it writes again.
      if (!(error instanceof CourierError) || error.mayHaveActed) throw error;
      const isNew = wanted.formerSecret === undefined;
      // The write of an existing secret cannot exceed GitHub's limit.
      if (isNew) await this.#settings.throwIfFull('secrets', this.#settings.name, error);
      // 422: something in the request is invalid, such as a key that was changed since it was read.
      const isKeySuspect = error.httpStatus === 422;
      if (!isKeySuspect) throw error;
    }
    // `#putOnce` reads the current key if there is none.
    this.publicKey = undefined;
    return this.#putOnce(wanted);
  }

  /** Writes the secret. Gives the status of the reply, and its time by the `Date` header. */
  async #putOnce(wanted: SecretWrite) {
    this.publicKey ??= (await readPublicKey(this.#settings)).publicKey;
    const name = this.#settings.name;
    const fields = {
      secret_name: name,
      encrypted_value: await seal(wanted.value, this.publicKey.key),
      key_id: this.publicKey.key_id,
      ...accessFields(wanted.access),
    };
    const reply = await this.#settings.call(
      `write secret ${name}`,
      'PUT /secrets/{secret_name}',
      fields,
      ONCE,
    );
    return { status: reply.status, repliedAtMs: readTime(reply.headers.date) };
  }

  /** The date of the secret; that of the reply to its write if it cannot be read. */
  async #readDate(repliedAtMs: number | undefined): Promise<number | undefined> {
    try {
      return readTime((await this.readMetadata())?.updated_at) ?? repliedAtMs;
    } catch (error) {
      assertFailure(error);
      return repliedAtMs;
    }
  }

  /**
   * Reads the secret until its date shows the write, and gives this date. Throws `integrity` if the
   * date does not change in time. `repliedAtMs`: when GitHub answered the write, by its clock;
   * undefined: the reply had no date.
   */
  async #confirm(wanted: SecretWrite, repliedAtMs: number | undefined): Promise<number> {
    const formerMs = wanted.formerSecret?.writtenAtMs;
    // An earlier date than this is that of another write, which a replica still shows. Without a
    // date of the reply, each date but the former one counts.
    const earliestMs = (repliedAtMs ?? 0) - CLOCK_SLACK_MS;
    // The former write is so recent that this one may have its date, if this machine's clock was
    // wrong when `#awaitNextSecond` waited. Then the date never changes: this ends soon, and the
    // caller writes again.
    const mayHaveSameDate =
      repliedAtMs !== undefined && formerMs !== undefined && formerMs >= earliestMs;
    const withinMs = mayHaveSameDate ? SAME_DATE_FOR_MS : VISIBLE_WITHIN_MS;
    const endMs = this.#clock.monotonicMs() + withinMs;
    for (;;) {
      const shownMs = readTime((await this.readMetadata())?.updated_at);
      const isNewDate = shownMs !== undefined && shownMs !== formerMs && shownMs >= earliestMs;
      if (isNewDate) return shownMs;
      if (this.#clock.monotonicMs() >= endMs) break;
      await this.#clock.sleep(READ_EVERY_MS, this.#signal);
    }
    throw courierError(
      'integrity',
      `GitHub accepted secret ${this.#settings.name} of ${this.#settings.scope.name}, but still shows it unchanged after ${withinMs / 1000}s.`,
      'The secret may contain the previous link or the new one. Run again to write it once more.',
    );
  }
}

/**
 * Seals a secret for the holder of a public key (X25519, base64): a libsodium sealed box, base64.
 * Two seals always differ.
 */
export async function seal(value: string, publicKey: string): Promise<string> {
  const key = keyBytes(publicKey);
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  try {
    // libsodium refuses some keys that have the right length.
    return Buffer.from(sodium.crypto_box_seal(value, key)).toString('base64');
  } catch (cause) {
    throw unusableKey(cause);
  }
}

/** The bytes of the key. Throws `protocol` if it is not a usable one. */
function keyBytes(publicKey: string): Buffer {
  // `Buffer.from` skips characters that are not base64, and would give another key.
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(publicKey);
  if (!isBase64) throw unusableKey();
  const key = Buffer.from(publicKey, 'base64');
  // Anyone could open what is sealed with a key of zeros.
  const isZero = key.every((byte) => byte === 0);
  if (key.length !== KEY_BYTES || isZero) throw unusableKey();
  return key;
}

function unusableKey(cause?: unknown): CourierError {
  return protocolError(
    'The public key that GitHub gave for sealing secrets is not a usable X25519 key of 32 bytes.',
    'Nothing was written. If a proxy is between the runner and GitHub, check whether it changes replies.',
    { cause },
  );
}
