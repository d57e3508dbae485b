import { CourierError, type Hint } from '../../errors.ts';
import type { UpdateOrder } from '../../platform/client.ts';
import type { UpdateStatus } from '../../platform/contract.ts';
import type { Deps } from '../../run/context.ts';
import { writeDuration } from '../../text/amounts.ts';
import { isUsable } from '../job.ts';
import type { Delivery } from '../state/delivery.ts';
import type { PublishedCommit } from '../state/state.ts';
import { followUpdate, requestUpdate, type Update, withConsequence } from '../update.ts';
import { relate } from './commits.ts';
import { type ContentFacts, publishedSentence, shortCommit } from './summary.ts';

interface PublishRequest extends UpdateOrder {
  readonly deps: Deps<ContentFacts>;
  /** Compares commits; undefined: they cannot be compared. */
  readonly token: string | undefined;
  readonly delivery: Delivery | undefined;
  /** The commit of the run; undefined: the system names none. */
  readonly commit: string | undefined;
  /** For publishing and exporting together. */
  readonly timeoutMs: number;
  /** What a failure means for the run besides, as one sentence. */
  readonly consequence?: string | undefined;
  /** What to do on an installation that cannot publish on request. */
  readonly ifImpossible: Hint;
}

interface Ended {
  readonly update: string;
  /** What the platform said of it last. */
  readonly status: UpdateStatus;
  /** Of a preview, as the platform gave it: not checked. */
  readonly previewUrl: string | undefined;
  /** undefined: the update does not show that it published the commit of the run. */
  readonly published: PublishedCommit | undefined;
}

// The platform may have begun its update before it saw the push.
const MAX_UPDATES = 2;

/**
 * Lets the platform publish its deployment branch, and follows that to its end. If what it
 * publishes is older than the commit of the run, it is asked once more; after that it is an error,
 * unless no file changed. Throws `job-failed`, `timed-out`, `conflict`, or `not-found` if the
 * installation cannot publish on request.
 */
export async function publishFirst(asked: PublishRequest): Promise<Ended> {
  const { deps, commit } = asked;
  const endMs = deps.clock.monotonicMs() + asked.timeoutMs;
  const before: Older[] = [];
  let update = (await earlierUpdate(asked)) ?? (await request(asked, endMs));
  for (;;) {
    const status = await follow(asked, update, endMs);
    const found = await judge(asked, update.id, status);
    const { id, previewUrl } = update;
    const ended = { update: id, status, previewUrl };
    if (found.kind === 'ended') return { ...ended, published: found.published };
    before.push(found);
    const published = `The platform published commit ${shortCommit(found.commit)}`;
    if (before.length >= MAX_UPDATES) {
      if (before.some(({ mayHaveNews }) => mayHaveNews)) throw olderCommit(published, asked);
      deps.log.notice(
        `${published}, and says that no file changed. Whether commit ${shortCommit(commit ?? '')} of this run is published is not known.`,
      );
      return { ...ended, published: undefined };
    }
    deps.log.info(
      `${published}, which does not include the commit of this run. Requesting one more update.`,
    );
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
async function judge(
  { deps, token, commit, branch }: PublishRequest,
  id: string,
  status: UpdateStatus,
): Promise<Judged> {
  const named = status.commit?.sha?.toLowerCase();
  if (named === undefined) deps.log.info(`Update ${id} has succeeded, and names no commit.`);
  if (named === undefined || commit === undefined) return { kind: 'ended', published: undefined };
  const relation = await relate(named, commit, { ...deps, token });
  if (relation === undefined) return { kind: 'ended', published: undefined };
  if (relation === 'earlier' || relation === 'other') {
    return {
      kind: 'older',
      commit: named,
      mayHaveNews: relation === 'other' || changedFiles(status) !== 0,
    };
  }
  const published = { commit: named, source: `update ${id}`, at: status.endedAt?.toISOString() };
  const sentence =
    branch === undefined
      ? publishedSentence(published)
      : `The preview has commit ${shortCommit(named)}`;
  deps.log.info(`${sentence}.`);
  return { kind: 'ended', published };
}

/** undefined: the update does not say. */
function changedFiles({ commit }: UpdateStatus): number | undefined {
  const lists = Object.values(commit?.filesChanged ?? {}).filter((list) => list !== undefined);
  return lists.length === 0 ? undefined : lists.flat().length;
}

function olderCommit(
  published: string,
  { commit = '', consequence }: PublishRequest,
): CourierError {
  const text = `${published} in ${MAX_UPDATES} updates, which does not include commit ${shortCommit(commit)} of this run.`;
  return new CourierError({
    code: 'conflict',
    message: withConsequence(text, consequence),
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
async function request(asked: PublishRequest, endMs: number): Promise<Update> {
  const { deps, delivery } = asked;
  const { log, clock } = deps;
  await delivery?.markPublishing({});
  const waitLimitMs = endMs - clock.monotonicMs();
  const update = await requestUpdate(asked, waitLimitMs).catch((error) => {
    throw explained(error, asked);
  });
  await delivery?.markPublishing({ update: update.id }).catch((error) => {
    if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
    log.warning(
      `The id of update ${update.id} was not stored, so a re-run requests another one. ${error.message}`,
    );
  });
  return update;
}

function explained(error: unknown, { consequence, ifImpossible }: PublishRequest): unknown {
  if (!(error instanceof CourierError)) return error;
  if (error.httpStatus !== 404 && error.httpStatus !== 405) return error;
  const text = `The platform cannot publish this on request: ${error.message}`;
  return error.with({
    code: 'not-found',
    message: withConsequence(text, consequence),
    hint: ifImpossible,
  });
}

async function follow(asked: PublishRequest, update: Update, endMs: number): Promise<UpdateStatus> {
  const { deps, commit, timeoutMs, consequence } = asked;
  deps.record({ content: { publish: true, commit, update: update.id } });
  const leftMs = Math.max(0, endMs - deps.clock.monotonicMs());
  const result = await followUpdate(asked, update, leftMs);
  if (result.kind === 'done') return result.job;
  throw new CourierError({
    code: 'timed-out',
    message: withConsequence(
      `Update ${update.id} did not finish within ${writeDuration(timeoutMs)}.`,
      consequence,
    ),
    hint: {
      text: 'The platform continues with it. A re-run of the job follows the same update if a destination stores a state. Or give it more time:',
      inputs: { timeout: writeDuration(2 * timeoutMs) },
    },
  });
}
