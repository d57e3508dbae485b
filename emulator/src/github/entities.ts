/** What the emulated GitHub stores. Times are epoch milliseconds. */

/**
 * The permissions of a token, with the names of a GitHub App's permissions. `metadata: read` is
 * always granted.
 */
export type PermissionName =
  | 'actions'
  | 'actions_variables'
  | 'checks'
  | 'contents'
  | 'deployments'
  | 'environments'
  | 'issues'
  | 'organization_actions_variables'
  | 'organization_secrets'
  | 'pull_requests'
  | 'secrets';

export type Permissions = Readonly<Partial<Record<PermissionName, 'read' | 'write'>>>;

export interface TokenSeed {
  /** Name in the record of requests. Default: the kind. */
  readonly name?: string | undefined;
  /**
   * `workflow`: the token of the run; it never has access to secrets or variables, whatever is
   * granted. `app`: an installation token. `pat`: a fine-grained personal token. They differ in the
   * message of a 403 and in `GET /user`.
   */
  readonly kind?: 'workflow' | 'app' | 'pat' | undefined;
  /** Login of the comments and reactions that it creates. Default `github-actions[bot]`. */
  readonly login?: string | undefined;
  readonly permissions: Permissions;
  /** Repositories (`owner/name`) that the token can see. Default: all. */
  readonly repositories?: readonly string[] | undefined;
}

export interface UserEntity {
  readonly id: number;
  readonly login: string;
  readonly type: 'User' | 'Bot' | 'Organization';
}

export interface RoleSeed {
  readonly permission: 'admin' | 'write' | 'read' | 'none';
  /** Standard (`read`, `triage`, `write`, `maintain`, `admin`) or a custom role's name. */
  readonly role_name: string;
}

export interface RepositorySeed {
  /** `owner/name`. */
  readonly fullName: string;
  readonly id?: number | undefined;
  /** Default true: its content is not visible without a permission. */
  readonly private?: boolean | undefined;
  readonly defaultBranch?: string | undefined;
  /** Default true. */
  readonly hasIssues?: boolean | undefined;
  readonly environments?: readonly string[] | undefined;
  /** Login -> role. A role given as one word has its usual permission: `triage` has `read`. */
  readonly collaborators?: Readonly<Record<string, string | RoleSeed>> | undefined;
  /** GitHub's limit is 100 secrets per repository and environment, 1,000 per organization. */
  readonly secretLimit?: number | undefined;
}

export interface RepositoryEntity {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly fullName: string;
  readonly private: boolean;
  readonly defaultBranch: string;
  readonly hasIssues: boolean;
  readonly environments: Set<string>;
  readonly collaborators: Map<string, RoleSeed>;
  readonly secretLimit: number;
}

/** Where a secret or a variable is stored. A `SecretTarget` of src/inputs.ts fits. */
export type Scope =
  | { readonly scope: 'repository'; readonly repository: string }
  | { readonly scope: 'environment'; readonly repository: string; readonly environment: string }
  | { readonly scope: 'organization'; readonly organization: string };

export type Visibility = 'all' | 'private' | 'selected';

interface SettingEntity {
  readonly name: string;
  readonly value: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Organization scope only. */
  readonly visibility: Visibility | undefined;
  readonly selectedRepositoryIds: readonly number[];
}

export interface SecretEntity extends SettingEntity {
  /** As it was sent; `value` is the content of the sealed box. */
  readonly encryptedValue: string;
  readonly keyId: string;
}

export type VariableEntity = SettingEntity;

export interface FileEntity {
  readonly filename: string;
  readonly status:
    | 'added'
    | 'removed'
    | 'modified'
    | 'renamed'
    | 'copied'
    | 'changed'
    | 'unchanged';
  readonly additions: number;
  readonly deletions: number;
  /** Absent for a binary or too large file. */
  readonly patch?: string | undefined;
  readonly previousFilename?: string | undefined;
}

export type CommentKind = 'issue' | 'review';

export interface CommentEntity {
  readonly id: number;
  readonly kind: CommentKind;
  readonly repository: string;
  /** Number of the issue or pull request. */
  readonly number: number;
  readonly user: UserEntity;
  readonly authorAssociation: string;
  body: string;
  readonly createdAt: number;
  updatedAt: number;
  readonly byMail: boolean;
  readonly minimized: string | undefined;
  /** Review comments only. */
  readonly path: string | undefined;
  readonly line: number | null | undefined;
  readonly startLine: number | undefined;
  readonly originalLine: number | undefined;
  readonly side: 'LEFT' | 'RIGHT';
  readonly inReplyTo: number | undefined;
}

export interface ReviewEntity {
  readonly id: number;
  readonly user: UserEntity;
  readonly body: string;
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED' | 'PENDING';
  readonly submittedAt: number | undefined;
  readonly authorAssociation: string;
  readonly commitId: string;
}

export interface LabelEventEntity {
  readonly id: number;
  readonly event: 'labeled' | 'unlabeled';
  readonly label: string;
  /** Absent when the account was deleted. */
  readonly actor: UserEntity | undefined;
  readonly createdAt: number;
}

export interface PullRequestEntity {
  readonly id: number;
  readonly repository: string;
  readonly number: number;
  title: string;
  body: string | undefined;
  readonly user: UserEntity;
  readonly authorAssociation: string;
  state: 'open' | 'closed';
  merged: boolean;
  draft: boolean;
  locked: boolean;
  /** The commit on the base branch, once it is merged. */
  mergeCommitSha: string | undefined;
  /** `repository` is undefined when the fork was deleted. */
  head: { ref: string; sha: string; repository: string | undefined };
  base: { ref: string; sha: string; repository: string };
  labels: string[];
  files: FileEntity[];
  readonly createdAt: number;
  updatedAt: number;
  readonly reviews: ReviewEntity[];
  readonly labelEvents: LabelEventEntity[];
}

export interface IssueEntity {
  readonly id: number;
  readonly repository: string;
  readonly number: number;
  title: string;
  body: string;
  readonly user: UserEntity;
  state: 'open' | 'closed';
  stateReason: 'completed' | 'not_planned' | 'reopened' | null;
  locked: boolean;
  labels: string[];
  assignees: UserEntity[];
  readonly createdAt: number;
  updatedAt: number;
}

/** An entry of a repository's activity: what moved a branch from one commit to another. */
export interface ActivityEntity {
  readonly id: number;
  /** The repository of the branch: the fork, for the head of a pull request from a fork. */
  readonly repository: string;
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly type:
    | 'push'
    | 'force_push'
    | 'branch_creation'
    | 'branch_deletion'
    | 'pr_merge'
    | 'merge_queue_merge';
  readonly actor: UserEntity;
  readonly at: number;
}

/** A job of a workflow run's attempt. */
export interface WorkflowJobEntity {
  readonly id: number;
  readonly repository: string;
  readonly runId: string;
  readonly attempt: number;
  readonly name: string;
  readonly runnerName: string | null;
  readonly status: 'queued' | 'in_progress' | 'completed';
  readonly conclusion: string | null;
  readonly steps: readonly {
    readonly name: string;
    readonly status: 'queued' | 'in_progress' | 'completed';
    readonly conclusion: string | null;
  }[];
}

export interface ReactionEntity {
  readonly id: number;
  readonly commentKind: CommentKind;
  readonly commentId: number;
  readonly repository: string;
  readonly user: UserEntity;
  readonly content: string;
  readonly createdAt: number;
}

export const DEPLOYMENT_STATES = [
  'error',
  'failure',
  'inactive',
  'in_progress',
  'queued',
  'pending',
  'success',
] as const;
export type DeploymentState = (typeof DEPLOYMENT_STATES)[number];
