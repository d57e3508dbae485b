import type { CiRunner } from '../port.ts';
import { workflowCommands } from './commands.ts';
import { explainEmptyInputs } from './empty-inputs.ts';
import { showHint } from './hint.ts';
import { createResults } from './results.ts';
import { type Env, readPayload, readRun } from './run.ts';

/** A step of a GitHub Actions workflow. `env` is the environment that the runner has made for it. */
export function createRunner(env: Env): CiRunner {
  return {
    toolkit: workflowCommands((text) => process.stdout.write(text)),
    openResults: () => createResults(env),
    readRun: () => readRun(env),
    explainEmptyInputs() {
      const { github } = readRun(env);
      return explainEmptyInputs(github, readPayload(github.eventPath));
    },
    showHint,
  };
}
