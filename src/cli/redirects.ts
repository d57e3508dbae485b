import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CourierError, configError, errnoOf } from '../ground/errors.ts';
import type { Log } from '../ground/log.ts';
import { firstLines } from '../ground/text/amounts.ts';
import { shownName } from '../ground/text/credentials.ts';
import { RULES_FILE } from '../site/redirects/rules.ts';
import {
  readSafeRules,
  type SafeRule,
  SERVERS,
  writeRedirects,
} from '../site/redirects/server-redirects.ts';
import { findBasePath } from '../site/verify/site-index.ts';
import { WholeFile } from '../site/verify/verify-site.ts';

const MAX_BYTES = 4 * 1024 * 1024;
const MOST_SHOWN = 20;
/** A path that is the same in every configuration. */
const PLAIN_PATH = /^(?:\/[\w~-][\w.~-]*)*$/;

/**
 * The redirects of an unpacked site as lines for the configuration of a web server; a comment if
 * the site has no rules. Rules that are left out are one warning. `site` and `server`: as they were
 * given, empty if they were not. Throws `config` if the folder is not a site or the server is not
 * known.
 */
export function readSiteRedirects(site: string, cwd: string, server: string, log: Log): string {
  const knownServer = SERVERS.find((name) => name === server);
  if (knownServer === undefined)
    throw unusable(`--server must be ${SERVERS.join(' or ')}.`, 'Name the server of the site.');
  const folder = siteFolder(site, cwd);
  const basePath = readBasePath(folder);
  const rules = readSiteRules(folder, basePath, log);
  const where = basePath && `, for the site below ${basePath}/`;
  return `# ${rules.length} redirects of ${RULES_FILE}${where}, written by docs-courier redirects\n${writeRedirects(rules, knownServer)}`;
}

/**
 * The absolute path of the folder that was given. Throws `config` if none was given, or an address,
 * which may have a password in it.
 */
export function siteFolder(site: string, cwd: string): string {
  if (site === '') throw unusable('The folder of the site is missing.');
  if (/^\w+:\/\//.test(site)) throw unusable('An address is not a folder.');
  return resolve(cwd, site);
}

/**
 * What the addresses of the unpacked site in this folder begin with, such as `/handbook`; empty if
 * it works at the top of a host. Throws `config` if the folder cannot be read.
 */
export function readBasePath(folder: string): string {
  const files = inFolder(folder, () => filesIn(folder, ''));
  const file = new WholeFile();
  // Anything but a file may never end.
  const textOf = (path: string) => (files.includes(path) && file.text(join(folder, path))) || '';
  const { path, isGuessed } = findBasePath(files, undefined, 'index.html', textOf);
  // A single link may lead to another part of the host.
  if (!isGuessed || !PLAIN_PATH.test(path)) return '';
  return path;
}

/** The paths of all files in a folder, with `path` before them. */
function filesIn(folder: string, path: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = path + entry.name;
    if (entry.isFile()) return [name];
    if (!entry.isDirectory()) return [];
    try {
      return filesIn(join(folder, entry.name), `${name}/`);
    } catch {
      // Such as `lost+found` of a disk. No reader sees what a server may not read.
      return [];
    }
  });
}

/**
 * The redirects of the unpacked site in this folder, for a server that has it below its base path.
 * Those that are left out are one warning. Throws `config` if the folder cannot be read.
 */
export function readSiteRules(folder: string, basePath: string, log: Log): readonly SafeRule[] {
  const { rules, leftOut } = readSafeRules(
    inFolder(folder, () => readRules(folder)),
    basePath,
  );
  if (leftOut.length > 0) {
    const all = rules.length + leftOut.length;
    const lines = leftOut.map(({ line, rule, why }) => `- line ${line}, ${rule}: ${why}`);
    const head = `${leftOut.length} of ${all} rules in ${RULES_FILE} are left out:`;
    log.warning([head, ...firstLines(lines, MOST_SHOWN)].join('\n'));
  }
  return rules;
}

/**
 * The text of the rules file; empty if the site has none. A symbolic link is not followed: other
 * people have made the site.
 */
function readRules(folder: string): string {
  const path = join(folder, RULES_FILE);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return '';
  if (!stats.isFile()) throw unusable(`${RULES_FILE} of ${shownName(folder)} is not a file.`);
  if (stats.size > MAX_BYTES)
    throw unusable(
      `${RULES_FILE} of ${shownName(folder)} has more than ${MAX_BYTES / 1024 / 1024} MiB.`,
    );
  return readFileSync(path, 'utf8');
}

/** What `read` gives of a folder. Throws `config` if that is not a folder, or cannot be read. */
function inFolder<T>(folder: string, read: () => T): T {
  try {
    if (!lstatSync(folder).isDirectory()) throw unusable(`${shownName(folder)} is not a folder.`);
    return read();
  } catch (error) {
    // One of those above.
    if (error instanceof CourierError) throw error;
    const errno = errnoOf(error);
    if (errno === 'ENOENT') throw unusable(`There is no folder ${shownName(folder)}.`);
    throw unusable(`${shownName(folder)} cannot be read: ${errno ?? 'the reason is unknown'}.`);
  }
}

function unusable(message: string, hint = 'Give the folder with the unpacked site.'): CourierError {
  return configError(message, hint);
}
