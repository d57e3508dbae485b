import type { Delivery } from '../../delivery/delivery.ts';
import type { PublishedCommit } from '../../delivery/state.ts';
import { assertFailure, CourierError, courierError, type Hint } from '../../ground/errors.ts';
import { writeDuration } from '../../ground/text/amounts.ts';
import { isUsable } from '../../job/job.ts';
import { followUpdate, requestUpdate, type Update, withConsequence } from '../../job/update.ts';
import type { UpdateOrder } from '../../platform/client.ts';
import type { UpdateStatus } from '../../platform/contract.ts';
import type { Deps } from '../../run/context.ts';
import { relate } from './commits.ts';
import { type ContentFacts, publishedSentence, shortCommit } from './summary.ts';

interface PublishRequest extends UpdateOrder {
  readonly deps: Deps<ContentFacts>;
  /** For GitHub, to compare commits; undefined: they cannot be compared. */
  readonly token: string | undefined;
  readonly delivery: Delivery | undefined;
  /** The commit of the run; undefined: the system names none. */
  readonly commit: string | undefined;
  /** For publishing and exporting together. */
  readonly timeoutMs: number;
  /** What a failure also means for the run, as one sentence. */
  readonly consequence?: string | undefined;
  /** What to do on an installation that cannot publish on request. */
  readonly ifImpossible: Hint;
}

/** How the last update ended. */
interface Ended {
  readonly update: string;
  /** The last status of the update. */
  readonly status: UpdateStatus;
  /** The address of a preview, as the platform gave it: not checked. */
  readonly previewUrl: string | undefined;
  /**
   * The published commit, which contains that of the run; undefined: the update does not show that.
   */
  readonly published: PublishedCommit | undefined;
}

// The platform may have begun its update before it saw the push.
const MAX_UPDATES = 2;

/**
 * Lets the platform publish its deployment branch, and follows the update to its end. If the
 * published commit does not contain that of the run, one more update is requested; after that it is
 * an error, unless no file changed. Throws `job-failed`, `timed-out`, `conflict`, or `not-found` if
 * the installation cannot publish on request.
 */
export async function publishFirst(asked: PublishRequest): Promise<Ended> {
  const { log, clock } = asked.deps;
  const endMs = clock.monotonicMs() + asked.timeoutMs;
  let mayLackChanges = false;
  let update = (await earlierUpdate(asked)) ?? (await request(asked, endMs));
  for (let updates = 1; ; updates += 1) {
    const status = await follow(asked, update, endMs);
    const ended = { update: update.id, status, previewUrl: update.previewUrl };
    const { named, relation } = await compareWithRun(asked, update.id, status);
    // Another update would not say more.
    if (named === undefined || relation === undefined) return { ...ended, published: undefined };
    if (typeof relation === 'object') {
      warnNotShown(asked, relation.why);
      return { ...ended, published: undefined };
    }
    // The published commit contains that of the run.
    if (relation === 'same' || relation === 'later')
      return { ...ended, published: notePublished(asked, update.id, named, status) };
    // If every update of an older commit changed 0 files, the commit of the run may change nothing
    // that the platform publishes. Otherwise it was not published.
    mayLackChanges ||= relation === 'other' || countChangedFiles(status) !== 0;
    const older = `The platform published commit ${shortCommit(named)}`;
    if (updates < MAX_UPDATES) {
      log.info(
        `${older}, which does not include the commit of this run. Requesting one more update.`,
      );
      update = await request(asked, endMs);
      continue;
    }
    if (mayLackChanges) throw olderCommitError(older, asked);
    warnNotShown(asked, `${older}, and says that no file changed.`);
    return { ...ended, published: undefined };
  }
}

/** The commit of the run is known: a published one was compared with it. `why`: sentences. */
function warnNotShown({ deps, commit = '' }: PublishRequest, why: string): void {
  deps.log.warning(
    `Commit ${shortCommit(commit)} of this run is not shown to be published. ${why}`,
  );
}

/** The commit that an update published, and how it relates to that of the run, as far as known. */
async function compareWithRun(asked: PublishRequest, update: string, status: UpdateStatus) {
  const named = status.commit?.sha?.toLowerCase();
  if (named === undefined)
    asked.deps.log.info(`Update ${update} has succeeded, and names no commit.`);
  if (named === undefined || asked.commit === undefined) return { named, relation: undefined };
  return { named, relation: await relate(named, asked.commit, asked.token, asked.deps) };
}

/** Logs which commit the update has published, and gives it. */
function notePublished(
  asked: PublishRequest,
  update: string,
  commit: string,
  status: UpdateStatus,
): PublishedCommit {
  const published = { commit, source: `update ${update}`, at: status.endedAt?.toISOString() };
  let sentence = publishedSentence(published);
  // An update of a branch makes a preview, and publishes nothing.
  if (asked.branch !== undefined) sentence = `The preview has commit ${shortCommit(commit)}`;
  asked.deps.log.info(`${sentence}.`);
  return published;
}

/** How many files the update changed; undefined: it does not say. */
function countChangedFiles(status: UpdateStatus): number | undefined {
  const lists = Object.values(status.commit?.filesChanged ?? {}).filter(
    (list) => list !== undefined,
  );
  return lists.length === 0 ? undefined : lists.flat().length;
}

/** The error of updates that published only older commits. `published`: how its sentence begins. */
function olderCommitError(
  published: string,
  { commit = '', consequence }: PublishRequest,
): CourierError {
  const text = `${published} in ${MAX_UPDATES} updates, which does not include commit ${shortCommit(commit)} of this run.`;
  return courierError(
    'conflict',
    withConsequence(text, consequence),
    "Check the deployment branch in the platform's settings. Limit the workflow to changes of the documentation with paths: filters. After a force push, the newest commit has its own run.",
  );
}

/** The update that an earlier attempt of this run requested, unless it failed or is gone. */
async function earlierUpdate({ deps, delivery }: PublishRequest): Promise<Update | undefined> {
  const id = delivery?.earlierContent?.update;
  if (id !== undefined) {
    const status = deps.platform.getUpdateStatus(id);
    const hasFailed = status.then((reply) => reply.value.status === 'failure');
    const isFollowed = await isUsable(`update ${id}`, hasFailed, deps.log);
    return isFollowed ? { id, isNew: false } : undefined;
  }
  if (deps.run.github.runAttempt > 1 && !delivery?.keepsState) {
    deps.log.info(
      'No destination stores a state, so whether an earlier attempt requested an update is not known: one is requested.',
    );
  }
  return undefined;
}

/** Requests an update. Its id goes to the log, then into the state. */
async function request(asked: PublishRequest, endMs: number): Promise<Update> {
  // Still without an id: a state that cannot be written is an error before the platform is asked.
  await asked.delivery?.markPublishing({});
  const leftMs = endMs - asked.deps.clock.monotonicMs();
  const update = await requestUpdate(asked, leftMs).catch((error) => {
    throw withAdvice(error, asked);
  });
  await asked.delivery?.markPublishing({ update: update.id }).catch((error) => {
    assertFailure(error);
    asked.deps.log.warning(
      `The id of update ${update.id} was not stored, so a re-run requests another one. ${error.message}`,
    );
  });
  return update;
}

/** The error of a request, with advice if the installation cannot publish on request. */
function withAdvice(error: unknown, asked: PublishRequest): unknown {
  if (!(error instanceof CourierError)) return error;
  // Such an installation does not know the path, or only other methods of it.
  if (error.httpStatus !== 404 && error.httpStatus !== 405) return error;
  const text = `The platform does not know the project, or cannot publish on request: ${error.message}`;
  const message = withConsequence(text, asked.consequence);
  return error.with({ code: 'not-found', message, hint: asked.ifImpossible });
}

/** The error of an update whose status could not be read once: nothing is known about its end. */
function neverRead(asked: PublishRequest, { id }: Update, error: CourierError): CourierError {
  const text = `The status of update ${id} was not readable within ${writeDuration(asked.timeoutMs)}, so how it ended is not known. The last time: ${error.message}`;
  return error.with({
    message: withConsequence(text, asked.consequence),
    hint: "Look for the update on the platform's dashboard, and run again: one more update does no harm.",
  });
}

/** Follows an update to its end. Throws `timed-out`, or why its status was never readable. */
async function follow(asked: PublishRequest, update: Update, endMs: number): Promise<UpdateStatus> {
  asked.deps.record({ content: { publish: true, commit: asked.commit, update: update.id } });
  const leftMs = Math.max(0, endMs - asked.deps.clock.monotonicMs());
  const result = await followUpdate(asked, update, leftMs);
  if (result.kind === 'done') return result.job;
  const { error } = result;
  if (error !== undefined) throw neverRead(asked, update, error);
  const text = `Update ${update.id} did not finish within ${writeDuration(asked.timeoutMs)}.`;
  throw courierError('timed-out', withConsequence(text, asked.consequence), {
    text: 'The platform continues with it. Give it more time:',
    inputs: { timeout: writeDuration(2 * asked.timeoutMs) },
  });
}
