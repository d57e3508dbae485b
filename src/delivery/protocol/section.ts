import type { StoreAbilities } from '../../stores/port.ts';
import { ClaimedSection } from './claimed.ts';
import { MAX_PAUSES } from './limits.ts';
import { explainsLink } from './situation.ts';
import {
  busy,
  Interruption,
  listClaims,
  MAX_ROUNDS,
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

// A store with claims creates each claim, a signed text with a number, only once: the run whose
// claim it is writes alone, until the state has that number. Other stores refuse a write over what
// has changed (versions), or can do neither.

/**
 * Reads, decides and writes, as one section that no other run can come between, as far as the store
 * allows that.
 */
export function section(init: SectionInit): Steps<SectionEnd> {
  return init.guard === 'claims' ? new ClaimedSection(init).run() : unclaimed(init);
}

/** Writes the link whatever is there, and no state: then nothing says whose link it is. */
export function* writeLinkAlone(link: string): Steps<SectionEnd> {
  for (let round = 1; ; round += 1) {
    const seen = yield* read();
    const reply = yield { kind: 'write-link', seen, link };
    if (reply.kind === 'written')
      return { kind: 'done', reading: reply.reading, linkWritten: true };
    if (reply.kind !== 'stale') throw new Interruption(reply, 'write-link');
    if (round === MAX_ROUNDS) return busy(seen);
  }
}

/**
 * Reads a destination at the start of a run. A link that the state does not explain may be that of
 * a run that was interrupted or is still writing: then the claims with a higher number than the
 * state are read, too. Throws an `Interruption`.
 */
export function* readAtStart(
  store: { readonly can: StoreAbilities },
  isLaterAttempt: boolean,
): Steps<{ readonly reading: Reading; readonly claims: readonly NumberedClaim[] }> {
  let reading = yield* read();
  // Some stores know what they can do only after a reading.
  const { shows, guard } = store.can;
  // The claim of an earlier attempt says whether it has asked for an export. A store that shows
  // nothing of the link never shows that a run was interrupted: only a claim does.
  const needsClaims = isLaterAttempt || shows === 'nothing' || !explainsLink(reading.found);
  if (guard !== 'claims' || !needsClaims) return { reading, claims: [] };
  for (let pauses = 0; ; pauses += 1) {
    const { claims } = yield* listClaims(numberOf(reading.found));
    // The claims or the state say whose link it is. Without a job in the state, the link does not
    // count as changed: that is not a reason to wait.
    const hasAnswer = claims.length > 0 || explainsLink(reading.found);
    const namesNoJob = reading.found.record?.jobId === undefined;
    if (hasAnswer || namesNoJob || pauses === MAX_PAUSES) return { reading, claims };
    // Another run may have written link and state just now, and the state does not show yet.
    yield* pause();
    reading = yield* read();
  }
}
