import { CourierError, type Hint } from '../../errors.ts';
import { foreignText } from '../../http/service.ts';
import type { PlatformReply } from '../../platform/client.ts';
import type { UpdateStatus } from '../../platform/contract.ts';
import type { JobView } from '../../platform/follow.ts';
import type { Deps } from '../../run/context.ts';
import { writeDuration } from '../../text/amounts.ts';
import { plainLine } from '../../text/escape.ts';
import { isUsable } from '../job.ts';
import { followJob } from '../progress.ts';
import type { Delivery } from '../state/delivery.ts';
import { type ContentFinding, judgeUpdate, type UpdateReading } from './claim.ts';
import type { Relate } from './commits.ts';
import { type ContentFacts, shortCommit } from './summary.ts';

interface UpdateRequest {
  readonly deps: Deps<ContentFacts>;
  readonly relate: Relate;
  readonly projectId: string;
  readonly delivery: Delivery | undefined;
  readonly commit: string | undefined;
  /** For publishing and exporting together. */
  readonly timeoutMs: number;
}

interface RequestedUpdate {
  readonly id: string;
  /** Requested by this attempt, a moment ago. */
  readonly isNew: boolean;
}

// The platform may have begun its update before it saw the push.
const MAX_UPDATES = 2;
const LOG_LINES = 5;

/**
 * Lets the platform publish its deployment branch, and follows that to its end. If what it publishes is older than the commit of
 * the run, it is asked once more; after that it is an error, unless no file changed. Throws `job-failed`, `timed-out`, `conflict`,
 * or `not-found` if the installation cannot publish on request.
 */
export async function publishNow(trigger: UpdateRequest): Promise<{ found: ContentFinding; update: string }> {
  const { deps, relate, commit, timeoutMs } = trigger;
  const endMs = deps.clock.monotonicMs() + timeoutMs;
  let update = (await findEarlierUpdate(trigger)) ?? (await request(trigger, endMs));
  let hasNews = false;
  for (let count = 1; ; count += 1) {
    const status = await followUpdate(trigger, update, endMs);
    const relation = await relate(status.commit?.sha, commit);
    const found = judgeUpdate({ ...readingOf(update.id, status), relation });
    if (found.kind !== 'contradicted') return { found: explainSilence(found, status), update: update.id };
    const published = shortCommit(status.commit?.sha ?? '');
    hasNews ||= relation !== 'earlier' || mayHaveNews(status);
    if (count >= MAX_UPDATES) {
      if (hasNews) {
        throw new CourierError({
          code: 'conflict',
          message: `The platform published commit ${published} in ${MAX_UPDATES} updates, which does not include commit ${shortCommit(commit ?? '')} of this run. No export was started.`,
          hint: "Check the deployment branch in the platform's settings. Limit the workflow to changes of the documentation with paths: filters. After a force push, the newest commit has its own run.",
        });
      }
      // The platform stays at a commit before the merge, and says that no file changed: the merge has no documentation for it.
      const why = `The platform found nothing to publish: no file changed since commit ${published}, its last one`;
      return { found: { kind: 'nothing', state: 'over', why }, update: update.id };
    }
    deps.log.info(
      `The platform published commit ${published}, which does not include the commit of this run. Requesting one more update.`,
    );
    update = await request(trigger, endMs);
  }
}

function explainSilence(found: ContentFinding, { commit }: UpdateStatus): ContentFinding {
  if (found.kind !== 'nothing' || commit?.sha !== undefined) return found;
  return { ...found, why: 'The platform names no commit: it may have found nothing to publish' };
}

/** What an update says now about `commit`. */
export async function readUpdate(
  { deps, relate }: Pick<UpdateRequest, 'deps' | 'relate'>,
  { id, commit }: { readonly id: string; readonly commit: string },
): Promise<ContentFinding> {
  const { value } = sameUpdate(await deps.platform.getUpdateStatus(id), id);
  return judgeUpdate({ ...readingOf(id, value), relation: await relate(value.commit?.sha, commit) });
}

function readingOf(id: string, { status, commit, endedAt }: UpdateStatus): Omit<UpdateReading, 'relation'> {
  return { id, status, commit: commit?.sha, at: endedAt?.toISOString() };
}

/** The update changed files, or does not say. */
function mayHaveNews({ commit }: UpdateStatus): boolean {
  const lists = Object.values(commit?.filesChanged ?? {}).filter((list) => list !== undefined);
  return lists.length === 0 || lists.some(({ length }) => length > 0);
}

/** The update of an earlier attempt of this run, unless it failed or is gone. */
async function findEarlierUpdate({ deps, delivery }: UpdateRequest): Promise<RequestedUpdate | undefined> {
  const { log, run, platform } = deps;
  const id = delivery?.earlierContent?.update;
  if (id === undefined) {
    if (run.github.runAttempt > 1 && delivery?.keepsState !== true) {
      log.info(
        'No destination stores a state, so an update that an earlier attempt of this run requested is not known. This attempt requests another one.',
      );
    }
    return undefined;
  }
  const hasFailed = async () => (await platform.getUpdateStatus(id)).value.status === 'failure';
  return (await isUsable(`update ${id}`, hasFailed, log)) ? { id, isNew: false } : undefined;
}

/** Requests an update, once: what the platform may have seen is not repeated. Its id goes to the log, then into the state. */
async function request({ deps, projectId, delivery }: UpdateRequest, endMs: number): Promise<RequestedUpdate> {
  const { platform, log, clock } = deps;
  await delivery?.markPublishing({});
  log.info(`Publishing project ${projectId}: POST /v1/project/update/${projectId}.`);
  const waitLimitMs = endMs - clock.monotonicMs();
  const { value } = await platform.startUpdate(projectId, { waitLimitMs }).catch((error) => {
    throw explainRequest(error, projectId);
  });
  const id = value.statusId;
  log.info(`Requested update ${id}.`);
  await delivery?.markPublishing({ update: id }).catch((error) => {
    if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
    log.warning(`The id of update ${id} was not stored, so a re-run requests another one. ${error.message}`);
  });
  return { id, isNew: true };
}

const NO_ENDPOINT: Hint = {
  text: 'Compare project-id with the API keys page of the dashboard first. If it is right, this installation cannot publish on request: on GitHub, wait for what its GitHub App reports (publish: wait, with publisher); elsewhere, export what is published already:',
  inputs: { publish: 'off' },
};

function explainRequest(error: unknown, projectId: string): unknown {
  if (!(error instanceof CourierError)) return error;
  if (error.httpStatus === 404 || error.httpStatus === 405) {
    const message = `The platform cannot publish project ${projectId} on request: ${error.message} No export was started.`;
    return error.with({ code: 'not-found', message, hint: NO_ENDPOINT });
  }
  if (!error.mayHaveStarted || error.code === 'cancelled') return error;
  return error.with({
    message: `${error.message} The update may still have been requested; it was not requested again, and no export was started.`,
    hint: 'Run again: one more update does no harm.',
  });
}

async function followUpdate(
  trigger: UpdateRequest,
  { id, isNew }: RequestedUpdate,
  endMs: number,
): Promise<UpdateStatus> {
  const { deps, timeoutMs, projectId, commit } = trigger;
  const { clock, log, platform } = deps;
  deps.record({ content: { publish: 'trigger', commit, update: id } });
  const result = await followJob({
    deps,
    title: `Publishing: following update ${id}`,
    poll: async (timeLimitMs) => sameUpdate(await platform.getUpdateStatus(id, { timeLimitMs }), id),
    view: viewOfUpdate,
    timeoutMs: Math.max(0, endMs - clock.monotonicMs()),
    fresh: isNew,
  });
  if (result.kind === 'timed-out') {
    throw new CourierError({
      code: 'timed-out',
      message: `Update ${id} did not finish within ${writeDuration(timeoutMs)}. No export was started.`,
      hint: {
        text: 'The platform continues with it. Re-run the job, which follows the same update; or give it more time:',
        inputs: { timeout: writeDuration(2 * timeoutMs) },
      },
    });
  }
  if (result.job.status === 'failure') throw updateFailed({ id, projectId }, result.job, log.redact);
  return result.job;
}

const RUNNING = ['queued', 'in_progress'];

function viewOfUpdate({ status = 'no status' }: UpdateStatus): JobView {
  if (status === 'success' || status === 'failure') return { status, phase: 'done' };
  return { status, phase: RUNNING.includes(status) ? 'running' : 'unknown' };
}

function sameUpdate(reply: PlatformReply<UpdateStatus>, asked: string): PlatformReply<UpdateStatus> {
  const { _id: id } = reply.value;
  if (id === undefined || id === asked) return reply;
  throw new CourierError({
    code: 'protocol',
    message: `The platform was asked about update ${asked} and answered about ${plainLine(id, 140)}.`,
  });
}

function updateFailed(
  { id, projectId }: { readonly id: string; readonly projectId: string },
  { summary = '', logs = [] }: UpdateStatus,
  redact: (text: string) => string,
): CourierError {
  const said = foreignText(summary, redact).replace(/[.]$/, '');
  const lines = logs.filter((line) => typeof line === 'string').slice(-LOG_LINES);
  return new CourierError({
    code: 'job-failed',
    message: [
      `Update ${id} of project ${projectId} failed${said === '' ? '; the platform gave no reason' : `: ${said}`}. No export was started.`,
      ...lines.map((line) => `- ${foreignText(line, redact)}`),
    ].join('\n'),
    hint: "Open the update on the platform's dashboard, and correct the documentation. What was live is still live.",
  });
}
