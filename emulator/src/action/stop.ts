/** Post entry of the action `emulator`: shows the requests to the emulator, and stops it. */
import { readFileSync } from 'node:fs';
import { stopEmulator } from './launch.ts';
import { type RunnerEnv, showGroup } from './runner.ts';

const WAIT_MS = 5_000;

async function stop(env: RunnerEnv): Promise<void> {
  const pid = Number(env.STATE_pid);
  const logFile = env['STATE_log-file'];
  // Without a process there is nothing to stop: the start failed and reported it.
  if (!Number.isSafeInteger(pid) || pid <= 1 || logFile === undefined) return;
  try {
    showGroup('Requests to the emulator', readFileSync(logFile, 'utf8'));
  } finally {
    // Also if the log is missing: the process must not outlive the job.
    await stopEmulator(pid, WAIT_MS);
  }
}

try {
  await stop(process.env);
} catch (error) {
  // This step does not change the job's result.
  console.log(
    `The emulator was not stopped: ${error instanceof Error ? error.message : String(error)}`,
  );
}
