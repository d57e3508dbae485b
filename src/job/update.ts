import { CourierError, courierError, protocolError } from '../ground/errors.ts';
import type { Work } from '../ground/log.ts';
import { plainLine } from '../ground/text/escape.ts';
import { foreignText } from '../http/service.ts';
import { type PlatformClient, type UpdateOrder, updatePath } from '../platform/client.ts';
import type { UpdateStatus } from '../platform/contract.ts';
import type { FollowResult, JobView } from '../platform/follow.ts';
import { followJob } from './progress.ts';

/**
 * An update of a project: the platform publishes its deployment branch, or makes the preview of a
 * branch.
 */
export interface Update {
  readonly id: string;
  /** True if this attempt has just requested the update. */
  readonly isNew: boolean;
  /** The address of a preview, as the platform gave it: not checked. */
  readonly previewUrl?: string | undefined;
}

interface UpdateWork extends UpdateOrder {
  readonly deps: Work & { readonly platform: PlatformClient };
  /** What a failure also means for the run, as one sentence after the message. */
  readonly consequence?: string | undefined;
}

/**
 * Requests an update once: a request that the platform may have seen is not repeated. The id of the
 * update goes to the log. `waitLimitMs`: how long to wait if the platform asks to come back later.
 */
export async function requestUpdate(work: UpdateWork, waitLimitMs: number): Promise<Update> {
  const { log, platform } = work.deps;
  log.info(`Publishing: POST /${updatePath(work)}.`);
  try {
    const { value } = await platform.startUpdate(work, { waitLimitMs });
    log.info(`Requested update ${value.statusId} of project ${work.projectId}.`);
    return { id: value.statusId, isNew: true, previewUrl: value.previewUrl };
  } catch (error) {
    const isUnsure = error instanceof CourierError && error.mayHaveActed;
    // A refusal is clear as it is, and a cancelled run ends with its own message.
    if (!isUnsure || error.code === 'cancelled') throw error;
    let subject = 'An update';
    if (work.branch !== undefined) subject = `A preview of branch "${plainLine(work.branch, 100)}"`;
    const unsure = `${error.message} ${subject} may have been requested; it was not requested again.`;
    throw error.with({
      message: withConsequence(unsure, work.consequence),
      hint: 'Run again: one more update does no harm.',
    });
  }
}

/** The message of a failure, with what it means for the run. */
export function withConsequence(text: string, consequence: string | undefined): string {
  return consequence === undefined ? text : `${text} ${consequence}`;
}

/**
 * Follows an update to its end, or for `timeoutMs`. Throws `job-failed` if the platform says that
 * it failed.
 */
export async function followUpdate(
  work: UpdateWork,
  { id, isNew }: Update,
  timeoutMs: number,
): Promise<FollowResult<UpdateStatus>> {
  const result = await followJob<UpdateStatus>({
    ...work.deps,
    title: `Publishing: following update ${id}`,
    poll: async (timeLimitMs) => {
      const reply = await work.deps.platform.getUpdateStatus(id, { timeLimitMs });
      assertIsAbout(id, reply.value);
      return reply;
    },
    view: viewOfUpdate,
    timeoutMs,
    // The platform may not know a new update for a moment: a 404 counts only after 30 s.
    fresh: isNew,
    // An update shows no progress, and may end within seconds.
    pace: 'quick',
  });
  if (result.kind === 'done' && result.job.status === 'failure')
    throw updateFailed(work, id, result.job);
  return result;
}

/** The error of an update that failed, with the platform's reason and the end of its log. */
function updateFailed(work: UpdateWork, id: string, job: UpdateStatus): CourierError {
  const { summary = '', logs = [] } = job;
  const makeSafe = (text: string) => foreignText(text, (line) => work.deps.log.redact(line));
  // Our sentence ends with its own full stop.
  const reason = makeSafe(summary).replace(/[.]$/, '');
  const why = reason === '' ? '; the platform gave no reason' : `: ${reason}`;
  const failed = `Update ${id} of project ${work.projectId} failed${why}.`;
  // What the platform gives besides lines of text is left out. The reason is at the end of a log.
  const last = logs.filter((line) => typeof line === 'string').slice(-LOG_LINES);
  const lines = last.map((line) => `- ${makeSafe(line)}`);
  return courierError(
    'job-failed',
    [withConsequence(failed, work.consequence), ...lines].join('\n'),
    "Open the update on the platform's dashboard, and correct the documentation. What was live is still live.",
  );
}

const LOG_LINES = 5;

/** How far an update has come. An unknown status is followed on, as it may be a new one. */
function viewOfUpdate({ status = 'no status' }: UpdateStatus): JobView {
  if (status === 'success' || status === 'failure') return { status, phase: 'done' };
  const isRunning = status === 'queued' || status === 'in_progress';
  return { status, phase: isRunning ? 'running' : 'unknown' };
}

/**
 * Throws `protocol` if the reply is about another update than was asked for. A reply that names
 * none passes.
 */
function assertIsAbout(asked: string, { _id: id }: UpdateStatus): void {
  if (id === undefined || id === asked) return;
  throw protocolError(
    `The platform was asked about update ${asked} and answered about ${plainLine(id, 140)}.`,
  );
}
