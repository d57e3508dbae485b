import { countOf, formatBytes } from '../ground/text/amounts.ts';
import { codeSpan, escapeMarkdown } from '../ground/text/escape.ts';
import { factList, table } from '../ground/text/markdown.ts';
import type { ArchiveFormat } from './archive/archive.ts';
import type { Finding, Level, Verification } from './verify/finding.ts';

/**
 * What is known about a bundle that was received; what is optional follows in later steps, or is
 * not made. Everything in it may be printed.
 */
export interface BundleFacts {
  /** Where the archive is kept; undefined: it is not. */
  readonly path?: string | undefined;
  /** The digest of the archive, in hex; of a folder, that of the names and bytes in it. */
  readonly sha256: string;
  /** The size of the archive. */
  readonly bytes: number;
  readonly manifestPath?: string | undefined;
  /** The digest of the manifest, in hex. */
  readonly manifestSha256?: string | undefined;
  readonly checksumPath?: string | undefined;
  /** The folder that contains the entry page; undefined when nothing was unpacked. */
  readonly sitePath?: string | undefined;
  /** Path of the JSON file with every finding; undefined: there is none. */
  readonly verifyReport?: string | undefined;
  /** That of the archive; `folder`: a given site, which is not packed. */
  readonly format: ArchiveFormat | 'folder';
  readonly files: number;
  /** HTML files of the archive, without the page for what is not found. */
  readonly pages: number;
  readonly unpackedBytes: number;
  /** How often the download was resumed after an interruption. */
  readonly resumed: number;
  readonly verification?: Verification | undefined;
  /** What is not part of a site that was given. */
  readonly leftOut?: readonly string[] | undefined;
}

/** Sections of the step summary about a received bundle: its facts and its verification. */
export function bundleSections(facts: BundleFacts): string {
  const bundle = `### Bundle\n\n${bundleTable(facts)}`;
  if (facts.verification === undefined) return bundle;
  return `${bundle}\n\n${verifySection(facts.verification, facts.verifyReport)}`;
}

/** What is known of the bundle; a fact without a value is left out. */
function bundleTable(facts: BundleFacts): string {
  const { path, sitePath, checksumPath, manifestPath, resumed } = facts;
  const counts = `${countOf(facts.pages, 'page')}, ${countOf(facts.files, 'file')}`;
  return factList([
    ['Archive', archiveText(facts)],
    ['SHA-256', codeSpan(facts.sha256)],
    ['Pages and files', `${counts}, ${formatBytes(facts.unpackedBytes)}`],
    ['Kept at', path && codeSpan(path)],
    ['Manifest', manifestPath && codeSpan(manifestPath)],
    ['Checksums', checksumPath && codeSpan(checksumPath)],
    ['Left out', facts.leftOut?.map((path) => codeSpan(path)).join(', ')],
    ['Unpacked to', sitePath && codeSpan(sitePath)],
    ['Interruptions', resumed === 0 ? undefined : `${resumed}, resumed each time`],
  ]);
}

/** undefined: a given site is not packed. */
function archiveText({ format, bytes }: BundleFacts): string | undefined {
  if (format === 'folder') return undefined;
  return `${format}, ${formatBytes(bytes)}`;
}

const SIGNS: Readonly<Record<Level, string>> = { error: '❌', warning: '⚠️', note: 'ℹ️' };

/**
 * Counts, and the first findings as a table. `report`: the file with every finding; undefined only
 * without a finding.
 */
function verifySection(verification: Verification, report: string | undefined): string {
  const { errors, warnings, notes, first } = verification;
  const checked = `${countOf(verification.pages, 'page')}, ${countOf(verification.files, 'file')}, ${countOf(verification.references, 'reference')}`;
  const total = errors + warnings + notes;
  if (total === 0)
    return `### Verification\n\n✅ ${checked}: no finding. Every link and asset resolves, and nothing loads from another host.`;
  const counts = `${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}, ${countOf(notes, 'note')}`;
  const section = `### Verification\n\n${checked}: ${counts}.\n\n${findingTable(first)}`;
  if (total === first.length) return section;
  return `${section}\n\nThese are the first ${first.length} of ${total}; the file at \`${report}\` has all of them.`;
}

function findingTable(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => [
    SIGNS[finding.level],
    codeSpan(finding.page, 120),
    escapeMarkdown(finding.reason, 300),
    codeSpan(finding.target, 160),
  ]);
  return table(['', 'Page', 'Finding', 'Address'], rows);
}
