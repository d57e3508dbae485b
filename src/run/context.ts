import type { CiRun } from '../ci/port.ts';
import type { Clock } from '../clock.ts';
import type { Hint } from '../errors.ts';
import type { GitHub } from '../github/connection.ts';
import type { Http } from '../http/http.ts';
import type { Log } from '../log.ts';
import type { PlatformClient } from '../platform/client.ts';

/** What every mode works with. */
export interface Context {
  readonly run: CiRun;
  readonly platform: PlatformClient;
  readonly github: GitHub;
  readonly http: Http;
  readonly log: Log;
  /** A hint in the words of the system that the run takes place in. */
  readonly showHint: (hint: string | Hint) => string;
  readonly clock: Clock;
  /** Aborts on SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}

/** What a mode works with; tests hand in their own. */
export interface Deps<Facts> extends Context {
  /**
   * The one way for a fact into outputs, report and summary. Call it as soon as something is known: it is kept also when the
   * run fails later, and a job id is in the outputs at once. It never throws.
   */
  readonly record: (facts: Partial<Facts>) => void;
}
