import { checkSecretEvent } from '../ci/github-actions/write-events.ts';
import type { SecretInputs } from '../inputs/inputs.ts';
import type { Write } from '../report/report.ts';
import { workflowTokenError } from '../store/github/advice.ts';
import { targetName } from '../store/github/scope.ts';
import { openSecret } from '../store/github/secret.ts';
import { type Delivered, deliverLink } from './deliver-link.ts';
import type { DeliveryContext, DeliveryDeps, DeliveryInit } from './scope.ts';
import { createExportNote, type ExportNote } from './started-export.ts';
import { decideResume, type ReadState, type Resume, variableName } from './state.ts';
import { openStateBook } from './stored-state.ts';
import type { DeliveryFacts } from './summary.ts';

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
