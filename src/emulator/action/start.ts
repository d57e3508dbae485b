/** Entry of the action `emulator`: starts the platform's emulator for the rest of the job. */
import { join } from 'node:path';
import { randomKeys } from '../platform/keys.ts';
import { launchEmulator } from './launch.ts';
import { failStep, mask, needVariable, type RunnerEnv, readInput, writeOutputs, writeState } from './runner.ts';

const WAIT_MS = 30_000;
// Beside this file's own folder in dist.
const PROGRAM = join(import.meta.dirname, '../../emulator/index.js');

/** Inputs that are options of the emulator's command line under the same name. */
const OPTIONS = ['export-duration', 'agent-duration', 'link-lifetime', 'search-lag', 'port'] as const;

function commandLine(env: RunnerEnv): string[] {
  const options = OPTIONS.flatMap((name) => {
    const value = readInput(env, name);
    return value === '' ? [] : [`--${name}=${value}`];
  });
  const jobs = readInput(env, 'agent-jobs').split(/\s+/);
  return [
    `--site=${readInput(env, 'site-id')}=${readInput(env, 'site')}`,
    ...options,
    ...jobs.filter((job) => job !== '').map((job) => `--agent-job=${job}`),
    `--project-id=${readInput(env, 'project-id')}`,
  ];
}

async function start(env: RunnerEnv): Promise<void> {
  const keys = randomKeys();
  mask(keys.admin);
  mask(keys.assistant);
  const logFile = join(needVariable(env, 'RUNNER_TEMP'), `docs-emulator-${process.pid}.log`);
  const args = [...commandLine(env), `--admin-key=${keys.admin}`, `--assistant-key=${keys.assistant}`];
  const { pid, url } = await launchEmulator({ program: PROGRAM, args, logFile, waitMs: WAIT_MS });
  writeState(env, { pid: String(pid), 'log-file': logFile });
  writeOutputs(env, {
    'base-url': url,
    'admin-api-key': keys.admin,
    'assistant-api-key': keys.assistant,
    'project-id': readInput(env, 'project-id'),
    'log-path': logFile,
  });
  console.log(`The emulator answers at ${url} until the job ends.`);
}

try {
  await start(process.env);
} catch (error) {
  failStep(error instanceof Error ? error.message : String(error));
}
