import { assertReport } from '../schemas.ts';
import type { AnnotationCommand } from './commands.ts';
import { readEnvFile } from './env-file.ts';
import { readLeftovers, readTextOrEmpty } from './folders.ts';
import type { StepResult } from './options.ts';
import type { StepRecord } from './step.ts';

const LARGEST_SUMMARY_BYTES = 1024 * 1024;
const MOST_ANNOTATIONS = 10;

interface Ended {
  readonly record: StepRecord;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly endedAt: number;
}

/** Reads the results of a step like the runner after the step. */
export async function readResult({
  record,
  exitCode,
  signal,
  endedAt,
}: Ended): Promise<StepResult> {
  const { job, files, reader } = record;
  const { masker } = job;
  const output = readEnvFile(await readTextOrEmpty(files.output));
  const state = readEnvFile(await readTextOrEmpty(files.state));
  const exported = readEnvFile(await readTextOrEmpty(files.env));
  const paths = (await readTextOrEmpty(files.path)).split('\n').filter((line) => line !== '');
  const rawSummary = await readTextOrEmpty(files.summary);
  const summaryKib = Math.floor(Buffer.byteLength(rawSummary) / 1024);
  const tooLarge = Buffer.byteLength(rawSummary) > LARGEST_SUMMARY_BYTES;
  const complaints = [
    output.error && `Unable to process file command 'output' successfully. ${output.error}`,
    state.error && `Unable to process file command 'state' successfully. ${state.error}`,
    exported.error && `Unable to process file command 'env' successfully. ${exported.error}`,
    tooLarge &&
      `$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of 1024k, got ${summaryKib}k.`,
  ].filter((text): text is string => typeof text === 'string');
  const leftovers = await readLeftovers(job.folders.temp);
  Object.assign(job.exported, exported.values);
  job.paths.push(...paths);
  const outputs = { ...reader.legacyOutputs, ...output.values };
  if (outputs.report?.startsWith('{')) assertReport(outputs.report);
  return {
    exitCode,
    signal,
    stdout: record.stdout,
    stderr: record.stderr,
    log: [...reader.shown, ...complaints.map((text) => `##[error]${masker.mask(text)}`)].join('\n'),
    commands: reader.commands,
    annotations: firstOfEachType(reader.annotations),
    annotationCount: reader.annotations.length,
    outputs,
    state: state.values,
    exported: exported.values,
    paths,
    masks: reader.masks,
    summary: tooLarge
      ? ''
      : rawSummary
          .split('\n')
          .map((line) => masker.mask(line))
          .join('\n'),
    rawSummary,
    violations: [...reader.violations, ...complaints],
    tempFiles: leftovers.files,
    tempTexts: leftovers.texts,
    elapsedMs: endedAt - record.startedAt,
    cancelledAfterMs: record.cancelledAt === undefined ? undefined : endedAt - record.cancelledAt,
    peakRssBytes: record.peakRssBytes,
    mask: (text) => masker.mask(text),
  };
}

/** GitHub keeps ten annotations of each type per step. */
function firstOfEachType(all: readonly AnnotationCommand[]): AnnotationCommand[] {
  const counts: Record<string, number> = {};
  return all.filter(({ type }) => {
    counts[type] = (counts[type] ?? 0) + 1;
    return (counts[type] ?? 0) <= MOST_ANNOTATIONS;
  });
}
