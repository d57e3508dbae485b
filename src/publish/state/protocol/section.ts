import { ClaimedSection } from './claimed.ts';
import { guarded } from './guarded.ts';
import { MAX_PAUSES } from './limits.ts';
import { explains } from './situation.ts';
import {
  type Abilities,
  Interruption,
  type NumberedClaim,
  numberOf,
  pause,
  type Reading,
  read,
  type SectionEnd,
  type SectionInit,
  type Steps,
} from './steps.ts';
import { unguarded } from './unguarded.ts';

/**
 * Reads, decides and writes, as one section that no other run can come between, as far as the store
 * allows that.
 */
export function* section(init: SectionInit): Steps<SectionEnd> {
  try {
    return yield* sectionOf(init);
  } catch (error) {
    return ended(error);
  }
}

function ended(error: unknown): SectionEnd {
  if (!(error instanceof Interruption)) throw error;
  return { kind: 'failed', error: error.error, at: error.at, linkWritten: error.linkWritten };
}

function sectionOf(init: SectionInit): Steps<SectionEnd> {
  switch (init.abilities.guard) {
    case 'versions':
      return guarded(init);
    case 'claims':
      return new ClaimedSection(init).run();
    case 'none':
      return unguarded(init);
  }
}

/** Writes the link whatever is there, and no state: nothing then says whose it is. */
export function* alone(link: string): Steps<SectionEnd> {
  try {
    const seen = yield* read();
    const reply = yield { kind: 'write-link', seen, link };
    if (reply.kind === 'written')
      return { kind: 'done', reading: reply.reading, linkWritten: true };
    throw new Interruption(reply, 'write-link');
  } catch (error) {
    return ended(error);
  }
}

/**
 * Reads a destination at the start of a run. A link that the state does not explain may be that of
 * a run that has ended, or is at work: then the claims are read as well, those with a higher number
 * than the state. Throws an `Interruption`.
 */
export function* open(
  can: () => Abilities,
  looksForClaims: boolean,
): Steps<{ readonly reading: Reading; readonly claims: readonly NumberedClaim[] }> {
  const reading = yield* read();
  // Some stores know it only after a reading.
  const { shows, guard } = can();
  const isExplained = explains(reading.found);
  if (guard !== 'claims' || (isExplained && shows !== 'nothing' && !looksForClaims))
    return { reading, claims: [] };
  let now = reading;
  for (let pauses = 0; ; pauses += 1) {
    const claims = yield* listClaims(now);
    const isNew = now.found.record?.jobId === undefined;
    if (claims.length > 0 || isNew || explains(now.found) || pauses === MAX_PAUSES)
      return { reading: now, claims };
    // What another run has just written may not show yet, or not all of it.
    yield* pause();
    now = yield* read();
  }
}

function* listClaims({ found }: Reading): Steps<readonly NumberedClaim[]> {
  const reply = yield { kind: 'list-claims', above: numberOf(found) };
  if (reply.kind !== 'claims') throw new Interruption(reply, 'list-claims');
  return reply.claims;
}
