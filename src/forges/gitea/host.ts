import type { Http } from '../../http/http.ts';
import type { Log } from '../../log.ts';
import type { Forge, ForgeHost, ForgeTokens, InstructionSource, PullAddress, Trigger } from '../port.ts';
import { readPullUrl, readRepositoryUrl } from './addresses.ts';
import { readTrigger } from './event.ts';

interface GiteaHostInit {
  readonly name: 'Gitea' | 'Forgejo';
  /** Without a trailing slash. */
  readonly serverUrl: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly eventName: string;
  /** The payload. */
  readonly event: () => Promise<unknown>;
  readonly http: Http;
  readonly log: Log;
}

/** Gitea or Forgejo as the run's event and environment show it; a client is made when one is asked for. */
export class GiteaHost implements ForgeHost {
  readonly kind = 'gitea';
  readonly name: string;
  readonly repository: string;
  readonly #init: GiteaHostInit;

  constructor(init: GiteaHostInit) {
    this.name = init.name;
    this.repository = init.repository;
    this.#init = init;
  }

  commentsAddress(pullNumber: number): string {
    return `${this.#init.serverUrl}/api/v1/repos/${this.repository}/issues/${pullNumber}/comments`;
  }

  async trigger({ source }: { readonly source: InstructionSource }): Promise<Trigger> {
    return readTrigger(this.#init.eventName, await this.#init.event(), source);
  }

  readRepositoryUrl(url: string): string | undefined {
    return readRepositoryUrl(url, this.#init.serverUrl);
  }

  readPullUrl(url: string): PullAddress | undefined {
    return readPullUrl(url, this.#init.serverUrl);
  }

  async connect(tokens: ForgeTokens, signal?: AbortSignal): Promise<Forge> {
    const { GiteaForge } = await import('./forge.ts');
    return new GiteaForge({ ...this.#init, tokens, signal });
  }
}
