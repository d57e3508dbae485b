import type { Clock } from '../clock.ts';
import { CourierError } from '../errors.ts';
import type { Octokit } from '../github/client.ts';
import type { Http } from '../http/http.ts';
import { type Address, formatAddress } from './address.ts';
import type { StoreCredentials } from './credentials.ts';
import type { LinkStore } from './port.ts';

/** What the CI system says about the server that it belongs to. */
export interface Forge {
  /** Such as `github`, `gitea` or `gitlab`. */
  readonly kind: string;
  /** Without a trailing slash. */
  readonly serverUrl: string | undefined;
  /** The job's own token, where the system has one. */
  readonly jobToken: string | undefined;
}

/** What a store is made with. */
export interface StoreInit {
  readonly credentials: StoreCredentials;
  /** The current repository, `owner/name`. */
  readonly repository: string;
  /** `https://github.com`, or the address of a GitHub Enterprise Server. */
  readonly serverUrl: string;
  /** A client for GitHub with this token. `signal` is used instead of the run's own. */
  readonly connectGitHub: (token: string, signal?: AbortSignal) => Promise<Octokit>;
  /** The forge that the run takes place on. */
  readonly forge: Forge;
  readonly http: Http;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The store of an address, loaded now. Sends nothing and opens nothing. Throws `config` where an input is missing. */
export async function makeStore(address: Address, init: StoreInit): Promise<LinkStore> {
  switch (address.scheme) {
    case 'github': {
      const { GitHubStore } = await import('./github/store.ts');
      const { credentials, connectGitHub, ...rest } = init;
      const token = required(credentials.secretToken, 'secret-token', address);
      const connect = (signal?: AbortSignal) => connectGitHub(token, signal);
      return new GitHubStore({ ...rest, ...credentials, address, token, connect });
    }
    case 'gitea': {
      const { GiteaStore } = await import('./gitea/store.ts');
      const { credentials, forge, http } = init;
      const token = required(credentials.secretToken, 'secret-token', address);
      const isHere = forge.kind === 'gitea' || forge.kind === 'forgejo';
      const serverUrl = required(credentials.forgeUrl ?? (isHere ? forge.serverUrl : undefined), 'forge-url', address);
      const jobTokens = [credentials.workflowToken, forge.jobToken];
      return new GiteaStore({ address, serverUrl, token, jobTokens, http });
    }
    case 'file': {
      const { FileStore } = await import('./file/store.ts');
      return new FileStore(address.path);
    }
    default:
      throw new CourierError({
        code: 'config',
        message: `${formatAddress(address)}: this version cannot write to ${address.scheme}: places. Nothing was sent.`,
        hint: 'This version writes to github:, gitea: and file: places.',
      });
  }
}

function required(value: string | undefined, input: string, address: Address): string {
  if (value !== undefined) return value;
  throw new CourierError({
    code: 'config',
    message: `${input} is missing: ${formatAddress(address)} is written with it.`,
  });
}
