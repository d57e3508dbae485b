import { openSecret } from '../github/secret.ts';
import { checkSecretEvent } from '../github/secret-event.ts';
import { workflowTokenError } from '../github/setting-error.ts';
import { targetName } from '../github/setting-scope.ts';
import type { SecretInputs } from '../inputs.ts';
import type { DeliveryFacts } from '../report/delivery-summary.ts';
import type { Write } from '../report/report.ts';
import { decideResume, type ReadState, type Resume, variableName } from '../state.ts';
import type { DeliveryContext, DeliveryDeps, DeliveryInit } from './delivery/context.ts';
import { type Delivered, deliverLink } from './delivery/deliver-link.ts';
import { createExportNote, type ExportNote } from './delivery/export-note.ts';
import { openStateBook } from './delivery/state-book.ts';

/** The deployment's secret and the state beside it, checked before anything starts. */
export interface Delivery extends ExportNote {
  readonly state: ReadState;
  /** What a re-run does about the export of an earlier attempt. */
  resume(): Resume;
  /** Writes the link into the secret, and job and expiry beside it. */
  deliver(delivered: Delivered): Promise<DeliveryFacts>;
  /** What `deliver` would write, for a dry run. */
  plan(): Write[];
}

/**
 * Reads all that a later write needs: the event, the token, the public key, the secret as it is, the state. A token that
 * cannot reach them fails here, within a second, and not after half an hour of exporting.
 */
export async function openDelivery(init: DeliveryInit, deps: DeliveryDeps): Promise<Delivery> {
  const { secret, domain } = init;
  const { github, clock, signal } = deps;
  await checkSecretEvent(github);
  refuseWorkflowToken(secret);
  const octokit = await github.connect(secret.token);
  const place = { octokit, target: secret.target, name: secret.name };
  const store = await openSecret({ ...place, clock, signal });
  const book = await openStateBook({ ...init, place: { ...place, access: store.access } }, deps);
  const found = book.found.kind === 'believed' ? book.found.state : undefined;
  const context: DeliveryContext = { init, deps, store, book, found };
  return {
    state: book.found,
    resume: () => decideResume({ state: found, run: github.run, domain }),
    ...createExportNote(context),
    deliver: (delivered) => deliverLink(context, delivered),
    plan: () => planDelivery(context),
  };
}

function refuseWorkflowToken({ token, workflowToken, target }: SecretInputs): void {
  if (token === workflowToken) throw workflowTokenError(target);
}

function planDelivery({ init, book }: DeliveryContext): Write[] {
  const { name, target } = init.secret;
  const where = targetName(target);
  const secret = { action: 'write the link', target: `secret ${name} of ${where}` };
  const state = { action: 'write the state', target: `variable ${variableName(name)} of ${where}` };
  return book.isKept ? [secret, state] : [secret];
}
