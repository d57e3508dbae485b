import type { Check } from '../ci/port.ts';
import type { SearchResult } from '../platform/contract.ts';
import type { Presentation } from '../run/context.ts';
import {
  errorSection,
  heading,
  plannedSection,
  type Report,
  type RunFacts,
  sections,
} from '../run/report.ts';
import { countOf } from '../text/amounts.ts';
import { codeSpan, escapeMarkdown } from '../text/escape.ts';
import { factList, table } from '../text/markdown.ts';
import type { BaselineComparison, QueryChange } from './baseline.ts';
import { SearchGate } from './gate.ts';
import type { QueryOutcome, Totals } from './verdict.ts';
import {
  changesTable,
  comparisonText,
  firstRows,
  foundCell,
  MAX_QUERY,
  markSnippet,
  metadataCell,
  pathCell,
  queryCell,
  shortfallText,
} from './wording.ts';

export interface SearchFacts extends RunFacts {
  readonly domain: string;
  /** Path of the queries file below the workspace; undefined for a single query. */
  readonly queriesFile?: string | undefined;
  readonly passedCount: number;
  /** Missed, or could not be run. */
  readonly failedCount: number;
  /** Of all queries. */
  readonly resultCount: number;
  readonly requestCount: number;
  /** 1, and one more for each repetition while waiting for the index. */
  readonly roundCount: number;
  readonly totals: Totals;
  readonly comparison?: BaselineComparison | undefined;
  /** Of a single query only. */
  readonly results?: readonly SearchResult[] | undefined;
  readonly queries: readonly QueryOutcome[];
}

const MAX_MISSES = 50;
const MAX_ROWS = 200;
const PLACE = 'the file at `report-path`';

export const searchPresentation: Presentation<SearchFacts> = {
  outputs: () => ({}),
  checks: ({ queries = [], queriesFile: file, comparison }) => {
    const gate = new SearchGate({}, comparison);
    return queries.map((outcome) => ({
      group: 'search',
      name: outcome.query,
      file,
      line: outcome.line,
      outcome: checkOutcome(gate, outcome),
      message: checkOutcome(gate, outcome) === 'passed' ? undefined : gate.text(outcome),
    }));
  },
  summary(report) {
    return sections([
      heading(
        report.domain === undefined ? 'Search' : `Search of ${escapeMarkdown(report.domain, 128)}`,
        report.status,
      ),
      errorSection(report.error),
      plannedSection(report.planned),
      report.totals && totalsSection(report, report.totals),
      failuresSection(report.queries ?? []),
      comparisonSection(report.comparison),
      report.results && resultsSection(report.results, report.queries?.[0]?.query ?? ''),
      report.queriesFile === undefined ? '' : passesSection(report.queries ?? []),
    ]);
  },
};

function checkOutcome(gate: SearchGate, outcome: QueryOutcome): Check['outcome'] {
  if (outcome.verdict === 'error') return 'error';
  if (gate.fails(outcome)) return 'failed';
  return outcome.verdict === 'miss' ? 'warning' : 'passed';
}

function percent(share: number | undefined): string | undefined {
  return share === undefined ? undefined : `${(share * 100).toFixed(1)} %`;
}

function totalsSection({ requestCount, roundCount }: Report<SearchFacts>, totals: Totals): string {
  const repeats = (roundCount ?? 1) - 1;
  return factList([
    ['Queries', String(totals.queries)],
    ['Passed', String(totals.passed)],
    ['Missed', String(totals.missed)],
    ['Could not be run', totals.errors === 0 ? undefined : String(totals.errors)],
    ['Hit rate', percent(totals.hitRate)],
    ['Mean reciprocal rank', totals.meanReciprocalRank?.toFixed(3)],
    [
      'Requests',
      `${requestCount ?? 0}${repeats > 0 ? `, the missed queries repeated ${countOf(repeats, 'time')} while waiting for the index` : ''}`,
    ],
  ]);
}

function missedRow(outcome: QueryOutcome): string[] {
  const wrong = outcome.error
    ? `${codeSpan(outcome.error.code)} ${escapeMarkdown(outcome.error.message, 300)}`
    : outcome.shortfalls
        .slice(0, 10)
        .map((shortfall) => escapeMarkdown(shortfallText(shortfall), 300))
        .join('<br>');
  return [
    String(outcome.line ?? ''),
    queryCell(outcome),
    wrong,
    outcome.error ? '' : foundCell(outcome, pathCell),
  ];
}

/** Misses first, then what could not be run; each with what was found instead. */
function failuresSection(outcomes: readonly QueryOutcome[]): string {
  const head = ['Line', 'Query', 'What is wrong', 'Found instead'];
  const part = (title: string, meant: QueryOutcome['verdict']) => {
    const items = outcomes.filter(({ verdict }) => verdict === meant);
    if (items.length === 0) return '';
    return sections([
      `### ${title}`,
      firstRows({ head, items, row: missedRow, most: MAX_MISSES, place: PLACE }),
    ]);
  };
  return sections([part('Missed', 'miss'), part('Could not be run', 'error')]);
}

function comparisonSection(comparison: BaselineComparison | undefined): string {
  if (comparison === undefined) return '';
  const part = (title: string, changes: readonly QueryChange[]) =>
    changes.length === 0
      ? ''
      : sections([`**${title}**`, changesTable(changes, { most: MAX_MISSES, place: PLACE })]);
  return sections([
    '### Compared with the earlier run',
    `${comparisonText(comparison)}.`,
    part('Worse', comparison.worse),
    part('Better', comparison.better),
  ]);
}

function resultsSection(results: readonly SearchResult[], query: string): string {
  const title = `### Results for ${escapeMarkdown(query, MAX_QUERY)}`;
  if (results.length === 0) return sections([title, 'Nothing was found.']);
  const rows = results
    .slice(0, MAX_ROWS)
    .map(({ path, content = '', metadata }, index) => [
      String(index + 1),
      pathCell(path),
      markSnippet(content, query),
      metadataCell(metadata),
    ]);
  return sections([title, table(['Rank', 'Page', 'Snippet', 'Metadata'], rows)]);
}

function passesSection(outcomes: readonly QueryOutcome[]): string {
  const items = outcomes.filter(({ verdict }) => verdict === 'pass');
  if (items.length === 0) return '';
  const head = ['Query', 'Rank of the expected page', 'First result', 'Results'];
  const row = (outcome: QueryOutcome) => {
    const [first] = outcome.paths;
    const page = first === undefined ? '' : pathCell(first);
    return [queryCell(outcome), outcome.rank?.toString() ?? '', page, String(outcome.resultCount)];
  };
  return sections([
    `<details><summary>${countOf(items.length, 'query', 'queries')} passed</summary>`,
    firstRows({ head, items, row, most: MAX_ROWS, place: PLACE }),
    '</details>',
  ]);
}
