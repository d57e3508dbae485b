import {
  type Cause,
  type Check,
  type CiRunner,
  MAX_OUTPUT_BYTES,
  type OutputValues,
  type Results,
} from '../ci/port.ts';
import type { Clock } from '../ground/clock.ts';
import { type CourierError, type ErrorCode, toCourierError } from '../ground/errors.ts';
import type { Log } from '../ground/log.ts';
import type { Release } from '../ground/release.ts';
import { cut, link, plainLine } from '../ground/text/escape.ts';
import { printedJson } from '../ground/text/hide-credentials.ts';
import type { Inputs, Mode as ModeName } from '../inputs/inputs.ts';
import type { PlatformKeys } from '../platform/client.ts';
import type { Context, Mode, Presentation, UnreadRun } from './context.ts';
import { outputsOf } from './outputs.ts';
import {
  aboutSection,
  errorSection,
  heading,
  helpFor,
  type Report,
  type ReportError,
  type RunFacts,
  STATUSES,
  type Status,
  sections,
} from './report.ts';

/** A mode as `main` sees it, without the type of its facts. */
interface RunnableMode<I extends Inputs> {
  /** Runs the mode and writes its results. Gives the exit code. */
  execute(inputs: I, context: Context, end: End): Promise<number>;
  /** As in `Mode`. */
  readonly answerUnread?: ((unread: UnreadRun) => Promise<void>) | undefined;
}

/** The inputs of a mode. */
export type InputsOf<M extends ModeName> = Extract<Inputs, { readonly mode: M }>;

/** What a mode declares before its code is loaded. */
export interface ModeEntry<I extends Inputs> {
  /**
   * The key that it cannot work without: if it is empty, a run that the system hands no secrets to
   * is skipped.
   */
  readonly neededKey?: 'admin-api-key' | 'assistant-api-key';
  /** With this input, it works without a key. */
  readonly keylessWith?: 'from' | 'search-site';
  /**
   * It reads all sites of the configuration file. Without it, its inputs are completed by those of
   * one site.
   */
  readonly readsAllSites?: true;
  /** A mistake in the setup is a result of this mode, and does not keep it from running. */
  readonly reportsMistakes?: true;
  /** The keys that it sends to the platform. */
  keys(inputs: I): PlatformKeys;
  load(): Promise<RunnableMode<I>>;
}

/** Every mode by its name. */
export type Modes = { readonly [M in ModeName]: ModeEntry<InputsOf<M>> };

/** A mode whose results are written, also what it recorded before it failed. */
export function defineMode<I extends Inputs, Facts>(mode: Mode<I, Facts>): RunnableMode<I> {
  return {
    answerUnread: mode.answerUnread,
    async execute(inputs, context, end) {
      let knownFacts: Partial<Facts> = {};
      let writtenJobId: string | undefined;
      const record = (facts: Partial<Facts>) => {
        knownFacts = { ...knownFacts, ...facts };
        // The job id is written at once, so that a run that is killed leaves it for the next run.
        const jobId = outputsOf(end.mode, knownFacts)['job-id'];
        if (jobId === writtenJobId) return;
        writtenJobId = jobId;
        // Only a warning: the run must still write the id to the other places that keep it.
        // `finish` writes all outputs again, and makes the run fail if it cannot.
        const failed = failureOf(() => end.results.writeOutputs({ 'job-id': jobId }));
        if (failed !== undefined)
          end.log.warning(`The output job-id could not be written yet. ${failed.message}`);
      };
      const { signal } = context;
      // At once, since a cancelled run may be killed while it waits for its last reply.
      const logLeftovers = () => {
        const leftovers = mode.leaves?.(knownFacts);
        if (leftovers !== undefined) end.log.info(leftovers);
      };
      signal.addEventListener('abort', logLeftovers, { once: true });
      let ended: Ended<Facts>;
      try {
        const ending = await mode.run(inputs, { ...context, record });
        ended = { facts: { ...knownFacts, ...ending }, presentation: mode };
      } catch (error) {
        const facts = { ...knownFacts, status: 'failed' } as const;
        ended = { facts, presentation: mode, error: toCourierError(error) };
      } finally {
        signal.removeEventListener('abort', logLeftovers);
      }
      return finish(end, ended);
    },
  };
}

/** What shows an error in the words of a system. */
type Shown = Pick<CiRunner, 'program' | 'showHint'>;

/** What the end of every run needs, whatever its mode. */
export interface End {
  readonly release: Release;
  readonly mode: string;
  readonly startedAt: Date;
  readonly startMs: number;
  readonly results: Results;
  readonly log: Log;
  readonly clock: Clock;
  readonly runner: Shown;
  readonly cause?: Cause | undefined;
  /** The page of the run, if the summary is read elsewhere. */
  readonly runUrl?: string | undefined;
  /** Chooses the exit code; undefined: as for a step of a workflow, which is red or green. */
  readonly exitCode?: ExitRule | undefined;
}

/** How a run ended, as far as an exit code shows it. */
interface Ending {
  readonly status: Status;
  readonly mode: string;
  readonly errorCode: ErrorCode | undefined;
  /** What started the run; undefined if it ended before that was known. */
  readonly cause: Cause | undefined;
}

/** The exit code of an ending. */
export type ExitRule = (ending: Ending) => number;

interface Ended<Facts> {
  /** All that is known. Of a run with an error, the error decides the status (`makeReport`). */
  readonly facts: Partial<Facts> & RunFacts;
  /** Absent if the run ended before its mode was known. */
  readonly presentation?: Presentation<Facts> | undefined;
  readonly error?: CourierError | undefined;
}

/**
 * Writes outputs, report, summary and the last lines of the log of a run that has ended, and gives
 * the exit code.
 */
export async function finish<Facts>(end: End, given: Ended<Facts>): Promise<number> {
  const unwritten = writeOutputs(end, given);
  // A run whose outputs could not be written has failed. If it had failed before, its own error
  // explains more.
  const ended = { ...given, error: given.error ?? unwritten };
  // What could be written, such as the JSON of a run that lost only its link, says so too.
  if (unwritten !== undefined) writeOutputs(end, ended);
  const report = makeReport(end, ended);
  await writeSummary(end, ended, report);
  // Only some systems show checks one by one.
  if (end.results.writeChecks !== undefined) writeChecks(end, ended);
  logEnd(end, ended, report);
  const exitRule = end.exitCode ?? exitCodeOfAction;
  return exitRule({
    status: report.status,
    mode: end.mode,
    errorCode: ended.error?.code,
    cause: end.cause,
  });
}

/** Writes all outputs and the report. Gives the error if the outputs could not be written. */
function writeOutputs<Facts>(end: End, ended: Ended<Facts>): CourierError | undefined {
  const report = makeReport(end, ended);
  const fields = printableFields(report, ended.presentation?.unreported ?? []);
  const json = end.log.redact(printedJson(fields));
  const isWhole = Buffer.byteLength(json) <= MAX_OUTPUT_BYTES;
  const outputs: OutputValues = {
    ...outputsOf(end.mode, ended.facts),
    status: report.status,
    'error-code': ended.error?.code,
    report: isWhole ? json : end.log.redact(cutReport(fields, report.error)),
    // Empty if the report could not be written: the run has done its work, and does not fail.
    'report-path': end.results.writeReport(json),
  };
  return failureOf(() => end.results.writeOutputs(outputs));
}

/** The report of the run. The error decides the status, else the mode has given it. */
function makeReport<Facts>(end: End, ended: Ended<Facts>): Report<Facts> {
  const { facts, error } = ended;
  return {
    version: 1,
    mode: end.mode,
    release: end.release,
    startedAt: end.startedAt.toISOString(),
    elapsedMs: Math.round(end.clock.monotonicMs() - end.startMs),
    ...facts,
    status: error === undefined ? facts.status : statusOf(error),
    error: error && shownError(error, end.runner),
  };
}

/** Some error codes, such as `cancelled`, are statuses too; of any other, the run failed. */
function statusOf(error: CourierError): Status {
  return STATUSES.find((status) => status === error.code) ?? 'failed';
}

/** An error as reports and logs have it. */
export function shownError(error: CourierError, runner: Shown): ReportError {
  return {
    code: error.code,
    message: error.message,
    hint: error.hint && runner.showHint(error.hint),
    help: helpFor(error.code, runner.program),
  };
}

/**
 * The fields of the report, without `unreported` and the link: first the scalars that every mode
 * has, then the other scalars, then lists and objects. `cutReport` keeps the first ones.
 */
function printableFields(
  report: object,
  unreported: readonly PropertyKey[],
): Readonly<Record<string, unknown>> {
  // The report may be printed and kept as an artifact; the link may not.
  const leftOut = ['bundleUrl', ...unreported];
  const entries = Object.entries(report).filter((entry) => !leftOut.includes(entry[0]));
  const scalars = entries.filter((entry) => typeof entry[1] !== 'object');
  const common = scalars.filter((entry) => COMMON.includes(entry[0]));
  // An object keeps each name at the position at which it comes first.
  return Object.fromEntries([...common, ...scalars, ...entries]);
}

const COMMON: readonly string[] = ['version', 'mode', 'status', 'startedAt', 'elapsedMs', 'reason'];

/**
 * A report that is too large for an output: as many of its leading scalars as fit, and the error.
 * It stays JSON. `report`: the fields in the order of `printableFields`.
 */
function cutReport(
  report: Readonly<Record<string, unknown>>,
  error: ReportError | undefined,
): string {
  const shortened = error && { ...error, message: cut(error.message, { bytes: 4096 }) };
  const always = { error: shortened, truncated: true };
  let kept: object = always;
  const scalars: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(report)) {
    // After the scalars there are only lists and objects.
    if (typeof value === 'object') break;
    scalars[name] = value;
    const next = { ...scalars, ...always };
    if (Buffer.byteLength(printedJson(next)) > MAX_OUTPUT_BYTES) break;
    kept = next;
  }
  // Without indentation, so it is shorter than what was measured.
  return printedJson(kept, 0);
}

/** Writes the summary. A failure is only a warning: the result of the run is in the outputs too. */
async function writeSummary<Facts>(
  end: End,
  ended: Ended<Facts>,
  report: Report<Facts>,
): Promise<void> {
  const text = ended.presentation?.summary(report, end.clock.now()) ?? summaryWithoutMode(report);
  const about = report.error && (await aboutSection(report.error));
  const summary = sections([text, about, end.runUrl && link('The run', end.runUrl)]);
  try {
    await end.results.writeSummary(end.log.redact(summary));
  } catch (error) {
    end.log.warning(`The summary could not be written. ${toCourierError(error).message}`);
  }
}

/** The summary of a run that ended before its mode was known. */
function summaryWithoutMode(report: RunFacts & Pick<Report<object>, 'error'>): string {
  return sections([
    heading('Docs Courier', report.status),
    report.reason && plainLine(report.reason),
    errorSection(report.error),
  ]);
}

/** Writes what the mode has checked, one by one. A mode that checks nothing has none. */
function writeChecks<Facts>(end: End, ended: Ended<Facts>): void {
  const { log, mode } = end;
  const checks: Check[] = [...(ended.presentation?.checks?.(ended.facts) ?? [])];
  const showsFailure = checks.some(({ outcome }) => outcome === 'failed' || outcome === 'error');
  // Such as a run that failed before its first check, or after its last one: the report would look
  // as if all had passed.
  if (ended.error !== undefined && !showsFailure) {
    const { message } = ended.error;
    checks.push({ group: 'docs-courier', name: mode, outcome: 'error', message });
  }
  const redacted = checks.map((check) => ({
    ...check,
    message: check.message && log.redact(check.message),
  }));
  const failed = failureOf(() => end.results.writeChecks?.(redacted));
  if (failed !== undefined)
    log.warning(`The report of the checks could not be written. ${failed.message}`);
}

/** The error that the call throws; undefined: it throws none. Throws a fault of this program. */
function failureOf(call: () => void): CourierError | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    return toCourierError(error);
  }
}

/** Writes the last lines of the log: what was done and the status, or the error with its causes. */
function logEnd<Facts>(end: End, ended: Ended<Facts>, report: Report<Facts>): void {
  const { log } = end;
  if (report.error === undefined) {
    for (const write of report.planned ?? [])
      log.info(`Dry run, not done: ${write.action}: ${write.target}`);
    for (const line of ended.presentation?.closing?.(report, end.clock.now()) ?? []) log.info(line);
    const reason = report.reason === undefined ? '' : `. ${report.reason}`;
    log.info(`Status: ${report.status}${reason}`);
    return;
  }
  logError(report.error, log);
  // What a library or the system has said, such as a reply, which the message puts into our words.
  for (let cause = ended.error?.cause; cause instanceof Error; cause = cause.cause)
    log.debug(`Caused by ${cause.name}: ${cause.message}`);
}

/** The statuses that make a run red. */
const RED: readonly Status[] = ['failed', 'timed-out', 'cancelled', 'refused'];

export function logError(error: ReportError, log: Log): void {
  const lines = [error.message, error.hint, error.help && `See ${error.help}`].filter(Boolean);
  log.error(lines.join('\n'), { title: `Docs Courier: ${error.code}` });
}

/**
 * True if the run refused a command in a comment: such a run is green, since strangers must not
 * turn runs red. On any other event, such as a merge, the run should have sent its instruction.
 */
export function isRefusedCommand(ending: Ending): boolean {
  return ending.status === 'refused' && ending.mode === 'agent' && ending.cause === 'comment';
}

/** 1 if the run should be red, else 0. */
function exitCodeOfAction(ending: Ending): number {
  return Number(RED.includes(ending.status) && !isRefusedCommand(ending));
}
