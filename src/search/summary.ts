import type { Check } from '../ci/port.ts';
import { countOf } from '../ground/text/amounts.ts';
import { codeSpan, escapeMarkdown } from '../ground/text/escape.ts';
import { factList, table } from '../ground/text/markdown.ts';
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
  queryName,
  shortfallText,
} from './wording.ts';

export interface SearchFacts extends RunFacts {
  readonly domain: string;
  /** Path of the queries file below the workspace; undefined for a single query. */
  readonly queriesFile?: string | undefined;
  readonly passedCount: number;
  /** Missed, or could not be run. */
  readonly failedCount: number;
  /** The results of all queries together. */
  readonly resultCount: number;
  readonly requestCount: number;
  /** 1, and one more for each repetition while waiting for the index. */
  readonly roundCount: number;
  readonly totals: Totals;
  readonly comparison?: BaselineComparison | undefined;
  /** The results of a single query; not kept for a file of queries. */
  readonly results?: readonly SearchResult[] | undefined;
  readonly queries: readonly QueryOutcome[];
}

const MAX_MISSES = 50;
const MAX_ROWS = 200;
const MAX_SHORTFALLS = 10;
/** Where a table that is cut can be read as a whole. */
const PLACE = 'the file at `report-path`';

export const searchPresentation: Presentation<SearchFacts> = {
  checks(facts) {
    const gate = new SearchGate(facts.comparison);
    return (facts.queries ?? []).map((query) => {
      const outcome = checkOutcome(gate, query);
      return {
        group: 'search',
        name: queryName(query),
        file: facts.queriesFile,
        line: query.line,
        outcome,
        message: outcome === 'passed' ? undefined : gate.text(query),
      };
    });
  },
  // A run that failed early has only some of the facts.
  summary(report) {
    const queries = report.queries ?? [];
    const site = report.domain && ` of ${escapeMarkdown(report.domain, 128)}`;
    return sections([
      heading(`Search${site ?? ''}`, report.status),
      errorSection(report.error),
      plannedSection(report.planned),
      report.totals && totalsSection(report, report.totals),
      failuresSection('Missed', queries, 'miss'),
      failuresSection('Could not be run', queries, 'error'),
      comparisonSection(report.comparison),
      // Of a single query the results themselves are shown, of a file each query that passed.
      report.results && resultsSection(report.results, queries[0]?.query ?? ''),
      report.queriesFile && passesSection(queries),
    ]);
  },
};

/** A miss that does not fail the run is a warning in the report of the checks. */
function checkOutcome(gate: SearchGate, outcome: QueryOutcome): Check['outcome'] {
  if (outcome.verdict === 'error') return 'error';
  if (gate.failsRun(outcome)) return 'failed';
  if (outcome.verdict === 'miss') return 'warning';
  return 'passed';
}

/** The numbers of a run. With `totals`, the counts are known too. */
function totalsSection(report: Report<SearchFacts>, totals: Totals): string {
  const { requestCount = 0, roundCount = 1 } = report;
  let requests = String(requestCount);
  const repeats = roundCount - 1;
  if (repeats > 0)
    requests += `, the missed queries repeated ${countOf(repeats, 'time')} while waiting for the index`;
  const hitRate = totals.hitRate;
  return factList([
    ['Queries', String(totals.queries)],
    ['Passed', String(totals.passed)],
    ['Missed', String(totals.missed)],
    ['Could not be run', totals.errors === 0 ? undefined : String(totals.errors)],
    ['Hit rate', hitRate === undefined ? undefined : `${(hitRate * 100).toFixed(1)} %`],
    ['Mean reciprocal rank', totals.meanReciprocalRank?.toFixed(3)],
    ['Requests', requests],
  ]);
}

/** A row of `failuresSection`. A query that could not be run has no results to show. */
function failureRow(outcome: QueryOutcome): string[] {
  const { line, error, shortfalls } = outcome;
  const row = [String(line ?? ''), queryCell(outcome)];
  if (error) return [...row, `${codeSpan(error.code)} ${escapeMarkdown(error.message, 300)}`, ''];
  const wrong = shortfalls
    .slice(0, MAX_SHORTFALLS)
    .map((one) => escapeMarkdown(shortfallText(one), 300));
  return [...row, wrong.join('<br>'), foundCell(outcome, pathCell)];
}

/** The queries with this verdict, each with what was found instead. */
function failuresSection(
  title: string,
  outcomes: readonly QueryOutcome[],
  verdict: QueryOutcome['verdict'],
): string {
  const failures = outcomes.filter((outcome) => outcome.verdict === verdict);
  if (failures.length === 0) return '';
  const head = ['Line', 'Query', 'What is wrong', 'Found instead'];
  return sections([`### ${title}`, firstRows(head, failures, failureRow, MAX_MISSES, PLACE)]);
}

function comparisonSection(comparison: BaselineComparison | undefined): string {
  if (comparison === undefined) return '';
  return sections([
    '### Compared with the earlier run',
    `${comparisonText(comparison)}.`,
    changesSection('Worse', comparison.worse),
    changesSection('Better', comparison.better),
  ]);
}

function changesSection(title: string, changes: readonly QueryChange[]): string {
  if (changes.length === 0) return '';
  return sections([`**${title}**`, changesTable(changes, MAX_MISSES, PLACE)]);
}

function resultsSection(results: readonly SearchResult[], query: string): string {
  const title = `### Results for ${escapeMarkdown(query, MAX_QUERY)}`;
  if (results.length === 0) return sections([title, 'Nothing was found.']);
  const rows = results
    .slice(0, MAX_ROWS)
    .map((result, index) => [
      String(index + 1),
      pathCell(result.path),
      markSnippet(result.content ?? '', query),
      metadataCell(result.metadata),
    ]);
  return sections([title, table(['Rank', 'Page', 'Snippet', 'Metadata'], rows)]);
}

function passesSection(outcomes: readonly QueryOutcome[]): string {
  const passes = outcomes.filter((outcome) => outcome.verdict === 'pass');
  if (passes.length === 0) return '';
  const head = ['Query', 'Rank of the expected page', 'First result', 'Results'];
  return sections([
    `<details><summary>${countOf(passes.length, 'query', 'queries')} passed</summary>`,
    firstRows(head, passes, passedRow, MAX_ROWS, PLACE),
    '</details>',
  ]);
}

function passedRow(outcome: QueryOutcome): string[] {
  const rank = outcome.rank?.toString() ?? '';
  return [queryCell(outcome), rank, pathCell(outcome.paths[0] ?? ''), String(outcome.resultCount)];
}
