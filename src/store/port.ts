/** Where the bundle link goes. Each kind of store has a folder beside this file, loaded only when an address names it. */

/** What a store held when it was read. */
export interface Snapshot {
  /** The text of the state beside the link, not yet verified; undefined: none is there. */
  readonly state: string | undefined;
  /** The store's own version of what it holds: what a guarded write compares. undefined: the store has none. */
  readonly version: string | undefined;
  /** When the link was last written, epoch milliseconds, where the store can tell. */
  readonly linkWrittenAtMs?: number | undefined;
}

/** What one check found. `fix` is what to type or paste. `unknown`: it cannot be known without writing. */
export interface CheckResult {
  readonly what: string;
  readonly outcome: 'ok' | 'warning' | 'error' | 'unknown';
  readonly detail?: string | undefined;
  readonly fix?: string | undefined;
}

/** What a kind of store is able to do. The order of writing follows from it. */
export interface StoreAbilities {
  /** Link and state go into one write that nobody else's write can come between. */
  readonly atomic: boolean;
  /** How a write is confirmed: by reading the value back, by the date of the last change, or not at all. */
  readonly verify: 'value' | 'date' | 'none';
}

/** One change. A part that is absent stays as it is. */
export interface StoreChange {
  readonly link?: string | undefined;
  readonly state?: string | undefined;
}

/**
 * One place for a link, and for the state beside it. Every method throws a CourierError, and only that; no message of it
 * holds the link.
 */
export interface LinkStore {
  /** The canonical address, such as `github:secret/NAME`: part of the signature of the state, and shown in messages. */
  readonly place: string;
  readonly can: StoreAbilities;
  /** Reads what is there and proves that the place can be reached. Writes nothing. */
  open(): Promise<Snapshot>;
  /** What could be wrong with place, rights and credentials, each with its fix. Writes nothing. */
  check(): Promise<readonly CheckResult[]>;
  /**
   * Writes and confirms. `conflict` when the store has versions and what was seen is stale. An error with
   * `mayHaveStarted` means that the write may have taken place.
   */
  write(change: StoreChange, seen: Snapshot): Promise<Snapshot>;
}
