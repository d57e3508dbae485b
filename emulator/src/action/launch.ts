import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

interface LaunchInit {
  /** The emulator's JavaScript. */
  readonly program: string;
  readonly args: readonly string[];
  /** Receives everything that it prints. */
  readonly logFile: string;
  readonly waitMs: number;
}

interface Launched {
  readonly pid: number;
  readonly url: string;
  /** Address of the emulated GitHub, if it was requested. */
  readonly githubUrl: string | undefined;
}

const POLL_MS = 50;
const BANNER = /^Documentation platform emulator: (http:\/\/127\.0\.0\.1:\d+)$/m;
const GITHUB_BANNER = /^GitHub emulator: (http:\/\/127\.0\.0\.1:\d+)$/m;
// Printed last: once it is there, the banner is complete.
const END = 'Stop it with Ctrl+C.';

/**
 * Starts the emulator as a process that outlives this one, and waits until it answers. Throws with
 * its output if it exits before that or needs longer than `waitMs`.
 */
export async function launchEmulator({
  program,
  args,
  logFile,
  waitMs,
}: LaunchInit): Promise<Launched> {
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, [program, ...args], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  // Without this, an error after the wait would end this process.
  failed.catch(() => undefined);
  const deadlineMs = performance.now() + waitMs;
  while (performance.now() < deadlineMs) {
    await Promise.race([delay(POLL_MS), failed]);
    const banner = readFileSync(logFile, 'utf8');
    const url = banner.includes(END) ? BANNER.exec(banner)?.[1] : undefined;
    if (url !== undefined && child.pid !== undefined && (await answers(url))) {
      child.unref();
      return { pid: child.pid, url, githubUrl: GITHUB_BANNER.exec(banner)?.[1] };
    }
    if (child.exitCode !== null || child.signalCode !== null) break;
  }
  child.kill('SIGKILL');
  throw new Error(`The emulator did not start.\n${readFileSync(logFile, 'utf8').trim()}`);
}

async function answers(url: string): Promise<boolean> {
  // Any reply is enough; this one is neither recorded nor logged.
  return fetch(`${url}/__emulator/state`).then(
    async (reply) => {
      // Read to its end: a connection that closes over an unread reply can end the process.
      await reply.arrayBuffer();
      return reply.status === 401;
    },
    () => false,
  );
}

/**
 * Ends the process: SIGTERM first, a kill after `waitMs`. It may have exited already. Never waits
 * longer: in a container whose first process does not reap children, an exited process may seem
 * alive forever.
 */
export async function stopEmulator(pid: number, waitMs: number): Promise<void> {
  const deadlineMs = performance.now() + waitMs;
  if (!kill(pid, 'SIGTERM')) return;
  while (performance.now() < deadlineMs) {
    await delay(POLL_MS);
    // Signal 0 only asks whether the process exists.
    if (!kill(pid, 0)) return;
  }
  kill(pid, 'SIGKILL');
}

/** False: there is no such process. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
