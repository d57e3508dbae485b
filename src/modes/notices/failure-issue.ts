import * as z from 'zod/mini';
import type { CiRun } from '../../ci/port.ts';
import { CourierError, hasCode, toCourierError } from '../../errors.ts';
import type { Issue, Notices } from '../../forge/notices.ts';
import { isOwn } from '../../forge/own.ts';
import type { Forge } from '../../forge/port.ts';
import { createGitHub } from '../../github/connection.ts';
import { type IssueInputs, readIssueInputs } from '../../inputs/read-notices.ts';
import { rawInput } from '../../inputs/reader.ts';
import type { InputSource } from '../../inputs/source.ts';
import type { Report } from '../../report/report.ts';
import type { Surroundings } from '../deps.ts';
import { closingComment, type Failure, issueBody, issueTitle } from './issue-text.ts';
import { type FailureNotice, type NoticePlace, readNotice, writeNotice } from './notice.ts';
import { runUrl } from './run-url.ts';
import { stepKey } from './step-key.ts';
import { adviceOf } from './warning.ts';

/** A run that has ended, as far as an issue about it needs it. */
export interface EndedStep extends Pick<Surroundings, 'log' | 'clock' | 'signal'> {
  readonly run: CiRun;
  readonly source: InputSource;
  readonly report: Report<unknown>;
}

// The run itself is over: it is not kept waiting for longer.
const TIME_LIMIT_MS = 60_000;

/**
 * Opens an issue about a run that failed, or brings the one of its step up to date; closes it after a run that succeeded.
 * Whatever goes wrong with that is a warning: the run ends as it would without.
 */
export async function reportOutcome(step: EndedStep): Promise<void> {
  const { run, source, report, log, clock, signal } = step;
  const inputs = readIssueInputs(source);
  const outcome = outcomeOf(report);
  if (inputs === undefined || outcome === undefined || isByChangeRequest(run) || signal.aborted) return;
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
  try {
    const { GitHubHost } = await import('../../forge/github/host.ts');
    const host = new GitHubHost(createGitHub({ run: run.github, clock, log, signal: limited }), log);
    const [forge, notices] = await Promise.all([
      host.connect({ main: inputs.token, ranks: undefined }),
      host.connectNotices(inputs.token),
    ]);
    const issues = new FailureIssue({ step, inputs, forge, notices });
    await (outcome === 'failed' ? issues.report() : issues.close());
  } catch (error) {
    const reason = toCourierError(error);
    const why = hasCode(reason, 'cancelled') ? 'GitHub did not answer within a minute.' : adviceOf(reason);
    log.warning(`The issue about this ${outcome === 'failed' ? 'failure' : 'step'} could not be updated. ${why}`);
  }
}

/** Neither a run that was cancelled nor one that did nothing says whether the step works. */
function outcomeOf({ status, error }: Report<unknown>): 'failed' | 'succeeded' | undefined {
  if (status === 'cancelled') return undefined;
  if (error !== undefined) return 'failed';
  return status === 'completed' ? 'succeeded' : undefined;
}

/** Whoever proposes a change sees its run. */
function isByChangeRequest({ cause }: CiRun): boolean {
  return cause === 'change-request' || cause === 'comment';
}

interface FailureIssueInit {
  readonly step: EndedStep;
  readonly inputs: IssueInputs;
  readonly forge: Forge;
  readonly notices: Notices;
}

/** An open issue of ours about the step. */
interface Found {
  readonly issue: Issue;
  readonly notice: FailureNotice;
  readonly isValid: boolean;
}

const expiries = z.object({
  storedLinkExpiresAt: z.optional(z.string()),
  expiresAt: z.optional(z.string()),
  secret: z.optional(z.object({ updated: z.boolean() })),
});

class FailureIssue {
  readonly #step: EndedStep;
  readonly #inputs: IssueInputs;
  readonly #forge: Forge;
  readonly #notices: Notices;
  readonly #place: NoticePlace;
  readonly #key: string;

  constructor({ step, inputs, forge, notices }: FailureIssueInit) {
    this.#step = step;
    this.#inputs = inputs;
    this.#forge = forge;
    this.#notices = notices;
    this.#place = { secret: inputs.secret, repository: step.run.github.repository };
    this.#key = stepKey(step.source);
  }

  async report(): Promise<void> {
    const { log } = this.#step;
    const [known] = (await this.#find()).filter(({ isValid }) => isValid);
    const notice = this.#notice(known?.notice);
    const failure = await this.#describe();
    const text = (id?: number) => ({
      title: issueTitle(failure),
      body: log.redact(`${writeNotice(this.#place, { ...notice, id })}\n${issueBody(failure, notice)}`),
    });
    if (known === undefined) {
      const { number, url } = await this.#create(text());
      log.info(`Opened issue ${number} about this failure: ${url}`);
    } else {
      await this.#notices.updateIssue(known.issue.number, text(known.issue.number));
      log.info(`Updated issue ${known.issue.number} about this failure: ${known.issue.url}`);
    }
  }

  /**
   * Closes also what was signed with an earlier key: a new key is the usual fix, and the issue must not stay open for it. The
   * worst that a copied notice does is to be closed.
   */
  async close(): Promise<void> {
    for (const { issue } of await this.#find()) {
      await this.#notices.closeIssue(issue.number);
      await this.#forge.createComment(issue.number, closingComment(runUrl(this.#step.run.github)));
      this.#step.log.info(`Closed issue ${issue.number}: this run succeeded.`);
    }
  }

  /** Open issues of our own author about this step, oldest first. */
  async #find(): Promise<Found[]> {
    const [own, issues] = await Promise.all([this.#forge.whoWeAre(), this.#notices.openIssues()]);
    return issues
      .filter((issue) => isOwn(issue, own))
      .flatMap((issue) => {
        const found = readNotice(this.#place, { id: issue.number, body: issue.body });
        if (found?.notice.kind !== 'failure' || found.notice.step !== this.#key) return [];
        return [{ issue, notice: found.notice, isValid: found.isValid }];
      })
      .sort((a, b) => a.issue.number - b.issue.number);
  }

  #notice(before: FailureNotice | undefined): FailureNotice {
    const { clock, report } = this.#step;
    const parsed = expiries.safeParse(report);
    const { storedLinkExpiresAt, expiresAt, secret } = parsed.success ? parsed.data : {};
    return {
      version: 2,
      kind: 'failure',
      step: this.#key,
      since: before?.since ?? new Date(clock.now()).toISOString(),
      runs: (before?.runs ?? 0) + 1,
      expiresAt: (secret?.updated === true ? expiresAt : storedLinkExpiresAt) ?? before?.expiresAt,
    };
  }

  async #describe(): Promise<Failure> {
    const { source, report, clock } = this.#step;
    const { error = { code: 'io', message: '' } } = report;
    const names = ['domain', 'project-id', 'site', 'secret-name', 'to'] as const;
    const subject = names.map((name) => rawInput(source, name)).find((text) => text !== '') ?? 'the documentation';
    return {
      mode: report.mode,
      subject: subject.split('\n')[0] ?? '',
      error,
      runUrl: runUrl(this.#step.run.github),
      nowMs: clock.now(),
      // Where that cannot be known, less is shown.
      isPublic: await this.#forge.isPublic().catch(() => true),
    };
  }

  // An assignee that GitHub refuses must not keep the issue from being opened.
  async #create(text: { title: string; body: string }): Promise<Pick<Issue, 'number' | 'url'>> {
    const { labels, assignees } = this.#inputs;
    try {
      return await this.#notices.createIssue({ ...text, labels, assignees });
    } catch (error) {
      if (!(error instanceof CourierError) || error.httpStatus !== 422 || assignees.length === 0) throw error;
      this.#step.log.warning(`The issue is opened without issue-assignees, which GitHub refused. ${error.message}`);
      return this.#notices.createIssue({ ...text, labels, assignees: [] });
    }
  }
}
