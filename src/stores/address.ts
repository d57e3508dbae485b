/** Addresses of destinations for a link: `github:secret/NAME`, `k8s:NAMESPACE/SECRET#KEY`, `file:PATH` and so on. */

export const SCHEMES = ['github', 'gitea', 'gitlab', 'k8s', 'vault', 'aws-sm', 'aws-ssm', 'file'] as const;
export type Scheme = (typeof SCHEMES)[number];

/** An Actions secret. `repository` is `owner/name`; undefined: the current one. */
export type GitHubAddress = { readonly scheme: 'github'; readonly name: string } & (
  | { readonly scope: 'repository'; readonly repository: string | undefined }
  | { readonly scope: 'environment'; readonly repository: string | undefined; readonly environment: string }
  | ({ readonly scope: 'organization'; readonly organization: string } & SecretAccess)
);

/** Who sees a secret of an organization; undefined: as the existing secret has it. Not a part of the destination. */
export interface SecretAccess {
  readonly visibility?: 'all' | 'private' | 'selected' | undefined;
  /** Names, `owner/name` or ids. */
  readonly repositories?: readonly string[] | undefined;
}

/** A server other than that of the run, without a trailing slash; undefined: the server of the run. */
interface OnServer {
  readonly server?: string | undefined;
}

export type GiteaAddress = { readonly scheme: 'gitea'; readonly name: string } & OnServer &
  (
    | { readonly scope: 'repository'; readonly repository: string }
    | { readonly scope: 'organization'; readonly organization: string }
  );

/** A CI/CD variable. `id` is a number or a full path such as `acme/docs`. */
export interface GitLabAddress extends OnServer {
  readonly scheme: 'gitlab';
  readonly scope: 'project' | 'group';
  readonly id: string;
  readonly name: string;
  /** GitLab's environment scope; undefined: all environments. */
  readonly environment?: string | undefined;
}

/** A key of a Kubernetes Secret. */
export interface KubernetesAddress {
  readonly scheme: 'k8s';
  readonly namespace: string;
  readonly secret: string;
  readonly key: string;
  /** Of the kubeconfig; undefined: its current one. Not a part of the destination: a run writes to one cluster. */
  readonly context?: string | undefined;
}

/** A key of a secret in a KV engine. */
export interface VaultAddress {
  readonly scheme: 'vault';
  readonly mount: string;
  /** Below the mount, without a slash at either end. */
  readonly path: string;
  readonly key: string;
}

/** A secret of AWS Secrets Manager (name or ARN), or a parameter of the Parameter Store (begins with a slash). */
export interface AwsAddress {
  readonly scheme: 'aws-sm' | 'aws-ssm';
  readonly name: string;
  /** undefined: that of the ARN, or of the environment. */
  readonly region?: string | undefined;
}

interface FileAddress {
  readonly scheme: 'file';
  /** As given, or absolute once it was resolved. */
  readonly path: string;
}

/** A tag in a container registry, which the input `image` names. */
export interface ImageAddress {
  readonly scheme: 'image';
  /** `registry.example.com` or `localhost:5000`, in lower case. */
  readonly registry: string;
  readonly repository: string;
  readonly tag: string;
}

/** A program that the link is handed to. Only the command line has such a destination. */
interface CommandAddress {
  readonly scheme: 'command';
  readonly words: readonly string[];
  /** The destination that keeps the state. */
  readonly state: PlainAddress;
}

export type Address = PlainAddress | ImageAddress | CommandAddress;

/** An address that can be written as one text. */
export type PlainAddress =
  | GitHubAddress
  | GiteaAddress
  | GitLabAddress
  | KubernetesAddress
  | VaultAddress
  | AwsAddress
  | FileAddress;

/** The destination as text: the same for the same destination, and read back as it. How it is reached is left out. */
export function formatAddress(address: Address): string {
  const encode = encodeURIComponent;
  switch (address.scheme) {
    case 'github':
    case 'gitea': {
      const { scheme, name } = address;
      const query = address.scheme === 'gitea' ? queryOf({ server: address.server }) : '';
      if (address.scope === 'organization') return `${scheme}:org/${address.organization}/${name}${query}`;
      const environment = 'environment' in address ? `env/${encode(address.environment)}/` : '';
      if (address.repository !== undefined) return `${scheme}:repo/${address.repository}/${environment}${name}${query}`;
      return `${scheme}:${environment || 'secret/'}${name}`;
    }
    case 'gitlab': {
      const { scope, id, name, server, environment } = address;
      return `gitlab:${scope}/${encode(id)}/${name}${queryOf({ server, environment })}`;
    }
    case 'k8s':
      return `k8s:${address.namespace}/${address.secret}#${address.key}`;
    case 'vault':
      return `vault:${encode(address.mount)}/${address.path.split('/').map(encode).join('/')}#${encode(address.key)}`;
    case 'aws-sm':
    case 'aws-ssm':
      return `${address.scheme}:${address.name}${queryOf({ region: address.region })}`;
    case 'image':
      return `image:${address.registry}/${address.repository}:${address.tag}`;
    case 'command':
      return `command:${address.words[0]?.split(/[\\/]/).at(-1)}`;
    case 'file':
      return `file:${address.path.replace(/[%?#]/g, encode)}`;
  }
}

function queryOf(values: Readonly<Record<string, string | undefined>>): string {
  // An address of a server is easier to read with its colon and slashes.
  const texts = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value).replace(/%(3A|2F)/g, decodeURIComponent)}`],
  );
  return texts.length === 0 ? '' : `?${texts.join('&')}`;
}

/** True for a name such as `eu-central-1`, `us-gov-west-1` or `cn-north-1`: it becomes a part of host names. */
export function isAwsRegion(text: string): boolean {
  return /^[a-z]{2,4}(-[a-z]{2,12}){1,3}-\d{1,2}$/.test(text);
}

/** GitHub's rules for the names of secrets and variables: https://docs.github.com/actions/reference/security/secrets. */
export function isSettingName(name: string): boolean {
  return /^[A-Z_][A-Z0-9_]{0,199}$/.test(name) && !name.startsWith('GITHUB_');
}
