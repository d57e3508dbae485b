import { ClaimedSection } from './claimed.ts';
import { guarded } from './guarded.ts';
import { explains } from './situation.ts';
import {
  type Abilities,
  Interruption,
  type NumberedClaim,
  numberOf,
  type Reading,
  read,
  type SectionEnd,
  type SectionInit,
  type Steps,
} from './steps.ts';
import { unguarded } from './unguarded.ts';

/** Reads, decides and writes, as one section that no other run can come between, as far as the store allows that. */
export function* section(init: SectionInit): Steps<SectionEnd> {
  try {
    return yield* sectionOf(init);
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    return { kind: 'failed', error: error.error, at: error.at, linkWritten: error.linkWritten };
  }
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

interface Opened {
  readonly reading: Reading;
  /** Those with a higher number than the state: of runs that are at work or have ended in their section. */
  readonly claims: readonly NumberedClaim[];
}

/**
 * Reads a destination at the start of a run. A link that the state does not explain may be that of a run that has ended, or is at work:
 * then the claims are read as well. Throws an `Interruption`.
 */
export function* open(store: { readonly can: Abilities }, looksForClaims: boolean): Steps<Opened> {
  const reading = yield* read();
  // Some stores know it only after a reading.
  const { shows, guard } = store.can;
  const isExplained = explains(reading.found);
  if (guard !== 'claims' || (isExplained && shows !== 'nothing' && !looksForClaims)) return { reading, claims: [] };
  const claims = yield* listClaims(reading);
  if (claims.length > 0 || isExplained) return { reading, claims };
  // Link and state are two requests, between which a run may have written both.
  const again = yield* read();
  return { reading: again, claims: explains(again.found) ? [] : yield* listClaims(again) };
}

function* listClaims({ found }: Reading): Steps<readonly NumberedClaim[]> {
  const reply = yield { kind: 'list-claims', above: numberOf(found) };
  if (reply.kind !== 'claims') throw new Interruption(reply, 'list-claims');
  return reply.claims;
}
