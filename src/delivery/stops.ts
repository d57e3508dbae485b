import { CourierError } from '../errors.ts';
import type { LinkStore } from '../store/port.ts';
import type { DeliveredBy } from './delivered.ts';
import { Place, type PlaceInit } from './place.ts';

/** A place of the delivery; `error`: why nothing more is done there. */
export interface Stop {
  readonly store: LinkStore;
  readonly place: Place | undefined;
  error: CourierError | undefined;
}

export interface StopsInit extends PlaceInit {
  readonly stores: readonly LinkStore[];
  readonly by: DeliveredBy;
}

/** Reads every place. An export fails with the first that cannot be reached; the others go on where there is another one. */
export async function openStops(init: StopsInit): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (const store of init.stores) {
    try {
      stops.push({ store, place: await Place.open(store, init), error: undefined });
    } catch (error) {
      const goesOn = init.by !== 'export' && init.stores.length > 1;
      if (!goesOn || !(error instanceof CourierError) || error.code === 'cancelled') throw error;
      stops.push({ store, place: undefined, error });
    }
  }
  return stops;
}
