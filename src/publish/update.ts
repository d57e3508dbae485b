import { CourierError } from '../errors.ts';
import { foreignText } from '../http/service.ts';
import type { Log, Work } from '../log.ts';
import {
  type PlatformClient,
  type PlatformReply,
  type UpdateOrder,
  updatePath,
} from '../platform/client.ts';
import type { UpdateStatus } from '../platform/contract.ts';
import type { FollowResult, JobView } from '../platform/follow.ts';
import { plainLine } from '../text/escape.ts';
import { followJob } from './progress.ts';

/**
 * An update of the deployment branch of a project, which the platform then has published; or the
 * preview of a branch.
 */
export interface Update {
  readonly id: string;
  /** Requested by this attempt, a moment ago. */
  readonly isNew: boolean;
  /** Of a preview, as the platform gave it: not checked. */
  readonly previewUrl?: string | undefined;
}

interface UpdateWork extends UpdateOrder {
  readonly deps: Work & { readonly platform: PlatformClient };
  /** What a failure means for the run besides, as one sentence: it follows the message. */
  readonly consequence?: string | undefined;
}

/**
 * Requests an update, once: what the platform may have seen is not repeated. Its id goes to the
 * log.
 */
export async function requestUpdate(work: UpdateWork, waitLimitMs: number): Promise<Update> {
  const { deps, projectId, consequence } = work;
  deps.log.info(`Publishing: POST /${updatePath(work)}.`);
  try {
    const { statusId: id, previewUrl } = (await deps.platform.startUpdate(work, { waitLimitMs }))
      .value;
    deps.log.info(`Requested update ${id} of project ${projectId}.`);
    return { id, isNew: true, previewUrl };
  } catch (error) {
    if (!(error instanceof CourierError) || !error.mayHaveStarted || error.code === 'cancelled')
      throw error;
    const unsure = `${error.message} ${subjectOf(work)} may have been requested; it was not requested again.`;
    throw error.with({
      message: withConsequence(unsure, consequence),
      hint: 'Run again: one more update does no harm.',
    });
  }
}

function subjectOf({ branch }: UpdateOrder): string {
  return branch === undefined ? 'An update' : `A preview of branch "${plainLine(branch, 100)}"`;
}

/** A failure, and what it means for the run. */
export function withConsequence(text: string, consequence: string | undefined): string {
  return consequence === undefined ? text : `${text} ${consequence}`;
}

/**
 * Follows an update to its end, or for `timeoutMs`. Throws `job-failed` if the platform says that
 * it failed.
 */
export async function followUpdate(
  { deps, projectId, consequence }: UpdateWork,
  { id, isNew }: Update,
  timeoutMs: number,
): Promise<FollowResult<UpdateStatus>> {
  const result = await followJob({
    deps,
    title: `Publishing: following update ${id}`,
    poll: async (timeLimitMs) =>
      sameUpdate(await deps.platform.getUpdateStatus(id, { timeLimitMs }), id),
    view: viewOfUpdate,
    timeoutMs,
    fresh: isNew,
    pace: 'quick',
  });
  if (result.kind === 'timed-out' || result.job.status !== 'failure') return result;
  const reason = reasonOf(result.job, deps.log);
  const said = reason === '' ? '; the platform gave no reason' : `: ${reason}`;
  throw new CourierError({
    code: 'job-failed',
    message: [
      withConsequence(`Update ${id} of project ${projectId} failed${said}.`, consequence),
      ...lastLines(result.job, deps.log).map((line) => `- ${line}`),
    ].join('\n'),
    hint: "Open the update on the platform's dashboard, and correct the documentation. What was live is still live.",
  });
}

const RUNNING = ['queued', 'in_progress'];

function viewOfUpdate({ status = 'no status' }: UpdateStatus): JobView {
  if (status === 'success' || status === 'failure') return { status, phase: 'done' };
  return { status, phase: RUNNING.includes(status) ? 'running' : 'unknown' };
}

function sameUpdate(
  reply: PlatformReply<UpdateStatus>,
  asked: string,
): PlatformReply<UpdateStatus> {
  const { _id: id } = reply.value;
  if (id === undefined || id === asked) return reply;
  throw new CourierError({
    code: 'protocol',
    message: `The platform was asked about update ${asked} and answered about ${plainLine(id, 140)}.`,
  });
}

function reasonOf({ summary = '' }: UpdateStatus, log: Log): string {
  return foreignText(summary, (text) => log.redact(text)).replace(/[.]$/, '');
}

const LOG_LINES = 5;

function lastLines({ logs = [] }: UpdateStatus, log: Log): readonly string[] {
  const lines = logs.filter((line) => typeof line === 'string');
  return lines.slice(-LOG_LINES).map((line) => foreignText(line, (text) => log.redact(text)));
}
