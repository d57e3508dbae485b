import type { ChangedFile, DiffSpot, Written } from '../github/pull-request.ts';

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
  /** The lines of the diff that the instruction was written on. */
  readonly spot?: DiffSpot | undefined;
  readonly description?: Written | undefined;
  /** The changed files, as many as GitHub lists; for the list of files, the diff, or both. */
  readonly files?: readonly QuotedFile[] | undefined;
  /** How many files were changed; more than `files` if GitHub lists fewer. */
  readonly fileCount?: number;
  readonly showFiles: boolean;
  readonly showDiff: boolean;
  /** Oldest first. */
  readonly comments?: readonly QuotedText[];
  readonly reviewComments?: readonly QuotedText[];
  readonly relatedDocs?: readonly QuotedText[] | undefined;
  readonly named?: readonly NamedText[];
  /** One sentence for each kind of text that was counted and not quoted. */
  readonly leftOut: readonly string[];
}

/** What a name in the instruction stands for; without text if that may not be quoted. */
export interface NamedText {
  readonly name: string;
  readonly text: Written | string | undefined;
}

export type QuotedFile = Omit<ChangedFile, 'commit'>;

/** A comment, or a page of the documentation; see `DiffSpot` for the lines of a comment. */
export interface QuotedText extends Partial<Omit<DiffSpot, 'path'>> {
  readonly author?: string | undefined;
  /** ISO 8601, UTC. */
  readonly at?: string;
  /** Where a comment on the diff was written, if the diff may be quoted. */
  readonly file?: string | undefined;
  /** The path of a page. */
  readonly path?: string;
  /** A text that is on no page is plain. */
  readonly text: Written | string;
}
