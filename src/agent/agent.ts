import { randomBytes } from 'node:crypto';
import { holdsMarker } from '../comment/signed-line.ts';
import { CourierError } from '../errors.ts';
import type { PullRequest } from '../forges/port.ts';
import type { AgentInputs } from '../inputs/inputs.ts';
import type { Prompt } from '../prompt/compose.ts';
import type { PromptContext } from '../prompt/context.ts';
import { describeRemoved } from '../prompt/shown/removed.ts';
import type { TemplateName } from '../prompt/template.ts';
import { plainLine } from '../text/escape.ts';
import { checkChange, checkOwnMerge, checkWanted, findMerged, readInstruction } from './change.ts';
import { readCommand } from './command.ts';
import { gatherContext } from './context.ts';
import { type Compose, Delivery } from './deliver.ts';
import { type FoundJob, findJob, type NewJob } from './find-job.ts';
import { endLeftoversHere } from './leftovers.ts';
import { type AgentDeps, isStop, refuse, type Session, type Stop, skip, tokensOf } from './session.ts';
import { StatusComment } from './status-comment.ts';
import type { AgentFacts } from './summary.ts';
import { checkAudience, checkPerson, checkPinnedHead, checkSameText, seesDenial } from './trust.ts';

/** Takes an instruction to the agent job of a pull request: checks first, then the job, the prompt, and one message, sent once. */
export async function runAgent(inputs: AgentInputs, deps: AgentDeps): Promise<AgentFacts> {
  const opened = await open(inputs, deps);
  if (isStop(opened)) return stopped(opened, deps);
  deps.record({ repository: deps.forge.repository, pullNumber: opened.pullNumber });
  if (opened.command.kind === 'near') return hint(opened, opened.command.seen);
  await checkAudience(opened);
  const person = await checkPerson(opened);
  if (isStop(person)) return deny(opened, person);
  if (person !== undefined) deps.record({ asker: person.login });

  const { forge } = opened;
  const pull = await forge.pullRequest(opened.pullNumber);
  const session = withSubject(opened, pull);
  const unwanted = await checkWanted(session, pull);
  if (unwanted !== undefined) return stopped(unwanted, deps);
  const comments = await forge.comments(pull.number);
  const status = await StatusComment.open(session, comments);
  await endLeftoversHere(session, status.records);
  if (session.command.kind === 'help') return help(session, status);
  // Before any answer is written: an answer says that the command was not sent so far.
  const done = await status.earlier();
  if (done !== undefined) return stopped(done, deps);
  const edited = await checkSameText(session);
  if (edited !== undefined)
    return edited.status === 'skipped' ? stopped(edited, deps) : answer(session, status, edited);
  const closed = checkPull(session, pull) ?? (await checkPinnedHead(session, pull));
  if (closed !== undefined) return answer(session, status, closed);
  deps.record({ commit: pull.head.sha });

  const job = await findJob(session, pull, status);
  if (isStop(job)) return answer(session, status, job);
  const own = checkOwnMerge(session, job.madeThis);
  if (own !== undefined) return stopped(own, deps);
  if (job.kind === 'job') {
    const agentStatus = job.before && plainLine(job.before.status, 40);
    deps.record({ agentJobId: job.id, jobOrigin: job.origin, agentStatus });
  }
  const { text: instruction, names } = await instructionOf(session);
  const context = await gatherContext({ session, pull, comments, madeThis: job.madeThis, instruction, names });
  if (isStop(context)) return answer(session, status, context);
  const composeWith = await prepare(session, context, person?.login);
  const compose: Compose = (limitBytes) => composeWith(instruction, limitBytes);
  const prompt = compose();
  deps.record({ promptBytes: prompt.bytes, removedCharacters: prompt.removed });
  const invisible = checkVisible(session, prompt);
  if (invisible !== undefined) return answer(session, status, invisible);
  if (inputs.dryRun) return plan(session, job, prompt);
  const notSent =
    prompt.lost.length === 0
      ? undefined
      : `Not sent, because ${deps.forge.name} does not show it: ${describeRemoved(prompt.lost)}.`;
  if (notSent !== undefined) deps.log.warning(notSent);
  status.know({
    notSent,
    asker: person?.login,
    instruction: prompt.instruction,
    commit: pull.head.sha,
    job: shownJob(job),
  });
  deps.log.info(
    job.kind === 'job'
      ? `Sending the instruction to agent job ${job.id}.`
      : 'Making a new agent job with the instruction.',
  );
  const later: Compose = (limitBytes) => composeWith(FOLLOWS, limitBytes);
  const end = await new Delivery(session, status, pull).run(job, prompt, job.kind === 'job' ? compose : later);
  return isStop(end) ? stopped(end, deps) : end;
}

function shownJob(job: FoundJob | NewJob) {
  return job.kind === 'job' ? (job.before ?? { id: job.id }) : undefined;
}

/** A Stop where the forge does not show the instruction: readers of the page could not see what the agent was asked. */
function checkVisible({ trigger, deps }: Session, { unclosed, instruction }: Prompt): Stop | undefined {
  if (unclosed === undefined) {
    return instruction.trim() === '' ? refuse('Nothing of the instruction can be seen on the page.') : undefined;
  }
  const again = trigger.kind === 'comment' ? ', and write the command in a new comment' : '';
  return refuse(
    `The tag ${unclosed.tag} in line ${unclosed.line}, column ${unclosed.column} of the instruction is never closed, so ${deps.forge.name} shows nothing of what follows it. Close it, or put it between backticks${again}.`,
  );
}

/** Instead of the instruction, which a new job has as its first prompt. */
const FOLLOWS =
  'This message adds what is known about the pull request that your first instruction is about. Carry out that instruction with it.';

async function instructionOf(session: Session): Promise<{ text: string; names: readonly TemplateName[] }> {
  const { trigger, inputs, command } = session;
  if (trigger.kind === 'prompt' && inputs.promptFile !== undefined) return readInstruction(session, inputs.promptFile);
  return { text: command.kind === 'instruction' ? command.text : '', names: [] };
}

/** What happened, and whether it is a command at all. Without a command nothing else is loaded, and no request is made. */
async function open(inputs: AgentInputs, deps: AgentDeps): Promise<Session | Stop> {
  const source = inputs.prompt !== undefined ? 'prompt' : inputs.promptFile !== undefined ? 'template' : 'comment';
  const trigger = await deps.forge.trigger({ source });
  if (trigger.kind === 'none') return skip(trigger.reason);
  if (holdsMarker((trigger.kind === 'comment' ? trigger.body : trigger.text) ?? ''))
    return skip('Docs Courier wrote the comment.');
  const command =
    trigger.kind === 'comment'
      ? readCommand(trigger.body, inputs.command)
      : ({ kind: 'instruction', text: inputs.prompt ?? '', jobId: undefined, sha: undefined } as const);
  if (command.kind === 'none') return skip(`The comment does not begin with ${inputs.command}.`);
  const unwanted = trigger.kind === 'prompt' ? checkChange(trigger, inputs) : undefined;
  if (unwanted !== undefined) return unwanted;
  const forge = await deps.forge.connect(tokensOf(inputs));
  const pullNumber = trigger.kind === 'comment' ? trigger.pull.number : (inputs.pullRequest ?? trigger.pullNumber);
  const found =
    pullNumber ?? (trigger.kind === 'prompt' ? await findMerged(forge, trigger, { inputs, deps }) : undefined);
  if (typeof found !== 'number') return found ?? skip('The event is not about a pull request.');
  return { inputs, deps, forge, trigger, pullNumber: found, command };
}

/** A session that knows what its instruction is about, once the pull request was read. */
function withSubject(session: Session, { number, merged, mergeCommit, head }: PullRequest): Session {
  const { trigger, inputs } = session;
  if (trigger.kind !== 'prompt' || inputs.promptFile === undefined || trigger.change === undefined) return session;
  const subject = merged ? `merge:${number}:${mergeCommit ?? head.sha}` : `label:${number}:${head.sha}`;
  return { ...session, subject };
}

function stopped({ status, reason }: Stop, { log }: AgentDeps): AgentFacts {
  const shown = plainLine(reason, 700);
  log.notice(shown);
  return { status, reason: shown, triggered: false };
}

/** A comment that was most likely meant as a command: people who may command get a hint, once per pull request. */
async function hint(session: Session, seen: string): Promise<AgentFacts> {
  const { deps, inputs, forge } = session;
  const reason = `"${seen}" is not a command: a command begins with ${inputs.command}, on the first line of the comment and in its first column.`;
  try {
    if (!isStop(await checkPerson(session))) {
      const status = await StatusComment.open(session, await forge.comments(session.pullNumber));
      await status.hint(inputs.command, seen);
    }
  } catch (error) {
    // It is not a command, so a failure to answer it does not fail the run.
    if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
    deps.log.warning(`The hint could not be written. ${error.message}`);
  }
  return stopped(skip(reason), deps);
}

/** Someone who may not command gets an answer on the page only where the forge knows them as a member. */
async function deny(session: Session, stop: Stop): Promise<AgentFacts> {
  if (await seesDenial(session)) {
    const status = await StatusComment.open(session, await session.forge.comments(session.pullNumber));
    if ((await status.earlier()) === undefined) {
      await status.react('-1');
      await status.show({ kind: 'refused', reason: stop.reason });
    }
  }
  return stopped(stop, session.deps);
}

/** A stop that the person who may command should see on the page. */
async function answer(session: Session, status: StatusComment, stop: Stop): Promise<AgentFacts> {
  if (session.trigger.kind === 'comment') {
    await status.react('confused');
    await status.show({ kind: 'refused', reason: stop.reason });
  }
  return stopped(stop, session.deps);
}

async function help({ inputs, deps }: Session, status: StatusComment): Promise<AgentFacts> {
  await status.show({ kind: 'help', command: inputs.command });
  const reason = `Usage: ${inputs.command} INSTRUCTION, at the beginning of a comment on a pull request.`;
  deps.log.info(reason);
  return { status: 'completed', reason, triggered: false };
}

/** Whether the command can be carried out on this pull request. */
function checkPull({ trigger, command }: Session, pull: PullRequest): Stop | undefined {
  if (command.kind === 'wrong') return refuse(command.reason);
  if (pull.locked) return refuse('The pull request is locked.');
  const isMerge = trigger.kind === 'prompt' && pull.merged;
  return pull.state === 'closed' && !isMerge ? refuse('The pull request is closed.') : undefined;
}

/** Gives a function that composes a prompt with this context. */
async function prepare(
  { inputs, deps }: Session,
  context: PromptContext,
  asker: string | undefined,
): Promise<(instruction: string, limitBytes?: number) => Prompt> {
  // Loaded here: a comment that is not a command needs none of it.
  const [{ composePrompt }, { sanitize }, { createCredentialRedact }] = await Promise.all([
    import('../prompt/compose.ts'),
    import('../prompt/sanitize.ts'),
    import('../prompt/credentials.ts'),
  ]);
  const { githubToken, rankToken = '', relatedDocs } = inputs;
  const keys = [githubToken, rankToken, relatedDocs?.assistantApiKey ?? ''];
  const redact = createCredentialRedact(inputs.adminApiKey, keys);
  const workflow = plainLine(deps.run.workflow, 100);
  const program = workflow === '' ? 'someone who may command here' : `the workflow ${workflow}`;
  const who = asker === undefined ? program : `${asker}, who may command here,`;
  const createBoundary = () => randomBytes(16).toString('hex');
  return (instruction, limitBytes) =>
    composePrompt({ instruction, asker: who, context, limitBytes, sanitize, redact, createBoundary });
}

/** A dry run shows the prompt and what would be written. */
function plan(session: Session, job: FoundJob | NewJob, prompt: Prompt): AgentFacts {
  const { inputs, deps, trigger, pullNumber } = session;
  deps.log.block('The prompt (the file at report-path has all of a long one):', prompt.text);
  const jobs = `${inputs.baseUrl}/v2/agent/${inputs.projectId}/job`;
  const message = (id: string) => ({
    action: `send ${prompt.bytes} bytes to agent job ${id}`,
    target: `POST ${jobs}/${id}/message`,
  });
  const planned = [
    ...(trigger.kind === 'comment' && trigger.place !== 'review'
      ? [{ action: 'react to the comment', target: trigger.url }]
      : []),
    ...(inputs.statusComment
      ? [{ action: 'write the status comment', target: `POST ${deps.forge.commentsAddress(pullNumber)}` }]
      : []),
    ...(job.kind === 'job'
      ? [message(job.id)]
      : [{ action: 'make a new agent job with the instruction', target: `POST ${jobs}` }, message('NEW')]),
  ];
  return { status: 'completed', triggered: false, planned, prompt: prompt.text };
}
