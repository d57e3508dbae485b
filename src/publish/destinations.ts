import type { CiRun, IdTokenRequest } from '../ci/port.ts';
import { checkMayWrite, readIdToken } from '../ci/rights.ts';
import type { Clock } from '../clock.ts';
import type { GitHub } from '../github/connection.ts';
import type { Http } from '../http/http.ts';
import type { DestinationInputs } from '../inputs/inputs.ts';
import type { Log } from '../log.ts';
import type { Address } from '../stores/address.ts';
import { makeStore, type StoreLists } from '../stores/open.ts';
import type { LinkStore } from '../stores/port.ts';
import type { DeliveredBy } from './state/change.ts';
import { Delivery } from './state/delivery.ts';
import type { DeliveryRecord } from './state/summary.ts';

export interface DestinationsInit {
  readonly to: DestinationInputs;
  readonly baseUrl: string;
  readonly adminApiKey: string;
  /** undefined: that of the state is kept. */
  readonly domain?: string | undefined;
  readonly projectId?: string | undefined;
  /** The GitHub App whose own events may write. */
  readonly publisher?: string | undefined;
  /** A refresh that is given no job cannot do without the state. */
  readonly needsState: boolean;
  readonly mode: DeliveredBy;
  /** The stores, where their preflight took place already. */
  readonly checked?: readonly LinkStore[] | undefined;
}

interface DestinationsDeps {
  readonly run: CiRun;
  readonly github: GitHub;
  readonly http: Http;
  readonly lists?: StoreLists | undefined;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly record: (facts: DeliveryRecord) => void;
}

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
export async function makeStores(
  { addresses, credentials }: DestinationInputs,
  deps: Pick<DestinationsDeps, 'run' | 'github' | 'http' | 'lists' | 'log' | 'clock' | 'signal'>,
): Promise<LinkStore[]> {
  const { run, github, http, lists, log, clock, signal } = deps;
  const { repository, serverUrl } = github.run;
  const connectGitHub = (token: string, own?: AbortSignal) => github.connect(token, own);
  const own = run.kind === 'local' && addresses.some(isOnForge) ? await originOf(run.workspace) : run;
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

/** Loaded here: no run of a CI system needs it. */
async function originOf(folder: string) {
  const { readOrigin } = await import('../ci/system.ts');
  return readOrigin(folder);
}

function isOnForge({ scheme }: Address): boolean {
  return scheme === 'gitea' || scheme === 'gitlab';
}
