/** A pull request that was merged. */
export interface MergedPull {
  readonly number: number;
  readonly url: string;
}

/** What a run needs from a forge, next to comments. Throws a CourierError, and only that. */
export interface Notices {
  /** The pull request that brought the commit to the branch that it is on; undefined for one that was pushed directly. */
  mergedPull(commit: string): Promise<MergedPull | undefined>;
}
