import type { CheckResult } from '../port.ts';
import type { GitLabAddress } from './address.ts';
import type { GitLabVariable } from './api.ts';

/** A project or group that has the variables, as a run finds it. */
export interface GitLabHolder {
  readonly id: number;
  readonly scopes: CheckResult;
  /** All variables, if they were read by list; undefined: each is read by its name. */
  readonly variables?: readonly GitLabVariable[];
}

// A list is read if at least so many destinations are in it. One destination by its name costs four
// requests; a list costs three and one for each further page, also of other programs' variables.
const LEAST_DESTINATIONS = 3;

/** Reads a project or group once, with all its variables, for the many destinations in it. */
export class GitLabLists {
  /** How many destinations are in each project or group, by its key. */
  readonly #counts = new Map<string, number>();
  readonly #holders = new Map<string, Promise<GitLabHolder>>();

  /** Counts a destination; gives a key that all destinations in the same project or group have. */
  add(address: GitLabAddress): string {
    const key = keyOf(address);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return key;
  }

  /**
   * The project or group of a destination, which `read` reads once for all destinations in it;
   * undefined: too few destinations share it.
   */
  holderOf(
    address: GitLabAddress,
    read: () => Promise<GitLabHolder>,
  ): Promise<GitLabHolder> | undefined {
    const key = keyOf(address);
    if ((this.#counts.get(key) ?? 0) < LEAST_DESTINATIONS) return undefined;
    // The promise is kept, so that destinations that ask at the same time share one reading.
    const holder = this.#holders.get(key) ?? read();
    this.#holders.set(key, holder);
    return holder;
  }
}

function keyOf(address: GitLabAddress): string {
  return `${address.server ?? ''} ${address.scope} ${address.id}`;
}
