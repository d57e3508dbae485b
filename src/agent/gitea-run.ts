import type { CiRun } from '../ci/port.ts';
import type { Http } from '../http/http.ts';
import type { AgentRun } from './session.ts';

/** A run of Gitea or Forgejo, as agent mode needs to know it. */
export function giteaRun(run: CiRun, http: Http): AgentRun {
  const { runId, runAttempt, job, workflow, serverUrl, repository } = run.github;
  return {
    runId,
    runAttempt,
    job,
    workflow,
    url: run.url ?? `${serverUrl}/${repository}/actions`,
    endsUnseen: true,
    isOver: async (id, token) => {
      const { isRunOver } = await import('../ci/gitea/earlier-attempts.ts');
      return isRunOver(run, id, token, http);
    },
    outcomeOf: async (attempt, token) => {
      const { outcomeOfAttempt } = await import('../ci/gitea/earlier-attempts.ts');
      return outcomeOfAttempt(run, attempt, token, http);
    },
  };
}
