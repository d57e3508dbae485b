import { adviceOf, keyOf, PullComments, runLink } from '../comment/pull-comments.ts';
import { shownPath } from '../ground/confined-files.ts';
import { type CourierError, toCourierError } from '../ground/errors.ts';
import { countOf } from '../ground/text/amounts.ts';
import { codeSpan, escapeMarkdown } from '../ground/text/escape.ts';
import { fieldOf } from '../ground/text/json.ts';
import type { CommentInputs, SearchInputs } from '../inputs/inputs.ts';
import type { Context } from '../run/context.ts';
import { sections, type Write } from '../run/report.ts';
import type { BaselineComparison, QueryChange } from './baseline.ts';
import { queryIdentity } from './queries.ts';
import { type QueryOutcome, totalOutcomes } from './verdict.ts';
import { changesTable, firstRows, foundCell, queryCell, resultText } from './wording.ts';

type Deps = Pick<Context, 'run' | 'github' | 'log' | 'signal'>;

// The check itself is over, and waits no longer than this for its comment.
const TIME_LIMIT_MS = 60_000;

/**
 * Creates or updates the comment on the pull request that the run is for. A failure is a warning:
 * the result of the check stays the same. Throws only if the run was cancelled. Gives the writes
 * that a dry run leaves out; empty for any other run.
 */
export async function commentOnSearch(
  inputs: SearchInputs,
  comment: CommentInputs,
  checked: SearchChecked,
  deps: Deps,
): Promise<Write[]> {
  const { github, log, signal } = deps;
  try {
    const pull = await pullNumber(deps);
    if (pull === undefined) return [];
    if (inputs.dryRun) {
      const target = `pull request ${pull} of ${github.run.repository}`;
      return [{ action: 'comment on the search', target }];
    }
    const comments = await PullComments.open(comment, {
      // Signs the notice: the hidden line by which a later run knows its comment.
      secret: inputs.assistantApiKey,
      deps,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]),
    });
    const showsPages = await comments.showsPages();
    // Several steps may comment on one pull request: each updates only its own comment.
    const step = stepOf(inputs, github.run.workspace);
    const earlier = await comments.find(pull, 'search', (notice) => notice.step === step);
    // Kept in the notice from then on, so that each later run that passes is shown as fixed.
    const hadFailed = earlier?.notice.hasFailed ?? false;
    const hasFailed = hadFailed || hasToFix(checked);
    const notice = { version: 2, kind: 'search', step, hasFailed } as const;
    const text = searchCommentText({ ...checked, showsPages, hadFailed });
    const signed = `${text}\n\n<sub>By ${runLink(github.run)}.</sub>`;
    const url = await comments.write(pull, earlier?.comment, notice, signed);
    const done = earlier === undefined ? 'Commented' : 'Updated the comment';
    log.info(`${done} on pull request ${pull}: ${queryCountsText(checked)}. ${url}`);
  } catch (error) {
    if (signal.aborted) throw error;
    // The run was not cancelled, so the code `cancelled` means that TIME_LIMIT_MS is over.
    const reason = toCourierError(error);
    const why =
      reason.code === 'cancelled' ? 'GitHub did not answer within 60s.' : adviceOf(reason);
    log.warning(
      `The comment about the search could not be written; the result of the check stays the same. ${why}`,
    );
  }
  return [];
}

/**
 * The number of the pull request of the event; undefined, with a line in the log, if it has none.
 */
async function pullNumber(deps: Deps): Promise<number | undefined> {
  const event = await deps.github.event();
  // In the event of a comment, the pull request is an issue with this field.
  const isIssue = fieldOf(event, 'issue', 'pull_request') !== undefined;
  const number = fieldOf(event, isIssue ? 'issue' : 'pull_request', 'number');
  if (typeof number === 'number') return number;
  const name = deps.run.eventName ?? 'this event';
  deps.log.info(`No comment: a run by ${name} is not for a pull request.`);
  return undefined;
}

/**
 * A key that is the same for each run of a step, also in another folder of the machine, and differs
 * for steps that search something else.
 */
function stepOf(inputs: SearchInputs, workspace: string): string {
  const { domain, searchSite, queriesFile, query, filter } = inputs;
  const queries = queriesFile && shownPath(queriesFile, workspace);
  // A folder that is searched takes the place of the domain.
  if (searchSite === undefined) return keyOf({ domain, queries, query, filter });
  return keyOf({ site: shownPath(searchSite, workspace), queries, query, filter });
}

/** What a search check found, as far as its comment shows it. */
interface SearchChecked {
  readonly domain: string;
  readonly outcomes: readonly QueryOutcome[];
  /** undefined: there was no earlier run to compare with. */
  readonly comparison: BaselineComparison | undefined;
  /** Queries that the earlier run did not have, and that missed. */
  readonly newMisses: readonly QueryOutcome[];
  /** The error that the run ends with; undefined if it passes. */
  readonly failure: CourierError | undefined;
}

interface Shown extends SearchChecked {
  /** Addresses of pages may be shown: the repository is private, or an input allows it. */
  readonly showsPages: boolean;
  /** An earlier run for the pull request had something to fix. */
  readonly hadFailed: boolean;
}

const MOST_ROWS = 10;
/** Where a table that is cut can be read as a whole. */
const PLACE = 'the summary of the run';
const MAX_MESSAGE = 300;

/** Whether the author of the pull request has something to fix, also if the run passes. */
function hasToFix(checked: SearchChecked): boolean {
  const worse = checked.comparison?.worse.length ?? 0;
  return checked.failure !== undefined || worse + checked.newMisses.length > 0;
}

/** Markdown. Queries, pages and errors come from outside: all of them are escaped. */
export function searchCommentText(shown: Shown): string {
  return sections([
    `**Search of ${codeSpan(shown.domain, 128)}**: ${queryCountsText(shown)}.`,
    verdictText(shown),
    badTable(shown),
    betterDetails(shown.comparison?.better ?? []),
  ]);
}

/** `5 passed, 2 missed; 1 better, 2 worse, 1 new miss`. */
function queryCountsText(checked: SearchChecked): string {
  const { passed, missed, errors } = totalOutcomes(checked.outcomes);
  const failed = errors === 0 ? '' : `, ${errors} could not be run`;
  const counts = `${passed} passed, ${missed} missed${failed}`;
  if (checked.comparison === undefined) return counts;
  const { better, worse } = checked.comparison;
  const newMisses = countOf(checked.newMisses.length, 'new miss', 'new misses');
  return `${counts}; ${better.length} better, ${worse.length} worse, ${newMisses}`;
}

function verdictText(shown: Shown): string {
  if (shown.failure !== undefined)
    return `❌ ${escapeMarkdown(shown.failure.message, MAX_MESSAGE)}`;
  if (hasToFix(shown)) return '⚠️ The check passes, but some queries are worse or new and missed.';
  if (shown.hadFailed) return '✅ Fixed: the check passes again.';
  return '✅ The check passes.';
}

interface BadRow {
  readonly outcome: QueryOutcome;
  /** The result in the earlier run, or `new`; not shown without an earlier run. */
  readonly before: string;
}

/**
 * The queries that got worse, then the new ones that missed; without an earlier run, all that
 * missed.
 */
function badRows(shown: Shown): BadRow[] {
  const { outcomes, comparison } = shown;
  if (comparison === undefined) {
    const missed = outcomes.filter((outcome) => outcome.verdict === 'miss');
    return missed.map((outcome) => ({ outcome, before: '' }));
  }
  const worse = new Map(comparison.worse.map((change) => [queryIdentity(change), change]));
  const rows: BadRow[] = [];
  // From the outcomes, which say what was found instead: a change has only the ranks.
  for (const outcome of outcomes) {
    const change = worse.get(queryIdentity(outcome));
    if (change !== undefined) rows.push({ outcome, before: resultText(change.before) });
  }
  for (const outcome of shown.newMisses) rows.push({ outcome, before: 'new' });
  return rows;
}

/** The table of what the author of the pull request has to look at; empty if there is nothing. */
function badTable(shown: Shown): string {
  const rows = badRows(shown);
  if (rows.length === 0) return '';
  const columns: [head: string, cell: (row: BadRow) => string][] = [
    ['Query', (row) => queryCell(row.outcome)],
  ];
  if (shown.comparison !== undefined) columns.push(['Before', (row) => row.before]);
  columns.push(['Now', (row) => resultText(row.outcome)]);
  // As code: a page of a private site is not made a link in a comment.
  const pageCell = (path: string) => codeSpan(path, 160);
  if (shown.showsPages) columns.push(['Found instead', (row) => foundCell(row.outcome, pageCell)]);
  const head = columns.map((column) => column[0]);
  const cells = (row: BadRow) => columns.map((column) => column[1](row));
  return firstRows(head, rows, cells, MOST_ROWS, PLACE);
}

function betterDetails(better: readonly QueryChange[]): string {
  if (better.length === 0) return '';
  return sections([
    `<details><summary>Better (${better.length.toLocaleString('en-US')})</summary>`,
    changesTable(better, MOST_ROWS, PLACE),
    '</details>',
  ]);
}
