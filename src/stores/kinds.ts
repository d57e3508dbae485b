import type { KubernetesInputs } from '../kubernetes/login.ts';
import type { InputContext, InputReader } from '../values/reader.ts';
import { apiToken } from '../values/values.ts';
import type { AwsAddress } from './aws/address.ts';
import { type AwsInputs, readAws, takesAwsRole } from './aws/inputs.ts';
import { parameterStore, secretsManager } from './aws/kind.ts';
import { type CommandAddress as CommandWithState, command } from './command/kind.ts';
import type { FileAddress } from './file/address.ts';
import { file } from './file/kind.ts';
import type { GiteaAddress } from './gitea/address.ts';
import { gitea } from './gitea/kind.ts';
import type { GitHubAddress } from './github/address.ts';
import { github } from './github/kind.ts';
import type { GitLabAddress } from './gitlab/address.ts';
import { gitlab } from './gitlab/kind.ts';
import { type IdTokenService, readAudiences } from './id-token.ts';
import type { Opening, PlainKind, Tokens } from './kind.ts';
import type { KubernetesAddress } from './kubernetes/address.ts';
import { readKubernetes } from './kubernetes/inputs.ts';
import { kubernetes } from './kubernetes/kind.ts';
import type { LinkStore } from './port.ts';
import type { ImageAddress } from './registry/address.ts';
import { image } from './registry/kind.ts';
import { readSecretToken } from './secret-token.ts';
import type { VaultAddress } from './vault/address.ts';
import { readVault, takesIdToken, type VaultInputs } from './vault/inputs.ts';
import { vault } from './vault/kind.ts';

// The table of the kinds of destination. All that belongs to one kind is in its folder:
// `address.ts`, `kind.ts`, `store.ts`, and `inputs.ts` if it reads inputs that no other kind reads.

/** An address that can be written as one text, in `to`. */
export type PlainAddress =
  | GitHubAddress
  | GiteaAddress
  | GitLabAddress
  | KubernetesAddress
  | VaultAddress
  | AwsAddress
  | FileAddress;

type CommandAddress = CommandWithState<PlainAddress>;

/** The destination of a link, or of an image. */
export type Address = PlainAddress | ImageAddress | CommandAddress;

export const SCHEMES = [
  'github',
  'gitea',
  'gitlab',
  'k8s',
  'vault',
  'aws-sm',
  'aws-ssm',
  'file',
] as const;
export type Scheme = (typeof SCHEMES)[number];

/** The kinds that `to` may name. */
export const KINDS: Readonly<Record<Scheme, PlainKind<PlainAddress, StoreCredentials>>> = {
  github,
  gitea,
  gitlab,
  k8s: kubernetes,
  vault,
  'aws-sm': secretsManager,
  'aws-ssm': parameterStore,
  file,
};

/** What the inputs say besides the addresses: each kind of destination reads one field. */
export interface StoreCredentials extends Tokens {
  /** Also for workloads of `rollout`; undefined: no cluster is reached. */
  readonly kubernetes?: KubernetesInputs | undefined;
  /** undefined: no address needs it. */
  readonly vault?: VaultInputs | undefined;
  /** undefined: no address needs it. */
  readonly aws?: AwsInputs | undefined;
}

/**
 * The credentials that these addresses need. An input that is wrong, or that no address needs, is a
 * problem, which the reader collects. `context` says what the run is.
 */
export function readCredentials(
  reader: InputReader,
  addresses: readonly PlainAddress[],
  context: InputContext,
): StoreCredentials {
  const run = context.run;
  const settings = { reader, env: run?.env ?? {}, isLaptop: run?.kind === 'local' };
  const writesTo = (scheme: Scheme) => addresses.some((address) => address.scheme === scheme);
  const onForges = addresses.filter((address) => KINDS[address.scheme].takesToken);
  const secretToken = readSecretToken(reader, onForges.map(forgeOf), context);
  const workflowToken = reader.optional('github-token', apiToken);
  const writesToVault = writesTo('vault');
  const writesToAws = writesTo('aws-sm') || writesTo('aws-ssm');
  // A rollout reaches a cluster even if the link is elsewhere.
  const reachesCluster = writesTo('k8s') || /^k8s:/m.test(reader.text('rollout'));
  // Inputs for kinds of destination that the run does not have.
  if (!writesToVault) {
    const why = 'is read only together with a vault: address in to';
    reader.forbid(['vault-address', 'vault-role', 'vault-token'], why);
  }
  if (!writesToAws) {
    const why = 'is read only together with an aws-sm: or aws-ssm: address in to';
    reader.forbid(['aws-role'], why);
  }
  if (!reachesCluster) {
    const why = 'is read only together with a k8s: address in to or rollout';
    reader.forbid(['kubeconfig', 'allow-kube-exec'], why);
  }
  // The logins with the id token of the run, each of which needs an audience.
  const logins: IdTokenService[] = [];
  if (writesToVault && takesIdToken(settings)) logins.push('vault');
  if (writesToAws && takesAwsRole(settings)) logins.push('aws');
  const audiences = readAudiences(reader, logins);
  const onClusters = addresses.filter((address) => address.scheme === 'k8s');
  return {
    secretToken,
    workflowToken,
    kubernetes: reachesCluster ? readKubernetes(settings, onClusters) : undefined,
    vault: writesToVault ? readVault(settings, audiences.vault) : undefined,
    aws: writesToAws ? readAws(settings, audiences.aws) : undefined,
  };
}

/** The server of an address on a forge, as a text. GitHub is always that of the run. */
function forgeOf(address: PlainAddress): string {
  return 'server' in address ? `${address.scheme} ${address.server}` : address.scheme;
}

/**
 * The functions of the address's kind, for this address, with what it means if a kind leaves one
 * out. See `Kind` for what they give.
 */
export function kindOf(address: PlainAddress) {
  const kind = KINDS[address.scheme];
  return {
    keys: () => kind.keys?.(address) ?? [kind.format(address)],
    shorten: (context: InputContext) => kind.shorten?.(address, context) ?? address,
    whyNot: (context: InputContext) => kind.whyNot?.(address, context),
    server: (value: (input: string) => string) => kind.server?.(address, value),
    files: () => kind.files?.(address) ?? [],
  };
}

/**
 * The destination as text: the same for the same destination, and read back as it. How it is
 * reached is left out.
 */
export function formatAddress(address: Address): string {
  if (address.scheme === 'image') return image.format(address);
  if (address.scheme === 'command') return command.format(address);
  return KINDS[address.scheme].format(address);
}

/**
 * The store of an address, whose code is loaded now. Sends nothing. Throws `config` if an input is
 * missing.
 */
export async function openStore(
  address: Address,
  opening: Opening<StoreCredentials>,
): Promise<LinkStore> {
  if (address.scheme === 'image') return image.open(address, opening);
  if (address.scheme !== 'command') return KINDS[address.scheme].open(address, opening);
  // A command takes only the link: its state is in another destination.
  return command.open(address, opening, await openStore(address.state, opening));
}
