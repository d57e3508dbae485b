import type { Clock } from '../clock.ts';
import type { GitHub } from '../github/connection.ts';
import type { SecretInputs } from '../inputs/inputs.ts';
import type { Log } from '../log.ts';
import type { SecretStore } from '../store/github/secret.ts';
import type { State } from './state.ts';
import type { StateBook } from './stored-state.ts';
import type { DeliveryFacts } from './summary.ts';

export interface DeliveryInit {
  readonly secret: SecretInputs;
  readonly baseUrl: string;
  readonly adminApiKey: string;
  /** undefined: that of the state is kept. */
  readonly domain?: string | undefined;
  /** `refresh` cannot do without the state: a missing permission is `forbidden` there, and a warning elsewhere. */
  readonly needsState?: boolean;
  /** A refresh is no export: it leaves the record of the last one, so that a re-run of that still attaches. */
  readonly mode?: 'export' | 'refresh' | undefined;
}

export interface DeliveryDeps {
  readonly github: GitHub;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly tell: (facts: { secret: DeliveryFacts }) => void;
}

/** What the steps of a delivery work with, once secret and state have been opened. */
export interface DeliveryContext {
  readonly init: DeliveryInit;
  readonly deps: DeliveryDeps;
  readonly store: SecretStore;
  readonly book: StateBook;
  /** The state as this run found it, where it was believed. */
  readonly found: State | undefined;
}

/** What every state of this place begins with. */
export function stateFrame({ init, found }: DeliveryContext) {
  return { version: 1, domain: init.domain ?? found?.domain, baseUrl: init.baseUrl } as const;
}

/** This run's share in a state. */
export function runIds({ deps }: DeliveryContext) {
  const { runId, job } = deps.github.run;
  return { id: runId, job };
}
