import { readConfinedFile, shownPath } from '../ground/confined-files.ts';
import { configError } from '../ground/errors.ts';
import type { Log } from '../ground/log.ts';
import { countOf } from '../ground/text/amounts.ts';
import { shownName } from '../ground/text/credentials.ts';
import { plainLine } from '../ground/text/escape.ts';
import type { SearchInputs } from '../inputs/inputs.ts';
import type { Deps } from '../run/context.ts';
import { defineMode } from '../run/finish.ts';
import { compareRuns, newMissesOf, readBaseline } from './baseline.ts';
import { SearchGate } from './gate.ts';
import { createRequest, DEFAULT_PAGE_SIZE, type Query } from './queries.ts';
import { invalidQueriesFile, MAX_FILE_BYTES, readQueriesFile } from './queries-file.ts';
import { runQueries, type Searched, type SearchRun } from './runner.ts';
import { type SearchFacts, searchPresentation } from './summary.ts';
import { type QueryOutcome, totalOutcomes } from './verdict.ts';
import { comparisonText } from './wording.ts';

type SearchDeps = Deps<SearchFacts>;

// A step shows ten annotations; the last is for the error that ends the run.
const MAX_ANNOTATIONS = 9;
const MAX_SNIPPET = 160;
const VERDICTS = { pass: 'passed', miss: 'missed', error: 'could not be run' } as const;

// A query that passes is annotated only if it got worse.
const TITLES = { pass: 'Search got worse', miss: 'Search miss', error: 'Search error' } as const;

/**
 * Searches published documentation: one query, or a file of queries with expectations. Throws the
 * error that `SearchGate.failure` gives. The platform is never changed, so `dry-run` only keeps the
 * comment from being written.
 */
export async function runSearch(inputs: SearchInputs, deps: SearchDeps): Promise<SearchFacts> {
  const { workspace } = deps.run;
  // A folder that is searched is shown instead of the domain.
  const folder = inputs.searchSite && shownPath(inputs.searchSite, workspace);
  const about = {
    domain: folder ?? inputs.domain,
    queriesFile: inputs.queriesFile && shownPath(inputs.queriesFile, workspace),
  };
  // Known at once, so that the summary of a run that fails below names what was to be searched.
  deps.record({ domain: about.domain });
  const queries = await readQueries(inputs, deps);
  const earlier = await readBaseline(inputs.baselineFile, deps.run, deps.log);
  const isSingleQuery = inputs.query !== undefined;
  const toFacts = (run: SearchRun): SearchFacts => {
    const comparison = earlier && compareRuns(earlier, run.outcomes);
    // A file of queries shows its results by query, also if it has only one.
    const results = isSingleQuery ? run.results : undefined;
    return { ...about, ...factsOf(run), comparison, results, queries: run.outcomes };
  };
  const searched = await openSearched(inputs, deps);
  // A run that is cancelled while it waits for the index keeps the outcomes that it has.
  const onRound = (state: SearchRun) => deps.record(toFacts(state));
  const run = await runQueries({
    clock: deps.clock,
    log: deps.log,
    signal: deps.signal,
    platform: searched,
    domain: inputs.domain,
    queries,
    waitForIndexMs: inputs.waitForIndexMs,
    onRound,
  });
  const { outcomes } = run;
  if (isSingleQuery) logResults(deps.log, run);
  else logOutcomes(deps.log, outcomes);
  const facts = toFacts(run);
  const { domain, comparison } = facts;
  if (comparison) deps.log.info(`Compared with the earlier run: ${comparisonText(comparison)}.`);
  const gate = new SearchGate(comparison);
  annotate(facts, gate, deps.log);
  const failure = gate.failure(outcomes, { isFolder: inputs.searchSite !== undefined });
  // Before the failure is thrown: the comment shows it.
  if (inputs.comment !== undefined) {
    const { commentOnSearch } = await import('./comment.ts');
    // Without an earlier run, no query is newer than another.
    const newMisses = earlier ? newMissesOf(earlier, outcomes) : [];
    const checked = { domain, outcomes, comparison, newMisses, failure };
    const planned = await commentOnSearch(inputs, inputs.comment, checked, deps);
    if (inputs.dryRun) deps.record({ planned });
  }
  if (failure !== undefined) throw failure;
  return facts;
}

/** The platform, or the search that was added to a folder. */
export async function openSearched(
  inputs: SearchInputs,
  deps: Pick<SearchDeps, 'platform' | 'run'>,
): Promise<Searched> {
  if (inputs.searchSite === undefined) return deps.platform;
  const { AddedIndex } = await import('./added-index.ts');
  const place = { folder: inputs.searchSite, workspace: deps.run.workspace };
  const index = await AddedIndex.open(place);
  // A folder has one site: the domain is not needed.
  return { search: async (_, request) => ({ value: await index.search(request) }) };
}

/** The queries of the file, or the one query of the inputs. Throws `config`. */
export async function readQueries(
  inputs: SearchInputs,
  deps: Pick<SearchDeps, 'log' | 'run'>,
): Promise<readonly Query[]> {
  const path = inputs.queriesFile;
  if (path === undefined) return [singleQuery(inputs)];
  const { workspace } = deps.run;
  const text = await readConfinedFile({
    path,
    input: 'queries-file',
    folders: [{ name: 'workspace', path: workspace }],
    maxBytes: MAX_FILE_BYTES,
  });
  const file = shownPath(path, workspace);
  if (text === undefined) {
    throw configError(
      `queries-file: ${shownName(file)} does not exist.`,
      'Check the path. In a workflow, an earlier step must check out the repository.',
    );
  }
  const { queries, findings } = await readQueriesFile(text, inputs);
  if (findings.length === 0) return queries;
  for (const finding of findings.slice(0, MAX_ANNOTATIONS))
    deps.log.error(finding.problem, { file, line: finding.line, title: 'Queries file' });
  throw invalidQueriesFile(file, findings);
}

/** The query of the input `query`. It expects no page, only a number of results. */
function singleQuery(inputs: SearchInputs): Query {
  const minResults = inputs.minResults ?? 1;
  if (minResults > DEFAULT_PAGE_SIZE) {
    throw configError(
      `min-results: ${minResults} can never be met: a query asks for ${DEFAULT_PAGE_SIZE} results.`,
      'Lower min-results, or write the query into a queries-file with a higher page-size (at most 50).',
    );
  }
  // Without a queries file there is a query: the inputs are checked for that.
  const request = createRequest({ query: inputs.query ?? '', filter: inputs.filter });
  const expectation = { paths: [], within: undefined, absent: [], minResults, snippets: [] };
  return { request, expectation, line: undefined };
}

// Scalars first: a report that is cut keeps its first facts.
function factsOf(run: SearchRun) {
  const totals = totalOutcomes(run.outcomes);
  let resultCount = 0;
  for (const outcome of run.outcomes) resultCount += outcome.resultCount;
  return {
    status: 'completed',
    passedCount: totals.passed,
    failedCount: totals.missed + totals.errors,
    resultCount,
    requestCount: run.requestCount,
    roundCount: run.roundCount,
    totals,
  } as const;
}

/** Logs the results of a single query: a table on a terminal, elsewhere a line for each page. */
function logResults(log: Log, run: SearchRun): void {
  const outcome = run.outcomes[0];
  // The error of the run says why there are no results.
  if (outcome === undefined || outcome.error !== undefined) return;
  log.info(`${countOf(outcome.paths.length, 'result')}.`);
  const rows = outcome.paths.map((path, index) => {
    // The results of a single query are kept, in the order of the paths.
    const content = run.results?.[index]?.content ?? '';
    return [`${index + 1}.`, path, plainLine(content, MAX_SNIPPET)];
  });
  log.table(['', 'Page', 'Text'], rows, (row) => `${row[0]} ${row[1]}`);
}

/** Logs the outcomes of a file of queries. */
function logOutcomes(log: Log, outcomes: readonly QueryOutcome[]): void {
  const rows = outcomes.map((outcome) => {
    const rank = outcome.rank === undefined ? '' : `, rank ${outcome.rank}`;
    const verdict = `${VERDICTS[outcome.verdict]}${rank}`;
    return [String(outcome.line ?? ''), outcome.query, verdict, outcome.paths[0] ?? ''];
  });
  // Outside of a terminal a row has no line: there, what did not pass is in the annotations, and
  // all of it in the summary.
  const lineOf = () => undefined;
  log.table(['Line', 'Query', 'Outcome', 'First result'], rows, lineOf);
  const { passed, missed, errors } = totalOutcomes(outcomes);
  log.info(
    `${countOf(outcomes.length, 'query', 'queries')}: ${passed} passed, ${missed} missed, ${errors} could not be run.`,
  );
}

/**
 * Annotates each query that got worse, missed or could not be run, on its line. Queries beyond the
 * runner's limit are lines of the log.
 */
function annotate(facts: SearchFacts, gate: SearchGate, log: Log): void {
  // undefined for a single query, which is in no file.
  const file = facts.queriesFile;
  for (const [index, outcome] of toAnnotate(facts, gate).entries()) {
    const message = gate.text(outcome);
    const place = { file, line: outcome.line, title: TITLES[outcome.verdict] };
    if (index >= MAX_ANNOTATIONS)
      log.info(file === undefined ? message : `${message} (${file}:${outcome.line})`);
    else if (gate.failsRun(outcome)) log.error(message, place);
    else log.warning(message, place);
  }
}

/**
 * What the author of the queries has to look at, the most urgent first, since only some are
 * annotated: results that fail the run, then what could not be run, then all other misses.
 */
function toAnnotate(facts: SearchFacts, gate: SearchGate): QueryOutcome[] {
  const failing: QueryOutcome[] = [];
  const notRun: QueryOutcome[] = [];
  const missed: QueryOutcome[] = [];
  for (const outcome of facts.queries) {
    if (outcome.verdict === 'error') notRun.push(outcome);
    // It got worse than in the earlier run, even if it still passes; without one, it missed.
    else if (gate.failsRun(outcome)) failing.push(outcome);
    // A miss that did not get worse: the earlier run missed too, or cannot be compared.
    else if (outcome.verdict === 'miss') missed.push(outcome);
  }
  // If a single query could not be run, the error of the run itself says why.
  if (facts.queriesFile === undefined) return [...failing, ...missed];
  return [...failing, ...notRun, ...missed];
}

export const searchMode = defineMode({ run: runSearch, ...searchPresentation });
