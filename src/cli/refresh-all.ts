import type { CiRunner, OutputValues, Results } from '../ci/port.ts';
import type { Clock } from '../clock.ts';
import { refuseShared, trustedValues, withValues } from '../config/file.ts';
import { type Config, valuesOf } from '../config/parse.ts';
import { CourierError } from '../errors.ts';
import { parseAddress } from '../inputs/parse-address.ts';
import type { InputSource } from '../inputs/reader.ts';
import type { Log } from '../log.ts';
import { loadMode } from '../modes.ts';
import type { ExitRule } from '../run/finish.ts';
import { main } from '../run/main.ts';
import type { PlainAddress } from '../stores/address.ts';
import { GitHubLists } from '../stores/github/list.ts';
import { targetOf } from '../stores/github/target.ts';
import { GitLabLists } from '../stores/gitlab/list.ts';
import type { StoreLists } from '../stores/open.ts';
import { codeSpan, escapeMarkdown } from '../text/escape.ts';
import { fieldOf, parseJson } from '../text/json.ts';
import { formatInstant } from '../text/markdown.ts';

/** Sites that are worked on at once: each has at most one request under way, so a limit of the platform holds for all of them. */
const MOST_AT_ONCE = 4;

export interface AllSitesInit {
  readonly config: Config;
  readonly runner: CiRunner;
  /** Flags and variables: they come before the file, for each site. */
  readonly source: InputSource;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly exitCode: ExitRule;
}

/** How the refresh of one site ended. */
export interface SiteEnd {
  readonly site: string;
  readonly exitCode: number;
  readonly status: string;
  readonly changed: boolean;
  /** An instant in ISO 8601, where it is known. */
  readonly expiresAt: string | undefined;
  readonly errorCode: string | undefined;
  /** The first line of the error, or why there was nothing to do. */
  readonly text: string;
}

/** Refreshes every site that is due. One that fails does not stop the others. Throws `config` before the first request. */
export async function refreshAll(init: AllSitesInit): Promise<readonly SiteEnd[]> {
  const run = init.runner.readRun();
  const sources = new Map(
    [...init.config.sites].map(([name, site]) => {
      const values = valuesOf(init.config, site);
      return [
        name,
        withValues(
          withoutFile(init.source),
          trustedValues(values, { source: init.source, run, log: siteLog(init.log, name) }),
        ),
      ];
    }),
  );
  checkDestinations(sources);
  refuseShared(
    [...sources].map(([name, one]) => [name, (key: string) => one.value(key)]),
    run,
  );
  const fleet = new Fleet(
    init,
    [...sources].map(([name, source]) => ({ name, addresses: addressesOf(source), source })),
  );
  return fleet.refresh();
}

interface Site {
  readonly name: string;
  readonly source: InputSource;
  readonly addresses: readonly PlainAddress[];
}

// What the sites that are under way may still send to GitHub: a refresh takes up to 12 requests.
const RESERVE = 12 * MOST_AT_ONCE;
const MOST_NAMED = 20;

/** The sites of one run: what they share is read once, by list, and the links that expire first come first. */
class Fleet {
  readonly #init: AllSitesInit;
  readonly #repository: string;
  readonly #sites: readonly Site[];
  readonly #lists: StoreLists = { github: new GitHubLists(), gitlab: new GitLabLists() };
  readonly #ends = new Map<string, SiteEnd>();
  readonly #left: string[] = [];

  constructor(init: AllSitesInit, sites: readonly Site[]) {
    this.#init = init;
    this.#repository = init.runner.readRun().github.repository;
    this.#sites = sites;
  }

  async refresh(): Promise<readonly SiteEnd[]> {
    const known = new Set<string | undefined>();
    // Of the sites that share a list, one comes before all others: it reads the list, which says when the others expire.
    const groups = this.#sites.map((site) => ({ site, shared: site.addresses.map((address) => this.#count(address)) }));
    const first = groups.filter(({ shared }) => {
      const isFirst = shared.some((key) => key !== undefined && !known.has(key));
      for (const key of shared) known.add(key);
      return isFirst;
    });
    await this.#refreshEach(first.map(({ site }) => site));
    const others = this.#sites.filter(({ name }) => !this.#ends.has(name));
    const expiryOf = (site: Site) => this.#expiryOf(site) ?? Number.NEGATIVE_INFINITY;
    await this.#refreshEach(others.sort((a, b) => expiryOf(a) - expiryOf(b)));
    this.#warnOfLeft();
    return this.#sites.flatMap(({ name }) => this.#ends.get(name) ?? []);
  }

  #count(address: PlainAddress): string | undefined {
    if (address.scheme === 'github') return this.#lists.github.add(targetOf(address, this.#repository));
    return address.scheme === 'gitlab' ? this.#lists.gitlab.add(address) : undefined;
  }

  async #refreshEach(sites: Site[]): Promise<void> {
    const work = async () => {
      for (let site = sites.shift(); site !== undefined; site = sites.shift()) {
        this.#ends.set(site.name, this.#isSpent(site) ? this.#leave(site) : await this.#refresh(site));
      }
    };
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
  }

  async #refresh(site: Site): Promise<SiteEnd> {
    const end = await refreshOne(site.name, site.source, { ...this.#init, lists: this.#lists });
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

  /** The earliest of its links, as the states say; undefined: not known of each. */
  #expiryOf({ addresses }: Site): number | undefined {
    const expiries = addresses.map((address) =>
      address.scheme === 'github'
        ? this.#lists.github.expiryOf(targetOf(address, this.#repository), address.name)
        : undefined,
    );
    const found = expiries.filter((expiry) => expiry !== undefined);
    return found.length === addresses.length ? Math.min(...found) : undefined;
  }

  #warnOfLeft(): void {
    const { resetMs = 0 } = this.#lists.github.quota ?? {};
    if (this.#left.length === 0) return;
    const named = this.#left.slice(0, MOST_NAMED).join(', ');
    const more = this.#left.length > MOST_NAMED ? ` and ${this.#left.length - MOST_NAMED} more` : '';
    this.#init.log.warning(
      `GitHub's quota for secret-token ends, and returns at ${formatInstant(new Date(resetMs))}. Left for a later run: ${named}${more}. Run the command more often, or give the sites to several GitHub Apps.`,
    );
  }
}

/** The file was read already. */
function withoutFile(source: InputSource): InputSource {
  return {
    ...source,
    value: (name) => (name === 'config-file' || name === 'site' ? '' : source.value(name)),
  };
}

function checkDestinations(sources: ReadonlyMap<string, InputSource>): void {
  const without = [...sources].filter(
    ([, source]) => `${source.value('to')}${source.value('to-command')}`.trim() === '',
  );
  if (without.length === 0) return;
  const lines = without.slice(0, 20).map(([site]) => `- ${site} has no destination for its link: give it to`);
  throw new CourierError({
    code: 'config',
    message: ['The sites cannot be refreshed together:', ...lines].join('\n'),
    hint: 'Nothing was sent. Give each site its own destination, under sites in the configuration file.',
  });
}

function addressesOf(source: InputSource): PlainAddress[] {
  return source
    .value('to')
    .split('\n')
    .flatMap((line) => {
      const parsed = parseAddress(line.trim());
      return parsed.ok ? [parsed.value] : [];
    });
}

async function refreshOne(
  site: string,
  source: InputSource,
  init: AllSitesInit & { readonly lists: StoreLists },
): Promise<SiteEnd> {
  const { runner, clock, lists, signal } = init;
  const results = new SiteResults();
  const log = siteLog(init.log, site);
  let errorCode: string | undefined;
  const exitCode = await main({
    loadMode,
    runner: { ...runner, openResults: () => results },
    source,
    log,
    clock,
    lists,
    signal,
    exitCode(ending) {
      errorCode = ending.errorCode;
      return init.exitCode(ending);
    },
  });
  const report = parseJson(results.report);
  const text = fieldOf(report, 'error', 'message') ?? fieldOf(report, 'reason');
  return {
    site,
    exitCode,
    status: results.outputs.status ?? 'failed',
    changed: results.outputs.changed === 'true',
    expiresAt: results.outputs['expires-at'] || undefined,
    errorCode,
    text: typeof text === 'string' ? (text.split('\n')[0] ?? '') : '',
  };
}

/** The log of one of many sites: its name before each message; progress is for debugging only. */
function siteLog(whole: Log, site: string): Log {
  const log = whole.part();
  const named = (message: string) => `${site}: ${message}`;
  return {
    info: (message) => log.debug(named(message)),
    debug: (message) => log.debug(named(message)),
    notice: (message, place) => log.notice(named(message), place),
    warning: (message, place) => log.warning(named(message), place),
    error: (message, place) => log.error(named(message), place),
    block: (title, text) => log.block(named(title), text),
    // Tables and groups of sites that run side by side would be mixed up.
    table: () => undefined,
    group: (_title, body) => body(),
    mask: (secret) => log.mask(secret),
    part: () => siteLog(log, site),
    redact: (text) => log.redact(text),
  };
}

class SiteResults implements Results {
  outputs: OutputValues = {};
  report = '{}';

  writeOutputs(values: OutputValues): void {
    this.outputs = { ...this.outputs, ...values };
  }

  async writeSummary(): Promise<void> {
    // The one of all sites has a row for each.
  }

  writeReport(json: string): undefined {
    this.report = json;
  }
}

// From the worst: a run that was ended says the least about the sites.
const BY_SEVERITY = [143, 130, 1, 3, 5, 2, 4, 0];

export function worstExitCode(ends: readonly SiteEnd[]): number {
  return BY_SEVERITY.find((code) => ends.some(({ exitCode }) => exitCode === code)) ?? 1;
}

function outcomeOf({ status, changed, errorCode, expiresAt }: SiteEnd): string {
  if (errorCode !== undefined) return `failed (${errorCode})`;
  if (changed)
    return `refreshed${expiresAt === undefined ? '' : `, works until ${formatInstant(new Date(expiresAt))}`}`;
  if (status === 'skipped' && expiresAt !== undefined)
    return `left for a later run, works until ${formatInstant(new Date(expiresAt))}`;
  return status === 'completed' ? 'not due' : status;
}

/** A row or a line for each site. */
export function showSites(ends: readonly SiteEnd[], log: Log): void {
  const width = Math.max(...ends.map(({ site }) => site.length));
  log.table(
    ['Site', 'Outcome'],
    ends.map((end) => [end.site, outcomeOf(end)]),
    ([site = '', outcome]) => `${site.padEnd(width)}  ${outcome}`,
  );
}

export function sitesSummary(ends: readonly SiteEnd[]): string {
  const rows = ends.map((end) => `| ${codeSpan(end.site)} | ${outcomeOf(end)} | ${escapeMarkdown(end.text, 200)} |`);
  return ['# Docs Courier: refresh of all sites', '', '| Site | Outcome | |', '| --- | --- | --- |', ...rows].join(
    '\n',
  );
}
