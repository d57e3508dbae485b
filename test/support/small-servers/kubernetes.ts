import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import * as z from 'zod/mini';
import { parseJson } from '../../../src/ground/text/json.ts';
import { textOf } from '../fault-front.ts';
import { listen, stopServer } from '../listening.ts';
import { Authority, type Issued } from '../real-servers/authority.ts';
import { type ApiReply, callApi, TOKENS } from '../real-servers/kubernetes.ts';
import { ObjectStore, objectPath, Refusal } from './kubernetes-objects.ts';

const texts = z.record(z.string(), z.nullable(z.string()));
const patchBody = z.object({
  metadata: z.optional(
    z.object({
      resourceVersion: z.optional(z.string()),
      labels: z.optional(texts),
      annotations: z.optional(texts),
      finalizers: z.optional(z.array(z.string())),
    }),
  ),
  data: z.optional(texts),
  stringData: z.optional(z.record(z.string(), z.string())),
  immutable: z.optional(z.boolean()),
});
const newSecret = z.extend(patchBody, {
  metadata: z.object({
    name: z.string(),
    labels: z.optional(texts),
    annotations: z.optional(texts),
  }),
});
const roleBody = z.object({
  metadata: z.object({ name: z.string() }),
  rules: z.array(
    z.object({
      resources: z.array(z.string()),
      resourceNames: z.optional(z.array(z.string())),
      verbs: z.array(z.string()),
    }),
  ),
});
const bindingBody = z.object({
  metadata: z.object({ name: z.string() }),
  roleRef: z.object({ name: z.string() }),
  subjects: z.array(z.object({ name: z.string() })),
});

type Texts = Readonly<Record<string, string>>;

interface Stored {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels: Texts;
    readonly annotations: Texts;
    readonly finalizers?: readonly string[] | undefined;
    readonly deletionTimestamp?: string | undefined;
  };
  readonly data: Texts;
  readonly immutable?: boolean | undefined;
}

const VERBS: Readonly<Record<string, string>> = {
  PATCH: 'patch',
  POST: 'create',
  DELETE: 'delete',
};

interface RuleChange {
  readonly namespace: string;
  readonly name: string | undefined;
  readonly body: unknown;
}

interface Asked {
  readonly group: string;
  readonly namespace: string;
  readonly resource: string;
  readonly name: string | undefined;
}

interface Certificates {
  readonly authority: Authority;
  readonly server: Issued;
  readonly client: Issued;
}

// openssl takes longer than many tests: all clusters of a process have the same ones.
let certificates: Promise<Certificates> | undefined;

async function issueCertificates(): Promise<Certificates> {
  const folder = await mkdtemp(join(tmpdir(), 'cluster-'));
  try {
    const authority = await Authority.create(folder);
    const server = await authority.issue('server', '/CN=small-cluster', ['IP:127.0.0.1']);
    return { authority, server, client: await authority.issue('client', '/CN=certified') };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * The part of the Kubernetes API server that a store for a key of a Secret needs, in memory:
 * Secrets, merge patches with a resource version, dry runs, roles by name, tokens and client
 * certificates; and workloads with their pods for a rollout. `describeCluster` and
 * `describeRollouts` compare it with the real one.
 */
export class SmallCluster implements AsyncDisposable {
  readonly authority: Authority;
  /** Of the user `certified`. */
  readonly client: Issued;
  #url = '';
  readonly #server: https.Server;
  readonly #secrets = new Map<string, Stored>();
  readonly #roles = new Map<string, z.infer<typeof roleBody>['rules']>();
  readonly #bindings: (z.infer<typeof bindingBody> & { readonly namespace: string })[] = [];
  readonly #objects = new ObjectStore();
  #version = 100;

  private constructor({ authority, server, client }: Certificates) {
    this.authority = authority;
    this.client = client;
    const { key, cert } = server;
    const options = { key, cert, ca: authority.cert, requestCert: true, rejectUnauthorized: false };
    this.#server = https.createServer(options, (incoming, outgoing) => {
      this.#handle(incoming)
        .then(
          (body) => send(outgoing, 200, body),
          (error: unknown) => {
            if (!(error instanceof Refusal)) throw error;
            const { status: code, reason, message } = error;
            send(outgoing, code, {
              kind: 'Status',
              apiVersion: 'v1',
              status: 'Failure',
              message,
              reason,
              code,
            });
          },
        )
        .catch(() => outgoing.destroy());
    });
  }

  static async start(): Promise<SmallCluster> {
    certificates ??= issueCertificates();
    const cluster = new SmallCluster(await certificates);
    cluster.#url = `https://127.0.0.1:${await listen(cluster.#server)}`;
    return cluster;
  }

  get url(): string {
    return this.#url;
  }

  api(
    method: string,
    path: string,
    body?: unknown,
    options: { token?: string; type?: string } = {},
  ): Promise<ApiReply> {
    return callApi({ url: this.#url, ca: this.authority.cert }, method, path, body, options);
  }

  async #handle(incoming: http.IncomingMessage): Promise<unknown> {
    const user = userOf(incoming);
    if (user === undefined) throw new Refusal(401, 'Unauthorized', 'Unauthorized');
    const body = parseJson(await textOf(incoming));
    const { pathname, searchParams } = new URL(incoming.url ?? '', this.#url);
    const [group, namespace = '', kind, name] = partsOf(pathname);
    const { method = '' } = incoming;
    if (group === 'rbac') return this.#changeRule(method, kind, { namespace, name, body });
    const object = objectPath(pathname);
    if (object !== undefined) {
      const resource =
        object.subresource === undefined
          ? object.resource
          : `${object.resource}/${object.subresource}`;
      this.#authorize(user, method, { ...object, resource });
      const type = incoming.headers['content-type'] ?? '';
      return this.#objects.handle(method, object, { query: searchParams, body, type });
    }
    if (group !== 'core' || kind !== 'secrets')
      throw new Refusal(404, 'NotFound', 'the server could not find the resource');
    if (name === undefined) return this.#create(namespace, body);
    this.#authorize(user, method, { group: '', namespace, resource: 'secrets', name });
    const key = `${namespace}/${name}`;
    const found = this.#secrets.get(key);
    if (found === undefined) throw new Refusal(404, 'NotFound', `secrets "${name}" not found`);
    if (method === 'GET') return found;
    if (method === 'DELETE') return this.#deleteSecret(key, found);
    if (incoming.headers['content-type'] !== 'application/merge-patch+json') {
      throw new Refusal(
        415,
        'UnsupportedMediaType',
        'the body of the request was in an unknown format',
      );
    }
    const patched = this.#patched(found, body);
    if (searchParams.get('dryRun') !== 'All') this.#secrets.set(key, patched);
    return patched;
  }

  /** An object with a finalizer stays until that is removed. */
  #deleteSecret(key: string, found: Stored): Stored {
    const { finalizers = [] } = found.metadata;
    const metadata = { ...found.metadata, deletionTimestamp: new Date().toISOString() };
    if (finalizers.length === 0) this.#secrets.delete(key);
    else this.#secrets.set(key, { ...found, metadata });
    return found;
  }

  #changeRule(method: string, kind: string | undefined, { namespace, name, body }: RuleChange) {
    if (method === 'DELETE') {
      const left = this.#bindings.filter(
        ({ metadata }) => name !== undefined && metadata.name !== name,
      );
      return this.#bindings.splice(0, Number.POSITIVE_INFINITY, ...left);
    }
    if (kind === 'roles') {
      const { metadata, rules } = roleBody.parse(body);
      this.#roles.set(metadata.name, rules);
    } else this.#bindings.push({ ...bindingBody.parse(body), namespace });
    return body;
  }

  #authorize(user: string, method: string, { group, namespace, resource, name }: Asked): void {
    const verb =
      method === 'GET' ? (name === undefined ? 'list' : 'get') : (VERBS[method] ?? method);
    const allowed = this.#bindings
      .filter((binding) => binding.namespace === namespace)
      .filter(({ subjects }) => subjects.some((subject) => subject.name === user))
      .flatMap(({ roleRef }) => this.#roles.get(roleRef.name) ?? [])
      .filter(({ resources, verbs }) => resources.includes(resource) && verbs.includes(verb))
      .some(
        ({ resourceNames }) => resourceNames === undefined || resourceNames.includes(name ?? ''),
      );
    if (user === 'admin' || allowed) return;
    const plural = group === '' ? resource.split('/')[0] : `${resource}.${group}`;
    const subject = name === undefined ? plural : `${plural} "${name}"`;
    const what = `User "${user}" cannot ${verb} resource "${resource}" in API group "${group}" in the namespace "${namespace}"`;
    throw new Refusal(403, 'Forbidden', `${subject} is forbidden: ${what}`);
  }

  #create(namespace: string, body: unknown): Stored {
    const { metadata, data, stringData, immutable } = newSecret.parse(body);
    const { name } = metadata;
    if (this.#secrets.has(`${namespace}/${name}`))
      throw new Refusal(409, 'AlreadyExists', `secrets "${name}" already exists`);
    const secret: Stored = {
      metadata: {
        name,
        namespace,
        uid: randomUUID(),
        resourceVersion: this.#next(),
        labels: merged({}, metadata.labels),
        annotations: merged({}, metadata.annotations),
      },
      data: { ...merged({}, data), ...encoded(stringData) },
      immutable,
    };
    this.#secrets.set(`${namespace}/${name}`, secret);
    return secret;
  }

  #patched(found: Stored, body: unknown): Stored {
    const { metadata = {}, data, stringData, immutable } = patchBody.parse(body);
    const { name, resourceVersion } = found.metadata;
    if (metadata.resourceVersion !== undefined && metadata.resourceVersion !== resourceVersion) {
      throw new Refusal(
        409,
        'Conflict',
        `Operation cannot be fulfilled on secrets "${name}": the object has been modified; please apply your changes to the latest version and try again`,
      );
    }
    const changed = { ...merged(found.data, data), ...encoded(stringData) };
    if (found.immutable && JSON.stringify(changed) !== JSON.stringify(found.data)) {
      throw new Refusal(
        422,
        'Invalid',
        `Secret "${name}" is invalid: data: Forbidden: field is immutable when \`immutable\` is set`,
      );
    }
    for (const key of Object.keys(changed)) {
      if (/^[-._a-zA-Z0-9]{1,253}$/.test(key)) continue;
      throw new Refusal(
        422,
        'Invalid',
        `Secret "${name}" is invalid: data[${key}]: Invalid value: a valid config key must consist of alphanumeric characters`,
      );
    }
    const next = {
      ...found,
      data: changed,
      immutable: immutable ?? found.immutable,
      metadata: {
        ...found.metadata,
        labels: merged(found.metadata.labels, metadata.labels),
        annotations: merged(found.metadata.annotations, metadata.annotations),
        finalizers: metadata.finalizers ?? found.metadata.finalizers,
      },
    };
    // An empty change does not create a new version.
    if (JSON.stringify(next) === JSON.stringify(found)) return found;
    return { ...next, metadata: { ...next.metadata, resourceVersion: this.#next() } };
  }

  #next(): string {
    this.#version += 1;
    return String(this.#version);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return stopServer(this.#server);
  }
}

function userOf({ headers, socket }: http.IncomingMessage): string | undefined {
  const token = headers.authorization?.replace(/^Bearer /, '');
  if (token !== undefined) return Object.entries(TOKENS).find(([, value]) => value === token)?.[0];
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const name = socket.getPeerCertificate().subject.CN;
  return typeof name === 'string' ? name : undefined;
}

/** Group, namespace, kind and name of an address of the API. */
function partsOf(path: string): (string | undefined)[] {
  const core = /^\/api\/v1\/namespaces\/([^/]+)\/([^/]+)(?:\/([^/]+))?$/.exec(path);
  if (core !== null) return ['core', ...core.slice(1)];
  const rbac =
    /^\/apis\/rbac\.authorization\.k8s\.io\/v1\/namespaces\/([^/]+)\/([^/]+)(?:\/([^/]+))?$/.exec(
      path,
    );
  return rbac === null ? [] : ['rbac', ...rbac.slice(1)];
}

/** RFC 7386: null removes. */
function merged(into: Texts, patch: Readonly<Record<string, string | null>> = {}): Texts {
  const all: Record<string, string | null> = { ...into, ...patch };
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
}

function encoded(values: Texts = {}): Texts {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  );
}

function send(outgoing: http.ServerResponse, status: number, body: unknown): void {
  const isText = typeof body === 'string';
  outgoing.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' });
  outgoing.end(isText ? body : JSON.stringify(body));
}
