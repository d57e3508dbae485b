import type { Comparison } from '../../../bundle/compare/comparison.ts';
import {
  adviceOf,
  type ChangesNotice,
  keyOf,
  type Notice,
  PullComments,
  runLink,
} from '../../../comment/pull-comments.ts';
import { hasCode, toCourierError } from '../../../errors.ts';
import type { Comment, Forge } from '../../../forges/port.ts';
import type { CommentInputs, PublishInputs } from '../../../inputs/inputs.ts';
import type { Context } from '../../../run/context.ts';
import type { Write } from '../../../run/report.ts';
import { formatAddress } from '../../../stores/address.ts';
import { codeSpan } from '../../../text/escape.ts';
import { fieldOf } from '../../../text/json.ts';
import { formatInstant } from '../../../text/markdown.ts';
import { pageUrls, type ToPageUrl } from '../../../text/names.ts';
import type { AfterStep, DeliveredExport } from '../step.ts';
import { changesText, countsText, withStatus } from './changes-text.ts';

/** The comment about what an export changed: written by the export, brought up to date by each refresh of its link and by a rollback. */
export class CommentStep implements AfterStep {
  readonly #inputs: PublishInputs;
  readonly #init: ChangesCommentInit;

  constructor(inputs: PublishInputs, comment: CommentInputs, deps: Context) {
    this.#inputs = inputs;
    this.#init = { inputs: comment, adminApiKey: inputs.adminApiKey, deps };
  }

  plan(): Write[] {
    const target = `the merged pull request of ${this.#init.deps.github.run.repository}`;
    return [{ action: 'comment on what changed', target }];
  }

  /** Never fails the run: the export is in place. */
  async run(delivered: DeliveredExport): Promise<void> {
    const { deps, inputs } = this.#init;
    try {
      const { createGitHubHost } = await import('../../../forges/github/host.ts');
      const forge = await createGitHubHost(deps.github, deps.log).connect({ main: inputs.token, ranks: undefined });
      await this.#write(new ChangesComment(this.#init, forge), delivered);
    } catch (error) {
      if (hasCode(error, 'cancelled')) throw error;
      const warning = adviceOf(toCourierError(error));
      deps.log.warning(
        `The comment about what changed could not be written; the export itself is in place. ${warning}`,
      );
    }
  }

  async #write(comment: ChangesComment, delivered: DeliveredExport): Promise<void> {
    const { jobId, api, delivery, comparison, isLive = false, expiresAt, replacedJobId, contentCommit } = delivered;
    if (this.#inputs.mode === 'export') {
      const { domain = '', projectId = '' } = api.source;
      const site = domain || projectId || 'of this repository';
      const destinations = (this.#inputs.to?.addresses ?? []).map(formatAddress).join(', ');
      const toUrl = pageUrls(this.#inputs.live?.url);
      return comment.publish({ jobId, site, destinations, comparison, isLive, toUrl, contentCommit });
    }
    const commitOf = (id: string) => delivery?.exports?.find(({ job }) => job === id)?.commit;
    const renewed = { jobId, commit: commitOf(jobId), expiresAt };
    if (replacedJobId === undefined) return comment.renew(renewed);
    return comment.rollBack(renewed, { jobId: replacedJobId, commit: commitOf(replacedJobId) });
  }
}

interface ChangesCommentInit {
  readonly inputs: CommentInputs;
  readonly adminApiKey: string;
  readonly deps: Pick<Context, 'run' | 'github' | 'log' | 'clock'>;
}

/** An export that every destination holds now. */
interface Published {
  readonly jobId: string;
  /** As the platform knows the site; what is exported to other destinations has another comment. */
  readonly site: string;
  readonly destinations: string;
  /** undefined: there was nothing to compare with. */
  readonly comparison: Comparison | undefined;
  /** Readers were seen to get it. */
  readonly isLive: boolean;
  readonly toUrl: ToPageUrl;
  /** The commit that is proved to be in the export. */
  readonly contentCommit: string | undefined;
}

/** An export whose comment was written by an earlier run. */
interface Known {
  readonly jobId: string;
  /** The commit that it was exported for. */
  readonly commit: string | undefined;
}

/** One that has a fresh link. */
interface Renewed extends Known {
  readonly expiresAt: string | undefined;
}

class ChangesComment {
  readonly #init: ChangesCommentInit;
  readonly #forge: Forge;
  readonly #comments: PullComments;

  constructor(init: ChangesCommentInit, forge: Forge) {
    this.#init = init;
    this.#forge = forge;
    this.#comments = new PullComments({ forge, secret: init.adminApiKey, deps: init.deps });
  }

  /** Writes the comment on the pull request that was merged, or updates it. */
  async publish(published: Published): Promise<void> {
    const { log, clock, github } = this.#init.deps;
    const pull = await this.#mergedNow();
    if (pull === undefined) return;
    const { jobId, site, destinations, comparison, isLive, toUrl, contentCommit } = published;
    const step = keyOf({ site, destinations });
    const known = await this.#comments.find(
      pull,
      changesOf((notice) => notice.step === step),
    );
    const status = `By ${runLink(github.run)}.`;
    if (known !== undefined && isRepeated(known.notice, published)) {
      const notice = { ...known.notice, job: jobId };
      const url = await this.#comments.write(pull, known.comment, notice, withStatus(visible(known.comment), status));
      return log.info(`Updated the comment on pull request ${pull}: ${url}`);
    }
    const since = new Date(clock.now()).toISOString();
    const counts = countsOf(comparison);
    const notice: ChangesNotice = { version: 2, kind: 'changes', step, job: jobId, counts, since, isLive };
    const pages = (await this.#showsPages()) ? comparison : undefined;
    const text = withStatus(changesText({ site, notice, pages, toUrl, contentCommit }), status);
    const url = await this.#comments.write(pull, known?.comment, notice, text);
    log.info(`Commented on pull request ${pull}: ${countsText(counts)}. ${url}`);
  }

  /** Says in the comment of the export that its link was renewed. */
  renew(renewed: Renewed): Promise<void> {
    const until = renewed.expiresAt === undefined ? '' : `; it works until ${instantOf(renewed.expiresAt)}`;
    return this.#setStatus(renewed, `The link was renewed on ${this.#now()} by ${this.#run()}${until}.`);
  }

  /** Says in the comment of the export that was rolled back that it is not live, and in that of the earlier one that it is. */
  async rollBack(renewed: Renewed, replaced: Known): Promise<void> {
    const rolledBack = `**Rolled back on ${this.#now()}** by ${this.#run()}: export job ${codeSpan(renewed.jobId, 80)} is live again.`;
    await this.#setStatus(replaced, rolledBack);
    const until = renewed.expiresAt === undefined ? '' : `; its link works until ${instantOf(renewed.expiresAt)}`;
    const back = `Live again since ${this.#now()}, by a rollback in ${this.#run()}${until}.`;
    await this.#setStatus(renewed, back);
  }

  /** Replaces the last line of the comment about an export. Leaves alone an export without one. */
  async #setStatus({ jobId, commit }: Known, status: string): Promise<void> {
    const { log } = this.#init.deps;
    const pull = commit === undefined ? undefined : await this.#forge.mergedPull?.(commit);
    const known =
      pull &&
      (await this.#comments.find(
        pull.number,
        changesOf((notice) => notice.job === jobId),
      ));
    if (pull === undefined || known === undefined) return log.debug(`No comment is about export job ${jobId}.`);
    await this.#comments.write(pull.number, known.comment, known.notice, withStatus(visible(known.comment), status));
    log.info(`Updated the comment on pull request ${pull.number}: ${known.comment.url}`);
  }

  #now(): string {
    return formatInstant(new Date(this.#init.deps.clock.now()));
  }

  #run(): string {
    return runLink(this.#init.deps.github.run);
  }

  /** Of a run by a push or a merge: what was exported by hand or on a schedule was not changed by a pull request. */
  async #mergedNow(): Promise<number | undefined> {
    const { run, github, log } = this.#init.deps;
    if (run.cause !== 'push' && run.cause !== 'merge') {
      log.info(`No comment: a run by ${run.eventName ?? 'this event'} follows no merge.`);
      return undefined;
    }
    const event = await github.event();
    const number = fieldOf(event, 'pull_request', 'number');
    if (run.cause === 'merge' && typeof number === 'number') return number;
    const head = fieldOf(event, 'workflow_run', 'head_sha');
    const commit = typeof head === 'string' ? head : github.run.sha;
    const pull = await this.#forge.mergedPull?.(commit);
    if (pull === undefined) log.info(`No comment: commit ${commit.slice(0, 7)} belongs to no merged pull request.`);
    return pull?.number;
  }

  async #showsPages(): Promise<boolean> {
    // Where that cannot be known, less is shown.
    return this.#init.inputs.titles || !(await this.#forge.isPublic().catch(() => true));
  }
}

function instantOf(text: string): string {
  return formatInstant(new Date(text));
}

/** Picks a notice about changes that fits. */
function changesOf(fits: (notice: ChangesNotice) => boolean): (notice: Notice) => ChangesNotice | undefined {
  return (notice) => (notice.kind === 'changes' && fits(notice) ? notice : undefined);
}

/** The text below the signed line. */
function visible({ body }: Comment): string {
  return body.slice(body.indexOf('\n') + 1);
}

/**
 * A run that is run again compares with what its first attempt put in place, and finds no difference: what the comment says is
 * still what the pull request changed.
 */
function isRepeated({ job, isLive }: ChangesNotice, published: Published): boolean {
  const { comparison, jobId } = published;
  const isSameExport = comparison === undefined ? job === jobId : comparison.from.jobId === job && isEmpty(comparison);
  return isSameExport && isLive === published.isLive;
}

function isEmpty({ added, changed, moved, removed }: Comparison): boolean {
  return added.length + changed.length + moved.length + removed.length === 0;
}

function countsOf(comparison: Comparison | undefined): ChangesNotice['counts'] {
  if (comparison === undefined) return undefined;
  const { added, changed, moved, removed, lost } = comparison;
  return {
    added: added.length,
    changed: changed.length,
    moved: moved.length,
    removed: removed.length,
    lost: lost.filter(({ redirect }) => redirect === undefined).length,
  };
}
