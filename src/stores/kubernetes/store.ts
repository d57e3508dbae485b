import * as z from 'zod/mini';
import { configError, courierError, hasCode } from '../../ground/errors.ts';
import type { Log } from '../../ground/log.ts';
import { plainLine } from '../../ground/text/escape.ts';
import { type ApiRequest, ONCE } from '../../http/api.ts';
import type { Http } from '../../http/http.ts';
import { annotationOf, KubernetesApi, MERGE_PATCH } from '../../kubernetes/api.ts';
import { ClusterLogin, type KubernetesCredentials } from '../../kubernetes/login.ts';
import {
  type CheckResult,
  hasStatus,
  known,
  type LinkStore,
  ok,
  readLinkValue,
  type Snapshot,
  type StoreChange,
  type StoreNames,
  type StoreUse,
  shows,
  staleError,
} from '../port.ts';
import { formatAddress, type KubernetesAddress } from './address.ts';

interface KubernetesStoreInit {
  readonly address: KubernetesAddress;
  readonly credentials: KubernetesCredentials;
  readonly http: Http;
  readonly log: Log;
}

const secretReply = z.object({
  metadata: z.object({
    uid: z.string(),
    resourceVersion: z.string(),
    annotations: z.nullish(z.record(z.string(), z.string())),
    deletionTimestamp: z.nullish(z.string()),
  }),
  data: z.nullish(z.record(z.string(), z.string())),
  immutable: z.nullish(z.boolean()),
});
type Secret = z.infer<typeof secretReply>;

/**
 * One key of an existing Secret, which contains the link to the last export. The state, a signed
 * text about the exports, is an annotation of the same object: both change in one request, which
 * the API server refuses if the `resourceVersion` is not the current one. The state is not in the
 * data, since some programs restart pods when the data of a Secret changes. Other keys, labels and
 * owners stay as they are: the request is a merge patch of these two fields.
 */
export class KubernetesStore implements LinkStore {
  readonly names: StoreNames;
  /** Versions keep two runs from writing at once, and the API server shows the link itself. */
  readonly can = { guard: 'versions', shows: 'value' } as const;
  readonly #address: KubernetesAddress;
  readonly #annotation: string;
  readonly #api: KubernetesApi;
  #uid: string | undefined;

  constructor(init: KubernetesStoreInit) {
    const { namespace, secret, key } = init.address;
    this.#address = init.address;
    this.#annotation = annotationOf('state', key);
    const login = new ClusterLogin(init.credentials, (text) => init.log.mask(text));
    this.#api = new KubernetesApi(init.http, login);
    const target = `Secret ${namespace}/${secret}`;
    this.names = {
      destination: formatAddress(init.address),
      name: key,
      target,
      link: `key ${key} of ${target}`,
      state: `annotation ${this.#annotation} of ${target}`,
      stateRight: `right to patch Secret ${secret} in namespace ${namespace}`,
    };
  }

  /**
   * Bound to the object itself, by its uid: one cluster has several addresses (inside, outside, a
   * proxy's), and a state that one run signed through one of them must be valid through another.
   * Known after `preflight`.
   */
  get signedAddress(): string {
    return `${this.names.destination}@${known(this.#uid)}`;
  }

  /** Checks, before a run does anything, that the Secret can be read, and written if it will be. */
  async preflight(use?: StoreUse): Promise<readonly CheckResult[]> {
    const secret = await this.#get();
    this.#refuseDeleted(secret, { isWritten: false });
    if (use !== 'read') await this.#tryPatch(secret);
    const isNew = this.#snapshot(secret).link === undefined;
    const detail = isNew
      ? 'The Secret exists; the key is new.'
      : 'The Secret can be read and patched.';
    return [ok(this.names.link, detail)];
  }

  async read(): Promise<Snapshot> {
    return this.#snapshot(await this.#get());
  }

  /** Writes link, state or both. `seen`: what was read before, and must still be there. */
  async write(change: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    const { key } = this.#address;
    const { link, state } = change;
    // A merge patch leaves what it does not name as it is.
    const annotations = state === undefined ? undefined : { [this.#annotation]: state };
    const data = link === undefined ? undefined : { [key]: Buffer.from(link).toString('base64') };
    const body = { metadata: { resourceVersion: seen.version, annotations }, data };
    try {
      return this.#confirm(change, await this.#patch(body, { signal, ...ONCE }));
    } catch (error) {
      // The API server answers `conflict` if `resourceVersion` is no longer the current one.
      if (!hasCode(error, 'conflict')) throw error;
      const hint = ' If a GitOps controller manages this Secret, let it ignore this key.';
      throw staleError(this.names.destination, { hint, cause: error });
    }
  }

  /**
   * The Secret after a write, as a snapshot. Throws `integrity` if it does not have what was
   * written.
   */
  #confirm(change: StoreChange, secret: Secret): Snapshot {
    this.#refuseDeleted(secret, { isWritten: true });
    const after = this.#snapshot(secret);
    if (shows(change, after)) return after;
    throw courierError(
      'integrity',
      `The API server accepted the change of ${this.names.destination} and stored something else: an admission controller changes it.`,
      'Look for a mutating webhook or a policy that changes Secrets in this namespace.',
      { mayHaveActed: true },
    );
  }

  /**
   * Throws `config` if the Secret is being deleted: it still accepts changes until each finalizer,
   * which is what a controller has to do first, is removed. `isWritten`: it has just been written.
   */
  #refuseDeleted(current: Secret, { isWritten }: { readonly isWritten: boolean }): void {
    const since = current.metadata.deletionTimestamp;
    if (since === undefined || since === null) return;
    const { namespace, secret } = this.#address;
    const effect = isWritten ? 'What was written is lost with it.' : 'Nothing was written.';
    throw configError(
      `${this.names.target} is being deleted since ${plainLine(since, 40)}. ${effect}`,
      `Create it again once it is gone, and run again. What it waits for: kubectl --namespace ${namespace} get secret ${secret} --output jsonpath={.metadata.finalizers}`,
      { mayHaveActed: isWritten },
    );
  }

  /** What the Secret contains, and notes its uid for `signedAddress`. */
  #snapshot(secret: Secret): Snapshot {
    this.#uid = secret.metadata.uid;
    const data = secret.data ?? {};
    const encoded = data[this.#address.key];
    const state = secret.metadata.annotations?.[this.#annotation];
    const version = secret.metadata.resourceVersion;
    if (encoded === undefined) {
      return { link: undefined, otherKeys: Object.keys(data), state, version };
    }
    // An empty value is not a link: the command in the hint for a missing Secret creates such a
    // key.
    return { ...readLinkValue(Buffer.from(encoded, 'base64').toString()), state, version };
  }

  /** The Secret as it is now. */
  #get(): Promise<Secret> {
    return this.#call({ method: 'GET' });
  }

  /** Changes the fields that `body` names, and gives the Secret after the change. */
  #patch(body: object, settings: Partial<ApiRequest>): Promise<Secret> {
    return this.#call({ method: 'PATCH', headers: MERGE_PATCH, body, ...settings });
  }

  #call(request: Omit<ApiRequest, 'path'>): Promise<Secret> {
    const { namespace, secret } = this.#address;
    const path = ['api', 'v1', 'namespaces', namespace, 'secrets', secret];
    const object = {
      input: 'to',
      namespace,
      // The least rights: those on this one Secret.
      rules: `- apiGroups: [""]\n  resources: [secrets]\n  resourceNames: [${secret}]\n  verbs: [get, patch]`,
      missing: `Secret ${secret} does not exist in namespace ${namespace}.`,
      ifMissing:
        'An address in to is k8s:NAMESPACE/SECRET#KEY. If both names are right, create the Secret once:\nkubectl --namespace NAMESPACE create secret generic SECRET --from-literal=KEY=',
    };
    return this.#api.about(object, { ...request, path }, secretReply);
  }

  /**
   * Checks the right to write by a dry run of a patch that changes nothing: the API server checks
   * the request and stores nothing. Throws `config` if the Secret is immutable.
   */
  async #tryPatch(secret: Secret): Promise<void> {
    if (secret.immutable) {
      throw configError(
        `${this.names.target} is immutable: Kubernetes does not allow changes to it. Nothing was written.`,
        'Delete it and create it again without immutable: true, or give another Secret.',
      );
    }
    try {
      const { resourceVersion } = secret.metadata;
      await this.#patch({ metadata: { resourceVersion } }, { query: { dryRun: 'All' } });
    } catch (error) {
      // Another writer changed the Secret since it was read, or a webhook takes no dry runs:
      // neither says that writing fails.
      if (!hasCode(error, 'conflict') && !hasStatus(error, 400)) throw error;
    }
  }
}
