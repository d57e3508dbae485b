import type { GitHub } from '../../github/connection.ts';
import type { Log } from '../../log.ts';
import type { Notices } from '../notices.ts';
import type { Forge, ForgeHost, ForgeTokens, InstructionSource, PullAddress, Trigger } from '../port.ts';
import { readPullUrl, readRepositoryUrl } from './addresses.ts';
import { readTrigger } from './event.ts';

/** GitHub as the run's event and environment show it; a client is made when one is asked for. */
export class GitHubHost implements ForgeHost {
  readonly kind = 'github';
  readonly name = 'GitHub';
  readonly repository: string;
  readonly #github: GitHub;
  readonly #log: Log;

  constructor(github: GitHub, log: Log) {
    this.repository = github.run.repository;
    this.#github = github;
    this.#log = log;
  }

  commentsAddress(pullNumber: number): string {
    return `${this.#github.run.apiUrl}/repos/${this.repository}/issues/${pullNumber}/comments`;
  }

  async trigger({ source }: { readonly source: InstructionSource }): Promise<Trigger> {
    return readTrigger(this.#github.run.eventName, await this.#github.event(), source);
  }

  readRepositoryUrl(url: string): string | undefined {
    return readRepositoryUrl(url, this.#github.run.serverUrl);
  }

  readPullUrl(url: string): PullAddress | undefined {
    return readPullUrl(url, this.#github.run.serverUrl);
  }

  async connect({ main }: ForgeTokens, signal?: AbortSignal): Promise<Forge> {
    const [octokit, { GitHubForge }] = await Promise.all([this.#github.connect(main, signal), import('./forge.ts')]);
    return new GitHubForge(octokit, main, this.repository, this.#log);
  }

  /** What comments alone do not give, with the same token. */
  async connectNotices(token: string, signal?: AbortSignal): Promise<Notices> {
    const [octokit, { GitHubNotices }] = await Promise.all([
      this.#github.connect(token, signal),
      import('./notices.ts'),
    ]);
    return new GitHubNotices(octokit, this.repository);
  }
}
