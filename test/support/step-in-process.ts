import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLineStep } from '../../src/ci/github/command-line.ts';
import { createRunner, readActionInputs, variableOf } from '../../src/ci/github/runner.ts';
import { MODES } from '../../src/modes.ts';
import { main } from '../../src/run/main.ts';
import { type RecordingLog, recordingLog } from './recording-log.ts';
import { REPOSITORY } from './world/names.ts';
import type { World } from './world.ts';

type Texts = Readonly<Record<string, string>>;

/** A step of GitHub Actions and the event that started its job. */
interface Step {
  readonly inputs: Texts;
  readonly eventName?: string;
  readonly payload?: object;
  /** More variables of the step. */
  readonly env?: Texts | undefined;
}

interface Ended {
  readonly exitCode: number;
  readonly log: RecordingLog;
  /** The path of the file with the outputs. */
  readonly outputs: string;
}

/** Runs the sources as a step, through the runner's own variables and files. */
export async function runStepInProcess(world: World, step: Step): Promise<Ended> {
  const { inputs, eventName = 'push', payload = {} } = step;
  const outputs = join(world.root, 'outputs');
  const summary = join(world.root, 'summary');
  const event = join(world.root, 'event.json');
  writeFileSync(outputs, '');
  writeFileSync(summary, '');
  writeFileSync(event, JSON.stringify(payload));
  const env: Texts = {
    GITHUB_REPOSITORY: REPOSITORY,
    GITHUB_RUN_ID: '501',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_JOB: 'publish',
    GITHUB_EVENT_NAME: eventName,
    GITHUB_EVENT_PATH: event,
    GITHUB_API_URL: world.github.url,
    GITHUB_WORKSPACE: world.workspace,
    GITHUB_OUTPUT: outputs,
    GITHUB_STEP_SUMMARY: summary,
    RUNNER_TEMP: world.runnerTemp,
    ...step.env,
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [variableOf(name), value])),
  };
  const log = recordingLog();
  const exitCode = await main({
    modes: MODES,
    runner: createRunner(env, commandLineStep({ env, write: () => {} })),
    source: readActionInputs(env),
    log,
    clock: world.clock,
    signal: new AbortController().signal,
  });
  return { exitCode, log, outputs };
}
