import { type Hint, hasCode } from '../errors.ts';
import type { DoctorInputs } from '../inputs/inputs.ts';
import type { CheckResult } from '../stores/port.ts';
import { type Checks, type DoctorDeps, failed, ok, unknown } from './finding.ts';

const FIX: Hint = {
  text: 'Give the job these permissions:',
  permissions: { 'pull-requests': 'write', contents: 'read' },
};
const WRITES = 'Permission pull-requests: write';
const UNSEEN =
  'Whether the token may write reactions and the status comment is known only when a run writes them.';

/**
 * What the agent mode needs of GitHub: the token, and each permission that can be tried by reading.
 */
export async function* checkGitHub(
  { agent, githubToken }: DoctorInputs,
  { github }: DoctorDeps,
): Checks {
  if (agent === undefined) return;
  if (githubToken === undefined)
    return yield unknown('github-token', 'Not checked: it is missing or wrong.');
  const { repository } = github.run;
  const [owner = '', repo = ''] = repository.split('/');
  const octokit = await github.connect(githubToken);
  const token = { what: 'github-token', detail: `github-token reads ${repository}.` };
  const found = await tryRead(token, () =>
    octokit.request('GET /repos/{owner}/{repo}', { owner, repo }),
  );
  yield found;
  if (found.outcome === 'error') return;
  const forPulls = {
    what: 'Permission pull-requests',
    detail: 'github-token reads pull requests.',
  };
  yield tryRead(forPulls, () =>
    octokit.request('GET /repos/{owner}/{repo}/pulls', { owner, repo, per_page: 1 }),
  );
  const forContents = {
    what: 'Permission contents',
    detail: 'github-token reads when a branch was pushed to.',
  };
  const pushes = await tryRead(forContents, () =>
    octokit.request('GET /repos/{owner}/{repo}/activity', { owner, repo, per_page: 1 }),
  );
  // Without it a run continues, and cannot see whether the head was pushed after the command.
  yield pushes.outcome === 'error' ? { ...pushes, outcome: 'warning' } : pushes;
  yield unknown(WRITES, UNSEEN, FIX);
}

interface Trial {
  readonly what: string;
  /** What is said if the read succeeds. */
  readonly detail: string;
}

async function tryRead(
  { what, detail }: Trial,
  read: () => Promise<unknown>,
): Promise<CheckResult> {
  try {
    await read();
    return ok(what, detail);
  } catch (error) {
    const found = failed(what, error);
    return hasCode(error, 'unauthorized', 'forbidden', 'not-found')
      ? { ...found, fix: FIX }
      : found;
  }
}
