/**
 * Entry of the action `emulator`: starts the platform's emulator, and GitHub's if it is requested,
 * for the rest of the job.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { randomKeys } from '../platform/keys.ts';
import { commandLine } from './command-line.ts';
import { launchEmulator } from './launch.ts';
import {
  failStep,
  mask,
  needVariable,
  type RunnerEnv,
  readInput,
  writeOutputs,
  writeState,
} from './runner.ts';

const WAIT_MS = 30_000;
// This code is in a chunk of dist.
const PROGRAM = join(import.meta.dirname, 'emulator/index.js');

function randomToken(): string {
  return `ghs_${randomBytes(18).toString('hex')}`;
}

async function start(env: RunnerEnv): Promise<void> {
  const { admin: adminKey, assistant: assistantKey } = randomKeys();
  const made = { adminKey, assistantKey, secretToken: randomToken(), workflowToken: randomToken() };
  for (const secret of Object.values(made)) mask(secret);
  const logFile = join(needVariable(env, 'RUNNER_TEMP'), `docs-emulator-${process.pid}.log`);
  const args = commandLine(env, made);
  const { pid, url, githubUrl } = await launchEmulator({
    program: PROGRAM,
    args,
    logFile,
    waitMs: WAIT_MS,
  });
  writeState(env, { pid: String(pid), 'log-file': logFile });
  writeOutputs(env, {
    'base-url': url,
    'admin-api-key': adminKey,
    'assistant-api-key': assistantKey,
    'project-id': readInput(env, 'project-id'),
    'log-path': logFile,
    ...(githubUrl !== undefined && {
      'github-api-url': githubUrl,
      'secret-token': made.secretToken,
      'workflow-token': made.workflowToken,
    }),
  });
  console.log(`The emulator answers at ${url} until the job ends.`);
  if (githubUrl !== undefined) console.log(`The emulated GitHub answers at ${githubUrl}.`);
}

try {
  await start(process.env);
} catch (error) {
  failStep(error instanceof Error ? error.message : String(error));
}
