import type { Scope, SecretEntity, VariableEntity, Visibility } from './entities.ts';
import { type Ground, toEpochMs } from './ground.ts';
import { SealingKey } from './sealed-box.ts';
import type { SettingSeed } from './seeds.ts';

/** What a request says about a secret or a variable; undefined fields keep their value. */
export interface SettingWrite {
  readonly name: string;
  readonly visibility?: Visibility | undefined;
  readonly selectedRepositoryIds?: readonly number[] | undefined;
}

type SealedWrite = SettingWrite & { readonly encryptedValue: string; readonly keyId: string };

type SecretWritten = 'created' | 'updated' | 'wrong-key' | 'unreadable';

interface Key {
  readonly id: string;
  readonly pair: SealingKey;
}

/** Secrets and variables of every scope, and the key pair that secrets are encrypted with. */
export class Settings {
  readonly #ground: Ground;
  readonly #secrets = new Map<string, SecretEntity>();
  readonly #variables = new Map<string, VariableEntity>();
  #key: Key;
  #brokenKey: string | undefined;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#key = this.#makeKey();
  }

  secret(scope: Scope, name: string): SecretEntity | undefined {
    return this.#secrets.get(settingKey(scope, name));
  }

  setSecret(scope: Scope, seed: SettingSeed): void {
    const secret = { ...this.#seeded(seed), encryptedValue: '', keyId: this.#key.id };
    this.#secrets.set(settingKey(scope, seed.name), secret);
  }

  /** Opens the sealed box and stores the value. */
  writeSecret(scope: Scope, write: SealedWrite): SecretWritten {
    const { encryptedValue, keyId } = write;
    if (keyId !== this.#key.id) return 'wrong-key';
    const value = this.#key.pair.open(Buffer.from(encryptedValue, 'base64'));
    if (value === undefined) return 'unreadable';
    const place = settingKey(scope, write.name);
    const before = this.#secrets.get(place);
    this.#secrets.set(place, { ...this.#stamped(before, write), value, encryptedValue, keyId });
    return before ? 'updated' : 'created';
  }

  listSecrets(scope: Scope): SecretEntity[] {
    return [...this.#secrets]
      .filter(([place]) => place.startsWith(settingKey(scope, '')))
      .map(([, secret]) => secret);
  }

  listVariables(scope: Scope): VariableEntity[] {
    return [...this.#variables]
      .filter(([place]) => place.startsWith(settingKey(scope, '')))
      .map(([, one]) => one);
  }

  variable(scope: Scope, name: string): VariableEntity | undefined {
    return this.#variables.get(settingKey(scope, name));
  }

  setVariable(scope: Scope, seed: SettingSeed): void {
    this.#variables.set(settingKey(scope, seed.name), this.#seeded(seed));
  }

  writeVariable(scope: Scope, write: SettingWrite & { readonly value: string | undefined }): void {
    const place = settingKey(scope, write.name);
    const before = this.#variables.get(place);
    this.#variables.set(place, {
      ...this.#stamped(before, write),
      value: write.value ?? before?.value ?? '',
    });
  }

  deleteVariable(scope: Scope, name: string): void {
    this.#variables.delete(settingKey(scope, name));
  }

  /** A repository was renamed: its secrets and variables stay. `from` and `to`: `owner/name`. */
  rename(from: string, to: string): void {
    const start = new RegExp(`^repos/${from.toLowerCase()}(?=[:/])`);
    for (const settings of [this.#secrets, this.#variables]) renameKeys(settings, start, to);
  }

  /** Everything, for people: scope, name and value. */
  listSettings() {
    const plain = ([place, { value, updatedAt }]: [string, VariableEntity]) => ({
      place,
      value,
      updatedAt,
    });
    return { secrets: [...this.#secrets].map(plain), variables: [...this.#variables].map(plain) };
  }

  publicKey(): { readonly key_id: string; readonly key: string } {
    const key = this.#brokenKey ?? Buffer.from(this.#key.pair.publicKey).toString('base64');
    return { key_id: this.#key.id, key };
  }

  /** From now on, sealed boxes for earlier keys are refused. */
  rotateKey(): void {
    this.#key = this.#makeKey();
    this.#brokenKey = undefined;
  }

  /** What `publicKey` returns from now on, until `rotateKey`. */
  breakKey(key: string): void {
    this.#brokenKey = key;
  }

  clear(): void {
    this.#secrets.clear();
    this.#variables.clear();
    this.#brokenKey = undefined;
  }

  #makeKey(): Key {
    return {
      id: String(568250167242549743n + BigInt(this.#ground.nextId())),
      pair: new SealingKey(),
    };
  }

  #stamped(before: VariableEntity | undefined, write: SettingWrite) {
    return {
      name: write.name.toUpperCase(),
      createdAt: before?.createdAt ?? this.#ground.now(),
      updatedAt: this.#ground.now(),
      visibility: write.visibility ?? before?.visibility,
      selectedRepositoryIds: write.selectedRepositoryIds ?? before?.selectedRepositoryIds ?? [],
    };
  }

  #seeded(seed: SettingSeed) {
    const updatedAt = toEpochMs(seed.updatedAt, this.#ground.now());
    return {
      ...this.#stamped(undefined, seed),
      value: seed.value,
      createdAt: updatedAt,
      updatedAt,
    };
  }
}

function renameKeys<T>(settings: Map<string, T>, start: RegExp, to: string): void {
  for (const [place, setting] of [...settings]) {
    if (!start.test(place)) continue;
    settings.delete(place);
    settings.set(place.replace(start, `repos/${to.toLowerCase()}`), setting);
  }
}

function settingKey(scope: Scope, name: string): string {
  return `${placeOf(scope).toLowerCase()}:${name.toUpperCase()}`;
}

function placeOf(scope: Scope): string {
  if (scope.scope === 'organization') return `orgs/${scope.organization}`;
  const repository = `repos/${scope.repository}`;
  return scope.scope === 'environment'
    ? `${repository}/environments/${encodeURIComponent(scope.environment)}`
    : repository;
}
