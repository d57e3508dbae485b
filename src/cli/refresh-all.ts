import type { CiRunner, OutputValues, Results } from '../ci/port.ts';
import { readConfig, refuseShared, trustedValues, withValues } from '../config/file.ts';
import { valuesOf } from '../config/parse.ts';
import { CourierError } from '../errors.ts';
import { parseAddress } from '../inputs/parse-address.ts';
import { createLog, type Log, type Work } from '../log.ts';
import { MODES } from '../modes.ts';
import type { ExitRule } from '../run/finish.ts';
import { main } from '../run/main.ts';
import { GitHubLists } from '../stores/github/list.ts';
import { targetOf } from '../stores/github/target.ts';
import { GitLabLists } from '../stores/gitlab/list.ts';
import type { PlainAddress, StoreLists } from '../stores/kinds.ts';
import { formatInstant } from '../text/amounts.ts';
import { codeSpan, escapeMarkdown } from '../text/escape.ts';
import { fieldOf, parseJson } from '../text/json.ts';
import { table } from '../text/markdown.ts';
import type { InputSource } from '../values/reader.ts';

/** Sites that are worked on at once: each has at most one request under way, so a limit of the platform holds for all of them. */
const MOST_AT_ONCE = 4;

interface AllSitesInit extends Work {
  readonly runner: CiRunner;
  /** Flags and variables: they come before the file, for each site. */
  readonly source: InputSource;
  readonly exitCode: ExitRule;
}

/** How the refresh of one site ended. */
interface SiteEnd {
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

/**
 * Refreshes every site that is due, and gives the worst exit code. One that fails does not stop the others. `system` shows the
 * table. Throws `config` before the first request.
 */
export async function refreshAll(init: AllSitesInit, system: CiRunner): Promise<number> {
  const { runner, log } = init;
  const results = runner.openResults();
  const ends = await new Fleet(init, await readSites(init)).refresh();
  const exitCode = BY_SEVERITY.find((code) => ends.some((end) => end.exitCode === code)) ?? 1;
  const status = exitCode === 0 ? 'completed' : 'failed';
  const errorCode = ends.find((end) => end.exitCode === exitCode)?.errorCode;
  const report = { version: 1, mode: 'refresh', status, sites: ends };
  const reportPath = results.writeReport(log.redact(JSON.stringify(report, undefined, 2)));
  results.writeOutputs({ status, 'error-code': errorCode, 'report-path': reportPath });
  await results.writeSummary(log.redact(sitesSummary(ends)));
  // A separate log: the lines of the sites must not use up those of the table.
  const width = Math.max(...ends.map(({ site }) => site.length));
  createLog(system.toolkit).table(
    ['Site', 'Outcome'],
    ends.map((end) => [end.site, outcomeOf(end)]),
    ([site = '', outcome]) => `${site.padEnd(width)}  ${outcome}`,
  );
  return exitCode;
}

/** The sites of the configuration file. Throws `config` where there are none, or where they cannot be refreshed together. */
async function readSites({ source, runner, log }: AllSitesInit): Promise<readonly Site[]> {
  const run = runner.readRun();
  const path = source.value('config-file').trim();
  const config = path === '' ? undefined : await readConfig(path, run);
  if (config === undefined || config.sites.size === 0) {
    throw new CourierError({
      code: 'config',
      message: 'This command is about the sites of a configuration file, and it has none. Nothing was sent.',
      hint: 'Name the sites under sites in docs-courier.yml. In a CI system, name the file with --config-file.',
    });
  }
  // The file is read already.
  const isRead = (key: string) => key === 'config-file' || key === 'site';
  const flags = { ...source, value: (key: string) => (isRead(key) ? '' : source.value(key)) };
  const sites = [...config.sites].map(([name, site]) => {
    const values = trustedValues(valuesOf(config, site), { source, run, log: siteLog(log, name) });
    const own = withValues(flags, values, (key) => config.place(name, key));
    return { name, source: own, addresses: addressesOf(own) };
  });
  const without = sites.filter(({ source: own }) => `${own.value('to')}${own.value('to-command')}`.trim() === '');
  if (without.length > 0) {
    const lines = without.slice(0, 20).map(({ name }) => `- ${name} has no destination for its link: give it to`);
    throw new CourierError({
      code: 'config',
      message: ['The sites cannot be refreshed together:', ...lines].join('\n'),
      hint: 'Nothing was sent. Give each site its own destination, under sites in the configuration file.',
    });
  }
  refuseShared(
    sites.map(({ name, source: own }) => ({ name, value: (key) => own.value(key) })),
    run,
  );
  return sites;
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
    const end = await refreshOne(site, this.#init, this.#lists);
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

function addressesOf(source: InputSource): PlainAddress[] {
  return source
    .value('to')
    .split('\n')
    .flatMap((line) => {
      const parsed = parseAddress(line.trim());
      return parsed.ok ? [parsed.value] : [];
    });
}

async function refreshOne({ name, source }: Site, init: AllSitesInit, lists: StoreLists): Promise<SiteEnd> {
  const { runner, clock, signal } = init;
  let [outputs, report]: [OutputValues, unknown] = [{}, undefined];
  const results: Results = {
    writeOutputs: (values) => {
      outputs = { ...outputs, ...values };
    },
    writeReport: (json) => {
      report = parseJson(json);
      return undefined;
    },
    // The one of all sites has a row for each.
    writeSummary: async () => undefined,
  };
  let errorCode: string | undefined;
  const exitCode = await main({
    modes: MODES,
    runner: { ...runner, openResults: () => results },
    source,
    log: siteLog(init.log, name),
    clock,
    lists,
    signal,
    exitCode(ending) {
      errorCode = ending.errorCode;
      return init.exitCode(ending);
    },
  });
  const text = fieldOf(report, 'error', 'message') ?? fieldOf(report, 'reason');
  return {
    site: name,
    exitCode,
    status: outputs.status ?? 'failed',
    changed: outputs.changed === 'true',
    expiresAt: outputs['expires-at'] || undefined,
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
    progress: (message) => log.debug(named(message)),
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

// From the worst: a run that was ended says the least about the sites.
const BY_SEVERITY = [143, 130, 1, 3, 5, 2, 4, 0];

function outcomeOf({ status, changed, errorCode, expiresAt }: SiteEnd): string {
  if (errorCode !== undefined) return `failed (${errorCode})`;
  if (changed)
    return `refreshed${expiresAt === undefined ? '' : `, works until ${formatInstant(new Date(expiresAt))}`}`;
  if (status === 'skipped' && expiresAt !== undefined)
    return `left for a later run, works until ${formatInstant(new Date(expiresAt))}`;
  return status === 'completed' ? 'not due' : status;
}

function sitesSummary(ends: readonly SiteEnd[]): string {
  const rows = ends.map((end) => [codeSpan(end.site), outcomeOf(end), escapeMarkdown(end.text, 200)]);
  return `# Docs Courier: refresh of all sites\n\n${table(['Site', 'Outcome', ''], rows)}`;
}
