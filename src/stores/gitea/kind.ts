import { type AddressForm, type Kind, type Opening, required, type Tokens } from '../kind.ts';
import { serverOf, withoutOwnServer } from '../server.ts';
import { formatAddress, GITEA_FORMS, type GiteaAddress, parseGitea } from './address.ts';

interface GiteaOpening extends Opening {
  readonly credentials: Tokens;
}

const FORGE = { scheme: 'gitea', name: 'Gitea or Forgejo', systems: ['gitea', 'forgejo'] } as const;

export const gitea: Kind<GiteaAddress, GiteaOpening> & AddressForm<GiteaAddress> = {
  forms: GITEA_FORMS,
  queries: ['server'],
  parse: parseGitea,
  format: formatAddress,
  // Gitea ignores case in the names of owners and repositories.
  keys: (address) => [formatAddress(address).toLowerCase()],
  shorten: (address, destination) => withoutOwnServer(address, FORGE, destination),
  token: 'other',
  open: async (address, opening) => {
    const { GiteaStore } = await import('./store.ts');
    const { credentials, run, http } = opening;
    const text = formatAddress(address);
    const token = required(credentials.secretToken, 'secret-token', text);
    const serverUrl = await serverOf(address, text, FORGE, opening);
    const jobTokens = [credentials.workflowToken, run.jobToken];
    return new GiteaStore({ address, serverUrl, token, jobTokens, http });
  },
};
