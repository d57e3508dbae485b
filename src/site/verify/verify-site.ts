import { Buffer } from 'node:buffer';
import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeTurn } from '../../ground/clock.ts';
import { makeResultFolder } from '../../ground/temporary.ts';
import { pathOf } from '../../ground/text/names.ts';
import { fileError } from '../disk/disk.ts';
import { isPage } from '../page-names.ts';
import { RULES_FILE } from '../redirects/rules.ts';
import { readSafeRules, type SafeRule } from '../redirects/server-redirects.ts';
import {
  type Counts,
  type Finding,
  FindingList,
  type Judged,
  type Verification,
} from './finding.ts';
import type { ScriptScan } from './page-scan.ts';
import { kindOfFile, type PageReader, SiteCheck } from './site-check.ts';
import { findBasePath, findEntryPage } from './site-index.ts';

interface SiteInit {
  /** The folder with the site. */
  readonly root: string;
  /** Paths below it, joined by `/`. */
  readonly files: readonly string[];
  /** What links begin with, such as `/docs`; undefined: not known. */
  readonly basePath: string | undefined;
  /**
   * The address at which the site is published, if it is known: links begin with its path if
   * `basePath` is not known, and files below it are on no other host.
   */
  readonly liveUrl?: string | undefined;
  readonly signal: AbortSignal;
}

interface CheckInit extends SiteInit {
  readonly isAirGapped: boolean;
  /** Links that lack the base path are an error, and not a warning. */
  readonly isStrict?: boolean | undefined;
  /** What takes part in the pass. */
  readonly readers?: readonly PageReader[] | undefined;
}

interface VerifyInit extends CheckInit {
  /** The platform's last count. */
  readonly pageCount: number | undefined;
  readonly runnerTemp: string;
  /** What is known to be wrong already. */
  readonly known?: readonly Finding[] | undefined;
}

export interface Verified {
  readonly verification: Verification;
  /** Path of the JSON file with every finding; undefined: nothing was found. */
  readonly reportPath: string | undefined;
}

/** Larger files are not read. */
const MOST_BYTES = 8 * 1024 * 1024;
// Most pages are smaller.
const FIRST_BYTES = 256 * 1024;
// How long other work waits for its turn.
const LONGEST_TURN_MS = 20;

/**
 * Checks an unpacked site, fetches nothing, and writes what it finds below RUNNER_TEMP. Throws `io`
 * and `cancelled` only.
 */
export async function verifySite(init: VerifyInit): Promise<Verified> {
  const { files, pageCount } = init;
  const findings = new FindingList();
  for (const finding of init.known ?? []) findings.add(finding);
  // Loaded here, since its parser is large, and only this reads scripts.
  const { scanScript } = await import('./script/scan-script.ts');
  const check = await checkFiles(init, files, findings, scanScript);
  check.finish();
  for (const reader of init.readers ?? [])
    for (const finding of reader.findings?.() ?? []) findings.add(finding);
  // Without the page for errors, which platforms do not count.
  const pages = files.filter(isPage).length;
  // These two are about the whole site, and name neither a page nor an address.
  const hasEntry = findEntryPage(files, init.basePath) !== undefined || check.redirectsTop();
  if (!hasEntry) {
    const reason = 'there is no index.html at the top';
    findings.add({ level: 'error', kind: 'no-entry-page', page: '', target: '', reason });
  }
  if (pageCount !== undefined && pageCount !== pages) {
    const reason = `it has ${pages} pages, and the platform last counted ${pageCount}; that is a running count`;
    findings.add({ level: 'note', kind: 'page-count', page: '', target: '', reason });
  }
  const { error: errors, warning: warnings, note: notes } = findings.counts;
  const references = check.references;
  const counts = { pages, files: files.length, references, errors, warnings, notes };
  const reportPath = writeReport(init, counts, findings.all());
  return { verification: { ...counts, first: findings.first() }, reportPath };
}

/**
 * Reads the pages of a site for what `readers` want to know of them, and checks nothing. Throws
 * `cancelled` only.
 */
export async function readPages(init: SiteInit, readers: readonly PageReader[]): Promise<void> {
  // What is found on the way is dropped.
  const findings = new FindingList();
  const check = { ...init, isAirGapped: false, readers };
  if (readers.some((reader) => reader.watchesFiles === true)) {
    const { scanScript } = await import('./script/scan-script.ts');
    await checkFiles(check, init.files, findings, scanScript);
    return;
  }
  const watchesLinks = readers.some((reader) => reader.watchesLinks === true);
  const pages = init.files.filter((path) => {
    if (kindOfFile(path) !== 'page') return false;
    // Any page can have a link.
    return watchesLinks || readers.some((reader) => reader.reads(path));
  });
  await checkFiles(check, pages, findings);
}

/**
 * Reads and checks the files at `paths`; links may lead to any file of the site. `finish` of the
 * result checks what needs all files.
 */
async function checkFiles(
  init: CheckInit,
  paths: readonly string[],
  findings: FindingList,
  scan?: ScriptScan,
): Promise<SiteCheck> {
  const files = new WholeFile();
  const { path: basePath, isGuessed: isPathGuessed } = basePathOf(init, files);
  const rules = rulesOf(init, files);
  const check = new SiteCheck({ ...init, basePath, isPathGuessed, rules, findings, scan });
  // Sorted, so that findings come in the same order each time: an archive has its files in any
  // order.
  await inTurns([...paths].sort(), init.signal, (path) => {
    if (kindOfFile(path) === undefined) return;
    const content = files.read(`${init.root}/${path}`);
    if (Buffer.isBuffer(content)) check.checkFile(path, content);
    else findings.add({ ...content, page: path, target: '' });
  });
  return check;
}

/** What links in the site begin with: as given, or as its entry page shows. */
function basePathOf(init: CheckInit, files: WholeFile): ReturnType<typeof findBasePath> {
  const given = init.basePath ?? pathOf(init.liveUrl);
  // Not by `liveUrl`, which says nothing about the paths in the archive.
  const entry = findEntryPage(init.files, init.basePath) ?? 'index.html';
  return findBasePath(init.files, given, entry, (path) => files.text(`${init.root}/${path}`));
}

/** The redirects in the site's file of rules; none if there is no such file or it is unreadable. */
function rulesOf(init: CheckInit, files: WholeFile): readonly SafeRule[] {
  if (!init.files.includes(RULES_FILE)) return [];
  return readSafeRules(files.text(`${init.root}/${RULES_FILE}`)).rules;
}

/**
 * Calls `action` for each entry, and lets other work (a signal, a timer) have its turn in between.
 * Throws `cancelled`.
 */
export async function inTurns<T>(
  all: Iterable<T>,
  signal: AbortSignal,
  action: (entry: T) => void,
): Promise<void> {
  let turnStart = performance.now();
  for (const entry of all) {
    action(entry);
    if (performance.now() - turnStart < LONGEST_TURN_MS) continue;
    await takeTurn(signal);
    turnStart = performance.now();
  }
}

/**
 * Reads files, one after the other, into the same memory: a new buffer for each would be garbage.
 */
export class WholeFile {
  // As large as the largest file so far: 8 MiB from the start, used or not, would bring the next
  // full garbage collection closer.
  #room = Buffer.allocUnsafeSlow(FIRST_BYTES);

  /** The content of a file, valid until the next call, or why it is not read. */
  read(path: string): Buffer | Judged {
    try {
      const length = this.#readIntoRoom(path);
      if (length <= MOST_BYTES) return this.#room.subarray(0, length);
      return {
        level: 'warning',
        kind: 'page-too-large',
        reason: 'the file is larger than 8 MiB and was not checked',
      };
    } catch (error) {
      // Errors of the file system name the call that failed; any other is a fault of ours.
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      return { level: 'error', kind: 'unreadable', reason: 'the file could not be read' };
    }
  }

  /** The content of a file, valid until the next call; undefined if it cannot be read. */
  readIfPossible(path: string): Buffer | undefined {
    const content = this.read(path);
    return Buffer.isBuffer(content) ? content : undefined;
  }

  /** The text of a file; empty if it cannot be read. */
  text(path: string): string {
    return this.readIfPossible(path)?.toString() ?? '';
  }

  /** Gives how many bytes the file has; more than `MOST_BYTES` if it is too large to be read. */
  #readIntoRoom(path: string): number {
    const file = openSync(path, 'r');
    try {
      let length = 0;
      while (length <= MOST_BYTES) {
        if (length === this.#room.length) this.#growRoom();
        const read = readSync(file, this.#room, length, this.#room.length - length, null);
        if (read === 0) break;
        length += read;
      }
      return length;
    } finally {
      closeSync(file);
    }
  }

  #growRoom(): void {
    // One byte too many is enough to see that a file is too large.
    const room = Buffer.allocUnsafeSlow(Math.min(2 * this.#room.length, MOST_BYTES + 1));
    this.#room.copy(room);
    this.#room = room;
  }
}

/** Writes every finding that was kept. Gives the path; undefined if there is no finding. */
function writeReport(
  init: VerifyInit,
  counts: Counts,
  kept: readonly Finding[],
): string | undefined {
  const total = counts.errors + counts.warnings + counts.notes;
  if (total === 0) return undefined;
  try {
    const folder = makeResultFolder(init.runnerTemp, 'docs-courier-verify-', init.signal);
    const reportPath = join(folder, 'verify.json');
    const report = { version: 1, ...counts, truncated: kept.length < total, findings: kept };
    writeFileSync(reportPath, `${JSON.stringify(report, undefined, 2)}\n`);
    return reportPath;
  } catch (cause) {
    throw fileError('write the report of the verification to', init.runnerTemp, cause);
  }
}
