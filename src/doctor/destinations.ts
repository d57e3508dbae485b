import type { DoctorInputs, ExportInputs, RefreshInputs, RollbackInputs } from '../inputs/inputs.ts';
import { makeStores, openDestinations } from '../publish/destinations.ts';
import type { Delivery } from '../publish/state/delivery.ts';
import type { LinkStore } from '../stores/port.ts';
import { formatInstant } from '../text/markdown.ts';
import { broken, type Check, type DoctorDeps, failed, ok, unknown, warning } from './finding.ts';

/** The destinations of the link with their rights, and their states. */
export async function checkDestinations(inputs: DoctorInputs, deps: DoctorDeps): Promise<Check[]> {
  const link = inputs.rollback ?? inputs.refresh ?? inputs.export;
  if (link?.to === undefined) return [];
  const { to } = link;
  const what = 'Destination of the link';
  const rows: Check[] = [];
  for (const store of await makeStores(to, deps)) {
    const checks = await checkStore(store);
    rows.push(...checks.map((check) => ({ ...check, what: `${store.names.destination}: ${check.what}` })));
  }
  if (rows.some(({ outcome }) => outcome === 'error')) {
    return [...rows, unknown('State', 'Not read, since the destination of the link would fail.')];
  }
  try {
    const needsState = link.mode !== 'export' && link.exportJobId === undefined;
    const delivery = await openDestinations({ ...link, to, needsState }, { ...deps, record: () => {} });
    const planned = delivery.plan().map(({ target }) => target);
    return [ok(what, `${planned.join(' and ')}: can be reached.`), ...rows, stateFinding(link, delivery)];
  } catch (error) {
    return [failed(what, error), ...rows];
  }
}

/** What a run proves about a store before it starts, and what it would read then. */
async function checkStore(store: LinkStore): Promise<readonly Check[]> {
  const { link, state } = store.names;
  try {
    const rows = await store.preflight();
    const { stateError } = await store.read();
    if (stateError === undefined) return rows;
    const lost = `${stateError.message} Without the state, an export cannot be resumed, and mode: refresh fails.`;
    return [...rows, warning(state, lost, stateError.hint)];
  } catch (error) {
    return [failed(link, error)];
  }
}

function stateFinding(link: ExportInputs | RefreshInputs | RollbackInputs, delivery: Delivery): Check {
  const what = 'State';
  const { state, ignored, changed } = delivery;
  if (changed !== undefined) {
    return warning(what, changed, 'Run an export, or name the right job with export-job-id.');
  }
  if (ignored !== undefined) {
    const fix = 'The next export writes a new one. Check who else writes it.';
    return warning(what, `It is ignored because ${ignored}.`, fix);
  }
  if (state?.jobId === undefined) {
    if (link.mode === 'export' || link.exportJobId !== undefined)
      return ok(what, 'There is none yet; an export writes it.');
    const fix = { text: 'Run an export first, or name its job:', inputs: { 'export-job-id': '' } };
    if (link.mode === 'rollback') return broken(what, 'There is none yet, so there is nothing to go back to.', fix);
    if (link.ifNoState === 'skip') return warning(what, 'There is none yet: a refresh is skipped until then.', fix);
    return broken(what, 'There is none yet, so a refresh fails.', fix);
  }
  const { jobId, expiresAt } = state;
  const until = expiresAt === undefined ? '' : `, works until ${formatInstant(new Date(expiresAt))}`;
  return ok(what, `The stored link is of export job ${jobId}${until}.`);
}
