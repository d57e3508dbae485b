import { CourierError } from '../errors.ts';
import type { Log } from '../log.ts';
import { permissionAdvice } from '../store/github/permissions.ts';
import { targetName } from '../store/github/scope.ts';
import { openVariable, type VariableStoreInit } from '../store/github/variable.ts';
import { type ReadState, readState, type State, type StatePlace, variableName, writeState } from './state.ts';

/** The state variable of one secret, as this run found it and writes it. */
export interface StateBook {
  readonly found: ReadState;
  /** False from the moment when a missing permission showed. */
  readonly isKept: boolean;
  /** Does nothing where the state is not kept. */
  write(state: State): Promise<void>;
  /** Puts back what stood there when this run came; `empty` where there was nothing, since a state is never deleted. */
  restore(empty: State): Promise<void>;
  /** The believed state as it stands now; says so when another run has written it since this run last read or wrote it. */
  readAgain(): Promise<State | undefined>;
}

export interface StateBookInit {
  /** Of the secret: the variable has its name with `_STATE`. */
  readonly place: VariableStoreInit;
  readonly baseUrl: string;
  readonly adminApiKey: string;
  readonly domain?: string | undefined;
  readonly needsState?: boolean;
}

/** Reads the state. A token without the Variables permission is an error where the state is needed, else a warning. */
export async function openStateBook(init: StateBookInit, { log }: { log: Log }): Promise<StateBook> {
  const { place } = init;
  const name = variableName(place.name);
  const variable = openVariable({ ...place, name });
  const proofPlace: StatePlace = { ...init, target: targetName(place.target), secretName: place.name };
  let isKept = true;
  let known: string | undefined;

  function giveUp(error: unknown): void {
    const isForbidden = error instanceof CourierError && error.code === 'forbidden' && error.httpStatus === 403;
    if (!isForbidden || init.needsState === true) throw error;
    isKept = false;
    log.warning(
      `secret-token lacks the ${permissionAdvice(place.target.scope).variables}: the secret is written without ${name}, so that a re-run cannot resume and refresh cannot work.`,
    );
  }

  try {
    known = await variable.read();
  } catch (error) {
    giveUp(error);
  }
  const former = known;
  const found = believe({ proofPlace, text: former, domain: init.domain });
  if (found.kind === 'distrusted') {
    log.warning(`What stands in ${name} is not believed: ${found.why}. To go on with a known job, give export-job-id.`);
  }

  return {
    found,
    get isKept() {
      return isKept;
    },
    async write(state) {
      if (!isKept) return;
      const value = writeState(proofPlace, state);
      try {
        await variable.write(value);
        known = value;
      } catch (error) {
        giveUp(error);
      }
    },
    async restore(empty) {
      if (!isKept) return;
      const value = former ?? writeState(proofPlace, empty);
      await variable.write(value);
      known = value;
    },
    async readAgain() {
      if (!isKept) return undefined;
      const text = await variable.read();
      const now = believe({ proofPlace, text, domain: init.domain });
      const state = now.kind === 'believed' ? now.state : undefined;
      if (text === known) return state;
      const job = now.kind === 'believed' ? (now.state.run?.jobId ?? now.state.jobId ?? 'not known yet') : 'not known';
      log.warning(
        `Another run has written ${name} since this one read it (its job: ${job}). The last write wins: use a concurrency group per site.`,
      );
      return state;
    },
  };
}

interface Found {
  readonly proofPlace: StatePlace;
  readonly text: string | undefined;
  readonly domain: string | undefined;
}

function believe({ proofPlace, text, domain }: Found): ReadState {
  const read = readState(proofPlace, text);
  if (read.kind !== 'believed' || domain === undefined) return read;
  // A refresh that was given its job by id knows no site.
  const { domain: own = domain } = read.state;
  return own === domain ? read : { kind: 'distrusted', why: `it belongs to the site ${own}` };
}
