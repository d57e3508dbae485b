import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import * as z from 'zod/mini';
import { CourierError, courierError, hasCode, protocolError } from '../../ground/errors.ts';
import { plainLine } from '../../ground/text/escape.ts';
import { parseJson } from '../../ground/text/json.ts';
import { isLoopback, parseUrl } from '../../ground/text/names.ts';
import { ONCE } from '../../http/api.ts';
import { isTlsFailure, systemCodes } from '../../http/codes.ts';
import type { BodySource, HttpReply } from '../../http/exchange.ts';
import { type HttpRequest, isSuccess } from '../../http/http.ts';
import type { Service } from '../../http/service.ts';
import { hasStatus } from '../port.ts';
import { type AccessInit, RegistryAccess, whyNoLogin } from './access.ts';
import type { ImageAddress } from './address.ts';
import { READ_ONLY, refusedTagError, serviceOf, unauthorized } from './refusals.ts';
import { errorCodes } from './replies.ts';

export const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json';
export const INDEX_TYPE = 'application/vnd.oci.image.index.v1+json';
const ACCEPTED = [
  MANIFEST_TYPE,
  INDEX_TYPE,
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
].join(', ');

/**
 * What a manifest points to: https://github.com/opencontainers/image-spec/blob/v1.1.1/descriptor.md
 */
export interface Descriptor {
  readonly mediaType: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  readonly size: number;
}

/** Bytes to push: a text, or a file of this machine. */
export interface Blob extends Descriptor {
  readonly content: string | { readonly path: string };
}

export interface Manifest {
  readonly digest: string;
  readonly mediaType: string;
  readonly text: string;
  /** Digests of the parts of an image: its layers and its configuration. */
  readonly blobs: readonly string[];
  /** Digests of the manifests that an index names, in its order. */
  readonly manifests: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
}

const manifestReply = z.object({
  mediaType: z.optional(z.string()),
  config: z.optional(z.object({ digest: z.string() })),
  layers: z.nullish(z.array(z.object({ digest: z.string() }))),
  manifests: z.nullish(
    z.array(z.object({ digest: z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/)) })),
  ),
  annotations: z.nullish(z.record(z.string(), z.string())),
});

type Call = Omit<HttpRequest, 'service'>;

const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
const MAX_UPLOADS = 5;
const UPLOAD_WAIT_MS = 1000;
const PIECE_BYTES = 256 * 1024;
// A slow upload continues; one that stalls for this long fails.
const IDLE_MS = 60_000;
// The time limit of an upload is this time, and that of its bytes at the slowest speed.
const UPLOAD_BASE_MS = 5 * IDLE_MS;
const SLOWEST_BYTES_PER_MS = 32;

/**
 * One repository of a registry:
 * https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md
 */
export class RegistryApi {
  readonly #init: AccessInit;
  readonly #url: URL;
  readonly #access: RegistryAccess;
  readonly #service: Service;
  /** True once a reply has shown that this address is a registry. */
  #isKnown = false;

  /** `url`: that of `apiUrl`. */
  constructor(init: AccessInit, url: URL) {
    this.#init = init;
    this.#url = url;
    this.#access = new RegistryAccess(init, url);
    this.#service = serviceOf(init);
  }

  /** The same repository, asked without a login. */
  anonymous(): RegistryApi {
    return new RegistryApi({ ...this.#init, login: undefined, actions: 'pull' }, this.#url);
  }

  /** The manifest under a tag or digest; undefined: there is none. */
  async getManifest(reference: string, signal?: AbortSignal): Promise<Manifest | undefined> {
    const reply = await this.#send({
      method: 'GET',
      url: this.#path('manifests', reference),
      headers: { accept: ACCEPTED },
      repeat: 'always',
      limits: { bodyBytes: MAX_MANIFEST_BYTES },
      accepts: (candidate) => candidate.status === 200 || candidate.status === 404,
      signal,
    });
    if (reply.status === 404) return undefined;
    const text = reply.body.toString('utf8');
    const digest = digestOf(reply.body);
    if (reference.startsWith('sha256:') && digest !== reference) {
      throw this.#wrongDigestError(reference);
    }
    const parsed = manifestReply.safeParse(parseJson(text));
    if (!parsed.success) {
      throw protocolError(
        `${this.#init.address.registry} answered with something that is not a manifest for ${reference}.`,
        'Check the input image: it may not name a registry.',
      );
    }
    const manifest = parsed.data;
    // The header decides; a manifest need not name its type.
    const type = reply.headers['content-type']?.split(';')[0];
    // An index has neither layers nor a configuration.
    const blobs = manifest.layers?.map((layer) => layer.digest) ?? [];
    if (manifest.config !== undefined) blobs.push(manifest.config.digest);
    return {
      digest,
      mediaType: type ?? manifest.mediaType ?? MANIFEST_TYPE,
      text,
      blobs,
      manifests: manifest.manifests?.map((entry) => entry.digest) ?? [],
      annotations: manifest.annotations ?? {},
    };
  }

  /** Stores a manifest under a tag, or under its own digest. Gives the digest. */
  async putManifest(
    reference: string,
    manifest: Pick<Manifest, 'mediaType' | 'text'>,
    signal?: AbortSignal,
  ): Promise<string> {
    const digest = digestOf(manifest.text);
    const isTag = !reference.startsWith('sha256:');
    // A tag is written once: another run may have moved it during a pause. A digest always names
    // the same manifest, so that it may be written again.
    const repetition = isTag ? ONCE : ({ repeat: 'always' } as const);
    try {
      const reply = await this.#send({
        method: 'PUT',
        url: this.#path('manifests', reference),
        headers: { 'content-type': manifest.mediaType },
        body: manifest.text,
        signal,
        ...repetition,
      });
      this.#checkDigest(reply, digest);
      return digest;
    } catch (error) {
      // Registries whose tags are immutable answer with one of these.
      const isRefused = isTag && hasStatus(error, 400, 403, 405, 409, 412);
      // These two codes say that bytes were changed or lost, not that the registry refuses the tag.
      if (!isRefused || hasCode(error, 'integrity', 'not-found')) throw error;
      throw refusedTagError(error, reference, this.#init.address);
    }
  }

  /**
   * Uploads the blob unless the registry has it. If an upload breaks, starts it again, unless the
   * registry has the blob by then.
   */
  async putBlob(blob: Blob, onProgress: (bytes: number) => void = () => {}): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      if (await this.hasBlob(blob.digest)) return;
      try {
        return await this.#upload(blob, onProgress);
      } catch (error) {
        if (!isBrokenUpload(error) || attempt === MAX_UPLOADS) throw error;
        this.#init.log.info(`${error.message} The upload is started again.`);
        await this.#init.clock.sleep(UPLOAD_WAIT_MS * attempt, this.#init.signal);
      }
    }
  }

  /** Checks the right to push: opens an upload and cancels it, so that nothing is stored. */
  async tryUpload(): Promise<void> {
    const url = await this.#startUpload();
    // Whatever the reply is, the right has been shown.
    const cancelled = this.#send({ method: 'DELETE', url, repeat: 'never', accepts: () => true });
    // Not every registry can cancel an upload: it then expires there.
    await cancelled.catch(() => {});
  }

  /** Sends the bytes of a blob in one request, which ends the upload. */
  async #upload(blob: Blob, onProgress: (bytes: number) => void): Promise<void> {
    const url = await this.#startUpload();
    // The registry's address may have a query, which it needs.
    url.search += `${url.search === '' ? '?' : '&'}digest=${blob.digest}`;
    const { content } = blob;
    const reply = await this.#send({
      method: 'PUT',
      url,
      headers: { 'content-type': 'application/octet-stream' },
      body: typeof content === 'string' ? content : fileBody(content.path, blob.size, onProgress),
      repeat: 'never',
      // After the last byte, a registry first checks all of them.
      limits: { headersMs: IDLE_MS, totalMs: UPLOAD_BASE_MS + blob.size / SLOWEST_BYTES_PER_MS },
    });
    this.#checkDigest(reply, blob.digest);
  }

  /**
   * Opens an upload and gives its address. Some registries leave it out now and then: then another
   * upload is opened.
   */
  async #startUpload(): Promise<URL> {
    const from = this.#path('blobs', 'uploads', '');
    let reply = await this.#openUpload(from);
    if (!reply.headers.location) reply = await this.#openUpload(from);
    // An empty address is refused too.
    return uploadUrl(reply.headers.location ?? '', from, this.#init.address);
  }

  /** Asks for an upload; an error says which right or repository is missing. */
  async #openUpload(url: URL): Promise<HttpReply> {
    const { address, login, looked } = this.#init;
    try {
      return await this.#send({ method: 'POST', url, repeat: 'always' });
    } catch (error) {
      if (hasCode(error, 'not-found')) {
        throw error.with({
          message: `${address.registry} has no repository ${address.repository}. ${error.message}`,
          hint: 'Create the repository first, or correct the input image: this registry does not create one for a push.',
        });
      }
      if (!hasCode(error, 'forbidden')) throw error;
      // Not a reply of the registry (`isForeign`), or one that refuses every upload (405): no right
      // is missing.
      if (error.isForeign || error.httpStatus === 405) throw error;
      const who =
        login === undefined
          ? `${whyNoLogin(address.registry, looked)}, and without one nothing may be pushed to ${address.repository}.`
          : `The login to ${address.registry} (${login.source}) may not push to ${address.repository}.`;
      throw error.with({
        message: `${who} ${error.message}`,
        hint: `Give it the right to push to ${address.repository}. On GitHub's registry a job needs packages: write, and the package must grant its repository the role Write.`,
      });
    }
  }

  /** True if the registry has the bytes of this digest. */
  async hasBlob(digest: string): Promise<boolean> {
    // Some registries answer with a redirect to their storage: then they have the blob.
    const accepts = ({ status }: HttpReply) => status === 404 || (status >= 200 && status < 400);
    const url = this.#path('blobs', digest);
    const reply = await this.#send({ method: 'HEAD', url, repeat: 'always', accepts });
    return reply.status !== 404;
  }

  /** Throws if the reply names another digest. The header is optional. */
  #checkDigest(reply: HttpReply, digest: string): void {
    const namedDigest = reply.headers['docker-content-digest'];
    if (typeof namedDigest === 'string' && namedDigest !== digest)
      throw this.#wrongDigestError(digest);
  }

  /**
   * The error for bytes whose digest is not the one that was asked for or sent. It has
   * `mayHaveActed` in both cases: what is read may be what this run has just pushed.
   */
  #wrongDigestError(digest: string): CourierError {
    return courierError(
      'integrity',
      `${this.#init.address.registry} has something else under ${digest} than its bytes.`,
      'Run again. If it happens again, the registry or a proxy in front of it is broken.',
      { mayHaveActed: true },
    );
  }

  /** Sends the call, and once more with a login if the registry asks for one. */
  async #send(call: Call): Promise<HttpReply> {
    let reply = await this.#sendOnce(call);
    const canLogIn = reply.status === 401 && this.#access.noteChallenge(reply);
    if (canLogIn) reply = await this.#sendOnce(call);
    if (reply.status === 401) throw unauthorized(reply, this.#init);
    return reply;
  }

  /** Sends the call with the login that is known so far. A 401 is a reply, and not an error. */
  async #sendOnce(call: Call): Promise<HttpReply> {
    const accepts = call.accepts ?? isSuccess;
    try {
      const reply = await this.#init.http.request({
        ...call,
        service: this.#service,
        headers: { ...call.headers, ...(await this.#access.header()) },
        accepts: (candidate) => candidate.status === 401 || accepts(candidate),
      });
      this.#isKnown ||= reply.status < 300 || errorCodes(reply).length > 0;
      return reply;
    } catch (error) {
      if (!(error instanceof CourierError) || !error.isForeign) throw error;
      // A reply that is not from a registry, such as a web page. If a registry has answered at this
      // address before, the address is right: a registry under maintenance, or a mirror, refuses
      // writes in such a way.
      const refusesWrites = this.#isKnown && call.method !== 'GET';
      if (!refusesWrites) throw error;
      throw error.with({
        code: 'forbidden',
        message: `${this.#init.address.registry} can be read, and refuses to be written to: ${call.method} ${call.url.origin}${call.url.pathname} answered ${error.httpStatus}.`,
        hint: READ_ONLY,
      });
    }
  }

  #path(...parts: readonly string[]): URL {
    return new URL(`v2/${this.#init.address.repository}/${parts.join('/')}`, this.#url);
  }
}

/**
 * True if an upload that failed like this may succeed from its beginning: the connection broke, the
 * registry has forgotten the upload, asks to wait, or has got other bytes. With 400 or 416 it says
 * that the bytes do not fit what it has of the upload.
 */
function isBrokenUpload(error: unknown): error is CourierError {
  return (
    hasCode(error, 'network', 'rate-limited', 'not-found', 'integrity') ||
    hasStatus(error, 400, 416)
  );
}

/**
 * The address of the registry's API: https, and on this machine http if nothing there speaks TLS.
 */
export async function apiUrl(init: AccessInit): Promise<URL> {
  let host = init.address.registry;
  // The API of Docker Hub has another name than the one that people write.
  if (host === 'docker.io' || host === 'index.docker.io') host = 'registry-1.docker.io';
  const url = new URL(`https://${host}/`);
  if (!isLoopback(url.hostname) || (await speaksTls(url, init))) return url;
  return new URL(`http://${host}/`);
}

// On this machine an answer takes no time.
const TLS_WITHIN_MS = 5000;
const NO_TLS = ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'];

/**
 * True if the server answers by https. True also if its certificate is not accepted: it does speak
 * TLS, so that nothing may be sent to it by http.
 */
async function speaksTls(url: URL, init: AccessInit): Promise<boolean> {
  try {
    await init.http.request({
      service: serviceOf(init),
      method: 'GET',
      url: new URL('v2/', url),
      repeat: 'never',
      limits: { connectMs: TLS_WITHIN_MS, headersMs: TLS_WITHIN_MS },
      accepts: () => true,
    });
    return true;
  } catch (error) {
    if (!hasCode(error, 'network')) throw error;
    const codes = systemCodes(error);
    // The codes of NO_TLS: the server answered something other than TLS. False also if nothing
    // answers: the first request by http then says so.
    return isTlsFailure(codes) && !codes.some((code) => NO_TLS.includes(code));
  }
}

/** `sha256:…` of a text or of bytes. */
function digestOf(content: string | Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

/** The blob with this text. */
export function textBlob(mediaType: string, content: string): Blob {
  return { mediaType, digest: digestOf(content), size: Buffer.byteLength(content), content };
}

/** The body of a request from a file; `onProgress` gets the number of bytes sent so far. */
function fileBody(path: string, bytes: number, onProgress: (bytes: number) => void): BodySource {
  // `onPiece` tells the client that the upload continues, so that it does not end it as stalled.
  const pieces = async function* (onPiece: () => void) {
    let sent = 0;
    for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
      onPiece();
      yield piece;
      sent += piece.length;
      onProgress(sent);
    }
  };
  return { bytes, open: (onPiece) => Readable.from(pieces(onPiece), { objectMode: false }) };
}

/**
 * The address of an upload, from the header Location. Throws `protocol` for one on another host or
 * of another repository, which would get the site and the credentials.
 */
function uploadUrl(location: string, from: URL, address: ImageAddress): URL {
  const { registry, repository } = address;
  // An empty text would be the address `from`.
  const url = location === '' ? undefined : parseUrl(location, from);
  if (url === undefined) {
    throw protocolError(
      `${registry} opened an upload and did not say where: the header Location is missing or is not an address. Nothing was sent.`,
      'Check the registry, and what is in front of it: a proxy may remove the header.',
    );
  }
  // Some registries have addresses of another form, such as /artifacts-uploads/…: these name no
  // repository, and count as that of the input.
  const [, named = repository] = /^\/v2\/(.+)\/blobs\/uploads?(?:\/|$)/.exec(url.pathname) ?? [];
  if (url.host === from.host && named === repository) {
    // Behind a proxy that ends TLS, a registry may not know that https is used.
    url.protocol = from.protocol;
    url.hash = '';
    return url;
  }
  const target = url.host === from.host ? `the repository ${named}` : url.host;
  throw protocolError(
    `${registry} sends the upload to ${plainLine(target, 200)}. Uploads go only to the registry's own host and to ${repository}; nothing was sent.`,
    'Check the host name of the registry in the input image, and the address that it is configured with.',
  );
}
