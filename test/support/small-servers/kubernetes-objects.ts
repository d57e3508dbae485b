import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { fieldOf } from '../../../src/ground/text/json.ts';

/** A refusal of the API server. */
export class Refusal extends Error {
  readonly status: number;
  readonly reason: string;

  constructor(status: number, reason: string, message: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

/** One address of the API: `/apis/apps/v1/namespaces/default/deployments/docs/status`. */
interface ObjectPath {
  /** Such as `apps`; empty for the core. */
  readonly group: string;
  readonly namespace: string;
  readonly resource: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

type Json = Readonly<Record<string, unknown>>;

const RESOURCES = [
  'apps/deployments',
  'apps/statefulsets',
  'apps/daemonsets',
  'apps/replicasets',
  '/pods',
];

/** undefined: not the address of an object that is stored here. */
export function objectPath(path: string): ObjectPath | undefined {
  const match =
    /^\/(?:api|apis\/(apps))\/v1(?:\/namespaces\/([^/]+))?\/([a-z]+)(?:\/([^/]+))?(?:\/(status))?$/.exec(
      path,
    );
  const [, group = '', namespace = '', resource = '', name, subresource] = match ?? [];
  return RESOURCES.includes(`${group}/${resource}`)
    ? { group, namespace, resource, name, subresource }
    : undefined;
}

/**
 * Objects with a specification and a status, like in the API server: merge patches, generations,
 * selectors of lists.
 */
export class ObjectStore {
  readonly #objects = new Map<string, Json>();
  #version = 1000;

  /** `type`: the content type, which says how a patch is merged. */
  async handle(
    method: string,
    path: ObjectPath,
    {
      query,
      body,
      type,
    }: { readonly query: URLSearchParams; readonly body: unknown; readonly type: string },
  ): Promise<unknown> {
    const { group, namespace, resource, name, subresource } = path;
    const collection = `${group}/${namespace}/${resource}/`;
    if (name === undefined) {
      if (method === 'POST') return this.#create(collection, path, body);
      return { items: this.#list(collection, query) };
    }
    const key = collection + name;
    const found = this.#objects.get(key);
    if (found === undefined)
      throw new Refusal(404, 'NotFound', `${nameOf(path)} "${name}" not found`);
    if (method === 'DELETE') return this.#objects.delete(key);
    if (method === 'GET') return found;
    const isStrategic = type === 'application/strategic-merge-patch+json';
    const whole = isStrategic ? withLists(found, body) : body;
    const patched = this.#patched(found, whole, subresource === 'status');
    if (query.get('dryRun') !== 'All') this.#objects.set(key, patched);
    return patched;
  }

  #create(collection: string, path: ObjectPath, body: unknown): Json {
    const given = merged({}, body);
    const name = fieldOf(given, 'metadata', 'name');
    if (this.#objects.has(`${collection}${name}`))
      throw new Refusal(409, 'AlreadyExists', `${nameOf(path)} "${name}" already exists`);
    const own = {
      namespace: path.namespace,
      uid: randomUUID(),
      resourceVersion: this.#next(),
      generation: 1,
    };
    const made = merged(given, { metadata: own });
    this.#objects.set(`${collection}${name}`, made);
    return made;
  }

  #list(collection: string, query: URLSearchParams): readonly Json[] {
    const labels = (query.get('labelSelector') ?? '').split(',').filter((text) => text !== '');
    return [...this.#objects]
      .filter(([key]) => key.startsWith(collection))
      .map(([, object]) => object)
      .filter((object) => labels.every((text) => hasLabel(object, text)));
  }

  #patched(found: Json, body: unknown, isStatus: boolean): Json {
    const wanted = merged(found, body);
    const status = isStatus ? wanted['status'] : found['status'];
    const spec = isStatus ? found['spec'] : wanted['spec'];
    const { spec: _, status: __, ...rest } = isStatus ? found : wanted;
    const next: Json = {
      ...rest,
      ...(spec !== undefined && { spec }),
      ...(status !== undefined && { status }),
    };
    if (isDeepStrictEqual(next, found)) return found;
    const generation =
      Number(fieldOf(found, 'metadata', 'generation')) +
      (isDeepStrictEqual(spec, found['spec']) ? 0 : 1);
    return merged(next, { metadata: { generation, resourceVersion: this.#next() } });
  }

  #next(): string {
    this.#version += 1;
    return String(this.#version);
  }
}

function nameOf({ group, resource }: ObjectPath): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** `text`: `name=value`. */
function hasLabel(object: Json, text: string): boolean {
  const [name = '', value] = text.split('=');
  return fieldOf(object, 'metadata', 'labels', name) === value;
}

/**
 * The patch with whole lists: entries that have a name are merged with those of the object that
 * have the same one.
 */
function withLists(found: unknown, patch: unknown): unknown {
  if (Array.isArray(patch)) {
    const before: readonly unknown[] = Array.isArray(found) ? found : [];
    const named = (list: readonly unknown[], one: unknown) =>
      list.find((other) => fieldOf(other, 'name') === fieldOf(one, 'name'));
    const kept = before.map((one) =>
      named(patch, one) === undefined ? one : merged(one, named(patch, one)),
    );
    return [...kept, ...patch.filter((one) => named(before, one) === undefined)];
  }
  if (!isObject(patch)) return patch;
  return Object.fromEntries(
    Object.entries(patch).map(([key, value]) => [key, withLists(fieldOf(found, key), value)]),
  );
}

/** RFC 7386: null removes. */
function merged(into: unknown, patch: unknown): Json {
  const result: Record<string, unknown> = isObject(into) ? { ...into } : {};
  for (const [key, value] of Object.entries(isObject(patch) ? patch : {})) {
    if (value === null) delete result[key];
    else result[key] = isObject(value) ? merged(result[key], value) : value;
  }
  return result;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
