import { CourierError, courierError } from '../ground/errors.ts';
import { countOf } from '../ground/text/amounts.ts';
import type { BaselineComparison, QueryChange } from './baseline.ts';
import { queryIdentity } from './queries.ts';
import { type QueryOutcome, totalOutcomes } from './verdict.ts';
import { outcomeText, resultText } from './wording.ts';

interface SearchedKind {
  /** A folder was searched, and not the platform. */
  readonly isFolder: boolean;
}

/**
 * Which queries fail a run: those that are worse than in the earlier run or, without one, those
 * that missed.
 */
export class SearchGate {
  /** The queries that got worse, by identity; undefined without an earlier run. */
  readonly #worse: ReadonlyMap<string, QueryChange> | undefined;

  /**
   * Without an earlier run, every miss counts: a check that compares with nothing would pass
   * forever.
   */
  constructor(comparison: BaselineComparison | undefined) {
    if (comparison === undefined) return;
    this.#worse = new Map(comparison.worse.map((change) => [queryIdentity(change), change]));
  }

  /**
   * True if the run fails because of this query: it could not be run or got worse; without an
   * earlier run, it missed.
   */
  failsRun(outcome: QueryOutcome): boolean {
    if (outcome.verdict === 'error') return true;
    if (this.#worse === undefined) return outcome.verdict === 'miss';
    return this.#worse.has(queryIdentity(outcome));
  }

  /** What became of a query that did not pass or got worse, in a sentence. */
  text(outcome: QueryOutcome): string {
    const change = this.#worse?.get(queryIdentity(outcome));
    if (change === undefined) return outcomeText(outcome);
    const gotWorse = `“${outcome.query}” got worse: ${resultText(change.before)} before, ${resultText(change.now)} now.`;
    if (outcome.verdict === 'miss') return `${gotWorse} ${outcomeText(outcome)}`;
    // It still passes, with a worse rank.
    return gotWorse;
  }

  /**
   * The error that the run ends with; undefined if it passes. Queries that could not be run come
   * first: what they would find is not known, so the result of the check is not known either.
   */
  failure(outcomes: readonly QueryOutcome[], searched: SearchedKind): CourierError | undefined {
    const { missed, errors, queries } = totalOutcomes(outcomes);
    const firstError = outcomes.find((outcome) => outcome.error !== undefined)?.error;
    if (firstError !== undefined) {
      // A check of one query is about that query, not about a number of them.
      const failure =
        queries === 1
          ? 'The query could not be run.'
          : `${errors} of ${queries} queries could not be run, ${missed} missed. The first error:`;
      return new CourierError({ ...firstError, message: `${failure} ${firstError.message}` });
    }
    const failed = outcomes.filter((outcome) => this.failsRun(outcome)).length;
    if (failed === 0) return undefined;
    const reason = this.#worse === undefined ? 'missed' : 'got worse since the earlier run';
    return courierError(
      'checks-failed',
      `${failed} of ${countOf(queries, 'query', 'queries')} ${reason}.`,
      this.#hint(searched),
    );
  }

  #hint(searched: SearchedKind): string {
    if (this.#worse !== undefined) {
      return 'The summary shows their ranks before and now. If you want to keep the change, make this run the baseline: copy the file at report-path to the path that baseline-file names.';
    }
    const whereFound = 'What was found instead is listed for each query.';
    // The platform may still index what was published; the index in a folder is complete.
    if (searched.isFolder) return whereFound;
    return `${whereFound} Right after a publish, give the index time with wait-for-index.`;
  }
}
