import {
  hasLink,
  type Reading,
  type Reply,
  type Request,
} from '../../../src/publish/state/protocol/steps.ts';
import type { Announcement } from '../../../src/publish/state/state.ts';
import type { Decision, Design } from './ends.ts';
import type { Outcome, Spec } from './run.ts';
import { type Sent, START_MS, type World, type WorldDestination } from './world.ts';

/**
 * The other design, for a comparison: numbered records are the state. A run reads the record with
 * the highest number, decides, creates the next one once, writes the link, and looks whether a
 * higher one exists; if so, it writes the link of the newest one again and ends red. It marks its
 * own record as done. A record that is not done makes the next refresh write again. For one
 * destination, and runs that start no export. In the world, a record is a claim, and its mark is
 * another one.
 */

/** Added to the number of a record that is done. */
const DONE = 10_000;
const MAX_ROUNDS = 3;

type Playing<T> = Generator<Sent, T, Reply>;

interface Record_ {
  readonly number: number;
  readonly job: string;
  readonly from: string | undefined;
  readonly isDone: boolean;
  /** A link of an earlier record may still arrive. */
  readonly hasOpen: boolean;
}

/** With a wait of 45 s for a record that is not done, or without one. */
export function recordsDesign(waits: boolean): Design {
  return { play: (spec) => play(spec, waits), decided };
}

function decided({ claims }: WorldDestination): Decision | undefined {
  const newest = Math.max(
    ...Object.keys(claims)
      .map(Number)
      .filter((number) => number < DONE),
  );
  const job = claims[newest]?.claim.job;
  return job === undefined ? undefined : { job, order: newest };
}

/** A world in which these jobs were live, one after the other. */
export function recordsWorld(world: World): World {
  const [one] = world.destinations;
  if (one === undefined) throw new Error('There is no destination.');
  const jobs = (one.state?.history ?? []).map(({ job }) => job).reverse();
  const claims = Object.fromEntries(
    jobs.flatMap((job, index) => {
      const record = { claim: recordOf('old', job, index + 1, jobs[index - 1]), madeMs: 0 };
      return [
        [index + 1, record],
        [index + 1 + DONE, record],
      ];
    }),
  );
  return {
    ...world,
    destinations: [{ ...one, claims, state: one.state && { ...one.state, jobOrder: jobs.length } }],
  };
}

function recordOf(
  token: string,
  job: string,
  order: number,
  from: string | undefined,
): Announcement {
  return { token, by: 'state', job, order, from, at: new Date(START_MS).toISOString(), run: token };
}

function* play(spec: Spec, waits: boolean): Playing<Outcome> {
  const { name, kind, attempt = 1 } = spec;
  const key = `${name}/docs`;
  function* send(request: Request): Playing<Reply> {
    return yield { at: 0, request, run: key };
  }
  function* list(): Playing<Record_ | undefined> {
    const reply = yield* again(send, { kind: 'list-claims', above: 0 });
    if (reply.kind !== 'claims') return undefined;
    const all = reply.claims
      .filter(({ number }) => number < DONE)
      .sort((a, b) => b.number - a.number);
    const done = new Set(reply.claims.map(({ number }) => number - DONE));
    const [newest] = all;
    if (newest === undefined) return undefined;
    const { number, claim } = newest;
    const hasOpen = all.some((one) => one.number !== number && !done.has(one.number));
    return { number, job: claim.job ?? '', from: claim.from, isDone: done.has(number), hasOpen };
  }
  function* look(): Playing<Reading | undefined> {
    const reply = yield* again(send, { kind: 'read' });
    return reply.kind === 'reading' ? reply.reading : undefined;
  }
  /** `unsure`: a copy of it may still arrive. */
  function* put(job: string): Playing<'sure' | 'unsure' | undefined> {
    const link = `${name}.${attempt}>${job}`;
    let how: 'sure' | 'unsure' = 'sure';
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const seen = yield* look();
      if (seen === undefined) return undefined;
      const reply = yield* send({ kind: 'write-link', seen, link });
      if (reply.kind === 'written') return how;
      if (reply.kind === 'refused') return undefined;
      how = 'unsure';
      const now = yield* look();
      if (now !== undefined && hasLink(seen.found, now.found, link)) return how;
    }
    return undefined;
  }
  const failed = (why: string): Outcome => ({ kind: 'failed', why });
  const first = yield* list();
  if (first === undefined) return failed('list');
  if (kind === 'idle' && first.isDone && !first.hasOpen) return { kind: 'nothing', why: 'not due' };
  const job = wantedJob(spec, first);
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    let base = yield* list();
    if (base === undefined) return failed('list');
    if (waits && !base.isDone) {
      const claim = recordOf('', base.job, base.number, base.from);
      yield* send({ kind: 'await-claim', number: base.number, claim });
      base = yield* list();
      if (base === undefined) return failed('list');
    }
    if (kind !== 'named' && kind !== 'export' && base.job !== first.job) return failed('older');
    const number = base.number + 1;
    const token = `${name}.${attempt}.${round}`;
    const record = { ...recordOf(token, job, number, base.job), run: key, attempt };
    const made = yield* send({ kind: 'claim', number, announcement: record });
    if (made.kind === 'refused') return failed('record');
    if (made.kind !== 'done') {
      const read = yield* again(send, { kind: 'read-claim', number });
      if (read.kind !== 'claim' || read.claim?.token !== token) continue;
    }
    const how = yield* put(job);
    if (how === undefined) return failed('link');
    const newest = yield* list();
    if (newest === undefined) return failed('list');
    if (newest.number > number) {
      yield* put(newest.job);
      return failed('a newer record');
    }
    if (how === 'sure') yield* send({ kind: 'claim', number: number + DONE, announcement: record });
    return { kind: 'completed', job, order: number, hasWarned: newest.hasOpen };
  }
  return failed('busy');
}

function wantedJob({ name, kind, job = 'job-named' }: Spec, newest: Record_): string {
  switch (kind) {
    case 'export':
      return `job-${name}`;
    case 'named':
      return job;
    case 'rollback':
      return newest.from ?? newest.job;
    case 'refresh':
    case 'idle':
      return newest.job;
  }
}

/** A reading is repeated. */
function* again(send: (request: Request) => Playing<Reply>, request: Request): Playing<Reply> {
  const reply = yield* send(request);
  return reply.kind === 'unknown' ? yield* send(request) : reply;
}
