import { runAgentMode } from '../../../src/agent/mode.ts';
import type { AgentFacts } from '../../../src/agent/summary.ts';
import { makeAgentInputs } from '../make-inputs.ts';
import { type Outcome, type RunDeps, type RunOptions, runToEnd } from '../world/run.ts';
import type { World } from '../world.ts';
import type { AgentRunOptions } from './site.ts';

interface GiteaRunInit extends AgentRunOptions {
  readonly world: World;
  /** The server. */
  readonly url: string;
  readonly repository: string;
  readonly eventName: string;
  readonly payload: object;
  /** Of the job. */
  readonly token: string;
  /** May ask what people may do. */
  readonly rankToken: string;
  readonly runId: string;
  readonly runNumber: string;
}

/** What `main` passes to a mode in a job of Gitea. */
function giteaDeps(init: GiteaRunInit): (record: (facts: Partial<AgentFacts>) => void) => RunDeps<AgentFacts> {
  const { world, url, repository, eventName, payload, run, signal, clock } = init;
  const context = {
    repository,
    job: 'instruct',
    actor: 'bob',
    serverUrl: url,
    apiUrl: `${url}/api/v1`,
    runnerName: 'tests',
    runId: init.runId,
    ...run,
  };
  const env = { GITEA_ACTIONS: 'true', GITHUB_RUN_NUMBER: init.runNumber };
  const options: RunOptions = { run: context, eventName, payload, signal, clock, env };
  const depsFor = world.deps<AgentFacts>(options);
  return (record) => {
    const deps = depsFor(record);
    return {
      ...deps,
      run: {
        ...deps.run,
        kind: 'gitea',
        cause: eventName === 'schedule' ? 'schedule' : deps.run.cause,
        url: `${url}/${repository}/actions/runs/1`,
      },
    };
  };
}

/** A run of agent mode in process, as the runner of Gitea describes it. */
export function runOnGitea(init: GiteaRunInit): Promise<Outcome<AgentFacts>> {
  const { world, inputs, token, rankToken } = init;
  const full = makeAgentInputs({ baseUrl: world.platform.url, githubToken: token, rankToken, ...inputs });
  return runToEnd((deps) => runAgentMode(full, deps), giteaDeps(init));
}
