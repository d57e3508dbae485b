import { createHash } from 'node:crypto';
import { CourierError, type Hint } from '../errors.ts';

/** Where the bundle link goes. Each kind of store has a folder next to this file, loaded only when an address names it. */

/** What a store shows of the link that it holds. A store that can read neither field gives an empty object. */
interface StoredLink {
  /** When the link was last written, epoch milliseconds, by the store's own clock. */
  readonly writtenAtMs?: number | undefined;
  /** `linkDigest` of the link, in stores that can read it back. The link itself stays inside the store. */
  readonly digest?: string | undefined;
  /** The store's name of this version of the link, in stores that keep former versions for going back to. */
  readonly version?: string | undefined;
}

/** What a store held when it was read. */
export interface Snapshot {
  /** undefined: there is no link yet. */
  readonly link: StoredLink | undefined;
  /** The text of the state next to the link, not yet verified; undefined: there is none. */
  readonly state: string | undefined;
  /** When the state was last written, epoch milliseconds, by the same clock as `link.writtenAtMs`. */
  readonly stateWrittenAtMs?: number | undefined;
  /** The store's own version of what it holds: what a guarded write compares. undefined: the store has none. */
  readonly version: string | undefined;
  /**
   * Set where the credentials reach the link and not the state: `state` is then undefined. The caller decides whether the
   * run can do without.
   */
  readonly stateError?: CourierError | undefined;
}

/** What one check found. `fix` is what to do about it. `unknown`: it cannot be known without writing. */
export interface CheckResult {
  readonly what: string;
  readonly outcome: 'ok' | 'warning' | 'error' | 'unknown';
  readonly detail?: string | undefined;
  readonly fix?: string | Hint | undefined;
}

/** What a kind of store is able to do. The order of writing follows from it. */
interface StoreAbilities {
  /** Link and state go into one write that nobody else's write can come between. */
  readonly atomic: boolean;
  /** How a write is confirmed: by reading the value back, by the date of the last change, or not at all. */
  readonly verify: 'value' | 'date' | 'none';
  /** The longest state that the store takes; the history in the state is cut to it. undefined: longer than any history. */
  readonly maxStateBytes?: number | undefined;
}

/** One change. A part that is absent stays as it is. A store that is not atomic is given one part at a time. */
export interface StoreChange {
  readonly link?: string | undefined;
  readonly state?: string | undefined;
}

/** How a destination is called. */
export interface StoreNames {
  /** The canonical address, such as `github:secret/NAME`. */
  readonly destination: string;
  /** Such as `NAME`, and `repository acme/docs`: for a table. */
  readonly name: string;
  readonly target: string;
  /** Such as `secret NAME of repository acme/docs`: for a sentence. */
  readonly link: string;
  /** Such as `variable NAME_STATE of repository acme/docs`. */
  readonly state: string;
  /** The permission or the right that writing the state needs, such as `repository permission "Variables: Read and write"`. */
  readonly stateRight: string;
}

/** What the signature of the state is bound to. */
export interface SignedDestination {
  /**
   * The resolved address with host and owner, such as `github://github.com/repo/acme/docs/NAME`; in lower case where the
   * store ignores case. Never changes for a destination.
   */
  readonly address: string;
  /** What version 1 of the state signed instead: GitHub only. */
  readonly version1?: { readonly target: string; readonly secretName: string } | undefined;
}

/**
 * One destination for a link, and for the state next to it. Every method throws a CourierError, and only that; no message of it
 * holds the link.
 */
export interface LinkStore {
  readonly names: StoreNames;
  readonly signed: SignedDestination;
  readonly can: StoreAbilities;
  /** Reads what is there and proves that the destination can be reached. Writes nothing. */
  open(): Promise<Snapshot>;
  /** What could be wrong with destination, rights and credentials, each with its fix. Writes nothing. */
  check(): Promise<readonly CheckResult[]>;
  /**
   * Writes, confirms, and gives what is there now. `conflict` when the store has versions and what was seen is stale. An
   * error with `mayHaveStarted` means that the write may have taken place; without it, that it was refused.
   *
   * `signal` is used instead of the run's own: for the last write after the run was cancelled.
   */
  write(change: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<Snapshot>;
}

/** A failed check. What is no CourierError is a fault of this program, and goes on up; so does the end of the run. */
export function failedCheck(what: string, error: unknown): CheckResult {
  if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
  return { what, outcome: 'error', detail: error.message, fix: error.hint };
}

/** The fingerprint of a link: SHA-256, 64 hexadecimal digits. */
export function linkDigest(link: string): string {
  return createHash('sha256').update(link).digest('hex');
}
