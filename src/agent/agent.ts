import { randomBytes } from 'node:crypto';
import { holdsMarker } from '../comment/signed-line.ts';
import { CourierError } from '../errors.ts';
import type { Comment, PullRequest } from '../github/pull-request.ts';
import { type InstructionSource, readTrigger } from '../github/trigger.ts';
import type { AgentInputs } from '../inputs/inputs.ts';
import type { Prompt } from '../prompt/compose.ts';
import type { PromptContext } from '../prompt/context.ts';
import { describeRemoved } from '../prompt/shown/removed.ts';
import { plainLine } from '../text/escape.ts';
import { checkChange, checkOwnMerge, checkWanted, findMerged, readTemplateFile } from './change.ts';
import { Claim } from './claim.ts';
import { readCommand } from './command.ts';
import { gatherContext } from './context.ts';
import { type Message, MessageDelivery } from './deliver.ts';
import { answerEnd, type Progress } from './ending.ts';
import { findJob } from './find-job.ts';
import { endLeftoversHere } from './leftovers.ts';
import { type AgentDeps, connectRepository, refuse, type Session, Stop, skip } from './session.ts';
import type { StatusComment } from './status-comment.ts';
import type { AgentFacts } from './summary.ts';
import { checkAudience, checkPerson, checkPinnedHead, checkSameText } from './trust.ts';

/**
 * Takes an instruction to the agent job of a pull request: checks first, then the job, the prompt,
 * and one message, sent once.
 */
export async function runAgent(inputs: AgentInputs, deps: AgentDeps): Promise<AgentFacts> {
  let progress: Progress = { kind: 'unanswered' };
  try {
    return await instruct(inputs, deps, (now) => {
      progress = now;
    });
  } catch (error) {
    await answerEnd(progress, error);
    if (!(error instanceof Stop)) throw error;
    const { message, example = '' } = error;
    const reason = plainLine(`${message} ${example}`, 700);
    deps.log.notice(reason);
    return { status: error.status, reason, triggered: false };
  }
}

/**
 * The checks in their order. Whatever ends the run early is thrown; `reach` says how the page shows
 * it from then on.
 */
async function instruct(
  inputs: AgentInputs,
  deps: AgentDeps,
  reach: (progress: Progress) => void,
): Promise<AgentFacts> {
  const opened = await openSession(inputs, deps);
  const { repo, command, pullNumber } = opened;
  deps.record({ repository: deps.github.run.repository, pullNumber });
  if (command.kind === 'near') {
    await writeHint(opened, command.seen);
    throw skip(
      `"${command.seen}" is not a command: a command begins with exactly ${inputs.command}, on the first line of the comment and in its first column.`,
    );
  }
  reach({ kind: 'unchecked', session: opened });
  await checkAudience(opened);
  const person = await checkPerson(opened);
  if (person !== undefined) deps.record({ asker: person.login });

  reach({ kind: 'accepted', session: opened });
  const pull = await repo.pullRequest(pullNumber);
  const session = withSubject(opened, pull);
  checkWanted(session, pull);
  const comments = await repo.comments(pull.number);
  const claim = await Claim.open(session, comments);
  await endLeftoversHere(session, claim.records.all);
  if (command.kind === 'help') {
    reach({ kind: 'unanswered' });
    return help(session, claim.status);
  }
  // Before any answer is written: an answer says that the command was not sent so far.
  const done = await claim.earlier();
  if (done !== undefined) {
    reach({ kind: 'sent-before', session, reason: done.message });
    throw done;
  }

  reach({ kind: 'unsent', session, status: claim.status });
  const message = await prepare({ session, claim, pull, comments, asker: person?.login });
  if (inputs.dryRun) return plan(session, message);
  deps.log.info(
    message.job.kind === 'job'
      ? `Sending the instruction to agent job ${message.job.id}.`
      : 'Creating a new agent job with the instruction.',
  );
  const delivery = new MessageDelivery(session, claim, pull);
  reach({ kind: 'delivering', delivery });
  return delivery.run(message);
}

/**
 * A comment that was most likely meant as a command: people who may command get a hint, once per
 * pull request.
 */
async function writeHint(session: Session, seen: string): Promise<void> {
  const { deps, inputs, repo, pullNumber } = session;
  try {
    await checkPerson(session);
    const claim = await Claim.open(session, await repo.comments(pullNumber));
    await claim.hint(inputs.command, seen);
  } catch (error) {
    if (error instanceof Stop) return;
    // It is not a command, so a failure to answer it does not fail the run.
    if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
    deps.log.warning(`The hint could not be written. ${error.message}`);
  }
}

interface Ready {
  readonly session: Session;
  readonly claim: Claim;
  readonly pull: PullRequest;
  readonly comments: readonly Comment[];
  readonly asker: string | undefined;
}

/** Finds the job and makes the prompt, if the command can be carried out on this pull request. */
async function prepare({ session, claim, pull, comments, asker }: Ready): Promise<Message> {
  const { deps, inputs, trigger, command } = session;
  await checkSameText(session);
  checkPull(session, pull);
  await checkPinnedHead(session, pull);
  deps.record({ commit: pull.head.sha });

  const job = await findJob(session, pull, claim.records);
  checkOwnMerge(session, job.madeThis);
  if (job.kind === 'job') {
    const agentStatus = job.before && plainLine(job.before.status, 40);
    deps.record({ agentJobId: job.id, jobOrigin: job.origin, agentStatus });
  }
  const { text: instruction, names } =
    trigger.kind === 'prompt' && inputs.promptFile !== undefined
      ? await readTemplateFile(session, inputs.promptFile)
      : { text: command.kind === 'instruction' ? command.text : '', names: [] };
  const context = await gatherContext({
    session,
    pull,
    comments,
    madeThis: job.madeThis,
    instruction,
    names,
  });
  const composeWith = await createCompose(session, context, asker);
  const prompt = composeWith(instruction);
  const withheld = context.leftOut;
  deps.record({ promptBytes: prompt.bytes, removedCharacters: prompt.removed, withheld });
  checkVisible(session, prompt);
  checkLength(session, prompt);
  const lost = `Not sent, because GitHub does not show it: ${describeRemoved(prompt.lost)}.`;
  const hadMail = command.kind === 'instruction' && command.hadMail;
  const mail = hadMail ? 'Not sent: the quoted mail or signature at the end of the comment. ' : '';
  const notSent = `${mail}${prompt.lost.length === 0 ? '' : lost}`.trim() || undefined;
  if (notSent !== undefined) deps.log.warning(notSent);
  const shown = job.kind === 'job' ? (job.before ?? { id: job.id }) : undefined;
  claim.status.know({
    notSent,
    withheld,
    asker,
    instruction: prompt.instruction,
    commit: pull.head.sha,
    job: shown,
  });
  const followUp = job.kind === 'job' ? instruction : FOLLOWS;
  return { job, prompt, compose: (limitBytes) => composeWith(followUp, limitBytes) };
}

/**
 * Refuses an instruction that GitHub does not show: readers of the page could not see what the
 * agent was asked.
 */
function checkVisible({ trigger }: Session, { unclosed, instruction }: Prompt): void {
  if (unclosed !== undefined) {
    const again = trigger.kind === 'comment' ? ', and write the command in a new comment' : '';
    throw refuse(
      `The tag ${unclosed.tag} in line ${unclosed.line}, column ${unclosed.column} of the instruction is never closed, so GitHub shows nothing of what follows it. Close it, or put it between backticks${again}.`,
    );
  }
  if (instruction.trim() === '') throw refuse('The instruction has no visible text.');
}

/** Refuses an instruction that does not fit into a message as a whole. */
function checkLength({ trigger, inputs }: Session, { tooLong }: Prompt): void {
  if (tooLong === undefined) return;
  const size = (bytes: number) => bytes.toLocaleString('en-US');
  const { bytes, mostBytes } = tooLong;
  const what = `The instruction has ${size(bytes)} bytes; a message has room for ${size(mostBytes)}. Nothing was sent.`;
  const shorter =
    'Shorten it, or put the long part into a file of the pull request and name that file.';
  if (trigger.kind === 'comment') throw refuse(`${what} ${shorter}`);
  const input = inputs.promptFile === undefined ? 'prompt' : 'prompt-file';
  throw new CourierError({ code: 'config', message: `${input}: ${what}`, hint: shorter });
}

/** Instead of the instruction, which a new job has as its first prompt. */
const FOLLOWS =
  'This message adds what is known about the pull request that your first instruction is about. Carry out that instruction with it.';

/** What gives the instruction. */
function sourceOf({ prompt, promptFile }: AgentInputs): InstructionSource {
  if (prompt !== undefined) return 'prompt';
  return promptFile === undefined ? 'comment' : 'template';
}

/**
 * What happened, and whether it is a command at all. Without a command nothing else is loaded, and
 * no request is made.
 */
async function openSession(inputs: AgentInputs, deps: AgentDeps): Promise<Session> {
  const { github } = deps;
  const trigger = readTrigger(github.run.eventName, await github.event(), sourceOf(inputs));
  if (trigger.kind === 'none') throw skip(trigger.reason);
  if (holdsMarker((trigger.kind === 'comment' ? trigger.body : trigger.text) ?? ''))
    throw skip('Docs Courier wrote the comment.');
  const command =
    trigger.kind === 'comment'
      ? readCommand(trigger.body, inputs.command)
      : ({
          kind: 'instruction',
          text: inputs.prompt ?? '',
          jobId: undefined,
          sha: undefined,
          written: '',
        } as const);
  if (command.kind === 'none') throw skip(`The comment does not begin with ${inputs.command}.`);
  if (trigger.kind === 'prompt') checkChange(trigger, inputs);
  const repo = await connectRepository(deps, inputs.githubToken);
  const pullNumber =
    trigger.kind === 'comment'
      ? trigger.pull.number
      : (inputs.pullRequest ??
        trigger.pullNumber ??
        (await findMerged(repo, trigger, { inputs, deps })));
  return { inputs, deps, repo, trigger, pullNumber, command };
}

/** A session that knows what its instruction is about, once the pull request was read. */
function withSubject(
  session: Session,
  { number, merged, mergeCommit, head }: PullRequest,
): Session {
  const { trigger, inputs } = session;
  if (trigger.kind !== 'prompt' || inputs.promptFile === undefined || trigger.change === undefined)
    return session;
  const subject = merged
    ? `merge:${number}:${mergeCommit ?? head.sha}`
    : `label:${number}:${head.sha}`;
  return { ...session, subject };
}

async function help({ inputs, deps }: Session, status: StatusComment): Promise<AgentFacts> {
  await status.show({ kind: 'help', command: inputs.command });
  const reason = `Usage: ${inputs.command} INSTRUCTION, at the beginning of a comment on a pull request.`;
  deps.log.info(reason);
  return { status: 'completed', reason, triggered: false };
}

function checkPull({ trigger, command }: Session, pull: PullRequest): void {
  if (command.kind === 'wrong') throw refuse(command.reason);
  if (pull.locked) throw refuse('The pull request is locked.');
  const isMerge = trigger.kind === 'prompt' && pull.merged;
  if (pull.state === 'closed' && !isMerge) throw refuse('The pull request is closed.');
}

/** Gives a function that composes a prompt with this context. */
async function createCompose(
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
  const { githubToken, relatedDocs } = inputs;
  const keys = [githubToken, relatedDocs?.assistantApiKey ?? ''];
  const redact = createCredentialRedact(inputs.adminApiKey, keys);
  const workflow = plainLine(deps.github.run.workflow, 100);
  const program = workflow === '' ? 'someone who may command here' : `the workflow ${workflow}`;
  const who = asker === undefined ? program : `${asker}, who may command here,`;
  const createBoundary = () => randomBytes(16).toString('hex');
  return (instruction, limitBytes) =>
    composePrompt({
      instruction,
      asker: who,
      context,
      limitBytes,
      sanitize,
      redact,
      createBoundary,
    });
}

/** A dry run shows the prompt and what would be written. */
function plan(session: Session, { job, prompt }: Message): AgentFacts {
  const { inputs, deps, trigger, pullNumber } = session;
  const { apiUrl, repository } = deps.github.run;
  deps.log.block('The prompt (if it is long, the file at report-path has all of it):', prompt.text);
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
      ? [
          {
            action: 'write the status comment',
            target: `POST ${apiUrl}/repos/${repository}/issues/${pullNumber}/comments`,
          },
        ]
      : []),
    ...(job.kind === 'job'
      ? [message(job.id)]
      : [
          { action: 'create a new agent job with the instruction', target: `POST ${jobs}` },
          message('NEW'),
        ]),
  ];
  return { status: 'completed', triggered: false, planned, prompt: prompt.text };
}
