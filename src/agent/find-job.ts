import { type PageAddress, readPageAddress } from '../github/page-address.ts';
import type { PullRequest } from '../github/pull-request.ts';
import { CourierError, configError, protocolError } from '../ground/errors.ts';
import { codeSpan, plainLine } from '../ground/text/escape.ts';
import { isPathId } from '../ground/text/names.ts';
import { AGENT_JOB_STATUSES, type AgentJob } from '../platform/contract.ts';
import { isClaim, isCreation, type OwnRecords, type StatusRecord } from './record.ts';
import { refuse, type Session, type Stop } from './session.ts';
import { isAtLeast } from './trust.ts';

const LABEL_PREFIX = 'agent-job:';

/** A job, and where its id was read. */
interface NamedJob {
  readonly id: string;
  readonly origin: 'input' | 'command' | 'record' | 'label';
}

export interface FoundJob extends NamedJob {
  /** undefined if the platform does not show jobs: then the reply to the message is checked. */
  readonly jobBeforeMessage: AgentJob | undefined;
  /** The pull request is the one that this job made. */
  readonly madeThisPull: boolean;
}

/**
 * The job that the instruction goes to, fetched and checked. undefined: no job is linked to the
 * pull request, and a new one may be created. `records`: what our earlier comments say.
 */
export async function findJob(
  session: Session,
  pull: PullRequest,
  records: OwnRecords,
): Promise<FoundJob | undefined> {
  // The records of commands that were sent, or may have been. One that names no comment is still
  // being made, or is a copy from that moment.
  const claims = records.all
    .map((recorded) => recorded.record)
    .filter((record) => isClaim(record) && record.comment !== undefined);
  const named = nameJob(session, claims) ?? (await nameByLabel(session, pull, records));
  if (named === undefined) return undefined;
  // Before the checks: the outputs name the job even if one of them ends the run.
  session.deps.record({ agentJobId: named.id, jobOrigin: named.origin });
  const job = await fetchJob(session, named);
  // What the job made is not known either: then this pull request is not taken for its own.
  if (job === undefined) return { ...named, jobBeforeMessage: undefined, madeThisPull: false };
  session.deps.record({ agentStatus: plainLine(job.status, 40) });
  const refusal = jobRefusal(session, job);
  if (refusal !== undefined) throw refusal;
  const madeNumber = madePullNumber(session, job);
  // The link is empty while the job is active; then what the platform said for an earlier command
  // here counts.
  const madeThisPull = job.prLink
    ? madeNumber === pull.number
    : claims.some((claim) => claim.job === named.id && claim.made === true);
  if (madeNumber !== undefined && !madeThisPull) {
    const mismatch = `Agent job ${named.id} belongs to pull request #${madeNumber} of this repository, which it created.`;
    // A person named the wrong job, most likely. An input is meant for every pull request, and a
    // record is of a job that was accepted here before.
    if (named.origin === 'command' || named.origin === 'label') throw refuse(mismatch);
    session.deps.log.info(mismatch);
  }
  return { ...named, jobBeforeMessage: job, madeThisPull };
}

/** The job that an input, the command or an earlier command names. */
function nameJob(session: Session, claims: readonly StatusRecord[]): NamedJob | undefined {
  const { inputs, command } = session;
  if (inputs.agentJobId !== undefined) return { id: inputs.agentJobId, origin: 'input' };
  const askedJobId = command.kind === 'instruction' ? command.jobId : undefined;
  if (askedJobId !== undefined) {
    // A job that is linked already was checked then: it counts as if the command did not name it.
    const isLinked = claims.some((claim) => claim.job === askedJobId);
    return { id: askedJobId, origin: isLinked ? 'record' : 'command' };
  }
  const lastJobId = claims.findLast((claim) => claim.job !== undefined)?.job;
  if (lastJobId === undefined) return undefined;
  return { id: lastJobId, origin: 'record' };
}

/**
 * The job that a label names. undefined: no label does, and a new job may be created. Throws if
 * none may, and if the label was not set by a person who may command.
 */
async function nameByLabel(
  session: Session,
  pull: PullRequest,
  records: OwnRecords,
): Promise<NamedJob | undefined> {
  const { repo, inputs } = session;
  const labels = pull.labels.filter((name) => name.startsWith(LABEL_PREFIX));
  const label = labels[0];
  if (label === undefined) {
    if (!inputs.createAgentJob) throw noAgentJob(session, records);
    checkNoneWasCreated(records);
    return undefined;
  }
  if (labels.length > 1)
    throw refuse(
      `The pull request has ${labels.length} labels that begin with ${LABEL_PREFIX}; keep one of them.`,
    );
  const id = label.slice(LABEL_PREFIX.length).trim();
  if (!isPathId(id)) throw refuse(`The label ${label} does not name a job id.`);
  // On GitHub, people who may not command can set labels.
  const labeller = await repo.labelledBy(pull.number, label);
  if (labeller !== undefined && isAtLeast(await repo.rank(labeller), inputs.requiredPermission))
    return { id, origin: 'label' };
  throw refuse(
    `The label ${label} was set by ${labeller?.login ?? 'an unknown account'}, who may not command, so it is ignored.`,
  );
}

/**
 * Refuses to create a second job for the pull request: an earlier command has created one, or may
 * have.
 */
function checkNoneWasCreated(records: OwnRecords): void {
  // One of them may link a job that was created.
  if (records.invalidCommands.length > 0) {
    throw refuse(
      `No agent job is created. ${IGNORED_RECORDS} Write the command with --job ID, or start a run by dispatch with agent-job-id. If no job is meant, delete those comments.`,
    );
  }
  const earlier = records.all.find((recorded) => isCreation(recorded.record));
  if (earlier === undefined) return;
  throw refuse(
    `An earlier command on this pull request may have created an agent job that is not linked to this pull request, so no other is created. See ${earlier.comment.url} and write the command with --job ID, or start a run by dispatch with agent-job-id.`,
  );
}

const IGNORED_RECORDS =
  'The records in earlier status comments are ignored because their signature is invalid: they were written with another admin key, or edited.';

/** What a run throws that has no job to send the instruction to. */
function noAgentJob(session: Session, records: OwnRecords): Stop | CourierError {
  let problem = 'No agent job is linked to this pull request.';
  // One of the ignored records may link a job.
  if (records.invalidCommands.length > 0) problem += ` ${IGNORED_RECORDS}`;
  // No person on the page could answer: what the workflow asks for cannot be done.
  if (session.trigger.kind === 'prompt') {
    return configError(`${problem} The prompt was not sent.`, {
      text: "Name the job, whose id the platform's dashboard shows, or have one created with create-agent-job: true.",
      inputs: { 'agent-job-id': '' },
    });
  }
  return refuse(
    `${problem} Write the command with --job ID, or let someone who may command set the label agent-job:ID; the dashboard of the platform shows the id. With create-agent-job: true in the workflow, the first command creates a job.`,
  );
}

/**
 * The job as the platform shows it. undefined if the platform does not show jobs, which is accepted
 * only for an id from the input: then the reply to the message is checked.
 */
async function fetchJob(session: Session, named: NamedJob): Promise<AgentJob | undefined> {
  const id = named.id;
  const address = { projectId: session.inputs.projectId, id };
  try {
    // Unlike a poll, this request is not made again later: so a failed one is repeated.
    const reply = await session.deps.platform.getAgentJob(address, { repeat: 'always' });
    if (reply.value.id === id) return reply.value;
    // All that is checked would be about another job than the message.
    throw protocolError(
      `The platform was asked about agent job ${id} and answered about ${reply.value.id}.`,
    );
  } catch (error) {
    if (!(error instanceof CourierError)) throw error;
    // Not every installation shows jobs: "not found" may mean the call and not the job.
    if (error.httpStatus !== 404 && error.httpStatus !== 405) throw error;
    // The person who set the input knows the job; any other id must be shown, to be checked.
    if (named.origin === 'input') return undefined;
    throw refuse(unknownAgentJob(session, named));
  }
}

const ORIGIN_TEXTS = {
  input: 'the input agent-job-id',
  command: 'the command',
  record: 'an earlier command',
  label: 'the label',
} as const;

/** The platform's 404 does not say which of the two ids it does not know. */
export function unknownAgentJob(session: Session, job: NamedJob): string {
  return `The platform knows no agent job ${job.id} in project ${session.inputs.projectId}. Either the job id is wrong: it comes from ${ORIGIN_TEXTS[job.origin]}, and the job's page on the dashboard shows it. Or the input project-id is wrong: the API keys page of the dashboard shows it.`;
}

/** True for a known status other than `active`: with an unknown one, the agent may still work. */
export function hasEnded(status: string): boolean {
  return status !== 'active' && AGENT_JOB_STATUSES.some((known) => known === status);
}

/**
 * Why the job must not be instructed from here: its repository is not allowed, or it is archived.
 * undefined: it may be. Also checks the job in the reply to a message.
 */
export function jobRefusal(session: Session, job: AgentJob): Stop | undefined {
  const source = readAddress(session, job.source.repository);
  // An address with a number is one of a pull request.
  const isRepository = source !== undefined && source.number === undefined;
  if (!isRepository || !isAllowed(session, source)) {
    return refuse(
      `Agent job ${job.id} works on ${plainLine(job.source.repository, 200)}, which is neither this repository nor one of agent-repositories.`,
    );
  }
  if (job.status === 'archived')
    return refuse(
      `Agent job ${job.id} is archived and accepts no more instructions. Name another one, in the command with --job ID, or in agent-job-id.`,
    );
  return undefined;
}

/** The number of the pull request that the job made, if it is one of this repository. */
export function madePullNumber(session: Session, job: AgentJob): number | undefined {
  if (!job.prLink) return undefined;
  const madePull = readAddress(session, job.prLink);
  const here = session.deps.github.run.repository.toLowerCase();
  if (madePull?.repository === here) return madePull.number;
  return undefined;
}

/**
 * The address of the agent's pull request, for a link, if it is one of an allowed repository. Any
 * other could lead anywhere, and is shown as code only.
 */
export function allowedPullUrl(session: Session, job: AgentJob): string | undefined {
  if (!job.prLink) return undefined;
  const madePull = readAddress(session, job.prLink);
  // An address without a number is one of a repository.
  if (madePull?.number !== undefined && isAllowed(session, madePull)) return job.prLink;
  session.deps.log.warning(
    `The job names a pull request that is not one of an allowed repository: ${codeSpan(job.prLink, 200)}`,
  );
  return undefined;
}

function readAddress(session: Session, url: string): PageAddress | undefined {
  return readPageAddress(url, session.deps.github.run.serverUrl);
}

/** True if agent jobs of the repository may be instructed from here. */
function isAllowed(session: Session, address: PageAddress): boolean {
  const allowed = [session.deps.github.run.repository, ...session.inputs.agentRepositories];
  return allowed.some((name) => name.toLowerCase() === address.repository);
}
