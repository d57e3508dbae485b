import { randomBytes } from 'node:crypto';
import { commentText, readTrigger } from '../../forge/github/event.ts';
import { readOwnAuthor } from '../../forge/github/own-author.ts';
import { createPermissions } from '../../forge/github/permission.ts';
import { getPullRequest, listComments, type PullRequest, pushedAtMs } from '../../forge/github/pull-request.ts';
import { holdsMarker } from '../../forge/github/status-record.ts';
import type { AgentInputs } from '../../inputs/inputs.ts';
import type { Prompt } from '../../prompt/compose.ts';
import { plainLine } from '../../text/escape.ts';
import { readCommand } from './command.ts';
import { gatherContext } from './context.ts';
import { deliver, statusJob } from './deliver.ts';
import { type FoundJob, findJob } from './find-job.ts';
import { checkPerson, seesDenial } from './person.ts';
import { type AgentDeps, refuse, type Session, type Stop, skip } from './session.ts';
import { type Board, createBoard } from './status-comment.ts';
import type { AgentFacts } from './summary.ts';

/**
 * Takes an instruction from a comment or an input to the agent job of a pull request. Guards come first, each with its
 * reason; then the job, the prompt, and one message that is never sent twice.
 */
export async function runAgent(inputs: AgentInputs, deps: AgentDeps): Promise<AgentFacts> {
  const session = await open(inputs, deps);
  if (isStop(session)) return stopped(session, deps);
  deps.tell({ repository: deps.github.run.repository, pullNumber: session.pullNumber });
  const person = await checkPerson(session);
  if (isStop(person)) return deny(session, person);
  if (person !== undefined) deps.tell({ asker: person.login });

  const pull = await getPullRequest({ ...session, number: session.pullNumber });
  const comments = await listComments({ ...session, number: pull.number });
  const board = createBoard(session, comments);
  if (session.command.kind === 'help') return help(session, board);
  const closed = await checkPull(session, pull);
  if (closed !== undefined) return answer({ session, board, stop: closed });
  const done = await board.earlier();
  if (done !== undefined) return stopped(done, deps);
  deps.tell({ commit: pull.head.sha });

  const job = await findJob({ session, pull, records: board.records });
  if (isStop(job)) return answer({ session, board, stop: job });
  deps.tell({ agentJobId: job.id, jobOrigin: job.origin, agentStatus: job.before && plainLine(job.before.status, 40) });
  const compose = await prepare({ session, pull, comments, job, asker: person?.login });
  const prompt = compose(inputs.contextLimitBytes);
  deps.tell({ promptBytes: prompt.bytes, removedCharacters: prompt.removed });
  if (prompt.instruction.trim() === '') {
    return answer({ session, board, stop: refuse('Nothing of the instruction can be seen on the page.') });
  }
  if (inputs.dryRun) return plan(session, { job, prompt });
  remember(board, { session, pull, job, prompt, asker: person?.login });
  const end = await deliver({ session, board, pull, job, prompt, compose });
  return isStop(end) ? stopped(end, deps) : end;
}

/** What happened, and whether it is a command at all. Without a command nothing is loaded and nothing is asked. */
async function open(inputs: AgentInputs, deps: AgentDeps): Promise<Session | Stop> {
  const { run } = deps.github;
  const payload = await deps.github.event();
  if (holdsMarker(commentText(payload))) return skip('The comment is one of our own.');
  const trigger = readTrigger({ eventName: run.eventName, payload, hasPrompt: inputs.prompt !== undefined });
  if (trigger.kind === 'none') return skip(trigger.reason);
  const command =
    trigger.kind === 'comment'
      ? readCommand(trigger.body, inputs.command)
      : { kind: 'instruction' as const, text: inputs.prompt ?? '', jobId: undefined };
  if (command.kind === 'none') return skip(`The comment does not begin with ${inputs.command}.`);
  const pullNumber = trigger.kind === 'comment' ? trigger.pull.number : (inputs.pullRequest ?? trigger.pullNumber);
  if (pullNumber === undefined) return skip('The event names no pull request; give pull-request.');
  const octokit = await deps.github.connect(inputs.githubToken);
  const [owner = '', repo = ''] = run.repository.split('/');
  const repository = { owner, repo };
  const permissions = createPermissions(octokit, repository);
  const author = await readOwnAuthor(octokit, inputs.githubToken);
  return { inputs, deps, octokit, repository, permissions, author, trigger, pullNumber, command };
}

function isStop(value: object | undefined): value is Stop {
  return value !== undefined && 'kind' in value && value.kind === 'stop';
}

function stopped({ status, reason }: Stop, { log }: AgentDeps): AgentFacts {
  const told = plainLine(reason, 500);
  log.notice(told);
  return { status, reason: told, triggered: false };
}

/** Someone who may not command: told on the page only where GitHub knows them as one of the house. */
async function deny(session: Session, stop: Stop): Promise<AgentFacts> {
  if (seesDenial(session)) {
    const comments = await listComments({ ...session, number: session.pullNumber });
    const board = createBoard(session, comments);
    await board.react('-1');
    await board.show({ kind: 'refused', reason: stop.reason });
  }
  return stopped(stop, session.deps);
}

/** A stop that the person who may command should see on the page. */
async function answer(answer: { session: Session; board: Board; stop: Stop }): Promise<AgentFacts> {
  const { session, board, stop } = answer;
  if (session.trigger.kind === 'comment') {
    await board.react('confused');
    await board.show({ kind: 'refused', reason: stop.reason });
  }
  return stopped(stop, session.deps);
}

async function help({ inputs, deps }: Session, board: Board): Promise<AgentFacts> {
  await board.show({ kind: 'help', command: inputs.command });
  const reason = `Usage: ${inputs.command} INSTRUCTION, at the beginning of a comment on a pull request.`;
  deps.log.info(reason);
  return { status: 'completed', reason, triggered: false };
}

/** The state of the pull request, and whether its head is what the person who commands has seen. */
async function checkPull(session: Session, pull: PullRequest): Promise<Stop | undefined> {
  const { trigger, command } = session;
  if (command.kind === 'wrong') return refuse(command.reason);
  if (pull.locked) return refuse('The pull request is locked.');
  if (pull.state === 'closed' && !(trigger.kind === 'prompt' && pull.merged))
    return refuse('The pull request is closed.');
  if (trigger.kind !== 'comment') return undefined;
  const pushedMs = await pushedAtMs({ ...session, sha: pull.head.sha });
  if (pushedMs === undefined || pushedMs <= trigger.createdAtMs) return undefined;
  return refuse(
    'The pull request was pushed to after the command. Look at what came in, and write the command in a new comment.',
  );
}

interface Preparation {
  readonly session: Session;
  readonly pull: PullRequest;
  readonly comments: Awaited<ReturnType<typeof listComments>>;
  readonly job: FoundJob;
  readonly asker: string | undefined;
}

/** Reads the context and gives a function that composes the prompt within a limit. */
async function prepare({ session, pull, comments, job, asker }: Preparation): Promise<(limitBytes: number) => Prompt> {
  const { inputs, deps, command } = session;
  const instruction = command.kind === 'instruction' ? command.text : '';
  const context = await gatherContext({ session, pull, comments, madeThis: job.madeThis, instruction });
  // Loaded here, so that a comment that is no command costs none of it.
  const [{ composePrompt }, { sanitize }, { createCredentialRedact }] = await Promise.all([
    import('../../prompt/compose.ts'),
    import('../../prompt/sanitize.ts'),
    import('../../prompt/credentials.ts'),
  ]);
  const keys = [inputs.githubToken, ...(inputs.relatedDocs === undefined ? [] : [inputs.relatedDocs.assistantApiKey])];
  const redact = createCredentialRedact(inputs.adminApiKey, keys);
  const who =
    asker === undefined
      ? `the workflow ${plainLine(deps.github.run.workflow, 100)}`
      : `${asker}, who may command here,`;
  const createBoundary = () => randomBytes(16).toString('hex');
  return (limitBytes) =>
    composePrompt({ instruction, asker: who, context, limitBytes, sanitize, redact, createBoundary });
}

/** A dry run shows the prompt and what would be written. */
function plan(session: Session, { job, prompt }: { job: FoundJob; prompt: Prompt }): AgentFacts {
  const { inputs, deps, trigger, pullNumber } = session;
  const { apiUrl, repository } = deps.github.run;
  deps.log.block('The prompt (a long one is whole in the file at report-path):', prompt.text);
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
    {
      action: `send ${prompt.bytes} bytes to agent job ${job.id}`,
      target: `POST ${inputs.baseUrl}/v2/agent/${inputs.projectId}/job/${job.id}/message`,
    },
  ];
  return { status: 'completed', triggered: false, planned, prompt: prompt.text };
}

interface Remembered {
  readonly session: Session;
  readonly pull: PullRequest;
  readonly job: FoundJob;
  readonly prompt: Prompt;
  readonly asker: string | undefined;
}

/** The facts that every phase of the status comment shows. */
function remember(board: Board, { session, pull, job, prompt, asker }: Remembered): void {
  const before = job.before === undefined ? { id: job.id } : statusJob(job.before);
  board.know({ asker, instruction: prompt.instruction, commit: pull.head.sha, job: before });
  session.deps.log.info(`Sending the instruction to agent job ${job.id}.`);
}
