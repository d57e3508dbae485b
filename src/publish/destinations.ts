import type { CiRun, IdTokenRequest } from '../ci/port.ts';
import { checkMayWrite, readIdToken } from '../ci/rights.ts';
import type { DestinationInputs } from '../inputs/inputs.ts';
import type { Context, Deps } from '../run/context.ts';
import { openStore } from '../stores/kinds.ts';
import type { LinkStore } from '../stores/port.ts';
import { Delivery } from './state/delivery.ts';
import type { DestinationInit } from './state/destination.ts';
import type { DeliveredBy } from './state/history.ts';
import type { DeliveryRecord } from './state/summary.ts';

export interface DestinationsInit
  extends Pick<DestinationInit, 'baseUrl' | 'adminApiKey' | 'domain' | 'projectId' | 'needsState'> {
  readonly to: DestinationInputs;
  /** The GitHub App whose own events may write. */
  readonly publisher?: string | undefined;
  readonly mode: DeliveredBy;
  /** The stores, if their preflight took place already. */
  readonly checked?: readonly LinkStore[] | undefined;
}

type StoreDeps = Pick<Context, 'run' | 'github' | 'http' | 'lists' | 'log' | 'clock' | 'signal'>;
type DestinationsDeps = StoreDeps & Pick<Deps<DeliveryRecord>, 'record'>;

/**
 * Checks that this run may write a link, makes the store of each destination, and reads what is
 * there. Writes nothing.
 */
export async function openDestinations(
  init: DestinationsInit,
  deps: DestinationsDeps,
): Promise<Delivery> {
  const { to, mode, publisher, checked, ...rest } = init;
  const { takeOver } = to;
  const { run, github, log, clock, signal, record } = deps;
  checkMayWrite(run, publisher);
  const stores = checked ?? (await makeStores(to, deps));
  const isChecked = checked !== undefined;
  return Delivery.open({
    ...rest,
    takeOver,
    stores,
    isChecked,
    by: mode,
    run: github.run,
    log,
    clock,
    signal,
    record,
  });
}

/** The store of each destination. Sends nothing. */
export function makeStores(
  { addresses, credentials }: DestinationInputs,
  deps: StoreDeps,
): Promise<LinkStore[]> {
  const { run, github, http, lists, log, clock, signal } = deps;
  const idToken = (service: IdTokenRequest['service'], audience: string) =>
    readIdToken(run, { service, audience }, http);
  const opening = { credentials, run, github, http, lists, log, clock, signal, idToken };
  const cloneServer = () => serverOfClone(run);
  return Promise.all(addresses.map((address) => openStore(address, { ...opening, cloneServer })));
}

async function serverOfClone(run: CiRun): Promise<string | undefined> {
  // Loaded here: no run of a CI system needs it.
  const { readOrigin } = await import('../ci/system.ts');
  return (await readOrigin(run))?.serverUrl;
}
