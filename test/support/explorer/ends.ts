import type { StoreAbilities } from '../../../src/stores/port.ts';
import type { Worlds } from './numbers.ts';
import type { Former } from './others.ts';
import { expiryOf, type Outcome, play, type Spec } from './run.ts';
import type { Fault } from './running.ts';
import { BEGIN_MS, carryOut, jobIn, START_MS, type World, type WorldDestination } from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How a run ended; `outcome` is undefined if it was killed, both are if it never began. */
export interface End {
  readonly spec: Spec | undefined;
  readonly outcome: Outcome | undefined;
  /**
   * The runs that had decided before this one first wrote, with a bit for the index of each: its
   * decision is newer than theirs.
   */
  readonly after: number;
}

function decided({ state }: WorldDestination): Decision | undefined {
  return state?.jobId === undefined ? undefined : { job: state.jobId, order: state.jobOrder ?? 0 };
}

/** A decision: of two with one order, that of the job with the higher id is the newer one. */
export interface Decision {
  readonly order: number;
  readonly job: string;
}

function isNewer(a: Decision, b: Decision): boolean {
  return a.order === b.order ? a.job > b.job : a.order > b.order;
}

/** What a run without faults finds and does, when all others have ended. */
function runAlone(start: World, spec: Spec): { world: World; outcome: Outcome } {
  const steps = play(spec, start.destinations);
  let world = start;
  let next = steps.next();
  for (let count = 0; !next.done; count += 1) {
    if (count > 200) throw new Error('a run without faults does not end');
    const done = carryOut(world, next.value, world.clockMs - START_MS);
    world = done.world;
    next = steps.next(done.reply);
  }
  return { world, outcome: next.value };
}

/** What is wrong once all runs have ended; what follows from equal worlds is tried once. */
export class Checks {
  readonly #start: World;
  readonly #specs: readonly Spec[];
  readonly #worlds: Worlds;
  readonly #only: ReadonlySet<Fault>;
  readonly #alone = new Map<string, ReturnType<typeof runAlone>>();

  constructor(start: World, specs: readonly Spec[], worlds: Worlds, only: ReadonlySet<Fault>) {
    this.#start = start;
    this.#specs = specs;
    this.#worlds = worlds;
    this.#only = only;
  }

  /**
   * All that is wrong when all runs have ended: at once, after a refresh of a link that is not due,
   * and for the next export.
   */
  wrongAfter(end: World, ends: readonly End[]): readonly string[] {
    const newest = end.destinations.map((_, index) => newestIn(this.#start, ends, index));
    const isQuiet = ends.every(
      ({ outcome }) => outcome?.kind === 'completed' && !outcome.hasWarned,
    );
    const wrong = isQuiet ? olderIn(end, newest, 'every run is green') : [];
    if (!this.#only.has('put back') && !this.#only.has('lagging'))
      wrong.push(...rollbacksOver(ends));
    const world = { ...end, pending: [], wrong: [], clockMs: end.clockMs + MINUTE_MS };
    const sets = new Set(
      this.#specs.map(({ to }) => JSON.stringify([...(to ?? end.destinations.keys())].sort())),
    );
    for (const set of sets) {
      const to: readonly number[] = JSON.parse(set);
      const after = this.#runAlone(world, { name: 'final', kind: 'idle', to });
      wrong.push(...wrongAfterRefresh(world, after, to, newest));
    }
    const again = this.#runAlone(world, { name: 'next', kind: 'export' });
    if (again.outcome.kind !== 'completed')
      wrong.push(`the next export fails: ${'why' in again.outcome ? again.outcome.why : ''}`);
    return [...new Set(wrong)];
  }

  #runAlone(world: World, spec: Spec): ReturnType<typeof runAlone> {
    const jobs = this.#worlds.ofPart(world, -1);
    const key = `${JSON.stringify(spec)} ${jobs} ${this.#worlds.ofDestinations(world)}`;
    const known = this.#alone.get(key) ?? runAlone(world, spec);
    this.#alone.set(key, known);
    return known;
  }
}

/**
 * Rollbacks that ended green although another run has decided for the job that they replace since
 * they began: that decision is older than theirs, and was not there when they first read.
 */
function rollbacksOver(ends: readonly End[]): readonly string[] {
  const decisions = ends.flatMap(({ spec, outcome }) =>
    outcome?.kind === 'completed' ? [{ ...outcome, spec }] : [],
  );
  const over = decisions.filter(
    ({ spec, order }) =>
      (spec?.kind === 'named' || spec?.kind === 'export') &&
      decisions.some(
        (back) => back.spec?.kind === 'rollback' && order > back.orderAtStart && order < back.order,
      ),
  );
  if (over.length === 0) return [];
  const what = 'a rollback is green over a decision made since it began';
  return [over.every((one) => one.hasWarned) ? `${what}, which has warned` : what];
}

/**
 * True if the link is of an older job than the newest decision that ended green: it was there
 * before, or was written by a refresh or by one of those runs. Any other run may be newer.
 */
export function isOlder({ link }: WorldDestination, ends: readonly End[]): boolean {
  if (link === undefined || link.text === 'edited') return false;
  let newest: Decision | undefined;
  const others = new Set<string>();
  for (const { spec, outcome } of ends) {
    if (spec?.kind === 'refresh' || outcome?.kind === 'completed') others.add(spec?.name ?? '');
    if (outcome?.kind !== 'completed') continue;
    if (newest === undefined || isNewer(outcome, newest)) newest = outcome;
  }
  if (newest === undefined || jobIn(link) === newest.job) return false;
  const [writer = ''] = link.text.split('.');
  return writer.startsWith('old') || others.has(writer);
}

function newestIn(start: World, ends: readonly End[], index: number): Decision | undefined {
  const { jobId, jobOrder = 0 } = start.destinations[index]?.state ?? {};
  const all: (Decision & { readonly at: number })[] = [];
  for (const [at, { spec, outcome }] of ends.entries()) {
    if (outcome?.kind !== 'completed' || spec?.to?.includes(index) === false) continue;
    if (spec?.kind !== 'refresh' && spec?.kind !== 'idle') all.push({ ...outcome, at });
  }
  // Whatever these runs have decided is newer than what was there before.
  if (all.length === 0) return jobId === undefined ? undefined : { job: jobId, order: jobOrder };
  return all.reduce((a, b) => {
    if (isAfter(ends[a.at], b.at)) return a;
    if (isAfter(ends[b.at], a.at)) return b;
    return isNewer(a, b) ? a : b;
  });
}

function isAfter(end: End | undefined, index: number): boolean {
  return end !== undefined && (end.after & (1 << index)) !== 0;
}

/** Destinations in which an older export is live than the newest one that a run has left there. */
function olderIn(world: World, newest: readonly (Decision | undefined)[], when: string): string[] {
  return world.destinations.flatMap((destination, index) => {
    const { link } = destination;
    const want = newest[index];
    const job = jobIn(link);
    if (want === undefined || job === want.job || link?.text === 'edited') return [];
    const now = decided(destination);
    if (now !== undefined && now.job === job && isNewer(now, want)) return [];
    return [`an older export is live, and ${when}`];
  });
}

function wrongAfterRefresh(
  world: World,
  { world: after, outcome }: ReturnType<typeof runAlone>,
  to: readonly number[],
  newest: readonly (Decision | undefined)[],
): string[] {
  if (outcome.kind === 'failed') return [`the next refresh fails: ${outcome.why}`];
  const seen = to.flatMap((index) => after.destinations[index] ?? []);
  if (outcome.kind === 'nothing' && outcome.why !== 'not due')
    return seen.some(({ link }) => link !== undefined)
      ? ['the next refresh knows no job, and there is a link']
      : [];
  const shown = { ...after, destinations: seen };
  const wrong = olderIn(
    shown,
    to.map((index) => newest[index]),
    'so it stays after a refresh',
  );
  wrong.push(...after.wrong.map((text) => `the next refresh: ${text}`));
  if (new Set(seen.map(({ link }) => link && jobIn(link))).size > 1)
    wrong.push('the destinations do not agree after a refresh');
  for (const [index, { state, link, abilities }] of seen.entries()) {
    if (link !== undefined && Date.parse(state?.expiresAt ?? '') > expiryOf(link.text))
      wrong.push('the state says that the link works longer than it does');
    const isEdited = world.destinations[to[index] ?? 0]?.link?.text === 'edited';
    if (isEdited && abilities.shows !== 'nothing' && link?.text !== 'edited')
      wrong.push('a refresh replaced a link that was edited manually');
  }
  return wrong;
}

/** Destinations with this many exports in their history, one after the other. */
export function startOf(abilities: readonly StoreAbilities[], exports: number): World {
  return beginningOf(abilities, exports).world;
}

/**
 * With a refresh after the first export, and what a stranger could put back of the first
 * destination.
 */
export function beginningOf(
  abilities: readonly StoreAbilities[],
  exports: number,
  isRefreshed = false,
) {
  let world: World = {
    destinations: abilities.map((one) => ({
      abilities: one,
      state: undefined,
      kind: 'missing',
      link: undefined,
      claims: {},
      version: 0,
      former: undefined,
    })),
    jobs: [],
    pending: [],
    clockMs: START_MS - exports * HOUR_MS,
    wrong: [],
  };
  const formers: Former[] = [];
  const run = (spec: Spec) => {
    const before = world.destinations[0]?.state;
    const { world: next, outcome } = runAlone(world, spec);
    if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome));
    world = { ...next, jobs: [], clockMs: next.clockMs + HOUR_MS };
    const claims = Object.entries(next.destinations[0]?.claims ?? {});
    const followed = claims.filter(([number]) => Number(number) > (before?.number ?? 0));
    if (before !== undefined) formers.push({ state: before, claims: Object.fromEntries(followed) });
  };
  for (let index = 0; index < exports; index += 1) {
    run({ name: `old${index}`, kind: 'export' });
    if (index === 0 && isRefreshed) run({ name: 'old-r', kind: 'refresh' });
  }
  return { world: { ...world, clockMs: START_MS + BEGIN_MS }, formers };
}
