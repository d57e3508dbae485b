import { basename } from 'node:path';
import { CourierError } from '../errors.ts';
import type { BundleInputs } from '../inputs/inputs.ts';
import type { Log } from '../log.ts';
import { plainLine } from '../text/escape.ts';
import { countOf, formatBytes } from '../text/markdown.ts';
import type { ArchiveFormat } from './archive/archive.ts';
import type { Comparison } from './compare/comparison.ts';
import type { SiteComparison } from './compare/site-comparison.ts';
import type { BundleFacts } from './facts.ts';
import type { BundleOrigin } from './manifest.ts';
import type { Site } from './site.ts';
import type { Transferred } from './transfer.ts';

interface Inspection {
  /** The folder with the site. */
  readonly root: string;
  readonly site: Site;
  readonly origin: BundleOrigin;
  readonly verify: BundleInputs['verify'];
  readonly comparison: SiteComparison | undefined;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly runnerTemp: string;
}

interface Inspected {
  readonly facts: Partial<BundleFacts>;
  readonly comparison: Comparison | undefined;
}

/** Verifies an unpacked site and compares it with an earlier one, each where it is asked for, in one pass over its pages. */
export async function inspect(init: Inspection): Promise<Inspected> {
  const { comparison, signal } = init;
  const facts = init.verify === 'off' ? {} : await verify(init);
  if (init.verify === 'off' && comparison !== undefined) {
    const { readPages } = await import('./verify/verify-site.ts');
    await readPages({ ...init, files: init.site.files, basePath: init.origin.basePath }, comparison);
  }
  return { facts, comparison: await comparison?.finish(signal) };
}

async function verify(init: Inspection): Promise<Partial<BundleFacts>> {
  const { root, site, origin, comparison, log, signal, runnerTemp } = init;
  const { verifySite } = await import('./verify/verify-site.ts');
  const { verification, reportPath } = await verifySite({
    root,
    files: site.files,
    basePath: origin.basePath,
    pageCount: origin.pageCount,
    isAirGapped: init.verify === 'air-gapped',
    runnerTemp,
    signal,
    reader: comparison,
  });
  for (const { level, page, reason, target } of verification.first) {
    const text = plainLine(`${page === '' ? 'The bundle' : page}: ${reason}${target === '' ? '' : ` (${target})`}`);
    if (level === 'note') log.notice(text);
    else log.warning(text);
  }
  const { errors, warnings, pages } = verification;
  log.info(
    `Verified ${countOf(pages, 'page')}: ${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}. All findings are in ${reportPath}.`,
  );
  return { verification, verifyReport: reportPath };
}

export function factsOf({ downloaded, format, files }: Transferred, { pages }: Site): BundleFacts {
  return {
    sha256: downloaded.sha256,
    bytes: downloaded.bytes,
    format,
    files: files.length,
    pages,
    unpackedBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    resumed: downloaded.resumed,
  };
}

export function describe({ format, bytes, sha256, files, pages, unpackedBytes }: BundleFacts): string {
  const packed = `${format}, ${formatBytes(bytes)}, SHA-256 ${sha256}`;
  return `${packed}; ${countOf(pages, 'page')}, ${countOf(files, 'file')}, ${formatBytes(unpackedBytes)} unpacked`;
}

// The name is only a name: what is unpacked is decided by the content.
export function warnOfName(format: ArchiveFormat, path: string, log: Log): void {
  const named = /\.(tar\.gz|tgz|tar|zip)$/i.exec(path)?.[1]?.toLowerCase().replace('tgz', 'tar.gz');
  if (named === undefined || named === format) return;
  log.warning(
    `The bundle is a .${format}, although ${plainLine(basename(path), 100)} is named like a .${named}. It was read as a .${format}.`,
  );
}

/** Throws `checks-failed` where `verify` is `strict` or `air-gapped`, and the verification found errors. */
export function assertSound({ verify }: BundleInputs, { verification, verifyReport }: BundleFacts): void {
  const errors = verification?.errors ?? 0;
  if ((verify !== 'strict' && verify !== 'air-gapped') || errors === 0) return;
  throw new CourierError({
    code: 'checks-failed',
    message: `The site has ${countOf(errors, 'error')}, and verify is ${verify}: bundle-path, extract-to and the secret were left as they are. The first ones are in the summary, all of them in ${verifyReport ?? ''}.`,
    hint: 'Correct the pages on the platform and export again. With "verify: report" findings are reported and do not fail the run.',
  });
}
