import type { GitHub } from '../github/connection.ts';
import type { Clock } from '../ground/clock.ts';
import { configError } from '../ground/errors.ts';
import type { Log } from '../ground/log.ts';
import type { Env } from '../ground/programs.ts';
import type { Http } from '../http/http.ts';
import type { InputContext } from '../values/reader.ts';
import type { Parts, QueryName } from './address-parts.ts';
import type { IdTokenService } from './id-token.ts';
import type { LinkStore } from './port.ts';

/**
 * A kind of destination: what the rest of the program asks about its addresses. Each folder of a
 * kind has one in `kind.ts`, and the table in `stores/kinds.ts` lists them. These files are loaded
 * at each start; the code of the store is loaded only by `open`.
 */
export interface Kind<Address, Credentials = Tokens> {
  /**
   * The address as text. Two addresses of the same destination have the same text, and `parse`
   * gives the address again, without the parts that only say how the destination is reached.
   */
  format(address: Address): string;
  /**
   * A text for the destination of the link and one for that of its state. Two links with a text in
   * common would overwrite each other. Without this method: the text of the address alone.
   */
  keys?(address: Address): readonly string[];
  /** The address without the parts that the run implies, such as the current repository. */
  shorten?(address: Address, context: InputContext): Address;
  /** Why this run cannot write the destination; completes "ADDRESS …". undefined: it can. */
  whyNot?(address: Address, context: InputContext): string | undefined;
  /**
   * The server of the destination, as the inputs or the address name it; undefined: neither does.
   * `value` gives the text of an input, `''` if it is not given.
   */
  server?(address: Address, value: (input: string) => string): string | undefined;
  /**
   * The files on this machine that the store writes, with absolute paths, that of the link first.
   * Without this method: none.
   */
  files?(address: Address): readonly string[];
  /** The destination is written with `secret-token`. */
  readonly takesToken?: true;
  /** Loads the store. Sends nothing. Throws `config` if an input is missing. */
  open(address: Address, opening: Opening<Credentials>): Promise<LinkStore>;
}

/** A kind whose addresses are written in `to`. */
export interface PlainKind<Address, Credentials = Tokens> extends Kind<Address, Credentials> {
  /** Completes "it must be …". The first form comes first, up to a comma, a semicolon or `or`. */
  readonly forms: string;
  /** What may follow the `?`. */
  readonly queries: readonly QueryName[];
  /** A key after a `#`. */
  readonly hasKey?: boolean;
  /** Throws with `reject`. */
  parse(parts: Parts): Address;
}

/** What every store is opened with. `credentials`: what the inputs say besides the addresses. */
export interface Opening<Credentials = Tokens> {
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
  readonly credentials: Credentials;
  readonly github: GitHub;
  readonly http: Http;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** An id token, which says what run this is, for a service that the run logs in to. */
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
 * The value. Throws `config` if it is missing. `input` is the name of the input that gives it, and
 * `address` the text of the address that needs it.
 */
export function required<T>(value: T | undefined, input: string, address: string): T {
  if (value !== undefined) return value;
  throw configError(`${input} is missing: ${address} is written with it.`);
}
