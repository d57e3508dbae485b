import type { CiRun } from '../ci/port.ts';
import { holdsMarker } from '../comment/signed-line.ts';
import { CourierError } from '../errors.ts';
import type { ForgeHost } from '../forges/port.ts';
import type { GitHub } from '../github/connection.ts';
import type { Http } from '../http/http.ts';
import type { AgentInputs } from '../inputs/inputs.ts';
import { readAnswerInputs } from '../inputs/read-agent.ts';
import type { Log } from '../log.ts';
import type { Deps, UnreadRun } from '../run/context.ts';
import { defineMode } from '../run/finish.ts';
import { plainLine } from '../text/escape.ts';
import { runAgent } from './agent.ts';
import { readCommand } from './command.ts';
import { answerFailure, failurePhase } from './failure-answer.ts';
import { type AgentRun, tokensOf } from './session.ts';
import { type AgentFacts, agentPresentation } from './summary.ts';
import { seesFailure } from './trust.ts';

export const agentMode = defineMode({ run: runAgentMode, answerUnread, ...agentPresentation });

/** Also ends, on a schedule, the status comments that killed runs left. */
export async function runAgentMode(inputs: AgentInputs, deps: Deps<AgentFacts>): Promise<AgentFacts> {
  const hasInstruction = inputs.prompt !== undefined || inputs.promptFile !== undefined;
  // A person has started the run and waits for the agent: an expression that gave nothing must not look like success.
  if (deps.run.cause === 'manual' && !hasInstruction) {
    throw new CourierError({
      code: 'config',
      message:
        'prompt is empty, and a run that is started manually has no comment, so there is no instruction. Nothing was sent.',
      hint: { text: 'Give the instruction, or a template:', inputs: { prompt: '' } },
    });
  }
  const agentDeps = { ...deps, ...(await connectForge(deps)) };
  const facts = await runAgent(inputs, agentDeps);
  if (deps.run.cause === 'schedule' && !deps.signal.aborted) {
    const { endLeftoversOnSchedule } = await import('./leftovers.ts');
    await endLeftoversOnSchedule(inputs, agentDeps);
  }
  return facts;
}

/** Who wrote a command waits on the pull request, whatever is wrong with the inputs. Strangers get nothing. */
async function answerUnread({ error, source, ...unread }: UnreadRun): Promise<void> {
  const { run, log, signal } = unread;
  const forge = isGitea(run) ? 'gitea' : 'github';
  const inputs = readAnswerInputs(source, { ...run.github, forge, run });
  if (inputs === undefined) return;
  try {
    const deps = { log, signal, ...(await connectForge(unread)) };
    const trigger = await deps.forge.trigger({ source: 'comment' });
    if (trigger.kind !== 'comment' || holdsMarker(trigger.body)) return;
    const command = readCommand(trigger.body, inputs.command);
    if (command.kind === 'none' || command.kind === 'near') return;
    const client = await deps.forge.connect(tokensOf(inputs));
    const conversation = { inputs, deps, forge: client, trigger, pullNumber: trigger.pull.number };
    if (await seesFailure(conversation)) await answerFailure(conversation, failurePhase(wrongInputs(error), false));
  } catch (fault) {
    if (!(fault instanceof CourierError)) throw fault;
    log.debug(`The command could not be answered. ${fault.message}`);
  }
}

/** What the page shows of wrong inputs: no value, since the forge masks secrets in logs only. */
function wrongInputs(error: unknown): unknown {
  if (!(error instanceof CourierError)) return error;
  const which = error.inputs.length === 0 ? 'An input or the configuration file' : `Input ${error.inputs.join(', ')}`;
  return error.with({
    message: `The workflow is not set up correctly. ${which}: missing or wrong.`,
    hint: 'The log of the run says what to correct. After that, write the command in a new comment.',
  });
}

function isGitea({ kind }: CiRun): boolean {
  return kind === 'gitea' || kind === 'forgejo';
}

interface Connection {
  readonly run: CiRun;
  readonly github: GitHub;
  readonly http: Http;
  readonly log: Log;
}

interface ForgeOfRun {
  readonly forge: ForgeHost;
  readonly run: AgentRun;
}

/** The forge of the run's CI system: only this file of agent mode knows which one that is. */
async function connectForge({ github, log, run, http }: Connection): Promise<ForgeOfRun> {
  switch (run.kind) {
    case 'gitea':
    case 'forgejo': {
      const { createGiteaHost } = await import('../forges/gitea/host.ts');
      const { serverUrl, repository, eventName } = run.github;
      const name = run.kind === 'gitea' ? 'Gitea' : 'Forgejo';
      const event = () => github.event();
      const forge = createGiteaHost({ name, serverUrl, repository, eventName, event, http, log });
      return { forge, run: giteaRun(run, http) };
    }
    case 'gitlab':
      throw new CourierError({
        code: 'config',
        message: 'Not sent: mode agent does not run in GitLab CI.',
        hint: 'All other modes run there.',
      });
    default: {
      const { createGitHubHost } = await import('../forges/github/host.ts');
      const isLocal = run.kind === 'local';
      const own = isLocal ? await localGitHub(github, run) : github;
      return { forge: createGitHubHost(own, log), run: githubRun(own, isLocal) };
    }
  }
}

function githubRun(github: GitHub, isLocal: boolean): AgentRun {
  const { serverUrl, repository, runId, runAttempt } = github.run;
  const attempts = () => import('../ci/github/earlier-attempts.ts');
  return {
    ...github.run,
    url: isLocal ? undefined : `${serverUrl}/${repository}/actions/runs/${runId}/attempts/${runAttempt}`,
    endsUnseen: false,
    isOver: async (id, token) => (await attempts()).isRunOver(github, id, token),
    outcomeOf: async (attempt, token) => (await attempts()).outcomeOfAttempt(github, attempt, token),
  };
}

function giteaRun(run: CiRun, http: Http): AgentRun {
  const { serverUrl, repository } = run.github;
  const attempts = () => import('../ci/gitea/earlier-attempts.ts');
  return {
    ...run.github,
    url: run.url ?? `${serverUrl}/${repository}/actions`,
    endsUnseen: true,
    isOver: async (id, token) => (await attempts()).isRunOver(run, id, token, http),
    outcomeOf: async (attempt, token) => (await attempts()).outcomeOfAttempt(run, attempt, token, http),
  };
}

/** GitHub from a person's own machine: the repository is that of the folder, `config` if it is not on GitHub. */
async function localGitHub(github: GitHub, run: CiRun): Promise<GitHub> {
  const { localRepository } = await import('../ci/system.ts');
  const repository = await localRepository(run);
  if (repository === undefined || !/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw new CourierError({
      code: 'config',
      message: `Not sent: this folder is not a clone of a repository on ${plainLine(github.run.serverUrl, 100)} whose remote is called origin.`,
      hint: 'Run the command in a clone, or set the variable GITHUB_REPOSITORY to OWNER/NAME. For your own server, set GITHUB_SERVER_URL and GITHUB_API_URL too.',
    });
  }
  return { ...github, run: { ...github.run, repository, eventName: 'workflow_dispatch' } };
}
