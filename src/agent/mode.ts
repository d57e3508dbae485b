import { CourierError } from '../errors.ts';
import type { GitHub } from '../github/connection.ts';
import type { AgentInputs } from '../inputs/inputs.ts';
import type { Deps } from '../run/context.ts';
import { defineMode } from '../run/finish.ts';
import { runAgent } from './agent.ts';
import type { AgentDeps, AgentRun } from './session.ts';
import { type AgentFacts, agentPresentation } from './summary.ts';

export const agentMode = defineMode({
  run: async (inputs: AgentInputs, deps: Deps<AgentFacts>) => {
    const facts = await runAgent(inputs, await connectForge(deps));
    if (deps.run.cause === 'schedule' && !deps.signal.aborted) {
      const { endLeftoversOnSchedule } = await import('./scheduled.ts');
      await endLeftoversOnSchedule(inputs, inputs.githubToken, deps);
    }
    return facts;
  },
  ...agentPresentation,
});

/** The forge of the run's CI system: the only place of agent mode that knows which one that is. */
export async function connectForge({ github, log, ...deps }: Deps<AgentFacts>): Promise<AgentDeps> {
  const { run, http } = deps;
  switch (run.kind) {
    case 'gitea':
    case 'forgejo': {
      const [{ GiteaHost }, { giteaRun }] = await Promise.all([
        import('../forges/gitea/host.ts'),
        import('./gitea-run.ts'),
      ]);
      const { serverUrl, repository, eventName } = run.github;
      const name = run.kind === 'gitea' ? 'Gitea' : 'Forgejo';
      const event = () => github.event();
      const forge = new GiteaHost({ name, serverUrl, repository, eventName, event, http, log });
      return { ...deps, log, forge, run: giteaRun(run, http) };
    }
    case 'gitlab':
      throw new CourierError({
        code: 'config',
        message: 'Mode agent does not run in GitLab CI. Nothing was sent.',
        hint: 'The modes export, refresh, search and doctor run there.',
      });
    case 'local': {
      const [{ GitHubHost }, { localGitHub }] = await Promise.all([
        import('../forges/github/host.ts'),
        import('./local-run.ts'),
      ]);
      const local = await localGitHub(github, run);
      return { ...deps, log, forge: new GitHubHost(local, log), run: { ...runOf(local), url: undefined } };
    }
    default: {
      const { GitHubHost } = await import('../forges/github/host.ts');
      return { ...deps, log, forge: new GitHubHost(github, log), run: runOf(github) };
    }
  }
}

function runOf(github: GitHub): AgentRun {
  const { serverUrl, repository, runId, runAttempt, job, workflow } = github.run;
  return {
    runId,
    runAttempt,
    job,
    workflow,
    url: `${serverUrl}/${repository}/actions/runs/${runId}/attempts/${runAttempt}`,
    endsUnseen: false,
    isOver: async (id, token) => {
      const { isRunOver } = await import('../ci/github/earlier-attempts.ts');
      return isRunOver(github, id, token);
    },
    outcomeOf: async (attempt, token) => {
      const { outcomeOfAttempt } = await import('../ci/github/earlier-attempts.ts');
      return outcomeOfAttempt(github, attempt, token);
    },
  };
}
