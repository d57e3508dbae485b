import { CourierError } from '../../errors.ts';
import type { LinkStore } from '../../stores/port.ts';
import type { DeliveredBy } from './delivered.ts';
import { Destination, type DestinationInit } from './destination.ts';

/** A destination of the delivery; `error`: why nothing more is done there. */
export interface Stop {
  readonly store: LinkStore;
  readonly destination: Destination | undefined;
  error: CourierError | undefined;
}

export interface StopsInit extends DestinationInit {
  readonly stores: readonly LinkStore[];
  readonly by: DeliveredBy;
}

/** Reads every destination. An export fails with the first that cannot be reached; the others go on where there is another one. */
export async function openStops(init: StopsInit): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (const store of init.stores) {
    try {
      stops.push({ store, destination: await Destination.open(store, init), error: undefined });
    } catch (error) {
      const goesOn = init.by !== 'export' && init.stores.length > 1;
      if (!goesOn || !(error instanceof CourierError) || error.code === 'cancelled') throw error;
      stops.push({ store, destination: undefined, error });
    }
  }
  refuseDoubles(stops);
  return stops;
}

/** Two addresses may mean one destination, such as the name and the ARN of a secret: that shows once both are open. */
function refuseDoubles(stops: readonly Stop[]): void {
  const seen = new Map<string, string>();
  for (const { store, destination } of stops) {
    if (destination === undefined) continue;
    const former = seen.get(store.signed.address);
    if (former !== undefined) {
      throw new CourierError({
        code: 'config',
        message: `${store.names.destination} and ${former} are the same destination. Nothing was written.`,
        hint: 'Name it once.',
      });
    }
    seen.set(store.signed.address, store.names.destination);
  }
}
