/** What the inputs say besides the addresses. Each kind of store reads its own part. */
export interface StoreCredentials {
  /** For github, gitea and gitlab. */
  readonly secretToken: string | undefined;
  /** The workflow's own token, which cannot write secrets: a `secretToken` equal to it is refused before any request. */
  readonly workflowToken: string | undefined;
  /** Who sees a secret of an organization; undefined: as the existing secret has it. */
  readonly visibility: 'all' | 'private' | 'selected' | undefined;
  /** Names, `owner/name` or ids; undefined: as the existing secret has them. */
  readonly selectedRepositories: readonly string[] | undefined;
  /** The server of gitea: and gitlab: addresses, without a trailing slash; undefined: the one that the run takes place on. */
  readonly forgeUrl: string | undefined;
}
