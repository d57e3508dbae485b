import { CourierError } from '../errors.ts';
import type { WorkMode } from '../inputs/inputs.ts';
import type { Deps, Presentation } from '../run/context.ts';
import { errorSection, helpAddress, pageLink, sections } from '../run/report.ts';
import type { CheckResult } from '../stores/port.ts';
import { countOf } from '../text/amounts.ts';
import { codeBlock, escapeMarkdown } from '../text/escape.ts';
import { table } from '../text/markdown.ts';

/**
 * What one part of the doctor finds, one after another. An error that it throws is what it found
 * last.
 */
export type Checks = AsyncGenerator<CheckResult, void>;

/** One line of the table, in the words of the system of the run. */
export interface CheckRow extends Omit<CheckResult, 'fix'> {
  readonly fix?: string | undefined;
}

export const KEYS_PAGE = "the API keys page of the platform's dashboard";

export function ok(what: string, detail: string): CheckResult {
  return { what, outcome: 'ok', detail };
}

export function warning(what: string, detail: string, fix?: CheckResult['fix']): CheckResult {
  return { what, outcome: 'warning', detail, fix };
}

/** What would fail: it always has something to do about it. */
export function broken(
  what: string,
  detail: string,
  fix: NonNullable<CheckResult['fix']>,
): CheckResult {
  return { what, outcome: 'error', detail, fix };
}

/**
 * What only a write would show, or what could not be checked because something before it failed.
 */
export function unknown(what: string, detail: string, fix?: CheckResult['fix']): CheckResult {
  return { what, outcome: 'unknown', detail, fix };
}

/**
 * A failed check. Anything but a CourierError is a fault of this program and is thrown again; so is
 * the end of the run.
 */
export function failed(what: string, error: unknown): CheckResult {
  if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
  return broken(what, error.message, error.hint ?? `See ${helpAddress(error.code)}`);
}

/** What a check finds; an error that it throws is what it found. */
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
  outputs: () => ({}),
  summary: ({ checked = [], findings = [], error }) =>
    sections([
      `## 🩺 ${verdict(findings)}`,
      checked.length === 0
        ? ''
        : `Checked for ${checked.map((mode) => `\`mode: ${mode}\``).join(', ')}.`,
      // The table says it already if the checks came to their end.
      error?.code === 'checks-failed' ? '' : errorSection(error),
      findingTable(splitFindings(findings).seen),
      ...examples(splitFindings(findings).seen),
      ...unseenSection(findings),
      `✅ works, ⚠️ works with a restriction, ❌ would fail, ❔ not known. Nothing was changed. See ${pageLink('troubleshooting', 'how-to/troubleshooting.md')}.`,
    ]),
};

/** What was checked, and what was not. */
export function splitFindings(findings: readonly CheckRow[]): {
  readonly seen: readonly CheckRow[];
  readonly unseen: readonly CheckRow[];
} {
  return {
    seen: findings.filter(({ outcome }) => outcome !== 'unknown'),
    unseen: findings.filter(({ outcome }) => outcome === 'unknown'),
  };
}

/** A check that failed keeps others from being made. */
export function unseenHeading(findings: readonly CheckRow[]): string {
  const hasFailed = findings.some(({ outcome }) => outcome === 'error');
  return hasFailed ? 'Not checked yet, or only a run can show it' : 'Only a run can show this';
}

function unseenSection(findings: readonly CheckRow[]): string[] {
  const { unseen } = splitFindings(findings);
  if (unseen.length === 0) return [];
  return [`### ${unseenHeading(findings)}`, findingTable(unseen), ...examples(unseen)];
}

function findingTable(findings: readonly CheckRow[]): string {
  return findings.length === 0
    ? ''
    : table(['', 'Check', 'Found', 'What to do'], findings.map(row));
}

/** `Doctor: 2 of 12 checks failed`, or that none did. */
export function verdict(findings: readonly CheckRow[]): string {
  const count = findings.filter(({ outcome }) => outcome === 'error').length;
  const all = countOf(splitFindings(findings).seen.length, 'check');
  return count === 0 ? `Doctor: none of ${all} failed` : `Doctor: ${count} of ${all} failed`;
}

function row({ what, outcome, detail, fix }: CheckRow): string[] {
  const cell = (text: string | undefined) => escapeMarkdown(text ?? '', 1000);
  const [advice, ...example] = (fix ?? '').split('\n');
  const text = example.length === 0 ? advice : advice?.replace(/:$/, ', as shown below.');
  return [MARKS[outcome], escapeMarkdown(what), cell(detail), cell(text)];
}

/** What a table has no room for: the lines to paste, each once. */
function examples(findings: readonly CheckRow[]): string[] {
  const texts = findings
    .map(({ fix = '' }) => fix.split('\n').slice(1).join('\n'))
    .filter((text) => text !== '');
  return [...new Set(texts)].map((text) => codeBlock(text, { language: 'yaml' }));
}
