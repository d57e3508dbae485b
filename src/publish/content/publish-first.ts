import { CourierError, type Hint } from '../../errors.ts';
import type { UpdateStatus } from '../../platform/contract.ts';
import type { Deps } from '../../run/context.ts';
import { writeDuration } from '../../text/amounts.ts';
import { isUsable } from '../job.ts';
import type { Delivery } from '../state/delivery.ts';
import type { PublishedCommit } from '../state/state.ts';
import { followUpdate, requestUpdate, type Update } from '../update.ts';
import { relate } from './commits.ts';
import { type ContentFacts, publishedSentence, shortCommit } from './summary.ts';

interface PublishRequest {
  readonly deps: Deps<ContentFacts>;
  readonly projectId: string;
  /** Compares commits; undefined: they cannot be compared. */
  readonly token: string | undefined;
  readonly delivery: Delivery | undefined;
  /** The commit of the run; undefined: the system names none. */
  readonly commit: string | undefined;
  /** For publishing and exporting together. */
  readonly timeoutMs: number;
}

interface Ended {
  readonly update: string;
  /** undefined: the update does not show that it published the commit of the run. */
  readonly published: PublishedCommit | undefined;
}

// The platform may have begun its update before it saw the push.
const MAX_UPDATES = 2;
const CONSEQUENCE = 'No export was started.';

/**
 * Lets the platform publish its deployment branch, and follows that to its end. If what it publishes is older than the commit of
 * the run, it is asked once more; after that it is an error, unless no file changed. Throws `job-failed`, `timed-out`, `conflict`,
 * or `not-found` if the installation cannot publish on request.
 */
export async function publishFirst(asked: PublishRequest): Promise<Ended> {
  const { deps, commit } = asked;
  const endMs = deps.clock.monotonicMs() + asked.timeoutMs;
  const before: Older[] = [];
  let update = (await earlierUpdate(asked)) ?? (await request(asked, endMs));
  for (;;) {
    const status = await follow(asked, update, endMs);
    const found = await judge(asked, update.id, status);
    if (found.kind === 'ended') return { update: update.id, published: found.published };
    before.push(found);
    const published = `The platform published commit ${shortCommit(found.commit)}`;
    if (before.length >= MAX_UPDATES) {
      if (before.some(({ mayHaveNews }) => mayHaveNews)) throw olderCommit(published, commit);
      deps.log.info(`${published}, and says that no file changed.`);
      return { update: update.id, published: undefined };
    }
    deps.log.info(`${published}, which does not include the commit of this run. Requesting one more update.`);
    update = await request(asked, endMs);
  }
}

/** The update published a commit that does not contain that of the run. */
interface Older {
  readonly kind: 'older';
  readonly commit: string;
  /** It is of another line, or the update changed files or does not say which. */
  readonly mayHaveNews: boolean;
}

type Judged = Older | { readonly kind: 'ended'; readonly published: PublishedCommit | undefined };

/** What an update that succeeded says about the commit of the run. */
async function judge({ deps, token, commit }: PublishRequest, id: string, status: UpdateStatus): Promise<Judged> {
  const named = status.commit?.sha?.toLowerCase();
  if (named === undefined) deps.log.info(`Update ${id} has succeeded, and names no commit.`);
  if (named === undefined || commit === undefined) return { kind: 'ended', published: undefined };
  const relation = await relate(named, commit, { ...deps, token });
  if (relation === undefined) return { kind: 'ended', published: undefined };
  if (relation === 'earlier' || relation === 'other') {
    return { kind: 'older', commit: named, mayHaveNews: relation === 'other' || changedFiles(status) !== 0 };
  }
  const published = { commit: named, source: `update ${id}`, at: status.endedAt?.toISOString() };
  deps.log.info(`${publishedSentence(published)}.`);
  return { kind: 'ended', published };
}

/** undefined: the update does not say. */
function changedFiles({ commit }: UpdateStatus): number | undefined {
  const lists = Object.values(commit?.filesChanged ?? {}).filter((list) => list !== undefined);
  return lists.length === 0 ? undefined : lists.flat().length;
}

function olderCommit(published: string, commit = ''): CourierError {
  return new CourierError({
    code: 'conflict',
    message: `${published} in ${MAX_UPDATES} updates, which does not include commit ${shortCommit(commit)} of this run. ${CONSEQUENCE}`,
    hint: "Check the deployment branch in the platform's settings. Limit the workflow to changes of the documentation with paths: filters. After a force push, the newest commit has its own run.",
  });
}

/** The update of an earlier attempt of this run, unless it failed or is gone. */
async function earlierUpdate({ deps, delivery }: PublishRequest): Promise<Update | undefined> {
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

/** Requests an update. Its id goes to the log, then into the state. */
async function request({ deps, projectId, delivery }: PublishRequest, endMs: number): Promise<Update> {
  const { log, clock } = deps;
  await delivery?.markPublishing({});
  const waitLimitMs = endMs - clock.monotonicMs();
  const update = await requestUpdate({ deps, projectId, consequence: CONSEQUENCE }, waitLimitMs).catch((error) => {
    throw explained(error, projectId);
  });
  await delivery?.markPublishing({ update: update.id }).catch((error) => {
    if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
    log.warning(`The id of update ${update.id} was not stored, so a re-run requests another one. ${error.message}`);
  });
  return update;
}

const NO_ENDPOINT: Hint = {
  text: "Compare project-id with the API keys page of the dashboard. If it is right, this installation cannot publish on request. Then run the workflow on the event of the platform's GitHub App (input publisher), or export what is published already:",
  inputs: { publish: 'false' },
};

function explained(error: unknown, projectId: string): unknown {
  if (!(error instanceof CourierError)) return error;
  if (error.httpStatus !== 404 && error.httpStatus !== 405) return error;
  const message = `The platform cannot publish project ${projectId} on request: ${error.message} ${CONSEQUENCE}`;
  return error.with({ code: 'not-found', message, hint: NO_ENDPOINT });
}

async function follow(asked: PublishRequest, update: Update, endMs: number): Promise<UpdateStatus> {
  const { deps, projectId, commit, timeoutMs } = asked;
  deps.record({ content: { publish: true, commit, update: update.id } });
  const leftMs = Math.max(0, endMs - deps.clock.monotonicMs());
  const result = await followUpdate({ deps, projectId, consequence: CONSEQUENCE }, update, leftMs);
  if (result.kind === 'done') return result.job;
  throw new CourierError({
    code: 'timed-out',
    message: `Update ${update.id} did not finish within ${writeDuration(timeoutMs)}. ${CONSEQUENCE}`,
    hint: {
      text: 'The platform continues with it. Re-run the job, which follows the same update; or give it more time:',
      inputs: { timeout: writeDuration(2 * timeoutMs) },
    },
  });
}
