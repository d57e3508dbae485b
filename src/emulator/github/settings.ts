import type { Scope, SecretEntity, VariableEntity, Visibility } from './entities.ts';
import type { SettingSeed } from './seeds.ts';
import { type Ground, toEpochMs } from './store.ts';

/** What a request says about a secret or a variable; undefined fields keep what stands. */
export interface SettingWrite {
  readonly name: string;
  readonly visibility?: Visibility | undefined;
  readonly selectedRepositoryIds?: readonly number[] | undefined;
}

export type SealedWrite = SettingWrite & { readonly encryptedValue: string; readonly keyId: string };

export type SecretWritten = 'created' | 'updated' | 'wrong-key' | 'unreadable';

/** Secrets and variables of every scope, and the key pair that secrets are sealed for. */
export interface Settings {
  secret(scope: Scope, name: string): SecretEntity | undefined;
  setSecret(scope: Scope, seed: SettingSeed): void;
  /** Opens the sealed box and keeps the value. */
  writeSecret(scope: Scope, write: SealedWrite): SecretWritten;
  listSecrets(scope: Scope): SecretEntity[];
  variable(scope: Scope, name: string): VariableEntity | undefined;
  setVariable(scope: Scope, seed: SettingSeed): void;
  writeVariable(scope: Scope, write: SettingWrite & { readonly value: string | undefined }): void;
  deleteVariable(scope: Scope, name: string): void;
  publicKey(): { readonly key_id: string; readonly key: string };
  rotateKey(): void;
  breakKey(key: string): void;
  clearSettings(): void;
}

interface Key {
  readonly id: string;
  readonly pair: { readonly publicKey: Uint8Array; readonly privateKey: Uint8Array };
}

export async function createSettings(ground: Ground): Promise<Settings> {
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  const makeKey = (): Key => ({
    id: String(568250167242549743n + BigInt(ground.nextId())),
    pair: sodium.crypto_box_keypair(),
  });
  const secrets = new Map<string, SecretEntity>();
  const variables = new Map<string, VariableEntity>();
  let key = makeKey();
  let brokenKey: string | undefined;

  const open = (encryptedValue: string): string | undefined => {
    try {
      const box = sodium.from_base64(encryptedValue, sodium.base64_variants.ORIGINAL);
      return sodium.crypto_box_seal_open(box, key.pair.publicKey, key.pair.privateKey, 'text');
    } catch {
      return undefined;
    }
  };
  const stamped = (before: VariableEntity | undefined, write: SettingWrite) => ({
    name: write.name.toUpperCase(),
    createdAt: before?.createdAt ?? ground.now(),
    updatedAt: ground.now(),
    visibility: write.visibility ?? before?.visibility,
    selectedRepositoryIds: write.selectedRepositoryIds ?? before?.selectedRepositoryIds ?? [],
  });
  const seeded = (seed: SettingSeed) => {
    const updatedAt = toEpochMs(seed.updatedAt, ground.now());
    return { ...stamped(undefined, seed), value: seed.value, createdAt: updatedAt, updatedAt };
  };

  return {
    secret: (scope, name) => secrets.get(settingKey(scope, name)),
    setSecret: (scope, seed) => {
      secrets.set(settingKey(scope, seed.name), { ...seeded(seed), encryptedValue: '', keyId: key.id });
    },
    writeSecret(scope, write) {
      if (write.keyId !== key.id) return 'wrong-key';
      const value = open(write.encryptedValue);
      if (value === undefined) return 'unreadable';
      const place = settingKey(scope, write.name);
      const before = secrets.get(place);
      secrets.set(place, {
        ...stamped(before, write),
        value,
        encryptedValue: write.encryptedValue,
        keyId: write.keyId,
      });
      return before ? 'updated' : 'created';
    },
    listSecrets: (scope) =>
      [...secrets].filter(([place]) => place.startsWith(settingKey(scope, ''))).map(([, secret]) => secret),
    variable: (scope, name) => variables.get(settingKey(scope, name)),
    setVariable: (scope, seed) => {
      variables.set(settingKey(scope, seed.name), seeded(seed));
    },
    writeVariable(scope, write) {
      const before = variables.get(settingKey(scope, write.name));
      const value = write.value ?? before?.value ?? '';
      variables.set(settingKey(scope, write.name), { ...stamped(before, write), value });
    },
    deleteVariable: (scope, name) => {
      variables.delete(settingKey(scope, name));
    },
    publicKey: () => ({
      key_id: key.id,
      key: brokenKey ?? sodium.to_base64(key.pair.publicKey, sodium.base64_variants.ORIGINAL),
    }),
    rotateKey: () => {
      key = makeKey();
      brokenKey = undefined;
    },
    breakKey: (text) => {
      brokenKey = text;
    },
    clearSettings: () => {
      secrets.clear();
      variables.clear();
      brokenKey = undefined;
    },
  };
}

function settingKey(scope: Scope, name: string): string {
  const place =
    scope.scope === 'organization'
      ? `orgs/${scope.organization}`
      : scope.scope === 'environment'
        ? `repos/${scope.repository}/environments/${encodeURIComponent(scope.environment)}`
        : `repos/${scope.repository}`;
  return `${place.toLowerCase()}:${name.toUpperCase()}`;
}
