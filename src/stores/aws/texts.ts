import type { Part, StoreUse } from '../port.ts';

/** A text as AWS keeps it. */
export interface AwsText {
  readonly value: string;
  /** AWS's name of this version. */
  readonly version: string;
  /** Epoch milliseconds, by AWS's clock. */
  readonly writtenAtMs: number;
}

/** Two texts with versions: two secrets, or two parameters. Every method throws a CourierError, and only that. */
export interface AwsTexts {
  /** Names as people give them. */
  readonly names: Readonly<Record<Part, string>>;
  /** What writing the state needs. */
  readonly stateRight: string;
  /**
   * Proves that the link has a destination which can be written, and gives the ARN of that destination. Writes nothing: it asks for writes
   * that AWS refuses after it has checked the rights.
   */
  prepare(use?: StoreUse): Promise<string>;
  /** undefined: there is none yet. */
  read(part: Part, signal?: AbortSignal): Promise<AwsText | undefined>;
  /** Gives the version that was made. Only a state is created where it does not exist. */
  write(part: Part, value: string, before: AwsText | undefined, signal?: AbortSignal): Promise<string>;
}

/** A policy that allows this, as AWS writes it. */
export function policyOf(...statements: readonly Readonly<Record<string, unknown>>[]): string {
  const Statement = statements.map((statement) => ({ Effect: 'Allow', ...statement }));
  return JSON.stringify({ Version: '2012-10-17', Statement }, undefined, 2);
}
