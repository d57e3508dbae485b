import type { Clock } from '../clock.ts';
import type { GitHub } from '../github/connection.ts';
import type { Log } from '../log.ts';
import type { PlatformClient } from '../platform/client.ts';

/**
 * What a mode works with; tests hand in their own. `tell` takes facts as soon as they are known: they go into the
 * outputs, the report and the summary also when the run fails later.
 */
export interface Deps<Facts> {
  readonly platform: PlatformClient;
  readonly github: GitHub;
  readonly log: Log;
  readonly clock: Clock;
  /** Aborts on SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  readonly tell: (facts: Partial<Facts>) => void;
}
