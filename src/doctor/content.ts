import * as z from 'zod/mini';
import { CourierError, hasCode } from '../errors.ts';
import { getJson } from '../github/client.ts';
import type { DoctorInputs } from '../inputs/inputs.ts';
import { AppReports } from '../publish/content/app.ts';
import type { CheckResult } from '../stores/port.ts';
import { publisherOf } from '../values/values.ts';
import { broken, type Checks, type DoctorDeps, failed, KEYS_PAGE, ok, unknown, warning } from './finding.ts';

/** An id that no update has: the reply shows whether the endpoint is there, and publishes nothing. */
const NO_UPDATE = 'docs-courier-doctor';
const COMMITS = 5;

/** Whether content can be published before an export: by request, and by what the platform's GitHub App reports. */
export async function* checkPublishing({ export: link }: DoctorInputs, deps: DoctorDeps): Checks {
  if (link === undefined || link.exportJobId !== undefined) return;
  const { kind, publisher, token } = link.content;
  const update = await updateFinding(kind === 'trigger', deps);
  yield update;
  const app = publisher === undefined || token === undefined ? undefined : await appFinding({ publisher, token }, deps);
  if (app !== undefined) yield app;
  if (kind === 'off') yield advice(update, app);
}

async function updateFinding(isAsked: boolean, { platform }: DoctorDeps): Promise<CheckResult> {
  const what = 'Publishing on request';
  const there = ok(what, 'The endpoint of updates answers.');
  try {
    await platform.getUpdateStatus(NO_UPDATE);
    return there;
  } catch (error) {
    const found = failed(what, error);
    const status = error instanceof CourierError ? error.httpStatus : undefined;
    if (status === 400) return there;
    if (status === 404) {
      // A missing endpoint and an unknown update get the same status.
      const detail = 'It answers 404, for an unknown update or a missing endpoint: only publish: trigger shows which.';
      return unknown(what, detail);
    }
    const outcome = isAsked ? 'error' : 'warning';
    if (status !== 405) return { ...found, outcome };
    const fix = 'Use publish: wait, or the events of the GitHub App.';
    return { what, outcome, detail: 'This installation cannot publish on request.', fix };
  }
}

const commits = z.array(z.object({ sha: z.string() }));

/** What the App made for the last commits of the default branch. */
async function appFinding(
  { publisher, token }: { readonly publisher: string; readonly token: string },
  { github, clock }: DoctorDeps,
): Promise<CheckResult> {
  const what = `GitHub App ${publisher}`;
  const { repository } = github.run;
  const [owner, repo] = repository.split('/');
  try {
    const octokit = await github.connect(token);
    const last = await getJson(
      octokit,
      'GET /repos/{owner}/{repo}/commits',
      { owner, repo, per_page: COMMITS },
      commits,
    );
    const app = new AppReports({ octokit, repository, publisher: publisherOf(publisher) });
    await app.assertOneSite(clock.now());
    const count = await app.countReported(last.map(({ sha }) => sha));
    if (count > 0)
      return ok(what, `It reports ${count} of the last ${last.length} commits; the permissions are there.`);
    const fix = 'Check publisher, and that the App is installed on this repository. Otherwise use publish: trigger.';
    return warning(what, `It reports none of the last ${last.length} commits of the default branch.`, fix);
  } catch (error) {
    if (!hasCode(error, 'forbidden', 'not-found')) return failed(what, error);
    const text = 'Give the job these permissions:';
    const permissions = { checks: 'read', contents: 'read', deployments: 'read' } as const;
    return broken(what, error.message, { text, permissions });
  }
}

function advice(update: CheckResult, app: CheckResult | undefined): CheckResult {
  const what = 'Content of an export';
  const detail = 'An export has what is published, which may be older than the commit of the run.';
  if (app?.outcome === 'ok') {
    const text = 'Start on the events of the App, or wait for it:';
    return warning(what, detail, { text, inputs: { publish: 'wait' } });
  }
  const isThere = update.outcome === 'ok';
  const text = `${isThere ? 'Publish' : 'Try to publish'} first; the id is on ${KEYS_PAGE}:`;
  return (isThere ? warning : unknown)(what, detail, { text, inputs: { publish: 'trigger', 'project-id': '' } });
}
