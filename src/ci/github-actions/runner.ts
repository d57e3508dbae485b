import type { CiRunner, Env, Host } from '../port.ts';
import { workflowCommands } from './commands.ts';
import { explainEmptyInputs } from './empty-inputs.ts';
import { showHint } from './hint.ts';
import { createResults } from './results.ts';
import { readPayload, readRun } from './run.ts';

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

/** The command line in a step of a workflow: its log is on standard error, which the runner reads for commands as well. */
export function createCommandRunner({ env, write }: Host): CiRunner {
  return { ...createRunner(env), toolkit: workflowCommands((text) => write(text.replace(/\r?\n$/, ''))) };
}
