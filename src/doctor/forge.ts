import * as z from 'zod/mini';
import { CourierError, type Hint, hasCode } from '../errors.ts';
import { GiteaForge } from '../forges/gitea/forge.ts';
import { rankTokenHint } from '../forges/gitea/ranks.ts';
import { GiteaApi } from '../gitea/api.ts';
import type { AgentInputs, DoctorInputs } from '../inputs/inputs.ts';
import { broken, type Check, type DoctorDeps, failed, ok, unknown, warning } from './finding.ts';

const PERMISSIONS_FIX: Hint = {
  text: 'Give the job these permissions:',
  permissions: { 'pull-requests': 'write', checks: 'read' },
};

/** What the agent mode needs of GitHub, or of Gitea: the token, and each permission that can be tried by reading. */
export async function checkGitHub(inputs: DoctorInputs, deps: DoctorDeps): Promise<Check[]> {
  const { agent, githubToken } = inputs;
  const { github } = deps;
  if (agent === undefined) return [];
  if (deps.run.kind === 'gitea' || deps.run.kind === 'forgejo') {
    return checkGitea(agent, deps);
  }
  if (githubToken === undefined) return [unknown('github-token', 'Not checked: it is missing or wrong.')];
  const { run } = github;
  const [owner = '', repo = ''] = run.repository.split('/');
  const fix = PERMISSIONS_FIX;
  try {
    const octokit = await github.connect(githubToken);
    const found = await tryRead({ what: 'github-token', detail: `github-token reads ${run.repository}.`, fix }, () =>
      octokit.rest.repos.get({ owner, repo }),
    );
    if (found.outcome === 'error') return [found];
    return [
      found,
      await tryRead({ what: 'Permission pull-requests', detail: 'github-token reads pull requests.', fix }, () =>
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

interface Trial {
  readonly what: string;
  /** What is said where the read succeeds. */
  readonly detail: string;
  /** undefined: what the error itself advises. */
  readonly fix?: Hint | undefined;
}

async function tryRead({ what, detail, fix }: Trial, read: () => Promise<unknown>): Promise<Check> {
  try {
    await read();
    return ok(what, detail);
  } catch (error) {
    if (!hasCode(error, 'unauthorized', 'forbidden', 'not-found')) return failed(what, error);
    return fix === undefined ? failed(what, error) : broken(what, error.message, fix);
  }
}

/** Without it a run continues, and cannot see whether the head was pushed after the command. */
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

/** What agent mode needs of Gitea or Forgejo: what its tokens may, as far as reading shows it. */
async function checkGitea(agent: AgentInputs, deps: DoctorDeps): Promise<Check[]> {
  const { run, http, log } = deps;
  const { serverUrl, repository } = run.github;
  const tokens = { main: agent.githubToken, ranks: agent.rankToken };
  const forge = new GiteaForge({ name: 'Gitea', serverUrl, repository, tokens, http, log, signal: undefined });
  const reads = await tryRead({ what: 'github-token', detail: `github-token reads ${repository}.` }, () =>
    forge.isPublic(),
  );
  if (reads.outcome === 'error') return [reads];
  return [
    reads,
    await tryRead({ what: 'Author of comments', detail: 'github-token names its account.' }, () => forge.whoWeAre()),
    await rankFinding(agent, deps),
    unknown(
      'Permission pull-requests: write',
      'Whether reactions and the status comment may be written shows only when they are.',
      'Give the job the permission pull-requests: write.',
    ),
  ];
}

const repositoryReply = z.object({ permissions: z.optional(z.object({ admin: z.boolean() })) });

/** The server says what its account may do; only an administrator may ask that about others. */
async function rankFinding({ rankToken, githubToken }: AgentInputs, { run, http }: DoctorDeps): Promise<Check> {
  const what = 'secret-token';
  const { serverUrl, repository } = run.github;
  const fix = rankTokenHint(rankToken !== undefined);
  try {
    const path = ['repos', ...repository.split('/')];
    const api = new GiteaApi(http, serverUrl, rankToken ?? githubToken);
    const { permissions } = await api.read({ method: 'GET', path }, repositoryReply);
    return permissions?.admin === true
      ? ok(what, `It may ask what people may do in ${repository}.`)
      : broken(what, `Who may command cannot be looked up: its account is not an administrator of ${repository}.`, fix);
  } catch (error) {
    if (!hasCode(error, 'unauthorized', 'forbidden', 'not-found')) return failed(what, error);
    return broken(what, error.message, fix);
  }
}
