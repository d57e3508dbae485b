import { randomUUID } from 'node:crypto';
import { showCommandHint } from '../command-hint.ts';
import { createPlainResults } from '../plain-results.ts';
import { plainContext } from '../plain-run.ts';
import { createPlainToolkit } from '../plain-toolkit.ts';
import type { CiRun, CiRunner, Host } from '../port.ts';

/** A person's machine: no CI system was found. */
export function createLocalRunner(host: Host): CiRunner {
  const run = readLocalRun(host);
  return {
    toolkit: createPlainToolkit(host),
    openResults: () => createPlainResults(host.temp),
    readRun: () => run,
    explainEmptyInputs: () => ({ causes: [] }),
    showHint: showCommandHint,
  };
}

// Each call of the command is a run of its own: who wants to go on with an export names its job.
function readLocalRun(host: Host): CiRun {
  const runKey = `local/${randomUUID()}`;
  return {
    env: host.env,
    kind: 'local',
    runKey,
    execution: runKey,
    workspace: host.cwd,
    temp: host.temp,
    cause: 'manual',
    refProtected: undefined,
    github: plainContext(host, { runId: runKey, job: 'local' }),
  };
}
