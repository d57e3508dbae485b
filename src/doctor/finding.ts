import { assertFailure } from '../ground/errors.ts';
import { countOf } from '../ground/text/amounts.ts';
import { codeBlock, escapeMarkdown } from '../ground/text/escape.ts';
import { table } from '../ground/text/markdown.ts';
import type { WorkMode } from '../inputs/inputs.ts';
import type { Deps, Presentation } from '../run/context.ts';
import { errorSection, sections } from '../run/report.ts';
import type { CheckResult } from '../stores/port.ts';

/**
 * The findings of one part of the doctor, one after another. An error that the part throws is its
 * last finding.
 */
export type Checks = AsyncGenerator<CheckResult, void>;

/** A finding as a line of the table: `fix` is in the words of the system of the run. */
export interface CheckRow extends Omit<CheckResult, 'fix'> {
  readonly fix?: string | undefined;
}

export const KEYS_PAGE = "the API keys page of the platform's dashboard";

/** A finding that would make a run fail. It always says what to do. */
export function broken(
  what: string,
  detail: string,
  fix: NonNullable<CheckResult['fix']>,
): CheckResult {
  return { what, outcome: 'error', detail, fix };
}

/**
 * The finding for an error. Throws the error again if the run was cancelled, and if it is not a
 * CourierError, which is a fault of this program.
 */
export function failed(what: string, error: unknown): CheckResult {
  assertFailure(error);
  return { what, outcome: 'error', detail: error.message, fix: error.hint };
}

/** The finding of a check; an error that the check throws becomes a finding too. */
export async function attemptCheck(
  what: string,
  check: () => CheckResult | Promise<CheckResult>,
): Promise<CheckResult> {
  try {
    return await check();
  } catch (error) {
    return failed(what, error);
  }
}

export const MARKS: Readonly<Record<CheckRow['outcome'], string>> = {
  ok: '✅',
  warning: '⚠️',
  error: '❌',
  unknown: '❔',
};

export interface DoctorFacts {
  /** The modes whose needs were checked. */
  readonly checked?: readonly WorkMode[] | undefined;
  readonly findings?: readonly CheckRow[] | undefined;
}

export type DoctorDeps = Deps<DoctorFacts>;

export const doctorPresentation: Presentation<DoctorFacts> = {
  summary(report) {
    const { checked = [], findings = [], error } = report;
    const parts = [`## 🩺 ${verdict(findings)}`];
    if (checked.length > 0)
      parts.push(`Checked for ${checked.map((mode) => `\`mode: ${mode}\``).join(', ')}.`);
    // With this code the checks came to their end, and the table shows what failed.
    if (error?.code !== 'checks-failed') parts.push(errorSection(error));
    parts.push(...findingTable(findings.filter(isSeen)));
    const unseen = findings.filter((finding) => !isSeen(finding));
    if (unseen.length > 0) parts.push(`### ${unseenHeading(findings)}`, ...findingTable(unseen));
    parts.push(
      '✅ works, ⚠️ works with a restriction, ❌ would fail, ❔ not known. Nothing was changed.',
    );
    return sections(parts);
  },
};

/** False for what could not be checked. */
export function isSeen(finding: CheckRow): boolean {
  return finding.outcome !== 'unknown';
}

/** True for what would fail. */
export function isFault(finding: CheckRow): boolean {
  return finding.outcome === 'error';
}

/** The heading above findings that are not known. A check that failed may have stopped others. */
export function unseenHeading(findings: readonly CheckRow[]): string {
  if (findings.some(isFault)) return 'Not checked yet, or only a run can show it';
  return 'Only a run can show this';
}

/** `Doctor: 2 of 12 checks failed`, or that none did. */
export function verdict(findings: readonly CheckRow[]): string {
  const faults = findings.filter(isFault).length || 'none';
  return `Doctor: ${faults} of ${countOf(findings.filter(isSeen).length, 'check')} failed`;
}

/** The table of findings and, below it, the examples to copy, each once. Empty without findings. */
function findingTable(findings: readonly CheckRow[]): string[] {
  if (findings.length === 0) return [];
  const examples = new Set<string>();
  const rows = findings.map((finding) => {
    // The first line of a fix is a sentence, the lines after it an example. What works has no fix.
    const [advice = '', ...example] = (finding.fix ?? '').split('\n');
    if (example.length > 0) examples.add(example.join('\n'));
    const text = example.length === 0 ? advice : advice.replace(/:$/, ', as shown below.');
    const cells = [finding.detail ?? '', text].map((cell) => escapeMarkdown(cell, 1000));
    return [MARKS[finding.outcome], escapeMarkdown(finding.what), ...cells];
  });
  return [
    table(['', 'Check', 'Found', 'What to do'], rows),
    ...Array.from(examples, (text) => codeBlock(text, { language: 'yaml' })),
  ];
}
