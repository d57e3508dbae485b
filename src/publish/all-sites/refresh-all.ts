import { resolve } from 'node:path';
import type { CiRunner, OutputValues, Results } from '../../ci/port.ts';
import { readConfig, trustedValues, withValues } from '../../config/file.ts';
import { valuesOf } from '../../config/parse.ts';
import { configError } from '../../errors.ts';
import { parseAddress } from '../../inputs/parse-address.ts';
import { createLog, type Log, type Work } from '../../log.ts';
import type { ExitRule, Modes } from '../../run/finish.ts';
import { main } from '../../run/main.ts';
import type { PlainAddress, StoreLists } from '../../stores/kinds.ts';
import { formatInstant } from '../../text/amounts.ts';
import { codeSpan, escapeMarkdown } from '../../text/escape.ts';
import { printedJson } from '../../text/hide-credentials.ts';
import { fieldOf, parseJson } from '../../text/json.ts';
import { table } from '../../text/markdown.ts';
import type { InputSource } from '../../values/reader.ts';
import { Fleet, type Site, type SiteEnd } from './fleet.ts';

interface AllSitesInit extends Work {
  readonly runner: CiRunner;
  readonly modes: Modes;
  /** Flags and variables: they come before the file, for each site. */
  readonly source: InputSource;
  readonly exitCode: ExitRule;
}

// The worst first: ended by a signal, which says the least about the sites, another failure, timed
// out, refused, wrong inputs, failed checks, success.
const CODES_BY_SEVERITY = [143, 130, 1, 3, 5, 2, 4, 0];
const MOST_PROBLEMS = 20;
/** What each site writes or refreshes; at the top of the file, it would be that of all sites. */
const OF_ONE_SITE = ['extract-to', 'bundle-path', 'export-job-id'] as const;

/**
 * Refreshes every site that is due, and gives the worst exit code. A site that fails does not stop
 * the others. Throws `config` before the first request.
 */
export async function refreshAll(init: AllSitesInit): Promise<number> {
  const { runner, clock, log } = init;
  const results = runner.openResults();
  const sites = await readSites(init);
  const { repository, serverUrl } = runner.readRun().github;
  const refresh = (site: Site, lists: StoreLists) => refreshOne(site, init, lists);
  const fleet = new Fleet({ sites, repository, serverUrl, refresh, clock, log });
  const ends = await fleet.refresh();
  // A code that is not in the list would be a mistake of this program: exit code 1.
  const exitCode = CODES_BY_SEVERITY.find((code) => ends.some((end) => end.exitCode === code)) ?? 1;
  const worst = ends.find((end) => end.exitCode === exitCode);
  // A site that was skipped has ended well too.
  const status = exitCode === 0 ? 'completed' : (worst?.status ?? 'failed');
  const errorCode = worst?.errorCode;
  const report = { version: 1, mode: 'refresh', status, sites: ends };
  const reportPath = results.writeReport(log.redact(printedJson(report)));
  results.writeOutputs({ status, 'error-code': errorCode, 'report-path': reportPath });
  await results.writeSummary(log.redact(sitesSummary(ends)));
  // A separate log: otherwise the lines of the sites could use up the limit for the table.
  const width = Math.max(...ends.map((end) => end.site.length));
  createLog(runner.toolkit).table(
    ['Site', 'Outcome'],
    ends.map((end) => [end.site, outcomeOf(end)]),
    ([site = '', outcome]) => `${site.padEnd(width)}  ${outcome}`,
  );
  return exitCode;
}

/**
 * The sites of the configuration file. Throws `config` if there are none, or if they cannot be
 * refreshed together.
 */
async function readSites({ source, runner, log }: AllSitesInit): Promise<readonly Site[]> {
  const run = runner.readRun();
  const path = source.value('config-file').trim();
  const config = path === '' ? undefined : await readConfig(path, run);
  if (config === undefined || config.sites.size === 0) {
    throw configError(
      'This command needs a configuration file with sites, and there are none. Nothing was sent.',
      'Name the sites under sites in docs-courier.yml. In a CI system, name the file with --config-file.',
    );
  }
  // The values of a site are read below: its run must not look for them again. '' means not given.
  const choosesSite = (key: string) => key === 'config-file' || key === 'site';
  const flags = { ...source, value: (key: string) => (choosesSite(key) ? '' : source.value(key)) };
  const sites: Site[] = [];
  const problems: string[] = [];
  const siteByValue = new Map<string, string>();
  for (const [name, site] of config.sites) {
    const values = trustedValues(valuesOf(config, site), { source, run, log: siteLog(log, name) });
    // Errors about a value name its line in the file.
    const siteSource = withValues(flags, values, (key) => config.place(name, key));
    const to = siteSource.value('to');
    if (to.trim() === '') problems.push(`- ${name} has no destination for its link: give it to`);
    for (const key of OF_ONE_SITE.filter((input) => values.get(input))) {
      // Two spellings of one path are the same; two ids of jobs stay different.
      const value = `${key} ${resolve(run.workspace, values.get(key) ?? '')}`;
      const first = siteByValue.get(value) ?? name;
      siteByValue.set(value, first);
      if (first !== name) problems.push(`- ${first} and ${name} have the same ${key}`);
    }
    const adminApiKey = siteSource.value('admin-api-key').trim();
    sites.push({ name, source: siteSource, addresses: addressesIn(to), adminApiKey });
  }
  if (problems.length > 0) {
    throw configError(
      ['The sites cannot be refreshed together:', ...problems.slice(0, MOST_PROBLEMS)].join('\n'),
      'Nothing was sent. Give each site its own values, under sites in the configuration file.',
    );
  }
  return sites;
}

/** The destinations in `to`; lines that are wrong are reported when the site is refreshed. */
function addressesIn(to: string): PlainAddress[] {
  const addresses: PlainAddress[] = [];
  for (const line of to.split('\n')) {
    const parsed = parseAddress(line.trim());
    if (parsed.ok) addresses.push(parsed.value);
  }
  return addresses;
}

/** Runs mode `refresh` for one site, and gives how it ended. */
async function refreshOne(site: Site, init: AllSitesInit, lists: StoreLists): Promise<SiteEnd> {
  let outputs: OutputValues = {};
  let report: unknown;
  let errorCode: string | undefined;
  // What a run would write to files is kept here instead: the files are those of all sites.
  const results: Results = {
    writeOutputs: (values) => {
      outputs = { ...outputs, ...values };
    },
    writeReport: (json) => {
      report = parseJson(json);
      return undefined;
    },
    // The summary of all sites has a row for this one.
    writeSummary: async () => undefined,
  };
  const exitCode = await main({
    modes: init.modes,
    runner: { ...init.runner, openResults: () => results },
    source: site.source,
    log: siteLog(init.log, site.name),
    clock: init.clock,
    lists,
    signal: init.signal,
    // Called with how the run ended, which also has the code of its error.
    exitCode(ending) {
      errorCode = ending.errorCode;
      return init.exitCode(ending);
    },
  });
  // A refresh that did what it should has none of them.
  const text =
    fieldOf(report, 'error', 'message') ?? fieldOf(report, 'reason') ?? plannedIn(report);
  const [firstLine = ''] = String(text).split('\n');
  return {
    site: site.name,
    exitCode,
    // A run that was ended early has written no outputs.
    status: outputs.status ?? 'failed',
    changed: outputs.changed === 'true',
    // Written as an empty text if it is not known.
    expiresAt: outputs['expires-at'] || undefined,
    errorCode,
    text: firstLine,
  };
}

/** What a dry run would write; empty if this was none. */
function plannedIn(report: unknown): string {
  const planned = fieldOf(report, 'planned');
  if (!Array.isArray(planned)) return '';
  const writes = planned.map((write) => `${fieldOf(write, 'action')}: ${fieldOf(write, 'target')}`);
  return `Not done: ${writes.join('; ')}`;
}

/**
 * The log of one of many sites: its name is before each message, and all but notices, warnings and
 * errors is only for debugging.
 */
function siteLog(whole: Log, site: string): Log {
  // Masks only the secrets of this site: those of all sites together would slow down every line.
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

/** How the refresh of a site ended, in a cell of the table. */
function outcomeOf({ status, changed, errorCode, expiresAt }: SiteEnd): string {
  if (errorCode !== undefined) return `failed (${errorCode})`;
  let until = '';
  if (expiresAt !== undefined) until = `, works until ${formatInstant(new Date(expiresAt))}`;
  if (changed) return `refreshed${until}`;
  // Without an expiry, which a link that is not due has, this is a dry run.
  if (status === 'completed') return expiresAt === undefined ? 'due, not refreshed' : 'not due';
  // `Fleet` skips only a site whose expiry it knows. A run that found nothing to do, such as no
  // export yet, is skipped as well, and gives no expiry.
  const isLeft = status === 'skipped' && expiresAt !== undefined;
  if (isLeft) return `left for a later run${until}`;
  return status;
}

function sitesSummary(ends: readonly SiteEnd[]): string {
  const rows = ends.map((end) => [
    codeSpan(end.site),
    outcomeOf(end),
    escapeMarkdown(end.text, 500),
  ]);
  return `# Docs Courier: refresh of all sites\n\n${table(['Site', 'Outcome', ''], rows)}`;
}
