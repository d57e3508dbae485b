import * as z from 'zod/mini';
import type { Clock } from '../../clock.ts';
import { CourierError, hasCode } from '../../errors.ts';
import { readReply } from '../../github/client.ts';
import { accessFields, type SettingAccess } from './access.ts';
import { explainSettingError } from './advice.ts';
import { seal } from './sealed-box.ts';
import type { GitHubSettings } from './settings.ts';
import { targetName } from './target.ts';

const publicKey = z.object({ key_id: z.string(), key: z.string() });
type PublicKey = z.infer<typeof publicKey>;
const metadata = z.object({
  updated_at: z.string(),
  visibility: z.optional(z.enum(['all', 'private', 'selected'])),
});
type SecretMetadata = z.infer<typeof metadata>;
const secretList = z.object({ total_count: z.number() });

// Replicas of GitHub show a write with a delay; its timestamps have whole seconds, of another machine's clock.
const VISIBLE_WITHIN_MS = 10_000;
const READ_EVERY_MS = 1000;
const CLOCK_SLACK_MS = 5000;
// https://docs.github.com/actions/reference/security/secrets, limits.
const MAX_SECRETS = { repository: 100, environment: 100, organization: 1000 } as const;

/** How GitHub answered a PUT. */
interface Written {
  readonly status: number;
  /** By the `Date` header. */
  readonly atMs: number | undefined;
}

/** One Actions secret. All failures are CourierErrors that name the permission that is missing. */
export class GitHubSecret {
  readonly #settings: GitHubSettings;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;

  constructor(settings: GitHubSettings, clock: Clock, signal: AbortSignal) {
    this.#settings = settings;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** The key that a new value is sealed with. A token that cannot reach the secret fails here. */
  async readKey(): Promise<PublicKey> {
    const { path, parameters } = this.#settings.scope;
    const { data } = await this.#settings.call('secrets', 'read the public key', (octokit) =>
      octokit.request(`GET ${path}/secrets/public-key`, { ...parameters }),
    );
    return readReply(publicKey, data);
  }

  /** undefined: there is no such secret. */
  async readMetadata(): Promise<SecretMetadata | undefined> {
    const { path } = this.#settings.scope;
    try {
      const { data } = await this.#settings.call(
        'secrets',
        `read the date of secret ${this.#settings.name}`,
        (octokit) => octokit.request(`GET ${path}/secrets/{secret_name}`, this.#named),
      );
      return readReply(metadata, data);
    } catch (error) {
      if (hasCode(error, 'not-found')) return undefined;
      throw error;
    }
  }

  /**
   * Seals and writes the value, confirms that it arrived, and gives the time of the write by GitHub's clock. An error
   * without `mayHaveStarted` is a refusal: the secret holds what it held before.
   */
  async write(value: string, access: SettingAccess | undefined): Promise<number | undefined> {
    const before = await this.readMetadata();
    const written = await this.#put(value, access, before === undefined);
    try {
      // 201: it is new. The read is for the date alone.
      if (written.status === 201) return (await this.#readDate()) ?? written.atMs;
      return await this.#confirm(before, written.atMs);
    } catch (error) {
      throw error instanceof CourierError ? error.with({ mayHaveStarted: true }) : error;
    }
  }

  get #named() {
    return { ...this.#settings.scope.parameters, secret_name: this.#settings.name };
  }

  async #put(value: string, access: SettingAccess | undefined, isNew: boolean): Promise<Written> {
    const key = await this.readKey();
    try {
      return await this.#putOnce(value, key, access);
    } catch (error) {
      if (!(error instanceof CourierError) || error.mayHaveStarted) throw this.#explain(error);
      if (isNew && (await this.#isFull(error))) throw this.#fullError(error);
      if (error.httpStatus !== 422) throw this.#explain(error);
    }
    // The key may have been changed between reading it and writing: once more, with the current key.
    const current = await this.readKey();
    try {
      return await this.#putOnce(value, current, access);
    } catch (error) {
      throw this.#explain(error);
    }
  }

  async #putOnce(value: string, { key, key_id }: PublicKey, access: SettingAccess | undefined): Promise<Written> {
    const encrypted_value = await seal(value, key);
    const { path } = this.#settings.scope;
    const { status, headers } = await this.#settings.request((octokit) =>
      octokit.request(`PUT ${path}/secrets/{secret_name}`, {
        ...this.#named,
        encrypted_value,
        key_id,
        ...accessFields(access),
      }),
    );
    const atMs = Date.parse(headers.date ?? '');
    return { status, atMs: Number.isNaN(atMs) ? undefined : atMs };
  }

  #explain(error: unknown): unknown {
    const { target, name } = this.#settings;
    return explainSettingError(error, { target, kind: 'secrets', action: `write secret ${name}` });
  }

  // GitHub refuses a secret beyond the limit with a status that it also uses for other reasons; the count decides.
  async #isFull(error: CourierError): Promise<boolean> {
    if (error.httpStatus !== 422 && error.httpStatus !== 403) return false;
    const { path, parameters } = this.#settings.scope;
    try {
      const { data } = await this.#settings.request((octokit) =>
        octokit.request(`GET ${path}/secrets`, { ...parameters, per_page: 1 }),
      );
      return readReply(secretList, data).total_count >= MAX_SECRETS[this.#settings.target.scope];
    } catch (failed) {
      if (failed instanceof CourierError && failed.code !== 'cancelled') return false;
      throw failed;
    }
  }

  #fullError(error: CourierError): CourierError {
    const { target, name } = this.#settings;
    return error.with({
      code: 'forbidden',
      message: `Secret ${name} was not written: ${targetName(target)} already has ${MAX_SECRETS[target.scope]} secrets, which is GitHub's limit.`,
      hint: 'Delete a secret that is no longer used, use the name of an existing one, or use another scope.',
    });
  }

  async #readDate(): Promise<number | undefined> {
    try {
      return readTime(await this.readMetadata());
    } catch (error) {
      if (error instanceof CourierError && error.code !== 'cancelled') return undefined;
      throw error;
    }
  }

  /** A reply such as 204 shows that the secret was accepted; its date shows that it was changed. */
  async #confirm(before: SecretMetadata | undefined, writtenAtMs: number | undefined): Promise<number | undefined> {
    const endMs = this.#clock.monotonicMs() + VISIBLE_WITHIN_MS;
    for (let reads = 1; ; reads += 1) {
      const now = await this.readMetadata();
      if (now !== undefined && now.updated_at !== before?.updated_at) return readTime(now);
      // Two writes within one second have the same date. It may also be the date from before, of a replica that is behind:
      // hence a second read, and the later one of both times.
      const sameMs = readTime(now);
      if (reads > 1 && sameMs !== undefined && writtenAtMs !== undefined && sameMs >= writtenAtMs - CLOCK_SLACK_MS) {
        return Math.max(sameMs, writtenAtMs);
      }
      if (this.#clock.monotonicMs() >= endMs) break;
      await this.#clock.sleep(READ_EVERY_MS, this.#signal);
    }
    const { target, name } = this.#settings;
    throw new CourierError({
      code: 'integrity',
      message: `GitHub accepted secret ${name} of ${targetName(target)}, but still shows it unchanged after ${VISIBLE_WITHIN_MS / 1000}s.`,
      hint: 'The secret may hold the former link or the new one. Run again to write it once more.',
    });
  }
}

/** When the secret was last written, epoch milliseconds. */
export function readTime(metadata: SecretMetadata | undefined): number | undefined {
  const ms = Date.parse(metadata?.updated_at ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}
