import type { Announcement } from '../state.ts';
import { afterStart, write } from './guarded.ts';
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
  type SectionEnd,
  type SectionInit,
  type Steps,
  sameLink,
} from './steps.ts';

type Writing = Extract<Plan, { readonly kind: 'write' }>;
type Starting = Extract<Plan, { readonly kind: 'start' }>;

/** Stores that refuse no write and have no claims: the state announces the link, and is read again before the link is written. */
export function* unguarded(init: SectionInit): Steps<SectionEnd> {
  const { plan, token, last, announcement } = init;
  for (let round = 1; ; round += 1) {
    const reading = yield* read();
    const situation = resolve(reading.found, []);
    const isPutBack = numberOf(reading.found) < numberOf(last?.found);
    const planned: Plan = isPutBack ? { kind: 'stop', why: 'put-back' } : plan(situation, reading);
    if (planned.kind === 'stop') return { kind: 'stopped', why: planned.why, reading, situation };
    const end = yield* carryOut({ reading, situation, planned, token, announcement });
    if (end !== undefined) return end;
    if (round === MAX_ROUNDS) return { kind: 'busy', reading };
  }
}

interface Decided<P> {
  readonly reading: Reading;
  readonly situation: Situation;
  readonly planned: P;
  readonly token: string;
  readonly announcement: Announcement;
}

/** undefined: another run came in between. */
function* carryOut(decided: Decided<Starting | Writing>): Steps<SectionEnd | undefined> {
  const { reading, situation, planned, token } = decided;
  const number = numberOf(reading.found) + 1;
  const isStateOnly = planned.kind === 'write' && !planned.link;
  const first = isStateOnly ? planned.record(reading.found.link) : planned.announced;
  const announced = yield* write(reading, { link: false, record: { ...first, number, writer: token } });
  if (announced === undefined) return undefined;
  if (planned.kind === 'start') {
    const started = yield { kind: 'start' };
    return yield* afterStart({ started, planned, reading: announced, token, situation });
  }
  if (isStateOnly) return { kind: 'done', reading: announced, linkWritten: false, before: situation };
  return yield* linkAfter({ ...decided, planned });
}

/** Link and confirmation; undefined: another run came in between. */
function* linkAfter(decided: Decided<Writing>): Steps<SectionEnd | undefined> {
  const { reading, situation, planned, token, announcement } = decided;
  const isOwn = ({ found }: Reading) => found.record?.writer === token;
  const number = numberOf(reading.found) + 2;
  const seen = yield* read();
  if (!isOwn(seen) || !sameLink(seen.found, reading.found)) return undefined;
  const reply = yield { kind: 'write-link', seen };
  if (reply.kind === 'stale') return undefined;
  if (reply.kind === 'refused') {
    yield* write(seen, { link: false, record: { ...situation.record, number, writer: token } });
    throw new Interruption(reply, 'write-link');
  }
  const now = yield* read();
  if (reply.kind !== 'written' && !hasLink(seen.found, now.found, announcement)) {
    return { kind: 'failed', error: errorOf(reply), at: 'write-link', linkWritten: false };
  }
  if (!isOwn(now)) return undefined;
  const placed = planned.record(now.found.link);
  const unanswered = placed.unanswered?.filter(({ run }) => run !== announcement.run);
  const record = { ...placed, unanswered, number, writer: token };
  const written = yield* write(now, { link: false, record });
  return written && { kind: 'done', reading: written, linkWritten: true, before: situation };
}
