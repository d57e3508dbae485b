import type { KubernetesInputs } from '../../kubernetes/login.ts';
import { type Opening, type PlainKind, required } from '../kind.ts';
import {
  formatAddress,
  KUBERNETES_FORMS,
  type KubernetesAddress,
  parseKubernetes,
} from './address.ts';

interface KubernetesOpening extends Opening {
  readonly credentials: { readonly kubernetes?: KubernetesInputs | undefined };
}

export const kubernetes: PlainKind<KubernetesAddress, KubernetesOpening> = {
  forms: KUBERNETES_FORMS,
  queries: ['context'],
  hasKey: true,
  parse: parseKubernetes,
  format: formatAddress,
  server: (address) => address.context,
  open: async (address, opening) => {
    const { KubernetesStore } = await import('./store.ts');
    return new KubernetesStore({
      address,
      http: opening.http,
      log: opening.log,
      credentials: {
        ...required(opening.credentials.kubernetes, 'kubeconfig', formatAddress(address)),
        workspace: opening.run.workspace,
        env: opening.run.env,
      },
    });
  },
};
