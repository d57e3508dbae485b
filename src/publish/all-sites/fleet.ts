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
import type { InputSource } from '../../values/reader.ts';
import { readState } from '../state/state.ts';

/**
 * How many sites are refreshed at the same time. Each has at most one request under way, so this is
 * also the limit for requests to the platform.
 */
const MOST_AT_ONCE = 4;

export interface Site {
  readonly name: string;
  readonly source: InputSource;
  readonly addresses: readonly PlainAddress[];
  /** The key that signs the states of this site. */
  readonly adminApiKey: string;
}

/** How the refresh of one site ended. */
export interface SiteEnd {
  readonly site: string;
  readonly exitCode: number;
  readonly status: string;
  readonly changed: boolean;
  /** When its link expires, in ISO 8601; undefined: not known. */
  readonly expiresAt: string | undefined;
  readonly errorCode: string | undefined;
  /** The first line of the error, or why there was nothing to do. */
  readonly text: string;
}

interface FleetInit {
  readonly sites: readonly Site[];
  /** `owner/name` of the run, which an address may leave out. */
  readonly repository: string;
  readonly serverUrl: string;
  /** Refreshes one site if it is due. */
  readonly refresh: (site: Site, lists: StoreLists) => Promise<SiteEnd>;
  readonly clock: Clock;
  readonly log: Log;
}

// As many requests as the sites under way may still send to GitHub: up to 12 for each refresh.
const RESERVE = 12 * MOST_AT_ONCE;
const MOST_NAMED = 20;

/** How many requests GitHub still allows the token, until when. */
type Quota = NonNullable<GitHubLists['quota']>;

/**
 * The sites of one run. Secrets and variables that sites share are read once, as a list. The sites
 * whose links expire first are refreshed first.
 */
export class Fleet {
  readonly #init: FleetInit;
  readonly #lists: StoreLists = { github: new GitHubLists(), gitlab: new GitLabLists() };
  readonly #ends = new Map<string, SiteEnd>();
  /** The names of the sites that are left for a later run. */
  readonly #leftSites: string[] = [];
  /** When the quota of GitHub returns, once it has made this run leave a site. */
  #quotaResetMs = 0;

  constructor(init: FleetInit) {
    this.#init = init;
  }

  /** Refreshes each site that is due, and gives how each ended, in the order of the sites. */
  async refresh(): Promise<readonly SiteEnd[]> {
    const { sites } = this.#init;
    await this.#refreshEach(this.#firstOfEachList());
    // A site without a signed expiry comes last. The expiries are kept, so that each signature is
    // verified only once.
    const others = sites
      .filter((site) => !this.#ends.has(site.name))
      .map((site) => ({ site, expiresMs: this.#expiryOf(site) ?? Number.MAX_VALUE }))
      .sort((a, b) => a.expiresMs - b.expiresMs);
    await this.#refreshEach(others.map((other) => other.site));
    this.#warnOfLeftSites();
    // Each site has an end now: the fallback is for the compiler.
    return sites.flatMap((site) => this.#ends.get(site.name) ?? []);
  }

  /**
   * One site of each shared list. It comes before all others: it reads the list, which says when
   * the links of the other sites expire. Also tells the lists which addresses will be read.
   */
  #firstOfEachList(): Site[] {
    const firstSites: Site[] = [];
    const seenLists = new Set<string>();
    for (const site of this.#init.sites) {
      const listsBefore = seenLists.size;
      for (const address of site.addresses) {
        const listKey = this.#addToList(address);
        if (listKey !== undefined) seenLists.add(listKey);
      }
      if (seenLists.size > listsBefore) firstSites.push(site);
    }
    return firstSites;
  }

  /**
   * Notes in a list that this address will be read, and gives the key of the list; undefined: other
   * stores have no lists.
   */
  #addToList(address: PlainAddress): string | undefined {
    if (address.scheme === 'github')
      return this.#lists.github.add(targetOf(address, this.#init.repository));
    return address.scheme === 'gitlab' ? this.#lists.gitlab.add(address) : undefined;
  }

  /** Refreshes these sites, a few at the same time: each worker takes the next from the queue. */
  async #refreshEach(queue: Site[]): Promise<void> {
    const work = async () => {
      for (let site = queue.shift(); site !== undefined; site = queue.shift()) {
        const quota = this.#spentQuota(site);
        const end = quota ? this.#leaveForLater(site, quota) : await this.#refreshSite(site);
        this.#ends.set(site.name, end);
      }
    };
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
  }

  async #refreshSite(site: Site): Promise<SiteEnd> {
    const end = await this.#init.refresh(site, this.#lists);
    if (end.errorCode !== 'rate-limited' || !needsGitHub(site)) return end;
    // The platform has a limit as well, but GitHub's is likelier. It counts for all sites: as no
    // requests are left, those that need GitHub are not tried.
    this.#lists.github.noteLimit();
    // Without a quota in any reply, it is not known when to try again: the failure stays.
    const quota = this.#spentQuota(site);
    return quota ? this.#leaveForLater(site, quota) : end;
  }

  /** GitHub's quota if the site needs GitHub and the quota is nearly used up; else undefined. */
  #spentQuota(site: Site): Quota | undefined {
    const { quota } = this.#lists.github;
    if (quota === undefined || !needsGitHub(site)) return undefined;
    const isSpent = quota.remaining < RESERVE && this.#init.clock.now() < quota.resetMs;
    return isSpent ? quota : undefined;
  }

  /**
   * The end of a site that is left for a later run: a failure if its link may expire before that.
   */
  #leaveForLater(site: Site, { remaining, resetMs }: Quota): SiteEnd {
    const expiresMs = this.#expiryOf(site);
    this.#leftSites.push(site.name);
    this.#quotaResetMs = resetMs;
    const end = {
      site: site.name,
      changed: false,
      expiresAt: expiresMs === undefined ? undefined : new Date(expiresMs).toISOString(),
      text: `Left for a later run: secret-token has ${remaining} requests to GitHub left until ${formatInstant(new Date(resetMs))}.`,
    };
    if (expiresMs !== undefined && expiresMs > resetMs)
      return { ...end, exitCode: 0, status: 'skipped', errorCode: undefined };
    return { ...end, exitCode: 1, status: 'failed', errorCode: 'rate-limited' };
  }

  /** When the first of its links expires, as its signed states say; undefined: one is not known. */
  #expiryOf(site: Site): number | undefined {
    let earliest = Number.POSITIVE_INFINITY;
    for (const address of site.addresses) {
      // Only the lists of GitHub contain the states.
      if (address.scheme !== 'github') return undefined;
      const expiry = this.#signedExpiry(address, site.adminApiKey);
      if (expiry === undefined) return undefined;
      earliest = Math.min(earliest, expiry);
    }
    return earliest;
  }

  /**
   * The expiry in the state of a destination, the record next to its link, as a list has it.
   * undefined: no list has it, or it is not signed with the site's key.
   */
  #signedExpiry(destination: GitHubAddress, adminApiKey: string): number | undefined {
    const target = targetOf(destination, this.#init.repository);
    const listed = this.#lists.github.stateOf(target, destination.name);
    if (listed === undefined) return undefined;
    const { holderId, text } = listed;
    // `readState` refuses the state of another base-url than it is given. Only the expiry is used
    // here, and that of a link from any platform will do: the state's own base-url is given.
    const baseUrl = String(fieldOf(parseJson(text), 'baseUrl'));
    const address = signedAddressOf(this.#init.serverUrl, target, holderId, destination.name);
    const state = readState({ adminApiKey, baseUrl, address }, text);
    return state.kind === 'valid' ? readTime(state.record.expiresAt) : undefined;
  }

  #warnOfLeftSites(): void {
    const count = this.#leftSites.length;
    if (count === 0) return;
    let named = this.#leftSites.slice(0, MOST_NAMED).join(', ');
    if (count > MOST_NAMED) named += ` and ${count - MOST_NAMED} more`;
    this.#init.log.warning(
      `GitHub's quota for secret-token ends, and returns at ${formatInstant(new Date(this.#quotaResetMs))}. Left for a later run: ${named}. Run the command more often, or give the sites to several GitHub Apps.`,
    );
  }
}

/** True if a link of the site is stored on GitHub, whose quota all such sites share. */
function needsGitHub(site: Site): boolean {
  return site.addresses.some((address) => address.scheme === 'github');
}
