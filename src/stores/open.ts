import type { Clock } from '../clock.ts';
import { CourierError } from '../errors.ts';
import type { Octokit } from '../github/client.ts';
import type { Http } from '../http/http.ts';
import { type Address, formatAddress, type GiteaAddress, type GitLabAddress } from './address.ts';
import type { StoreCredentials, VaultAuthInputs, VaultInputs } from './credentials.ts';
import type { GitHubLists } from './github/list.ts';
import type { GitLabLists } from './gitlab/list.ts';
import type { LinkStore } from './port.ts';

/** What the CI system says about the server that it belongs to. */
interface Forge {
  /** Such as `github`, `gitea` or `gitlab`. */
  readonly kind: string;
  /** Without a trailing slash; of the remote of the clone where the kind is `local`. */
  readonly serverUrl: string | undefined;
  /** The job's own token, where the system has one. */
  readonly jobToken: string | undefined;
}

/** Where one process works for many destinations: what they share is read once, by list. */
export interface StoreLists {
  readonly github: GitHubLists;
  readonly gitlab: GitLabLists;
}

/** What a store is made with. */
interface StoreInit {
  readonly credentials: StoreCredentials;
  /** The current repository, `owner/name`. */
  readonly repository: string;
  /** `https://github.com`, or the address of a GitHub Enterprise Server. */
  readonly serverUrl: string;
  /** A client for GitHub with this token. `signal` is used instead of the run's own. */
  readonly connectGitHub: (token: string, signal?: AbortSignal) => Promise<Octokit>;
  /** The forge that the run takes place on. */
  readonly forge: Forge;
  /** For programs of the user: the variables that they get, and the folder of relative paths, which a file: address stays in. */
  readonly programs?:
    | { readonly env: Readonly<Record<string, string>>; readonly workspace: string; readonly isCheckout?: boolean }
    | undefined;
  readonly http: Http;
  /** Files in here are not read: a pull request could have put them there. */
  readonly workspace: string;
  /** The environment of the run. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Call it before the first use of a secret that the inputs do not hold. */
  readonly mask: (secret: string) => void;
  /** Shows a line in the log. */
  readonly info: (text: string) => void;
  /** Shows a notice of the store in the log. */
  readonly notice: (text: string) => void;
  readonly redact: (text: string) => string;
  /** Shows a warning of the store in the log. */
  readonly warn: (text: string) => void;
  /** The token by which the run identifies itself; throws `config` where it has none. */
  readonly idToken: (request: { readonly service: 'vault' | 'aws'; readonly audience: string }) => Promise<string>;
  readonly lists?: StoreLists | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The store of an address, loaded now. Sends nothing and opens nothing. Throws `config` where an input is missing. */
export async function makeStore(address: Address, init: StoreInit): Promise<LinkStore> {
  switch (address.scheme) {
    case 'github': {
      const { GitHubStore } = await import('./github/store.ts');
      const { credentials, connectGitHub, lists, ...rest } = init;
      const token = required(credentials.secretToken, 'secret-token', address);
      const connect = async (signal?: AbortSignal) => {
        const octokit = await connectGitHub(token, signal);
        return lists?.github.watch(octokit) ?? octokit;
      };
      const { workflowToken } = credentials;
      return new GitHubStore({ ...rest, workflowToken, address, token, connect, lists: lists?.github });
    }
    case 'gitea': {
      const { GiteaStore } = await import('./gitea/store.ts');
      const { credentials, forge, http } = init;
      const token = required(credentials.secretToken, 'secret-token', address);
      const serverUrl = serverOf(address, init);
      const jobTokens = [credentials.workflowToken, forge.jobToken];
      return new GiteaStore({ address, serverUrl, token, jobTokens, http });
    }
    case 'gitlab': {
      const { GitLabStore } = await import('./gitlab/store.ts');
      const { credentials, forge, http } = init;
      const token = required(credentials.secretToken, 'secret-token', address);
      const url = serverOf(address, init);
      return new GitLabStore({ address, url, token, jobToken: forge.jobToken, http, lists: init.lists?.gitlab });
    }
    case 'command': {
      const { CommandStore } = await import('./command/store.ts');
      const { programs = { env: {}, workspace: '' }, signal } = init;
      return new CommandStore({
        words: address.words,
        ...programs,
        signal,
        state: await makeStore(address.state, init),
      });
    }
    case 'image': {
      const { RegistryStore } = await import('./registry/store.ts');
      const { programs, workspace } = init;
      return new RegistryStore({ ...init, address, workspace: programs?.isCheckout === false ? undefined : workspace });
    }
    case 'file': {
      const { FileStore } = await import('./file/store.ts');
      return new FileStore(address.path, init.programs?.workspace);
    }
    case 'k8s': {
      const { KubernetesStore } = await import('./kubernetes/store.ts');
      const { http, mask, workspace, env } = init;
      const given = init.credentials.kubernetes ?? { kubeconfig: undefined, context: undefined, allowExec: false };
      return new KubernetesStore({ address, http, mask, credentials: { ...given, workspace, env } });
    }
    case 'vault': {
      const { VaultStore } = await import('./vault/store.ts');
      const { http, mask, idToken, workspace } = init;
      const { auth, ca, ...rest } = required(init.credentials.vault, 'vault-address', address);
      init.info(`${formatAddress(address)}: the run logs in to Vault by ${describeLogin(auth)}.`);
      const ofRun = (audience: string) => idToken({ service: 'vault', audience });
      const server = { ...rest, ca: await readAuthority(ca, workspace) };
      return new VaultStore({ address, http, mask, server, auth, idToken: ofRun });
    }
    case 'aws-sm':
    case 'aws-ssm': {
      const { AwsStore } = await import('./aws/store.ts');
      const { env, http, clock, mask, warn, idToken } = init;
      const credentials = init.credentials.aws ?? { role: undefined };
      const ofRun = (audience: string) => idToken({ service: 'aws', audience });
      return new AwsStore({ address, credentials, idToken: ofRun, env, http, clock, mask, warn });
    }
  }
}

function describeLogin(auth: VaultAuthInputs): string {
  switch (auth.kind) {
    case 'jwt':
      return `its id token, with the role ${auth.role} of auth/${auth.path}`;
    case 'approle':
      return `AppRole at auth/${auth.path}, with VAULT_ROLE_ID and VAULT_SECRET_ID`;
    case 'token':
      return `the token in ${auth.source}`;
  }
}

async function readAuthority(ca: VaultInputs['ca'], workspace: string): Promise<string | undefined> {
  if (ca === undefined || 'pem' in ca) return ca?.pem;
  const { readTrustedFile } = await import('../confined-files.ts');
  const use = 'as the authority of Vault (VAULT_CACERT)';
  const hint = 'Name a file with certificates as PEM outside the workspace, or give them in VAULT_CACERT_BYTES.';
  return readTrustedFile({ path: ca.path, workspace, use, hint });
}

function required<T>(value: T | undefined, input: string, address: Address): T {
  if (value !== undefined) return value;
  throw new CourierError({
    code: 'config',
    message: `${input} is missing: ${formatAddress(address)} is written with it.`,
  });
}

/** The server that the address names, else that of the run where it is of the same kind, or of the clone on a laptop. */
function serverOf(address: GiteaAddress | GitLabAddress, { forge }: StoreInit): string {
  const kind = forge.kind === 'forgejo' ? 'gitea' : forge.kind;
  const url = address.server ?? (kind === address.scheme || kind === 'local' ? forge.serverUrl : undefined);
  if (url !== undefined) return url;
  const text = formatAddress(address);
  throw new CourierError({
    code: 'config',
    message: `${text} names no server, and this run is not on ${address.scheme === 'gitea' ? 'Gitea or Forgejo' : 'GitLab'}. Nothing was sent.`,
    hint: {
      text: 'Name the server:',
      inputs: { to: `${text}${text.includes('?') ? '&' : '?'}server=https://${address.scheme}.example.com` },
    },
  });
}
