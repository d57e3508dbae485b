import type { Account } from './port.ts';

/** A pull request that was merged. */
export interface MergedPull {
  readonly number: number;
  readonly url: string;
}

/** An issue, and no pull request. */
export interface Issue {
  readonly number: number;
  readonly url: string;
  readonly author: Account | undefined;
  readonly body: string;
}

export interface IssueText {
  readonly title: string;
  readonly body: string;
}

export interface NewIssue extends IssueText {
  /** Made where the repository does not have them. */
  readonly labels: readonly string[];
  /** Logins. */
  readonly assignees: readonly string[];
}

/**
 * What a run needs from a forge, next to comments, to report where people look. Every method throws a CourierError, and only
 * that. Numbers of issues and of pull requests count together; comments on both are made by `Forge.createComment`.
 */
export interface Notices {
  /** The pull request that brought the commit to the branch that it is on; undefined for one that was pushed directly. */
  mergedPull(commit: string): Promise<MergedPull | undefined>;
  /** Open issues, those that changed last first, at most 1,000. */
  openIssues(): Promise<Issue[]>;
  /** Throws `config` where the forge refuses one of the assignees; nothing was made then. */
  createIssue(issue: NewIssue): Promise<Pick<Issue, 'number' | 'url'>>;
  updateIssue(number: number, text: IssueText): Promise<void>;
  closeIssue(number: number): Promise<void>;
}
