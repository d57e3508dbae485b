import type { StateRecord } from '../delivery/state.ts';
import { toCourierError } from '../ground/errors.ts';
import type { Work } from '../ground/log.ts';
import { formatDuration, formatInstant, writeDuration } from '../ground/text/amounts.ts';
import { readTime } from '../ground/text/instants.ts';
import type { RefreshInputs } from '../inputs/inputs.ts';
import type { PublishFacts } from './summary.ts';

const MINUTE_MS = 60_000;

/**
 * Warns of a link that works for less time than `refresh-before`, so that each run renews it, or
 * than the time since the last one was written: readers have none in between. `state`: that before
 * this run.
 */
export function warnOfShortLife(
  expiresAt: Date | undefined,
  state: StateRecord | undefined,
  { inputs, clock, log }: Pick<Work, 'clock' | 'log'> & { readonly inputs: RefreshInputs },
): void {
  if (expiresAt === undefined || state === undefined) return;
  const nowMs = clock.now();
  const lifeMs = expiresAt.getTime() - nowMs;
  const pauseMs = nowMs - (readTime(state.written?.at) ?? nowMs);
  const why: string[] = [];
  if (lifeMs < inputs.refreshBeforeMs)
    why.push(`refresh-before is ${writeDuration(inputs.refreshBeforeMs)}, so each run renews it`);
  if (lifeMs < pauseMs)
    why.push(`the last one was written ${formatDuration(pauseMs)} ago, so it had expired`);
  if (why.length === 0) return;
  // The link was made a moment ago.
  const life = formatDuration(Math.ceil(lifeMs / MINUTE_MS) * MINUTE_MS);
  log.warning(
    `The link works for ${life} only: ${why.join('; ')}. Run the refresh more often than every ${life}, or the link is dead between two runs.`,
  );
}

/** The error of a refresh that has written nothing, with the time until which readers have a link. */
export function withStoredLink(thrown: unknown, facts: PublishFacts, nowMs: number): unknown {
  const error = toCourierError(thrown);
  const expiryMs = readTime(facts.storedLinkExpiresAt);
  const isWriting = facts.stage === 'writing' || facts.stage === 'written';
  if (expiryMs === undefined || isWriting) return error;
  const when = formatInstant(new Date(expiryMs));
  const works = expiryMs > nowMs ? `works until ${when}` : `stopped working at ${when}`;
  return error.with({ message: `${error.message}\nThe stored link ${works}.` });
}
