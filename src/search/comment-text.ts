import type { CourierError } from '../errors.ts';
import { sections } from '../run/report.ts';
import { codeSpan, escapeMarkdown } from '../text/escape.ts';
import { countOf, table } from '../text/markdown.ts';
import type { Change, Comparison } from './baseline.ts';
import { queryIdentity } from './queries.ts';
import { type QueryOutcome, totalOutcomes } from './verdict.ts';
import { queryCell, resultText } from './wording.ts';

/** What a search check found, as far as its comment shows it. */
export interface SearchChecked {
  readonly domain: string;
  readonly outcomes: readonly QueryOutcome[];
  /** undefined: there was no earlier run to compare with. */
  readonly comparison: Comparison | undefined;
  /** Queries that the earlier run did not have, and that missed. */
  readonly newMisses: readonly QueryOutcome[];
  /** What the run ends with; undefined: it passes. */
  readonly verdict: CourierError | undefined;
}

interface Shown extends SearchChecked {
  /** Addresses of pages that were found may be shown. */
  readonly showsPages: boolean;
  /** An earlier run for the pull request was not as it should be. */
  readonly hasFailed: boolean;
}

const MAX_ROWS = 10;
const MAX_FOUND = 3;
const MAX_PATH = 160;
const MAX_MESSAGE = 300;

/** Whether there is nothing that whoever changes the pull request should see to. */
export function isGood({ verdict, comparison, newMisses }: SearchChecked): boolean {
  return verdict === undefined && (comparison?.worse.length ?? 0) + newMisses.length === 0;
}

/** Markdown. Queries, pages and errors come from outside: all of them are escaped. */
export function searchCommentText(shown: Shown): string {
  const better = shown.comparison?.better ?? [];
  return sections([
    `**Search of ${codeSpan(shown.domain, 128)}**: ${countsText(shown)}.`,
    verdictText(shown),
    badTable(shown),
    better.length === 0 ? '' : betterDetails(better),
  ]);
}

/** `5 passed, 2 missed; 1 better, 2 worse, 1 new miss`. */
export function countsText({ outcomes, comparison, newMisses }: SearchChecked): string {
  const { passed, missed, errors } = totalOutcomes(outcomes);
  const failed = errors === 0 ? '' : `, ${errors} could not be run`;
  const counts = `${passed} passed, ${missed} missed${failed}`;
  if (comparison === undefined) return counts;
  const { better, worse } = comparison;
  return `${counts}; ${better.length} better, ${worse.length} worse, ${countOf(newMisses.length, 'new miss', 'new misses')}`;
}

function verdictText(shown: Shown): string {
  const { verdict, hasFailed } = shown;
  if (verdict !== undefined) return `❌ ${escapeMarkdown(verdict.message, MAX_MESSAGE)}`;
  if (!isGood(shown)) return '⚠️ The check passes, but not all is as it was.';
  return hasFailed ? '✅ All is well again: the check passes.' : '✅ The check passes.';
}

interface Row {
  readonly outcome: QueryOutcome;
  readonly before: string;
}

/** What got worse, then what is new and missed; without an earlier run, what missed. */
function badRows({ outcomes, comparison, newMisses }: SearchChecked): Row[] {
  if (comparison === undefined) {
    return outcomes.filter(({ verdict }) => verdict === 'miss').map((outcome) => ({ outcome, before: '' }));
  }
  const worse = new Map(comparison.worse.map((change) => [queryIdentity(change), change]));
  const changed = outcomes.flatMap((outcome) => {
    const change = worse.get(queryIdentity(outcome));
    return change === undefined ? [] : [{ outcome, before: resultText(change.before) }];
  });
  return [...changed, ...newMisses.map((outcome) => ({ outcome, before: 'new' }))];
}

function badTable(shown: Shown): string {
  const rows = badRows(shown);
  if (rows.length === 0) return '';
  const columns: readonly (readonly [head: string, cell: (row: Row) => string])[] = [
    ['Query', ({ outcome }) => queryCell(outcome)],
    ...(shown.comparison === undefined ? [] : ([['Before', ({ before }: Row) => before]] as const)),
    ['Now', ({ outcome }) => resultText(outcome)],
    ...(shown.showsPages ? ([['Found instead', ({ outcome }: Row) => foundCell(outcome)]] as const) : []),
  ];
  const cells = rows.slice(0, MAX_ROWS).map((row) => columns.map(([, cell]) => cell(row)));
  return sections([
    table(
      columns.map(([head]) => head),
      cells,
    ),
    moreThan(rows.length),
  ]);
}

// As code: what a page is called by is not made a link where others may read it.
function foundCell({ paths }: QueryOutcome): string {
  if (paths.length === 0) return 'nothing';
  const first = paths.slice(0, MAX_FOUND).map((path, index) => `${index + 1}. ${codeSpan(path, MAX_PATH)}`);
  const rest = paths.length - first.length;
  return [...first, ...(rest > 0 ? [`and ${rest} more`] : [])].join('<br>');
}

function betterDetails(better: readonly Change[]): string {
  const rows = better
    .slice(0, MAX_ROWS)
    .map((change) => [queryCell(change), resultText(change.before), resultText(change.now)]);
  return sections([
    `<details><summary>Better (${better.length.toLocaleString('en-US')})</summary>`,
    table(['Query', 'Before', 'Now'], rows),
    moreThan(better.length),
    '</details>',
  ]);
}

function moreThan(count: number): string {
  return count > MAX_ROWS ? `And ${countOf(count - MAX_ROWS, 'more', 'more')}: see the summary of the run.` : '';
}
