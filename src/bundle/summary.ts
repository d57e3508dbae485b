import { countOf, formatBytes } from '../text/amounts.ts';
import { codeSpan, escapeMarkdown } from '../text/escape.ts';
import { factList, table } from '../text/markdown.ts';
import type { ArchiveFormat } from './archive/archive.ts';
import type { Finding, Level, Verification } from './verify/finding.ts';

/** What is known about a bundle that was received. Everything in it may be printed. */
export interface BundleFacts {
  /** Where the archive is kept; undefined: it is not. */
  readonly path?: string | undefined;
  /** Of the archive, in hex. */
  readonly sha256: string;
  /** Of the archive. */
  readonly bytes: number;
  readonly manifestPath?: string | undefined;
  /** Of the manifest, in hex. */
  readonly manifestSha256?: string | undefined;
  readonly checksumPath?: string | undefined;
  /** The folder that contains the entry page; undefined when nothing was unpacked. */
  readonly sitePath?: string | undefined;
  /** Path of the JSON file with every finding. */
  readonly verifyReport?: string | undefined;
  readonly format: ArchiveFormat;
  readonly files: number;
  /** HTML files, without the page for what is not found: counted, not the platform's word. */
  readonly pages: number;
  readonly unpackedBytes: number;
  /** How often the download was resumed after an interruption. */
  readonly resumed: number;
  readonly verification?: Verification | undefined;
}

/** Sections of the step summary about a received bundle: its facts and its verification. */
export function bundleSections(facts: BundleFacts): string {
  const { verification, verifyReport } = facts;
  const verified =
    verification === undefined ? '' : `\n\n${verifySection(verification, verifyReport)}`;
  return `### Bundle\n\n${bundleTable(facts)}${verified}`;
}

function bundleTable(facts: BundleFacts): string {
  const { path, sitePath, checksumPath, manifestPath, resumed } = facts;
  return factList([
    ['Archive', `${facts.format}, ${formatBytes(facts.bytes)}`],
    ['SHA-256', codeSpan(facts.sha256)],
    [
      'Pages and files',
      `${countOf(facts.pages, 'page')}, ${countOf(facts.files, 'file')}, ${formatBytes(facts.unpackedBytes)}`,
    ],
    ['Kept at', path && codeSpan(path)],
    ['Manifest', manifestPath && codeSpan(manifestPath)],
    ['Checksums', checksumPath && codeSpan(checksumPath)],
    ['Unpacked to', sitePath && codeSpan(sitePath)],
    ['Interruptions', resumed === 0 ? undefined : `${resumed}, resumed each time`],
  ]);
}

const SIGNS: Readonly<Record<Level, string>> = { error: '❌', warning: '⚠️', note: 'ℹ️' };

/** Counts, and the first findings as a table. */
function verifySection(verification: Verification, verifyReport = ''): string {
  const { pages, files, references, errors, warnings, notes, first } = verification;
  const checked = `${countOf(pages, 'page')}, ${countOf(files, 'file')}, ${countOf(references, 'reference')}`;
  const found = errors + warnings + notes;
  if (found === 0)
    return `### Verification\n\n✅ ${checked}: no finding. Every link and asset resolves, and nothing loads from another host.`;
  const counts = `${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}, ${countOf(notes, 'note')}`;
  const rest =
    found > first.length
      ? `\n\nThese are the first ${first.length} of ${found}; the file at \`${verifyReport}\` has all of them.`
      : '';
  return `### Verification\n\n${checked}: ${counts}.\n\n${findingTable(first)}${rest}`;
}

function findingTable(findings: readonly Finding[]): string {
  return table(
    ['', 'Page', 'Finding', 'Address'],
    findings.map(({ level, page, reason, target }) => [
      SIGNS[level],
      codeSpan(page, 120),
      escapeMarkdown(reason, 300),
      codeSpan(target, 160),
    ]),
  );
}
