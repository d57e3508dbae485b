import { type AddressForm, type Kind, type Opening, required, type Tokens } from '../kind.ts';
import { serverOf, withoutOwnServer } from '../server.ts';
import { formatAddress, GITLAB_FORMS, type GitLabAddress, parseGitLab } from './address.ts';
import type { GitLabLists } from './list.ts';

interface GitLabOpening extends Opening {
  readonly credentials: Tokens;
  readonly lists?: { readonly gitlab: GitLabLists } | undefined;
}

const FORGE = { scheme: 'gitlab', name: 'GitLab', systems: ['gitlab'] } as const;

export const gitlab: Kind<GitLabAddress, GitLabOpening> & AddressForm<GitLabAddress> = {
  forms: GITLAB_FORMS,
  queries: ['server', 'environment'],
  parse: parseGitLab,
  format: formatAddress,
  shorten: (address, destination) => withoutOwnServer(address, FORGE, destination),
  token: 'other',
  open: async (address, opening) => {
    const { GitLabStore } = await import('./store.ts');
    const { credentials, lists, run, http } = opening;
    const text = formatAddress(address);
    const token = required(credentials.secretToken, 'secret-token', text);
    const url = await serverOf(address, text, FORGE, opening);
    return new GitLabStore({
      address,
      url,
      token,
      jobToken: run.jobToken,
      http,
      lists: lists?.gitlab,
    });
  },
};
