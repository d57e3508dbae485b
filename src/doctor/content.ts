import { CourierError, type Hint, hasCode } from '../errors.ts';
import type { DoctorInputs } from '../inputs/inputs.ts';
import { makesDeployments } from '../publish/content/commits.ts';
import type { CheckResult } from '../stores/port.ts';
import { publisherOf } from '../values/values.ts';
import { broken, type Checks, type DoctorDeps, failed, KEYS_PAGE, ok, unknown, warning } from './finding.ts';

/** An id that no update has: the reply shows whether the endpoint is there, and publishes nothing. */
const NO_UPDATE = 'docs-courier-doctor';

/** Whether content can be published before an export: by request, or by a run on the event of the platform's GitHub App. */
export async function* checkPublishing({ export: link }: DoctorInputs, deps: DoctorDeps): Checks {
  if (link === undefined || link.exportJobId !== undefined) return;
  const { publish, publisher, token } = link.content;
  if (publisher !== undefined) yield await appFinding(publisherOf(publisher).slug, token, deps);
  if (publish === true) yield await updateFinding(deps);
  if (publish === undefined && publisher === undefined) {
    const detail =
      'publish is not set: an export has what is published, which may be older than the commit of the run.';
    const text = `Publish first; the id is on ${KEYS_PAGE}. Or write publish: false:`;
    yield warning('Content of an export', detail, { text, inputs: { publish: 'true', 'project-id': '' } });
  }
}

const ALTERNATIVES: Hint = {
  text: "Run the workflow on the event of the platform's GitHub App (input publisher), or export what is published already:",
  inputs: { publish: 'false' },
};

async function updateFinding({ platform }: DoctorDeps): Promise<CheckResult> {
  const what = 'Publishing on request';
  const there = ok(what, 'The endpoint of updates answers.');
  try {
    await platform.getUpdateStatus(NO_UPDATE);
    return there;
  } catch (error) {
    const status = error instanceof CourierError ? error.httpStatus : undefined;
    if (status === 400) return there;
    // A missing endpoint and an unknown update get the same status.
    if (status === 404) return unknown(what, 'It answers 404, for an unknown update or a missing endpoint.');
    if (status !== 405) return failed(what, error);
    return broken(what, 'This installation cannot publish on request.', ALTERNATIVES);
  }
}

/** Which event of the App a workflow runs on. */
async function appFinding(app: string, token: string | undefined, { github }: DoctorDeps): Promise<CheckResult> {
  const what = `GitHub App ${app}`;
  try {
    const makes = await makesDeployments({ app, token }, github);
    if (makes) return ok(what, 'It makes deployments: run the workflow on deployment_status.');
    const fix = 'Check publisher. If it is right, and the App makes check runs, run the workflow on check_run.';
    return warning(what, 'None of the newest deployments of the repository was made by it.', fix);
  } catch (error) {
    if (!hasCode(error, 'forbidden')) return failed(what, error);
    return { ...failed(what, error), outcome: 'warning' };
  }
}
