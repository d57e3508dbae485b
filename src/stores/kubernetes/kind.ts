import type { KubernetesInputs } from '../../kubernetes/login.ts';
import { type PlainKind, required } from '../kind.ts';
import {
  formatAddress,
  KUBERNETES_FORMS,
  type KubernetesAddress,
  parseKubernetes,
} from './address.ts';

interface Credentials {
  readonly kubernetes?: KubernetesInputs | undefined;
}

export const kubernetes: PlainKind<KubernetesAddress, Credentials> = {
  forms: KUBERNETES_FORMS,
  queries: ['context'],
  hasKey: true,
  parse: parseKubernetes,
  format: formatAddress,
  server: (address) => address.context,
  open: async (address, opening) => {
    const { KubernetesStore } = await import('./store.ts');
    return new KubernetesStore({
      ...opening,
      address,
      credentials: {
        ...required(opening.credentials.kubernetes, 'kubeconfig', formatAddress(address)),
        workspace: opening.run.workspace,
        env: opening.run.env,
      },
    });
  },
};
