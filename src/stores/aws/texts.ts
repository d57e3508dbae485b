import { CourierError } from '../../errors.ts';

/** The link, or the state next to it. */
export type Part = 'link' | 'state';

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
  /** Names as people give them, and how to call one of them in a sentence. */
  readonly names: Readonly<Record<Part, string>>;
  /** What writing the state needs. */
  readonly stateRight: string;
  /**
   * Proves that the link has a destination which can be written, and gives the ARN of that destination. Writes nothing: it asks for writes
   * that AWS refuses after it has checked the rights.
   */
  prepare(): Promise<string>;
  /** undefined: there is none yet. */
  read(part: Part, signal?: AbortSignal): Promise<AwsText | undefined>;
  /** Gives the version that was made. Only a state is created where it does not exist. */
  write(part: Part, value: string, before: AwsText | undefined, signal?: AbortSignal): Promise<string>;
}

/** The text is the whole secret: one that holds more would be lost. Throws `config`. */
export function assertOwn(name: string, value: string): void {
  if (!/^\s*[{[]/.test(value)) return;
  throw new CourierError({
    code: 'config',
    message: `${name} holds JSON: something other than a link is stored there, and the link would replace all of it. Nothing was written.`,
    hint: 'Give the link a secret or a parameter of its own.',
  });
}
