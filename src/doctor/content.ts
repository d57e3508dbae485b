import { CourierError } from '../ground/errors.ts';
import type { DoctorInputs } from '../inputs/inputs.ts';
import { targetOf } from '../publish/update/target.ts';
import { checkContent, confirmReport } from '../steps/content/content.ts';
import { assertMayForce } from '../steps/guard/guard.ts';
import { type CheckResult, ok, unknown, warning } from '../stores/port.ts';
import {
  attemptCheck,
  broken,
  type Checks,
  type DoctorDeps,
  failed,
  KEYS_PAGE,
} from './finding.ts';

/**
 * An id that no update has. Asking for it publishes nothing, and the reply shows whether the
 * platform has the endpoint.
 */
const NO_UPDATE = 'docs-courier-doctor';

/** Whether the platform can publish before an export, and whether the step asks for it. */
export async function* checkPublishing(inputs: DoctorInputs, deps: DoctorDeps): Checks {
  // The inputs of mode `publish`, and below the input `publish` of an export.
  const { export: exported, publish: update } = inputs;
  if (update !== undefined) {
    yield await updateFinding(deps);
    const text = `Whether the platform knows project ${update.projectId}, and the key may publish it, is known only in a run: no request shows it without publishing.`;
    const event = await attemptCheck('Event', () => {
      const target = targetOf(update.branch, deps.run);
      if ('skip' in target) return warning('Event', `The run is skipped: ${target.skip}.`);
      return unknown('Project', text);
    });
    // The same inputs may be those of mode `agent`, which runs on other events.
    const mayBeOther = inputs.agent !== undefined && event.outcome === 'error';
    if (mayBeOther) yield { ...event, outcome: 'warning' };
    else yield event;
  }
  // A site that is there already has nothing to publish.
  if (exported === undefined || exported.from !== undefined) return;
  const { publish, publisher } = exported.content;
  if (publish) yield await updateFinding(deps);
  // Each throws what would end a run on this event.
  if (exported.force) assertMayForce(deps.run);
  checkContent(exported.content, deps.run);
  await confirmReport(exported.content, deps);
  // A job that the step attaches to has its content already; else the step may say which content it
  // wants, also with `publish: false`.
  if ((exported.exportJobId ?? publish ?? publisher) !== undefined) return;
  const detail =
    'publish is not set: an export has what is published, which may be older than the commit of the run.';
  const text = `Publish first; the id is on ${KEYS_PAGE}. Or write publish: false:`;
  const fix = { text, inputs: { publish: 'true', 'project-id': '' } };
  yield warning('Content of an export', detail, fix);
}

/** Whether the site that `from` names can be taken. */
export async function* checkGiven(inputs: DoctorInputs, deps: DoctorDeps): Checks {
  const from = inputs.export?.from;
  if (from === undefined) return;
  const { GivenSite } = await import('../site/given/given.ts');
  const site = await GivenSite.open(from, deps.run, deps.signal);
  yield ok('Site', `${site.name} can be taken.`);
}

/** What to do if the platform cannot publish on request. */
const INSTEAD =
  "Let the platform's GitHub App publish. An export then runs on its event (input publisher), or with publish: false.";

/** Whether the platform can publish on request. */
async function updateFinding(deps: DoctorDeps): Promise<CheckResult> {
  const what = 'Publishing on request';
  const isThere = ok(what, 'The endpoint of updates answers.');
  try {
    await deps.platform.getUpdateStatus(NO_UPDATE);
    return isThere;
  } catch (error) {
    const status = error instanceof CourierError ? error.httpStatus : undefined;
    // The endpoint is there: it refuses the id.
    if (status === 400) return isThere;
    // A missing endpoint and an unknown update get the same status.
    if (status === 404)
      return unknown(what, 'It answers 404, for an unknown update or a missing endpoint.');
    // The address takes no such request: the endpoint is missing.
    if (status === 405)
      return broken(what, 'This installation cannot publish on request.', INSTEAD);
    return failed(what, error);
  }
}
