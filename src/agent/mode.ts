import { holdsMarker } from '../comment/signed-line.ts';
import { readTrigger } from '../github/trigger.ts';
import { CourierError, configError } from '../ground/errors.ts';
import { plainLine } from '../ground/text/escape.ts';
import type { AgentInputs } from '../inputs/inputs.ts';
import { readAnswerInputs } from '../inputs/read-agent.ts';
import type { Deps, UnreadRun } from '../run/context.ts';
import { defineMode } from '../run/finish.ts';
import { runAgent } from './agent.ts';
import { sniff } from './command.ts';
import { answerFailure, failurePhase } from './failure-answer.ts';
import { connectRepository } from './session.ts';
import { type AgentFacts, agentPresentation } from './summary.ts';
import { seesFailure } from './trust.ts';

export const agentMode = defineMode({ run: runAgentMode, answerUnread, ...agentPresentation });

/** Runs the agent mode. On a schedule it also ends the status comments that killed runs left. */
export async function runAgentMode(
  inputs: AgentInputs,
  deps: Deps<AgentFacts>,
): Promise<AgentFacts> {
  const hasInstruction = inputs.prompt !== undefined || inputs.promptFile !== undefined;
  // A person has started the run and waits for the agent: an expression that gave nothing must not
  // look like success.
  if (deps.run.cause === 'manual' && !hasInstruction) {
    throw configError(
      'prompt is empty, and a run that is started manually has no comment, so there is no instruction. Nothing was sent.',
      { text: 'Give the instruction, or a template:', inputs: { prompt: '' } },
    );
  }
  const agentDeps = deps.run.kind === 'local' ? await withLocalRepository(deps) : deps;
  const facts = await runAgent(inputs, agentDeps);
  // No person waits for a scheduled run. After a cancellation, no request is sent any more.
  if (deps.run.cause === 'schedule' && !deps.signal.aborted) {
    const { endLeftoversOnSchedule } = await import('./leftovers.ts');
    await endLeftoversOnSchedule(inputs, agentDeps);
  }
  return facts;
}

/**
 * Answers a command in a run whose inputs are wrong: its author waits on the pull request.
 * Strangers get no answer.
 */
async function answerUnread(unread: UnreadRun): Promise<void> {
  // Only events of GitHub contain a comment.
  if (unread.run.kind !== 'github') return;
  const inputs = readAnswerInputs(unread.source);
  // Without a token nothing can be written, and with the input `prompt` no comment is a command.
  if (inputs === undefined) return;
  try {
    const payload = await unread.github.event();
    const trigger = readTrigger(unread.github.run.eventName, payload, 'comment');
    if (trigger.kind !== 'comment' || holdsMarker(trigger.body)) return;
    // Only the author of a command waits for an answer.
    if (sniff(trigger.body, inputs.command) !== 'command') return;
    const repo = await connectRepository(unread, inputs.githubToken);
    const conversation = { inputs, deps: unread, repo, trigger };
    if (await seesFailure(conversation)) {
      const phase = failurePhase(errorWithoutValues(unread.error));
      await answerFailure(conversation, phase);
    }
  } catch (fault) {
    if (!(fault instanceof CourierError)) throw fault;
    unread.log.debug(`The command could not be answered. ${fault.message}`);
  }
}

/** What the page shows of wrong inputs: no value, since GitHub masks secrets in logs only. */
function errorWithoutValues(error: unknown): unknown {
  // Of a bug, the page shows no message anyway.
  if (!(error instanceof CourierError)) return error;
  const inputNames = error.inputs.join(', ');
  const source = inputNames === '' ? 'An input or the configuration file' : `Input ${inputNames}`;
  return error.with({
    message: `The workflow is not set up correctly. ${source}: missing or wrong.`,
    hint: 'The log of the run says what to correct. After that, write the command in a new comment.',
  });
}

const OWNER_AND_NAME = /^[\w.-]+\/[\w.-]+$/;

/**
 * The dependencies of a run on a person's machine: the repository is the one that the folder is a
 * clone of. Throws `config` if the folder is not a clone of a repository on the server.
 */
async function withLocalRepository(deps: Deps<AgentFacts>): Promise<Deps<AgentFacts>> {
  const { localRepository } = await import('../ci/system.ts');
  const repository = await localRepository(deps.run);
  const run = deps.github.run;
  if (repository === undefined || !OWNER_AND_NAME.test(repository)) {
    throw configError(
      `Not sent: this folder is not a clone of a repository on ${plainLine(run.serverUrl, 100)} whose remote is called origin.`,
      'Run the command in a clone, or set the variable GITHUB_REPOSITORY to OWNER/NAME. For your own server, set GITHUB_SERVER_URL and GITHUB_API_URL too.',
    );
  }
  // As a run that is started manually: a person who has the keys may command.
  const here = { ...run, repository, eventName: 'workflow_dispatch' };
  return { ...deps, github: { ...deps.github, run: here } };
}
