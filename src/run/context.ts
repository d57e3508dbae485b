import type { Check, CiRun } from '../ci/port.ts';
import type { GitHub } from '../github/connection.ts';
import type { Hint } from '../ground/errors.ts';
import type { Work } from '../ground/log.ts';
import type { Http } from '../http/http.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { PlatformClient } from '../platform/client.ts';
import type { InputSource } from '../values/reader.ts';
import type { Report, RunFacts } from './report.ts';

/** What every mode works with. */
export interface Context extends Work {
  readonly run: CiRun;
  readonly platform: PlatformClient;
  readonly github: GitHub;
  readonly http: Http;
  /** A hint in the words of the system that the run takes place in. */
  readonly showHint: (hint: string | Hint) => string;
}

/** Facts, each of which is found out by some runs only. */
export type Known<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** What a mode works with; tests hand in their own. */
export interface Deps<Facts> extends Context {
  /**
   * The one way for a fact into outputs, report and summary. Call it as soon as a fact is known: a
   * run that fails later keeps the fact, and a job id is written to the outputs at once. It never
   * throws.
   */
  readonly record: (facts: Partial<Facts>) => void;
}

/**
 * How the facts of a mode become its summary; also those of a run that failed on
 * the way.
 */
export interface Presentation<Facts> {
  /** GitHub-flavoured Markdown for the step summary. Everything from outside in it is escaped. */
  summary(report: Report<Facts>, nowMs: number): string;
  /**
   * The last lines of the log of a run that did not fail, above its status: what there is now, and
   * what comes next.
   */
  closing?(report: Report<Facts>, nowMs: number): readonly string[];
  /** Facts that are too large for the report, because they have a separate file. */
  readonly unreported?: readonly (keyof Facts)[];
  /**
   * What a run that is cancelled now leaves behind, as one sentence. It is logged as soon as the
   * signal comes, while the run may still wait for a reply. A mode whose run starts nothing that
   * continues without it lacks this function.
   */
  leaves?(facts: Partial<Facts>): string;
  /** What the mode checked, one by one. */
  checks?(facts: Partial<Facts>): readonly Check[];
}

/** A run whose inputs cannot be read. */
export interface UnreadRun extends Work {
  readonly error: unknown;
  readonly source: InputSource;
  readonly run: CiRun;
  readonly github: GitHub;
}

export interface Mode<I extends Inputs, Facts> extends Presentation<Facts> {
  /**
   * Called if the inputs cannot be read: answers people who do not see the log of the run, such as
   * the author of a comment. Throws no CourierError.
   */
  answerUnread?(unread: UnreadRun): Promise<void>;
  /** Does the work, records what it finds out in `deps.record`, and gives how it ended. */
  run(inputs: I, deps: Deps<Facts>): Promise<RunFacts>;
}
