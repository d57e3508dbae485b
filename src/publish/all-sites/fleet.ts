import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { GitHubAddress } from '../../stores/github/address.ts';
import { GitHubLists } from '../../stores/github/list.ts';
import { signedAddressOf, targetOf } from '../../stores/github/target.ts';
import { GitLabLists } from '../../stores/gitlab/list.ts';
import type { PlainAddress, StoreLists } from '../../stores/kinds.ts';
import { formatInstant } from '../../text/amounts.ts';
import { readTime } from '../../text/instants.ts';
import { fieldOf, parseJson } from '../../text/json.ts';
import { readState } from '../state/state.ts';

/**
 * Sites that are worked on at once: each has at most one request under way, so a limit of the
 * platform applies to all of them.
 */
const MOST_AT_ONCE = 4;

export interface FleetSite {
  readonly name: string;
  readonly addresses: readonly PlainAddress[];
  /** Which signs its states. */
  readonly adminApiKey: string;
}

/** How the refresh of one site ended. */
export interface SiteEnd {
  readonly site: string;
  readonly exitCode: number;
  readonly status: string;
  readonly changed: boolean;
  /** An instant in ISO 8601, if it is known. */
  readonly expiresAt: string | undefined;
  readonly errorCode: string | undefined;
  /** The first line of the error, or why there was nothing to do. */
  readonly text: string;
}

interface FleetInit<Site> {
  readonly sites: readonly Site[];
  /** `owner/name` of the run, which an address may leave out. */
  readonly repository: string;
  readonly serverUrl: string;
  /** Refreshes one site if it is due. */
  readonly refresh: (site: Site, lists: StoreLists) => Promise<SiteEnd>;
  readonly clock: Clock;
  readonly log: Log;
}

// What the sites that are under way may still send to GitHub: a refresh takes up to 12 requests.
const RESERVE = 12 * MOST_AT_ONCE;
const MOST_NAMED = 20;

/**
 * The sites of one run: what they share is read once, by list, and the links that expire first come
 * first.
 */
export class Fleet<Site extends FleetSite> {
  readonly #init: FleetInit<Site>;
  readonly #lists: StoreLists = { github: new GitHubLists(), gitlab: new GitLabLists() };
  readonly #ends = new Map<string, SiteEnd>();
  readonly #left: string[] = [];

  constructor(init: FleetInit<Site>) {
    this.#init = init;
  }

  async refresh(): Promise<readonly SiteEnd[]> {
    const known = new Set<string | undefined>();
    // Of the sites that share a list, one comes before all others: it reads the list, which says
    // when the others expire.
    const groups = this.#init.sites.map((site) => ({
      site,
      shared: site.addresses.map((address) => this.#count(address)),
    }));
    const first = groups.filter(({ shared }) => {
      const isFirst = shared.some((key) => key !== undefined && !known.has(key));
      for (const key of shared) known.add(key);
      return isFirst;
    });
    await this.#refreshEach(first.map(({ site }) => site));
    const others = this.#init.sites.filter(({ name }) => !this.#ends.has(name));
    // What is not signed takes no other site's turn. Each signature is verified once.
    const expiries = new Map(
      others.map((site) => [site, this.#expiryOf(site) ?? Number.MAX_VALUE]),
    );
    await this.#refreshEach(others.sort((a, b) => (expiries.get(a) ?? 0) - (expiries.get(b) ?? 0)));
    this.#warnOfLeft();
    return this.#init.sites.flatMap(({ name }) => this.#ends.get(name) ?? []);
  }

  #count(address: PlainAddress): string | undefined {
    if (address.scheme === 'github')
      return this.#lists.github.add(targetOf(address, this.#init.repository));
    return address.scheme === 'gitlab' ? this.#lists.gitlab.add(address) : undefined;
  }

  async #refreshEach(sites: Site[]): Promise<void> {
    const work = async () => {
      for (let site = sites.shift(); site !== undefined; site = sites.shift()) {
        this.#ends.set(
          site.name,
          this.#isSpent(site) ? this.#leave(site) : await this.#refresh(site),
        );
      }
    };
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
  }

  async #refresh(site: Site): Promise<SiteEnd> {
    const end = await this.#init.refresh(site, this.#lists);
    if (end.errorCode !== 'rate-limited') return end;
    this.#lists.github.noteLimit();
    return this.#isSpent(site) ? this.#leave(site) : end;
  }

  /** GitHub's quota for the token ends soon: nothing more is started with it. */
  #isSpent({ addresses }: Site): boolean {
    const { quota } = this.#lists.github;
    if (quota === undefined || !addresses.some(({ scheme }) => scheme === 'github')) return false;
    return quota.remaining < RESERVE && this.#init.clock.now() < quota.resetMs;
  }

  /** Red only if its link expires before the quota returns. */
  #leave(site: Site): SiteEnd {
    const { remaining = 0, resetMs = 0 } = this.#lists.github.quota ?? {};
    const expiresMs = this.#expiryOf(site);
    const isSafe = expiresMs !== undefined && expiresMs > resetMs;
    this.#left.push(site.name);
    return {
      site: site.name,
      exitCode: isSafe ? 0 : 1,
      status: isSafe ? 'skipped' : 'failed',
      changed: false,
      expiresAt: expiresMs === undefined ? undefined : new Date(expiresMs).toISOString(),
      errorCode: isSafe ? undefined : 'rate-limited',
      text: `Left for a later run: secret-token has ${remaining} requests to GitHub left until ${formatInstant(new Date(resetMs))}.`,
    };
  }

  /** The earliest of its links, as its signed states say; undefined: not known of each. */
  #expiryOf({ addresses, adminApiKey }: Site): number | undefined {
    const expiries = addresses.map((address) =>
      address.scheme === 'github' ? this.#signedExpiry(address, adminApiKey) : undefined,
    );
    const found = expiries.filter((expiry) => expiry !== undefined);
    return found.length === addresses.length ? Math.min(...found) : undefined;
  }

  #signedExpiry(named: GitHubAddress, adminApiKey: string): number | undefined {
    const { repository, serverUrl } = this.#init;
    const target = targetOf(named, repository);
    const text = this.#lists.github.stateOf(target, named.name);
    const baseUrl = String(fieldOf(parseJson(text ?? ''), 'baseUrl'));
    const state = readState(
      { adminApiKey, baseUrl, address: signedAddressOf(serverUrl, target, named.name) },
      text,
    );
    return state.kind === 'valid' ? readTime(state.record.expiresAt) : undefined;
  }

  #warnOfLeft(): void {
    const { resetMs = 0 } = this.#lists.github.quota ?? {};
    if (this.#left.length === 0) return;
    const named = this.#left.slice(0, MOST_NAMED).join(', ');
    const more =
      this.#left.length > MOST_NAMED ? ` and ${this.#left.length - MOST_NAMED} more` : '';
    this.#init.log.warning(
      `GitHub's quota for secret-token ends, and returns at ${formatInstant(new Date(resetMs))}. Left for a later run: ${named}${more}. Run the command more often, or give the sites to several GitHub Apps.`,
    );
  }
}
