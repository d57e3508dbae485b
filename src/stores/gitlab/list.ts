import type { CheckResult } from '../port.ts';
import type { GitLabAddress } from './address.ts';
import type { GitLabVariable } from './api.ts';

/** A project or group as a run finds it. */
export interface GitLabHolder {
  readonly id: number;
  readonly scopes: CheckResult;
  /** All of them, if they were read by list. */
  readonly variables?: readonly GitLabVariable[];
}

// A list costs at least three requests, and a single destination four.
const LEAST_DESTINATIONS = 3;

/** Reads by list what many destinations of one run share. */
export class GitLabLists {
  readonly #counts = new Map<string, number>();
  readonly #holders = new Map<string, Promise<GitLabHolder>>();

  /** Counts a destination; gives what it shares with others. */
  add(address: GitLabAddress): string {
    const shared = keyOf(address);
    this.#counts.set(shared, (this.#counts.get(shared) ?? 0) + 1);
    return shared;
  }

  /** What the destination is in, read once by `read`; undefined: too few destinations share it. */
  holderOf(
    address: GitLabAddress,
    read: () => Promise<GitLabHolder>,
  ): Promise<GitLabHolder> | undefined {
    const shared = keyOf(address);
    if ((this.#counts.get(shared) ?? 0) < LEAST_DESTINATIONS) return undefined;
    const holder = this.#holders.get(shared) ?? read();
    this.#holders.set(shared, holder);
    return holder;
  }
}

function keyOf(address: GitLabAddress): string {
  return `${address.server ?? ''} ${address.scope} ${address.id}`;
}
