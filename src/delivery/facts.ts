import type { Write } from '../report/report.ts';
import { exportsOf } from './history.ts';
import type { Place } from './place.ts';
import type { Stop } from './stops.ts';
import type { DeliveryFacts, LiveExport, PlaceFacts } from './summary.ts';

/** What became of the link so far. */
export function factsOf(stops: readonly Stop[]): DeliveryFacts {
  const [first] = stops;
  const { name = '', target = '' } = first?.store.names ?? {};
  const places = stops.map(placeFacts);
  return {
    updated: places.every(({ written }) => written),
    name,
    target,
    stateWritten: first?.place?.stateWritten ?? false,
    reason: first && reasonOf(first),
    places,
  };
}

/** What is and was live in the first place that has a state with exports. */
export function exportsAt(stops: readonly Stop[]): readonly LiveExport[] | undefined {
  return stops.map(({ place }) => place && liveExports(place)).find((exports) => exports !== undefined);
}

/** The history in the state of a place; undefined: it has none. */
function liveExports({ state: { held } }: Place): readonly LiveExport[] | undefined {
  const { state } = held;
  const exports = state && exportsOf(state);
  if (exports === undefined || exports.length === 0) return undefined;
  return exports.map((one) => (one.job === state?.jobId ? { ...one, live: true } : one));
}

function placeFacts({ store, place, error }: Stop): PlaceFacts {
  return {
    place: store.names.place,
    written: place?.linkWritten ?? false,
    ...place?.versions,
    ...(error !== undefined && { error: { code: error.code, message: error.message } }),
  };
}

function reasonOf({ place, store }: Stop): string | undefined {
  if (place?.failed) return 'the write failed';
  if (place !== undefined && !place.state.isKept) return `without its state: the ${store.names.stateRight} is missing`;
  return undefined;
}

/** What would be written there. */
export function planOf({ store, state }: Place): Write[] {
  const link = { action: 'write the link', target: store.names.link };
  return state.isKept ? [link, { action: 'write the state', target: store.names.state }] : [link];
}
