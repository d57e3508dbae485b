/** Remote jobs that exist only as functions of time, to measure how they are followed. */
export type Temper = 'steady' | 'bursty' | 'stalled' | 'silent';

export interface SimulatedJob {
  readonly temper: Temper;
  readonly lengthMs: number;
  /** What the job reports at this moment; undefined: nothing. */
  progressAt(elapsedMs: number): number | undefined;
}

/** A small seeded generator (mulberry32), so every figure is reproducible. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Ten bursts at random moments; between them nothing moves.
function burstyProgress(random: () => number): (part: number) => number {
  const moments = Array.from({ length: 10 }, random).sort((a, b) => a - b);
  return (part) => moments.filter((moment) => moment <= part).length * 9.9;
}

// Half of the progress in a third of the time, then none for a third, then the rest.
function stalledProgress(part: number): number {
  if (part < 1 / 3) return part * 150;
  return part < 2 / 3 ? 50 : 50 + (part - 2 / 3) * 149;
}

function simulateJob({
  temper,
  lengthMs,
  random,
}: {
  temper: Temper;
  lengthMs: number;
  random: () => number;
}): SimulatedJob {
  const bursty = burstyProgress(random);
  const progress: Record<Temper, (part: number) => number | undefined> = {
    steady: (part) => Math.floor(part * 100),
    bursty: (part) => Math.floor(bursty(part)),
    stalled: (part) => Math.floor(stalledProgress(part)),
    silent: () => undefined,
  };
  return {
    temper,
    lengthMs,
    progressAt: (elapsedMs) => progress[temper](Math.min(1, elapsedMs / lengthMs)),
  };
}

/** 1,000 jobs: each temper, lengths from 2 s to 30 min, evenly on a logarithmic scale. */
export function simulateJobs(count: number, seed: number): SimulatedJob[] {
  const random = seeded(seed);
  const tempers = ['steady', 'bursty', 'stalled', 'silent'] as const;
  return Array.from({ length: count }, (_, index) => {
    const lengthMs = 2000 * 900 ** random();
    return simulateJob({ temper: tempers[index % 4] ?? 'silent', lengthMs, random });
  });
}

export interface Pursuit {
  readonly requests: number;
  /** From the end of the job to the poll that saw it. */
  readonly delayMs: number;
}

/**
 * Follows a simulated job with a schedule: from the polls so far to the milliseconds until the next
 * one.
 */
export function pursue(
  job: SimulatedJob,
  next: (seen: { atMs: number; progress: unknown }[]) => number,
): Pursuit {
  const seen: { atMs: number; progress: unknown }[] = [];
  let atMs = 0;
  for (let requests = 1; ; requests += 1) {
    atMs += next(seen);
    if (atMs >= job.lengthMs) return { requests, delayMs: atMs - job.lengthMs };
    seen.push({ atMs, progress: job.progressAt(atMs) });
  }
}
