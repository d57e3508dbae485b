import { CourierError } from '../../errors.ts';
import {
  LABEL_PREFIX,
  labelledJobs,
  type PullAddress,
  readPullUrl,
  readRepositoryUrl,
  whoLabelled,
} from '../../forge/github/agent-binding.ts';
import { isAtLeast } from '../../forge/github/permission.ts';
import type { PullRequest } from '../../forge/github/pull-request.ts';
import type { Recorded } from '../../forge/github/status-comments.ts';
import { isClaim } from '../../forge/github/status-record.ts';
import type { AgentJob } from '../../platform/contract.ts';
import { codeSpan, plainLine } from '../../text/escape.ts';
import { isPathId } from '../../text/path-id.ts';
import { refuse, type Session, type Stop } from './session.ts';

export interface FoundJob {
  readonly kind: 'job';
  readonly id: string;
  readonly origin: 'input' | 'command' | 'record' | 'label';
  /** undefined where the platform does not show jobs: then the reply to the message tells. */
  readonly before: AgentJob | undefined;
  /** The pull request is the one that this job made. */
  readonly madeThis: boolean;
}

type Named = Pick<FoundJob, 'id' | 'origin'>;

interface Search {
  readonly session: Session;
  readonly pull: PullRequest;
  readonly records: readonly Recorded[];
}

/** The job that the instruction goes to, fetched and checked. */
export async function findJob(search: Search): Promise<FoundJob | Stop> {
  const named = await nameJob(search);
  if ('kind' in named) return named;
  const before = await fetchJob(search.session, named);
  if (before === 'unknown') return refuseUnknown(named);
  if (before === undefined) return { kind: 'job', ...named, before, madeThis: false };
  return checkSource(search.session, before) ?? checkLink({ ...search, named, before });
}

async function nameJob({ session, pull, records }: Search): Promise<Named | Stop> {
  const { inputs, command } = session;
  if (inputs.agentJobId !== undefined) return { id: inputs.agentJobId, origin: 'input' };
  // Only a record that names its own comment: a claim in the making could be a copy.
  const bound = records.flatMap(({ record }) => (isClaim(record) && record.comment !== undefined ? [record.job] : []));
  if (command.kind === 'instruction' && command.jobId !== undefined) {
    // Spelling out the job that is bound already is no attempt to bind another.
    return { id: command.jobId, origin: bound.includes(command.jobId) ? 'record' : 'command' };
  }
  const last = bound.findLast((id) => id !== undefined);
  return last === undefined ? nameByLabel(session, pull) : { id: last, origin: 'record' };
}

async function nameByLabel(session: Session, pull: PullRequest): Promise<Named | Stop> {
  const { octokit, repository, permissions, inputs } = session;
  const [id, ...others] = labelledJobs(pull.labels);
  if (id === undefined) {
    return refuse(
      'No agent job is bound to this pull request. Write the command with --job ID, or let someone who may command set the label agent-job:ID.',
    );
  }
  if (others.length > 0)
    return refuse(`The pull request has ${others.length + 1} labels that begin with ${LABEL_PREFIX}; leave one.`);
  if (!isPathId(id)) return refuse(`The label ${LABEL_PREFIX} does not name a job id.`);
  const label = pull.labels.find((name) => name.startsWith(LABEL_PREFIX)) ?? '';
  const who = await whoLabelled({ octokit, repository, number: pull.number, label });
  if (who !== undefined && isAtLeast(await permissions.rank(who), inputs.requiredPermission))
    return { id, origin: 'label' };
  return refuse(`The label ${label} was set by ${who ?? 'an unknown account'}, who may not command; it binds no job.`);
}

async function fetchJob({ deps, inputs }: Session, { id, origin }: Named): Promise<AgentJob | 'unknown' | undefined> {
  try {
    const { value } = await deps.platform.getAgentJob({ projectId: inputs.projectId, id });
    if (value.id !== id) throw otherJob(id, value.id);
    return value;
  } catch (error) {
    // The contract does not show this call: "not found" may mean the call and not the job.
    if (!(error instanceof CourierError) || (error.httpStatus !== 404 && error.httpStatus !== 405)) throw error;
    return origin === 'input' ? undefined : 'unknown';
  }
}

function otherJob(asked: string, told: string): CourierError {
  return new CourierError({
    code: 'protocol',
    message: `The platform was asked about agent job ${asked} and answered about ${told}.`,
  });
}

function refuseUnknown({ id, origin }: Named): Stop {
  const from = {
    input: 'the input agent-job-id',
    command: 'the command',
    record: 'an earlier command',
    label: 'the label',
  }[origin];
  return refuse(`The platform does not know agent job ${id}, which ${from} names, in this project.`);
}

/** A reason when the job works on a repository that must not be instructed from here. Also for the reply to a message. */
export function checkSource(
  { deps, inputs }: Session,
  job: Pick<AgentJob, 'id' | 'status' | 'source'>,
): Stop | undefined {
  const { serverUrl, repository } = deps.github.run;
  const source = readRepositoryUrl(job.source.repository, serverUrl);
  const allowed = [repository, ...inputs.agentRepositories].map((name) => name.toLowerCase());
  if (source === undefined || !allowed.includes(source)) {
    return refuse(
      `Agent job ${job.id} works on ${plainLine(job.source.repository, 200)}, which is neither this repository nor one of agent-repositories.`,
    );
  }
  if (job.status === 'archived') return refuse(`Agent job ${job.id} is archived and takes no more instructions.`);
  return undefined;
}

interface LinkCheck extends Search {
  readonly named: Named;
  readonly before: AgentJob;
}

function checkLink({ session, pull, records, named, before }: LinkCheck): FoundJob | Stop {
  const made = madePull(session, before);
  // The link is empty while the job is active; then counts what the platform told for an earlier command here.
  const madeThis = before.prLink === undefined ? wasMadeBy(records, named.id) : made?.number === pull.number;
  if (made !== undefined && !madeThis) {
    const told = `Agent job ${named.id} belongs to pull request #${made.number} of this repository, which it made.`;
    if (named.origin === 'command' || named.origin === 'label') return refuse(told);
    session.deps.log.info(told);
  }
  return { kind: 'job', ...named, before, madeThis };
}

function wasMadeBy(records: readonly Recorded[], jobId: string): boolean {
  return records.some(
    ({ record }) => isClaim(record) && record.comment !== undefined && record.job === jobId && record.made === true,
  );
}

/** The pull request of this repository that the job made. */
export function madePull({ deps }: Session, job: AgentJob): PullAddress | undefined {
  const { serverUrl, repository } = deps.github.run;
  const made = job.prLink === undefined ? undefined : readPullUrl(job.prLink, serverUrl);
  return made?.repository === repository.toLowerCase() ? made : undefined;
}

/** The address of the agent's pull request, where it is one of an allowed repository; anything else is told as code only. */
export function allowedPull({ deps, inputs }: Session, job: AgentJob): string | undefined {
  if (job.prLink === undefined) return undefined;
  const made = readPullUrl(job.prLink, deps.github.run.serverUrl);
  const allowed = [deps.github.run.repository, ...inputs.agentRepositories].map((name) => name.toLowerCase());
  if (made !== undefined && allowed.includes(made.repository)) return job.prLink;
  deps.log.warning(
    `The job names a pull request that is not one of an allowed repository: ${codeSpan(job.prLink, 200)}`,
  );
  return undefined;
}
