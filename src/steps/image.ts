import { join } from 'node:path';
import type { Delivery } from '../delivery/delivery.ts';
import { makeTemporary, removeTemporary } from '../ground/temporary.ts';
import { formatBytes } from '../ground/text/amounts.ts';
import { plainLine } from '../ground/text/escape.ts';
import type { Deps, Known } from '../run/context.ts';
import { fingerprintWith } from '../site/added/add.ts';
import type { BundleFile } from '../site/archive/sink.ts';
import type { ComparedSite } from '../site/compare/compared-site.ts';
import { fingerprintReader, fingerprintSite } from '../site/compare/fingerprint.ts';
import { writeLayer } from '../site/image/layer.ts';
import type { PageReader } from '../site/pages.ts';
import type { LinkStore } from '../stores/port.ts';
import { RegistryStore } from '../stores/registry/store.ts';
import type { BundleNeeds, Exported, Found, Opening, Step } from './step.ts';

export type ImageFacts = Known<{
  /** The site as an image in a registry. */
  image: {
    /** `REGISTRY/REPOSITORY@sha256:…`. */
    readonly reference: string;
    /** `REGISTRY/REPOSITORY:TAG`. */
    readonly tag: string;
    /** True if the tag had the same files already: nothing was pushed, and the tag was not moved. */
    readonly unchanged: boolean;
    /** The image that the tag had before, of a given site. */
    readonly former?: string | undefined;
  };
  /** False if the tag had this image already, and the run has no other destination. */
  changed: boolean;
}>;

type ImageInputs = Opening<ImageFacts>['inputs'];

/** What a push knows of the image that is live. */
interface LiveImage {
  readonly image?: string | undefined;
  readonly fingerprint?: string | undefined;
}

/** What an image says of itself besides the usual, by the fingerprint of its content. */
type OwnAnnotations = (fingerprint: string) => Readonly<Record<string, string>>;

/** The export that an image is made of. */
interface Origin {
  readonly jobId: string;
  /** The commit that was published for the export. */
  readonly contentCommit: string | undefined;
  readonly fingerprint: string;
}

/** The registry of the image, among the stores of a run. */
export function registryIn(stores: readonly LinkStore[]): RegistryStore {
  const store = stores.find((one) => one instanceof RegistryStore);
  if (store === undefined) throw new Error('An image has a registry.');
  return store;
}

/** The address that `served-at` had when the image was created. */
const SERVED_AT = 'io.github.docs-courier.served-at';
const LAYER_TYPE = 'application/vnd.oci.image.layer.v1.tar+gzip';
/** The time between two lines about the progress. */
const QUIET_MS = 10_000;

/** What makes another image of the same content: where it is served, and what is added. */
function partsOf({ add, bundle }: ImageInputs): readonly string[] {
  if (bundle.servedAt === undefined) return add;
  return [bundle.servedAt.url, ...add];
}

/**
 * Pushes the site as an image, once nothing holds the export back and before any destination is
 * written.
 */
export class ImagePush implements Step {
  readonly #inputs: ImageInputs;
  readonly #deps: Deps<ImageFacts>;
  readonly #domain: string | undefined;
  readonly #live: LiveImage | undefined;
  readonly #own: OwnAnnotations;
  readonly #store: RegistryStore;
  /** The image of this run by its digest, once it is in the registry. */
  #reference: string | undefined;

  /** Prepares the push. A rollback uses the image that the history names, if it is still there. */
  static async open(
    { inputs, deps, job }: Opening<ImageFacts>,
    delivery: Delivery,
  ): Promise<ImagePush> {
    const { add } = inputs;
    const store = registryIn(delivery.stores);
    const live = delivery.exports?.find((one) => one.live);
    const push = new ImagePush(inputs, deps, job.api.source.domain, live, store);
    // An export makes its image of the bundle that it downloads; only a rollback may have one.
    const isExport = job.kind !== 'finished';
    if (isExport) return push;
    const formerImage = delivery.imageOf(job.jobId);
    if (formerImage !== undefined && (await store.has(formerImage))) {
      // Nothing is pushed, but the tag will be moved to it.
      push.#record(formerImage, { unchanged: false });
      await push.#compareAddress(formerImage);
      return push;
    }
    let why = 'The history names no image';
    if (formerImage !== undefined)
      why = `The registry no longer has all of ${formerImage}, the image`;
    // The history does not say what was added to an image.
    const added = add.join(' and ') || 'nothing, so no search and no stamp, even if it had them';
    deps.log.notice(
      `${why} of export job ${job.jobId}: it is created again from the bundle, with a new digest. Added to it, as the input add says: ${added}.`,
    );
    return push;
  }

  /** Prepares the push of a given site, whose images are known by what they say of themselves. */
  static ofGiven(
    { inputs, deps }: Opening<ImageFacts>,
    store: RegistryStore,
    live: LiveImage | undefined,
    own: OwnAnnotations,
  ): ImagePush {
    return new ImagePush(inputs, deps, undefined, live, store, own);
  }

  private constructor(
    inputs: ImageInputs,
    deps: Deps<ImageFacts>,
    domain: string | undefined,
    live: LiveImage | undefined,
    store: RegistryStore,
    own: OwnAnnotations = () => ({}),
  ) {
    this.#inputs = inputs;
    this.#deps = deps;
    this.#domain = domain;
    this.#live = live;
    this.#own = own;
    this.#store = store;
  }

  /** Warns if a restored image was created for another address than the run has. */
  async #compareAddress(image: string): Promise<void> {
    const { servedAt } = this.#inputs.bundle;
    const { [SERVED_AT]: earlier } = await this.#store.annotationsOf(image);
    if (earlier === servedAt?.url) return;
    const address = plainLine(earlier ?? 'an address that it does not name');
    this.#deps.log.warning(
      `${image} is restored unchanged: it was created for ${address}. Only extract-to follows the served-at of this run: ${servedAt?.url ?? 'none'}.`,
    );
  }

  /** The site has to be downloaded, to make an image of it, unless there is one already. */
  get needs(): BundleNeeds | undefined {
    return this.#reference === undefined ? { pages: true, isServed: true } : undefined;
  }

  async readers(site: ComparedSite): Promise<readonly PageReader[]> {
    return this.needs === undefined ? [] : [fingerprintReader(site)];
  }

  /**
   * Pushes the site, unless the live image has the same content. Comes after all checks: others can
   * pull the image from then on.
   */
  async inspect({ jobId, bundle }: Exported, found: Found): Promise<Found> {
    const root = bundle?.site.root;
    // A rollback may have its image already. A site that is needed for an image has a root.
    if (this.needs === undefined || bundle === undefined || root === undefined)
      return { image: this.#reference };
    const { site } = bundle;
    const { log, signal } = this.#deps;
    const { link } = this.#store.names;
    return log.group(`Pushing the image to ${link}`, async () => {
      // What `add` names is part of it: a site that is to get a stamp now needs a new image.
      const parts = partsOf(this.#inputs);
      const fingerprint = fingerprintWith(await fingerprintSite(site, signal), parts);
      const liveImage = await this.#unchangedImage(fingerprint);
      if (liveImage !== undefined) {
        log.info(
          `Unchanged: the ${link} has the same content already. Nothing was pushed, and the tag is not moved.`,
        );
        this.#record(liveImage, { unchanged: true });
        return { image: liveImage, fingerprint };
      }
      const files = [...site.files, ...(found.added ?? [])];
      const { contentCommit } = found;
      const reference = await this.#pushFiles(root, files, { jobId, contentCommit, fingerprint });
      log.info(`Pushed ${reference}.`);
      this.#record(reference, { unchanged: false });
      return { image: reference, fingerprint };
    });
  }

  /**
   * The live image, if it has this content; undefined: the site has to be pushed. The image under
   * the tag counts only if the signed state names its digest: its own annotations prove nothing.
   */
  async #unchangedImage(fingerprint: string): Promise<string | undefined> {
    const live = this.#live;
    if (live?.image === undefined || live.fingerprint !== fingerprint) return undefined;
    const isTagged = await this.#store.isTagged(live.image);
    // Another writer has moved the tag: a push moves it back.
    if (!isTagged) return undefined;
    if (await this.#store.has(live.image)) return live.image;
    // The manifest under the tag is there, but the registry has removed a layer of it.
    this.#deps.log.notice(
      `${this.#store.names.target} no longer has all of the image under the ${this.#store.names.link}: it is pushed again.`,
    );
    return undefined;
  }

  /** Packs the files as the one layer of a new image, and pushes it. Gives its reference. */
  async #pushFiles(root: string, files: readonly BundleFile[], origin: Origin): Promise<string> {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const folder = makeTemporary(this.#deps.run.temp, 'docs-courier-image-');
    const path = join(folder, 'layer.tar.gz');
    try {
      const onProgress = this.#progressLogger('Packed', bytes);
      const layer = await writeLayer({ path, root, files, signal: this.#deps.signal, onProgress });
      const { digest, size, diffId } = layer;
      this.#deps.log.info(
        `Packed ${formatBytes(bytes)} as ${formatBytes(size)}; the content is ${diffId}.`,
      );
      return await this.#store.push({
        blob: { mediaType: LAYER_TYPE, digest, size, content: { path } },
        diffId,
        annotations: this.#annotations(origin),
        onProgress: this.#progressLogger('Sent', size),
      });
    } finally {
      removeTemporary(folder);
    }
  }

  /** Keeps the reference, and records the image for outputs and summary. */
  #record(reference: string, { unchanged }: { readonly unchanged: boolean }): void {
    this.#reference = reference;
    this.#deps.record({ image: { reference, tag: this.#tag, unchanged } });
  }

  /** Records the image that the tag had before it was moved. */
  recordFormer(reference: string, former: string | undefined): void {
    this.#deps.record({ image: { reference, tag: this.#tag, unchanged: false, former } });
  }

  get #tag(): string {
    const { target, name } = this.#store.names;
    return `${target}:${name}`;
  }

  /**
   * The annotations of the image. A reader of the image sees them, so they contain no secret.
   * https://github.com/opencontainers/image-spec/blob/v1.1.1/annotations.md
   */
  #annotations(origin: Origin): Readonly<Record<string, string>> {
    const { repository, serverUrl } = this.#deps.run;
    const { servedAt } = this.#inputs.bundle;
    const created = new Date(this.#deps.clock.now()).toISOString();
    const annotations: Record<string, string> = {};
    const add = (key: string, value: string) => {
      annotations[`org.opencontainers.image.${key}`] = value;
    };
    add('created', created);
    add('version', origin.jobId);
    if (this.#domain !== undefined) add('title', this.#domain);
    if (servedAt !== undefined) annotations[SERVED_AT] = servedAt.url;
    if (origin.contentCommit !== undefined) add('revision', origin.contentCommit);
    // A machine without a CI system may name neither.
    if (repository && serverUrl) add('source', `${serverUrl}/${repository}`);
    return { ...annotations, ...this.#own(origin.fingerprint) };
  }

  /** Gives a function that logs how many bytes are done, now and then. */
  #progressLogger(what: string, total: number): (bytes: number) => void {
    const { log, clock } = this.#deps;
    let shownMs = clock.monotonicMs();
    return (bytes) => {
      if (clock.monotonicMs() - shownMs < QUIET_MS) return;
      shownMs = clock.monotonicMs();
      const line = `${what} ${formatBytes(bytes)} of ${formatBytes(total)}`;
      // A site may consist of empty files only.
      const share = total === 0 ? 1 : Math.min(1, bytes / total);
      log.progress(line, share);
    };
  }
}
