import { type AddressForm, type Kind, type Opening, required, type Tokens } from '../kind.ts';
import {
  formatAddress,
  GITHUB_FORMS,
  type GitHubAddress,
  parseGitHub,
  shortenGitHub,
  whyNotGitHub,
} from './address.ts';
import type { GitHubLists } from './list.ts';

interface GitHubOpening extends Opening {
  readonly credentials: Tokens;
  readonly lists?: { readonly github: GitHubLists } | undefined;
}

export const github: Kind<GitHubAddress, GitHubOpening> & AddressForm<GitHubAddress> = {
  forms: GITHUB_FORMS,
  queries: ['visibility', 'repositories'],
  parse: parseGitHub,
  format: formatAddress,
  // GitHub ignores case in the names of owners, repositories and environments.
  keys: (address) => [formatAddress(address).toLowerCase()],
  shorten: shortenGitHub,
  whyNot: whyNotGitHub,
  token: 'github',
  open: async (address, { github, credentials, lists, clock, signal }) => {
    const { GitHubStore } = await import('./store.ts');
    const { repository, serverUrl } = github.run;
    const { workflowToken, secretToken } = credentials;
    const token = required(secretToken, 'secret-token', formatAddress(address));
    const connect = async (own?: AbortSignal) => {
      const octokit = await github.connect(token, own);
      return lists?.github.watch(octokit) ?? octokit;
    };
    const common = { address, repository, serverUrl, clock, signal, lists: lists?.github };
    return new GitHubStore({ ...common, workflowToken, token, connect });
  },
};
