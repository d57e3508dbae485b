import type { ChangedFile, DiffSpot } from '../github/pull-request.ts';
import type { TemplateName } from './template.ts';

/**
 * What a prompt can contain about a pull request. Texts are as their authors wrote them; what may
 * not be quoted is not in here.
 */
export interface PromptContext {
  /** As the prompt prints it, in this order. */
  readonly pull: {
    /** `owner/name`. */
    readonly repository: string;
    readonly number: number;
    readonly url: string;
    readonly author?: string | undefined;
    readonly title?: string | undefined;
    /** The names of the branches. */
    readonly base?: string | undefined;
    readonly head?: string | undefined;
    /** The commit of the head. */
    readonly commit: string;
  };
  /** The line of the diff that the instruction was written on. */
  readonly spot?: DiffSpot | undefined;
  readonly description?: string | undefined;
  /** The changed files, as many as GitHub lists; for the list of files, the diff, or both. */
  readonly files?: readonly QuotedFile[] | undefined;
  /** How many files were changed; more than `files` if GitHub lists fewer. */
  readonly fileCount?: number | undefined;
  readonly showFiles: boolean;
  readonly showDiff: boolean;
  /** Oldest first. */
  readonly comments?: readonly QuotedText[] | undefined;
  readonly reviewComments?: readonly QuotedText[] | undefined;
  readonly relatedDocs?: readonly QuotedText[] | undefined;
  /** What the names of a template stand for; without text if that may not be quoted. */
  readonly named?:
    | readonly { readonly name: TemplateName; readonly text: string | undefined }[]
    | undefined;
  /** One sentence for each kind of text that was counted and not quoted. */
  readonly leftOut: readonly string[];
}

export type QuotedFile = Omit<ChangedFile, 'commit'>;

/** A comment, or a page of the documentation. */
export interface QuotedText {
  readonly author?: string | undefined;
  /** ISO 8601, UTC. */
  readonly at?: string | undefined;
  /** Where a comment on the diff was written, if the diff may be quoted. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly hunk?: string | undefined;
  /** The path of a page. */
  readonly path?: string | undefined;
  readonly text: string;
}
