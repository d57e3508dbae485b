import type { PullRequest } from '../github/pull-request.ts';
import type { PromptTrigger } from '../github/trigger.ts';
import { configError } from '../ground/errors.ts';
import { plainLine } from '../ground/text/escape.ts';
import type { AgentInputs } from '../inputs/inputs.ts';
import { readTemplate, type Template } from '../prompt/template.ts';
import type { FoundJob } from './find-job.ts';
import { type Session, skip, type Workplace } from './session.ts';

/**
 * Instructions by an event instead of a comment, such as a merge or a label: whether the event is
 * one that gives an instruction, and what the template says.
 */

/** Adding this label instructs with the template. */
const WANTED = 'docs';
/** A pull request with this label is left alone. */
const UNWANTED = 'no-docs';

/** More than a message has room for. */
const MAX_TEMPLATE_BYTES = 64 * 1024;

/**
 * Ends the run if the event gives no instruction: it takes a label away, or it is not one that a
 * template is sent on.
 */
export function checkEvent(trigger: PromptTrigger, inputs: AgentInputs): void {
  const change = trigger.change;
  if (change?.kind === 'unlabelled')
    throw skip('A label was removed, which is not an instruction.');
  // With the input `prompt`, the workflow chooses the events; only a template has its own.
  if (inputs.promptFile === undefined) return;
  // Any event but a merge, a label or a push: the workflow has chosen it for the template.
  if (change === undefined) return;
  if (change.kind === 'closed') throw skip('The pull request was closed without being merged.');
  if (change.kind === 'labelled' && change.label !== WANTED) {
    throw skip(
      `The label that instructs the agent is ${WANTED}; this event is about: ${plainLine(change.label, 60)}.`,
    );
  }
}

/**
 * The pull request of an event that names none: the merged one that a push belongs to. Throws
 * `config` if the push belongs to several, since a run sends one message, or if it is not a push.
 */
export async function findMerged(workplace: Workplace, trigger: PromptTrigger): Promise<number> {
  const { inputs, deps, repo } = workplace;
  const push = trigger.change;
  if (push?.kind !== 'pushed') {
    const input = inputs.promptFile === undefined ? 'prompt' : 'prompt-file';
    throw configError(`Not sent: ${input} is given, and the event names no pull request.`, {
      text: 'Say which pull request the prompt is about:',
      inputs: { 'pull-request': '' },
    });
  }
  if (push.isCut) {
    deps.log.warning(
      `Merged pull requests are looked up for the newest ${push.commits.length} commits of this push only; one that was merged by an earlier commit is not found.`,
    );
  }
  const merged = new Set<number>();
  for (const commit of push.commits) {
    // A commit can be part of pull requests to other branches, which this push did not merge.
    for (const pull of await repo.mergedPulls(commit))
      if (pull.base.ref === push.branch) merged.add(pull.number);
  }
  const numbers = [...merged];
  const first = numbers[0];
  if (first === undefined) throw skip('The push does not belong to a merged pull request.');
  if (numbers.length === 1) return first;
  throw configError(
    `This push merged ${numbers.length} pull requests (${numbers.map((number) => `#${number}`).join(', ')}), and a run sends one message. Nothing was sent.`,
    'Start the workflow when a pull request is closed, which makes a run for each of them:\non:\n  pull_request_target:\n    types: [closed]',
  );
}

/** Ends the run if the pull request's labels say that there is nothing to document. */
export function checkLabels(session: Session, pull: PullRequest): void {
  const trigger = session.trigger;
  // In a comment or by the input `prompt` a person instructs: labels count for templates only.
  if (trigger.kind !== 'prompt' || session.inputs.promptFile === undefined) return;
  // A person has chosen this pull request if the event is a writer's and changes none, such as a
  // manual start: then the label does not count.
  const isChosen = trigger.change === undefined && trigger.isFromWriter;
  if (!isChosen && pull.labels.includes(UNWANTED))
    throw skip(`The pull request has the label ${UNWANTED}.`);
  // By now, the label that the event is about may be gone, and with it the instruction.
  if (trigger.change?.kind === 'labelled' && !pull.labels.includes(WANTED)) {
    throw skip(`The label ${WANTED} was removed again.`);
  }
}

/**
 * Ends the run if the merged pull request is the agent's own: asked to document it, the agent would
 * make the next one, endlessly.
 */
export function checkOwnMerge(session: Session, job: FoundJob | undefined): void {
  const { trigger, inputs } = session;
  if (!job?.madeThisPull) return;
  // A person who instructs in a comment, by the input `prompt` or by a label wants one more.
  if (trigger.kind !== 'prompt' || inputs.promptFile === undefined) return;
  const change = trigger.change?.kind;
  if (change === 'merged' || change === 'pushed')
    throw skip("The merged pull request is the agent's own.");
}

/**
 * The instruction of a template, read from the default branch: the workspace may contain the files
 * of a stranger's pull request.
 */
export async function readTemplateFile(session: Session, path: string): Promise<Template> {
  const file = await session.repo.defaultFile(path, MAX_TEMPLATE_BYTES);
  if (file === undefined) {
    throw configError(
      `prompt-file: ${plainLine(path, 200)} is not on the default branch, or the token may not read it. Nothing was sent.`,
      {
        text: 'Merge the file first, and give the job these permissions:',
        permissions: { 'pull-requests': 'write', contents: 'read' },
      },
    );
  }
  session.deps.log.info(`The template is ${plainLine(path, 200)} at commit ${file.commit}.`);
  return readTemplate(file.bytes, path);
}
