import { EVEN_POLL_MS, nextPollMs } from '../../src/platform/follow.ts';
import {
  type Pursuit,
  pursue,
  type SimulatedJob,
  seeded,
  simulateJobs,
  type Temper,
} from '../support/simulated-job.ts';

const JOBS = 1000;
const LENGTHS: readonly (readonly [string, number, number])[] = [
  ['2 s to 1 min', 0, 60_000],
  ['1 to 2 min', 60_000, 120_000],
  ['2 to 10 min', 120_000, 600_000],
  ['10 to 30 min', 600_000, Number.POSITIVE_INFINITY],
];

interface Followed {
  readonly job: SimulatedJob;
  readonly ours: Pursuit;
  readonly every10: Pursuit;
  readonly every5: Pursuit;
}

interface FollowFigures {
  readonly temper: Temper;
  readonly length: string;
  readonly jobs: number;
  /**
   * Mean of the delay divided by the allowed delay of these jobs: at most 1 is within the target.
   */
  readonly delayShare: number;
  readonly delayS: readonly [ours: number, every10: number, every5: number];
  readonly requests: readonly [ours: number, every10: number, every5: number];
}

/**
 * The mean delay that the target allows: steady 1 s or 2 %, bursty and stalled 1.5 s or 8 %,
 * whichever is larger; without progress that of the 10 s loop.
 */
function allowedMs({ job, every10 }: Followed): number {
  const { temper, lengthMs } = job;
  if (temper === 'silent') return every10.delayMs;
  return temper === 'steady' ? Math.max(1000, lengthMs * 0.02) : Math.max(1500, lengthMs * 0.08);
}

export function measureFollowing(count = JOBS, seed = 1): FollowFigures[] {
  const random = seeded(seed + 1);
  const followed: Followed[] = simulateJobs(count, seed).map((job) => ({
    job,
    // That a job by project never shows progress is known before the first poll.
    ours: pursue(job, (seen) =>
      job.temper === 'silent' && seen.length === 0 ? EVEN_POLL_MS : nextPollMs(seen, random),
    ),
    every10: pursue(job, () => 10_000),
    every5: pursue(job, () => 5000),
  }));
  const tempers = ['steady', 'bursty', 'stalled', 'silent'] as const;
  return tempers.flatMap((temper) =>
    LENGTHS.map(([length, fromMs, toMs]) => {
      const group = followed.filter(
        ({ job }) => job.temper === temper && job.lengthMs >= fromMs && job.lengthMs < toMs,
      );
      return summarize(temper, length, group);
    }),
  );
}

function summarize(temper: Temper, length: string, group: readonly Followed[]): FollowFigures {
  const mean = (pick: (followed: Followed) => number) =>
    group.reduce((sum, one) => sum + pick(one), 0) / group.length;
  const total = (pick: (followed: Followed) => number) =>
    group.reduce((sum, one) => sum + pick(one), 0);
  return {
    temper,
    length,
    jobs: group.length,
    delayShare: mean(({ ours }) => ours.delayMs) / mean(allowedMs),
    delayS: [
      mean(({ ours }) => ours.delayMs / 1000),
      mean(({ every10 }) => every10.delayMs / 1000),
      mean(({ every5 }) => every5.delayMs / 1000),
    ],
    requests: [
      total(({ ours }) => ours.requests),
      total(({ every10 }) => every10.requests),
      total(({ every5 }) => every5.requests),
    ],
  };
}

/** Lines for `npm run bench`. */
export function benchFollowing(): string[] {
  const figures = measureFollowing();
  return [
    `Following ${JOBS} simulated jobs: mean delay from the end to its detection, and requests in total (10 s loop, 5 s loop)`,
    ...figures.map(({ temper, length, jobs, delayShare, delayS, requests }) => {
      const [delay, delay10, delay5] = delayS.map((s) => s.toFixed(1));
      const [ours, ten, five] = requests;
      const share = `${(delayShare * 100).toFixed(0)} % of the allowed`;
      return `  ${temper.padEnd(8)} ${length.padEnd(13)} ${String(jobs).padStart(3)} jobs  delay ${delay} s (${delay10}, ${delay5}), ${share}; requests ${ours} (${ten}, ${five})`;
    }),
  ];
}
