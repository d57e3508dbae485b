import type { ReportError } from '../../report/report.ts';
import { errorSection, sections } from '../../report/summary.ts';
import { codeSpan, escapeMarkdown, link, plainLine } from '../../text/escape.ts';
import { countOf, formatDuration, formatInstant } from '../../text/markdown.ts';
import type { FailureNotice } from './notice.ts';

export interface Failure {
  readonly mode: string;
  /** The site, or the place of the link, as the inputs name it. */
  readonly subject: string;
  readonly error: ReportError;
  readonly runUrl: string;
  readonly nowMs: number;
  /** Anybody may read the issue: lists in a message, which can name pages, are left to the log. */
  readonly isPublic: boolean;
}

const MAX_TITLE = 200;

export function issueTitle({ mode, subject, error }: Failure): string {
  return plainLine(`Documentation: ${mode} of ${subject} fails (${error.code})`, MAX_TITLE);
}

/** Markdown. Everything in it that comes from outside is escaped. */
export function issueBody(failure: Failure, notice: FailureNotice): string {
  const { mode, subject, runUrl, nowMs, isPublic } = failure;
  const since = formatInstant(new Date(notice.since));
  const runs = notice.runs === 1 ? 'first seen in' : `${countOf(notice.runs, 'run')} so far, the last one is`;
  return sections([
    `The ${escapeMarkdown(mode, 20)} of ${codeSpan(subject, 200)} has failed since ${since}: ${runs} ${link('this run', runUrl)}.`,
    timeLeft(notice.expiresAt, nowMs),
    errorSection(isPublic ? withoutLists(failure.error) : failure.error),
    '<sub>Written by Docs Courier. Each run that fails updates this issue, and the next one that succeeds closes it.</sub>',
  ]);
}

function timeLeft(expiresAt: string | undefined, nowMs: number): string | undefined {
  if (expiresAt === undefined) return undefined;
  const expiry = new Date(expiresAt);
  const leftMs = expiry.getTime() - nowMs;
  const instant = formatInstant(expiry);
  if (leftMs <= 0) {
    return `**Time left**: none. The stored link expired on ${instant}; whoever fetches the documentation by it gets an error.`;
  }
  return `**Time left**: ${formatDuration(leftMs)} from this update. The stored link works until ${instant}; after that, whoever fetches the documentation by it gets an error.`;
}

function withoutLists(error: ReportError): ReportError {
  const [first = '', ...rest] = error.message.split('\n');
  if (rest.length === 0) return error;
  return { ...error, message: `${first} The log of the run has ${countOf(rest.length, 'more line')}.` };
}

export function closingComment(runUrl: string): string {
  return `It works again: ${link('this run', runUrl)} succeeded.`;
}
