import type { CiRunner, OutputValues, Results } from '../ci/port.ts';
import type { Clock } from '../clock.ts';
import { trustedValues, withValues } from '../config/file.ts';
import { type Config, valuesOf } from '../config/parse.ts';
import { CourierError } from '../errors.ts';
import { parseAddress } from '../inputs/parse-address.ts';
import type { InputSource } from '../inputs/reader.ts';
import type { Log } from '../log.ts';
import { loadMode } from '../modes.ts';
import type { ExitRule } from '../run/finish.ts';
import { main } from '../run/main.ts';
import { formatAddress } from '../stores/address.ts';
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
  const waiting = [...sources];
  const ends = new Map<string, SiteEnd>();
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [site, source] = next;
      ends.set(site, await refreshOne(site, source, init));
    }
  };
  await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
  return [...sources.keys()].flatMap((site) => ends.get(site) ?? []);
}

/** The file was read already. */
function withoutFile(source: InputSource): InputSource {
  return {
    ...source,
    value: (name) => (name === 'config-file' || name === 'site' ? '' : source.value(name)),
  };
}

/** Two sites with one destination would write over each other. */
function checkDestinations(sources: ReadonlyMap<string, InputSource>): void {
  const owners = new Map<string, string>();
  const problems: string[] = [];
  for (const [site, source] of sources) {
    const destinations = destinationsOf(source);
    if (destinations.length === 0) problems.push(`- ${site} has no destination for its link: give it to`);
    for (const destination of destinations) {
      const owner = owners.get(destination);
      if (owner !== undefined) problems.push(`- ${owner} and ${site} have the same destination`);
      owners.set(destination, site);
    }
  }
  if (problems.length === 0) return;
  throw new CourierError({
    code: 'config',
    message: ['The sites cannot be refreshed together:', ...problems.slice(0, 20)].join('\n'),
    hint: 'Nothing was sent. Give each site a separate destination, under sites in the configuration file.',
  });
}

function destinationsOf(source: InputSource): string[] {
  const addresses = source
    .value('to')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const parsed = parseAddress(line);
      return parsed.ok ? formatAddress(parsed.value) : line;
    });
  const command = source.value('to-command').trim();
  return [...addresses, ...(command === '' ? [] : [`command ${command}`])];
}

async function refreshOne(site: string, source: InputSource, init: AllSitesInit): Promise<SiteEnd> {
  const { runner, clock, signal } = init;
  const results = new SiteResults();
  const log = siteLog(init.log, site);
  let errorCode: string | undefined;
  const exitCode = await main({
    loadMode,
    runner: { ...runner, openResults: () => results },
    source,
    log,
    clock,
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
