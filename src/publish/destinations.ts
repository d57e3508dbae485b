import type { CiRun, IdTokenRequest } from '../ci/port.ts';
import { checkMayWrite, readIdToken } from '../ci/rights.ts';
import { CourierError } from '../errors.ts';
import type { DestinationInputs } from '../inputs/inputs.ts';
import type { Context, Deps } from '../run/context.ts';
import { type Address, formatAddress, type GiteaAddress, type GitLabAddress } from '../stores/address.ts';
import type { StoreCredentials, VaultAuthInputs, VaultInputs } from '../stores/credentials.ts';
import type { LinkStore } from '../stores/port.ts';
import { Delivery } from './state/delivery.ts';
import type { DestinationInit } from './state/destination.ts';
import type { DeliveredBy } from './state/history.ts';
import type { DeliveryRecord } from './state/summary.ts';

export interface DestinationsInit
  extends Pick<DestinationInit, 'baseUrl' | 'adminApiKey' | 'domain' | 'projectId' | 'needsState'> {
  readonly to: DestinationInputs;
  /** The GitHub App whose own events may write. */
  readonly publisher?: string | undefined;
  readonly mode: DeliveredBy;
  /** The stores, where their preflight took place already. */
  readonly checked?: readonly LinkStore[] | undefined;
}

type StoreDeps = Pick<Context, 'run' | 'github' | 'http' | 'lists' | 'log' | 'clock' | 'signal'>;
type DestinationsDeps = StoreDeps & Pick<Deps<DeliveryRecord>, 'record'>;

/** Checks that this run may write a link, makes the store of each destination, and reads what is there. Writes nothing. */
export async function openDestinations(init: DestinationsInit, deps: DestinationsDeps): Promise<Delivery> {
  const { to, mode, publisher, checked, ...rest } = init;
  const { takeOver } = to;
  const { run, github, log, clock, signal, record } = deps;
  checkMayWrite(run, publisher);
  const stores = checked ?? (await makeStores(to, deps));
  const isChecked = checked !== undefined;
  return Delivery.open({ ...rest, takeOver, stores, isChecked, by: mode, run: github.run, log, clock, signal, record });
}

/** The store of each destination. Sends nothing. */
export function makeStores({ addresses, credentials }: DestinationInputs, deps: StoreDeps): Promise<LinkStore[]> {
  return Promise.all(addresses.map((address) => makeStore(address, { ...deps, credentials })));
}

interface StoreInit extends StoreDeps {
  readonly credentials: StoreCredentials;
}

/** The store of an address, loaded now. Sends nothing and opens nothing. Throws `config` where an input is missing. */
async function makeStore(address: Address, init: StoreInit): Promise<LinkStore> {
  const { credentials, run, github, http, lists, log, clock, signal } = init;
  const { env, workspace, jobToken } = run;
  const { secretToken, workflowToken } = credentials;
  const mask = (secret: string) => log.mask(secret);
  const idTokenFor = (service: IdTokenRequest['service']) => (audience: string) =>
    readIdToken(run, { service, audience }, http);
  switch (address.scheme) {
    case 'github': {
      const { GitHubStore } = await import('../stores/github/store.ts');
      const { repository, serverUrl } = github.run;
      const token = required(secretToken, 'secret-token', address);
      const connect = async (own?: AbortSignal) => {
        const octokit = await github.connect(token, own);
        return lists?.github.watch(octokit) ?? octokit;
      };
      const common = { address, repository, serverUrl, clock, signal, lists: lists?.github };
      return new GitHubStore({ ...common, workflowToken, token, connect });
    }
    case 'gitea': {
      const { GiteaStore } = await import('../stores/gitea/store.ts');
      const token = required(secretToken, 'secret-token', address);
      const serverUrl = await serverOf(address, run);
      return new GiteaStore({ address, serverUrl, token, jobTokens: [workflowToken, jobToken], http });
    }
    case 'gitlab': {
      const { GitLabStore } = await import('../stores/gitlab/store.ts');
      const token = required(secretToken, 'secret-token', address);
      const url = await serverOf(address, run);
      return new GitLabStore({ address, url, token, jobToken, http, lists: lists?.gitlab });
    }
    case 'command': {
      const { CommandStore } = await import('../stores/command/store.ts');
      const state = await makeStore(address.state, init);
      const program = { words: address.words, env: run.programEnv ?? {}, workspace, isCheckout: run.kind !== 'local' };
      return new CommandStore({ ...program, signal, state });
    }
    case 'image': {
      const { RegistryStore } = await import('../stores/registry/store.ts');
      return new RegistryStore({
        address,
        env,
        workspace: run.kind === 'local' ? undefined : workspace,
        http,
        clock,
        signal,
        mask,
        info: (text) => log.info(text),
        notice: (text) => log.notice(text),
        redact: (text) => log.redact(text),
      });
    }
    case 'file': {
      const { FileStore } = await import('../stores/file/store.ts');
      return new FileStore(address.path, workspace);
    }
    case 'k8s': {
      const { KubernetesStore } = await import('../stores/kubernetes/store.ts');
      const given = credentials.kubernetes ?? { kubeconfig: undefined, context: undefined, allowExec: false };
      return new KubernetesStore({ address, http, mask, credentials: { ...given, workspace, env } });
    }
    case 'vault': {
      const { VaultStore } = await import('../stores/vault/store.ts');
      const { auth, ca, ...rest } = required(credentials.vault, 'vault-address', address);
      log.info(`${formatAddress(address)}: the run logs in to Vault by ${describeLogin(auth)}.`);
      const server = { ...rest, ca: await readAuthority(ca, workspace) };
      return new VaultStore({ address, http, mask, server, auth, idToken: idTokenFor('vault') });
    }
    case 'aws-sm':
    case 'aws-ssm': {
      const { AwsStore } = await import('../stores/aws/store.ts');
      const common = { credentials: credentials.aws ?? { role: undefined }, idToken: idTokenFor('aws'), env };
      return new AwsStore({ ...common, address, http, clock, mask, warn: (text) => log.warning(text) });
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

/** The server of the run, if it is of this kind; on a laptop that of the clone. */
async function ownServer(scheme: 'gitea' | 'gitlab', run: CiRun): Promise<string | undefined> {
  if (run.kind === 'local') {
    // Loaded here: no run of a CI system needs it.
    const { readOrigin } = await import('../ci/system.ts');
    return (await readOrigin(run))?.serverUrl;
  }
  const kind = run.kind === 'forgejo' ? 'gitea' : run.kind;
  return kind === scheme ? run.serverUrl : undefined;
}

/** The server that the address names, else that of the run where it is of the same kind, or of the clone on a laptop. */
async function serverOf(address: GiteaAddress | GitLabAddress, run: CiRun): Promise<string> {
  if (address.server !== undefined) return address.server;
  const own = await ownServer(address.scheme, run);
  if (own !== undefined) return own;
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
