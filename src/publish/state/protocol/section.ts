import type { StoreAbilities } from '../../../stores/port.ts';
import { ClaimedSection } from './claimed.ts';
import { MAX_PAUSES } from './limits.ts';
import { explains } from './situation.ts';
import {
  Interruption,
  listClaims,
  type NumberedClaim,
  numberOf,
  pause,
  type Reading,
  read,
  type SectionEnd,
  type SectionInit,
  type Steps,
} from './steps.ts';
import { unclaimed } from './unclaimed.ts';

/**
 * Reads, decides and writes, as one section that no other run can come between, as far as the store
 * allows that.
 */
export function section(init: SectionInit): Steps<SectionEnd> {
  return init.guard === 'claims' ? new ClaimedSection(init).run() : unclaimed(init);
}

/** Writes the link whatever is there, and no state: then nothing says whose link it is. */
export function* alone(link: string): Steps<SectionEnd> {
  const seen = yield* read();
  const reply = yield { kind: 'write-link', seen, link };
  if (reply.kind !== 'written') throw new Interruption(reply, 'write-link');
  return { kind: 'done', reading: reply.reading, linkWritten: true };
}

/** Runs the steps; a failed request that interrupts them is their end. */
export function* ended(steps: Steps<SectionEnd>): Steps<SectionEnd> {
  try {
    return yield* steps;
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    return { kind: 'failed', error: error.error, at: error.at, linkWritten: false };
  }
}

/**
 * Reads a destination at the start of a run. A link that the state does not explain may be that of
 * a run that was interrupted or is still writing: then the claims with a higher number than the
 * state are read, too. Throws an `Interruption`.
 */
export function* open(
  store: { readonly can: StoreAbilities },
  looksForClaims: boolean,
): Steps<{ readonly reading: Reading; readonly claims: readonly NumberedClaim[] }> {
  let reading = yield* read();
  // Some stores know what they can do only after a reading.
  const { shows, guard } = store.can;
  const needsClaims = looksForClaims || shows === 'nothing' || !explains(reading.found);
  if (guard !== 'claims' || !needsClaims) return { reading, claims: [] };
  for (let pauses = 0; ; pauses += 1) {
    const { claims } = yield* listClaims(numberOf(reading.found));
    const namesNoJob = reading.found.record?.jobId === undefined;
    if (claims.length > 0 || namesNoJob || explains(reading.found) || pauses === MAX_PAUSES)
      return { reading, claims };
    // Another run may have written link and state just now, and the state does not show yet.
    yield* pause();
    reading = yield* read();
  }
}
