import { type PlainKind, required } from '../kind.ts';
import {
  formatAddress,
  GITHUB_FORMS,
  type GitHubAddress,
  parseGitHub,
  shortenGitHub,
  whyNotGitHub,
} from './address.ts';

export const github: PlainKind<GitHubAddress> = {
  forms: GITHUB_FORMS,
  queries: ['visibility', 'repositories'],
  parse: parseGitHub,
  format: formatAddress,
  // GitHub ignores case in the names of owners, repositories and environments.
  keys: (address) => [formatAddress(address).toLowerCase()],
  shorten: shortenGitHub,
  whyNot: whyNotGitHub,
  takesToken: true,
  open: async (address, opening) => {
    const { GitHubStore } = await import('./store.ts');
    const { github, credentials } = opening;
    const token = required(credentials.secretToken, 'secret-token', formatAddress(address));
    return new GitHubStore({
      ...opening,
      address,
      repository: github.run.repository,
      repositoryId: github.run.repositoryId,
      serverUrl: github.run.serverUrl,
      token,
      workflowToken: credentials.workflowToken,
      connect: (callSignal) => github.connect(token, callSignal),
    });
  },
};
