import type { StateRecord } from '../state.ts';
import { withOrder } from './place.ts';
import { situationOf } from './situation.ts';
import {
  busy,
  hasLink,
  Interruption,
  MAX_ROUNDS,
  numberOf,
  type Plan,
  type Reading,
  type Request,
  read,
  readAfter,
  type SectionEnd,
  type SectionInit,
  type Steps,
  sameLink,
} from './steps.ts';

// The state is the signed text next to the link. A run announces in it what it is about to write,
// and each write raises its number. Its `writer` is the token of the section that wrote it.

/**
 * The section of a run in a store without claims. A store with versions refuses a write if anything
 * has changed since it was read. In other stores the state announces the link, and is read again
 * before the link is written.
 */
export function* unclaimed(init: SectionInit): Steps<SectionEnd> {
  for (let round = 1; ; round += 1) {
    const reading = yield* read();
    const isPutBack = numberOf(reading.found) < numberOf(init.last.found);
    // An earlier state was put back, or arrived late, and another run may be about to write: so this
    // one does not. With versions, none can write unnoticed after this reading.
    if (isPutBack && init.guard === 'none') {
      const { record } = situationOf(reading.found, []);
      return { kind: 'stopped', why: 'put-back', reading, record };
    }
    const end = yield* decideAndWrite(init, reading);
    // undefined: another run came in between. Everything is read and decided again.
    if (end !== undefined) return end;
    if (round === MAX_ROUNDS) return busy(reading);
  }
}

/**
 * Decides what follows from what was read, and carries that out. undefined: another run came in
 * between, and everything is decided again.
 */
function* decideAndWrite(init: SectionInit, reading: Reading): Steps<SectionEnd | undefined> {
  const situation = situationOf(reading.found, []);
  const { record } = situation;
  const plan = init.plan(situation, reading);
  switch (plan.kind) {
    case 'stop':
      return { kind: 'stopped', why: plan.why, reading, record };
    case 'note': {
      const noted = yield* write(init, reading, plan.record);
      return noted && { kind: 'done', reading: noted, linkWritten: false };
    }
    case 'start': {
      // Before an export is started, the state says so: this also shows that it can be written.
      const announced = yield* write(init, reading, plan.announced);
      if (announced === undefined) return undefined;
      // The caller notes the reply of the platform: then its plan is to write the state.
      yield { kind: 'start' };
      // If another run has written since, the same is written over what is there now.
      return (yield* decideAndWrite(init, announced)) ?? (yield* unclaimed(init));
    }
    case 'place': {
      if (init.guard === 'none') return yield* announceAndPlace(init, plan, reading, record);
      // Link and state go into one write, so that the store shows nothing of this link yet.
      const placed = yield* write(init, reading, plan.confirmed(undefined), plan.link);
      return placed && { kind: 'done', reading: placed, linkWritten: true };
    }
  }
}

/**
 * Writes the state first, so that it announces the link, reads again, then writes the link, and
 * then the state that confirms it. `planned`: the reading that the plan was made for. undefined:
 * another run came in between.
 */
function* announceAndPlace(
  init: SectionInit,
  plan: Extract<Plan, { readonly kind: 'place' }>,
  planned: Reading,
  record: StateRecord,
): Steps<SectionEnd | undefined> {
  const { token, announcement } = init;
  // Those of earlier sections of this run give way to this one.
  const ofOtherRuns = (record.unanswered ?? []).filter((one) => one.run !== announcement.run);
  const unanswered = [...ofOtherRuns, announcement];
  const announced = { ...withOrder(record, announcement.order ?? 0), unanswered };
  if ((yield* write(init, planned, announced)) === undefined) return undefined;
  const seen = yield* read();
  const isUndisturbed = seen.found.record?.writer === token && sameLink(seen.found, planned.found);
  if (!isUndisturbed) return undefined;
  const reply = yield { kind: 'write-link', seen, link: plan.link };
  if (reply.kind === 'stale') return undefined;
  if (reply.kind === 'refused') throw new Interruption(reply, 'write-link');
  let now: Reading | undefined;
  if (reply.kind !== 'written') {
    // The reply was lost: what is there now shows whether the link is in place.
    now = yield* readAfter(reply, 'write-link');
    const isInPlace = hasLink(seen.found, now.found, announcement.link);
    if (!isInPlace) throw new Interruption(reply, 'write-link');
  }
  try {
    now ??= yield* read();
    // Another run has announced its link since: this run decides again.
    if (now.found.record?.writer !== token) return undefined;
    const confirmed = { ...plan.confirmed(now.found.link), unanswered: ofOtherRuns };
    const written = yield* write(init, now, confirmed);
    return written && { kind: 'done', reading: written, linkWritten: true };
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    // The link is in place, and the state does not say so.
    return { kind: 'failed', error: error.error, at: error.at, linkWritten: true };
  }
}

/**
 * Writes the state, together with the link if there is one. Gives what is there then; undefined:
 * another run came in between, and everything is decided again. Throws an `Interruption`.
 */
function* write(
  init: SectionInit,
  seen: Reading,
  state: StateRecord,
  link?: string,
): Steps<Reading | undefined> {
  const record = { ...state, number: numberOf(seen.found) + 1, writer: init.token };
  const request: Request =
    link === undefined
      ? { kind: 'write-state', seen, record }
      : { kind: 'write-link', seen, record, link };
  const reply = yield request;
  if (reply.kind === 'written') return reply.reading;
  if (reply.kind === 'stale') return undefined;
  if (reply.kind === 'refused') throw new Interruption(reply, request.kind);
  // The reply was lost: what is there now shows whether the write took place.
  const now = yield* readAfter(reply, request.kind);
  const isOwn = now.found.record?.writer === init.token && numberOf(now.found) === record.number;
  return isOwn ? now : undefined;
}
