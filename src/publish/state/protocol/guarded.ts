import type { StateRecord } from '../state.ts';
import { resolve, type Situation } from './situation.ts';
import {
  errorOf,
  Interruption,
  MAX_ROUNDS,
  numberOf,
  outcomeOf,
  type Plan,
  type Reading,
  type Reply,
  type Request,
  read,
  type SectionEnd,
  type SectionInit,
  type Steps,
} from './steps.ts';

/** Stores with versions: a write is refused if anything has changed since it was read. */
export function* guarded({ plan, token }: SectionInit): Steps<SectionEnd> {
  for (let round = 1; ; round += 1) {
    const reading = yield* read();
    const situation = resolve(reading.found, []);
    const planned = plan(situation, reading);
    if (planned.kind === 'stop') return { kind: 'stopped', why: planned.why, reading, situation };
    const { link, record } = firstWrite(planned);
    const written = yield* write(reading, { link, record: { ...record, number: next(reading), writer: token } });
    if (written === undefined) {
      if (round === MAX_ROUNDS) return { kind: 'busy', reading };
      continue;
    }
    if (planned.kind === 'start') {
      const started = yield { kind: 'start' };
      return yield* afterStart({ started, planned, reading: written, token, situation });
    }
    return { kind: 'done', reading: written, linkWritten: link, before: situation };
  }
}

/** Before an export is started, the state says so: this also shows that it can be written. */
function firstWrite(planned: Exclude<Plan, { readonly kind: 'stop' }>): FirstWrite {
  if (planned.kind === 'start') return { link: false, record: planned.announced };
  return { link: planned.link, record: planned.record(undefined) };
}

interface FirstWrite {
  readonly link: boolean;
  readonly record: StateRecord;
}

interface AfterStart {
  readonly started: Reply;
  readonly planned: Extract<Plan, { readonly kind: 'start' }>;
  readonly reading: Reading;
  readonly token: string;
  readonly situation: Situation;
}

/** The state after the reply of the platform. What other runs have written meanwhile stays. */
export function* afterStart({ started, planned, reading, token, situation }: AfterStart): Steps<SectionEnd> {
  let seen = reading;
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const after = planned.after(seen.found.record ?? planned.announced, outcomeOf(started));
    const record = { ...after, number: next(seen), writer: token };
    const written = yield* write(seen, { link: false, record });
    if (written !== undefined) return { kind: 'done', reading: written, linkWritten: false, before: situation };
    seen = yield* read();
  }
  return { kind: 'busy', reading: seen };
}

/** What is there then; undefined: another run came in between, and everything is decided again. Throws an `Interruption`. */
export function* write(seen: Reading, { link, record }: FirstWrite): Steps<Reading | undefined> {
  const request: Request = { kind: link ? 'write-link' : 'write-state', seen, record };
  const reply = yield request;
  if (reply.kind === 'written') return reply.reading;
  if (reply.kind === 'stale') return undefined;
  if (reply.kind === 'refused') throw new Interruption(reply, request.kind);
  errorOf(reply);
  // The reply was lost: what is there now says whether the write took place.
  const now = yield* read();
  const isOwn = now.found.record?.writer === record.writer && numberOf(now.found) === record.number;
  return isOwn ? now : undefined;
}

function next({ found }: Reading): number {
  return numberOf(found) + 1;
}
