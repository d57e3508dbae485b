import * as z from 'zod/mini';
import { listAll, type Octokit } from '../../github/client.ts';
import type { MergedPull, Notices } from '../notices.ts';
import { needing } from './needing.ts';

const REPO = '/repos/{owner}/{repo}';

const mergedPull = z.object({
  number: z.number(),
  html_url: z.string(),
  merged_at: z.nullish(z.string()),
  merge_commit_sha: z.nullish(z.string()),
});

/** Merges by GitHub's REST API. */
export class GitHubNotices implements Notices {
  readonly #octokit: Octokit;
  readonly #name: string;
  readonly #repository: Readonly<Record<'owner' | 'repo', string>>;

  constructor(octokit: Octokit, fullName: string) {
    this.#octokit = octokit;
    this.#name = fullName;
    const [owner = '', repo = ''] = fullName.split('/');
    this.#repository = { owner, repo };
  }

  /** https://docs.github.com/rest/commits/commits#list-pull-requests-associated-with-a-commit */
  async mergedPull(commit: string): Promise<MergedPull | undefined> {
    const route = `GET ${REPO}/commits/{commit}/pulls`;
    const { items } = await needing(`read the pull requests of commit ${commit} of ${this.#name}`, () =>
      listAll(this.#octokit, route, { ...this.#repository, commit }, mergedPull),
    );
    const merged = items
      .filter(({ merged_at: at }) => typeof at === 'string')
      .sort((a, b) => ((a.merged_at ?? '') < (b.merged_at ?? '') ? 1 : -1));
    // A commit can be part of several; the one that it was made for goes first.
    const found = merged.find(({ merge_commit_sha: sha }) => sha === commit) ?? merged[0];
    return found && { number: found.number, url: found.html_url };
  }
}
