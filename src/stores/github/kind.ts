import { type Opening, type PlainKind, required, type Tokens } from '../kind.ts';
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
  /** Set in a run for many destinations: what it lists of GitHub's settings, once for all of them. */
  readonly lists?: { readonly github: GitHubLists } | undefined;
}

export const github: PlainKind<GitHubAddress, GitHubOpening> = {
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
    const { github, credentials, clock, signal } = opening;
    const lists = opening.lists?.github;
    const token = required(credentials.secretToken, 'secret-token', formatAddress(address));
    return new GitHubStore({
      address,
      repository: github.run.repository,
      repositoryId: github.run.repositoryId,
      serverUrl: github.run.serverUrl,
      token,
      workflowToken: credentials.workflowToken,
      connect: async (callSignal) => {
        const octokit = await github.connect(token, callSignal);
        // A run for many destinations must know the quota of its token.
        lists?.watch(octokit);
        return octokit;
      },
      lists,
      clock,
      signal,
    });
  },
};
