import { CourierError } from '../errors.ts';
import type { BundleLink } from '../platform/link.ts';
import { targetName } from '../store/github/scope.ts';
import { type DeliveryContext, runIds, stateFrame } from './scope.ts';
import { type State, variableName } from './state.ts';
import type { DeliveryFacts } from './summary.ts';

export interface Delivered {
  readonly jobId: string;
  readonly link: BundleLink;
}

/** Writes the link into the secret, and job and expiry beside it. */
export async function deliverLink(context: DeliveryContext, delivered: Delivered): Promise<DeliveryFacts> {
  const { book, init } = context;
  const stored = await readStored(context, delivered);
  const state = nextState(context, delivered, stored);
  const before = stateBefore(state, stored);
  if (before !== undefined) await writeState(context, before, 'the secret still holds the earlier link');
  await writeSecret({ context, delivered, stored, before });
  if (before !== state) {
    tellSecret(context, { updated: true, stateWritten: false });
    const variable = variableName(init.secret.name);
    const meaning = `the secret holds the new link, but ${variable} does not tell how long it lives: the next refresh comes too early, which does no harm`;
    await writeState(context, state, meaning);
  }
  return tellSecret(context, { updated: true, stateWritten: book.isKept });
}

async function readStored({ book }: DeliveryContext, { jobId }: Delivered): Promise<State | undefined> {
  try {
    return await book.readAgain();
  } catch (error) {
    throw withMeaning(error, `Nothing was written. The export is not lost: attach to it with export-job-id: ${jobId}.`);
  }
}

function nextState(context: DeliveryContext, { jobId, link }: Delivered, stored: State | undefined): State {
  const own = { ...runIds(context), state: 'done', jobId } as const;
  const run = context.init.mode === 'refresh' ? stored?.run : own;
  return { ...stateFrame(context), jobId, expiresAt: link.expiresAt?.toISOString(), run };
}

/**
 * What the state must say before the secret is written, so that a crash between the two makes a refresh come too early, never
 * too late, and never with an earlier export than the secret holds. undefined: what it says already.
 */
function stateBefore(state: State, stored: State | undefined): State | undefined {
  if (expiresEarlier(state, stored)) return state;
  return stored?.jobId === state.jobId ? undefined : { ...state, expiresAt: undefined };
}

function expiresEarlier({ expiresAt }: State, stored: State | undefined): boolean {
  if (stored?.expiresAt === undefined) return false;
  return expiresAt === undefined || Date.parse(expiresAt) < Date.parse(stored.expiresAt);
}

async function writeState({ book }: DeliveryContext, state: State, meaning: string): Promise<void> {
  try {
    await book.write(state);
  } catch (error) {
    throw withMeaning(error, `The state was not written: ${meaning}.`);
  }
}

interface SecretWrite {
  readonly context: DeliveryContext;
  readonly delivered: Delivered;
  readonly stored: State | undefined;
  readonly before: State | undefined;
}

async function writeSecret({ context, delivered, stored, before }: SecretWrite): Promise<void> {
  const { store, init, deps } = context;
  const { jobId, link } = delivered;
  try {
    await store.write(link.url);
    deps.log.info(`Wrote the link to secret ${init.secret.name} of ${targetName(init.secret.target)}.`);
  } catch (error) {
    tellSecret(context, { updated: false, stateWritten: false, reason: 'the write failed' });
    const isCertain = error instanceof CourierError && hasNotActed(error);
    if (isCertain && before !== undefined) await putBack(context, stored);
    const holds = isCertain
      ? 'The secret still holds what it held before.'
      : 'The secret holds the former link or the new one; the next refresh writes it once more.';
    throw withMeaning(
      error,
      `${holds} The export is not lost: attach to it with export-job-id: ${jobId}, which starts no second export.`,
    );
  }
}

// After a cut, a 5xx, or a write that was accepted and does not show, nobody knows what the secret holds.
function hasNotActed({ code, mayHaveStarted }: CourierError): boolean {
  return !mayHaveStarted && code !== 'cancelled' && code !== 'integrity';
}

/** Best effort: a state that names this job already makes the next refresh hand it on, which is no harm. */
async function putBack(context: DeliveryContext, stored: State | undefined): Promise<void> {
  try {
    await context.book.write(stored ?? stateFrame(context));
  } catch (error) {
    if (!(error instanceof CourierError)) throw error;
    context.deps.log.debug(`The state was not put back: ${error.message}`);
  }
}

/** Tells what has become of the secret so far, and returns it. */
function tellSecret(
  { init, book, deps }: DeliveryContext,
  facts: Pick<DeliveryFacts, 'updated' | 'stateWritten' | 'reason'>,
): DeliveryFacts {
  const { name, target } = init.secret;
  const noState = book.isKept ? undefined : `without ${variableName(name)}: the token may not write variables`;
  const secret = { ...facts, name, target: targetName(target), reason: facts.reason ?? noState };
  deps.tell({ secret });
  return secret;
}

function withMeaning(error: unknown, meaning: string): unknown {
  if (!(error instanceof CourierError) || error.code === 'cancelled') return error;
  const { code, message, hint, httpStatus, retryAfterMs } = error;
  return new CourierError({ code, message: `${message} ${meaning}`, hint, cause: error, httpStatus, retryAfterMs });
}
