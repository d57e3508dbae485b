import type { Clock } from '../../clock.ts';
import { CourierError } from '../../errors.ts';
import type { Http } from '../../http/http.ts';
import type { Log } from '../../log.ts';
import {
  type CheckResult,
  type LinkContent,
  type LinkStore,
  linkDigest,
  readBack,
  type Snapshot,
  type StoreChange,
  type StoreNames,
  type StoreUse,
  staleError,
} from '../port.ts';
import { formatAddress } from './address.ts';
import {
  apiUrl,
  type Blob,
  type Descriptor,
  INDEX_TYPE,
  MANIFEST_TYPE,
  type Manifest,
  RegistryApi,
  textBlob,
} from './api.ts';
import { findLogin, type LoginSearch } from './credentials.ts';

interface RegistryStoreInit extends Omit<LoginSearch, 'redact'> {
  readonly http: Http;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
}

const EMPTY = textBlob('application/vnd.oci.empty.v1+json', '{}');
const STATE_TYPE = 'application/vnd.docs-courier.state.v2+json';
const STATE_ANNOTATION = 'io.github.docs-courier.state';
// Of images that this program says it made, which proves nothing. What a state names by its digest
// is ours.
const CONTENT_ANNOTATION = 'io.github.docs-courier.content';
// Registries take manifests of 4 MiB; the history has its own limit.
const MAX_STATE_BYTES = 256 * 1024;

/**
 * A tag of a repository that contains the site as an image, and its state as an artifact without
 * content under the tag `TAG.state`. The "link" of this store is the reference of an image by its
 * digest. No registry writes a tag on a condition: it is read before and after.
 */
export class RegistryStore implements LinkStore {
  readonly names: StoreNames;
  readonly signedAddress: string;
  readonly can = {
    guard: 'none',
    shows: 'value',
    maxStateBytes: MAX_STATE_BYTES,
    keepsImage: true,
  } as const;
  readonly #init: RegistryStoreInit;
  readonly #stateTag: string;
  #api: RegistryApi | undefined;
  #isPublicChecked = false;
  #hasEmpty = false;
  /** Digests of images that this run has pushed or found with all that belongs to them. */
  readonly #whole = new Set<string>();

  constructor(init: RegistryStoreInit) {
    const { address } = init;
    const repository = `${address.registry}/${address.repository}`;
    this.#init = init;
    this.#stateTag = `${address.tag}.state`;
    this.names = {
      destination: formatAddress(address),
      name: address.tag,
      target: repository,
      link: `tag ${address.tag} of ${repository}`,
      state: `tag ${this.#stateTag} of ${repository}`,
      stateRight: `right to push to ${repository}`,
    };
    this.signedAddress = `image://${repository}:${address.tag}`;
  }

  async preflight(use?: StoreUse): Promise<readonly CheckResult[]> {
    const { address, log } = this.#init;
    const { login, looked } = await findLogin({
      ...this.#init,
      redact: (text) => log.redact(text),
    });
    const how =
      login === undefined
        ? `no login was found in ${looked}`
        : `logging in with the credentials of ${login.source}`;
    log.info(`${this.names.destination}: ${how}.`);
    const actions = use === 'read' ? 'pull' : 'pull,push';
    const init = { ...this.#init, login, looked, actions } as const;
    this.#api = new RegistryApi(init, await apiUrl(init));
    const there = await this.#api.getManifest(address.tag);
    if (use === 'read') return [];
    await this.#api.tryUpload();
    const detail = there === undefined ? 'The tag is new.' : 'It can be pulled and pushed.';
    const found: CheckResult[] = [{ what: this.names.link, outcome: 'ok', detail }];
    if (there !== undefined && (await this.#checkPublic())) {
      found.push({ what: this.names.target, outcome: 'warning', detail: this.#publicText });
    }
    return found;
  }

  async read(seen?: Snapshot): Promise<Snapshot> {
    if (seen !== undefined) return { ...seen, state: await this.#readState() };
    const { link, isMarked } = await this.#readTag();
    const state = await this.#readState();
    return { link, content: link && foreignImage(isMarked, state), state };
  }

  async write(change: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    const { link, state } = change;
    let now = seen;
    if (link !== undefined) now = { ...now, ...(await this.#moveTag(link, seen, signal)) };
    if (state !== undefined) {
      await this.#writeState(state, seen, signal);
      now = { ...now, state };
    }
    return now;
  }

  /**
   * Pushes what is missing of an image, and no tag: it becomes visible with `write`. Gives
   * `REGISTRY/REPOSITORY@sha256:…`. The site is one layer:
   * https://github.com/opencontainers/image-spec/blob/v1.1.1/layer.md
   */
  async push(site: {
    readonly blob: Blob;
    /** Of the tar before it is compressed: depends on the site alone. */
    readonly diffId: string;
    readonly annotations: Readonly<Record<string, string>>;
    readonly onProgress: (bytes: number) => void;
  }): Promise<string> {
    await this.#open.putBlob(site.blob, site.onProgress);
    const manifests: unknown[] = [];
    for (const platform of PLATFORMS) {
      const config = configOf(site.diffId, platform);
      await this.#open.putBlob(config);
      const image = manifestOf(MANIFEST_TYPE, {
        config: descriptor(config),
        layers: [descriptor(site.blob)],
      });
      await this.#open.putManifest(image.digest, image);
      manifests.push({ ...descriptor(image), platform });
    }
    const annotations = { ...site.annotations, [CONTENT_ANNOTATION]: site.diffId };
    const index = manifestOf(INDEX_TYPE, { manifests, annotations });
    const digest = await this.#open.putManifest(index.digest, index);
    this.#whole.add(digest);
    return this.#referenceOf(digest);
  }

  /** True if the tag is at this image. */
  async isTagged(reference: string): Promise<boolean> {
    const { link } = await this.#readTag();
    return link?.version === digestIn(reference);
  }

  /**
   * True if the registry still has an image with all that belongs to it, so that it can be pulled.
   */
  async has(reference: string): Promise<boolean> {
    return this.#isWhole(digestIn(reference));
  }

  async #isWhole(digest: string): Promise<boolean> {
    if (this.#whole.has(digest)) return true;
    const index = await this.#open.getManifest(digest);
    if (index === undefined) return false;
    const images = await Promise.all(index.manifests.map((one) => this.#open.getManifest(one)));
    if (images.includes(undefined)) return false;
    const blobs = new Set([index, ...images].flatMap((one) => one?.blobs ?? []));
    const found = await Promise.all([...blobs].map((one) => this.#open.hasBlob(one)));
    if (found.includes(false)) return false;
    this.#whole.add(digest);
    return true;
  }

  get #open(): RegistryApi {
    if (this.#api === undefined) throw new Error('preflight comes before anything else.');
    return this.#api;
  }

  #referenceOf(digest: string): string {
    const { registry, repository } = this.#init.address;
    return `${registry}/${repository}@${digest}`;
  }

  async #readTag(
    signal?: AbortSignal,
  ): Promise<{ readonly link: Snapshot['link']; readonly isMarked: boolean }> {
    const manifest = await this.#open.getManifest(this.#init.address.tag, signal);
    if (manifest === undefined) return { link: undefined, isMarked: false };
    const version = manifest.digest;
    const link = { digest: linkDigest(this.#referenceOf(version)), version };
    return { link, isMarked: manifest.annotations[CONTENT_ANNOTATION] !== undefined };
  }

  /**
   * What someone else has put under the tag of the state is given as it is: it is not a state, and
   * is not replaced unasked.
   */
  async #readState(signal?: AbortSignal): Promise<string | undefined> {
    const manifest = await this.#open.getManifest(this.#stateTag, signal);
    return manifest?.annotations[STATE_ANNOTATION] ?? manifest?.text;
  }

  /** No registry compares and writes in one request: another writer is noticed but for a moment. */
  async #moveTag(reference: string, seen: Snapshot, signal?: AbortSignal): Promise<LinkContent> {
    const what = `the ${this.names.link}`;
    const wanted = digestIn(reference);
    const before = (await this.#readTag(signal)).link?.version;
    if (before !== seen.link?.version) throw staleError(what);
    if (before !== wanted) {
      const image = await this.#find(wanted);
      await this.#open.putManifest(this.#init.address.tag, image, signal);
    }
    const { link } = await readBack(what, this.#readTag(signal));
    if (link?.version !== wanted) throw staleError(what, { mayHaveStarted: true });
    if (seen.link === undefined) await this.#checkPublic();
    return { link, content: undefined };
  }

  async #find(digest: string): Promise<Manifest> {
    const found = (await this.#isWhole(digest)) ? await this.#open.getManifest(digest) : undefined;
    if (found !== undefined) return found;
    throw new CourierError({
      code: 'not-found',
      message: `${this.names.target} no longer has all of the image ${digest}. The tag was not moved.`,
      hint: 'Run again: what is missing is pushed again.',
    });
  }

  /** As `#moveTag`. */
  async #writeState(state: string, seen: Snapshot, signal?: AbortSignal): Promise<void> {
    const what = `the ${this.names.state}`;
    if ((await this.#readState(signal)) !== seen.state) throw staleError(what);
    if (!this.#hasEmpty) await this.#open.putBlob(EMPTY);
    this.#hasEmpty = true;
    const manifest = manifestOf(MANIFEST_TYPE, {
      artifactType: STATE_TYPE,
      config: descriptor(EMPTY),
      layers: [descriptor(EMPTY)],
      annotations: { [STATE_ANNOTATION]: state },
    });
    await this.#open.putManifest(this.#stateTag, manifest, signal);
    const after = await readBack(what, this.#readState(signal));
    if (after !== state) throw staleError(what, { mayHaveStarted: true });
  }

  /** The whole site is in it, also pages that are behind a login elsewhere. */
  async #checkPublic(): Promise<boolean> {
    let isPublic = false;
    try {
      const found = await this.#open.anonymous().getManifest(this.#init.address.tag);
      isPublic = found !== undefined;
    } catch (error) {
      if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
    }
    if (isPublic && !this.#isPublicChecked) this.#init.log.notice(this.#publicText);
    this.#isPublicChecked = true;
    return isPublic;
  }

  get #publicText(): string {
    return `Anyone can pull ${this.names.target} without a login: the image has the whole site, including pages that are behind a login elsewhere.`;
  }
}

/**
 * Without a state, nothing proves that an image is ours. What a state is worth decides its
 * signature.
 */
function foreignImage(isMarked: boolean, state = ''): string | undefined {
  if (!isMarked) return 'an image that Docs Courier did not make';
  if (state.trim() === '') return 'an image that no state of Docs Courier names';
  return undefined;
}

function digestIn(reference: string): string {
  return reference.slice(reference.indexOf('@') + 1);
}

/**
 * A manifest, or an index of some:
 * https://github.com/opencontainers/image-spec/blob/v1.1.1/image-index.md
 */
function manifestOf(mediaType: string, fields: Readonly<Record<string, unknown>>) {
  const text = JSON.stringify({ schemaVersion: 2, mediaType, ...fields });
  return { ...textBlob(mediaType, text), text };
}

function descriptor(whole: Descriptor): Descriptor {
  return { mediaType: whole.mediaType, digest: whole.digest, size: whole.size };
}

/**
 * Nothing in the image runs, so it fits every platform, but runtimes look for their own. containerd
 * fetches an image of another platform and does not unpack it, so that no pod can mount it:
 * https://github.com/containerd/containerd/blob/main/core/unpack/unpacker.go Two manifests with one
 * layer cost some hundred bytes.
 */
const PLATFORMS = ['amd64', 'arm64'].map((architecture) => ({ architecture, os: 'linux' }));
// The time of each file in the layer: a date of the run would make another image of the same site.
const CREATED = new Date(0).toISOString();
/**
 * Of the files alone, so that the same site has the same one. The command is what `docker create`
 * asks for.
 */
function configOf(diffId: string, platform: (typeof PLATFORMS)[number]): Blob {
  const config = {
    created: CREATED,
    ...platform,
    config: { Cmd: ['/index.html'] },
    rootfs: { type: 'layers', diff_ids: [diffId] },
    history: [{ created: CREATED, created_by: 'docs-courier' }],
  };
  return textBlob('application/vnd.oci.image.config.v1+json', JSON.stringify(config));
}
