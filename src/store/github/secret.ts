import * as z from 'zod/mini';
import type { Clock } from '../../clock.ts';
import { CourierError } from '../../errors.ts';
import type { Octokit } from '../../github/client.ts';
import { readReply } from '../../github/reply.ts';
import type { SecretTarget } from '../../inputs/inputs.ts';
import { accessFields, readAccess, type SettingAccess } from './access.ts';
import { explainSettingError } from './advice.ts';
import { settingScope, targetName } from './scope.ts';
import { seal } from './sealed-box.ts';

/** One Actions secret. All failures are CourierErrors that name the permission that is missing. */
export interface SecretStore {
  /** Of an organization's secret: who sees it, as the inputs say or as it stands. */
  readonly access: SettingAccess | undefined;
  /** Seals and writes the value, and looks that it arrived. */
  write(value: string): Promise<void>;
}

export interface SecretStoreInit {
  readonly octokit: Octokit;
  readonly target: SecretTarget;
  readonly name: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const publicKey = z.object({ key_id: z.string(), key: z.string() });
const metadata = z.object({
  updated_at: z.string(),
  visibility: z.optional(z.enum(['all', 'private', 'selected'])),
});
type Metadata = z.infer<typeof metadata>;
const secretList = z.object({ total_count: z.number() });

// Replicas of GitHub show a write with a delay; its timestamps have whole seconds, of another machine's clock.
const VISIBLE_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 1000;
const CLOCK_SLACK_MS = 5000;
// https://docs.github.com/actions/reference/security/secrets, limits.
const MOST_SECRETS = { repository: 100, environment: 100, organization: 1000 } as const;

/** Reads the public key and what stands there: a token that cannot reach the secret fails here, before anything is started. */
export async function openSecret(init: SecretStoreInit): Promise<SecretStore> {
  const api = secretApi(init);
  await api.readKey();
  const existing = await api.readMetadata();
  const access = await readAccess({ ...init, existing, explained: api.explained });
  return {
    access,
    async write(value) {
      const before = await api.readMetadata();
      const { status, writtenAtMs } = await writeSealed({ api, init, value, access, isNew: before === undefined });
      if (status === 204) await awaitWrite({ api, init, before, writtenAtMs });
    },
  };
}

interface Written {
  readonly status: number;
  readonly writtenAtMs: number | undefined;
}

type SecretApi = ReturnType<typeof secretApi>;

function secretApi({ octokit, target, name }: SecretStoreInit) {
  const { path, parameters } = settingScope(target);
  const named = { ...parameters, secret_name: name };
  async function explained<T>(action: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw explainSettingError(error, { target, kind: 'secrets', action });
    }
  }
  return {
    explained,
    readKey: () =>
      explained('read the public key', async () => {
        const { data } = await octokit.request(`GET ${path}/secrets/public-key`, { ...parameters });
        return readReply(publicKey, data);
      }),
    readMetadata: () =>
      explained(`read the date of secret ${name}`, async () => {
        try {
          const { data } = await octokit.request(`GET ${path}/secrets/{secret_name}`, named);
          return readReply(metadata, data);
        } catch (error) {
          if (error instanceof CourierError && error.code === 'not-found') return undefined;
          throw error;
        }
      }),
    put: async (body: Record<string, unknown>): Promise<Written> => {
      const { status, headers } = await octokit.request(`PUT ${path}/secrets/{secret_name}`, { ...named, ...body });
      const at = Date.parse(headers.date ?? '');
      return { status, writtenAtMs: Number.isNaN(at) ? undefined : at };
    },
    count: async (): Promise<number> => {
      const { data } = await octokit.request(`GET ${path}/secrets`, { ...parameters, per_page: 1 });
      return readReply(secretList, data).total_count;
    },
  };
}

interface WriteSealed {
  readonly api: SecretApi;
  readonly init: SecretStoreInit;
  readonly value: string;
  readonly access: SettingAccess | undefined;
  readonly isNew: boolean;
}

async function writeSealed({ api, init, value, access, isNew }: WriteSealed): Promise<Written> {
  const attempt = async () => {
    const { key, key_id } = await api.readKey();
    const encrypted_value = await seal(value, key);
    return api.put({ encrypted_value, key_id, ...accessFields(access) });
  };
  const action = `write secret ${init.name}`;
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof CourierError)) throw error;
    if (isNew && (await isFull(error, api, init))) throw fullError(error, init);
    // The key may have been changed between reading it and writing: once more, with the key of now.
    if (error.httpStatus === 422) return api.explained(action, attempt);
    throw explainSettingError(error, { target: init.target, kind: 'secrets', action });
  }
}

// GitHub refuses a secret beyond the limit with a status that it also uses for other reasons; the count tells.
async function isFull(error: CourierError, api: SecretApi, { target }: SecretStoreInit): Promise<boolean> {
  if (error.httpStatus !== 422 && error.httpStatus !== 403) return false;
  try {
    return (await api.count()) >= MOST_SECRETS[target.scope];
  } catch (failed) {
    if (failed instanceof CourierError && failed.code !== 'cancelled') return false;
    throw failed;
  }
}

function fullError(cause: CourierError, { name, target }: SecretStoreInit): CourierError {
  return new CourierError({
    code: 'forbidden',
    message: `Secret ${name} was not written: ${targetName(target)} already has ${MOST_SECRETS[target.scope]} secrets, which is GitHub's limit.`,
    hint: 'Delete a secret that is no longer used, take the name of an existing one, or another secret-scope.',
    httpStatus: cause.httpStatus,
    cause,
  });
}

interface AwaitWrite {
  readonly api: SecretApi;
  readonly init: SecretStoreInit;
  readonly before: Metadata | undefined;
  readonly writtenAtMs: number | undefined;
}

/** A 204 says that the secret was accepted; its date says that it was changed. */
async function awaitWrite({ api, init, before, writtenAtMs }: AwaitWrite): Promise<void> {
  const { clock, signal, name, target } = init;
  const endMs = clock.monotonicMs() + VISIBLE_WITHIN_MS;
  for (;;) {
    const now = await api.readMetadata();
    if (now !== undefined && isWritten(now, before, writtenAtMs)) return;
    if (clock.monotonicMs() >= endMs) break;
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
  throw new CourierError({
    code: 'integrity',
    message: `GitHub accepted secret ${name} of ${targetName(target)}, but still shows it unchanged after ${VISIBLE_WITHIN_MS / 1000} s.`,
    hint: 'The secret may hold the former link or the new one. Run again to write it once more.',
  });
}

function isWritten(now: Metadata, before: Metadata | undefined, writtenAtMs: number | undefined): boolean {
  if (now.updated_at !== before?.updated_at) return true;
  const updatedMs = Date.parse(now.updated_at);
  return writtenAtMs !== undefined && updatedMs >= writtenAtMs - CLOCK_SLACK_MS;
}
