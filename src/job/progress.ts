import { countOf, formatDuration } from '../ground/text/amounts.ts';
import { plainLine } from '../ground/text/escape.ts';
import { fieldOf } from '../ground/text/json.ts';
import {
  type FollowInit,
  type FollowResult,
  follow,
  predictEndMs,
  readFractions,
} from '../platform/follow.ts';

interface Following<T> extends Omit<FollowInit<T>, 'onPoll'> {
  /** The title of the group in the log. */
  readonly title: string;
  /** Called after each line with the pages that it names. `fraction`: of the job, 0 to 1. */
  readonly onPages?: (pages: number, fraction: number | undefined) => void;
}

/** What a line of the log says of a job. */
interface Line {
  readonly elapsedMs: number;
  /** From the platform, made safe to print. */
  readonly status: string;
  readonly percent: number | undefined;
  readonly pages: number | undefined;
}

/**
 * Follows a job. Its progress goes to a group of the log, one line for each poll that shows
 * something new.
 */
export function followJob<T>(following: Following<T>): Promise<FollowResult<T>> {
  const { log } = following;
  let last: Line | undefined;
  const onPoll: FollowInit<T>['onPoll'] = (job, polls) => {
    // The last of `polls` has just shown `job`, so there is one: 0 is for the types alone.
    const elapsedMs = Math.round(polls.at(-1)?.atMs ?? 0);
    // How much of the job is done, 0 to 1; undefined: the job does not show that.
    const fraction = readFractions(polls).at(-1);
    const pages = readPageCount(fieldOf(job, 'pageCount'));
    // Redacted before it is shortened: a part of a secret would not be recognized.
    const status = plainLine(log.redact(following.view(job).status), 80);
    const percent = fraction === undefined ? undefined : Math.floor(fraction * 100);
    const line = { elapsedMs, status, percent, pages };
    if (last !== undefined && !isNews(line, last)) return;
    last = line;
    log.progress(lineText(line, predictEndMs(polls)), fraction);
    if (pages !== undefined) following.onPages?.(pages, fraction);
  };
  return log.group(following.title, () => follow({ ...following, onPoll }));
}

/** After this time the log gets a line even if nothing changed: the run is still at work. */
const QUIET_MS = 60_000;

/** True if something changed, or the last line is a minute old. */
function isNews(line: Line, last: Line): boolean {
  if (line.status !== last.status || line.percent !== last.percent) return true;
  return line.pages !== last.pages || line.elapsedMs - last.elapsedMs >= QUIET_MS;
}

/**
 * `running: 40 %, 128 pages, 1 min 5 s elapsed, about 1 min 30 s left`. `endMs`: when the job is
 * likely to end; undefined: no poll shows that yet.
 */
function lineText({ status, percent, pages, elapsedMs }: Line, endMs: number | undefined): string {
  const parts: string[] = [];
  if (percent !== undefined) parts.push(`${percent} %`);
  if (pages !== undefined) parts.push(countOf(pages, 'page'));
  parts.push(`${formatDuration(elapsedMs)} elapsed`);
  const restMs = endMs === undefined ? 0 : Math.round(endMs - elapsedMs);
  // Less than a second, or a predicted end that has passed, would say nothing.
  if (restMs >= 1000) parts.push(`about ${formatDuration(restMs)} left`);
  return `${status}: ${parts.join(', ')}`;
}

/**
 * The number of pages, as a number or as text with digits; undefined: what the platform gave is not
 * a count.
 */
export function readPageCount(raw: unknown): number | undefined {
  const isDigits = typeof raw === 'string' && /^\d{1,9}$/.test(raw.trim());
  const value = isDigits ? Number(raw) : raw;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
