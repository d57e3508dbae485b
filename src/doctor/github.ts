import { CourierError, type Hint, hasCode } from '../errors.ts';
import type { DoctorInputs } from '../inputs/inputs.ts';
import { broken, type Check, failed, ok, unknown, warning } from './finding.ts';
import type { DoctorDeps } from './summary.ts';

const PERMISSIONS_FIX: Hint = {
  text: 'Give the job these permissions:',
  permissions: { 'pull-requests': 'write', checks: 'read' },
};

/** What the agent mode needs of GitHub, or of the forge in its place: the token, and each permission that can be tried by reading. */
export async function checkGitHub(inputs: DoctorInputs, deps: DoctorDeps): Promise<Check[]> {
  const { agent, githubToken } = inputs;
  const { github } = deps;
  if (agent === undefined) return [];
  if (deps.run.kind === 'gitea' || deps.run.kind === 'forgejo') {
    const { checkGitea } = await import('./gitea.ts');
    return checkGitea(agent, deps);
  }
  if (githubToken === undefined) return [unknown('github-token', 'Not checked: it is missing or wrong.')];
  const { run } = github;
  const [owner = '', repo = ''] = run.repository.split('/');
  try {
    const octokit = await github.connect(githubToken);
    const found = await tryRead('github-token', `reads ${run.repository}`, () =>
      octokit.rest.repos.get({ owner, repo }),
    );
    if (found.outcome === 'error') return [found];
    return [
      found,
      await tryRead('Permission pull-requests', 'reads pull requests', () =>
        octokit.rest.pulls.list({ owner, repo, per_page: 1 }),
      ),
      await checksFinding(() => octokit.rest.checks.listSuitesForRef({ owner, repo, ref: run.sha, per_page: 1 })),
      unknown(
        'Permission pull-requests: write',
        'Whether reactions and the status comment may be written shows only when they are.',
        PERMISSIONS_FIX,
      ),
    ];
  } catch (error) {
    return [failed('GitHub', error)];
  }
}

async function tryRead(what: string, does: string, read: () => Promise<unknown>): Promise<Check> {
  try {
    await read();
    return ok(what, `github-token ${does}.`);
  } catch (error) {
    if (!hasCode(error, 'unauthorized', 'forbidden', 'not-found')) return failed(what, error);
    return broken(what, error.message, PERMISSIONS_FIX);
  }
}

/** Without it a run goes on, and cannot see whether the head was pushed after the command. */
async function checksFinding(read: () => Promise<unknown>): Promise<Check> {
  const what = 'Permission checks';
  try {
    await read();
    return ok(what, 'github-token reads the checks of a commit.');
  } catch (error) {
    if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
    return warning(what, error.message, PERMISSIONS_FIX);
  }
}
