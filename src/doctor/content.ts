import { CourierError, type Hint } from '../errors.ts';
import type { DoctorInputs } from '../inputs/inputs.ts';
import { checkContent } from '../publish/content/content.ts';
import type { CheckResult } from '../stores/port.ts';
import {
  broken,
  type Checks,
  type DoctorDeps,
  failed,
  KEYS_PAGE,
  ok,
  unknown,
  warning,
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
    yield await updateFinding(deps, "Let the platform's GitHub App publish and make the previews.");
    const text = `Whether the platform knows project ${update.projectId}, and the key may publish it, is known only in a run: no request shows it without publishing.`;
    yield unknown('Project', text);
  }
  // A job that the step attaches to has its content already.
  if (exported === undefined || exported.exportJobId !== undefined) return;
  const { publish, publisher } = exported.content;
  if (publish === true) yield await updateFinding(deps, ALTERNATIVES);
  // Throws if a run on this event may not publish, or if its event says that publishing failed.
  checkContent(exported.content, deps.run);
  // The step says which content it wants, also with `publish: false`.
  if (publish !== undefined || publisher !== undefined) return;
  const detail =
    'publish is not set: an export has what is published, which may be older than the commit of the run.';
  const text = `Publish first; the id is on ${KEYS_PAGE}. Or write publish: false:`;
  const inputsToSet = { publish: 'true', 'project-id': '' };
  yield warning('Content of an export', detail, { text, inputs: inputsToSet });
}

/** What to do instead of `publish: true`. */
const ALTERNATIVES: Hint = {
  text: "Run the workflow on the event of the platform's GitHub App (input publisher), or export what is published already:",
  inputs: { publish: 'false' },
};

/** Whether the platform can publish on request. `instead`: what to do if it cannot. */
async function updateFinding(deps: DoctorDeps, instead: string | Hint): Promise<CheckResult> {
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
      return broken(what, 'This installation cannot publish on request.', instead);
    return failed(what, error);
  }
}
