import type { IdTokenRequest } from '../ci/port.ts';
import { checkMayWrite, readIdToken } from '../ci/rights.ts';
import type { DestinationInputs } from '../inputs/inputs.ts';
import type { Context, Deps } from '../run/context.ts';
import { makeStore } from '../stores/open.ts';
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
  /** The stores, where their preflight took place already. */
  readonly checked?: readonly LinkStore[] | undefined;
}

type StoreDeps = Pick<Context, 'run' | 'github' | 'http' | 'lists' | 'log' | 'clock' | 'signal'>;
type DestinationsDeps = StoreDeps & Pick<Deps<DeliveryRecord>, 'record'>;

/** Checks that this run may write a link, makes the store of each destination, and reads what is there. Writes nothing. */
export async function openDestinations(init: DestinationsInit, deps: DestinationsDeps): Promise<Delivery> {
  const { to, mode, publisher, checked, ...rest } = init;
  const { takeOver } = to;
  const { run, github, log, clock, record } = deps;
  checkMayWrite(run, publisher);
  const stores = checked ?? (await makeStores(to, deps));
  const isChecked = checked !== undefined;
  return Delivery.open({ ...rest, takeOver, stores, isChecked, by: mode, run: github.run, log, clock, record });
}

/** The store of each destination. Sends nothing. */
export async function makeStores({ addresses, credentials }: DestinationInputs, deps: StoreDeps): Promise<LinkStore[]> {
  const { run, github, http, lists, log, clock, signal } = deps;
  const { repository, serverUrl } = github.run;
  const connectGitHub = (token: string, own?: AbortSignal) => github.connect(token, own);
  const isOnForge = addresses.some(({ scheme }) => scheme === 'gitea' || scheme === 'gitlab');
  // Loaded here: no run of a CI system needs it.
  const origin = async () => (await import('../ci/system.ts')).readOrigin(run.workspace);
  const own = run.kind === 'local' && isOnForge ? await origin() : run;
  const forge = { kind: run.kind, serverUrl: own?.serverUrl, jobToken: run.jobToken };
  const init = {
    credentials,
    repository,
    serverUrl,
    forge,
    connectGitHub,
    programs: { env: run.programEnv ?? {}, workspace: run.workspace, isCheckout: run.kind !== 'local' },
    http,
    lists,
    clock,
    signal,
    workspace: run.workspace,
    env: run.env,
    mask: (secret: string) => log.mask(secret),
    info: (text: string) => log.info(text),
    notice: (text: string) => log.notice(text),
    redact: (text: string) => log.redact(text),
    warn: (text: string) => log.warning(text),
    idToken: (request: IdTokenRequest) => readIdToken(run, request, http),
  };
  return Promise.all(addresses.map((address) => makeStore(address, init)));
}
