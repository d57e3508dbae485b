import type { FrontRequest } from '../../support/fault-front.ts';
import type { RunningStep, StepResult } from '../../support/runner.ts';
import { seeded } from '../../support/simulated-job.ts';
import { type PlaceKind, ProcessPlace } from '../../support/world/process-place.ts';

const KINDS: readonly PlaceKind[] = ['github', 'gitlab', 'file', 'kubernetes'];
/** What a run wants, and the export that is live after it; undefined: a new one. */
const WISHES = [
  { mode: 'refresh' },
  { mode: 'rollback' },
  { mode: 'export' },
  { mode: 'refresh', 'export-job-id': 'old' },
  { mode: 'refresh', 'export-job-id': 'live' },
] as const;
type Wish = (typeof WISHES)[number];

const FATES = ['none', 'cancelled', 'suspended', 'suspended and cancelled'] as const;
const FAULTS = ['none', 'hold', 'lose'] as const;
/** Longer than a run waits for a claim. */
const LONG_SLEEP_MS = 48_000;
const ARRIVES_WITHIN_MS = 1000;

export interface Schedule {
  readonly seed: number;
  readonly kind: PlaceKind;
  /** What ran and what happened to it, for a person. */
  readonly story: string;
  readonly processes: number;
  /** How many processes were cancelled or suspended. */
  readonly disturbed: number;
  /** What went wrong, as sentences; empty: nothing did. */
  readonly violations: readonly string[];
  readonly log: string;
}

interface Ended {
  readonly wish: Wish;
  readonly fate: string;
  readonly beganMs: number;
  readonly endedMs: number;
  readonly result: StepResult;
}

/**
 * Two or three whole processes that write one destination at the same time, as the seed says, with
 * a request that is held or whose reply is lost; then two refreshes, one after the other.
 */
export async function runSchedule(seed: number): Promise<Schedule> {
  const random = seeded(seed);
  const upTo = (max: number) => Math.floor(random() * max);
  const kind = KINDS[seed % KINDS.length] ?? 'github';
  await using place = await ProcessPlace.start(kind);
  const fault = FAULTS[upTo(FAULTS.length)] ?? 'none';
  const arrival = disturb(place, fault, 1 + upTo(8), 2000 + upTo(26_000));
  const count = 2 + upTo(2);
  const plans = Array.from({ length: count }, () => ({
    wish: WISHES[upTo(WISHES.length)] ?? WISHES[0],
    fate: FATES[upTo(FATES.length)] ?? 'none',
    afterMs: upTo(1500),
    disturbedAfterMs: 400 + upTo(2500),
    sleepMs: random() < 0.5 ? LONG_SLEEP_MS + upTo(5000) : upTo(3000),
  }));
  const ended = await Promise.all(
    plans.map(async ({ wish, fate, afterMs, disturbedAfterMs, sleepMs }): Promise<Ended> => {
      await sleep(afterMs);
      const beganMs = Date.now();
      const step = await place.begin(wish);
      await Promise.race([step.done, meet(step, fate, disturbedAfterMs, sleepMs)]);
      const result = await step.done;
      return { wish, fate, beganMs, endedMs: Date.now(), result };
    }),
  );
  // A request that is held arrives before the refreshes.
  await sleep(arrival.atMs - Date.now());
  const refreshes = [await place.run(), await place.run()];
  const story = ended.map(
    ({ wish, fate, result }) => `${Object.values(wish).join(' ')} (${fate}): ${endOf(result)}`,
  );
  const logs = [...ended.map(({ result }) => result), ...refreshes].map(({ log }) => log);
  return {
    seed,
    kind,
    story: [`fault ${fault}`, ...story, ...refreshes.map(endOf)].join('; '),
    processes: ended.length + refreshes.length,
    disturbed: ended.filter(({ fate }) => fate !== 'none').length,
    violations: violationsOf(ended, refreshes, await place.target.readLink()),
    log: logs.join('\n--- next process\n'),
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function endOf({ exitCode, outputs }: StepResult): string {
  return exitCode === 0 ? `green with ${outputs['job-id']}` : (outputs['error-code'] ?? 'killed');
}

/**
 * One write to the store, counted from now, meets the fault. Gives when it arrives there, once it
 * was sent; 0 before.
 */
function disturb(
  { target }: ProcessPlace,
  fault: (typeof FAULTS)[number],
  nth: number,
  ms: number,
): { atMs: number } {
  const arrival = { atMs: 0 };
  let met = 0;
  const isMet = ({ method }: FrontRequest) => {
    if (method === 'GET') return false;
    met += 1;
    if (met === nth && fault === 'hold') arrival.atMs = Date.now() + ms + ARRIVES_WITHIN_MS;
    return met === nth;
  };
  if (fault === 'hold') target.front?.inject(isMet, { kind: 'hold', ms });
  if (fault === 'lose') target.front?.inject(isMet, { kind: 'lose' });
  return arrival;
}

async function meet(
  step: RunningStep,
  fate: (typeof FATES)[number],
  afterMs: number,
  sleepMs: number,
): Promise<void> {
  if (fate === 'none') return;
  await sleep(afterMs);
  if (fate !== 'cancelled') {
    step.kill('SIGSTOP');
    await sleep(sleepMs);
    step.kill('SIGCONT');
  }
  if (fate !== 'suspended') step.cancel();
}

/**
 * After the refreshes, the live export is that of a decision that no later one has followed: one
 * decision is later than another if it began after that had ended. A run that failed may have
 * decided or not.
 */
function violationsOf(
  ended: readonly Ended[],
  refreshes: readonly StepResult[],
  link: string | undefined,
): string[] {
  const last = refreshes.at(-1);
  if (last?.exitCode !== 0) return [`the last refresh ended with ${last && endOf(last)}`];
  const violations: string[] = [];
  if (link !== last.outputs['bundle-url']) violations.push('green, but another link is there');
  const decisions = ended.filter(({ wish }) => wish !== WISHES[0]);
  const green = decisions.filter(({ result }) => result.exitCode === 0);
  const isFollowed = ({ endedMs }: Ended) => green.some(({ beganMs }) => beganMs > endedMs);
  const allowed = decisions.filter((one) => !isFollowed(one)).map(jobOf);
  if (green.length === 0) allowed.push('live');
  const live = last.outputs['job-id'] ?? '';
  // A cancelled export may not know its job.
  const mayBe = ['old', 'live'].includes(live) ? [live] : [live, UNKNOWN];
  if (!allowed.some((one) => mayBe.includes(one)))
    violations.push(`${live} is live, and only ${allowed.join(' or ')} may be`);
  return violations;
}

const UNKNOWN = 'an unknown job';

/** The export that a run wanted to be live. */
function jobOf({ wish, result }: Ended): string {
  const named = 'export-job-id' in wish ? wish['export-job-id'] : result.outputs['job-id'];
  if (named !== undefined && named !== '') return named;
  return wish.mode === 'rollback' ? 'old' : UNKNOWN;
}
