import { earlierExports } from '../../../src/publish/state/history.ts';
import {
  announcementOf,
  type Placement,
  placing,
  starting,
  startOrder,
} from '../../../src/publish/state/protocol/place.ts';
import { open, section } from '../../../src/publish/state/protocol/section.ts';
import { resolve, type Situation, type Wish } from '../../../src/publish/state/protocol/situation.ts';
import {
  Interruption,
  type NumberedClaim,
  type Reading,
  type Reply,
  type SectionEnd,
} from '../../../src/publish/state/protocol/steps.ts';
import type { Announcement, StateRecord } from '../../../src/publish/state/state.ts';
import { type Sent, START_MS, type World } from './world.ts';

export interface Spec {
  readonly name: string;
  readonly kind: 'export' | 'refresh' | 'rollback' | 'named';
  readonly attempt?: number;
  /** Of a named job. */
  readonly job?: string;
}

export type Outcome =
  | { readonly kind: 'completed'; readonly job: string; readonly order: number }
  | { readonly kind: 'nothing'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };

type Play<T> = Generator<Sent, T, Reply>;

/** Passes the requests of a section on, for one destination. */
function* at<T>(index: number, steps: Generator<Sent['request'], T, Reply>, run: string, link?: Sent['link']): Play<T> {
  let next = steps.next();
  while (!next.done) next = steps.next(yield { at: index, request: next.value, run, link });
  return next.value;
}

const DAY_MS = 86_400_000;

/** What a run does with the destinations, from its first request to its last. */
export function* play(spec: Spec, destinations: World['destinations']): Play<Outcome> {
  try {
    return yield* playOut(spec, destinations);
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    return { kind: 'failed', why: `${error.at}: ${error.error.code}` };
  }
}

function* playOut(spec: Spec, destinations: World['destinations']): Play<Outcome> {
  const { name, kind, attempt = 1 } = spec;
  const run = { id: name, job: 'docs' };
  const key = `${name}/docs`;
  const now = new Date(START_MS).toISOString();
  const readings: Reading[] = [];
  const claims: (readonly NumberedClaim[])[] = [];
  const situations: Situation[] = [];
  for (const [index, { abilities }] of destinations.entries()) {
    const opened = yield* at(index, open({ can: abilities }, attempt > 1), key);
    readings.push(opened.reading);
    claims.push(opened.claims);
    situations.push(
      resolve(
        opened.reading.found,
        opened.claims.map(({ claim }) => claim),
      ),
    );
  }
  const records = situations.map(({ record }) => record);
  const highest = () =>
    Math.max(0, ...records.map(({ order = 0 }) => order), ...readings.map(({ found }) => found.record?.order ?? 0));
  const isOver = (claim: Announcement) => claim.run === key && (claim.attempt ?? 1) < attempt;
  const stops = situations.filter(({ kind: one }) => one === 'foreign' || one === 'unreadable');
  if (stops.length > 0) return { kind: 'failed', why: stops[0]?.kind ?? '' };
  const live = newest(records);
  let wish: Wish | undefined;
  if (kind === 'export') {
    const known =
      attempt > 1
        ? records.flatMap(({ runs = [] }) => runs).find((one) => one.id === run.id && one.jobId !== undefined)
        : undefined;
    if (known?.jobId !== undefined)
      wish = { kind, job: known.jobId, order: known.order ?? highest() + 1, isFirst: false };
    else {
      const started = yield* start(spec, { run, key, readings, claims, destinations, isOver, now, attempt, highest });
      if ('kind' in started) return started;
      wish = { kind, job: started.job, order: started.order, isFirst: false };
    }
  }
  if (kind === 'refresh') {
    const changed = situations.find(({ kind: one }) => one === 'changed' || one === 'bad-signature');
    if (changed !== undefined) return { kind: 'failed', why: changed.kind };
    if (live?.jobId === undefined) return { kind: 'nothing', why: 'no job' };
    wish = { kind, job: live.jobId, order: live.jobOrder ?? 0, isFirst: false };
  }
  if (kind === 'rollback') {
    const changed = situations.find(({ kind: one }) => one === 'changed' || one === 'bad-signature');
    if (changed !== undefined) return { kind: 'failed', why: changed.kind };
    if (live?.jobId === undefined) return { kind: 'nothing', why: 'no job' };
    const { rollback } = live;
    const isOpen =
      rollback?.open === true ||
      (rollback?.from !== undefined && records.some(({ jobId }) => jobId === rollback.from)) ||
      (attempt > 1 && rollback?.run === key);
    if (isOpen) wish = { kind, job: live.jobId, order: live.jobOrder ?? 0, isFirst: false, from: rollback?.from };
    else {
      const [back] = earlierExports(live);
      if (back === undefined) return { kind: 'nothing', why: 'no earlier export' };
      wish = { kind, job: back.job, order: highest() + 1, isFirst: true, from: live.jobId };
    }
  }
  if (kind === 'named') wish = { kind, job: spec.job ?? 'job-named', order: highest() + 1, isFirst: true };
  if (wish === undefined) throw new Error('no wish');
  for (let round = 1; round <= 3; round += 1) {
    let again = false;
    let failure: string | undefined;
    for (const [index, { abilities }] of destinations.entries()) {
      const mark: string = `${name}.${attempt}:${wish.job}`;
      const expires = START_MS + DAY_MS;
      const placement: Placement = {
        wish: { ...wish, run: key, hasOthers: destinations.length > 1 },
        by: kind === 'named' ? 'refresh' : kind,
        run,
        key,
        details: {},
        mark: abilities.shows === 'value' ? mark : undefined,
        expiresAt: new Date(expires).toISOString(),
        now,
      };
      const token = `${name}.${attempt}.${index}.${round}`;
      const link: Sent['link'] = { mark, job: wish.job, order: wish.order, expires };
      const steps = section({
        abilities,
        token,
        last: readings[index],
        announcement: announcementOf(placement, token, attempt),
        plan: placing(placement),
        isOver,
        claims: claims[index] ?? [],
        wallMs: START_MS,
      });
      const end: SectionEnd = yield* at(index, steps, key, link);
      if (end.kind === 'done') {
        readings[index] = end.reading;
        wish = { ...wish, isFirst: false };
        continue;
      }
      if (end.kind === 'stopped') readings[index] = end.reading;
      if (end.kind === 'stopped' && end.why === 'order') {
        wish = { ...wish, order: Math.max(highest(), end.situation.record.order ?? 0) + 1 };
        again = true;
        break;
      }
      failure ??=
        end.kind === 'stopped'
          ? `stopped: ${end.why}`
          : end.kind === 'failed'
            ? `${end.at}: ${end.error.code}`
            : 'busy';
    }
    if (again) continue;
    if (failure !== undefined) return { kind: 'failed', why: failure };
    return { kind: 'completed', job: wish.job, order: wish.order };
  }
  return { kind: 'failed', why: 'order' };
}

interface StartInit {
  readonly run: { readonly id: string; readonly job: string };
  readonly key: string;
  readonly readings: Reading[];
  readonly claims: readonly (readonly NumberedClaim[])[];
  readonly destinations: World['destinations'];
  readonly isOver: (claim: Announcement) => boolean;
  readonly now: string;
  readonly attempt: number;
  readonly highest: () => number;
}

/** Enters the section of each destination, asks for the export once, and ends the sections. */
function* start(spec: Spec, init: StartInit): Play<Outcome | { readonly job: string; readonly order: number }> {
  const { run, key, readings, claims, destinations, isOver, now, attempt, highest } = init;
  const orders = destinations.map(() => 0);
  const sections = destinations.map(({ abilities }, index) => {
    const token = `${spec.name}.${attempt}.${index}.start`;
    const announcement = { token, by: 'export', at: now, run: key, attempt } as const;
    const order = (record: StateRecord): number => {
      const given = startOrder(record, highest(), orders.slice(0, index));
      orders[index] = given;
      return given;
    };
    return {
      index,
      steps: section({
        abilities,
        token,
        last: readings[index],
        announcement,
        order,
        plan: starting({ run, order }),
        isOver,
        claims: claims[index] ?? [],
        wallMs: START_MS,
      }),
    };
  });
  let failure: string | undefined;
  const waiting: typeof sections = [];
  for (const one of sections) {
    let next = one.steps.next();
    while (!next.done && next.value.kind !== 'start')
      next = one.steps.next(yield { at: one.index, request: next.value, run: key });
    if (next.done) {
      const end = next.value;
      failure =
        end.kind === 'stopped'
          ? `stopped: ${end.why}`
          : end.kind === 'failed'
            ? `start ${end.at}: ${end.error.code}`
            : end.kind;
      break;
    }
    waiting.push(one);
  }
  const final = Math.max(...orders);
  const nothing: Reply = { kind: 'refused', error: new Error('not asked') as never, sentMs: 0, nowMs: 0 };
  const reply: Reply = failure === undefined ? yield { at: -1, request: { kind: 'start' }, run: key } : nothing;
  for (const { index, steps } of waiting) {
    let next = steps.next(reply);
    while (!next.done) next = steps.next(yield { at: index, request: next.value, run: key });
    if (next.value.kind === 'done') readings[index] = next.value.reading;
  }
  if (failure !== undefined) return { kind: 'failed', why: failure };
  if (reply.kind !== 'started') return { kind: 'failed', why: `start: ${reply.kind}` };
  return { job: reply.jobId, order: final };
}

/** The record with the newest decision. */
export function newest(records: readonly StateRecord[]): StateRecord | undefined {
  const [first] = records
    .filter(({ jobId }) => jobId !== undefined)
    .sort((a, b) => (b.jobOrder ?? 0) - (a.jobOrder ?? 0));
  return first;
}
