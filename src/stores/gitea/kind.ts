import { type PlainKind, required } from '../kind.ts';
import { serverOf, withoutOwnServer } from '../server.ts';
import { formatAddress, GITEA_FORMS, type GiteaAddress, parseGitea } from './address.ts';

const FORGE = { name: 'Gitea or Forgejo', systems: ['gitea', 'forgejo'] };

export const gitea: PlainKind<GiteaAddress> = {
  forms: GITEA_FORMS,
  queries: ['server'],
  parse: parseGitea,
  format: formatAddress,
  // Gitea ignores case in the names of owners and repositories.
  keys: (address) => [formatAddress(address).toLowerCase()],
  shorten: (address, context) => withoutOwnServer(address, FORGE, context),
  takesToken: true,
  open: async (address, opening) => {
    const { GiteaStore } = await import('./store.ts');
    const text = formatAddress(address);
    return new GiteaStore({
      address,
      serverUrl: await serverOf(address, text, FORGE, opening),
      token: required(opening.credentials.secretToken, 'secret-token', text),
      jobTokens: [opening.credentials.workflowToken, opening.run.jobToken],
      http: opening.http,
    });
  },
};
