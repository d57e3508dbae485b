import { runAgent } from '../../../src/modes/agent/agent.ts';
import { connectForge } from '../../../src/modes/agent/mode.ts';
import type { AgentFacts } from '../../../src/modes/agent/summary.ts';
import { makeAgentInputs } from '../make-inputs.ts';
import { type Outcome, type RunOptions, runToEnd } from '../world/run.ts';
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

/** A run of agent mode in process, with the run that the runner of Gitea describes. */
export function runOnGitea(init: GiteaRunInit): Promise<Outcome<AgentFacts>> {
  const { world, url, repository, eventName, payload, run, inputs, signal, clock } = init;
  const full = makeAgentInputs({
    baseUrl: world.platform.url,
    githubToken: init.token,
    rankToken: init.rankToken,
    ...inputs,
  });
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
  const options: RunOptions = {
    run: context,
    eventName,
    payload,
    signal,
    clock,
    env: { GITEA_ACTIONS: 'true', GITHUB_RUN_NUMBER: init.runNumber },
  };
  const depsFor = world.deps<AgentFacts>(options);
  return runToEnd(async (deps) => {
    const here = { ...deps, run: { ...deps.run, kind: 'gitea', url: `${url}/${repository}/actions/runs/1` } as const };
    return runAgent(full, await connectForge(here));
  }, depsFor);
}
