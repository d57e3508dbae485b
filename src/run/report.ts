import type { ErrorCode } from '../errors.ts';

export const STATUSES = ['completed', 'failed', 'timed-out', 'detached', 'cancelled', 'skipped', 'refused'] as const;
export type Status = (typeof STATUSES)[number];

/** A write that `dry-run` did not do, or one that a real run did. */
export interface Write {
  /** Such as `start an export` or `write the secret`. */
  readonly action: string;
  /** Where it goes: a URL without its query, or `secret DOCS_BUNDLE_URL of repository acme/app`. */
  readonly target: string;
}

/** How a run ended, in every mode. The report of a mode is this and its own facts. */
export interface RunFacts {
  readonly status: Status;
  /** One sentence: why it was skipped, refused or detached. */
  readonly reason?: string | undefined;
  /** Filled with `dry-run` only. */
  readonly planned?: readonly Write[] | undefined;
}

export interface ReportError {
  readonly code: ErrorCode;
  readonly message: string;
  /** A sentence, and below it an example to copy. */
  readonly hint?: string | undefined;
  /** Address of the documentation of this code. */
  readonly help?: string | undefined;
}

/** The `report` output: the facts of a mode with what main adds. Everything in it may be printed. */
export type Report<Facts> = Partial<Facts> & {
  readonly version: 1;
  readonly mode: string;
  readonly status: Status;
  readonly reason?: string | undefined;
  readonly planned?: readonly Write[] | undefined;
  readonly error?: ReportError | undefined;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly elapsedMs: number;
};
