import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { cancelled } from '../../clock.ts';
import { fileFault } from '../archive/fault.ts';
import type { Finding, Verification } from '../facts.ts';
import { createFindingList, type FindingList } from './finding-list.ts';
import { createSiteCheck, kindOfFile } from './site-check.ts';

export interface VerifyInit {
  /** The folder with the entry page. */
  readonly root: string;
  /** Paths below it, joined by `/`. */
  readonly files: readonly string[];
  /** What the platform told last. */
  readonly pageCount: number | undefined;
  readonly isAirGapped: boolean;
  readonly runnerTemp: string;
  readonly signal: AbortSignal;
}

export interface Verified {
  readonly verification: Verification;
  readonly reportPath: string;
}

const MOST_BYTES = 8 * 1024 * 1024;
// Other work (a signal, a timer) gets its turn at least this often.
const LONGEST_TURN_MS = 20;

/**
 * Reads an unpacked site: is there an entry page, does every address resolve, does nothing load from elsewhere? Nothing is
 * fetched. Writes the whole report as JSON below RUNNER_TEMP. Throws `io` and `cancelled` only.
 */
export async function verifySite(init: VerifyInit): Promise<Verified> {
  const findings = createFindingList();
  const references = await checkFiles(init, findings);
  const pages = init.files.filter((file) => kindOfFile(file) === 'page').length;
  checkWhole(init, pages, findings);
  const { error: errors, warning: warnings, note: notes } = findings.counts;
  const counts = { pages, files: init.files.length, references, errors, warnings, notes };
  const reportPath = await writeReport(init.runnerTemp, counts, findings.kept);
  return { verification: { ...counts, first: findings.first() }, reportPath };
}

async function checkFiles({ root, files, isAirGapped, signal }: VerifyInit, findings: FindingList): Promise<number> {
  const { Tokenizer } = await import('htmlparser2');
  const check = createSiteCheck({ files, isAirGapped, findings, Tokenizer });
  let turnStart = performance.now();
  for (const path of files) {
    if (kindOfFile(path) === undefined) continue;
    checkFile({ root, path, findings, check });
    if (performance.now() - turnStart < LONGEST_TURN_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) throw cancelled(signal.reason);
    turnStart = performance.now();
  }
  check.finish();
  return check.references;
}

interface FileCheck {
  readonly root: string;
  readonly path: string;
  readonly findings: FindingList;
  readonly check: { file(path: string, text: string): void };
}

function checkFile({ root, path, findings, check }: FileCheck): void {
  const target = join(root, path);
  try {
    const { size } = statSync(target);
    if (size > MOST_BYTES) {
      const reason = 'the file is larger than 8 MiB and was not looked at';
      findings.add({ level: 'warning', kind: 'page-too-large', page: path, target: '', reason });
      return;
    }
    check.file(path, readFileSync(target, 'utf8'));
  } catch (error) {
    const reason = 'the file could not be read';
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    findings.add({ level: 'error', kind: 'unreadable', page: path, target: '', reason });
  }
}

function checkWhole({ files, pageCount }: VerifyInit, pages: number, findings: FindingList): void {
  const whole = { page: '', target: '' };
  if (!files.includes('index.html')) {
    findings.add({ ...whole, level: 'error', kind: 'no-entry-page', reason: 'there is no index.html at the top' });
  }
  if (pageCount !== undefined && pageCount !== pages) {
    const reason = `it holds ${pages} pages, and the platform last told ${pageCount}; that figure is a running one`;
    findings.add({ ...whole, level: 'note', kind: 'page-count', reason });
  }
}

async function writeReport(
  runnerTemp: string,
  counts: Omit<Verification, 'first'>,
  kept: readonly Finding[],
): Promise<string> {
  try {
    const reportPath = join(await mkdtemp(join(runnerTemp, 'docs-courier-verify-')), 'verify.json');
    const total = counts.errors + counts.warnings + counts.notes;
    const report = { version: 1, ...counts, truncated: kept.length < total, findings: kept };
    writeFileSync(reportPath, `${JSON.stringify(report, undefined, 2)}\n`);
    return reportPath;
  } catch (cause) {
    throw fileFault('write the report of the verification to', runnerTemp, cause);
  }
}
