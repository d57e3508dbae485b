import { amended, type CourierError, configError, hasCode, unless } from '../../ground/errors.ts';
import { JsonApi, ONCE } from '../../http/api.ts';
import type { Http } from '../../http/http.ts';
import {
  type CheckResult,
  hasStatus,
  known,
  type LinkStore,
  ok,
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

/** The version of a secret that does not exist: a write with it creates the secret. */
const NEVER_WRITTEN = '0';

interface VaultStoreInit extends LoginInit {
  readonly address: VaultAddress;
  readonly server: VaultServer;
  readonly http: Http;
}

/**
 * One key of a secret in a KV engine of version 2, of HashiCorp Vault or OpenBao. The link to the
 * last export and the state, a signed text about the exports, are two keys of the same version, and
 * one write sets both. Vault refuses the write if another version exists by then (check-and-set).
 * Other keys of the secret stay as they are.
 */
export class VaultStore implements LinkStore {
  readonly names: StoreNames;
  /** Versions keep two runs from writing at once, and Vault shows the link itself. */
  readonly can = { guard: 'versions', shows: 'value' } as const;
  readonly #init: VaultStoreInit;
  readonly #api: JsonApi;
  readonly #stateKey: string;
  #mountId: string | undefined;
  /** The version that was read last, if its data was deleted; undefined: it has data. */
  #deletedVersion: string | undefined;
  #token: string | undefined;

  constructor(init: VaultStoreInit) {
    const { address, auth } = init;
    if (auth.kind === 'token') init.log.mask(auth.token);
    if (auth.kind === 'approle') init.log.mask(auth.secretId);
    this.#init = init;
    this.#api = new JsonApi(init.http, vault, () => vaultAccess(init.server, this.#token));
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
    return `${this.names.destination}@${known(this.#mountId)}`;
  }

  /**
   * Checks, before a run does anything, that the secret can be read, and written if it will be. The
   * results say what a write will do.
   */
  async preflight(use?: StoreUse): Promise<readonly CheckResult[]> {
    const path = this.#init.address.path;
    // A secret may have such a path, but most people have copied it from a URL. Checked first: with
    // a policy for the right path, Vault answers 403 to this one, and advice about rights misleads.
    if (/^(?:data|metadata)\//.test(path) && !(await this.#exists())) {
      throw configError(
        `${this.names.destination} has the path of Vault's HTTP API, and there is no secret ${path} in ${this.#init.address.mount}/. Nothing was written.`,
        'Write PATH as the command vault kv takes it, without data/ and metadata/.',
      );
    }
    const { address, server } = this.#init;
    this.#mountId = await this.#loggedIn(() => checkMount(this.#api, address, server.address));
    const { link, version } = await this.read();
    // The capability that the first write needs: to Vault, a write over a deleted version is an
    // update. The writes after it need `patch`.
    let forFirstWrite: 'create' | 'update' | 'patch' = 'patch';
    let detail: string;
    if (version === NEVER_WRITTEN) {
      forFirstWrite = 'create';
      detail = 'The secret is new.';
    } else if (version === this.#deletedVersion) {
      forFirstWrite = 'update';
      detail = `Version ${version} of the secret was deleted; a new one is written.`;
    } else if (link === undefined) {
      detail = 'The secret exists; the key is new.';
    } else {
      detail = `Version ${version} can be read and patched.`;
    }
    if (use !== 'read') {
      await this.#loggedIn(() => checkCapabilities(this.#api, address, forFirstWrite));
    }
    return [ok(this.names.link, detail)];
  }

  /** True if the secret exists; false also if the policy of the token does not show it. */
  async #exists(): Promise<boolean> {
    const seen = await unless(['forbidden'], () => this.read());
    return seen !== undefined && seen.version !== NEVER_WRITTEN;
  }

  read(): Promise<Snapshot> {
    return this.#loggedIn(() => this.#read());
  }

  /** Writes link, state or both. `seen`: what was read before, and must still be there. */
  async write(change: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    return this.#loggedIn(() => this.#write(change, seen, signal));
  }

  /** `write` with the token of the last login. */
  async #write(change: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    try {
      await this.#withPolicy(this.#send(change, seen, signal));
    } catch (error) {
      // Vault answers 400 if the secret has another version than `seen`, and for other reasons: the
      // version that it has now shows which.
      if (!hasStatus(error, 400)) throw error;
      const now = await this.#read(signal);
      if (now.version === seen.version) throw error;
      throw staleError(this.names.destination, { cause: error });
    }
    const written = await readBack(this.names.destination, this.#read(signal));
    if (shows(change, written)) return written;
    throw staleError(this.names.destination, { mayHaveActed: true });
  }

  /** Patches the secret, or makes its first version, or the first one after it was deleted. */
  async #send(change: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<void> {
    const version = seen.version ?? NEVER_WRITTEN;
    // JSON leaves out a key that is undefined here: a PATCH keeps its value.
    const data = { [this.#init.address.key]: change.link, [this.#stateKey]: change.state };
    // `cas`: Vault writes only if this is the newest version.
    const body = { options: { cas: Number(version) }, data };
    const request = { path: this.#path, body, signal, ...ONCE };
    // PATCH keeps the other keys of the secret. It is tried after a deleted version too: that may
    // have been restored since, and a 404 shows that it was not.
    if (version !== NEVER_WRITTEN) {
      try {
        const headers = { 'content-type': 'application/merge-patch+json' };
        await this.#api.read({ ...request, method: 'PATCH', headers }, writtenReply);
        return;
      } catch (error) {
        if (!hasCode(error, 'not-found')) throw error;
        // After a deleted version, Vault takes POST only. After a version with data, POST would
        // remove the keys of other programs.
        const wasDeleted = version === this.#deletedVersion;
        if (!wasDeleted) throw await this.#vanishedError(error, version, signal);
      }
    }
    await this.#api.read({ ...request, method: 'POST' }, writtenReply);
  }

  /**
   * The error for a 404 to a change of a secret that this run has read. If the secret has changed
   * or was deleted meanwhile, the write was stale; if it is as it was, something other than Vault
   * has answered.
   */
  async #vanishedError(
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

  /** `read` with the token of the last login. Also notes whether the newest version was deleted. */
  async #read(signal?: AbortSignal): Promise<Snapshot> {
    const request = { method: 'GET', path: this.#path, signal } as const;
    // Vault answers 404, with the second form, if there is no secret or its version was deleted.
    const sent = this.#api.read(request, secretReply, absentReply);
    const { data: stored, metadata } = (await this.#withPolicy(sent)).data;
    const data = stored ?? {};
    const version = String(metadata.version);
    const isDeleted = stored === null && version !== NEVER_WRITTEN;
    this.#deletedVersion = isDeleted ? version : undefined;
    const value = data[this.#init.address.key];
    const state = data[this.#stateKey];
    const { link, foreignContent } = readLinkValue(value);
    // Without the states of links, which this program writes.
    const otherKeys = Object.keys(data).filter((key) => !key.endsWith('_state'));
    return {
      link: link && { ...link, version },
      foreignContent,
      // If the key is missing, for a message: KEY may be wrong.
      otherKeys: value === undefined ? otherKeys : undefined,
      // A person may have put another value there, such as a number.
      state: typeof state === 'string' ? state : undefined,
      version,
    };
  }

  /**
   * Makes the call with a token. The first call logs in. If a later call is answered with 403, the
   * token may have expired: it logs in again and makes the call once more. It does not for a write
   * that may have been done, nor with a token that was given, since there is no other.
   */
  async #loggedIn<T>(call: () => Promise<T>): Promise<T> {
    const isNewToken = this.#token === undefined;
    this.#token ??= await logIn(this.#api, this.#init);
    try {
      return await call();
    } catch (error) {
      const isRefused = hasCode(error, 'forbidden') && !error.mayHaveActed;
      const canRenew = !isNewToken && this.#init.auth.kind !== 'token';
      if (!isRefused || !canRenew) throw error;
      // A login is sent without the old token.
      this.#token = undefined;
      this.#token = await logIn(this.#api, this.#init);
      return call();
    }
  }

  get #path(): readonly string[] {
    const { mount, path } = this.#init.address;
    return [mount, 'data', ...path.split('/')];
  }

  /** Awaits the call; if it is forbidden, the error has the policy that is enough. */
  #withPolicy<T>(call: Promise<T>): Promise<T> {
    return amended(['forbidden'], call, () => ({
      hint: `The token has expired, or its policy does not allow this. This policy is enough:\n${policyFor(this.#init.address)}`,
    }));
  }
}
