import { numbered, start, write } from './guarded.ts';
import { resolve, type Situation } from './situation.ts';
import {
  errorOf,
  hasLink,
  Interruption,
  MAX_ROUNDS,
  numberOf,
  type Plan,
  type Reading,
  read,
  readAfter,
  type SectionEnd,
  type SectionInit,
  type Steps,
  sameLink,
  type Writing,
} from './steps.ts';

/**
 * Stores that refuse no write and have no claims: the state announces the link, and is read again
 * before the link is written.
 */
export function* unguarded(init: SectionInit): Steps<SectionEnd> {
  const { plan, last } = init;
  for (let round = 1; ; round += 1) {
    const reading = yield* read();
    const situation = resolve(reading.found, []);
    const isPutBack = numberOf(reading.found) < numberOf(last?.found);
    const planned: Plan = isPutBack ? { kind: 'stop', why: 'put-back' } : plan(situation, reading);
    if (planned.kind === 'stop') return { kind: 'stopped', why: planned.why, reading, situation };
    const end = yield* carryOut(init, planned, { reading, situation });
    if (end !== undefined) return end;
    if (round === MAX_ROUNDS) return { kind: 'busy', reading };
  }
}

/** What a decision rests on. */
interface Base {
  readonly reading: Reading;
  readonly situation: Situation;
}

/** undefined: another run came in between. */
function* carryOut(init: SectionInit, planned: Writing, base: Base): Steps<SectionEnd | undefined> {
  const { reading } = base;
  const { token } = init;
  const isStateOnly = planned.kind === 'write' && !planned.link;
  const first = isStateOnly ? planned.record(reading.found.link) : planned.announced;
  const announced = yield* write(reading, numbered(first, reading, token));
  if (announced === undefined) return undefined;
  if (planned.kind === 'start') return yield* start(planned, announced, token);
  if (isStateOnly) return { kind: 'done', reading: announced, linkWritten: false };
  return yield* linkAfter(init, planned, base);
}

/** Link and confirmation; undefined: another run came in between. */
function* linkAfter(
  { token, announcement, link = '' }: SectionInit,
  planned: Extract<Plan, { readonly kind: 'write' }>,
  { reading, situation }: Base,
): Steps<SectionEnd | undefined> {
  const isOwn = ({ found }: Reading) => found.record?.writer === token;
  const seen = yield* read();
  if (!isOwn(seen) || !sameLink(seen.found, reading.found)) return undefined;
  const reply = yield { kind: 'write-link', seen, link };
  if (reply.kind === 'stale') return undefined;
  if (reply.kind === 'refused') {
    yield* write(seen, numbered(situation.record, seen, token));
    throw new Interruption(reply, 'write-link');
  }
  const now = reply.kind === 'written' ? yield* read() : yield* readAfter(reply, 'write-link');
  if (reply.kind !== 'written' && !hasLink(seen.found, now.found, announcement)) {
    return { kind: 'failed', error: errorOf(reply), at: 'write-link', linkWritten: false };
  }
  if (!isOwn(now)) return undefined;
  const placed = planned.record(now.found.link);
  const unanswered = placed.unanswered?.filter(({ run }) => run !== announcement.run);
  const written = yield* write(now, numbered({ ...placed, unanswered }, now, token));
  return written && { kind: 'done', reading: written, linkWritten: true };
}
