import * as z from 'zod/mini';
import { CourierError, hasCode } from '../../errors.ts';
import { type ApiRequest, ONCE } from '../../http/api.ts';
import type { Http } from '../../http/http.ts';
import { annotationOf, forbiddenHint, KubernetesApi, MERGE_PATCH } from '../../kubernetes/api.ts';
import { ClusterLogin, type KubernetesCredentials } from '../../kubernetes/login.ts';
import { plainLine } from '../../text/escape.ts';
import {
  type CheckResult,
  type LinkStore,
  readLinkValue,
  type Snapshot,
  type StoreChange,
  type StoreNames,
  type StoreUse,
  shows,
  staleError,
} from '../port.ts';
import { formatAddress, type KubernetesAddress } from './address.ts';

export interface KubernetesStoreInit {
  readonly address: KubernetesAddress;
  readonly credentials: KubernetesCredentials;
  readonly http: Http;
  readonly mask: (secret: string) => void;
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
 * One key of an existing Secret. The state is an annotation of the same object: both change in one
 * request, which the `resourceVersion` guards, and programs that restart pods when the data of a
 * Secret changes do not see the state. Other keys, labels and owners stay as they are: the request
 * is a merge patch of these two fields.
 */
export class KubernetesStore implements LinkStore {
  readonly names: StoreNames;
  readonly can = { guard: 'versions', shows: 'value' } as const;
  readonly #address: KubernetesAddress;
  readonly #annotation: string;
  readonly #api: KubernetesApi;
  #uid: string | undefined;

  constructor({ address, credentials, http, mask }: KubernetesStoreInit) {
    const { namespace, secret, key } = address;
    this.#address = address;
    this.#annotation = annotationOf('state', key);
    this.#api = new KubernetesApi(http, new ClusterLogin(credentials, mask));
    const target = `Secret ${namespace}/${secret}`;
    this.names = {
      destination: formatAddress(address),
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
    if (this.#uid === undefined) throw new Error('preflight comes before anything is signed.');
    return `${this.names.destination}@${this.#uid}`;
  }

  async preflight(use?: StoreUse): Promise<readonly CheckResult[]> {
    const secret = await this.#get();
    this.#refuseDeleted(secret);
    if (use !== 'read') await this.#tryPatch(secret);
    const { link } = this.#snapshot(secret);
    const detail =
      link === undefined
        ? 'The Secret exists; the key is new.'
        : 'The Secret can be read and patched.';
    return [{ what: this.names.link, outcome: 'ok', detail }];
  }

  async read(): Promise<Snapshot> {
    return this.#snapshot(await this.#get());
  }

  async write(change: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    try {
      return this.#confirm(
        change,
        await this.#patch({ body: this.#bodyOf(change, seen), signal, ...ONCE }),
      );
    } catch (error) {
      if (!hasCode(error, 'conflict')) throw this.#explained(error);
      const hint = ' If a GitOps controller manages this Secret, let it ignore this key.';
      throw staleError(this.names.destination, { hint, cause: error });
    }
  }

  #bodyOf({ link, state }: StoreChange, { version }: Snapshot): unknown {
    return {
      metadata: {
        resourceVersion: version,
        ...(state !== undefined && { annotations: { [this.#annotation]: state } }),
      },
      ...(link !== undefined && {
        data: { [this.#address.key]: Buffer.from(link).toString('base64') },
      }),
    };
  }

  #confirm(change: StoreChange, secret: Secret): Snapshot {
    this.#refuseDeleted(secret, { isWritten: true });
    const after = this.#snapshot(secret);
    if (shows(change, after)) return after;
    throw new CourierError({
      code: 'integrity',
      message: `The API server accepted the change of ${this.names.destination} and stored something else: an admission controller changes it.`,
      hint: 'Look for a mutating webhook or a policy that changes Secrets in this namespace.',
      mayHaveStarted: true,
    });
  }

  /** A Secret that waits for a finalizer still accepts changes. */
  #refuseDeleted({ metadata }: Secret, { isWritten } = { isWritten: false }): void {
    if (metadata.deletionTimestamp == null) return;
    const { namespace, secret } = this.#address;
    throw new CourierError({
      code: 'config',
      message: `${this.names.target} is being deleted since ${plainLine(metadata.deletionTimestamp, 40)}. ${isWritten ? 'What was written is lost with it.' : 'Nothing was written.'}`,
      hint: `Create it again once it is gone, and run again. What it waits for: kubectl --namespace ${namespace} get secret ${secret} --output jsonpath={.metadata.finalizers}`,
      mayHaveStarted: isWritten,
    });
  }

  #snapshot({ metadata, data }: Secret): Snapshot {
    this.#uid = metadata.uid;
    const { [this.#address.key]: encoded, ...others } = data ?? {};
    return {
      // An empty key is what the command in the hint of a missing Secret makes.
      ...readLinkValue(
        encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString(),
      ),
      otherKeys: encoded === undefined ? Object.keys(others) : undefined,
      state: metadata.annotations?.[this.#annotation],
      version: metadata.resourceVersion,
    };
  }

  async #get(signal?: AbortSignal): Promise<Secret> {
    try {
      return await this.#api.read({ method: 'GET', path: this.#path, signal }, secretReply);
    } catch (error) {
      throw this.#explained(error);
    }
  }

  #patch(
    request: Pick<ApiRequest, 'body' | 'query' | 'signal' | 'repeat' | 'timeLimitMs'>,
  ): Promise<Secret> {
    return this.#api.read(
      { method: 'PATCH', path: this.#path, headers: MERGE_PATCH, ...request },
      secretReply,
    );
  }

  /**
   * Checks the right to write, without writing: the API server judges the request and stores
   * nothing.
   */
  async #tryPatch({ metadata: { resourceVersion }, immutable }: Secret): Promise<void> {
    if (immutable === true) {
      throw new CourierError({
        code: 'config',
        message: `${this.names.target} is immutable: Kubernetes does not allow changes to it. Nothing was written.`,
        hint: 'Delete it and create it again without immutable: true, or give another Secret.',
      });
    }
    try {
      await this.#patch({ body: { metadata: { resourceVersion } }, query: { dryRun: 'All' } });
    } catch (error) {
      // Another writer changed the Secret since it was read, or a webhook takes no dry runs:
      // neither says that writing fails.
      const isNoAnswer =
        hasCode(error, 'conflict') || (error instanceof CourierError && error.httpStatus === 400);
      if (!isNoAnswer) throw this.#explained(error);
    }
  }

  get #path(): readonly string[] {
    const { namespace, secret } = this.#address;
    return ['api', 'v1', 'namespaces', namespace, 'secrets', secret];
  }

  #explained(error: unknown): unknown {
    if (!(error instanceof CourierError)) return error;
    const { namespace, secret } = this.#address;
    switch (error.code) {
      case 'not-found':
        return error.with({
          message: `Secret ${secret} does not exist in namespace ${namespace}. ${error.message}`,
          hint: 'An address in to is k8s:NAMESPACE/SECRET#KEY. If both names are right, create the Secret once:\nkubectl --namespace NAMESPACE create secret generic SECRET --from-literal=KEY=',
        });
      case 'forbidden':
        return error.with({
          hint: forbiddenHint(error, { input: 'to', namespace, rules: ruleFor(secret) }),
        });
      default:
        return error;
    }
  }
}

/** The least rights: this one Secret, by its name. */
function ruleFor(secret: string): string {
  return [
    '- apiGroups: [""]',
    '  resources: [secrets]',
    `  resourceNames: [${secret}]`,
    '  verbs: [get, patch]',
  ].join('\n');
}
