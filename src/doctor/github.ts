import { ownerAndRepo } from '../github/connection.ts';
import { type Hint, hasCode } from '../ground/errors.ts';
import type { DoctorInputs } from '../inputs/inputs.ts';
import { type CheckResult, ok, unknown } from '../stores/port.ts';
import { type Checks, type DoctorDeps, failed } from './finding.ts';

const FIX: Hint = {
  text: 'Give the job these permissions:',
  permissions: { 'pull-requests': 'write', contents: 'read' },
};
const WRITE_PERMISSION = 'Permission pull-requests: write';
const WRITE_UNKNOWN =
  'Whether the token may write reactions and the status comment is known only when a run writes them.';

/** What mode `agent` needs of GitHub: the token, and each permission that a read can show. */
export async function* checkGitHub(inputs: DoctorInputs, deps: DoctorDeps): Checks {
  const { github } = deps;
  const { githubToken } = inputs;
  if (inputs.agent === undefined) return;
  if (githubToken === undefined)
    return yield unknown('github-token', 'Not checked: it is missing or wrong.');
  const { repository } = github.run;
  const parameters = ownerAndRepo(repository);
  const octokit = await github.connect(githubToken);
  const access = await tryRead('github-token', repository, () =>
    octokit.request('GET /repos/{owner}/{repo}', parameters),
  );
  yield access;
  // Without access to the repository, each further read would fail too.
  if (access.outcome === 'error') return;
  yield tryRead('Permission pull-requests', 'pull requests', () =>
    octokit.request('GET /repos/{owner}/{repo}/pulls', { ...parameters, per_page: 1 }),
  );
  const pushes = await tryRead('Permission contents', 'when a branch was pushed to', () =>
    octokit.request('GET /repos/{owner}/{repo}/activity', { ...parameters, per_page: 1 }),
  );
  // A warning: without this permission a run still works, but does not know whether the head was
  // pushed after the command.
  yield pushes.outcome === 'error' ? { ...pushes, outcome: 'warning' } : pushes;
  yield unknown(WRITE_PERMISSION, WRITE_UNKNOWN, FIX);
}

/** Reads something with the token. A refusal is a finding that names the permissions to give. */
async function tryRead(
  what: string,
  subject: string,
  read: () => Promise<unknown>,
): Promise<CheckResult> {
  try {
    await read();
    return ok(what, `github-token reads ${subject}.`);
  } catch (error) {
    const finding = failed(what, error);
    // GitHub answers 404 too for what the token may not read.
    if (hasCode(error, 'unauthorized', 'forbidden', 'not-found')) return { ...finding, fix: FIX };
    return finding;
  }
}
