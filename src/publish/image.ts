import { join } from 'node:path';
import { fingerprintWith } from '../added/add.ts';
import { fingerprintSite } from '../bundle/compare/fingerprint.ts';
import { writeLayer } from '../bundle/image/layer.ts';
import type { Inspected } from '../bundle/receive.ts';
import { RegistryStore } from '../stores/registry/store.ts';
import { makeTemporary, removeTemporary } from '../temporary.ts';
import { formatBytes } from '../text/amounts.ts';
import type { Publication } from './publication.ts';
import type { PublishFacts } from './summary.ts';

/** What an image is made of. */
interface Origin {
  readonly jobId: string;
  /** The commit that was published for the export. */
  readonly contentCommit: string | undefined;
  /** Files of ours in the folder of the site. */
  readonly added: Inspected['site']['files'];
}

/** An unpacked site. */
interface Packed {
  readonly root: string;
  readonly files: Inspected['site']['files'];
  readonly bytes: number;
}

const LAYER_TYPE = 'application/vnd.oci.image.layer.v1.tar+gzip';
const QUIET_MS = 10_000;

/**
 * Pushes the site as an image, once nothing holds the export back and before any destination is
 * written.
 */
export class ImagePush {
  readonly #publication: Publication<PublishFacts>;
  readonly #store: RegistryStore;
  /** Of the image of this run, once it is in the registry. */
  reference: string | undefined;
  /** Of the content of the site with what is added to it, if it was read. */
  fingerprint: string | undefined;

  /**
   * A rollback goes back to the image that the history names, if the registry still has it.
   * undefined: no image is asked for.
   */
  static async open(publication: Publication<PublishFacts>): Promise<ImagePush | undefined> {
    const { job, delivery, deps } = publication;
    const store = delivery?.stores.find((one) => one instanceof RegistryStore);
    if (delivery === undefined || store === undefined) return undefined;
    const push = new ImagePush(publication, store);
    if (job.kind !== 'finished') return push;
    const known = delivery.imageOf(job.jobId);
    if (known !== undefined && (await store.has(known))) push.#note(known, false);
    else {
      const why =
        known === undefined
          ? 'The history names no image'
          : `The registry no longer has all of ${known}, the image`;
      // What an image had does not show in the history.
      const added =
        publication.inputs.add.join(' and ') ||
        'nothing, so no search and no stamp, even if it had them';
      deps.log.notice(
        `${why} of export job ${job.jobId}: it is created again from the bundle, with a new digest. Added to it, as the input add says: ${added}.`,
      );
    }
    return push;
  }

  private constructor(publication: Publication<PublishFacts>, store: RegistryStore) {
    this.#publication = publication;
    this.#store = store;
  }

  /** The site has to be downloaded for it. */
  get needsSite(): boolean {
    return this.reference === undefined;
  }

  /** Call it with the site when nothing holds it back. */
  async push({ site }: Pick<Inspected, 'site'>, origin: Origin): Promise<void> {
    const { root } = site;
    if (root === undefined || !this.needsSite) return;
    const { log, signal } = this.#publication.deps;
    const { link } = this.#store.names;
    await log.group(`Pushing the image to ${link}`, async () => {
      this.fingerprint = fingerprintWith(
        await fingerprintSite(site, signal),
        this.#publication.inputs.add,
      );
      const kept = await this.#unchangedImage();
      if (kept !== undefined) {
        log.info(
          `Unchanged: the ${link} has the same content already. Nothing was pushed, and the tag is not moved.`,
        );
        return this.#note(kept, true);
      }
      const files = [...site.files, ...origin.added];
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      const reference = await this.#pushLayer({ root, files, bytes }, origin);
      log.info(`Pushed ${reference}.`);
      this.#note(reference, false);
    });
  }

  /**
   * The live image, if it has this content. What is under the tag counts only if the signed state
   * names it by its digest: its annotations and its configuration prove nothing.
   */
  async #unchangedImage(): Promise<string | undefined> {
    const { deps, delivery } = this.#publication;
    const live = delivery?.exports?.find((one) => one.live);
    if (live?.image === undefined || live.fingerprint !== this.fingerprint) return undefined;
    const { target, link } = this.#store.names;
    if (!(await this.#store.isTagged(live.image))) return undefined;
    if (await this.#store.has(live.image)) return live.image;
    deps.log.notice(
      `${target} no longer has all of the image under the ${link}: it is pushed again.`,
    );
    return undefined;
  }

  async #pushLayer({ root, files, bytes }: Packed, origin: Origin): Promise<string> {
    const { log, run, signal } = this.#publication.deps;
    const folder = makeTemporary(run.temp, 'docs-courier-image-');
    const path = join(folder, 'layer.tar.gz');
    try {
      const onPacked = this.#progress('Packed', bytes);
      const { digest, size, diffId } = await writeLayer({
        path,
        root,
        files,
        signal,
        onProgress: onPacked,
      });
      log.info(`Packed ${formatBytes(bytes)} as ${formatBytes(size)}; the content is ${diffId}.`);
      return await this.#store.push({
        blob: { mediaType: LAYER_TYPE, digest, size, content: { path } },
        diffId,
        annotations: this.#annotations(origin),
        onProgress: this.#progress('Sent', size),
      });
    } finally {
      removeTemporary(folder);
    }
  }

  #note(reference: string, unchanged: boolean): void {
    const { target, name } = this.#store.names;
    this.reference = reference;
    this.#publication.deps.record({ image: { reference, tag: `${target}:${name}`, unchanged } });
  }

  /**
   * https://github.com/opencontainers/image-spec/blob/v1.1.1/annotations.md, and nothing that is a
   * secret.
   */
  #annotations({ jobId, contentCommit }: Origin): Readonly<Record<string, string>> {
    const { deps, job } = this.#publication;
    const { repository, serverUrl } = deps.run;
    const { domain } = job.api.source;
    const key = (name: string) => `org.opencontainers.image.${name}`;
    return {
      [key('created')]: new Date(deps.clock.now()).toISOString(),
      [key('version')]: jobId,
      ...(domain !== undefined && { [key('title')]: domain }),
      ...(contentCommit !== undefined && { [key('revision')]: contentCommit }),
      ...(repository && serverUrl && { [key('source')]: `${serverUrl}/${repository}` }),
    };
  }

  #progress(what: string, total: number): (bytes: number) => void {
    const { log, clock } = this.#publication.deps;
    let shownMs = clock.monotonicMs();
    return (bytes) => {
      if (clock.monotonicMs() - shownMs < QUIET_MS) return;
      shownMs = clock.monotonicMs();
      const line = `${what} ${formatBytes(bytes)} of ${formatBytes(total)}`;
      log.progress(line, Math.min(1, bytes / Math.max(1, total)));
    };
  }
}
