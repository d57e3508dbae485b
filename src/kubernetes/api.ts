import { JsonApi } from '../http/api.ts';
import type { Http } from '../http/http.ts';
import { type Meaning, type Service, textAt } from '../http/service.ts';
import type { ClusterLogin } from './login.ts';

const MEANINGS: Readonly<Record<number, Meaning>> = {
  401: { hint: 'The token or the certificate was not accepted: it may have expired. Make a new kubeconfig.' },
  422: { code: 'config', hint: 'The API server rejected the patch. Its message names the field.' },
};

const service: Service = {
  name: 'the Kubernetes API server',
  addressSetting: 'the server in the kubeconfig',
  authoritySetting: 'certificate-authority-data of the kubeconfig',
  // https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/
  errorText: (reply) => (textAt(reply, 'kind') === 'Status' ? textAt(reply, 'message') : undefined),
  meaning: ({ status }) => MEANINGS[status],
};

/** The headers of a merge patch (RFC 7386). */
export const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' } as const;
/** Entries of lists are merged by their names: https://kubernetes.io/docs/tasks/manage-kubernetes-objects/update-api-object-kubectl-patch/ */
export const STRATEGIC_PATCH = { 'content-type': 'application/strategic-merge-patch+json' } as const;

/** The Kubernetes API by way of one login. */
export class KubernetesApi extends JsonApi {
  constructor(http: Http, cluster: ClusterLogin) {
    super(http, service, async () => {
      const { server, tls, token } = await cluster.login();
      const identity = token !== undefined && { authorization: `Bearer ${token}` };
      return { url: server, tls, headers: { ...identity } };
    });
  }
}
