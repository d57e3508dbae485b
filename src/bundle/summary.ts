import { codeSpan } from '../text/escape.ts';
import { countOf, factTable, formatBytes } from '../text/markdown.ts';
import type { BundleFacts } from './facts.ts';
import { verifySection } from './verify/summary.ts';

/** The outputs that tell of a received bundle; all empty when there is none. */
export function bundleOutputs(facts: BundleFacts | undefined): Readonly<Record<string, string | undefined>> {
  return {
    'bundle-path': facts?.path,
    'bundle-sha256': facts?.sha256,
    'manifest-path': facts?.manifestPath,
    'checksum-path': facts?.checksumPath,
    'site-path': facts?.sitePath,
    'verify-report': facts?.verifyReport,
  };
}

/** Sections of the step summary about a received bundle: its facts and its verification; empty when there is none. */
export function bundleSections(facts: BundleFacts | undefined): string {
  if (facts === undefined) return '';
  const { verification } = facts;
  const sections = [
    `### Bundle\n\n${bundleTable(facts)}`,
    verification === undefined ? '' : verifySection(verification),
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

function bundleTable(facts: BundleFacts): string {
  const { path, sitePath, checksumPath, manifestPath, resumed } = facts;
  return factTable([
    ['Archive', `${facts.format}, ${formatBytes(facts.bytes)}`],
    ['SHA-256', codeSpan(facts.sha256)],
    ['Content', `${countOf(facts.files, 'file')}, ${formatBytes(facts.unpackedBytes)}`],
    ['Kept at', path && codeSpan(path)],
    ['Manifest', manifestPath && codeSpan(manifestPath)],
    ['Checksums', checksumPath && codeSpan(checksumPath)],
    ['Unpacked to', sitePath && codeSpan(sitePath)],
    ['Interruptions', resumed === 0 ? undefined : `${countOf(resumed, 'cut')}, taken up again each time`],
  ]);
}
