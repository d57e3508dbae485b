import { CourierError } from '../../errors.ts';
import type { SearchInputs } from '../../inputs/inputs.ts';
import { type Comparison, compareRuns, MAX_BASELINE_BYTES, parseBaseline } from '../../search/baseline.ts';
import { readConfinedFile, shownPath } from '../../search/files.ts';
import { createRequest, DEFAULT_PAGE_SIZE, type Query } from '../../search/queries.ts';
import { invalidQueriesFile, MAX_FILE_BYTES, readQueriesFile } from '../../search/queries-file.ts';
import { runQueries, type SearchRun } from '../../search/runner.ts';
import { type QueryOutcome, totalOutcomes } from '../../search/verdict.ts';
import { plainLine } from '../../text/escape.ts';
import { countOf, formatDuration } from '../../text/markdown.ts';
import type { Deps } from '../deps.ts';
import type { SearchFacts } from './summary.ts';
import { outcomeText } from './wording.ts';

type SearchDeps = Deps<SearchFacts>;

// A step shows ten annotations; the last is for the error that ends the run.
const MAX_ANNOTATIONS = 9;
const MAX_SNIPPET = 160;
const VERDICTS = { pass: 'passed', miss: 'missed', error: 'could not be run' } as const;

/**
 * Searches published documentation: one query, or a file of queries with expectations. Throws `checks-failed` when queries
 * missed and all could be run; when some could not, the code of the first that could not, whatever the others gave: a miss
 * blames the documentation, and such a run cannot know. Search only reads, so dry-run changes nothing.
 */
export async function runSearch(inputs: SearchInputs, deps: SearchDeps): Promise<SearchFacts> {
  deps.record({ domain: inputs.domain });
  const queries = await readQueries(inputs, deps);
  const earlier = await readBaseline(inputs, deps);
  warnOfEmptyExpectations(queries, inputs, deps);
  const toFacts = (run: SearchRun) => createFacts({ inputs, deps, run, earlier });
  const run = await runQueries({
    ...deps,
    ...inputs,
    queries,
    onWait: ({ missed, waitMs }) =>
      deps.log.info(`${countOf(missed, 'query', 'queries')} missed; asking again in ${formatDuration(waitMs)}.`),
    onRound: (state) => deps.record(toFacts(state)),
  });
  logResults(inputs, deps, run);
  if (run.outOfRequests) {
    deps.log.warning(`Waiting for the index ended early: max-requests (${inputs.maxRequests}) is used up.`);
  }
  annotate({ inputs, deps, outcomes: run.outcomes });
  requirePass(run.outcomes);
  return toFacts(run);
}

async function readQueries(inputs: SearchInputs, { github, log }: SearchDeps): Promise<readonly Query[]> {
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
      message: `queries-file: ${name} does not exist.`,
      hint: 'Check the path, and that actions/checkout runs before this step.',
    });
  }
  const { queries, findings } = await readQueriesFile({ text, defaults: inputs });
  if (findings.length === 0) return queries;
  for (const { line, problem } of findings.slice(0, MAX_ANNOTATIONS)) {
    log.error(problem, { file: name, line, title: 'Queries file' });
  }
  throw invalidQueriesFile(name, findings);
}

function singleQuery({ query = '', minResults, ...options }: SearchInputs): Query {
  const pageSize = options.pageSize ?? DEFAULT_PAGE_SIZE;
  if (minResults > pageSize) {
    throw new CourierError({
      code: 'config',
      message: `min-results: ${minResults} can never be met, since only ${pageSize} results are asked for.`,
      hint: 'Raise page-size (at most 50) or lower min-results.',
    });
  }
  const expectation = { paths: [], within: undefined, absent: [], minResults, snippets: [] };
  return { request: createRequest({ ...options, query }), expectation, line: undefined };
}

type Earlier = ReturnType<typeof parseBaseline>;

async function readBaseline(inputs: SearchInputs, { github, log }: SearchDeps): Promise<Earlier | undefined> {
  if (inputs.baselineFile === undefined) return undefined;
  const { workspace, runnerTemp } = github.run;
  const text = await readConfinedFile({
    path: inputs.baselineFile,
    input: 'baseline-file',
    folders: [
      { name: 'workspace', path: workspace },
      { name: 'RUNNER_TEMP', path: runnerTemp },
    ],
    maxBytes: MAX_BASELINE_BYTES,
  });
  const name = shownPath(inputs.baselineFile, workspace);
  if (text !== undefined) return parseBaseline(text, name);
  // The first run of a workflow has no earlier one.
  log.warning(`baseline-file: ${name} does not exist, so nothing is compared.`);
  return undefined;
}

/** A query that can never miss looks like a check and is none. */
function warnOfEmptyExpectations(queries: readonly Query[], inputs: SearchInputs, { log, github }: SearchDeps): void {
  if (inputs.queriesFile === undefined) return;
  const empty = queries.filter(
    ({ expectation: { paths, absent, snippets, minResults } }) =>
      paths.length + absent.length + snippets.length + minResults === 0,
  );
  const first = empty[0];
  if (first === undefined) return;
  const lines = empty
    .slice(0, 10)
    .map(({ line }) => line)
    .join(', ');
  log.warning(
    `${countOf(empty.length, 'query expects', 'queries expect')} nothing and cannot miss (line ${lines}${empty.length > 10 ? ', …' : ''}). Add expect, or set min-results.`,
    { file: shownPath(inputs.queriesFile, github.run.workspace), line: first.line, title: 'Nothing expected' },
  );
}

interface FactsInit {
  readonly inputs: SearchInputs;
  readonly deps: SearchDeps;
  readonly run: SearchRun;
  readonly earlier: Earlier | undefined;
}

function createFacts({ inputs, deps, run, earlier }: FactsInit): SearchFacts {
  const comparison: Comparison | undefined = earlier && compareRuns(earlier, run.outcomes);
  return {
    status: 'completed',
    domain: inputs.domain,
    queriesFile: inputs.queriesFile && shownPath(inputs.queriesFile, deps.github.run.workspace),
    queries: run.outcomes,
    totals: totalOutcomes(run.outcomes),
    results: inputs.query === undefined ? undefined : run.results,
    requestCount: run.requestCount,
    roundCount: run.roundCount,
    comparison,
  };
}

function logResults(inputs: SearchInputs, { log }: SearchDeps, { outcomes, results }: SearchRun): void {
  if (inputs.query !== undefined) {
    if (outcomes[0]?.error !== undefined) return;
    log.info(`${countOf(outcomes[0]?.resultCount ?? 0, 'result')}.`);
    const rows = (outcomes[0]?.paths ?? []).map((path, index) => [
      `${index + 1}.`,
      path,
      plainLine(results?.[index]?.content ?? '', MAX_SNIPPET),
    ]);
    log.table(['', 'Page', 'Text'], rows, ([rank, path]) => `${rank} ${path}`);
    return;
  }
  const rows = outcomes.map(({ line, query, verdict, rank, paths }) => [
    String(line ?? ''),
    query,
    `${VERDICTS[verdict]}${rank === undefined ? '' : `, rank ${rank}`}`,
    paths[0] ?? '',
  ]);
  // Elsewhere, what did not pass is in the annotations, and all of it in the summary.
  log.table(['Line', 'Query', 'Outcome', 'First result'], rows, () => undefined);
  const { passed, missed, errors } = totalOutcomes(outcomes);
  log.info(
    `${countOf(outcomes.length, 'query', 'queries')}: ${passed} passed, ${missed} missed, ${errors} could not be run.`,
  );
}

interface Annotations {
  readonly inputs: SearchInputs;
  readonly deps: SearchDeps;
  readonly outcomes: readonly QueryOutcome[];
}

/** Each query that did not pass, on its line; those beyond the runner's limit are lines of the log. */
function annotate({ inputs, deps, outcomes }: Annotations): void {
  const file = inputs.queriesFile && shownPath(inputs.queriesFile, deps.github.run.workspace);
  // What kept a single query from being run is the error of the run itself.
  const failed = outcomes.filter(({ verdict, error }) => verdict !== 'pass' && (file !== undefined || !error));
  const ordered = [...failed.filter(isMiss), ...failed.filter((outcome) => !isMiss(outcome))];
  ordered.forEach((outcome, index) => {
    const message = `${outcomeText(outcome)}${file === undefined || index < MAX_ANNOTATIONS ? '' : ` (${file}:${outcome.line})`}`;
    const title = isMiss(outcome) ? 'Search miss' : 'Search error';
    if (index < MAX_ANNOTATIONS) deps.log.error(message, { file, line: outcome.line, title });
    else deps.log.info(message);
  });
}

function isMiss({ verdict }: QueryOutcome): boolean {
  return verdict === 'miss';
}

function requirePass(outcomes: readonly QueryOutcome[]): void {
  const { missed, errors, queries } = totalOutcomes(outcomes);
  const error = outcomes.find((outcome) => outcome.error !== undefined)?.error;
  if (error !== undefined) {
    throw new CourierError({
      ...error,
      message:
        queries === 1
          ? `The query could not be run. ${error.message}`
          : `${errors} of ${queries} queries could not be run, ${missed} missed. The first error: ${error.message}`,
    });
  }
  if (missed === 0) return;
  throw new CourierError({
    code: 'checks-failed',
    message: `${missed} of ${countOf(queries, 'query', 'queries')} missed.`,
    hint: 'The summary shows what was found instead. Right after a publish, give the index time with wait-for-index.',
  });
}
