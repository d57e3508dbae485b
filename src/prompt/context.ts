import type { ChangedFile, CommentTrigger } from '../forges/port.ts';
import type { TemplateName } from './template.ts';

/** What a prompt can hold about a pull request. Texts are as their authors wrote them; what may not be quoted is not in here. */
export interface PromptContext {
  readonly pull: {
    /** `owner/name`. */
    readonly repository: string;
    readonly number: number;
    readonly url: string;
    readonly headCommit: string;
    readonly author?: string | undefined;
    readonly title?: string | undefined;
    readonly baseBranch?: string | undefined;
    readonly headBranch?: string | undefined;
  };
  /** The line of the diff that the instruction was written on. */
  readonly spot?: Spot | undefined;
  readonly description?: string | undefined;
  /** The changed files, as many as the forge lists; for the list of files, the diff, or both. */
  readonly files?: readonly QuotedFile[] | undefined;
  /** How many files were changed; more than `files` where the forge lists fewer. */
  readonly fileCount?: number | undefined;
  readonly showFiles: boolean;
  readonly showDiff: boolean;
  /** Oldest first. */
  readonly comments?: readonly QuotedComment[] | undefined;
  readonly reviewComments?: readonly QuotedReviewComment[] | undefined;
  readonly relatedDocs?: readonly RelatedDoc[] | undefined;
  /** What the names of a template stand for; without text where that may not be quoted. */
  readonly named?: readonly { readonly name: TemplateName; readonly text: string | undefined }[] | undefined;
  /** One sentence for each kind of text that was counted and not quoted. */
  readonly leftOut: readonly string[];
}

export type Spot = NonNullable<CommentTrigger['spot']>;
export type QuotedFile = Omit<ChangedFile, 'commit'>;

export interface QuotedComment {
  readonly author: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly text: string;
}

interface QuotedReviewComment extends QuotedComment {
  /** undefined where the diff may not be quoted. */
  readonly path: string | undefined;
  readonly line: number | undefined;
  readonly hunk: string | undefined;
}

export interface RelatedDoc {
  readonly path: string;
  readonly content: string;
}
