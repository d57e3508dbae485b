import { basename } from 'node:path';
import { courierError } from '../ground/errors.ts';
import type { Log } from '../ground/log.ts';
import { countOf, formatBytes } from '../ground/text/amounts.ts';
import { plainLine } from '../ground/text/escape.ts';
import type { BundleInputs } from '../inputs/inputs.ts';
import type { BundleFile } from './archive/sink.ts';
import type { ComparedSite } from './compare/compared-site.ts';
import type { Comparison } from './compare/comparison.ts';
import type { BundleFacts } from './summary.ts';
import type { Finding } from './verify/finding.ts';
import type { PageReader } from './verify/site-check.ts';

/** Compares a site with an earlier one in the pass over its pages. */
export interface ComparingReader extends PageReader {
  /** Gives the comparison, once the pass is over. */
  finish(signal: AbortSignal): Promise<Comparison>;
}

export interface InspectionInit {
  /** The folder with the site. */
  readonly root: string;
  readonly site: ComparedSite;
  readonly origin: BundleOrigin;
  readonly verify: BundleInputs['verify'];
  readonly comparison: ComparingReader | undefined;
  /** What else reads the pages in the same pass. */
  readonly pageReaders: readonly PageReader[];
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly runnerTemp: string;
  /** What is not certain since the base path was exchanged. */
  readonly unsure?: readonly Finding[] | undefined;
}

interface InspectionResult {
  readonly facts: Partial<BundleFacts>;
  readonly comparison: Comparison | undefined;
}

/** The site as it is delivered, with what was found about it. */
export interface InspectedSite extends InspectionResult {
  readonly site: ComparedSite;
  /** Its files that got another base path, as the archive names them. */
  readonly moved: readonly BundleFile[];
}

/**
 * Verifies an unpacked site and compares it with an earlier one, each if it is asked for, in one
 * pass over its pages.
 */
export async function inspect(init: InspectionInit): Promise<InspectionResult> {
  const { comparison, pageReaders } = init;
  const readers = comparison === undefined ? pageReaders : [comparison, ...pageReaders];
  let facts: InspectionResult['facts'] = {};
  if (init.verify !== 'off') facts = await verifyUnpacked(init, readers);
  else if (readers.length > 0) {
    // The verification reads the pages for the readers too; without it, they are read for these.
    const { readPages } = await import('./verify/verify-site.ts');
    const { root, signal } = init;
    const { basePath, liveUrl } = init.origin;
    const files = init.site.paths;
    await readPages({ root, files, basePath, liveUrl, signal }, readers);
  }
  // As one of the readers, the comparison has all pages now.
  return { facts, comparison: await comparison?.finish(init.signal) };
}

/** Verifies the site, lets the readers read its pages, and logs the first findings. */
async function verifyUnpacked(
  init: InspectionInit,
  readers: readonly PageReader[],
): Promise<InspectionResult['facts']> {
  const { root, site, origin, log, signal, runnerTemp } = init;
  const { verifySite } = await import('./verify/verify-site.ts');
  const { verification, reportPath } = await verifySite({
    root,
    files: site.paths,
    basePath: origin.basePath,
    liveUrl: origin.liveUrl,
    pageCount: origin.pageCount,
    isAirGapped: init.verify === 'air-gapped',
    // `strict` makes errors of some warnings; `air-gapped` is `strict` with more rules.
    isStrict: init.verify === 'strict' || init.verify === 'air-gapped',
    runnerTemp,
    signal,
    readers,
    known: init.unsure,
  });
  for (const finding of verification.first) {
    // A finding about the whole bundle, such as a missing entry page, has neither page nor address.
    const address = finding.target && ` (${finding.target})`;
    const text = plainLine(`${finding.page || 'The bundle'}: ${finding.reason}${address}`);
    if (finding.level === 'note') log.notice(text);
    else log.warning(text);
  }
  const { errors, warnings, pages } = verification;
  // Without a finding there is no report.
  const whereAll = reportPath === undefined ? '' : ` All findings are in ${reportPath}.`;
  log.info(
    `Verified ${countOf(pages, 'page')}: ${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}.${whereAll}`,
  );
  return { verification, verifyReport: reportPath };
}

/** The bundle in one line, for the log. */
export function describeBundle(facts: BundleFacts): string {
  const packed = `${facts.format}, ${formatBytes(facts.bytes)}, SHA-256 ${facts.sha256}`;
  const counts = `${countOf(facts.pages, 'page')}, ${countOf(facts.files, 'file')}`;
  return `${packed}; ${counts}, ${formatBytes(facts.unpackedBytes)} unpacked`;
}

// Warns if a name says another format than the content: only the content decides how it is read.
export function warnOfName(format: BundleFacts['format'], path: string, log: Log): void {
  const ending = /\.(tar\.gz|tgz|tar|zip)$/i.exec(path)?.[1]?.toLowerCase();
  // Two endings for one format.
  const named = ending?.replace('tgz', 'tar.gz');
  if (named === undefined || named === format) return;
  log.warning(
    `The bundle is a .${format}, although ${plainLine(basename(path), 100)} is named like a .${named}. It was read as a .${format}.`,
  );
}

/**
 * Throws `checks-failed` if `verify` is `strict` or `air-gapped`, and the verification found
 * errors; or if it is `new`, and links are broken since. `comparison`: undefined if it may not
 * decide.
 */
export function assertNoErrors(
  verify: BundleInputs['verify'],
  facts: BundleFacts,
  comparison: Comparison | undefined,
): void {
  if (verify === 'new' && comparison !== undefined) assertNothingNew(comparison);
  // Nothing was verified if the bundle is not unpacked.
  const errors = facts.verification?.errors ?? 0;
  if (['off', 'report', 'new'].includes(verify) || errors === 0) return;
  // With errors, there is always a report.
  const report = facts.verifyReport ?? '';
  throw courierError(
    'checks-failed',
    `The site has ${countOf(errors, 'error')}, and verify is ${verify}: no file and no destination was changed. The first ones are in the summary, all of them in ${report}.`,
    'Correct the pages in their sources and export again. With "verify: report" findings are reported and do not fail the run.',
  );
}

function assertNothingNew({ newlyBroken }: Comparison): void {
  if (newlyBroken?.length === 0) return;
  const [first] = newlyBroken ?? [];
  let message = 'Which links are newly broken is not known: the site has too many broken links.';
  if (newlyBroken !== undefined && first !== undefined)
    message = `${countOf(newlyBroken.length, 'link')} newly broken, such as ${plainLine(first.target, 200)} on ${plainLine(first.pages.join(', '), 200)}, and verify is new: nothing was published.`;
  throw courierError(
    'checks-failed',
    message,
    'Correct these links, or keep their addresses with a redirect. All of them are in the file at changes-path. With "verify: report" findings do not fail the run.',
  );
}

/** Where a bundle came from: goes into the manifest. */
export interface BundleOrigin {
  readonly domain: string | undefined;
  readonly jobId: string;
  /** The platform's last count. */
  readonly pageCount: number | undefined;
  /** When the export was made, as far as it is known. */
  readonly createdAt?: Date | undefined;
  /** What links of the site begin with: empty, or a path such as `/docs`; undefined: not known. */
  readonly basePath?: string | undefined;
  /** The address at which the site is published; undefined: not known. */
  readonly liveUrl?: string | undefined;
}

interface ManifestInit {
  /** Gives the archive its name in the manifest. */
  readonly bundlePath: string;
  readonly facts: Pick<BundleFacts, 'sha256' | 'bytes' | 'format' | 'pages'>;
  readonly origin: BundleOrigin;
  readonly files: readonly BundleFile[];
  /** Files of ours in the folder, which the archive does not have. */
  readonly added?: readonly BundleFile[];
  /** Files of the folder with another base path than in the archive. */
  readonly moved?: readonly BundleFile[];
  /** When the archive was downloaded. */
  readonly receivedAt: Date;
}

const FILES_AT_ONCE = 1000;

/**
 * The manifest in pieces: in one text, the list of 200,000 files would take 40 MB. Files are sorted
 * by path, in the order of code units.
 */
export function* formatManifest(init: ManifestInit): Generator<string> {
  const { origin, facts } = init;
  const manifest = {
    version: 1,
    site: origin.domain ?? null,
    exportJobId: origin.jobId,
    // A job that was finished before this run has no count of the platform: then it is ours.
    pages: origin.pageCount ?? facts.pages,
    createdAt: origin.createdAt?.toISOString() ?? null,
    receivedAt: init.receivedAt.toISOString(),
    archive: {
      name: basename(init.bundlePath),
      format: facts.format,
      bytes: facts.bytes,
      sha256: facts.sha256,
    },
    // `undefined` leaves the field out: most exports add nothing.
    added: entriesOf(init.added),
    moved: entriesOf(init.moved),
    files: [],
  };
  // Up to the opening bracket of `files`; the entries follow.
  yield JSON.stringify(manifest, undefined, 2).slice(0, -']\n}'.length);
  // What closes `files` and the manifest.
  const end = '\n  ]\n}';
  const sorted = [...init.files].sort((a, b) => (a.path < b.path ? -1 : 1));
  for (let at = 0; at < sorted.length; at += FILES_AT_ONCE) {
    if (at > 0) yield ',';
    const entries = sorted.slice(at, at + FILES_AT_ONCE).map(entryOf);
    // Formatted in an object, for the same indentation as in the whole; then cut out of it.
    const text = JSON.stringify({ files: entries }, undefined, 2);
    yield text.slice(text.indexOf('[') + 1, -end.length);
  }
  yield `${end}\n`;
}

/** undefined: there is no such file. */
function entriesOf(files: readonly BundleFile[] = []) {
  if (files.length === 0) return undefined;
  return files.map(entryOf);
}

/** A file in the manifest; `null`: its hash was not computed. */
function entryOf(file: BundleFile) {
  return { path: file.path, bytes: file.bytes, sha256: file.sha256 ?? null };
}
