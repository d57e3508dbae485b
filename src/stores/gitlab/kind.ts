import { type PlainKind, required } from '../kind.ts';
import { serverOf, withoutOwnServer } from '../server.ts';
import { formatAddress, GITLAB_FORMS, type GitLabAddress, parseGitLab } from './address.ts';

const FORGE = { name: 'GitLab', systems: ['gitlab'] };

export const gitlab: PlainKind<GitLabAddress> = {
  forms: GITLAB_FORMS,
  queries: ['server', 'environment'],
  parse: parseGitLab,
  format: formatAddress,
  shorten: (address, context) => withoutOwnServer(address, FORGE, context),
  takesToken: true,
  open: async (address, opening) => {
    const { GitLabStore } = await import('./store.ts');
    const text = formatAddress(address);
    return new GitLabStore({
      address,
      url: await serverOf(address, text, FORGE, opening),
      token: required(opening.credentials.secretToken, 'secret-token', text),
      jobToken: opening.run.jobToken,
      http: opening.http,
    });
  },
};
