/** A presigned link that has passed every check: it may be fetched, masked and handed on. */
export interface BundleLink {
  readonly url: string;
  /** undefined: the platform did not say, or said something unreadable. */
  readonly expiresAt: Date | undefined;
  /** Where the platform tells it; a hint, never a limit. */
  readonly sizeBytes: number | undefined;
}

/** Makes links for one finished export job: at most three a run, each checked and masked before it is returned. */
export interface LinkMaker {
  /** A link that lives at least `minimumLifeMs` longer, as far as the platform tells. */
  fresh(minimumLifeMs?: number): Promise<BundleLink>;
}
