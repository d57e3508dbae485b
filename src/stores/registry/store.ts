import type { Clock } from '../../ground/clock.ts';
import { assertFailure, courierError } from '../../ground/errors.ts';
import type { Http } from '../../http/http.ts';
import {
  type CheckResult,
  known,
  type LinkContent,
  type LinkStore,
  linkDigest,
  ok,
  readBack,
  type Snapshot,
  type StoreChange,
  type StoreNames,
  type StoreUse,
  staleError,
  warning,
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

interface RegistryStoreInit extends LoginSearch {
  readonly http: Http;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const EMPTY = textBlob('application/vnd.oci.empty.v1+json', '{}');
const STATE_TYPE = 'application/vnd.docs-courier.state.v2+json';
const STATE_ANNOTATION = 'io.github.docs-courier.state';
// Marks an image as made by this program. The mark proves nothing, since anyone can set it; an
// image that a signed state names by its digest is known to be of this program.
const CONTENT_ANNOTATION = 'io.github.docs-courier.content';
// Registries take manifests of 4 MiB; the history has its own limit.
const MAX_STATE_BYTES = 256 * 1024;

/**
 * A tag of a repository that contains the site as an image, and its state (a signed text about the
 * exports) as an artifact without content under the tag `TAG.state`. The "link" of this store is
 * the reference of an image by its digest. No registry can write a tag on a condition, so the tag
 * is read again after a write.
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
  #hasCheckedPublic = false;
  /** This run has pushed the empty blob that each state needs. */
  #isEmptyPushed = false;
  /**
   * Digests of images that this run has pushed, or has found in the registry with all their parts.
   */
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
    // Signatures of states are bound to this text. It is not `formatAddress`, and its form must
    // never change: no existing state would be valid any more.
    this.signedAddress = `image://${repository}:${address.tag}`;
  }

  /**
   * Logs in before a run does anything, and checks that images can be pulled, and pushed if needed.
   */
  async preflight(use?: StoreUse): Promise<readonly CheckResult[]> {
    const { address, log } = this.#init;
    const { login, looked } = await findLogin(this.#init);
    let how = `no login was found in ${looked}`;
    if (login !== undefined) how = `logging in with the credentials of ${login.source}`;
    log.info(`${this.names.destination}: ${how}.`);
    const actions = use === 'read' ? 'pull' : 'pull,push';
    const init = { ...this.#init, login, looked, actions } as const;
    this.#api = new RegistryApi(init, await apiUrl(init));
    // Shows also that the repository can be read.
    const tagged = await this.#api.getManifest(address.tag);
    if (use === 'read') return [];
    await this.#api.tryUpload();
    const detail = tagged === undefined ? 'The tag is new.' : 'It can be pushed.';
    const pushed = ok(this.names.link, detail);
    // Without a tag there is nothing to pull; `write` checks it then.
    if (tagged === undefined || !(await this.#checkPublic())) return [pushed];
    return [pushed, warning(this.names.target, this.#publicText)];
  }

  /**
   * What the two tags have now. With `seen`, which was read before, only the state is read.
   * `foreignContent` says why the image is not one of this program; undefined: it may be.
   */
  async read(seen?: Snapshot): Promise<Snapshot> {
    if (seen !== undefined) return { ...seen, state: await this.#readState() };
    const { link, isMarked } = await this.#readTag();
    const state = await this.#readState();
    return { link, foreignContent: link && whyForeign(isMarked, state), state };
  }

  /**
   * Moves the tag to an image that was pushed, or writes the state: without versions, never both at
   * once. `seen`: what was read just before.
   */
  async write(change: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    const { link, state } = change;
    if (link !== undefined) return { ...seen, ...(await this.#moveTag(link, seen, signal)) };
    if (state === undefined) return seen;
    await this.#writeState(state, signal);
    return { ...seen, state };
  }

  /**
   * Pushes the parts of an image that the registry lacks, and sets no tag: only `write` makes the
   * image visible. Gives its reference `REGISTRY/REPOSITORY@sha256:…`. The site is one layer:
   * https://github.com/opencontainers/image-spec/blob/v1.1.1/layer.md
   */
  async push(site: {
    readonly blob: Blob;
    /** The digest of the tar before it is compressed: it depends only on the site. */
    readonly diffId: string;
    readonly annotations: Readonly<Record<string, string>>;
    readonly onProgress: (bytes: number) => void;
  }): Promise<string> {
    await this.#open.putBlob(site.blob, site.onProgress);
    const manifests: unknown[] = [];
    // For each platform a configuration and a manifest, with the same layer.
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

  /** The image of the tag; undefined: there is none. What it says of itself proves nothing. */
  async tagged() {
    const manifest = await this.#open.getManifest(this.#init.address.tag);
    if (manifest === undefined) return undefined;
    return { reference: this.#referenceOf(manifest.digest), annotations: manifest.annotations };
  }

  /** True if the tag names this image. */
  async isTagged(reference: string): Promise<boolean> {
    const { link } = await this.#readTag();
    return link?.version === digestIn(reference);
  }

  async has(image: string): Promise<boolean> {
    return this.#isWhole(digestIn(image));
  }

  /** What an image, by its digest, says of itself. */
  async annotationsOf(image: string): Promise<Manifest['annotations']> {
    const manifest = await this.#open.getManifest(digestIn(image));
    return manifest?.annotations ?? {};
  }

  /** True if the registry has the index with this digest, its manifests and all their blobs. */
  async #isWhole(digest: string): Promise<boolean> {
    if (this.#whole.has(digest)) return true;
    const index = await this.#open.getManifest(digest);
    if (index === undefined) return false;
    // The manifest of each platform.
    const images = await Promise.all(
      index.manifests.map((manifest) => this.#open.getManifest(manifest)),
    );
    if (images.includes(undefined)) return false;
    // Those of `index` itself too, since the digest may be that of a single manifest.
    const blobs = new Set([index, ...images].flatMap((manifest) => manifest?.blobs ?? []));
    const arePresent = await Promise.all([...blobs].map((blob) => this.#open.hasBlob(blob)));
    if (arePresent.includes(false)) return false;
    this.#whole.add(digest);
    return true;
  }

  /** The registry, once `preflight` has logged in to it. */
  get #open(): RegistryApi {
    return known(this.#api);
  }

  #referenceOf(digest: string): string {
    const { registry, repository } = this.#init.address;
    return `${registry}/${repository}@${digest}`;
  }

  /** What the tag names; `isMarked`: an image with the mark of this program. */
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
   * The text of the state; undefined: its tag does not exist. If the tag has no artifact of this
   * program, its manifest is given as the text: that is not a valid state, so that no run replaces
   * it without being asked to.
   */
  async #readState(signal?: AbortSignal): Promise<string | undefined> {
    const manifest = await this.#open.getManifest(this.#stateTag, signal);
    return manifest?.annotations[STATE_ANNOTATION] ?? manifest?.text;
  }

  /**
   * Sets the tag to an image that was pushed. Throws `conflict` if it has another one afterwards. No
   * registry compares and writes in one request: a write of another run just before is not noticed.
   */
  async #moveTag(reference: string, seen: Snapshot, signal?: AbortSignal): Promise<LinkContent> {
    const theTag = `the ${this.names.link}`;
    const newVersion = digestIn(reference);
    // If the tag names this image already, the content is the same as before: nothing is written.
    if (seen.link?.version !== newVersion) {
      const image = await this.#wholeImage(newVersion);
      await this.#open.putManifest(this.#init.address.tag, image, signal);
    }
    const { link } = await readBack(theTag, this.#readTag(signal));
    if (link?.version !== newVersion) throw staleError(theTag, { mayHaveActed: true });
    // Without a tag, `preflight` had no image to check.
    if (seen.link === undefined) await this.#checkPublic();
    return { link, foreignContent: undefined };
  }

  /** The manifest of an image that is whole. Throws `not-found` if a part is missing. */
  async #wholeImage(digest: string): Promise<Manifest> {
    if (await this.#isWhole(digest)) {
      const manifest = await this.#open.getManifest(digest);
      // Undefined if it was removed just now.
      if (manifest !== undefined) return manifest;
    }
    throw courierError(
      'not-found',
      `${this.names.target} no longer has all of the image ${digest}. The tag was not moved.`,
      'Run again: what is missing is pushed again.',
    );
  }

  /** Sets the tag of the state, in the way of `#moveTag`. */
  async #writeState(state: string, signal?: AbortSignal): Promise<void> {
    const theTag = `the ${this.names.state}`;
    // A registry takes a manifest only if it has each blob that the manifest names.
    if (!this.#isEmptyPushed) await this.#open.putBlob(EMPTY);
    this.#isEmptyPushed = true;
    const manifest = manifestOf(MANIFEST_TYPE, {
      artifactType: STATE_TYPE,
      config: descriptor(EMPTY),
      layers: [descriptor(EMPTY)],
      annotations: { [STATE_ANNOTATION]: state },
    });
    await this.#open.putManifest(this.#stateTag, manifest, signal);
    const after = await readBack(theTag, this.#readState(signal));
    if (after !== state) throw staleError(theTag, { mayHaveActed: true });
  }

  /**
   * True if the image can be pulled without a login; the first call then says so in the log. An
   * image has the whole site, also pages that are behind a login elsewhere. False also if that
   * cannot be found out.
   */
  async #checkPublic(): Promise<boolean> {
    let isPublic = false;
    try {
      const manifest = await this.#open.anonymous().getManifest(this.#init.address.tag);
      isPublic = manifest !== undefined;
    } catch (error) {
      assertFailure(error);
    }
    if (isPublic && !this.#hasCheckedPublic) this.#init.log.notice(this.#publicText);
    this.#hasCheckedPublic = true;
    return isPublic;
  }

  get #publicText(): string {
    return `Anyone can pull ${this.names.target} without a login: the image has the whole site, including pages that are behind a login elsewhere.`;
  }
}

/**
 * Why the image of the tag is not one of this program; undefined: it may be. Without a state,
 * nothing proves it. With a state, its signature proves it, which the caller checks.
 */
function whyForeign(isMarked: boolean, state = ''): string | undefined {
  if (!isMarked) return 'an image that Docs Courier did not make';
  if (state.trim() === '') return 'an image that no state of Docs Courier names';
  return undefined;
}

/** The digest at the end of `REGISTRY/REPOSITORY@sha256:…`, or the text, which is a digest. */
function digestIn(reference: string): string {
  return reference.slice(reference.indexOf('@') + 1);
}

/**
 * A manifest, or an index of manifests:
 * https://github.com/opencontainers/image-spec/blob/v1.1.1/image-index.md
 */
function manifestOf(mediaType: string, fields: Readonly<Record<string, unknown>>) {
  const text = JSON.stringify({ schemaVersion: 2, mediaType, ...fields });
  return { ...textBlob(mediaType, text), text };
}

/** The three fields by which a manifest names the blob, without its content. */
function descriptor(whole: Descriptor): Descriptor {
  return { mediaType: whole.mediaType, digest: whole.digest, size: whole.size };
}

/**
 * The platforms of the image. Nothing in it runs, so it fits every platform, but a runtime looks
 * for an image of its own platform. containerd fetches an image of another platform and does not
 * unpack it, so that no pod can mount it:
 * https://github.com/containerd/containerd/blob/main/core/unpack/unpacker.go. A second manifest
 * with the same layer costs some hundred bytes.
 */
const ARCHITECTURES = ['amd64', 'arm64', 'ppc64le', 's390x'];
const PLATFORMS = ARCHITECTURES.map((architecture) => ({ architecture, os: 'linux' }));
// The date of the image, and of each file in its layer. With the date of the run, the same site
// would make another image each time.
const CREATED = new Date(0).toISOString();
/**
 * The configuration of an image. It depends only on the files, so that the same site has the same
 * configuration. It has a command since `docker create` asks for one.
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
