import type { Kind } from '../kind.ts';
import { formatAddress, type ImageAddress } from './address.ts';

/** The input `image` names it, not `to`. */
export const image: Kind<ImageAddress> = {
  format: formatAddress,
  open: async (address, opening) => {
    const { run, log } = opening;
    const { RegistryStore } = await import('./store.ts');
    return new RegistryStore({
      address,
      env: run.env,
      workspace: run.kind === 'local' ? undefined : run.workspace,
      http: opening.http,
      clock: opening.clock,
      signal: opening.signal,
      mask: (secret) => log.mask(secret),
      info: (text) => log.info(text),
      notice: (text) => log.notice(text),
      redact: (text) => log.redact(text),
    });
  },
};
