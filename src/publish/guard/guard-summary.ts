import type { Check } from '../../ci/port.ts';
import { codeSpan, escapeMarkdown } from '../../text/escape.ts';
import { table } from '../../text/markdown.ts';
import { checkText, type GuardCheck, type GuardFacts } from './guard.ts';

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

/** What the export had to keep, and whether it did. Only `min-pages`, kept: nothing to show. */
export function guardSection(guard: GuardFacts | undefined, isDryRun: boolean): string | undefined {
  if (guard === undefined) return undefined;
  const { verdict, checks } = guard;
  if (checks.length === 1 && verdict === 'passed' && !isDryRun) return undefined;
  const rows = checks.map((check) => [
    SIGNS[check.outcome],
    codeSpan(check.name),
    escapeMarkdown(checkText(check), 800),
  ]);
  const sentence = isDryRun ? plannedVerdict(guard) : VERDICTS[verdict];
  return `### Checks before publishing\n\n${sentence}\n\n${table(['', 'Check', 'Result'], rows)}`;
}

function plannedVerdict({ verdict, checks }: GuardFacts): string {
  if (verdict === 'failed') return 'This export would be held back.';
  if (verdict === 'forced') return 'This export would be published although checks failed, since `force` is `true`.';
  const isOpen = checks.some(({ outcome }) => outcome === 'not-checked');
  return isOpen ? 'Checked when the export has finished, as far as it is not known yet.' : 'This export would pass.';
}

/** For reports of tests. */
export function guardChecks(guard: GuardFacts | undefined): readonly Check[] {
  return (guard?.checks ?? [])
    .filter(({ outcome }) => outcome !== 'not-checked')
    .map((check) => ({
      group: 'export',
      name: check.name,
      outcome: check.outcome === 'not-checked' ? 'passed' : check.outcome,
      message: check.outcome === 'passed' ? undefined : checkText(check),
    }));
}
