/** What one poll of a remote job showed: when (milliseconds since following began), and its raw progress. */
export interface Observation {
  readonly atMs: number;
  readonly progress: unknown;
}

export const MIN_POLL_MS = 1000;
export const MAX_POLL_MS = 15_000;
const JITTER = 0.1;

function readNumber(raw: unknown): number | undefined {
  const text = typeof raw === 'string' ? raw.trim().replace(/%$/, '') : raw;
  const value = typeof text === 'string' && /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : text;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/**
 * Progress as a fraction, 0 to 1, at each observation. The base contract shows neither type nor unit: numbers up to 1 with a
 * broken part among them are fractions, all others are taken as percent. What is neither is undefined.
 */
export function readFractions(seen: readonly Observation[]): (number | undefined)[] {
  const values = seen.map(({ progress }) => readNumber(progress));
  const known = values.filter((value) => value !== undefined);
  const areFractions = known.every((value) => value <= 1) && known.some((value) => value > 0 && value < 1);
  const whole = areFractions ? 1 : 100;
  return values.map((value) => (value === undefined || value < 0 || value > whole ? undefined : value / whole));
}

interface Point {
  readonly atMs: number;
  readonly fraction: number;
}

/** The first progress, and each advance. Backward steps are no advance. */
function advances(seen: readonly Observation[]): Point[] {
  const points: Point[] = [];
  readFractions(seen).forEach((fraction, index) => {
    const last = points.at(-1);
    const atMs = seen[index]?.atMs;
    if (fraction === undefined || atMs === undefined || (last !== undefined && fraction <= last.fraction)) return;
    points.push({ atMs, fraction });
  });
  return points;
}

/** When the job will be done at the rate seen so far, in milliseconds on the observations' scale; undefined: no rate yet. */
export function predictEndMs(seen: readonly Observation[]): number | undefined {
  const points = advances(seen);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || last.atMs <= first.atMs) return undefined;
  const msPerUnit = (last.atMs - first.atMs) / (last.fraction - first.fraction);
  return last.atMs + (1 - last.fraction) * msPerUnit;
}

function clampPoll(ms: number): number {
  return Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, ms));
}

/**
 * Milliseconds until the next poll, from nothing but what was seen: half of the time that the rate of progress predicts to
 * be left; where there is no rate, or its prediction has passed, a tenth of the time waited so far. Always 1 s to 15 s,
 * plus or minus 10 %, so that many runs do not poll at the same moment. `random` gives 0 to 1.
 */
export function nextPollMs(seen: readonly Observation[], random: () => number): number {
  const last = seen.at(-1);
  if (last === undefined) return MIN_POLL_MS;
  const endMs = predictEndMs(seen);
  const waitMs = endMs === undefined || endMs <= last.atMs ? overdueMs(last.atMs, endMs) : (endMs - last.atMs) / 2;
  return clampPoll(clampPoll(waitMs) * (1 + JITTER * (2 * random() - 1)));
}

// Just past a prediction the end is near more often than not; long past it, the prediction was wrong. A job that moves in
// bursts passes many predictions: a sixtieth of the time waited keeps it from being polled every second.
function overdueMs(nowMs: number, endMs: number | undefined): number {
  if (endMs === undefined) return nowMs / 10;
  return Math.max(nowMs / 60, Math.min(nowMs / 10, (nowMs - endMs) / 4));
}
