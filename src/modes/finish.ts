import { MAX_OUTPUT_BYTES, type Results } from '../ci/github-actions/results.ts';
import type { Clock } from '../clock.ts';
import type { CourierError, ErrorCode } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Report, ReportError, RunFacts, Status } from '../report/report.ts';
import { errorSection, heading, sections } from '../report/summary.ts';
import { cut } from '../text/cut.ts';
import { plainLine } from '../text/escape.ts';
import type { Presentation } from './mode.ts';

export interface Finish<Facts extends RunFacts> {
  readonly mode: string;
  readonly startedAt: Date;
  readonly startMs: number;
  readonly results: Results;
  readonly log: Log;
  readonly clock: Clock;
  /** Absent where the run ended before it knew its mode's facts. */
  readonly presentation?: Presentation<Facts> | undefined;
  readonly facts: Partial<Facts>;
  readonly error?: CourierError | undefined;
}

/** The status that an error stands for. */
function statusOfCode(code: ErrorCode): Status {
  return code === 'timed-out' || code === 'cancelled' || code === 'refused' ? code : 'failed';
}

/** Writes outputs, report and summary of a run that has ended, tells it in the log, and gives the exit code. */
export function finish<Facts extends RunFacts>(end: Finish<Facts>): number {
  const { error, results, presentation } = end;
  const report = makeReport(end);
  const json = end.log.redact(JSON.stringify(withoutLink(report), undefined, 2));
  results.writeOutputs({
    ...presentation?.outputs(end.facts),
    status: report.status,
    'error-code': error?.code,
    report: end.log.redact(cutReport(json, report)),
    'report-path': results.writeReport(json),
  });
  const summary = presentation?.summary(report, end.clock.now()) ?? plainSummary(report);
  results.writeSummary(end.log.redact(summary));
  tell(end, report);
  return exitCode(report.status, end.mode);
}

function makeReport<Facts extends RunFacts>(end: Finish<Facts>): Report<Facts> {
  const { error } = end;
  return {
    version: 1,
    mode: end.mode,
    startedAt: end.startedAt.toISOString(),
    elapsedMs: Math.round(end.clock.monotonicMs() - end.startMs),
    ...end.facts,
    status: error === undefined ? (end.facts.status ?? 'completed') : statusOfCode(error.code),
    error: toReportError(error),
  };
}

function toReportError(error: CourierError | undefined): ReportError | undefined {
  return error && { code: error.code, message: error.message, hint: error.hint };
}

// The report may be printed and kept as an artifact; the link may not.
function withoutLink(report: object): object {
  return Object.fromEntries(Object.entries(report).filter(([name]) => name !== 'bundleUrl'));
}

/** The whole report where it fits an output; else what every mode has, so that it stays JSON. */
function cutReport(json: string, { version, mode, status, error, startedAt, elapsedMs }: Report<RunFacts>): string {
  if (Buffer.byteLength(json) <= MAX_OUTPUT_BYTES) return json;
  const message = error && { ...error, message: cut(error.message, { bytes: 4096 }) };
  return JSON.stringify({ version, mode, status, error: message, startedAt, elapsedMs, truncated: true });
}

function plainSummary(report: Report<RunFacts>): string {
  const reason = report.reason === undefined ? '' : plainLine(report.reason);
  return sections([heading('Docs Courier', report.status), reason, errorSection(report.error)]);
}

function tell<Facts extends RunFacts>({ log, error, facts }: Finish<Facts>, report: Report<Facts>): void {
  if (error === undefined) {
    for (const { action, target } of facts.planned ?? []) log.info(`Dry run, not done: ${action}: ${target}`);
    log.info(`Status: ${report.status}${facts.reason === undefined ? '' : `. ${facts.reason}`}`);
    return;
  }
  log.error(error.message, { title: `Docs Courier: ${error.code}` });
  if (error.hint !== undefined) log.info(error.hint);
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause)
    log.debug(`Caused by ${cause.name}: ${cause.message}`);
}

/** 1 where the run should be red. Refused agent commands are not: strangers must not turn runs red. */
export function exitCode(status: Status, mode: string): number {
  switch (status) {
    case 'failed':
    case 'timed-out':
    case 'cancelled':
      return 1;
    case 'refused':
      return mode === 'agent' ? 0 : 1;
    case 'completed':
    case 'detached':
    case 'skipped':
      return 0;
  }
}
