import type { Check, CiRun } from '../../ci/port.ts';
import { type CourierError, configError, courierError, type Hint } from '../../ground/errors.ts';
import { countOf, formatBytes } from '../../ground/text/amounts.ts';
import { codeSpan, escapeMarkdown, plainLine } from '../../ground/text/escape.ts';
import { table } from '../../ground/text/markdown.ts';
import type { GuardInputs } from '../../inputs/inputs.ts';
import { lostWithoutRedirect } from '../../site/compare/comparison.ts';
import type { Inspected } from '../../site/receive.ts';

/** One rule for an export, and whether the export keeps it. */
interface GuardCheck {
  /** The name of the input. */
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'warning' | 'not-checked';
  /** One sentence without its end, with the numbers. */
  readonly detail: string;
  /**
   * The first pages that the check is about. Separate from the numbers, as a reader of the numbers
   * may not be allowed to know the pages.
   */
  readonly pages?: string | undefined;
}

/** `forced`: a check failed, and `force` let the export pass. */
export interface GuardFacts {
  readonly verdict: 'passed' | 'failed' | 'forced';
  readonly checks: readonly GuardCheck[];
}

/** The facts that the checks decide on, as far as they are known. */
export interface GuardGround {
  /** The pages in the bundle, else the platform's count. */
  readonly pages: number | undefined;
  /** The pages of the live export; undefined: not known. `none`: there is no earlier export. */
  readonly earlierPages: number | 'none' | undefined;
  /** Why something about the earlier export cannot be known. */
  readonly unknownBecause: string | undefined;
  readonly bundle: Inspected | undefined;
  /** True in a dry run: what is not known yet is not a failure. */
  readonly isPreview?: boolean;
  /** The pages that must be there, and the ones that are not. */
  readonly missing: { readonly of: number; readonly pages: readonly string[] } | undefined;
}

const SHOWN = 5;

type Result = Omit<GuardCheck, 'name'>;

/**
 * The checks of an export, made before anything that is live changes. Except in a dry run, a check
 * that an input asks for has failed if a fact for it is missing.
 */
export function judge(inputs: GuardInputs, ground: GuardGround): readonly GuardCheck[] {
  const { maxPageDrop, forbidLostAddresses, maxSizeBytes } = inputs;
  const checks = [{ name: 'min-pages', ...checkMinPages(inputs.minPages, ground) }];
  if (maxPageDrop !== undefined)
    checks.push({ name: 'max-page-drop', ...checkPageDrop(maxPageDrop, ground) });
  if (inputs.requiredPages !== undefined)
    checks.push({ name: 'required-pages', ...checkRequired(ground.missing) });
  if (forbidLostAddresses !== 'off')
    checks.push({ name: 'forbid-lost-addresses', ...checkLost(forbidLostAddresses, ground) });
  if (maxSizeBytes !== undefined)
    checks.push({ name: 'max-size', ...checkSize(maxSizeBytes, ground.bundle) });
  return checks;
}

// For a dry run, which knows some facts only later. Other runs download the bundle for its checks.
const WITH_EXPORT: Result = {
  outcome: 'not-checked',
  detail: 'Known when the export has finished',
};
const WITH_BUNDLE: Result = { outcome: 'not-checked', detail: 'Known when the bundle is there' };
const NO_COUNT = 'The platform does not report the number of pages';
const COUNT_IN_BUNDLE = `${NO_COUNT}. With max-size, the run counts them in the bundle`;

function checkMinPages(minPages: number, { pages, isPreview }: GuardGround): Result {
  if (pages === undefined) {
    if (isPreview) return WITH_EXPORT;
    // Unlike the other checks, this one is always made: only a limit above the default asks for it.
    if (minPages > 1) return notCheckable('min-pages', COUNT_IN_BUNDLE);
    return { outcome: 'not-checked', detail: NO_COUNT };
  }
  const detail = `The export has ${countOf(pages, 'page')}, and min-pages is ${minPages}`;
  return pages >= minPages ? passed(detail) : failed(detail);
}

/** Compares the number of pages with that of the export before. */
function checkPageDrop(maxPageDrop: PageDrop, ground: GuardGround): Result {
  const { earlierPages, unknownBecause } = ground;
  const comparison = ground.bundle?.comparison;
  if (comparison === undefined && earlierPages === 'none')
    return passed(`There is no earlier export. ${unknownBecause ?? ''}`.trim());
  // A comparison has counted the pages of both bundles, which is more certain than any record.
  const before = comparison?.from.pages ?? earlierPages;
  const now = comparison?.to.pages ?? ground.pages;
  if (typeof before === 'number' && now !== undefined)
    return judgePageDrop(maxPageDrop, before, now);
  // In a dry run, numbers may still become known, unless there is a reason why they cannot.
  if (ground.isPreview && unknownBecause === undefined) return WITH_EXPORT;
  if (now === undefined) return notCheckable('max-page-drop', COUNT_IN_BUNDLE);
  const why = unknownBecause ?? 'The number of pages of the live export is not known';
  return notCheckable('max-page-drop', why);
}

type PageDrop = NonNullable<GuardInputs['maxPageDrop']>;

function judgePageDrop({ most, unit }: PageDrop, before: number, now: number): Result {
  const fewer = Math.max(0, before - now);
  const limit = unit === '%' ? `${most}%` : countOf(most, 'page');
  let drop = 'no fewer';
  if (fewer > 0) drop = `${fewer} fewer (${((fewer / before) * 100).toFixed(1)}%)`;
  // Calculated in whole numbers, a share in hundredths of a percent: with binary fractions, 7 of
  // 100 pages would be more than 7%.
  const isWithinShare = fewer * 10_000 <= Math.round(most * 100) * before;
  const isWithin = unit === '%' ? isWithinShare : fewer <= most;
  const detail = `The export has ${countOf(now, 'page')}, ${drop} than the ${before} of the earlier one, and max-page-drop is ${limit}`;
  return isWithin ? passed(detail) : failed(detail);
}

function checkRequired(missing: GuardGround['missing']): Result {
  if (missing === undefined) return WITH_BUNDLE;
  const count = missing.pages.length;
  if (count === 0) return passed(`All ${missing.of} of required-pages are there`);
  const are = count === 1 ? 'is' : 'are';
  const detail = `${count} of ${missing.of} in required-pages ${are} missing`;
  return { outcome: 'failed', detail, pages: firstPages(missing.pages) };
}

function checkLost(onLost: 'warn' | 'fail', ground: GuardGround): Result {
  const { bundle, earlierPages, isPreview } = ground;
  if (bundle === undefined && isPreview) return WITH_BUNDLE;
  // Without an earlier export to compare with, the bundle may not have been downloaded.
  const comparison = bundle?.comparison;
  const outcome = onLost === 'fail' ? 'failed' : 'warning';
  if (comparison === undefined) {
    if (earlierPages === 'none') return passed('There is no earlier export');
    const why = ground.unknownBecause ?? 'The earlier export could not be compared with';
    return { ...notCheckable('forbid-lost-addresses', why), outcome };
  }
  const lost = lostWithoutRedirect(comparison);
  if (lost.length === 0) return passed('No address is lost without a redirect');
  const detail = `${countOf(lost.length, 'address has', 'addresses have')} no page and no redirect any more`;
  return { outcome, detail, pages: firstPages(lost.map((one) => one.path)) };
}

function checkSize(maxSizeBytes: number, bundle: Inspected | undefined): Result {
  if (bundle === undefined) return WITH_BUNDLE;
  const { bytes } = bundle.site;
  const detail = `The files of the export have ${formatBytes(bytes)}, and max-size is ${formatBytes(maxSizeBytes)}`;
  return bytes <= maxSizeBytes ? passed(detail) : failed(detail);
}

function passed(detail: string): Result {
  return { outcome: 'passed', detail };
}

function failed(detail: string): Result {
  return { outcome: 'failed', detail };
}

/** The result of a check for which a fact is missing. */
function notCheckable(name: string, why: string): Result {
  return failed(`${name} could not be checked: ${why.replace(/\.$/, '')}`);
}

/** The first of these pages, for a person. */
function firstPages(paths: readonly string[]): string {
  const shown = paths.slice(0, SHOWN).map((path) => plainLine(path, 120));
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '';
  return `${shown.join(', ')}${more}`;
}

/** The numbers and the pages of a check, in one line. */
export function checkText({ detail, pages }: GuardCheck): string {
  return pages === undefined ? detail : `${detail}: ${pages}`;
}

/**
 * The error of an export that is held back; undefined: no check failed. `isGiven`: the site is that
 * of `from`.
 */
export function heldBack(
  checks: readonly GuardCheck[],
  pageCount: number | undefined,
  isGiven = false,
): CourierError | undefined {
  const failures = checks.filter((check) => check.outcome === 'failed');
  if (failures.length === 0) return undefined;
  // The pages have their own lines: a reader of the first one may not be allowed to know them.
  const numbers = failures.map((one) => one.detail).join('; ');
  const lines = [`${numbers}: no file and no destination was changed.`];
  for (const { name, pages } of failures)
    if (pages !== undefined) lines.push(`- ${name}: ${pages}`);
  let advice = 'Check on the platform what was published.';
  if (isGiven) advice = 'Check that from names the built site, and not its sources.';
  let hint: Hint = {
    text: `${advice} If this export is correct, run the workflow manually with:`,
    inputs: { force: 'true' },
  };
  // Only the number of pages is wrong: a lower limit also helps runs that no person starts.
  if (pageCount !== undefined && failures.every((one) => one.name === 'min-pages'))
    hint = {
      text: `${advice} If this number of pages is right, allow it:`,
      inputs: { 'min-pages': String(pageCount) },
    };
  // No built site is right without a page.
  if (isGiven && pageCount === 0) hint = { text: advice };
  return courierError('checks-failed', lines.join('\n'), hint);
}

/** Throws in a run that no person started: `force` is decided by a person, for one run. */
export function assertMayForce(run: CiRun): void {
  if (run.cause === 'manual') return;
  const event = run.eventName === undefined ? 'another cause' : plainLine(run.eventName, 60);
  throw configError(
    `force is for a run that a person starts, and this one runs on ${event}. Nothing was started.`,
    'Remove force here. To publish although checks failed, start a run by hand with force: true.',
  );
}

const SIGNS: Readonly<Record<GuardCheck['outcome'], string>> = {
  passed: '✅',
  failed: '❌',
  warning: '⚠️',
  'not-checked': '⏳',
};

const VERDICTS: Readonly<Record<GuardFacts['verdict'], string>> = {
  passed: 'The export passed.',
  failed: '**The export was held back.** What was live is still live.',
  forced: '**Published although checks failed**, since `force` is `true`.',
};

/**
 * The checks and their results. undefined: only `min-pages` was checked, and it passed. A dry run
 * shows every check, as some will be made only later.
 */
export function guardSection(
  guard: GuardFacts,
  { isDryRun }: { readonly isDryRun: boolean },
): string | undefined {
  if (!isDryRun && guard.checks.length === 1 && guard.verdict === 'passed') return undefined;
  const rows = guard.checks.map((check) => [
    SIGNS[check.outcome],
    codeSpan(check.name),
    escapeMarkdown(checkText(check), 800),
  ]);
  const sentence = isDryRun ? plannedVerdict(guard) : VERDICTS[guard.verdict];
  return `### Checks before publishing\n\n${sentence}\n\n${table(['', 'Check', 'Result'], rows)}`;
}

function plannedVerdict(facts: GuardFacts): string {
  if (facts.verdict === 'failed') return 'This export would be held back.';
  if (facts.verdict === 'forced')
    return 'This export would be published although checks failed, since `force` is `true`.';
  if (facts.checks.some((check) => check.outcome === 'not-checked'))
    return 'What is not known yet is checked when the export has finished.';
  return 'This export would pass.';
}

/** The checks that were made, for reports of tests. */
export function guardChecks(facts: GuardFacts): readonly Check[] {
  const made: Check[] = [];
  for (const check of facts.checks) {
    if (check.outcome === 'not-checked') continue;
    const message = check.outcome === 'passed' ? undefined : checkText(check);
    made.push({ group: 'export', name: check.name, outcome: check.outcome, message });
  }
  return made;
}
