import * as z from 'zod/mini';
import type { HttpReply } from '../http/exchange.ts';
import type { Http, Repeat } from '../http/http.ts';
import type { Meaning, Service } from '../http/service.ts';
import { parseJson } from '../text/json.ts';
import type { ClusterLogin } from './login.ts';

// https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/
const status = z.object({ kind: z.literal('Status'), message: z.optional(z.string()), reason: z.optional(z.string()) });

const service: Service = {
  name: 'the Kubernetes API server',
  addressSetting: 'the server in the kubeconfig',
  authoritySetting: 'certificate-authority-data of the kubeconfig',
  errorText: (reply) => statusOf(reply)?.message,
  meaning,
};

function statusOf(reply: HttpReply): z.infer<typeof status> | undefined {
  const parsed = status.safeParse(parseJson(reply.body.toString('utf8')));
  return parsed.success ? parsed.data : undefined;
}

function meaning(reply: HttpReply): Meaning | undefined {
  switch (reply.status) {
    case 401:
      return { hint: 'The token or the certificate was not accepted: it may have expired. Make a new kubeconfig.' };
    case 422:
      return {
        code: 'config',
        hint: 'The API server rejected the patch. Its message names the field.',
      };
    default:
      return undefined;
  }
}

interface KubeRequest {
  readonly method: 'GET' | 'PATCH';
  /** Below the server's address; each part is escaped. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** A merge patch (RFC 7386). */
  readonly patch?: unknown;
  /** Entries of lists are merged by their names: https://kubernetes.io/docs/tasks/manage-kubernetes-objects/update-api-object-kubectl-patch/ */
  readonly isStrategic?: boolean | undefined;
  readonly repeat: Repeat;
  readonly signal?: AbortSignal | undefined;
  /** For the whole call, with all attempts. */
  readonly timeLimitMs?: number | undefined;
}

type KubeRead = Pick<KubeRequest, 'path' | 'query'>;

/** The Kubernetes API by way of one login: requests with limits, retries and errors of the common ground. */
export class KubernetesApi {
  readonly #http: Http;
  readonly #login: ClusterLogin;

  constructor(http: Http, login: ClusterLogin) {
    this.#http = http;
    this.#login = login;
  }

  /** Throws a CourierError, and only that: the code of the status, `protocol` where the reply does not fit. */
  async send<T>(request: KubeRequest, schema: z.ZodMiniType<T>): Promise<T> {
    const { patch, isStrategic = false } = request;
    const outgoing = await this.#outgoing(request, { accept: 'application/json' });
    const body = patch !== undefined && {
      body: JSON.stringify(patch),
      headers: {
        ...outgoing.headers,
        'content-type': `application/${isStrategic ? 'strategic-merge' : 'merge'}-patch+json`,
      },
    };
    const { value } = await this.#http.requestJson({ ...outgoing, ...body }, schema);
    return value;
  }

  /** A reply that is not JSON: the log of a container. Throws as `send` does. */
  async text(read: KubeRead): Promise<string> {
    const request = { method: 'GET', repeat: 'always', ...read } as const;
    const { body } = await this.#http.request(await this.#outgoing(request, { accept: '*/*' }));
    return body.toString('utf8');
  }

  async #outgoing({ method, path, query, repeat, signal, timeLimitMs }: KubeRequest, headers: Record<string, string>) {
    const { server, tls, token } = await this.#login.login();
    const url = new URL(`${server}/${path.map(encodeURIComponent).join('/')}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const identity = token !== undefined && { authorization: `Bearer ${token}` };
    return { service, method, url, repeat, tls, signal, timeLimitMs, headers: { ...headers, ...identity } } as const;
  }
}
