import type { Kind } from '../kind.ts';
import { formatAddress, type ImageAddress } from './address.ts';

/** The destination of an image. It is named by the input `image`, not by `to`. */
export const image: Kind<ImageAddress> = {
  format: formatAddress,
  open: async (address, opening) => {
    const run = opening.run;
    const { RegistryStore } = await import('./store.ts');
    return new RegistryStore({
      ...opening,
      address,
      env: run.env,
      // On a person's machine, the workspace has only files of that person.
      workspace: run.kind === 'local' ? undefined : run.workspace,
    });
  },
};
