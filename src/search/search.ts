import { readConfinedFile, shownPath } from '../confined-files.ts';
import { CourierError } from '../errors.ts';
import type { SearchInputs } from '../inputs/inputs.ts';
import type { Deps } from '../run/context.ts';
import { defineMode } from '../run/finish.ts';
import { countOf } from '../text/amounts.ts';
import { shownName } from '../text/credentials.ts';
import { plainLine } from '../text/escape.ts';
import { compareRuns, newMissesOf, readBaseline } from './baseline.ts';
import { SearchGate } from './gate.ts';
import { createRequest, DEFAULT_PAGE_SIZE, type Query } from './queries.ts';
import { invalidQueriesFile, MAX_FILE_BYTES, readQueriesFile } from './queries-file.ts';
import { runQueries, type Searched, type SearchRun } from './runner.ts';
import { type SearchFacts, searchPresentation } from './summary.ts';
import { totalOutcomes } from './verdict.ts';
import { comparisonText } from './wording.ts';

type SearchDeps = Deps<SearchFacts>;

// A step shows ten annotations; the last is for the error that ends the run.
const MAX_ANNOTATIONS = 9;
const MAX_SNIPPET = 160;
const VERDICTS = { pass: 'passed', miss: 'missed', error: 'could not be run' } as const;

const TITLES = { pass: 'Search got worse', miss: 'Search miss', error: 'Search error' } as const;

/**
 * Searches published documentation: one query, or a file of queries with expectations. Throws what
 * `Gate.verdict` gives. Nothing is changed on the platform, so dry-run makes no difference there:
 * it keeps the comment alone from being written.
 */
export async function runSearch(inputs: SearchInputs, deps: SearchDeps): Promise<SearchFacts> {
  deps.record({ domain: nameOf(inputs, deps) });
  const queries = await readQueries(inputs, deps);
  const earlier = await readBaseline(inputs, deps);
  const toFacts = (run: SearchRun) =>
    createFacts(run, { inputs, deps, comparison: earlier && compareRuns(earlier, run.outcomes) });
  const platform = await openSearched(inputs, deps);
  const onRound = (state: SearchRun) => deps.record(toFacts(state));
  const run = await runQueries({ ...deps, ...inputs, platform, queries, onRound });
  const { outcomes } = run;
  logResults(inputs, deps, run);
  const facts = toFacts(run);
  const { domain, comparison } = facts;
  if (comparison) deps.log.info(`Compared with the earlier run: ${comparisonText(comparison)}.`);
  const gate = new SearchGate(inputs, comparison);
  annotate(facts, gate, deps.log);
  const verdict = gate.verdict(outcomes);
  if (inputs.comment !== undefined) {
    const { commentOnSearch } = await import('./comment.ts');
    const newMisses = earlier === undefined ? [] : newMissesOf(earlier, outcomes);
    const checked = { domain, outcomes, comparison, newMisses, verdict };
    const planned = await commentOnSearch(inputs, inputs.comment, checked, deps);
    if (inputs.dryRun) deps.record({ planned });
  }
  if (verdict !== undefined) throw verdict;
  return facts;
}

/** The platform, or the search that was added to a folder. */
async function openSearched(
  { searchSite }: SearchInputs,
  { run, platform }: SearchDeps,
): Promise<Searched> {
  if (searchSite === undefined) return platform;
  const { AddedIndex } = await import('./added-index.ts');
  const index = await AddedIndex.open({ folder: searchSite, workspace: run.workspace });
  return { search: async (_, request) => ({ value: await index.search(request) }) };
}

/** The site as reports and comments name it. */
function nameOf({ searchSite, domain }: SearchInputs, { run }: SearchDeps): string {
  return searchSite === undefined ? domain : shownPath(searchSite, run.workspace);
}

async function readQueries(
  inputs: SearchInputs,
  { github, log }: SearchDeps,
): Promise<readonly Query[]> {
  if (inputs.queriesFile === undefined) return [singleQuery(inputs)];
  const { workspace } = github.run;
  const file = {
    path: inputs.queriesFile,
    input: 'queries-file',
    folders: [{ name: 'workspace', path: workspace }],
    maxBytes: MAX_FILE_BYTES,
  };
  const text = await readConfinedFile(file);
  const name = shownPath(inputs.queriesFile, workspace);
  if (text === undefined) {
    throw new CourierError({
      code: 'config',
      message: `queries-file: ${shownName(name)} does not exist.`,
      hint: 'Check the path, and that an earlier step checks out the repository.',
    });
  }
  const { queries, findings } = await readQueriesFile({ text, defaults: inputs });
  if (findings.length === 0) return queries;
  for (const { line, problem } of findings.slice(0, MAX_ANNOTATIONS)) {
    log.error(problem, { file: name, line, title: 'Queries file' });
  }
  throw invalidQueriesFile(name, findings);
}

function singleQuery({ query = '', minResults = 1, filter }: SearchInputs): Query {
  if (minResults > DEFAULT_PAGE_SIZE) {
    throw new CourierError({
      code: 'config',
      message: `min-results: ${minResults} can never be met: a query asks for ${DEFAULT_PAGE_SIZE} results.`,
      hint: 'Lower min-results, or write the query into a queries-file with a higher page-size (at most 50).',
    });
  }
  const expectation = { paths: [], within: undefined, absent: [], minResults, snippets: [] };
  return { request: createRequest({ query, filter }), expectation, line: undefined };
}

interface Around {
  readonly inputs: SearchInputs;
  readonly deps: SearchDeps;
  readonly comparison: SearchFacts['comparison'];
}

// Scalars first: a report that is cut keeps them.
function createFacts(run: SearchRun, { inputs, deps, comparison }: Around): SearchFacts {
  const { outcomes, requestCount, roundCount, results } = run;
  const totals = totalOutcomes(outcomes);
  return {
    status: 'completed',
    domain: nameOf(inputs, deps),
    queriesFile: inputs.queriesFile && shownPath(inputs.queriesFile, deps.github.run.workspace),
    passedCount: totals.passed,
    failedCount: totals.missed + totals.errors,
    resultCount: outcomes.reduce((sum, { resultCount }) => sum + resultCount, 0),
    requestCount,
    roundCount,
    totals,
    comparison,
    results: inputs.query === undefined ? undefined : results,
    queries: outcomes,
  };
}

function logResults(
  inputs: SearchInputs,
  { log }: SearchDeps,
  { outcomes, results }: SearchRun,
): void {
  if (inputs.query !== undefined) {
    const { error, paths = [] } = outcomes[0] ?? {};
    if (error !== undefined) return;
    log.info(`${countOf(paths.length, 'result')}.`);
    const contents = results?.map(({ content = '' }) => plainLine(content, MAX_SNIPPET)) ?? [];
    const rows = paths.map((path, at) => [`${at + 1}.`, path, contents[at] ?? '']);
    log.table(['', 'Page', 'Text'], rows, ([rank, path]) => `${rank} ${path}`);
    return;
  }
  const rows = outcomes.map((outcome) => [
    String(outcome.line ?? ''),
    outcome.query,
    `${VERDICTS[outcome.verdict]}${outcome.rank === undefined ? '' : `, rank ${outcome.rank}`}`,
    outcome.paths[0] ?? '',
  ]);
  // Elsewhere, what did not pass is in the annotations, and all of it in the summary.
  log.table(['Line', 'Query', 'Outcome', 'First result'], rows, () => undefined);
  const { passed, missed, errors } = totalOutcomes(outcomes);
  log.info(
    `${countOf(outcomes.length, 'query', 'queries')}: ${passed} passed, ${missed} missed, ${errors} could not be run.`,
  );
}

/**
 * Each query that is not as it should be, on its line; those beyond the runner's limit are lines of
 * the log.
 */
function annotate(
  { queriesFile: file, queries }: SearchFacts,
  gate: SearchGate,
  log: SearchDeps['log'],
): void {
  // What kept a single query from being run is the error of the run itself.
  const shown = queries.filter((one) =>
    one.error ? file !== undefined : one.verdict === 'miss' || gate.fails(one),
  );
  const ordered = [
    ...shown.filter((outcome) => outcome.verdict !== 'error' && gate.fails(outcome)),
    ...shown.filter(({ verdict }) => verdict === 'error'),
    ...shown.filter((outcome) => !gate.fails(outcome)),
  ];
  ordered.forEach((outcome, index) => {
    const isAnnotation = index < MAX_ANNOTATIONS;
    const message = `${gate.text(outcome)}${file === undefined || isAnnotation ? '' : ` (${file}:${outcome.line})`}`;
    const place = { file, line: outcome.line, title: TITLES[outcome.verdict] };
    if (!isAnnotation) log.info(message);
    else if (gate.fails(outcome)) log.error(message, place);
    else log.warning(message, place);
  });
}

export const searchMode = defineMode({ run: runSearch, ...searchPresentation });
