import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

// Standard input closes however this process ends, also by SIGKILL. After an orderly end, what is
// left gets two seconds.
const WATCH =
  'exec 3<&0 </dev/null; { cat <&3; sleep 2; kill -KILL -- -$$; } >/dev/null 2>&1 & exec 3<&-';

interface ServerOptions {
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/**
 * A server in a separate process group. All of the group ends when the server does, or when this
 * process does.
 */
export function spawnServer(
  program: string,
  args: readonly string[],
  { cwd, env }: ServerOptions = {},
): ChildProcessWithoutNullStreams {
  const words = ['-c', `${WATCH}\nexec "$0" "$@"`, program, ...args];
  const child = spawn('bash', words, {
    cwd,
    env: env ?? process.env,
    stdio: 'pipe',
    detached: true,
  });
  // Without a reader of its output, a server would stop.
  child.stdout.resume();
  child.stderr.resume();
  return child;
}
