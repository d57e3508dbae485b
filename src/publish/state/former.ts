import { CourierError } from '../../errors.ts';
import type { BundleLink } from '../../platform/link.ts';
import type { DeliveredBy } from './delivered.ts';
import { joined } from './errors.ts';
import { factsOf } from './facts.ts';
import { countFor, earlierExports } from './history.ts';
import { actorOf, type RunIdentity, runKey } from './resume.ts';
import type { State } from './state.ts';
import type { Stop } from './stops.ts';
import type { DeliveryFacts } from './summary.ts';

/** A link that takes the destination of the one that was delivered. */
export interface PutBack {
  /** The job that was live before. */
  readonly jobId: string;
  readonly link: BundleLink;
  /** The job whose link the destinations hold now: that of any other is left alone. */
  readonly replaces: string;
  readonly requestedAtMs: number;
  readonly run: RunIdentity;
}

/** The job that is live before `jobId` is put in place; undefined: none is known, or it is this one, to be refreshed. */
export function formerJob(states: readonly State[], jobId: string, by: DeliveredBy): string | undefined {
  const live = states.find((state) => state.jobId !== undefined && state.jobId !== jobId);
  if (live !== undefined || by === 'refresh') return live?.jobId;
  // A run that is repeated: its job has been put in place before.
  const before = (state: State) => (by === 'rollback' ? state.rollback?.from : earlierExports(state)[0]?.job);
  return states.map(before).find((former) => former !== undefined);
}

/**
 * Writes the link of an earlier job into every destination that holds the one of `replaces`, as a rollback. All are tried. `failure`:
 * what went wrong in some of them, as a conflict where one of them is.
 */
export async function putBack(
  stops: readonly Stop[],
  change: PutBack,
): Promise<{ readonly facts: DeliveryFacts; readonly failure: CourierError | undefined }> {
  const { run, ...job } = change;
  const states = stops.flatMap(({ destination }) => destination?.state.held.state ?? []);
  const count = countFor(states, job.jobId);
  const errors: CourierError[] = [];
  for (const { destination } of stops) {
    // A rollback that is repeated must not take this for its own.
    const details = { by: actorOf(run) };
    try {
      await destination?.deliver({
        ...job,
        isExplicit: true,
        by: 'rollback',
        details,
        count,
        run: `${runKey(run)}/undo`,
      });
    } catch (error) {
      if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
      errors.push(error);
    }
  }
  const facts = factsOf(stops);
  const destinations = facts.destinations?.map((destination) => ({ ...destination, written: false }));
  const reason = `the link of the former export job ${job.jobId} was written back`;
  return { facts: { ...facts, updated: false, reason, destinations }, failure: joined(errors.sort(conflictsFirst)) };
}

function conflictsFirst(a: CourierError, b: CourierError): number {
  return Number(b.code === 'conflict') - Number(a.code === 'conflict');
}
