import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import { amended, type CourierError } from '../ground/errors.ts';
import { type ApiRequest, JsonApi } from '../http/api.ts';
import type { Http } from '../http/http.ts';
import { type Meaning, type Service, textAt } from '../http/service.ts';
import type { ClusterLogin } from './login.ts';

const MEANINGS: Readonly<Record<number, Meaning>> = {
  401: {
    hint: 'The token or the certificate was not accepted: it may have expired. Make a new kubeconfig.',
  },
  422: { code: 'config', hint: 'The API server rejected the patch. Its message names the field.' },
};

const service: Service = {
  name: 'the Kubernetes API server',
  addressSetting: 'the server in the kubeconfig',
  authoritySetting: 'certificate-authority-data of the kubeconfig',
  // https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/
  errorText: (reply) => {
    // Something in front of the API server has answered.
    if (textAt(reply, 'kind') !== 'Status') return undefined;
    return textAt(reply, 'message');
  },
  meaning: (reply) => MEANINGS[reply.status],
};

/** The headers of a merge patch (RFC 7386). */
export const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' };
/**
 * Entries of lists are merged by their names:
 * https://kubernetes.io/docs/tasks/manage-kubernetes-objects/update-api-object-kubectl-patch/
 */
export const STRATEGIC_PATCH = {
  'content-type': 'application/strategic-merge-patch+json',
};

// etcd takes objects of at most 1.5 MiB, whose bytes are longer in base64; a list has many objects.
const MAX_REPLY = { bodyBytes: 16 * 1024 * 1024 };

/** The Kubernetes API with one login, which is asked for its credentials for each request. */
export class KubernetesApi extends JsonApi {
  constructor(http: Http, cluster: ClusterLogin) {
    super(http, service, async () => {
      const { server, tls, token } = await cluster.login();
      const headers: Record<string, string> = {};
      if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
      return { url: server, tls, headers };
    });
  }

  /** Makes a call about an object; its error says what to do if the object or a right is missing. */
  about<T>(object: KubernetesObject, request: ApiRequest, schema: z.ZodMiniType<T>): Promise<T> {
    const sent = this.read({ limits: MAX_REPLY, ...request }, schema);
    return amended(['not-found', 'forbidden'], sent, (error) => {
      if (error.code === 'forbidden') return { hint: forbiddenHint(error, object) };
      return { message: `${object.missing} ${error.message}`, hint: object.ifMissing };
    });
  }
}

interface KubernetesObject {
  /** The input that names it. */
  readonly input: string;
  readonly namespace: string;
  /**
   * The rules of a Role that are needed, as YAML. They are not a whole Role: a person who applies a
   * Role would replace the rules that the account already has.
   */
  readonly rules: string;
  /** The sentence that says that it does not exist, and what to do then. */
  readonly missing: string;
  readonly ifMissing: string;
}

/** What to do about a 403. */
function forbiddenHint(
  { message }: CourierError,
  { input, namespace, rules }: KubernetesObject,
): string {
  // In these words the API server says that the account lacks a right. A policy or a webhook, which
  // may reject a change that the account has the right to, uses others.
  if (/ cannot \w+ resource /.test(message)) {
    return `The account lacks a right, or a name in ${input} is wrong: rights that are given by name do not show which. Its Role in namespace ${namespace} needs these rules, besides those that it has:\n${rules}`;
  }
  return `A rule of the cluster, which the message names, rejects the change. Ask the owner of the namespace ${namespace}.`;
}

// After its prefix, the name of an annotation has at most 63 characters, all of these.
const ANNOTATION_NAME = /^[\w.-]{0,62}[a-zA-Z0-9]$/;

/**
 * The annotation `docs-courier/KIND.NAME`; a name that an annotation cannot have is replaced by its
 * digest.
 */
export function annotationOf(kind: 'state' | 'export', name: string): string {
  if (ANNOTATION_NAME.test(`${kind}.${name}`)) return `docs-courier/${kind}.${name}`;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 40);
  return `docs-courier/${kind}.${digest}`;
}
