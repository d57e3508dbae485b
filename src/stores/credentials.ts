/** What the inputs say besides the addresses. Each kind of store reads its own part. */
export interface StoreCredentials {
  /** For github, gitea and gitlab. */
  readonly secretToken: string | undefined;
  /** The workflow's own token, which cannot write secrets: a `secretToken` equal to it is refused before any request. */
  readonly workflowToken: string | undefined;
  /** For k8s: destinations; undefined: there are none. */
  readonly kubernetes?: KubernetesInputs | undefined;
  /** For vault: destinations; undefined: there are none. */
  readonly vault?: VaultInputs | undefined;
  /** For aws-sm: and aws-ssm: destinations; undefined: there are none. */
  readonly aws?: AwsInputs | undefined;
}

export interface AwsInputs {
  /** What the run logs in as by its own identity; undefined: the environment has the keys. */
  readonly role: { readonly arn: string; readonly audience: string } | undefined;
}

export interface KubernetesInputs {
  /** The text of a kubeconfig, or the absolute path of one; undefined: the service account of the pod that this runs in. */
  readonly kubeconfig: string | undefined;
  /** undefined: the kubeconfig's current one. */
  readonly context: string | undefined;
  /** The kubeconfig may name programs to run and files to read. */
  readonly allowExec: boolean;
}

export interface VaultInputs {
  /** `https://vault.example.com:8200`, without a trailing slash. */
  readonly address: string;
  readonly auth: VaultAuthInputs;
  readonly namespace: string | undefined;
  /** Of the authority that signed the server's certificate: PEM, or the path of a file outside the workspace. */
  readonly ca: { readonly pem: string } | { readonly path: string } | undefined;
}

export type VaultAuthInputs =
  /** `path`: where the auth method is mounted, below `auth/`. */
  | { readonly kind: 'jwt'; readonly path: string; readonly role: string; readonly audience: string }
  | { readonly kind: 'approle'; readonly path: string; readonly roleId: string; readonly secretId: string }
  /** `source`: the input or the variable that has it. */
  | { readonly kind: 'token'; readonly token: string; readonly source: string };
