import { CourierError, hasCode } from '../../errors.ts';
import { JsonApi, ONCE } from '../../http/api.ts';
import type { Http } from '../../http/http.ts';
import {
  type CheckResult,
  type LinkStore,
  readBack,
  readLinkValue,
  type Snapshot,
  type StoreChange,
  type StoreNames,
  type StoreUse,
  shows,
  staleError,
} from '../port.ts';
import { formatAddress, type VaultAddress } from './address.ts';
import {
  absentReply,
  checkCapabilities,
  checkMount,
  type LoginInit,
  logIn,
  policyFor,
  secretReply,
  type VaultServer,
  vault,
  vaultAccess,
  writtenReply,
} from './api.ts';

export interface VaultStoreInit extends LoginInit {
  readonly address: VaultAddress;
  readonly server: VaultServer;
  readonly http: Http;
}

/**
 * One key of a secret in a KV engine of version 2, of HashiCorp Vault or OpenBao. Link and state
 * are two keys of the same version: one write with check-and-set, so that no other write is lost.
 * Other keys stay as they are.
 */
export class VaultStore implements LinkStore {
  readonly names: StoreNames;
  readonly can = { guard: 'versions', shows: 'value' } as const;
  readonly #init: VaultStoreInit;
  readonly #api: JsonApi;
  readonly #stateKey: string;
  #mountId: string | undefined;
  /** The version that was read last, if its data was deleted. */
  #deletedVersion: string | undefined;
  #token: string | undefined;

  constructor(init: VaultStoreInit) {
    const { address, server, auth, http, mask } = init;
    if (auth.kind === 'token') mask(auth.token);
    if (auth.kind === 'approle') mask(auth.secretId);
    this.#init = init;
    this.#api = new JsonApi(http, vault, () => vaultAccess(server, this.#token));
    this.#stateKey = `${address.key}_state`;
    const secret = `secret ${address.mount}/${address.path} in Vault`;
    this.names = {
      destination: formatAddress(address),
      name: address.key,
      target: secret,
      link: `key ${address.key} of ${secret}`,
      state: `key ${this.#stateKey} of ${secret}`,
      stateRight: `capability "patch" on ${address.mount}/data/${address.path}`,
    };
  }

  /**
   * Bound to the mount by its id: one Vault has several addresses, and a state that one run signed
   * through one of them must be valid through another. Known after `preflight`.
   */
  get signedAddress(): string {
    if (this.#mountId === undefined) throw new Error('preflight comes before anything is signed.');
    return `${this.names.destination}@${this.#mountId}`;
  }

  async preflight(use?: StoreUse): Promise<readonly CheckResult[]> {
    const { address } = this.#init;
    if (!/^(?:data|metadata)\//.test(address.path)) return this.#check(use);
    const refusal = new CourierError({
      code: 'config',
      message: `${this.names.destination} has the path of Vault's HTTP API, and there is no secret ${address.path} in ${address.mount}/. Nothing was written.`,
      hint: 'Write PATH as the command vault kv takes it, without data/ and metadata/.',
    });
    try {
      if ((await this.read()).version === '0') throw refusal;
    } catch (error) {
      throw hasCode(error, 'forbidden') ? refusal : error;
    }
    return this.#check(use);
  }

  async #check(use?: StoreUse): Promise<readonly CheckResult[]> {
    const { address, server } = this.#init;
    this.#mountId = await this.#loggedIn(() => checkMount(this.#api, address, server.address));
    const { link, version } = await this.read();
    const { first, detail } = this.#firstWrite(version, link !== undefined);
    if (use !== 'read') await this.#loggedIn(() => checkCapabilities(this.#api, address, first));
    return [{ what: this.names.link, outcome: 'ok', detail }];
  }

  /** The capability that the first write needs; those after it need `patch`. */
  #firstWrite(version: string | undefined, hasLink: boolean) {
    if (version === '0') return { first: 'create', detail: 'The secret is new.' } as const;
    if (version === this.#deletedVersion) {
      return {
        first: 'update',
        detail: `Version ${version} of the secret was deleted; a new one is written.`,
      } as const;
    }
    const detail = hasLink
      ? `Version ${version} can be read and patched.`
      : 'The secret exists; the key is new.';
    return { first: 'patch', detail } as const;
  }

  read(): Promise<Snapshot> {
    return this.#loggedIn(() => this.#read());
  }

  async write(change: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    return this.#loggedIn(() => this.#write(change, seen, signal));
  }

  async #write(change: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    try {
      await this.#send(change, seen, signal);
    } catch (error) {
      // A stale version is a plain 400: only what is there now shows whether that was it.
      if (!(error instanceof CourierError) || error.httpStatus !== 400)
        throw this.#explained(error);
      const now = await this.#read(signal);
      throw now.version === seen.version
        ? error
        : staleError(this.names.destination, { cause: error });
    }
    const written = await readBack(this.names.destination, () => this.#read(signal));
    if (shows(change, written)) return written;
    throw staleError(this.names.destination, { mayHaveStarted: true });
  }

  async #send({ link, state }: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<void> {
    const data = {
      ...(link !== undefined && { [this.#init.address.key]: link }),
      ...(state !== undefined && { [this.#stateKey]: state }),
    };
    const { version = '0' } = seen;
    const request = {
      path: this.#path,
      body: { options: { cas: Number(version) }, data },
      signal,
      ...ONCE,
    };
    const create = () => this.#api.read({ ...request, method: 'POST' }, writtenReply);
    if (version === '0') return void (await create());
    const wasDeleted = version === this.#deletedVersion;
    try {
      const headers = { 'content-type': 'application/merge-patch+json' };
      await this.#api.read({ ...request, method: 'PATCH', headers }, writtenReply);
    } catch (error) {
      if (!hasCode(error, 'not-found')) throw error;
      // Only POST writes after a deleted version. After any other, it would remove the keys that
      // are not ours.
      if (!wasDeleted) throw await this.#vanished(error, version, signal);
      await create();
    }
  }

  /**
   * Vault answers 404 to a change of what this run has read: it was deleted since, or something
   * else has answered.
   */
  async #vanished(
    error: CourierError,
    version: string,
    signal?: AbortSignal,
  ): Promise<CourierError> {
    const now = await this.#read(signal);
    if (now.version !== version || now.version === this.#deletedVersion) {
      return staleError(this.names.destination, { cause: error });
    }
    return error.with({
      code: 'protocol',
      message: `${error.message} Vault shows version ${version} of the ${this.names.target}. Nothing was written.`,
      hint: 'A proxy between this run and Vault may not pass on requests with PATCH: allow them there.',
    });
  }

  async #read(signal?: AbortSignal): Promise<Snapshot> {
    try {
      const request = { method: 'GET', path: this.#path, signal } as const;
      const { data, metadata } = (await this.#api.read(request, secretReply, absentReply)).data;
      const { [this.#init.address.key]: value, [this.#stateKey]: state, ...others } = data ?? {};
      const version = String(metadata.version);
      this.#deletedVersion = data === null && version !== '0' ? version : undefined;
      const found = readLinkValue(value);
      return {
        ...found,
        link: found.link && { ...found.link, version },
        otherKeys:
          value === undefined
            ? Object.keys(others).filter((key) => !key.endsWith('_state'))
            : undefined,
        state: typeof state === 'string' ? state : undefined,
        version,
      };
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /**
   * Logs in for the first call, and once more if the token has expired meanwhile: Vault answers 403
   * to that too.
   */
  async #loggedIn<T>(call: () => Promise<T>): Promise<T> {
    const isFirst = this.#token === undefined;
    this.#token ??= await logIn(this.#api, this.#init);
    try {
      return await call();
    } catch (error) {
      const isRefused = hasCode(error, 'forbidden') && !error.mayHaveStarted;
      if (isFirst || this.#init.auth.kind === 'token' || !isRefused) throw error;
      this.#token = undefined;
      this.#token = await logIn(this.#api, this.#init);
      return call();
    }
  }

  get #path(): readonly string[] {
    const { mount, path } = this.#init.address;
    return [mount, 'data', ...path.split('/')];
  }

  #explained(error: unknown): unknown {
    if (!hasCode(error, 'forbidden')) return error;
    return error.with({
      hint: `The token has expired, or its policy does not allow this. This policy is enough:\n${policyFor(this.#init.address)}`,
    });
  }
}
