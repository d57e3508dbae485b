import type {
  ActivityEntity,
  DeploymentState,
  FileEntity,
  ReviewEntity,
  Visibility,
  WorkflowJobEntity,
} from './entities.ts';

/** A time: epoch milliseconds, or an ISO string. */
export type Instant = number | string;

export interface SettingSeed {
  readonly name: string;
  readonly value: string;
  readonly updatedAt?: Instant | undefined;
  readonly visibility?: Visibility | undefined;
  readonly selectedRepositoryIds?: readonly number[] | undefined;
}

export interface PullRequestSeed {
  readonly repository: string;
  /** Default: the next free one. */
  readonly number?: number | undefined;
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  /** Login of the author. */
  readonly user?: string | undefined;
  readonly authorAssociation?: string | undefined;
  readonly state?: 'open' | 'closed' | undefined;
  readonly merged?: boolean | undefined;
  /** Of a merged pull request. Default: a new one. */
  readonly mergeCommitSha?: string | undefined;
  readonly draft?: boolean | undefined;
  readonly locked?: boolean | undefined;
  readonly head?: { ref?: string; sha?: string; repository?: string | undefined } | undefined;
  readonly base?: { ref?: string; sha?: string } | undefined;
  readonly files?: readonly Partial<FileEntity>[] | undefined;
  readonly createdAt?: Instant | undefined;
  readonly updatedAt?: Instant | undefined;
}

export interface IssueSeed {
  readonly repository: string;
  /** Login of the author. */
  readonly user: string;
  readonly title: string;
  readonly body?: string | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly assignees?: readonly string[] | undefined;
  readonly updatedAt?: Instant | undefined;
}

export interface CommentSeed {
  readonly repository: string;
  readonly number: number;
  readonly user: string;
  readonly body: string;
  /** `review` for a comment on a line of the diff. Default `issue`. */
  readonly kind?: 'issue' | 'review' | undefined;
  readonly authorAssociation?: string | undefined;
  readonly createdAt?: Instant | undefined;
  readonly updatedAt?: Instant | undefined;
  readonly path?: string | undefined;
  /** null: the lines have changed since, and only `originalLine` says which they were. */
  readonly line?: number | null | undefined;
  readonly startLine?: number | undefined;
  readonly originalLine?: number | undefined;
  readonly side?: 'LEFT' | 'RIGHT' | undefined;
  /** Id of the first comment of the thread. */
  readonly inReplyTo?: number | undefined;
  /** It was written by mail. */
  readonly byMail?: boolean | undefined;
  /** Why a person has hidden it, such as `spam`. */
  readonly minimized?: string | undefined;
}

export interface ReviewSeed {
  readonly repository: string;
  readonly number: number;
  readonly user: string;
  readonly body?: string | undefined;
  readonly state?: ReviewEntity['state'] | undefined;
  readonly submittedAt?: Instant | undefined;
  readonly authorAssociation?: string | undefined;
}

export interface LabelSeed {
  readonly repository: string;
  readonly number: number;
  readonly label: string;
  /** Login of the person who set the label; null for a deleted account. */
  readonly actor: string | null;
  /** Default `labeled`. */
  readonly event?: 'labeled' | 'unlabeled' | undefined;
  readonly createdAt?: Instant | undefined;
}

/** A push to the branch of a pull request's head. */
export interface PushSeed {
  readonly repository: string;
  readonly number: number;
  readonly sha: string;
  /** The files of the pull request from now on. Default: as before. */
  readonly files?: readonly Partial<FileEntity>[] | undefined;
  readonly user?: string | undefined;
  /** Default `push`. */
  readonly type?: ActivityEntity['type'] | undefined;
  readonly at?: Instant | undefined;
}

export type WorkflowJobSeed = Pick<WorkflowJobEntity, 'repository' | 'runId' | 'attempt' | 'name'> &
  Partial<Omit<WorkflowJobEntity, 'id'>>;

export interface DeploymentSeed {
  readonly repository: string;
  readonly sha: string;
  /** Login, such as `acme-docs[bot]`. */
  readonly creator: string;
  /** Default: the default branch. */
  readonly ref?: string | undefined;
  /** Default `production`. */
  readonly environment?: string | undefined;
  readonly isTransient?: boolean | undefined;
  /** Its last status. Default `success`. */
  readonly state?: DeploymentState | undefined;
}

export interface CommitSeed {
  readonly repository: string;
  readonly sha: string;
  /**
   * Default: the newest commit of the branch, or of the repository for a new branch; null for the
   * first one.
   */
  readonly parent?: string | null | undefined;
  readonly message?: string | undefined;
  /** The branch whose newest commit it becomes. Default: the default branch. */
  readonly branch?: string | undefined;
  /** What it changes. */
  readonly files?: readonly Partial<FileEntity>[] | undefined;
}
