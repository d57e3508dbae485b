import * as z from 'zod/mini';
import { hasCode } from '../errors.ts';
import { rankTokenHint } from '../forges/gitea/advice.ts';
import { GiteaForge } from '../forges/gitea/forge.ts';
import { GiteaApi } from '../gitea/api.ts';
import type { AgentInputs } from '../inputs/inputs.ts';
import { broken, type Check, failed, ok, unknown } from './finding.ts';
import type { DoctorDeps } from './summary.ts';

/** What agent mode needs of Gitea or Forgejo: what its tokens may, as far as reading shows it. */
export async function checkGitea(agent: AgentInputs, deps: DoctorDeps): Promise<Check[]> {
  const { run, http, log } = deps;
  const { serverUrl, repository } = run.github;
  const tokens = { main: agent.githubToken, ranks: agent.rankToken };
  const forge = new GiteaForge({ name: 'Gitea', serverUrl, repository, tokens, http, log, signal: undefined });
  const reads = await tryRead('github-token', `github-token reads ${repository}.`, () => forge.isPublic());
  if (reads.outcome === 'error') return [reads];
  return [
    reads,
    await tryRead('Author of comments', 'github-token says which account it belongs to.', () => forge.whoWeAre()),
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
      : broken(what, `Who may command cannot be looked up: its account is no administrator of ${repository}.`, fix);
  } catch (error) {
    if (!hasCode(error, 'unauthorized', 'forbidden', 'not-found')) return failed(what, error);
    return broken(what, error.message, fix);
  }
}

async function tryRead(what: string, detail: string, read: () => Promise<unknown>): Promise<Check> {
  try {
    await read();
    return ok(what, detail);
  } catch (error) {
    if (!hasCode(error, 'unauthorized', 'forbidden', 'not-found')) return failed(what, error);
    return broken(what, error.message, error.hint);
  }
}
