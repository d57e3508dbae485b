import * as z from 'zod/mini';
import { readConfinedFile, shownPath } from '../confined-files.ts';
import { CourierError } from '../errors.ts';
import type { SearchInputs } from '../inputs/inputs.ts';
import type { Context } from '../run/context.ts';
import { parseJson } from '../text/json.ts';
import { queryIdentity } from './queries.ts';
import type { AskedQuery, QueryOutcome, RankedVerdict } from './verdict.ts';

// Of 5,000 queries with 50 results each, a report has about 25 MiB.
const MAX_BASELINE_BYTES = 64 * 1024 * 1024;

type Around = Pick<Context, 'run' | 'log'>;

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
  /** Those of them that missed. */
  readonly newMisses: readonly string[];
  /** Queries that only the earlier run had. */
  readonly gone: readonly string[];
  readonly same: number;
  /** Queries that could not be run then or now. */
  readonly notComparable: number;
}

/**
 * The report of an earlier run from its JSON; `config` when it is anything else. `path` is for
 * messages.
 */
export function parseBaseline(text: string, path: string): EarlierOutcome[] {
  const parsed = earlierReport.safeParse(parseJson(text));
  if (parsed.success) return parsed.data.queries;
  throw new CourierError({
    code: 'config',
    message: `baseline-file: ${path} is not the report of an earlier search run.`,
    hint: 'Give a copy of the file at report-path of a search run. If there is none yet, remove the file: then every query that misses fails the run.',
  });
}

/** Larger is better: a pass before a miss, then by rank; no rank comes after every rank. */
function compareOutcomes(before: EarlierOutcome, now: QueryOutcome): number {
  if (before.verdict !== now.verdict) return now.verdict === 'pass' ? 1 : -1;
  const [was, is] = [before.rank ?? Number.POSITIVE_INFINITY, now.rank ?? Number.POSITIVE_INFINITY];
  return was === is ? 0 : was - is;
}

/**
 * What the earlier run did not have and this one missed. Queries are matched by text and filter
 * (queryIdentity).
 */
export function newMissesOf(
  earlier: readonly EarlierOutcome[],
  outcomes: readonly QueryOutcome[],
): QueryOutcome[] {
  return withoutMatch(outcomes, earlier).filter(({ verdict }) => verdict === 'miss');
}

function withoutMatch<T extends EarlierOutcome>(
  list: readonly T[],
  other: readonly EarlierOutcome[],
): T[] {
  const known = new Set(other.map(queryIdentity));
  return list.filter((outcome) => !known.has(queryIdentity(outcome)));
}

/** What became better and worse, matched as above. */
export function compareRuns(
  earlier: readonly EarlierOutcome[],
  outcomes: readonly QueryOutcome[],
): BaselineComparison {
  const before = new Map(earlier.map((outcome) => [queryIdentity(outcome), outcome]));
  const matched = outcomes.flatMap((now) => {
    const was = before.get(queryIdentity(now));
    return was === undefined ? [] : [{ was, now, order: compareOutcomes(was, now) }];
  });
  const pairs = matched.filter(
    ({ was, now }) => was.verdict !== 'error' && now.verdict !== 'error',
  );
  const changes = (isMeant: (order: number) => boolean): QueryChange[] =>
    pairs
      .filter(({ order }) => isMeant(order))
      .map(({ was, now: { query, filter, verdict, rank } }) => ({
        query,
        filter,
        before: { verdict: was.verdict, rank: was.rank },
        now: { verdict, rank },
      }));
  const textOf = ({ query }: EarlierOutcome) => query;
  return {
    better: changes((order) => order > 0),
    worse: changes((order) => order < 0),
    added: withoutMatch(outcomes, earlier).map(textOf),
    newMisses: newMissesOf(earlier, outcomes).map(textOf),
    gone: withoutMatch(earlier, outcomes).map(textOf),
    same: pairs.filter(({ order }) => order === 0).length,
    notComparable: matched.length - pairs.length,
  };
}

/** The earlier run that this one is compared with; undefined if there is none. */
export async function readBaseline(
  inputs: SearchInputs,
  { run, log }: Around,
): Promise<readonly EarlierOutcome[] | undefined> {
  if (inputs.baselineFile === undefined) return undefined;
  const text = await readConfinedFile(fileOf(inputs.baselineFile, run));
  const name = shownPath(inputs.baselineFile, run.workspace);
  if (text !== undefined) return parseBaseline(text, name);
  // The first run of a workflow has no earlier one.
  log.warning(
    `baseline-file: ${name} does not exist, so nothing is compared. Every query that misses fails this run.`,
  );
  return undefined;
}

function fileOf(path: string, { workspace, temp }: Around['run']) {
  const folders = [
    { name: 'workspace', path: workspace },
    { name: 'RUNNER_TEMP', path: temp },
  ];
  return { path, input: 'baseline-file', folders, maxBytes: MAX_BASELINE_BYTES };
}
