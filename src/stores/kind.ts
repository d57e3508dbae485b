import type { Clock } from '../clock.ts';
import { configError } from '../errors.ts';
import type { GitHub } from '../github/connection.ts';
import type { Http } from '../http/http.ts';
import type { Log } from '../log.ts';
import type { Env } from '../programs.ts';
import type { ReadDestination } from '../values/reader.ts';
import type { Parts, QueryName } from './address-parts.ts';
import type { IdTokenService } from './id-token.ts';
import type { LinkStore } from './port.ts';

/**
 * A kind of destination: all that the rest of the program asks about it. `kind.ts` in the folder of
 * the kind has one, and the table in `stores/kinds.ts` lists them. These files are loaded at each
 * start, so the store itself is imported by `open`.
 */
export interface Kind<Address, KindOpening extends Opening = Opening> {
  /**
   * The destination as text: the same for the same destination, and read back as it. How it is
   * reached is left out.
   */
  format(address: Address): string;
  /**
   * The destination and that of its state, each as a text that is the same for the same one: two
   * links must not meet there. Without it, the text of the address.
   */
  keys?(address: Address): readonly string[];
  /** The address without what the run says anyway, such as the current repository. */
  shorten?(address: Address, destination: ReadDestination): Address;
  /** Why this run cannot write it; completes "ADDRESS …". undefined: it can. */
  whyNot?(address: Address, destination: ReadDestination): string | undefined;
  /**
   * The server that the address leaves open, as inputs or address name it; `value` gives an input,
   * `''` if it is not given.
   */
  server?(address: Address, value: (input: string) => string): string | undefined;
  /**
   * The files on this machine that it writes: absolute, that of the link first. Without it, none.
   */
  files?(address: Address): readonly string[];
  /** It is written with `secret-token`. `github`: the token of the command gh fits as well. */
  readonly token?: 'github' | 'other';
  /** Loads the store. Sends nothing. Throws `config` if an input is missing. */
  open(address: Address, opening: KindOpening): Promise<LinkStore>;
}

/** A kind whose addresses are written in `to`. */
export interface PlainKind<Address, KindOpening extends Opening = Opening>
  extends Kind<Address, KindOpening> {
  /** Completes "it must be …". The first form comes first, up to a comma, a semicolon or `or`. */
  readonly forms: string;
  /** What may follow the `?`. */
  readonly queries: readonly QueryName[];
  /** A key after a `#`. */
  readonly hasKey?: boolean;
  /** Throws with `reject`. */
  parse(parts: Parts): Address;
}

/** What every store is opened with. */
export interface Opening {
  /** What a store needs to know of the run. */
  readonly run: {
    readonly kind: string;
    readonly env: Env;
    readonly workspace: string;
    readonly serverUrl?: string | undefined;
    /** The job's own token, which cannot write secrets and variables. */
    readonly jobToken?: string | undefined;
    /** The variables for programs of the user: PATH and HOME. */
    readonly programEnv?: Readonly<Record<string, string>> | undefined;
  };
  readonly github: GitHub;
  readonly http: Http;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** A token that says which run this is, for a service that the run logs in to. */
  idToken(service: IdTokenService, audience: string): Promise<string>;
  /** On a person's machine: the server of the clone. */
  cloneServer(): Promise<string | undefined>;
}

/** The tokens that several kinds share. */
export interface Tokens {
  /** For destinations on a forge. */
  readonly secretToken: string | undefined;
  /**
   * The workflow's own token, which cannot write secrets: a `secretToken` equal to it is refused
   * before any request.
   */
  readonly workflowToken: string | undefined;
}

/**
 * Throws `config` if it is missing. `input` is its name, `address` the text of the address that
 * needs it.
 */
export function required<T>(value: T | undefined, input: string, address: string): T {
  if (value !== undefined) return value;
  throw configError(`${input} is missing: ${address} is written with it.`);
}
