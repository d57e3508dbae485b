import * as z from 'zod/mini';
import { CourierError, hasCode } from '../errors.ts';
import { getJson } from '../github/client.ts';
import type { DoctorInputs } from '../inputs/inputs.ts';
import { AppReports } from '../publish/content/wait.ts';
import { broken, type Check, type DoctorDeps, failed, ok, unknown, warning } from './finding.ts';

/** An id that no update has: the reply shows whether the endpoint is there, and publishes nothing. */
const NO_UPDATE = 'docs-courier-doctor';
const COMMITS = 5;

/** Whether content can be published before an export: by request, and by what the platform's GitHub App reports. */
export async function checkContent({ export: link }: DoctorInputs, deps: DoctorDeps): Promise<Check[]> {
  if (link === undefined || link.exportJobId !== undefined) return [];
  const { content } = link;
  const update = await updateFinding(content.kind === 'trigger', deps);
  const { publisher, token } = content;
  const app = publisher === undefined || token === undefined ? undefined : await appFinding({ publisher, token }, deps);
  const found = [update, app].filter((check) => check !== undefined);
  return content.kind === 'off' ? [...found, advice(update, app)] : found;
}

async function updateFinding(isAsked: boolean, { platform }: DoctorDeps): Promise<Check> {
  const what = 'Publishing on request';
  try {
    await platform.getUpdateStatus(NO_UPDATE);
    return ok(what, 'The endpoint of updates answers.');
  } catch (error) {
    if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
    const { httpStatus } = error;
    if (httpStatus === 400) return ok(what, 'The endpoint of updates answers.');
    // A missing endpoint and an unknown update get the same status.
    if (httpStatus === 404)
      return unknown(
        what,
        'It answers 404, for an unknown update or a missing endpoint: only publish: trigger shows which.',
      );
    const fix = 'Use publish: wait, or the events of the GitHub App.';
    if (httpStatus === 405) return (isAsked ? broken : warning)(what, 'This installation cannot be asked.', fix);
    return isAsked ? failed(what, error) : warning(what, error.message, error.hint);
  }
}

const commits = z.array(z.object({ sha: z.string() }));

/** What the App made for the last commits of the default branch. */
async function appFinding(
  { publisher, token }: { readonly publisher: string; readonly token: string },
  { github }: DoctorDeps,
): Promise<Check> {
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
    const apps = new AppReports({ octokit, repository, publisher });
    const deployments = await apps.deployments();
    const reports = await Promise.all(last.map(({ sha }) => apps.of(sha, deployments)));
    const count = reports.filter(({ length }) => length > 0).length;
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

function advice(update: Check, app: Check | undefined): Check {
  const what = 'Content of an export';
  const detail = 'An export has what is published, which may be older than the commit of the run.';
  if (app?.outcome === 'ok') {
    return warning(what, detail, {
      text: 'Start on the events of the App, or wait for it:',
      inputs: { publish: 'wait' },
    });
  }
  const where = "the id is on the API keys page of the platform's dashboard";
  const inputs = { publish: 'trigger', 'project-id': '' };
  if (update.outcome === 'ok') return warning(what, detail, { text: `Publish first; ${where}:`, inputs });
  return unknown(what, detail, { text: `Try to publish first; ${where}:`, inputs });
}
