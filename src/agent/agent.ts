import { randomBytes } from 'node:crypto';
import { holdsMarker } from '../comment/signed-line.ts';
import type { OutsideText } from '../github/outside-texts.ts';
import type { PullRequest } from '../github/pull-request.ts';
import { AS_SHOWN } from '../github/repository-calls.ts';
import { type InstructionSource, readTrigger } from '../github/trigger.ts';
import { CourierError, configError, hasCode } from '../ground/errors.ts';
import { plainLine } from '../ground/text/escape.ts';
import type { AgentInputs } from '../inputs/inputs.ts';
import type { Instruction, Prompt } from '../prompt/compose.ts';
import type { PromptContext } from '../prompt/context.ts';
import type { Template } from '../prompt/template.ts';
import { nameOutsideTexts, plainInstruction } from '../prompt/workflow-text.ts';
import type { Write } from '../run/report.ts';
import { checkEvent, checkLabels, checkOwnMerge, findMerged, readTemplateFile } from './change.ts';
import { Claim } from './claim.ts';
import { NO_INSTRUCTION, readCommand, sniff } from './command.ts';
import { gatherContext } from './context.ts';
import { type Message, MessageDelivery } from './deliver.ts';
import { answerError, answerUnchecked, answerUnsent, showFailure, type Unsent } from './ending.ts';
import { type FoundJob, findJob } from './find-job.ts';
import { endLeftoversHere } from './leftovers.ts';
import {
  type AgentDeps,
  connectRepository,
  refuse,
  type Session,
  Stop,
  skip,
  tryTo,
} from './session.ts';
import type { StatusComment } from './status-comment.ts';
import type { AgentFacts } from './summary.ts';
import { checkAudience, checkNotEdited, checkPerson, checkPinnedHead } from './trust.ts';

/**
 * Takes an instruction to the agent job of a pull request: checks first, then the job, the prompt,
 * and one message, sent once. Whatever ends the run early is thrown, and shown on the page as far as
 * the command has come by then.
 */
export async function runAgent(inputs: AgentInputs, deps: AgentDeps): Promise<AgentFacts> {
  // Until a command is known, the page shows nothing.
  let answer: Answer = async () => {};
  try {
    return await carryOut(inputs, deps, (next) => {
      answer = next;
    });
  } catch (error) {
    await answer(error);
    // A Stop ends the run without an error. `skip` makes one for which there was nothing to do, and
    // the page shows nothing; `refuse` one whose reason the page shows, with `example` as the
    // command to write instead.
    if (!(error instanceof Stop)) throw error;
    const reason = plainLine(`${error.message} ${error.example ?? ''}`, 700);
    deps.log.notice(reason);
    return { status: error.status, reason, triggered: false };
  }
}

/** Shows on the page why the run ended before its work was done, to the people who may see that. */
type Answer = (error: unknown) => Promise<void>;

/** The steps of a command. `answerBy`: how an error is shown from now on. */
async function carryOut(
  inputs: AgentInputs,
  deps: AgentDeps,
  answerBy: (next: Answer) => void,
): Promise<AgentFacts> {
  // Whether the event may give a command is read without a request.
  const opened = await openSession(inputs, deps);
  deps.record({ repository: deps.github.run.repository, pullNumber: opened.pullNumber });
  answerBy((error) => answerUnchecked(opened, error));
  const { session: accepted, asker } = await checkAuthor(opened);
  answerBy((error) => answerError(accepted, error));
  const { session, claim, pull, comments } = await readClaims(accepted);
  // The usage sends nothing to the agent, so it is shown as often as a person asks for it.
  if (session.command.kind === 'help') {
    answerBy(async () => {});
    return help(session, claim.status);
  }
  // Checked before any other answer is written: it would say that the command has not been sent.
  const stop = await claim.reasonNotToSend();
  if (stop !== undefined) {
    // Writes only if no comment of the earlier run shows what became of the command.
    answerBy(() => showFailure(session, { kind: 'withheld', reason: stop.message }));
    throw stop;
  }
  const unsent = { session, claim, pull, comments, asker };
  answerBy((error) => answerUnsent(unsent, error));
  const message = await prepare(unsent);
  if (inputs.dryRun) return reportDryRun(session, message);
  const nextAction =
    message.job === undefined
      ? 'Creating a new agent job with the instruction.'
      : `Sending the instruction to agent job ${message.job.id}.`;
  deps.log.info(nextAction);
  const delivery = new MessageDelivery(session, claim, pull, message);
  answerBy((error) => delivery.showFailure(error));
  return delivery.run();
}

/**
 * Checks that this person may command, reads the command as the page shows it, and checks that the
 * workflow does not let everyone command. An event such as a schedule names no person.
 */
async function checkAuthor(opened: Session) {
  const { person, session } = await readAsPerson(opened);
  const { command, inputs, deps } = session;
  if (command.kind === 'near') {
    await answerNearCommand(session, command.seen);
    throw notACommand(inputs, command.seen);
  }
  await checkAudience(session);
  const asker = person?.login;
  deps.record({ asker });
  return { session, asker };
}

/** The person, who may command, and what the comment is by its page. */
async function readAsPerson(opened: Session) {
  try {
    const person = await checkPerson(opened);
    return { person, session: await readShownCommand(opened) };
  } catch (error) {
    const isCancelled = hasCode(error, 'cancelled');
    const isKnown = error instanceof Stop || error instanceof CourierError;
    if (opened.command.kind !== 'near' || isCancelled || !isKnown) throw error;
    // The comment only mentions the command, so a failure to read it does not fail the run.
    opened.deps.log.info(error.message);
    throw notACommand(opened.inputs, opened.command.seen);
  }
}

function notACommand(inputs: AgentInputs, seen: string): Stop {
  return skip(
    `"${seen}" is not a command here: a comment that is one begins with exactly ${inputs.command}.`,
  );
}

/**
 * Reads the comment as its page shows it, and the command in it. A comment that was edited or
 * deleted stays what its source may be: `checkNotEdited` ends the run.
 */
async function readShownCommand(session: Session): Promise<Session> {
  const { trigger, repo, inputs, command } = session;
  if (trigger.kind !== 'comment') return session;
  const comment = await repo.textNow(trigger);
  const isSame = comment?.body === trigger.body;
  if (!isSame && command.kind === 'near') throw notACommand(inputs, command.seen);
  if (comment === undefined || !isSame) return { ...session, comment };
  // Loaded here: a comment that is not a command needs none of it.
  const { readShown } = await import('../prompt/shown/read.ts');
  const shown = readCommand(readShown({ ...comment, isInstruction: true }), inputs.command);
  if (shown.kind === 'none') throw skip(`The comment does not begin with ${inputs.command}.`);
  return { ...session, comment, command: shown };
}

/**
 * Reads the pull request, and whether an earlier run has sent the command: then a comment of ours
 * has its claim, which is a signed record of that.
 */
async function readClaims(opened: Session) {
  const pull = await opened.repo.pullRequest(opened.pullNumber);
  // The subject is in the id of a command that no comment gives: `Claim` reads it.
  const session = { ...opened, subject: subjectOf(opened, pull) };
  // A label can say that there is nothing to document.
  checkLabels(session, pull);
  const comments = await session.repo.comments(pull.number, AS_SHOWN);
  const claim = await Claim.open(session, comments);
  // A run that was killed left its status comment unfinished, so this run makes it final.
  await endLeftoversHere(session, claim.records.all);
  return { session, claim, pull, comments };
}

/** Finds the job and makes the prompt, if the command can be carried out on this pull request. */
async function prepare(unsent: Unsent): Promise<Message> {
  const { session, claim, pull } = unsent;
  await checkNotEdited(session);
  checkPull(session, pull);
  await checkPinnedHead(session, pull);
  // Before these checks, the instruction could have been meant for another head.
  session.deps.record({ commit: pull.head.sha });
  const job = await findJob(session, pull, claim.records);
  // Asked to document its own merged pull request, the agent would make the next, endlessly.
  checkOwnMerge(session, job);
  return composeMessage(unsent, job);
}

/**
 * Makes the message: the instruction, and what is known about the pull request. Refuses an
 * instruction that cannot be sent as readers of the page see it.
 */
async function composeMessage(unsent: Unsent, job: FoundJob | undefined): Promise<Message> {
  const { session, asker } = unsent;
  const read = await readInstruction(session);
  const context = await gatherContext({ ...unsent, ...read, text: read.instruction.text, job });
  const composeWith = await createCompose(session, context, asker);
  const prompt = composeWith(read.instruction);
  // Sentences about the texts whose authors may not be quoted.
  const withheld = context.leftOut;
  session.deps.record({ promptBytes: prompt.bytes, removedCharacters: prompt.removed, withheld });
  if (prompt.instruction.trim() === '') throw refuse('The instruction has no visible text.');
  checkLength(session, prompt);
  const notSent = describeNotSent(read.instruction);
  for (const warning of [notSent, describeUnknown(prompt)])
    if (warning !== '') session.deps.log.warning(warning);
  unsent.claim.status.addToView({
    notSent,
    withheld,
    asker,
    instruction: prompt.instruction,
    commit: unsent.pull.head.sha,
    // If the platform does not show the job, its id alone is known.
    job: job?.jobBeforeMessage ?? job,
  });
  // `compose` makes the same message again, smaller. A new job is created with the instruction
  // alone: for it, `compose` makes the second message, which has what is known.
  const composed = job === undefined ? plainInstruction(FOLLOW_UP) : read.instruction;
  return { job, prompt, compose: (limitBytes) => composeWith(composed, limitBytes) };
}

/**
 * Answers a comment that was most likely meant as a command, once per pull request. It is by a
 * person who may command.
 */
async function answerNearCommand(session: Session, firstWord: string): Promise<void> {
  // The comment is not a command, so a failure to answer it does not fail the run.
  await tryTo(session.deps, 'Writing the hint', async () => {
    const claim = await Claim.open(session, await session.repo.comments(session.pullNumber));
    await claim.writeHint(session.inputs.command, firstWord);
  });
}

/** The instruction, the names of values in it, and the texts of the event that were in it. */
interface ReadInstruction {
  readonly instruction: Instruction;
  readonly names: Template['names'];
  readonly outside: readonly OutsideText[];
}

/** Reads the instruction. One of the workflow is on no page: only invisible characters go. */
async function readInstruction(session: Session): Promise<ReadInstruction> {
  const { command, trigger, inputs } = session;
  // With the input prompt-file, a comment still gives its own instruction.
  if (trigger.kind === 'comment') {
    // `help` was answered before, and a wrong command refused.
    const { text, unseen } = command.kind === 'instruction' ? command : NO_INSTRUCTION;
    return { instruction: { text, ...unseen }, names: [], outside: [] };
  }
  if (inputs.promptFile !== undefined) {
    const { text, names } = await readTemplateFile(session, inputs.promptFile);
    return { instruction: plainInstruction(text), names, outside: [] };
  }
  const { text, found } = nameOutsideTexts(inputs.prompt ?? '', trigger.outside);
  const instruction = plainInstruction(text);
  if (found.length === 0) return { instruction, names: [], outside: [] };
  // They may be the workflow's own words, which the agent now gets as data.
  session.deps.record({ eventTexts: found.map(({ name }) => name) });
  if (instruction.text.replace(/\{\{[\w.-]+\}\}/g, '').trim() === '') {
    throw configError(
      'Not sent: prompt has only a text of the event, which is not an instruction.',
      {
        text: 'Write what the agent is to do with it, or use a template:',
        inputs: { 'prompt-file': '' },
      },
    );
  }
  return { instruction, names: [], outside: found };
}

/** Says which part of the instruction the agent does not get; empty if it gets all of it. */
function describeNotSent({ removed }: Instruction): string {
  if (removed.length === 0) return '';
  return `Not sent, because readers of the page do not see it: ${removed.join(', ')}.`;
}

/** Names what of the quoted texts cannot be read; empty if all can. */
function describeUnknown({ unknown }: Prompt): string {
  if (unknown.length === 0) return '';
  const names = plainLine(unknown.join(', '), 300);
  return `Left out of the quoted texts, since it cannot be read as text: ${names}.`;
}

/** Refuses an instruction that does not fit into a message as a whole. */
function checkLength(session: Session, prompt: Prompt): void {
  if (prompt.tooLong === undefined) return;
  const bytes = prompt.tooLong.bytes.toLocaleString('en-US');
  const mostBytes = prompt.tooLong.mostBytes.toLocaleString('en-US');
  const problem = `The instruction has ${bytes} bytes; a message has room for ${mostBytes}. Nothing was sent.`;
  const advice =
    'Shorten it, or put the long part into a file of the pull request and name that file.';
  if (session.trigger.kind === 'comment') throw refuse(`${problem} ${advice}`);
  // The instruction is in the workflow, so the error is one of its inputs.
  const input = session.inputs.promptFile === undefined ? 'prompt' : 'prompt-file';
  throw configError(`${input}: ${problem}`, advice);
}

/** The text of the second message to a new job, whose first message was the instruction itself. */
const FOLLOW_UP =
  'This message adds what is known about the pull request that your first instruction is about. Carry out that instruction with it.';

/** Where the instruction comes from. */
function sourceOf(inputs: AgentInputs): InstructionSource {
  if (inputs.prompt !== undefined) return 'prompt';
  if (inputs.promptFile === undefined) return 'comment';
  return 'template';
}

/**
 * Reads the event, and the command in it. Throws a Stop if there is no command, before anything
 * else is loaded or requested.
 */
async function openSession(inputs: AgentInputs, deps: AgentDeps): Promise<Session> {
  const payload = await deps.github.event();
  const trigger = readTrigger(deps.github.run.eventName, payload, sourceOf(inputs));
  if (trigger.kind === 'none') throw skip(trigger.reason);
  const command = commandOf(trigger, inputs);
  // An event without a comment may give no instruction, such as the removal of a label.
  if (trigger.kind === 'prompt') checkEvent(trigger, inputs);
  const repo = await connectRepository(deps, inputs.githubToken);
  const opened = { inputs, deps, repo, trigger, command };
  if (trigger.kind === 'comment') return { ...opened, pullNumber: trigger.pull.number };
  const pullNumber = inputs.pullRequest ?? trigger.pullNumber;
  if (pullNumber !== undefined) return { ...opened, pullNumber };
  // A push does not name the pull request that it merged.
  return { ...opened, pullNumber: await findMerged(opened, trigger) };
}

/**
 * What the comment of the event may be, by its source. Throws a Stop if it is not a command, and if
 * it is ours, also if the instruction is an input: each answer would cause the next run.
 */
function commandOf(trigger: Session['trigger'], inputs: AgentInputs): Session['command'] {
  // `trigger.text`: with the instruction in an input, the event may be about a comment too.
  const body = trigger.kind === 'comment' ? trigger.body : trigger.text;
  if (body !== undefined && holdsMarker(body)) throw skip('Docs Courier wrote the comment.');
  if (trigger.kind !== 'comment') return NO_INSTRUCTION;
  switch (sniff(trigger.body, inputs.command)) {
    case 'none':
      throw skip(`The comment does not begin with ${inputs.command}.`);
    case 'near':
      return { kind: 'near', seen: inputs.command };
    case 'command':
      return NO_INSTRUCTION;
  }
}

/**
 * The merge or label that a template is sent about: once, whichever run reports it first.
 * undefined: the instruction belongs to this run alone.
 */
function subjectOf(session: Session, pull: PullRequest): string | undefined {
  const trigger = session.trigger;
  // A comment is carried out once as a comment, and the input `prompt` in each run.
  if (trigger.kind === 'comment' || session.inputs.promptFile === undefined) return undefined;
  // The event is about no merge or label, such as a manual start.
  if (trigger.change === undefined) return undefined;
  // A label on a later head is about other changes, so it counts as another one.
  if (!pull.merged) return `label:${pull.number}:${pull.head.sha}`;
  // GitHub may not name the merge commit.
  return `merge:${pull.number}:${pull.mergeCommit ?? pull.head.sha}`;
}

/** Answers the command `help` with the usage. */
async function help(session: Session, status: StatusComment): Promise<AgentFacts> {
  const command = session.inputs.command;
  await status.show({ kind: 'help', command });
  const reason = `Usage: ${command} INSTRUCTION, at the beginning of a comment on a pull request.`;
  session.deps.log.info(reason);
  return { status: 'completed', reason, triggered: false };
}

/**
 * Ends the run if the command is wrong, or the pull request is locked or closed. A merged one takes
 * instructions from inputs only, such as the template about a merge.
 */
function checkPull(session: Session, pull: PullRequest): void {
  if (session.command.kind === 'wrong') throw refuse(session.command.reason);
  if (pull.locked) throw refuse('The pull request is locked.');
  const isMergeToDocument = session.trigger.kind === 'prompt' && pull.merged;
  if (pull.state === 'closed' && !isMergeToDocument) throw refuse('The pull request is closed.');
}

/** Gives a function that composes a prompt with this context. */
async function createCompose(session: Session, context: PromptContext, asker: string | undefined) {
  // Loaded here: a comment that is not a command needs none of it.
  const [compose, { readShown }, credentials] = await Promise.all([
    import('../prompt/compose.ts'),
    import('../prompt/shown/read.ts'),
    import('../prompt/credentials.ts'),
  ]);
  const inputs = session.inputs;
  const init = {
    asker: describeAsker(session, asker),
    context,
    read: readShown,
    // The admin key stands apart: by its prefix, other keys of the platform are hidden as well.
    redact: credentials.createCredentialRedact(inputs.adminApiKey, [
      inputs.githubToken,
      // Empty if the documentation is not searched: there is no such key to hide.
      inputs.relatedDocs?.assistantApiKey ?? '',
    ]),
    // A mark before and after the data in the prompt. It is random, so that no author of the data
    // can write it and so end the data early.
    createBoundary: () => randomBytes(16).toString('hex'),
  };
  return (instruction: Instruction, limitBytes?: number) =>
    compose.composePrompt({ ...init, instruction, limitBytes });
}

/** Tells the agent whose instruction it is; it stands between "It comes from" and "and". */
function describeAsker(session: Session, asker: string | undefined): string {
  if (asker !== undefined) return `${asker}, who may command here,`;
  const workflow = plainLine(session.deps.github.run.workflow, 100);
  // On a person's machine there is no workflow.
  if (workflow === '') return 'someone who may command here';
  return `the workflow ${workflow}`;
}

/** What a dry run reports: the prompt, and what a real run would write. */
function reportDryRun(session: Session, message: Message): AgentFacts {
  const { inputs, deps, trigger } = session;
  const prompt = message.prompt;
  deps.log.block('The prompt:', prompt.text);
  const planned: Write[] = [];
  const add = (action: string, target: string) => planned.push({ action, target });
  // GitHub has no reactions to the text of a review.
  if (trigger.kind === 'comment' && trigger.place !== 'review')
    add('react to the comment', trigger.url);
  const { apiUrl, repository } = deps.github.run;
  const pullUrl = `${apiUrl}/repos/${repository}/issues/${session.pullNumber}`;
  if (session.subject !== undefined) add('react to the pull request', `POST ${pullUrl}/reactions`);
  if (inputs.statusComment) add('write the status comment', `POST ${pullUrl}/comments`);
  const createCall = `POST ${inputs.baseUrl}/v2/agent/${inputs.projectId}/job`;
  if (message.job === undefined) add('create a new agent job with the instruction', createCall);
  // NEW stands for the id that the created job would get.
  const id = message.job?.id ?? 'NEW';
  add(`send ${prompt.bytes} bytes to agent job ${id}`, `${createCall}/${id}/message`);
  return { status: 'completed', triggered: false, planned, prompt: prompt.text };
}
