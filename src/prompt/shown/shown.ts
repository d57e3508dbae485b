import type { Written } from '../../github/pull-request.ts';

export interface ToRead extends Written {
  /**
   * It is read without the titles of issues that a page shows behind their numbers: other people
   * write them, and can change them at any time.
   */
  readonly isInstruction?: boolean;
}

/** What a reader of the page sees of a text. */
export interface Shown {
  /** As text: lists, tables, code and quotations look as in Markdown, and nothing is escaped. */
  readonly text: string;
  /** Kinds of what is on the page and not seen, such as `folded parts`; none if nothing is lost. */
  readonly removed: readonly string[];
  /** How many invisible characters were left out. */
  readonly invisible: number;
  /** What the page draws instead of showing it as text, such as `diagram`. */
  readonly drawn: readonly string[];
  /** Elements and classes that are not known, so that their content is left out. */
  readonly unknown: readonly string[];
}
