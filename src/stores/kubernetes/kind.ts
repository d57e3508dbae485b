import type { AddressForm, Kind, Opening } from '../kind.ts';
import {
  formatAddress,
  KUBERNETES_FORMS,
  type KubernetesAddress,
  parseKubernetes,
} from './address.ts';
import type { KubernetesInputs } from './inputs.ts';

interface KubernetesOpening extends Opening {
  readonly credentials: { readonly kubernetes?: KubernetesInputs | undefined };
}

export const kubernetes: Kind<KubernetesAddress, KubernetesOpening> &
  AddressForm<KubernetesAddress> = {
  forms: KUBERNETES_FORMS,
  queries: ['context'],
  hasKey: true,
  parse: parseKubernetes,
  format: formatAddress,
  server: ({ context }) => context,
  open: async (address, { credentials, run, http, log }) => {
    const { KubernetesStore } = await import('./store.ts');
    const given = credentials.kubernetes ?? {
      kubeconfig: undefined,
      context: undefined,
      allowExec: false,
    };
    const { workspace, env } = run;
    const mask = (secret: string) => log.mask(secret);
    return new KubernetesStore({ address, http, mask, credentials: { ...given, workspace, env } });
  },
};
