import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import * as z from 'zod/mini';
import { parseJson } from '../../../src/ground/text/json.ts';
import { listen, stopServer } from '../listening.ts';
import type { Certificate } from '../tls.ts';
import type { TokenServer } from './token-server.ts';

interface Stored {
  readonly type: string;
  readonly body: Buffer;
}

interface RegistryRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: number;
}

/**
 * What happens to a request: an answer before the server acts, or a connection that breaks or
 * stalls once `bytes` of the body are there.
 */
type RegistryFault =
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly code?: string;
      readonly headers?: Record<string, string>;
    }
  | { readonly kind: 'text'; readonly status: number; readonly text: string; readonly type: string }
  | { readonly kind: 'break' | 'stall'; readonly bytes: number };

interface Rule {
  readonly matches: (method: string, path: string) => boolean;
  readonly fault: RegistryFault;
  times: number;
}

export interface SmallRegistryOptions {
  /** Asks for tokens of it; anyone may pull and push without one. */
  readonly login?: TokenServer | undefined;
  /** How it asks for a login: Gitea sends two headers, of which Basic is not what it wants. */
  readonly challenges?: 'bearer' | 'two headers' | 'one header' | undefined;
  /**
   * How uploads are named: some registries give a path, some an address with a query, one another
   * host or another repository.
   */
  readonly location?: 'path' | 'query' | 'elsewhere' | 'another repository' | undefined;
  /** Leaves out the optional header with the digest. */
  readonly hidesDigest?: boolean | undefined;
  /** A tag that exists is never moved. */
  readonly immutableTags?: boolean | undefined;
  /** A repository exists only when it was created. */
  readonly repositories?: readonly string[] | undefined;
  readonly tls?: Certificate | undefined;
}

type Headers = Record<string, string | string[]>;

const descriptors = z.array(z.object({ digest: z.string() }));
const indexBody = z.object({ manifests: descriptors });
const imageBody = z.object({
  config: z.optional(z.object({ digest: z.string() })),
  layers: z.optional(descriptors),
});
const INDEX_TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Headers;

  constructor(status: number, code: string, headers: Headers = {}) {
    super(code);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/**
 * The part of a registry that pushing and pulling needs, in memory. `describeRegistry` compares it
 * with the real one.
 */
export class SmallRegistry implements AsyncDisposable {
  readonly requests: RegistryRequest[] = [];
  readonly options: SmallRegistryOptions;
  readonly #server: http.Server;
  readonly #rules: Rule[] = [];
  readonly #blobs = new Map<string, Buffer>();
  readonly #manifests = new Map<string, Stored>();
  /** What was received of each, in parts. */
  readonly #uploads = new Map<string, Buffer>();
  #host = '';

  private constructor(options: SmallRegistryOptions) {
    this.options = options;
    const listen = (incoming: http.IncomingMessage, outgoing: http.ServerResponse) => {
      this.#handle(incoming, outgoing).catch((error: unknown) => {
        if (!(error instanceof Refusal)) return outgoing.destroy();
        const body = JSON.stringify({
          errors: [{ code: error.code, message: `this is ${error.code}` }],
        });
        return outgoing
          .writeHead(error.status, { 'content-type': 'application/json', ...error.headers })
          .end(incoming.method === 'HEAD' ? undefined : body);
      });
    };
    const { tls } = options;
    this.#server = tls === undefined ? http.createServer(listen) : https.createServer(tls, listen);
  }

  static async start(options: SmallRegistryOptions = {}): Promise<SmallRegistry> {
    const registry = new SmallRegistry(options);
    registry.#host = `127.0.0.1:${await listen(registry.#server)}`;
    return registry;
  }

  /** `127.0.0.1:5000`. */
  get host(): string {
    return this.#host;
  }

  inject(matches: Rule['matches'], fault: RegistryFault, times = 1): void {
    this.#rules.push({ matches, fault, times });
  }

  /** Removes a manifest by tag or digest, as a retention policy does. */
  remove(repository: string, reference: string): void {
    this.#manifests.delete(`${repository}@${reference}`);
  }

  /** Loses a blob, as storage does. */
  removeBlob(repository: string, digest: string): void {
    this.#blobs.delete(`${repository}@${digest}`);
  }

  /** Another writer: what it put under a tag. */
  store(repository: string, tag: string, text: string): void {
    this.#manifests.set(`${repository}@${tag}`, {
      type: 'application/vnd.oci.image.index.v1+json',
      body: Buffer.from(text),
    });
  }

  /** What was written so far, as `METHOD kind`: for counting. */
  writes(): string[] {
    return this.requests
      .filter(({ method }) => !['GET', 'HEAD', 'DELETE'].includes(method))
      .map(({ method, path }) => `${method} ${/\/(blobs|manifests)\//.exec(path)?.[1]}`);
  }

  async #handle(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = incoming;
    const rule = this.#rules.find(({ matches, times }) => times > 0 && matches(method, path));
    if (rule !== undefined) rule.times -= 1;
    const body = await this.#readBody(incoming, rule?.fault);
    this.requests.push({ method, path, headers: incoming.headers, bytes: body.length });
    const fault = rule?.fault;
    if (fault?.kind === 'text')
      return void outgoing.writeHead(fault.status, { 'content-type': fault.type }).end(fault.text);
    if (fault?.kind === 'reply')
      throw new Refusal(fault.status, fault.code ?? 'UNKNOWN', fault.headers);
    const url = new URL(path, `http://${this.#host}`);
    const [, repository = '', kind = '', reference = ''] =
      /^\/v2\/(.+?)\/(manifests|blobs)\/(.*)$/.exec(url.pathname) ?? [];
    this.#authorize(incoming, repository);
    // Clients ask here first whether there is a registry, and how it asks for a login.
    if (url.pathname === '/v2/')
      return void outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    const { status, headers, content } = this.#answer({
      method,
      url,
      repository,
      kind,
      reference,
      body,
      incoming,
    });
    outgoing.writeHead(status, { 'content-length': content?.length ?? 0, ...headers });
    outgoing.end(method === 'HEAD' ? undefined : content);
  }

  async #readBody(
    incoming: http.IncomingMessage,
    fault: RegistryFault | undefined,
  ): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of incoming) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (fault?.kind === 'break' && bytes >= fault.bytes) incoming.socket.destroy();
      if (fault?.kind === 'stall' && bytes >= fault.bytes) await once(incoming.socket, 'close');
    }
    if (fault?.kind === 'break') throw new Error('broken');
    return Buffer.concat(chunks);
  }

  #authorize({ headers, method = '' }: http.IncomingMessage, repository: string): void {
    const { login } = this.options;
    if (login === undefined) return;
    const action = method === 'GET' || method === 'HEAD' ? 'pull' : 'push';
    const [, token] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
    const verdict = login.judge(token, repository, action);
    if (verdict === 'good') return;
    const scope = repository === '' ? '' : `,scope="repository:${repository}:pull,push"`;
    const error = token === undefined ? '' : `,error="${verdict}"`;
    const bearer = `Bearer realm="${login.realm}",service="${login.service}"${scope}${error}`;
    const basic = 'Basic realm="Package Registry, for Bearer x=y"';
    const asked = {
      'two headers': [basic, bearer],
      'one header': [`${basic}, ${bearer}`],
      bearer: [bearer],
    };
    throw new Refusal(401, 'UNAUTHORIZED', {
      'www-authenticate': asked[this.options.challenges ?? 'bearer'],
    });
  }

  #answer(request: Parsed): Answer {
    const { kind, repository, method } = request;
    const { repositories } = this.options;
    if (repositories !== undefined && !repositories.includes(repository) && method !== 'GET') {
      throw new Refusal(404, 'NAME_UNKNOWN');
    }
    return kind === 'manifests' ? this.#manifest(request) : this.#blob(request);
  }

  #manifest({ method, repository, reference, body, incoming }: Parsed): Answer {
    const key = `${repository}@${reference}`;
    if (method === 'PUT') return this.#putManifest(repository, reference, body, incoming);
    const found = this.#manifests.get(key);
    if (found === undefined) throw new Refusal(404, 'MANIFEST_UNKNOWN');
    return {
      status: 200,
      headers: { 'content-type': found.type, ...this.#digest(found.body) },
      content: found.body,
    };
  }

  #putManifest(
    repository: string,
    reference: string,
    body: Buffer,
    incoming: http.IncomingMessage,
  ): Answer {
    const isTag = !reference.startsWith('sha256:');
    const key = `${repository}@${reference}`;
    if (isTag && this.options.immutableTags === true && this.#manifests.has(key)) {
      throw new Refusal(409, 'DENIED');
    }
    if (!isTag && digestOf(body) !== reference) throw new Refusal(400, 'DIGEST_INVALID');
    const type = incoming.headers['content-type'] ?? '';
    if (!this.#hasParts(repository, type, parseJson(body.toString())))
      throw new Refusal(400, 'MANIFEST_BLOB_UNKNOWN');
    const stored = { type, body };
    this.#manifests.set(key, stored);
    this.#manifests.set(`${repository}@${digestOf(body)}`, stored);
    return {
      status: 201,
      headers: { location: `/v2/${repository}/manifests/${reference}`, ...this.#digest(body) },
    };
  }

  /** What an index names are manifests, and what an image names are blobs. */
  #hasParts(repository: string, type: string, json: unknown): boolean {
    if (INDEX_TYPES.includes(type)) {
      const { manifests } = indexBody.parse(json);
      return manifests.every(({ digest }) => this.#manifests.has(`${repository}@${digest}`));
    }
    const { config, layers = [] } = imageBody.parse(json);
    const parts = config === undefined ? layers : [config, ...layers];
    return parts.every(({ digest }) => this.#blobs.has(`${repository}@${digest}`));
  }

  #blob({ method, url, repository, reference, body }: Parsed): Answer {
    if (method === 'POST') return this.#startUpload(repository);
    if (!reference.startsWith('uploads/')) {
      const found = this.#blobs.get(`${repository}@${reference}`);
      if (found === undefined) throw new Refusal(404, 'BLOB_UNKNOWN');
      return { status: 200, headers: this.#digest(found), content: found };
    }
    const before = this.#uploads.get(reference);
    this.#uploads.delete(reference);
    if (method === 'DELETE') return { status: 204 };
    const digest = url.searchParams.get('digest') ?? '';
    if (
      before === undefined ||
      (this.options.location === 'query' && url.searchParams.get('state') !== 'a=b&c')
    ) {
      throw new Refusal(404, 'BLOB_UPLOAD_UNKNOWN');
    }
    const whole = Buffer.concat([before, body]);
    if (method === 'PATCH') {
      this.#uploads.set(reference, whole);
      return {
        status: 202,
        headers: { location: url.pathname + url.search, range: `0-${whole.length - 1}` },
      };
    }
    if (digestOf(whole) !== digest) throw new Refusal(400, 'DIGEST_INVALID');
    this.#blobs.set(`${repository}@${digest}`, whole);
    return {
      status: 201,
      headers: { location: `/v2/${repository}/blobs/${digest}`, ...this.#digest(whole) },
    };
  }

  #startUpload(repository: string): Answer {
    const id = `uploads/${randomUUID()}`;
    this.#uploads.set(id, Buffer.alloc(0));
    const { location: form } = this.options;
    const owner = form === 'another repository' ? 'stranger/site' : repository;
    const path = `/v2/${owner}/blobs/${id}`;
    const host = form === 'elsewhere' ? 'uploads.example.com' : this.#host;
    const whole = `http://${host}${path}`;
    const asQuery = form === 'query' ? `${whole}?state=a%3Db%26c` : whole;
    return { status: 202, headers: { location: form === 'path' ? path : asQuery } };
  }

  #digest(body: Buffer): Record<string, string> {
    return this.options.hidesDigest === true ? {} : { 'docker-content-digest': digestOf(body) };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return stopServer(this.#server);
  }
}

interface Parsed {
  readonly method: string;
  readonly url: URL;
  readonly repository: string;
  readonly kind: string;
  readonly reference: string;
  readonly body: Buffer;
  readonly incoming: http.IncomingMessage;
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly content?: Buffer;
}

function digestOf(body: Buffer): string {
  return `sha256:${createHash('sha256').update(body).digest('hex')}`;
}
