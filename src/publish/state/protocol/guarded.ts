import type { StateRecord } from '../state.ts';
import { resolve } from './situation.ts';
import {
  Interruption,
  MAX_ROUNDS,
  numberOf,
  type Plan,
  type Reading,
  type Reply,
  read,
  readAfter,
  type SectionEnd,
  type SectionInit,
  type Steps,
} from './steps.ts';

/** Stores with versions: a write is refused if anything has changed since it was read. */
export function* guarded({ plan, token, link }: SectionInit): Steps<SectionEnd> {
  for (let round = 1; ; round += 1) {
    const reading = yield* read();
    const situation = resolve(reading.found, []);
    const planned = plan(situation, reading);
    if (planned.kind === 'stop') return { kind: 'stopped', why: planned.why, reading, situation };
    const isLink = planned.kind === 'write' && planned.link;
    // Before an export is started, the state says so: this also shows that it can be written.
    const record = planned.kind === 'start' ? planned.announced : planned.record(undefined);
    const written = yield* write(
      reading,
      numbered(record, reading, token),
      isLink ? link : undefined,
    );
    if (written === undefined) {
      if (round === MAX_ROUNDS) return { kind: 'busy', reading };
      continue;
    }
    if (planned.kind === 'start') return yield* start(planned, written, token);
    return { kind: 'done', reading: written, linkWritten: isLink };
  }
}

/**
 * Starts the export, and says in the state what became of that. What other runs have written
 * meanwhile stays.
 */
export function* start(
  planned: Extract<Plan, { readonly kind: 'start' }>,
  announced: Reading,
  token: string,
): Steps<SectionEnd> {
  const started: Reply = yield { kind: 'start' };
  let seen = announced;
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const after = planned.after(seen.found.record ?? planned.announced, started);
    const written = yield* write(seen, numbered(after, seen, token));
    if (written !== undefined) return { kind: 'done', reading: written, linkWritten: false };
    seen = yield* read();
  }
  return { kind: 'busy', reading: seen };
}

export function numbered(record: StateRecord, seen: Reading, token: string): StateRecord {
  return { ...record, number: numberOf(seen.found) + 1, writer: token };
}

/**
 * Writes the state, and the link with it if it is given. What is there then; undefined: another run
 * came in between, and everything is decided again. Throws an `Interruption`.
 */
export function* write(
  seen: Reading,
  record: StateRecord,
  link?: string,
): Steps<Reading | undefined> {
  const reply =
    link === undefined
      ? yield { kind: 'write-state', seen, record }
      : yield { kind: 'write-link', seen, record, link };
  if (reply.kind === 'written') return reply.reading;
  if (reply.kind === 'stale') return undefined;
  if (reply.kind === 'refused')
    throw new Interruption(reply, link === undefined ? 'write-state' : 'write-link');
  // The reply was lost: what is there now says whether the write took place.
  const now = yield* readAfter(reply, link === undefined ? 'write-state' : 'write-link');
  const isOwn = now.found.record?.writer === record.writer && numberOf(now.found) === record.number;
  return isOwn ? now : undefined;
}
