import type { Work } from '../log.ts';
import {
  type FollowInit,
  type FollowResult,
  follow,
  predictEndMs,
  readFractions,
} from '../platform/follow.ts';
import { countOf, formatDuration } from '../text/amounts.ts';
import { plainLine } from '../text/escape.ts';

/** What one poll of a remote job showed. */
export interface ProgressPoint {
  readonly elapsedMs: number;
  readonly status: string;
  /** 0 to 1; undefined if the job reports none. */
  readonly fraction: number | undefined;
  readonly pages: number | undefined;
  /** Estimated time to the end, if there is a rate to estimate from. */
  readonly restMs: number | undefined;
}

interface Following<T>
  extends Pick<FollowInit<T>, 'poll' | 'view' | 'timeoutMs' | 'fresh' | 'pollEveryMs' | 'pace'> {
  readonly deps: Work;
  /** Of the group in the log. */
  readonly title: string;
  readonly pagesOf?: (job: T) => number | undefined;
  /** Called after each line, with what was shown so far. */
  readonly onLine?: (points: readonly ProgressPoint[]) => void;
}

/**
 * Follows a job in a group of the log, which has a line for each poll that a person would want to
 * see.
 */
export function followJob<T>(following: Following<T>): Promise<FollowResult<T>> {
  const { deps, title, pagesOf, onLine, ...init } = following;
  const { clock, log, signal } = deps;
  const points: ProgressPoint[] = [];
  const onPoll: FollowInit<T>['onPoll'] = (job, seen) => {
    const elapsedMs = seen.at(-1)?.atMs ?? 0;
    const endMs = predictEndMs(seen);
    const point: ProgressPoint = {
      elapsedMs: Math.round(elapsedMs),
      // Redacted before it is cut: the rest of a secret that is cut through has no form to be found
      // by.
      status: plainLine(log.redact(init.view(job).status), 80),
      fraction: readFractions(seen).at(-1),
      pages: pagesOf?.(job),
      restMs: endMs === undefined || endMs <= elapsedMs ? undefined : Math.round(endMs - elapsedMs),
    };
    if (!isWorthALine(point, points.at(-1))) return;
    points.push(point);
    log.progress(progressLine(point), point.fraction);
    onLine?.(points);
  };
  return log.group(title, () => follow({ ...init, clock, log, signal, onPoll }));
}

const QUIET_MS = 60_000;

/** Pages as a count, if the platform's untyped value is one. */
export function readPageCount(raw: unknown): number | undefined {
  const value = typeof raw === 'string' && /^\d{1,9}$/.test(raw.trim()) ? Number(raw) : raw;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function percentOf(point: ProgressPoint): number | undefined {
  return point.fraction === undefined ? undefined : Math.floor(point.fraction * 100);
}

/** True when a person would want a line: something changed, or the last line is a minute old. */
function isWorthALine(point: ProgressPoint, shown: ProgressPoint | undefined): boolean {
  if (shown === undefined || point.elapsedMs - shown.elapsedMs >= QUIET_MS) return true;
  return (
    point.status !== shown.status ||
    percentOf(point) !== percentOf(shown) ||
    point.pages !== shown.pages
  );
}

/**
 * `running: 40 %, 128 pages, 1 min 5 s elapsed, about 1 min 30 s left`. `status` must be inert
 * already.
 */
function progressLine(point: ProgressPoint): string {
  const percent = percentOf(point);
  const parts = [
    percent === undefined ? undefined : `${percent} %`,
    point.pages === undefined ? undefined : countOf(point.pages, 'page'),
    `${formatDuration(point.elapsedMs)} elapsed`,
    point.restMs === undefined || point.restMs < 1000
      ? undefined
      : `about ${formatDuration(point.restMs)} left`,
  ];
  return `${point.status}: ${parts.filter((part) => part !== undefined).join(', ')}`;
}

/** At most `count` of the points, evenly taken, the first and the last among them. */
export function thin<T>(points: readonly T[], count: number): readonly T[] {
  if (points.length <= count) return points;
  const step = (points.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => points[Math.round(index * step)]).filter(
    (point) => point !== undefined,
  );
}
