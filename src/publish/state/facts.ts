import type { Write } from '../../run/report.ts';
import type { Destination } from './destination.ts';
import { exportsOf } from './history.ts';
import type { Stop } from './stops.ts';
import type { DeliveryFacts, DestinationFacts, LiveExport } from './summary.ts';

/** What became of the link so far. */
export function factsOf(stops: readonly Stop[]): DeliveryFacts {
  const [first] = stops;
  const { name = '', target = '' } = first?.store.names ?? {};
  const destinations = stops.map(destinationFacts);
  return {
    updated: destinations.every(({ written }) => written),
    name,
    target,
    stateWritten: first?.destination?.stateWritten ?? false,
    reason: first && reasonOf(first),
    destinations,
  };
}

/** What is and was live in the first destination that has a state with exports. */
export function exportsAt(stops: readonly Stop[]): readonly LiveExport[] | undefined {
  return stops
    .map(({ destination }) => destination && liveExports(destination))
    .find((exports) => exports !== undefined);
}

/** The history in the state of a destination; undefined: it has none. */
function liveExports({ state: { held } }: Destination): readonly LiveExport[] | undefined {
  const { state } = held;
  const exports = state && exportsOf(state);
  if (exports === undefined || exports.length === 0) return undefined;
  return exports.map((one) => (one.job === state?.jobId ? { ...one, live: true } : one));
}

function destinationFacts({ store, destination, error }: Stop): DestinationFacts {
  return {
    destination: store.names.destination,
    written: destination?.linkWritten ?? false,
    ...destination?.versions,
    ...(error !== undefined && { error: { code: error.code, message: error.message } }),
  };
}

function reasonOf({ destination, store }: Stop): string | undefined {
  if (destination?.failed) return 'the write failed';
  if (destination !== undefined && !destination.state.isKept)
    return `without its state: the ${store.names.stateRight} is missing`;
  return undefined;
}

/** What would be written there. */
export function planOf({ store, state }: Destination): Write[] {
  const link = { action: 'write the link', target: store.names.link };
  return state.isKept ? [link, { action: 'write the state', target: store.names.state }] : [link];
}
