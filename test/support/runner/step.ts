import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cancelProcess } from './cancellation.ts';
import { readEnvFile } from './env-file.ts';
import { buildEnvironment, findNode, pushEvent, readAction } from './environment.ts';
import { createStepFiles, type StepFiles } from './folders.ts';
import { type Job, maskKnownSecrets } from './job.ts';
import { LogReader } from './log-reader.ts';
import { readPeakRssBytes } from './memory.ts';
import type { RunningStep, StepOptions, StepResult } from './options.ts';
import { readResult } from './result.ts';

const WATCH_EVERY_MS = 20;

/** The state of a step while it runs and right after. */
export interface StepRecord {
  readonly job: Job;
  readonly files: StepFiles;
  readonly reader: LogReader;
  readonly startedAt: number;
  stdout: string;
  stderr: string;
  peakRssBytes: number;
  cancelledAt: number | undefined;
}

export async function launchStep(options: StepOptions, job: Job): Promise<RunningStep> {
  const action = await readAction(options.actionFile);
  job.stepCount += 1;
  const event = options.event === undefined ? pushEvent(options) : options.event;
  const files = await createStepFiles(job.folders.temp, job.stepCount, event);
  maskKnownSecrets(job.masker, options);
  const env = buildEnvironment({ action, files, options, ...job });
  const child = spawn(options.node ?? findNode(), [options.main ?? action.main], {
    cwd: job.folders.workspace,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const record: StepRecord = {
    job,
    files,
    reader: new LogReader({ masker: job.masker, debug: options.debug ?? false }),
    startedAt: performance.now(),
    stdout: '',
    stderr: '',
    peakRssBytes: 0,
    cancelledAt: undefined,
  };
  return superviseStep({ child, record, options });
}

interface Supervised {
  readonly child: ChildProcess;
  readonly record: StepRecord;
  readonly options: StepOptions;
}

function superviseStep({ child, record, options }: Supervised): RunningStep {
  const stops: (() => void)[] = [];
  const cancel = () => {
    if (record.cancelledAt !== undefined) return;
    record.cancelledAt = performance.now();
    stops.push(cancelProcess(child));
  };
  const step: RunningStep = {
    pid: child.pid ?? 0,
    get stdout() {
      return record.stdout;
    },
    get stderr() {
      return record.stderr;
    },
    shown: record.reader.shown,
    outputsSoFar: () => readEnvFile(readFileSync(record.files.output, 'utf8')).values,
    tempFolder: record.job.folders.temp,
    workspace: record.job.folders.workspace,
    cancel,
    kill: (signal) => {
      child.kill(signal);
    },
    done: waitForEnd(child, record).finally(() => {
      for (const stop of stops) stop();
    }),
  };
  const watch = () => {
    record.peakRssBytes = Math.max(record.peakRssBytes, readPeakRssBytes(step.pid));
    if (record.cancelledAt === undefined && options.signalAfter?.(step)) cancel();
  };
  const timer = setInterval(watch, WATCH_EVERY_MS);
  stops.push(() => clearInterval(timer));
  if (options.timeoutMs !== undefined) {
    const limit = setTimeout(cancel, options.timeoutMs);
    stops.push(() => clearTimeout(limit));
  }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (chunk: Buffer) => {
      record[stream] += chunk.toString('utf8');
      record.reader.write(stream, chunk);
      watch();
    });
  }
  return step;
}

async function waitForEnd(child: ChildProcess, record: StepRecord): Promise<StepResult> {
  const [exitCode, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(
    (resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, name) => resolve([code, name]));
    },
  );
  const endedAt = performance.now();
  record.reader.end();
  return readResult({ record, exitCode, signal, endedAt });
}
