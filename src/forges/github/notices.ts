import * as z from 'zod/mini';
import { hasCode } from '../../errors.ts';
import { getJson, listAll, type Octokit } from '../../github/client.ts';
import type { Issue, IssueText, MergedPull, NewIssue, Notices } from '../notices.ts';
import { needing } from './needing.ts';
import { account, toAccount } from './replies.ts';

const MAX_ISSUES = 1000;
const REPO = '/repos/{owner}/{repo}';

const mergedPull = z.object({
  number: z.number(),
  html_url: z.string(),
  merged_at: z.nullish(z.string()),
  merge_commit_sha: z.nullish(z.string()),
});

const ownIssue = z.object({ number: z.number(), html_url: z.string() });

/** Lists of issues have pull requests among them, which alone have `pull_request`. */
const issue = z.extend(ownIssue, {
  user: z.nullable(account),
  body: z.nullish(z.string()),
  pull_request: z.optional(z.unknown()),
});

/** Issues and merges by GitHub's REST API. */
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

  async openIssues(): Promise<Issue[]> {
    const query = { ...this.#repository, state: 'open', sort: 'updated', direction: 'desc' };
    const { items } = await this.#issues('read the issues', () =>
      listAll(this.#octokit, `GET ${REPO}/issues`, query, issue, MAX_ISSUES),
    );
    return items
      .filter(({ pull_request: pull }) => pull === undefined)
      .map(({ number, html_url: url, user, body }) => ({
        number,
        url,
        author: user === null ? undefined : toAccount(user),
        body: body ?? '',
      }));
  }

  async createIssue({ title, body, labels, assignees }: NewIssue): Promise<Pick<Issue, 'number' | 'url'>> {
    const values = { ...this.#repository, title, body, labels, assignees };
    const made = await this.#issues('open an issue', () =>
      getJson(this.#octokit, `POST ${REPO}/issues`, values, ownIssue),
    );
    return { number: made.number, url: made.html_url };
  }

  async updateIssue(number: number, { title, body }: IssueText): Promise<void> {
    await this.#patch(number, { title, body }, 'update');
  }

  async closeIssue(number: number): Promise<void> {
    await this.#patch(number, { state: 'closed', state_reason: 'completed' }, 'close');
  }

  async #patch(number: number, values: object, what: string): Promise<void> {
    await this.#issues(`${what} issue ${number}`, () =>
      getJson(this.#octokit, `PATCH ${REPO}/issues/{number}`, { ...this.#repository, number, ...values }, ownIssue),
    );
  }

  /** 410 is how GitHub answers where a repository has no issues. */
  async #issues<T>(what: string, call: () => Promise<T>): Promise<T> {
    try {
      return await needing(`${what} of ${this.#name}`, call, { issues: 'write' });
    } catch (error) {
      if (!hasCode(error, 'not-found') || error.httpStatus !== 410) throw error;
      throw error.with({
        message: `The token cannot ${what} of ${this.#name}: issues are disabled in this repository.`,
        hint: 'Enable issues in the settings of the repository, or remove issue-on-failure.',
      });
    }
  }
}
