import type { IdTokenRequest } from '../ci/port.ts';
import { checkMayWrite, readIdToken } from '../ci/rights.ts';
import type { DestinationInputs, ExportInputs } from '../inputs/inputs.ts';
import type { Context, Deps } from '../run/context.ts';
import { openStore } from '../stores/kinds.ts';
import type { LinkStore } from '../stores/port.ts';
import { Delivery } from './delivery.ts';
import type { DestinationInit } from './destination.ts';
import type { DeliveredBy } from './history.ts';
import type { DeliveryRecord } from './summary.ts';

export interface DestinationsInit
  extends Pick<DestinationInit, 'baseUrl' | 'adminApiKey' | 'domain' | 'projectId' | 'needsState'> {
  readonly to: DestinationInputs;
  /** Of an export: names the GitHub App whose own events may write. */
  readonly content?: ExportInputs['content'];
  readonly mode: DeliveredBy;
  /** The stores, if their preflight took place already. */
  readonly checked?: readonly LinkStore[];
}

type StoreDeps = Pick<Context, 'run' | 'github' | 'http' | 'log' | 'clock' | 'signal'>;

/**
 * Checks that this run may write a link, makes the store of each destination, and reads what is
 * there. Writes nothing.
 */
export async function openDestinations(
  init: DestinationsInit,
  deps: Deps<DeliveryRecord>,
): Promise<Delivery> {
  checkMayWrite(deps.run, init.content?.publisher);
  const stores = init.checked ?? (await makeStores(init.to, deps));
  return Delivery.open({
    ...deps,
    ...init,
    takeOver: init.to.takeOver,
    stores,
    // Their preflight took place: a destination does not make it again.
    isChecked: init.checked !== undefined,
    by: init.mode,
    run: deps.github.run,
  });
}

/** The store of each destination. Sends nothing. */
export function makeStores(to: DestinationInputs, deps: StoreDeps): Promise<LinkStore[]> {
  const opening = {
    ...deps,
    credentials: to.credentials,
    /** The token by which the CI system says which run this is: a store may take it as a login. */
    idToken: (service: IdTokenRequest['service'], audience: string) =>
      readIdToken(deps.run, { service, audience }, deps.http),
    /** The server of the local clone's remote; undefined: there is none. */
    cloneServer: async () => {
      // Loaded only here: a run in a CI system does not need it.
      const { readOrigin } = await import('../ci/system.ts');
      return (await readOrigin(deps.run))?.serverUrl;
    },
  };
  return Promise.all(to.addresses.map((address) => openStore(address, opening)));
}
