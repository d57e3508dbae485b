import * as z from 'zod/mini';
import type { CiRun } from '../ci/port.ts';
import { readConfinedFile, shownPath } from '../ground/confined-files.ts';
import { configError } from '../ground/errors.ts';
import type { Log } from '../ground/log.ts';
import { parseJson } from '../ground/text/json.ts';
import { queryIdentity } from './queries.ts';
import type { AskedQuery, QueryOutcome, RankedVerdict } from './verdict.ts';

// Of 5,000 queries with 50 results each, a report has about 25 MiB.
const MAX_BASELINE_BYTES = 64 * 1024 * 1024;

const earlierOutcome = z.object({
  query: z.string(),
  filter: z.optional(
    z.object({
      version: z.optional(z.string()),
      language: z.optional(z.string()),
      tag: z.optional(z.string()),
      groups: z.optional(z.array(z.string())),
    }),
  ),
  verdict: z.enum(['pass', 'miss', 'error']),
  rank: z.optional(z.number()),
});

const earlierReport = z.object({
  version: z.literal(1),
  mode: z.literal('search'),
  queries: z.array(earlierOutcome),
});

type EarlierOutcome = AskedQuery & RankedVerdict;

/**
 * The verdict on a query in the earlier run and now; the rank is that of the first expected page.
 */
export interface QueryChange extends AskedQuery {
  readonly before: RankedVerdict;
  readonly now: RankedVerdict;
}

export interface BaselineComparison {
  readonly better: readonly QueryChange[];
  readonly worse: readonly QueryChange[];
  /** Queries that the earlier run did not have. */
  readonly added: readonly string[];
  /** Queries of `added` that missed. */
  readonly newMisses: readonly string[];
  /** Queries that only the earlier run had. */
  readonly gone: readonly string[];
  readonly same: number;
  /** Queries that could not be run then or now. */
  readonly notComparable: number;
}

/**
 * The outcomes in the report of an earlier run. Throws `config` if the text is anything else.
 * `path` is for messages.
 */
export function parseBaseline(text: string, path: string): EarlierOutcome[] {
  const parsed = earlierReport.safeParse(parseJson(text));
  if (parsed.success) return parsed.data.queries;
  throw configError(
    `baseline-file: ${path} is not the report of an earlier search run.`,
    'Give a copy of the file at report-path of a search run. If there is none yet, remove the file: then every query that misses fails the run.',
  );
}

/**
 * Positive if the outcome is better now, negative if it is worse; neither is an error. A pass is
 * better than a miss; of equal verdicts, the smaller rank is better, and any rank than none.
 */
function compareOutcomes(was: RankedVerdict, now: RankedVerdict): number {
  if (was.verdict !== now.verdict) return now.verdict === 'pass' ? 1 : -1;
  // Also if neither has a rank: Infinity minus Infinity is not a number.
  if (was.rank === now.rank) return 0;
  return (was.rank ?? Number.POSITIVE_INFINITY) - (now.rank ?? Number.POSITIVE_INFINITY);
}

/**
 * The queries that this run missed and the earlier run did not have. Queries are matched by text
 * and filter (queryIdentity).
 */
export function newMissesOf(
  earlier: readonly EarlierOutcome[],
  outcomes: readonly QueryOutcome[],
): QueryOutcome[] {
  const earlierQueries = new Set(earlier.map(queryIdentity));
  const isNew = (outcome: QueryOutcome) => !earlierQueries.has(queryIdentity(outcome));
  return outcomes.filter((outcome) => outcome.verdict === 'miss' && isNew(outcome));
}

/** What became better and worse since the earlier run. Queries are matched as in `newMissesOf`. */
export function compareRuns(
  earlier: readonly EarlierOutcome[],
  outcomes: readonly QueryOutcome[],
): BaselineComparison {
  const earlierOutcomes = new Map(earlier.map((outcome) => [queryIdentity(outcome), outcome]));
  // All queries of the earlier run; below, each query of this run is taken out of them.
  const gone = new Map(earlierOutcomes);
  const better: QueryChange[] = [];
  const worse: QueryChange[] = [];
  const added: string[] = [];
  let same = 0;
  let notComparable = 0;
  for (const now of outcomes) {
    const identity = queryIdentity(now);
    const was = earlierOutcomes.get(identity);
    gone.delete(identity);
    if (was === undefined) added.push(now.query);
    // An error says nothing about the search: it is neither better nor worse.
    else if (was.verdict === 'error' || now.verdict === 'error') notComparable += 1;
    else {
      const change = compareOutcomes(was, now);
      if (change > 0) better.push(changeOf(was, now));
      else if (change < 0) worse.push(changeOf(was, now));
      else same += 1;
    }
  }
  return {
    better,
    worse,
    added,
    newMisses: newMissesOf(earlier, outcomes).map((outcome) => outcome.query),
    gone: [...gone.values()].map((outcome) => outcome.query),
    same,
    notComparable,
  };
}

function changeOf(was: RankedVerdict, now: QueryOutcome): QueryChange {
  return {
    query: now.query,
    filter: now.filter,
    before: { verdict: was.verdict, rank: was.rank },
    now: { verdict: now.verdict, rank: now.rank },
  };
}

/**
 * The outcomes of the earlier run that this one is compared with; undefined, with a warning if a
 * file was named, if there is none.
 */
export async function readBaseline(
  path: string | undefined,
  run: CiRun,
  log: Log,
): Promise<readonly EarlierOutcome[] | undefined> {
  if (path === undefined) return undefined;
  const text = await readConfinedFile({
    path,
    input: 'baseline-file',
    folders: [
      { name: 'workspace', path: run.workspace },
      { name: 'RUNNER_TEMP', path: run.temp },
    ],
    maxBytes: MAX_BASELINE_BYTES,
  });
  const name = shownPath(path, run.workspace);
  if (text !== undefined) return parseBaseline(text, name);
  // The first run of a workflow has no earlier one.
  log.warning(
    `baseline-file: ${name} does not exist, so nothing is compared. Every query that misses fails this run.`,
  );
  return undefined;
}
