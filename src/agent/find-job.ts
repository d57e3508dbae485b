import { CourierError } from '../errors.ts';
import { type PageAddress, readPageAddress } from '../github/page-address.ts';
import type { PullRequest } from '../github/pull-request.ts';
import type { AgentJob } from '../platform/contract.ts';
import { codeSpan, plainLine } from '../text/escape.ts';
import { isPathId } from '../text/names.ts';
import { isClaim, isCreation, type OwnRecords, type StatusRecord } from './record.ts';
import { refuse, type Session, type Stop } from './session.ts';
import { isAtLeast } from './trust.ts';

const LABEL_PREFIX = 'agent-job:';

export interface FoundJob {
  readonly kind: 'job';
  readonly id: string;
  readonly origin: 'input' | 'command' | 'record' | 'label';
  /** undefined if the platform does not show jobs: then the reply to the message is checked. */
  readonly before: AgentJob | undefined;
  /** The pull request is the one that this job made. */
  readonly madeThis: boolean;
}

/** No job is bound, and one may be made. */
export interface NewJob {
  readonly kind: 'new-job';
  readonly madeThis: false;
}

type Named = Pick<FoundJob, 'id' | 'origin'>;

/** The job that the instruction goes to, fetched and checked. */
export async function findJob(
  session: Session,
  pull: PullRequest,
  records: OwnRecords,
): Promise<FoundJob | NewJob> {
  const named = await nameJob(session, pull, records);
  if ('kind' in named) return named;
  const before = await fetchJob(session, named);
  if (before === undefined) return { kind: 'job', ...named, before, madeThis: false };
  const foreign = checkSource(session, before);
  if (foreign !== undefined) throw foreign;
  return checkLink(session, pull, records, named, before);
}

async function nameJob(
  session: Session,
  pull: PullRequest,
  records: OwnRecords,
): Promise<Named | NewJob> {
  const { inputs, command } = session;
  if (inputs.agentJobId !== undefined) return { id: inputs.agentJobId, origin: 'input' };
  const bound = claimsOf(records).flatMap(({ job }) => job ?? []);
  if (command.kind === 'instruction' && command.jobId !== undefined) {
    // Naming the job that is bound already does not bind another.
    return { id: command.jobId, origin: bound.includes(command.jobId) ? 'record' : 'command' };
  }
  const last = bound.at(-1);
  return last === undefined ? nameByLabel(session, pull, records) : { id: last, origin: 'record' };
}

async function nameByLabel(
  session: Session,
  pull: PullRequest,
  records: OwnRecords,
): Promise<Named | NewJob> {
  const { repo, inputs } = session;
  const [label, ...others] = pull.labels.filter((name) => name.startsWith(LABEL_PREFIX));
  if (label === undefined) {
    if (!inputs.createAgentJob) throw noAgentJob(session, records);
    return newJob(records);
  }
  if (others.length > 0)
    throw refuse(
      `The pull request has ${others.length + 1} labels that begin with ${LABEL_PREFIX}; keep one of them.`,
    );
  const id = label.slice(LABEL_PREFIX.length).trim();
  if (!isPathId(id)) throw refuse(`The label ${label} does not name a job id.`);
  const who = await repo.labelledBy(pull.number, label);
  if (who !== undefined && isAtLeast(await repo.rank(who), inputs.requiredPermission))
    return { id, origin: 'label' };
  throw refuse(
    `The label ${label} was set by ${who?.login ?? 'an unknown account'}, who may not command, so it is ignored.`,
  );
}

/** One new job per pull request, even if it is not known whether an earlier command has made it. */
function newJob(records: OwnRecords): NewJob {
  const earlier = records.all.find(({ record }) => isCreation(record));
  if (earlier === undefined) return { kind: 'new-job', madeThis: false };
  throw refuse(
    `An earlier command on this pull request may have created an agent job that is not linked to this pull request, so no other is created. See ${earlier.comment.url} and write the command with --job ID.`,
  );
}

function noAgentJob({ trigger }: Session, records: OwnRecords): Stop | CourierError {
  const unsigned =
    records.invalid.length > 0
      ? ' The records in earlier status comments are ignored because their signature is invalid: they were written with another admin key, or edited.'
      : '';
  const what = `No agent job is linked to this pull request.${unsigned}`;
  // No person on the page could answer: what the workflow asks for cannot be done.
  if (trigger.kind === 'prompt') {
    return new CourierError({
      code: 'config',
      message: `${what} The prompt was not sent.`,
      hint: {
        text: "Name the job, whose id the platform's dashboard shows, or have one created with create-agent-job: true.",
        inputs: { 'agent-job-id': '' },
      },
    });
  }
  return refuse(
    `${what} Write the command with --job ID, or let someone who may command set the label agent-job:ID. The dashboard of the platform shows the id.`,
  );
}

/**
 * undefined if the platform does not show jobs; only for the id of the input, which the reply to
 * the message checks.
 */
async function fetchJob(session: Session, named: Named): Promise<AgentJob | undefined> {
  const { deps, inputs } = session;
  const { id, origin } = named;
  try {
    const { value } = await deps.platform.getAgentJob(
      { projectId: inputs.projectId, id },
      { repeat: 'always' },
    );
    if (value.id !== id) {
      throw new CourierError({
        code: 'protocol',
        message: `The platform was asked about agent job ${id} and answered about ${value.id}.`,
      });
    }
    return value;
  } catch (error) {
    // Not every installation shows jobs: "not found" may mean the call and not the job.
    if (!(error instanceof CourierError) || (error.httpStatus !== 404 && error.httpStatus !== 405))
      throw error;
    if (origin === 'input') return undefined;
    throw refuse(unknownAgentJob(session, named));
  }
}

const FROM = {
  input: 'the input agent-job-id',
  command: 'the command',
  record: 'an earlier command',
  label: 'the label',
} as const;

/** The platform's 404 does not say which of the two ids it does not know. */
export function unknownAgentJob({ inputs }: Session, { id, origin }: Named): string {
  return `The platform knows no agent job ${id} in project ${inputs.projectId}. Either the job id is wrong: it comes from ${FROM[origin]}, and the job's page on the dashboard shows it. Or the input project-id is wrong: the API keys page of the dashboard shows it.`;
}

/**
 * A reason when the job works on a repository that must not be instructed from here. Also for the
 * reply to a message.
 */
export function checkSource(session: Session, job: AgentJob): Stop | undefined {
  const source = readAddress(session, job.source.repository);
  if (source === undefined || source.number !== undefined || !isAllowed(session, source)) {
    return refuse(
      `Agent job ${job.id} works on ${plainLine(job.source.repository, 200)}, which is neither this repository nor one of agent-repositories.`,
    );
  }
  if (job.status === 'archived')
    return refuse(`Agent job ${job.id} is archived and accepts no more instructions.`);
  return undefined;
}

function checkLink(
  session: Session,
  pull: PullRequest,
  records: OwnRecords,
  named: Named,
  before: AgentJob,
): FoundJob {
  const made = madePull(session, before);
  // The link is empty while the job is active; then what the platform said for an earlier command
  // here counts.
  const madeThis = before.prLink
    ? made === pull.number
    : claimsOf(records).some(({ job, made: hasMade }) => job === named.id && hasMade === true);
  if (made !== undefined && !madeThis) {
    const what = `Agent job ${named.id} belongs to pull request #${made} of this repository, which it created.`;
    if (named.origin === 'command' || named.origin === 'label') throw refuse(what);
    session.deps.log.info(what);
  }
  return { kind: 'job', ...named, before, madeThis };
}

/** Only records that name their own comment: a claim in the making could be a copy. */
function claimsOf({ all }: OwnRecords): StatusRecord[] {
  return all
    .map(({ record }) => record)
    .filter((record) => isClaim(record) && record.comment !== undefined);
}

/** The pull request of this repository that the job made. */
export function madePull(session: Session, { prLink = '' }: AgentJob): number | undefined {
  const { number, repository } = readAddress(session, prLink) ?? {};
  const isHere = repository === session.deps.github.run.repository.toLowerCase();
  return number !== undefined && isHere ? number : undefined;
}

/**
 * The address of the agent's pull request, if it is one of an allowed repository; any other is
 * shown as code only.
 */
export function allowedPull(session: Session, { prLink }: AgentJob): string | undefined {
  if (!prLink) return undefined;
  const made = readAddress(session, prLink);
  if (made?.number !== undefined && isAllowed(session, made)) return prLink;
  session.deps.log.warning(
    `The job names a pull request that is not one of an allowed repository: ${codeSpan(prLink, 200)}`,
  );
  return undefined;
}

function readAddress({ deps }: Session, url: string): PageAddress | undefined {
  return readPageAddress(url, deps.github.run.serverUrl);
}

/** Agent jobs of the repository may be instructed from here. */
function isAllowed({ deps, inputs }: Session, { repository }: PageAddress): boolean {
  return [deps.github.run.repository, ...inputs.agentRepositories].some(
    (name) => name.toLowerCase() === repository,
  );
}
