import { CourierError } from '../../errors.ts';
import type { BundleInputs } from '../../inputs/inputs.ts';
import type { Log } from '../../log.ts';
import { plainLine } from '../../text/escape.ts';
import { countOf } from '../../text/markdown.ts';
import type { BundleFile } from '../archive/sink.ts';
import { siteFolder } from '../disk/publication.ts';
import type { BundleFacts, Finding } from '../facts.ts';
import type { BundleOrigin } from '../manifest.ts';
import { verifySite } from './verify.ts';

export interface VerificationInit {
  readonly bundle: BundleInputs;
  readonly origin: BundleOrigin;
  readonly files: readonly BundleFile[];
  /** Where the entry page should stand; undefined: nothing was unpacked. */
  readonly sitePath: string | undefined;
  readonly runnerTemp: string;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Verifies the site at its place, if that is asked for, and tells the first findings in the log. */
export async function verifyReceived(init: VerificationInit): Promise<Partial<BundleFacts>> {
  const { bundle, origin, files, sitePath, log, signal, runnerTemp } = init;
  if (sitePath === undefined || bundle.verify === 'off') return {};
  const folder = siteFolder(files);
  const { verification, reportPath } = await verifySite({
    root: sitePath,
    files: files.map(({ path }) => (folder === '' ? path : path.slice(folder.length + 1))),
    pageCount: origin.pageCount,
    isAirGapped: origin.deploymentType === 'air-gapped',
    runnerTemp,
    signal,
  });
  for (const finding of verification.first) annotate(log, finding);
  const { errors, warnings, pages } = verification;
  log.info(
    `Verified ${countOf(pages, 'page')}: ${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}; all of it in ${reportPath}.`,
  );
  return { verification, verifyReport: reportPath };
}

/** With `verify: strict`, throws `checks-failed` when there are errors. */
export function assertSound({ verify }: BundleInputs, { verification, verifyReport }: BundleFacts): void {
  const errors = verification?.errors ?? 0;
  if (verify === 'strict' && errors > 0) throw checksFailed(errors, verifyReport ?? '');
}

function annotate(log: Log, { level, page, target, reason }: Finding): void {
  const text = plainLine(`${page === '' ? 'The bundle' : page}: ${reason}${target === '' ? '' : ` (${target})`}`);
  if (level === 'note') log.notice(text);
  else log.warning(text);
}

function checksFailed(errors: number, reportPath: string): CourierError {
  return new CourierError({
    code: 'checks-failed',
    message: `The unpacked site has ${countOf(errors, 'error')}; the first ones are in the summary, all of them in ${reportPath}.`,
    hint: 'Correct the pages on the platform and export anew. With "verify: report" the findings are told and do not fail the run.',
  });
}
