/** What differs from one build of the same content to the next, as with any generator of sites. */
export interface Build {
  /** In the names of the theme's files. */
  readonly hash: string;
  /** Epoch milliseconds; in the footer. */
  readonly atMs: number;
}
