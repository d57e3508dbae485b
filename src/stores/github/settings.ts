import type { Octokit } from '../../github/client.ts';
import { explainSettingError } from './advice.ts';
import { type GitHubTarget, type SettingScope, settingScope } from './target.ts';

/** A client for the API with the token of the store. `signal` is used instead of the run's own. */
export type Connect = (signal?: AbortSignal) => Promise<Octokit>;

/** Calls about one secret and the variable next to it. Their failures name the permission that is missing. */
export class GitHubSettings {
  readonly target: GitHubTarget;
  /** Of the secret. */
  readonly name: string;
  readonly scope: SettingScope;
  readonly #connect: Connect;

  constructor(target: GitHubTarget, name: string, connect: Connect) {
    this.target = target;
    this.name = name;
    this.scope = settingScope(target);
    this.#connect = connect;
  }

  /** The same destination, asked with another signal. */
  with(signal: AbortSignal | undefined): GitHubSettings {
    return signal === undefined ? this : new GitHubSettings(this.target, this.name, () => this.#connect(signal));
  }

  /** `action` completes "Could not …", such as `read the public key`. */
  async call<T>(kind: 'secrets' | 'variables', action: string, request: (octokit: Octokit) => Promise<T>): Promise<T> {
    const octokit = await this.#connect();
    try {
      return await request(octokit);
    } catch (error) {
      throw explainSettingError(error, { target: this.target, kind, action });
    }
  }

  /** A call whose failure the caller explains itself. */
  async request<T>(request: (octokit: Octokit) => Promise<T>): Promise<T> {
    return request(await this.#connect());
  }
}
